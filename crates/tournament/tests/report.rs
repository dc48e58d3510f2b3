//! The report of a contest: what is in the page, and whether its boards are the rules' own.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::random_game;
use games::{Eyes, Language, Side};
use proptest::prelude::*;
use records::Record;
use rstest::rstest;
use serde_json::{Map, Value, json};
use tournament::journal::{Finished, Journal};
use tournament::plan::Plan;
use tournament::report::{self, Choices, Subject, USUAL_REPLAYS};

/// The page of a tournament of three with these records, one after the other in its schedule.
fn page(game: &str, names: [&str; 3], records: impl IntoIterator<Item = Record>, replays: usize) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let engines = "[[engine]]\nbuiltin = \"random\"\n".repeat(3);
    let plan = Plan::read(&format!("game = {game:?}\nevent = \"Cup\"\ngames = 4\n{engines}")).expect("a good plan");
    let mut format = plan.format_for(3).expect("a format");
    let mut journal = Journal::open(folder.path(), |_| {}).expect("a journal");
    for mut record in records {
        let tournament::pairing::Next::Play(pairing) = format.next_pairing() else { panic!("too many games") };
        let (black, white) = (pairing.first.0, pairing.second.0);
        record.seats.black.name = names[black].to_owned();
        record.seats.white.name = names[white].to_owned();
        let number = ((pairing.id.match_number as u64) << 20) + pairing.id.game as u64;
        journal.add(&[Finished { number, black, white, record }]).expect("a disk");
    }
    let subject = Subject::of_plan(&plan, names.map(str::to_owned).to_vec()).expect("a subject");
    let mut out = Vec::new();
    let choices = Choices { language: Language::Zh, replays, reasons: &[] };
    report::write(folder.path(), subject, choices, &mut out).expect("a report");
    String::from_utf8(out).expect("a page is UTF-8")
}

/// The blocks of data in a page, by their ids.
fn blocks(page: &str) -> BTreeMap<String, Value> {
    page.split("<script type=\"application/json\" id=\"")
        .skip(1)
        .map(|rest| {
            let (id, rest) = rest.split_once("\">").expect("an id ends");
            let (text, _) = rest.split_once("</script>").expect("a block ends");
            (id.to_owned(), serde_json::from_str(text).expect("a block is JSON"))
        })
        .collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
}

/// What the page's script does with steps, done here.
#[derive(Default)]
struct Position {
    pieces: BTreeMap<i64, Vec<Value>>,
    marks: BTreeSet<(i64, String)>,
    last: BTreeSet<i64>,
    notes: BTreeMap<i64, Value>,
    geometry: usize,
}

impl Position {
    fn apply(&mut self, step: &Value, album: &Value) {
        let pieces = numbers(&step[0]);
        for pair in pieces.chunks(2) {
            let (spot, look) = (pair[0], pair[1]);
            let thing = || album["looks"][look.unsigned_abs() as usize - 1].clone();
            match look {
                0 => drop(self.pieces.remove(&spot)),
                1.. => drop(self.pieces.insert(spot, vec![thing()])),
                _ => self.pieces.entry(spot).or_default().push(thing()),
            }
        }
        for pair in numbers(&step[1]).chunks(2) {
            let mark = (pair[0], album["marks"][pair[1] as usize].as_str().unwrap_or_default().to_owned());
            if !self.marks.remove(&mark) {
                self.marks.insert(mark);
            }
        }
        self.last = match &step[2] {
            Value::Array(_) => numbers(&step[2]).into_iter().collect(),
            _ => pieces.chunks(2).map(|pair| pair[0]).collect(),
        };
        for pair in step[3].as_array().map_or(&[][..], Vec::as_slice).chunks(2) {
            let note = pair[0].as_i64().expect("a note has a number");
            match &pair[1] {
                Value::Null => drop(self.notes.remove(&note)),
                value => drop(self.notes.insert(note, value.clone())),
            }
        }
        if let Some(geometry) = step[4].as_u64() {
            self.geometry = geometry as usize;
        }
    }
}

/// As it comes out of a page: numbers lose their last digit on the way.
fn read_again(value: &Value) -> Value {
    serde_json::from_str(&value.to_string()).expect("what was written")
}

