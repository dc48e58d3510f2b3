//! An engine that thinks of nothing: it answers each TURN of the Tiaojia protocol at once by stepping one stone back and
//! forth. The bench plays it against itself to see what the referee costs.
//!
//! `instant-engine after MS` answers so many milliseconds after it was asked, and says by its own clock when it did.
//! `instant-engine echo` gives every line back: the floor to compare with. `instant-engine keeper RUN` is the referee's
//! keeper.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let (Some("keeper"), Some(run)) = (arguments.get(1).map(String::as_str), arguments.get(2)) {
        referee::host::keep(run);
        return Ok(());
    }
    let echo = arguments.get(1).is_some_and(|word| word == "echo");
    let after = match (arguments.get(1).map(String::as_str), arguments.get(2)) {
        (Some("after"), Some(text)) => text.parse().ok().map(Duration::from_millis),
        _ => None,
    };
    let mut input = std::io::stdin().lock();
    // Buffered, so that what is said at once goes out in one write.
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = String::new();
    let (mut steps, mut turn) = (["4 0 1\n", "5 0 0\n"], 0);
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
                output.write_all(steps[turn % 2].as_bytes())?;
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
