//! A journal that somebody edited: nothing that changes a result is taken for what was played.

mod common;

use std::path::Path;

use common::random_game;
use games::Side;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use tournament::journal::{Finished, Journal, JournalError};

/// The games of the journal that is edited.
const GAMES: u64 = 6;

/// What of a game decides the table.
type Outcome = (u64, usize, usize, Option<Side>);

fn play(folder: &Path) {
    let mut journal = Journal::open(folder, |_| {}).expect("a journal");
    for number in 0..GAMES {
        // Short games are lost on time, the others by the rules.
        let record = match number % 3 {
            0 => random_game("tiaojia", &Value::Null, number, 300),
            1 => random_game("nogo", &json!({ "size": 5 }), number, 100),
            _ => random_game("nogo", &Value::Null, number, 12),
        };
        let black = (number % 2) as usize;
        journal.add(&[Finished { number, black, white: 1 - black, record }]).expect("a disk");
    }
}

fn outcomes(folder: &Path) -> Result<Vec<Outcome>, JournalError> {
    let mut outcomes = Vec::new();
    Journal::read(folder, |game| {
        let winner = game.record.verdict.and_then(|verdict| verdict.winner);
        outcomes.push((game.number, game.black, game.white, winner));
    })?;
    Ok(outcomes)
}

/// The lines without their checksums, as an older boyi wrote them.
fn older(text: &str) -> String {
    let plain = |line: &str| line.split_once(",\"check\"").map_or_else(String::new, |(body, _)| format!("{body}}}\n"));
    text.lines().map(plain).collect()
}

/// The same line with the other winner.
fn flipped(line: &str) -> String {
    let (head, tail) = line.split_once("\"winner\":").expect("a winner");
    let other = if tail.starts_with("\"black\"") { "\"white\"" } else { "\"black\"" };
    let rest = tail.split_once(',').expect("more fields").1;
    format!("{head}\"winner\":{other},{rest}")
}

/// One edit by chance, with its kind.
fn edited(text: &str, rng: &mut Xoshiro256PlusPlus) -> (usize, Vec<u8>) {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut bytes = text.as_bytes().to_vec();
    let (line, other, at) =
        (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()), rng.random_range(0..bytes.len()));
    let kind = rng.random_range(0..6);
    match kind {
        0 => bytes[at] ^= 1 << rng.random_range(0..8),
        1 => bytes[at] = rng.random(),
        _ => {
            match kind {
                2 => drop(lines.remove(line)),
                3 => lines.insert(other, lines[line].clone()),
                4 => lines.swap(line, other),
                _ => lines[line] = flipped(&lines[line]),
            }
            bytes = lines.concat().into_bytes();
        }
    }
    (kind, bytes)
}

#[test]
fn no_edit_of_two_thousand_changes_a_result() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path());
    let path = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let played = outcomes(folder.path()).unwrap();
    assert_eq!(played.len() as u64, GAMES);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20_261_119);
    let (mut refused, mut harmless, mut flips) = (0, 0, 0);
    for number in 0..2000 {
        let (kind, bytes) = edited(&text, &mut rng);
        std::fs::write(&path, &bytes).unwrap();
        match outcomes(folder.path()) {
            Err(error) => {
                let said = error.to_string();
                assert!(said.contains("journal.jsonl, line "), "{said}");
                assert_eq!(std::fs::read(&path).unwrap(), bytes);
                (refused, flips) = (refused + 1, flips + u32::from(kind == 5));
            }
            // What is missing at the end is played again.
            Ok(read) => {
                assert!(
                    played.starts_with(&read) && read.len() + 1 >= played.len(),
                    "edit {number}, kind {kind}: {read:?}"
                );
                assert!(read.len() == played.len() || [0, 1, 2].contains(&kind), "edit {number}, kind {kind}");
                harmless += 1;
            }
        }
    }
    println!("{refused} refused, {flips} of them flipped winners; {harmless} harmless");
    // Two lines swapped with themselves, the last line gone: nothing else may pass.
    assert!(refused > 1700 && flips > 250, "{refused} refused, {flips} flips");
}

#[test]
fn an_older_journal_is_held_against_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path());
    let path = folder.path().join("journal.jsonl");
    let text = older(&std::fs::read_to_string(&path).unwrap());
    let played = outcomes(folder.path()).unwrap();
    std::fs::write(&path, &text).unwrap();
    assert_eq!(outcomes(folder.path()).unwrap(), played);
    assert_eq!(Journal::read(folder.path(), |_| {}).unwrap() as u64, GAMES);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for index in 0..lines.len() {
        let mut edited: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        edited[index] = flipped(&edited[index]);
        std::fs::write(&path, edited.concat()).unwrap();
        let said = outcomes(folder.path()).unwrap_err().to_string();
        assert!(said.contains(&format!("line {}: the record is wrong: ", index + 1)), "{said}");
        // A game that stands twice counts once, unless it ended in two ways.
        std::fs::write(&path, [&text, lines[index]].concat()).unwrap();
        assert_eq!(outcomes(folder.path()).unwrap(), played);
    }
    let again = lines[0].replacen("\"black\":0,\"white\":1", "\"black\":1,\"white\":0", 1);
    std::fs::write(&path, [&text, again.as_str()].concat()).unwrap();
    let said = outcomes(folder.path()).unwrap_err().to_string();
    assert!(said.contains("line 7: game 0 is in line 1 already"), "{said}");
}