/// Applies a game's steps and compares the board after each with the game's own view.
fn check_boards(record: &Record, game: &Value, album: &Value) {
    let steps = game["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), record.plies.len() + 1, "{}", game["problem"]);
    let mut table = record.open().expect("a table");
    let mut position = Position::default();
    for (ply, step) in steps.iter().enumerate() {
        if ply > 0 {
            record.replay_ply(table.as_mut(), ply - 1).expect("a legal ply");
        }
        position.apply(step, album);
        let view = table.view(Eyes::All);
        let mut pieces: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for piece in &view.scene.pieces {
            let mut look = serde_json::to_value(piece).expect("plain data");
            look.as_object_mut().expect("an object").remove("spot");
            pieces.entry(i64::from(piece.spot)).or_default().push(look);
        }
        let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
        let marks: BTreeSet<(i64, String)> =
            view.scene.marks.iter().map(|mark| (i64::from(mark.spot), word(json!(mark.kind)))).collect();
        let last: BTreeSet<i64> = view.last.iter().map(|spot| i64::from(*spot)).collect();
        let notes: BTreeMap<String, String> =
            view.notes.iter().map(|note| (note.label.en.to_owned(), note.value.clone())).collect();
        let shown: BTreeMap<String, String> = position
            .notes
            .iter()
            .map(|(note, value)| {
                (
                    word(album["notes"][*note as usize]["en"].clone()),
                    value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                )
            })
            .collect();
        assert_eq!(position.pieces, pieces, "{} pieces after {ply}", record.game);
        assert_eq!(position.marks, marks, "{} marks after {ply}", record.game);
        assert_eq!(position.last, last, "{} last after {ply}", record.game);
        assert_eq!(shown, notes, "{} notes after {ply}", record.game);
        let mut boards = [album["geometries"][position.geometry].clone(), read_again(&json!(view.scene.geometry))];
        for board in &mut boards {
            board["spots"].as_array_mut().expect("spots").retain(|spot| spot["kind"] != "button");
        }
        assert_eq!(boards[0], boards[1], "{} board after {ply}", record.game);
    }
}

/// The record of a game, as the page's script puts it together.
fn whole_record(game: &Value, album: &Value) -> Record {
    let mut fields: Map<String, Value> = album["base"].as_object().expect("a base").clone();
    fields.extend(game["record"].as_object().expect("fields").clone());
    for missing in game["missing"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        fields.remove(missing);
    }
    let player = |index: usize| album["players"][game["players"][index].as_u64().expect("a player") as usize].clone();
    fields.insert("seats".to_owned(), json!({ "black": player(0), "white": player(1) }));
    let letter = |key: &str, index: usize| game[key].as_str().and_then(|text| text.chars().nth(index));
    let plies: Vec<Value> = game["plies"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(index, ply)| {
            let mover = if letter("movers", index) == Some('b') { "black" } else { "white" };
            let end = match letter("ends", index) {
                Some('r') => "refused",
                Some('l') => "lost",
                _ => "played",
            };
            json!({ "mover": mover, "ply": ply, "end": end, "ms": game["ms"][index] })
        })
        .collect();
    fields.insert("plies".to_owned(), json!(plies));
    serde_json::from_value(Value::Object(fields)).expect("a record")
}

#[rstest]
#[case("amazons")]
#[case("connect6")]
#[case("nogo")]
#[case("dots")]
#[case("phantom-go")]
#[case("surakarta")]
#[case("gomoku")]
#[case("junqi")]
#[case("tiaojia")]
fn boards_applied_ply_by_ply_are_the_rules_own(#[case] game: &str) {
    let listing = games::find(game).unwrap();
    let mut variants = vec![Value::Null];
    for sample in listing.facts().samples {
        variants.push(games::read_pairs(sample.iter().copied()).unwrap());
    }
    for (index, variant) in variants.iter().enumerate() {
        let records: Vec<Record> =
            (0..3).map(|seed| random_game(game, variant, seed + 10 * index as u64, 250)).collect();
        let blocks = blocks(&page(game, ["a", "b", "c"], records.clone(), USUAL_REPLAYS));
        let album = &blocks["facts"]["album"];
        for (number, record) in records.iter().enumerate() {
            let block = &blocks[&format!("game-{number}")];
            check_boards(record, block, album);
            let whole = whole_record(block, album);
            assert_eq!(
                (&whole.plies, &whole.verdict, &whole.variant),
                (&record.plies, &record.verdict, &record.variant)
            );
        }
    }
}

#[test]
fn every_registered_game_is_tested_above() {
    let ids: Vec<&str> = games::GAMES.iter().map(|game| game.facts().id).collect();
    assert_eq!(ids, ["amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "gomoku", "junqi", "tiaojia"]);
}

#[test]
fn refused_tries_are_in_the_replay() {
    let record = random_game("phantom-go", &Value::Null, 3, 120);
    assert!(record.plies.iter().any(|ply| ply.end == records::PlyEnd::Refused), "no try was refused");
    let blocks = blocks(&page("phantom-go", ["a", "b", "c"], [record], 10));
    assert!(blocks["game-0"]["ends"].as_str().unwrap().contains('r'));
}

#[test]
fn the_page_has_every_game_and_the_figures() {
    let records: Vec<Record> = (0..12).map(|seed| random_game("nogo", &Value::Null, seed, 200)).collect();
    let page = page("nogo", ["a", "b", "c"], records.clone(), USUAL_REPLAYS);
    let blocks = blocks(&page);
    let facts = &blocks["facts"];
    assert_eq!((blocks.len(), facts["games"].as_array().unwrap().len()), (13, 12));
    assert_eq!(facts["complete"], json!(true));
    assert_eq!(facts["language"], "zh");
    // Everybody's results from both sides, each game twice.
    let cross = facts["cross"].as_array().unwrap();
    let total: i64 = cross.iter().flat_map(|row| row.as_array().unwrap()).flat_map(numbers).sum();
    assert_eq!(total, 24);
    for (row, line) in
        facts["table"].as_array().unwrap().iter().map(|row| (row, &cross[row["entrant"].as_u64().unwrap() as usize]))
    {
        let column =
            |index: usize| line.as_array().unwrap().iter().map(|cell| cell[index].as_i64().unwrap()).sum::<i64>();
        assert_eq!(
            [&row["losses"], &row["draws"], &row["wins"]],
            [&json!(column(0)), &json!(column(1)), &json!(column(2))]
        );
        assert!(row["elo"]["value"].is_number());
    }
    // A ply each: who thought how often.
    let plies: i64 = facts["times"].as_array().unwrap().iter().map(|times| times["plies"].as_i64().unwrap()).sum();
    assert_eq!(plies, records.iter().map(|record| record.plies.len() as i64).sum::<i64>());
    for times in facts["times"].as_array().unwrap() {
        assert_eq!(numbers(&times["bins"]).iter().sum::<i64>(), times["plies"].as_i64().unwrap());
    }
    let losses: u64 = facts["losses"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|own| own.as_object().unwrap().values())
        .map(|count| count.as_u64().unwrap())
        .sum();
    let won = records.iter().filter(|record| record.verdict.as_ref().unwrap().winner.is_some()).count();
    assert_eq!(losses, won as u64);
    // Each reason has its words.
    for reason in facts["reasons"].as_array().unwrap() {
        assert_ne!(reason["text"]["zh"], reason["code"], "{reason}");
    }
}

#[test]
fn more_games_than_wanted_are_listed_without_their_boards() {
    let records = (0..6).map(|seed| random_game("nogo", &Value::Null, seed, 200));
    let blocks = blocks(&page("nogo", ["a", "b", "c"], records, 2));
    let shown = |row: &Value| row[9] == 1;
    let games = blocks["facts"]["games"].as_array().unwrap();
    assert_eq!((games.len(), games.iter().filter(|row| shown(row)).count(), blocks.len()), (6, 2, 3));
    assert_eq!(blocks["facts"]["complete"], json!(false));
}

#[test]
fn a_record_that_breaks_the_rules_makes_no_report() {
    let mut record = random_game("nogo", &Value::Null, 1, 20);
    record.plies[5].ply = "nonsense".to_owned();
    let folder = tempfile::tempdir().unwrap();
    Journal::open(folder.path(), |_| {}).unwrap().add(&[Finished { number: 0, black: 0, white: 1, record }]).unwrap();
    let choices = Choices { language: Language::Zh, replays: 1, reasons: &[] };
    let error = report::write(folder.path(), Subject::of_match(folder.path()).unwrap(), choices, &mut Vec::new());
    let said = error.unwrap_err().to_string();
    assert!(said.contains("line 1: the record is wrong: ply 6 (nonsense)"), "{said}");
}

#[test]
fn a_match_is_told_by_its_journal_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), |_| {}).unwrap();
    let empty = Subject::of_match(folder.path());
    assert!(matches!(empty, Err(report::ReportError::NoGame)));
    for number in 0..6 {
        let (black, white) = if number % 2 == 0 { (0, 1) } else { (1, 0) };
        // A game without a result counts for nobody.
        let mut record = random_game("tiaojia", &Value::Null, number, if number == 5 { 3 } else { 300 });
        if number == 5 {
            let verdict = record.verdict.as_mut().unwrap();
            (verdict.winner, verdict.counts, verdict.reason) = (None, false, "stopped".to_owned());
        }
        record.seats.black.name = ["one", "two"][black].to_owned();
        record.seats.white.name = ["one", "two"][white].to_owned();
        journal.add(&[Finished { number, black, white, record }]).unwrap();
    }
    let mut out = Vec::new();
    let choices = Choices { language: Language::En, replays: 10, reasons: &[] };
    let written = report::write(folder.path(), Subject::of_match(folder.path()).unwrap(), choices, &mut out).unwrap();
    assert_eq!((written.games, written.replays), (6, 6));
    let page = String::from_utf8(out).unwrap();
    let facts = &blocks(&page)["facts"];
    assert!(page.contains("<title>one – two</title>"));
    assert_eq!((facts["isMatch"].clone(), facts["names"].clone()), (json!(true), json!(["one", "two"])));
    assert_eq!((facts["match"]["void"].clone(), numbers(&facts["match"]["pairs"]).iter().sum::<i64>()), (json!(1), 2));
    assert_eq!(numbers(&facts["match"]["results"]).iter().sum::<i64>(), 5);
    assert_eq!(facts["table"][0]["games"], 5);
}

