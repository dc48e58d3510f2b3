//! How many commands a second the rules service answers. `cargo bench -p boyi`.
//!
//! Each game is played at random; the commands of those games (new, play, undo, play again, position, legal count) are poured
//! into `boyi rules` and the time to the last answer is taken.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Instant;

use games::Eyes;
use rand::SeedableRng as _;
use serde_json::json;

const COMMANDS: usize = 200_000;
const GOAL: f64 = 50_000.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "| rules service | commands/s | at least |\n|---|---:|---|")?;
    for game in games::GAMES {
        let (script, commands) = script(*game)?;
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .args(["rules", game.facts().id])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut input = child.stdin.take().ok_or("no pipe")?;
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let mut answers = String::new();
        child.stdout.take().ok_or("no pipe")?.read_to_string(&mut answers)?;
        let speed = commands as f64 / start.elapsed().as_secs_f64();
        writer.join().map_err(|_| "the writer failed")??;
        child.wait()?;
        let good = answers.lines().filter(|line| line.starts_with("{\"ok\":true")).count();
        if good != commands {
            return Err(format!("{}: {good} of {commands} commands were answered well", game.facts().id).into());
        }
        let met = if speed >= GOAL { "met" } else { "NOT met" };
        writeln!(out, "| {} | {speed:.0} | {GOAL:.0} {met} |", game.facts().id)?;
    }
    Ok(())
}

/// The commands of random games.
fn script(game: &dyn games::Listing) -> Result<(String, usize), Box<dyn std::error::Error>> {
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut script, mut commands) = (String::new(), 0);
    let mut add = |value: serde_json::Value| {
        script.push_str(&value.to_string());
        script.push('\n');
        commands += 1;
        commands
    };
    loop {
        let mut table = game.open(&serde_json::Value::Null, None)?;
        if add(json!({ "cmd": "new" })) >= COMMANDS {
            return Ok((script, COMMANDS));
        }
        while let Some(ply) = table.random_ply(&mut rng) {
            table.play(&ply, Eyes::All)?;
            for command in ["play", "undo", "play"] {
                let value =
                    if command == "play" { json!({ "cmd": "play", "ply": ply }) } else { json!({ "cmd": command }) };
                if add(value) >= COMMANDS {
                    return Ok((script, COMMANDS));
                }
            }
            if table.plies().is_multiple_of(8) && add(json!({ "cmd": "position" })) >= COMMANDS {
                return Ok((script, COMMANDS));
            }
        }
    }
}
