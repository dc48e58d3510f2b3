//! What the facts of a game promise is true, and is said in both languages.

use std::collections::HashSet;

use games::{Eyes, GAMES, Phrase, Reason, Side, reasons};
use serde_json::Value;

fn is_chinese(text: &str) -> bool {
    text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

fn check(game: &str, phrase: &Phrase) {
    assert!(!phrase.en.trim().is_empty() && !phrase.zh.trim().is_empty(), "{game}: {phrase:?}");
    if phrase.en != phrase.zh {
        assert!(is_chinese(phrase.zh), "{game}: {} is not Chinese", phrase.zh);
        assert!(!is_chinese(phrase.en), "{game}: {} is not English", phrase.en);
        let holes = |text: &str| text.matches("{}").count();
        assert_eq!(holes(phrase.en), holes(phrase.zh), "{game}: {phrase:?}");
    }
}

#[test]
fn every_text_is_there_in_both_languages() {
    for game in GAMES {
        let facts = game.facts();
        let id = facts.id;
        for phrase in [&facts.name, &facts.board, &facts.summary, &facts.notation, &facts.position] {
            check(id, phrase);
        }
        assert!(is_chinese(facts.name.zh) && is_chinese(facts.summary.zh), "{id}");
        facts.sides.iter().for_each(|side| check(id, side));
        facts.options.iter().for_each(|option| check(id, &option.text));
        assert!(!facts.prompts.is_empty(), "{id} does not say what to click");
        facts.prompts.iter().chain(facts.ranks).for_each(|phrase| check(id, phrase));
        let all: Vec<&&Reason> = facts.reasons.iter().chain(reasons::SHARED).collect();
        all.iter().for_each(|reason| check(id, &reason.text));
        let codes: HashSet<&str> = all.iter().map(|reason| reason.code).collect();
        assert_eq!(codes.len(), all.len(), "{id} uses a code twice");
        let table = game.open(&Value::Null, Some(facts.example)).unwrap();
        for eyes in [Eyes::All, Eyes::Seat(Side::Black), Eyes::Seat(Side::White)] {
            let view = table.view(eyes);
            view.notes.iter().for_each(|note| check(id, &note.label));
            view.scene.pieces.iter().filter_map(|piece| piece.label.as_ref()).for_each(|label| check(id, label));
            view.scene.geometry.spots.iter().filter_map(|spot| spot.label.as_ref()).for_each(|label| check(id, label));
        }
    }
}

#[test]
fn every_option_is_described_and_every_description_is_of_an_option() {
    for game in GAMES {
        let defaults = game.defaults();
        let fields: HashSet<&str> =
            defaults.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default();
        let described: HashSet<&str> = game.facts().options.iter().map(|option| option.key).collect();
        assert_eq!(fields, described, "{}", game.facts().id);
    }
}

#[test]
fn the_example_is_from_the_middle_of_a_game() {
    for game in GAMES {
        let table = game.open(&Value::Null, Some(game.facts().example)).unwrap();
        assert_eq!(table.position(Eyes::All), game.facts().example, "{}", game.facts().id);
        assert!(table.verdict().is_none() && table.plies() > 0 && table.count_legal() > 0, "{}", game.facts().id);
    }
}

#[test]
fn ids_are_fit_for_programs() {
    let ids: HashSet<&str> = GAMES.iter().map(|game| game.facts().id).collect();
    assert_eq!(ids.len(), GAMES.len());
    assert!(
        ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'))
    );
}
