//! An engine that thinks of nothing: it answers each TURN of the Tiaojia protocol at once by stepping one stone back and
//! forth. The bench plays it against itself to see what the referee costs, the proofs of tournaments by the thousand.
//!
//! Words change that: `after MS` answers so many milliseconds after it was asked, and says by its own clock when it did;
//! `score N` says before each answer that its position is worth N; `until N` plays an illegal ply as its N-th, so that who
//! lasts longer wins. `instant-engine echo` gives every line back: the floor to compare with. `instant-engine keeper RUN`
//! is the referee's keeper.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, run] = &arguments[..]
        && word == "keeper"
    {
        referee::host::keep(run);
        return Ok(());
    }
    let echo = arguments.first().is_some_and(|word| word == "echo");
    let number = |name: &str| -> Option<i64> {
        let at = arguments.iter().position(|word| word == name)?;
        arguments.get(at + 1)?.parse().ok()
    };
    let after = number("after").map(|after| Duration::from_millis(after.unsigned_abs()));
    let (score, until) = (number("score"), number("until").unwrap_or(i64::MAX));
    let mut input = std::io::stdin().lock();
    // Buffered, so that what is said at once goes out in one write.
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = String::new();
    let (mut steps, mut turn) = (["4 0 1\n", "5 0 0\n"], 0_usize);
    while input.read_line(&mut line)? > 0 {
        match line.trim_end() {
            _ if echo => output.write_all(line.as_bytes())?,
            "START 1" => output.write_all(b"OK\n")?,
            "START 2" => {
                steps = ["2 0 0\n", "1 0 1\n"];
                output.write_all(b"OK\n")?;
            }
            "TURN" => {
                if let Some(after) = after {
                    let asked = Instant::now();
                    std::thread::sleep(after);
                    writeln!(output, "DEBUG {}", asked.elapsed().as_micros())?;
                }
                if let Some(score) = score {
                    writeln!(output, "DEBUG score {score}")?;
                }
                let answer = if turn as i64 + 1 < until { steps[turn % 2] } else { "0 0 0\n" };
                output.write_all(answer.as_bytes())?;
                turn += 1;
            }
            end if end.starts_with("END") => return Ok(()),
            _ => {}
        }
        output.flush()?;
        line.clear();
    }
    Ok(())
}
