//! Every game there and back through every format that has a form for it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod common;

use common::random_game;
use games::{GAMES, Side};
use records::{Choices, Converted, Format, PlyEnd, Record, Rows, WriteError};

const SEEDS: std::ops::Range<u64> = 0..12;

fn there_and_back(record: &Record, format: Format, choices: &Choices) -> (Record, Converted) {
    let converted = records::write(record, format, choices).unwrap();
    let opened = records::read(&converted.bytes, "", choices)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&converted.bytes)));
    assert_eq!(opened.format, format);
    assert_eq!(opened.remarks, []);
    opened.record.replay().unwrap();
    (opened.record, converted)
}

/// What a text without room for reasons keeps of one.
fn without_referee_reason(mut record: Record) -> Record {
    if let Some(verdict) = record.verdict.as_mut().filter(|verdict| verdict.reason == "resigned") {
        verdict.reason = "reported".to_owned();
    }
    record
}

#[test]
fn own_format_keeps_everything() {
    for game in GAMES {
        let facts = game.facts();
        for (seed, pairs) in (0..).zip([&[][..]].iter().chain(facts.samples)) {
            let record = random_game(facts.id, pairs, None, seed, 400);
            let (back, converted) = there_and_back(&record, Format::Json, &Choices::default());
            assert_eq!(back, record);
            assert_eq!(converted.lost, []);
        }
        let example = random_game(facts.id, &[], Some(facts.example), 1, 30);
        assert_eq!(there_and_back(&example, Format::Json, &Choices::default()).0, example);
    }
}

#[test]
fn sgf_keeps_the_game() {
    let games: [(&str, &[&str]); 12] = [
        ("gomoku", &[]),
        ("gomoku", &["rule=renju"]),
        ("gomoku", &["size=9", "rule=exact+caro"]),
        ("gomoku", &["width=7", "height=5", "rule=continuous"]),
        ("connect6", &[]),
        ("connect6", &["size=9", "first=2", "line=5"]),
        ("nogo", &[]),
        ("nogo", &["size=5"]),
        ("phantom-go", &[]),
        ("phantom-go", &["komi=6.5", "ko=simple", "tie=draw", "max_plies=60"]),
        ("amazons", &[]),
        ("gomoku", &["rule=exact"]),
    ];
    for (game, pairs) in games {
        for seed in SEEDS {
            let mut record = random_game(game, pairs, None, seed, if seed % 3 == 0 { 17 } else { 1000 });
            let (back, converted) = there_and_back(&record, Format::Sgf, &Choices::default());
            assert_eq!(converted.lost.iter().map(|lost| lost.en.as_str()).collect::<Vec<_>>(), ["the time of day"]);
            record.date = Some("2017-07-29".to_owned());
            assert_eq!(back, record);
        }
    }
}

#[test]
fn sgf_keeps_the_start() {
    for game in ["amazons", "connect6", "nogo", "phantom-go", "gomoku"] {
        let example = games::find(game).unwrap().facts().example;
        let record = random_game(game, &[], Some(example), 3, 20);
        let Ok(converted) = records::write(&record, Format::Sgf, &Choices::default()) else {
            assert_eq!(game, "phantom-go", "only a ko is more than stones and turn");
            continue;
        };
        let back = records::read(&converted.bytes, "", &Choices::default()).unwrap().record;
        back.replay().unwrap();
        assert_eq!(back.plies, record.plies, "{game}");
    }
}

#[test]
fn psq_keeps_stones_and_times() {
    for (pairs, seeds) in
        [(&[][..], 8), (&["rule=renju"], 8), (&["width=7", "height=6", "rule=1"], 8), (&["rule=9"], 4)]
    {
        for seed in 0..seeds {
            let mut record = random_game("gomoku", pairs, None, seed, if seed % 2 == 0 { 20 } else { 500 });
            (record.event, record.place, record.date) = (None, None, None);
            for (index, ply) in record.plies.iter_mut().enumerate() {
                ply.ms = Some(index as u64 * 7);
            }
            let (back, _) = there_and_back(&record, Format::Psq, &Choices::default());
            assert_eq!(back, without_referee_reason(record));
        }
    }
    let opening = random_game("gomoku", &[], Some("7,7 8,8 9,9"), 5, 10);
    let (back, converted) = there_and_back(&opening, Format::Psq, &Choices::default());
    assert_eq!(back.plies.len(), 13);
    assert!(converted.lost.iter().any(|lost| lost.en.contains("order")));
}

#[test]
fn swap2_becomes_stones_of_their_colours() {
    for seed in 0..40 {
        let record = random_game("gomoku", &["size=8", "opening=swap2"], None, seed, 200);
        for format in [Format::Sgf, Format::Psq] {
            let (back, converted) = there_and_back(&record, format, &Choices::default());
            assert!(converted.lost.iter().any(|lost| lost.en.contains("swap2")));
            let winner = |record: &Record| {
                let winner = record.verdict.as_ref().unwrap().winner;
                winner.map(|side| record.seats.of(side).name.clone())
            };
            assert_eq!(winner(&back), winner(&record));
            let stones = |record: &Record| {
                record.replay().unwrap().position(games::Eyes::All).split(' ').next().unwrap().to_owned()
            };
            assert_eq!(stones(&back), stones(&record));
        }
    }
}

