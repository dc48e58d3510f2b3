//! What the facts of a game promise is true, and is said in both languages.

use std::collections::HashSet;

use games::{Control, Eyes, GAMES, Listing, Phrase, Reason, Side, reasons};
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
        for option in facts.options {
            check(id, &option.text);
            check(id, &option.name);
            match option.control {
                Control::Number { zero, .. } => zero.iter().for_each(|zero| check(id, zero)),
                Control::Choice { values } => values.iter().for_each(|value| check(id, &value.name)),
                Control::Text => {}
            }
        }
        facts.presets.iter().for_each(|preset| check(id, &preset.name));
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

/// The options in full that these pairs ask for, or what is said against them.
fn variant_of(game: &dyn Listing, pairs: &[&str]) -> Result<Value, String> {
    let variant = games::read_pairs(pairs.iter().copied()).map_err(|error| error.to_string())?;
    Ok(game.open(&variant, None).map_err(|error| error.to_string())?.variant())
}

#[test]
fn every_preset_can_be_played_and_is_another_variant() {
    for game in GAMES {
        let facts = game.facts();
        assert!(facts.options.is_empty() || !facts.presets.is_empty(), "{} has options and no presets", facts.id);
        let mut seen: Vec<Value> = Vec::new();
        for preset in facts.presets {
            let variant = variant_of(*game, preset.pairs).unwrap_or_else(|error| panic!("{}: {error}", preset.id));
            assert!(!seen.contains(&variant), "{} {}: a variant with two names", facts.id, preset.id);
            seen.push(variant);
        }
        let ids: HashSet<&str> = facts.presets.iter().map(|preset| preset.id).collect();
        assert_eq!(ids.len(), facts.presets.len(), "{}", facts.id);
    }
    let gomoku = games::find("gomoku").unwrap();
    let usual = variant_of(gomoku, gomoku.facts().presets[0].pairs).unwrap();
    assert_eq!((&usual["size"], &usual["rule"]), (&Value::from(15), &Value::from(0)), "what people play");
    assert_eq!(gomoku.defaults()["size"], 0, "what programs get who say nothing");
}

#[test]
fn every_control_offers_what_the_game_takes_and_nothing_else() {
    for game in GAMES {
        let defaults = game.defaults();
        for option in game.facts().options {
            let named = format!("{} {}", game.facts().id, option.key);
            let set = |value: &str| variant_of(*game, &[&format!("{}={value}", option.key)]);
            match option.control {
                Control::Number { least, most, step, zero } => {
                    for value in [least, most, least + step] {
                        let taken = set(&value.to_string());
                        assert_eq!(taken.unwrap()[option.key].as_f64(), Some(value), "{named}");
                    }
                    assert!(set(&(most + step).to_string()).is_err(), "{named}: more than the most is taken");
                    assert!(least - step == 0.0 || set(&(least - step).to_string()).is_err(), "{named}");
                    assert_eq!(zero.is_some() || least <= 0.0, set("0").is_ok(), "{named}: 0");
                    let usual = defaults[option.key].as_f64().unwrap();
                    assert!((least..=most).contains(&usual) || usual == 0.0 && zero.is_some(), "{named}: {usual}");
                }
                Control::Choice { values } => {
                    let taken: Vec<Value> =
                        values.iter().map(|value| set(value.value).unwrap()[option.key].clone()).collect();
                    assert!(taken.contains(&defaults[option.key]), "{named}: the default is not among {taken:?}");
                    for (value, taken) in values.iter().zip(taken) {
                        // Pages compare what they were told with what they offer.
                        let text = taken.as_str().map_or_else(|| taken.to_string(), str::to_owned);
                        assert_eq!(text, value.value, "{named}");
                    }
                }
                Control::Text => assert!(defaults[option.key].is_array(), "{named}"),
            }
        }
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
