//! Any text as ply, position, option or name is an answer or a typed error, never a panic.

use games::{Eyes, GAMES, Language, Side};
use proptest::prelude::*;
use serde_json::Value;

/// Texts that are nearly right are more dangerous than noise: a mutation of something valid.
fn mangled(valid: &str, cut: usize, insert: &str) -> String {
    let letters: Vec<char> = valid.chars().collect();
    let cut = cut % (letters.len() + 1);
    let skip = cut + usize::from(cut < letters.len() && insert.len().is_multiple_of(2));
    letters[..cut].iter().copied().chain(insert.chars()).chain(letters[skip..].iter().copied()).collect()
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[A-Za-z@0-9, +-]{0,12}",
        "[bwx0-9/. -]{0,60}( [bw])?( [0-9]{0,12}){0,3}",
        proptest::collection::vec(any::<char>(), 1000..3000).prop_map(|letters| letters.into_iter().collect()),
        Just(String::new()),
        Just("九".repeat(5000)),
        Just("9".repeat(5000)),
        Just("/".repeat(5000)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_ply_is_played_or_refused(text in any_text(), cut in any::<usize>(), insert in "\\PC{0,3}") {
        for game in GAMES {
            let mut table = game.open(&Value::Null, Some(game.facts().example)).unwrap();
            for eyes in [Eyes::All, Eyes::Seat(Side::White)] {
                let before = table.position(Eyes::All);
                let near = table.list_plies(eyes, 1).list.pop().map(|ply| mangled(&ply, cut, &insert));
                for ply in [Some(text.clone()), near].into_iter().flatten() {
                    match table.play(&ply, eyes) {
                        Ok(_) => prop_assert!(table.undo()),
                        Err(fault) => prop_assert!(!fault.say(Language::Zh).is_empty() && !fault.to_string().is_empty()),
                    }
                    prop_assert_eq!(&table.position(Eyes::All), &before);
                }
            }
        }
    }

    #[test]
    fn any_position_is_opened_or_refused(text in any_text(), cut in any::<usize>(), insert in "\\PC{0,3}") {
        for game in GAMES {
            for position in [text.clone(), mangled(game.facts().example, cut, &insert)] {
                match game.open(&Value::Null, Some(&position)) {
                    // What is taken must be playable and must have one text.
                    Ok(table) => {
                        let text = table.position(Eyes::All);
                        let again = game.open(&Value::Null, Some(&text)).unwrap();
                        prop_assert_eq!(again.position(Eyes::All), text);
                        let _ = (table.view(Eyes::All), table.observe(Side::White));
                        for ply in table.list_plies(Eyes::All, 50).list {
                            let mut fork = table.fork();
                            prop_assert!(fork.play(&ply, Eyes::All).is_ok());
                        }
                    }
                    Err(error) => prop_assert!(!error.say(Language::Zh).is_empty() && !error.to_string().is_empty()),
                }
            }
        }
    }

}

proptest! {
    // Opening a game is the costly part here, and options are few.
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_option_is_taken_or_refused(key in any_text(), value in any_text(), number in any::<i64>(), which in any::<usize>()) {
        for game in GAMES {
            let options = game.facts().options;
            let mut pairs = vec![format!("{key}={value}"), value.clone()];
            if !options.is_empty() {
                let option = options[which % options.len()].key;
                pairs.extend([format!("{option}={value}"), format!("{option}={number}"), format!("{option}=null")]);
                pairs.push(format!("{option}={}", number % 32));
            }
            for pair in pairs {
                let Ok(variant) = games::read_pairs([pair.as_str()]) else { continue };
                match game.open(&variant, None) {
                    Ok(table) => { let _ = (table.view(Eyes::All), table.list_plies(Eyes::All, 10)); }
                    Err(error) => prop_assert!(!error.say(Language::Zh).is_empty() && !error.to_string().is_empty()),
                }
            }
        }
    }

    #[test]
    fn any_name_is_found_or_refused(name in any_text()) {
        if let Err(error) = games::find(&name) {
            prop_assert!(!error.say(Language::Zh).is_empty() && error.to_string().len() < 400);
        }
    }
}

#[test]
fn names_are_found_in_both_languages_and_slips_are_understood() {
    for game in GAMES {
        let facts = game.facts();
        for name in [facts.id, facts.name.en, facts.name.zh, &facts.id.to_uppercase()] {
            assert_eq!(games::find(name).unwrap().facts().id, facts.id, "{name}");
        }
        let slip: String = facts.id.chars().take(facts.id.chars().count() - 1).collect();
        if let Err(error) = games::find(&slip) {
            assert_eq!(error.meant, Some(facts.id), "{slip}");
        }
    }
}