#[test]
fn championship_texts_keep_the_game() {
    for game in ["connect6", "amazons", "nogo", "phantom-go", "dots"] {
        for rows in [Rows::FromBottom, Rows::FromTop] {
            for seed in SEEDS {
                let record = random_game(game, &[], None, seed, if seed % 3 == 0 { 13 } else { 1000 });
                let choices = Choices { rows, ..Choices::default() };
                let (back, converted) = there_and_back(&record, Format::Ccgc, &choices);
                assert!(std::str::from_utf8(&converted.bytes).is_err(), "GB18030 on the disk");
                let lost: Vec<&str> = converted.lost.iter().map(|lost| lost.en.as_str()).collect();
                let resigned = record.verdict.as_ref().unwrap().reason == "resigned";
                assert_eq!(lost, if resigned { vec!["why the referee ended the game"] } else { vec![] });
                assert_eq!(back, without_referee_reason(record));
                let (text, _, _) = encoding_rs::GB18030.decode(&converted.bytes);
                assert_eq!(records::read(text.as_bytes(), "", &choices).unwrap().record, back, "UTF-8 is read too");
            }
        }
    }
}

#[test]
fn refused_tries_are_left_out_and_that_is_said() {
    let mut record = random_game("phantom-go", &[], None, 1, 3);
    let taken = record.plies[0].ply.clone();
    record.plies[1].end = PlyEnd::Played;
    record.plies.insert(
        1,
        records::RecordedPly { mover: Side::White, ply: taken, end: PlyEnd::Refused, ms: Some(5), stall_ms: None },
    );
    record.replay().unwrap();
    for format in [Format::Sgf, Format::Ccgc] {
        let (back, converted) = there_and_back(&record, format, &Choices::default());
        assert_eq!(back.plies.len(), 3);
        assert!(converted.lost.iter().any(|lost| lost.zh.contains("拒绝")));
        assert!(converted.lost.iter().any(|lost| lost.zh.contains("用时")));
    }
}

#[test]
fn what_has_no_form_is_refused_with_a_reason() {
    let choices = Choices::default();
    for game in ["surakarta", "junqi", "tiaojia"] {
        let record = random_game(game, &[], None, 1, 10);
        for format in [Format::Sgf, Format::Psq, Format::Ccgc] {
            let error = records::write(&record, format, &choices).unwrap_err();
            assert!(matches!(error, WriteError::NoForm { .. }) && !error.to_string().is_empty());
        }
        assert_eq!(records::file_name(&record), None);
    }
    let small = random_game("nogo", &["size=5"], None, 1, 10);
    assert!(matches!(records::write(&small, Format::Ccgc, &choices), Err(WriteError::Board { .. })));
    let study = random_game("amazons", &[], Some(games::find("amazons").unwrap().facts().example), 1, 4);
    assert!(matches!(records::write(&study, Format::Ccgc, &choices), Err(WriteError::Start { .. })));
}

#[test]
fn the_file_name_is_the_championships_and_safe() {
    let mut record = random_game("connect6", &[], None, 1, 9);
    record.seats.black.name = "../../重/邮\n队".to_owned();
    let winner = if record.verdict.as_ref().unwrap().winner == Some(Side::Black) { "先手胜" } else { "后手胜" };
    let name = records::file_name(&record).unwrap();
    assert_eq!(name, format!("C6-.._.._重_邮 队B vs 鲸鱼 2队W-{winner}-2017.07.29 14.00 重庆-2017 CCGC.txt"));
    record.event = Some("很".repeat(400));
    record.place = Some("长 ".repeat(400));
    assert!(records::file_name(&record).unwrap().len() <= 255);
}

#[test]
fn formats_of_a_game_are_those_it_can_be_written_in() {
    let names = |game: &str| {
        let formats = Format::of_game(games::find(game).unwrap());
        formats.into_iter().map(Format::name).collect::<Vec<_>>().join(" ")
    };
    let found: Vec<(&str, String)> = GAMES.iter().map(|game| (game.facts().id, names(game.facts().id))).collect();
    let of = |game: &str| found.iter().find(|(id, _)| *id == game).map(|(_, formats)| formats.as_str());
    assert_eq!(of("gomoku"), Some("json sgf psq"));
    assert_eq!(of("amazons"), Some("json sgf ccgc"));
    assert_eq!(of("dots"), Some("json ccgc"));
    assert_eq!(of("junqi"), Some("json"));
    assert!(found.iter().all(|(_, formats)| formats.starts_with("json")), "{found:?}");
}