/// The script, the style and the policy of a page.
fn parts(page: &str) -> (&str, &str, &str) {
    let between =
        |from: &str, to: &str| page.split_once(from).and_then(|(_, rest)| rest.split_once(to)).expect("a part").0;
    (
        between("<script>", "</script>"),
        between("<style>", "</style>"),
        between("Content-Security-Policy\" content=\"", "\""),
    )
}

#[test]
fn the_policy_names_the_script_and_the_style_that_are_there() {
    use base64::Engine as _;
    use sha2::Digest as _;
    let page = page("nogo", ["a", "b", "c"], [], 10);
    let (script, style, policy) = parts(&page);
    for (text, rule) in [(script, "script-src"), (style, "style-src")] {
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
        assert!(policy.contains(&format!("{rule} 'sha256-{hash}';")), "{rule}: {policy}");
    }
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
    // Attributes that would need another rule.
    assert!(!page.contains(" style=\"") && !page.contains(" onclick") && !page.contains("src=\"http"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn names_stay_texts(name in "[<>&\"'/!a-z\u{2028}博 -]{0,30}") {
        let hostile = format!("</script><b>{name}<!--");
        let mut record = random_game("nogo", &Value::Null, 5, 8);
        record.event = Some(hostile.clone());
        let names = [hostile.as_str(); 3];
        let page = page("nogo", names, [record], 10);
        // One end for each beginning, and the name reads as it was given.
        prop_assert_eq!(page.matches("<script").count(), page.matches("</script").count());
        prop_assert_eq!(page.matches("<script").count(), 3);
        prop_assert!(!page.contains("<b>") && !page.contains("<!--"));
        let blocks = blocks(&page);
        prop_assert_eq!(blocks["facts"]["names"][0].as_str(), Some(hostile.as_str()));
        let whole = whole_record(&blocks["game-0"], &blocks["facts"]["album"]);
        prop_assert_eq!(&whole.seats.of(Side::White).name, &hostile);
    }
}
