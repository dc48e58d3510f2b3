//! No bytes make a reader panic, and whatever is read can be replayed, shown and written without a panic.

mod common;

use std::sync::LazyLock;

use common::random_game;
use games::Language;
use proptest::prelude::*;
use records::{Choices, Format, Rows};

/// Valid files of every format, to be spoilt.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for game in games::GAMES {
        for most in [3, 30] {
            let record = random_game(game.facts().id, &[], None, most as u64, most);
            let written =
                Format::ALL.iter().filter_map(|format| records::write(&record, *format, &Choices::default()).ok());
            files.extend(written.map(|converted| converted.bytes));
        }
    }
    let swap2 = random_game("gomoku", &["size=8", "opening=swap2"], None, 2, 12);
    files.push(swap2.to_json());
    files.push(b"{{C6}[a][b];B(J,10);W(I,11);W[K,9]}".to_vec());
    files.push(b"(;GM[1]SZ[9]RU[Phantom Go ko=simple]KM[0.5]AB[aa:cc]PL[W];W[ee](;B[])(;B[tt]))".to_vec());
    files
});

fn look_at(bytes: &[u8]) {
    let all = games::GAMES.iter().map(|game| Some(*game)).chain([None]);
    for game in all {
        for (name, rows) in [("", Rows::FromBottom), ("x.sgf", Rows::FromTop), ("x.psq", Rows::FromTop)] {
            let mut games = 0;
            records::read_each(bytes, name, &Choices { game, rows }, |_| games += 1);
            assert!(games > 0, "a file without a game is an error, and that is told");
            match records::read(bytes, name, &Choices { game, rows }) {
                Ok(opened) => {
                    let problem = opened.record.replay().err();
                    if let Some(problem) = problem {
                        assert!(!problem.say(Language::Zh).is_empty() && !problem.to_string().is_empty());
                    }
                    for format in Format::ALL {
                        if let Err(error) = records::write(&opened.record, format, &Choices { game, rows }) {
                            assert!(!error.say(Language::Zh).is_empty() && !error.to_string().is_empty());
                        }
                    }
                    let _ = records::file_name(&opened.record);
                }
                Err(error) => assert!(!error.say(Language::Zh).is_empty() && !error.to_string().is_empty()),
            }
            // Only SGF and odd names leave anything open.
            if game.is_some() && Format::detect(bytes, name) != Some(Format::Sgf) {
                break;
            }
        }
    }
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..4),
        "[\\[\\]{}();:,A-Za-z0-9\\\\\n]{0,6}".prop_map(String::into_bytes),
        "\\PC{0,3}".prop_map(String::into_bytes),
        Just(b"[".to_vec()),
        Just(b"99999999999999999999".to_vec()),
        Just(b"-1".to_vec()),
        Just(b"null".to_vec()),
        Just("队［".as_bytes().to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), head in 0..10_usize) {
        let heads: [&[u8]; 10] =
            [b"", b"(;", b"{", b"{[C6]", b"#[AM][a][b];", b"([NG];", b"([PG];", b"Piskvorky ", b"Piskvorky 15x15, 0:0, 0\n", b"(;GM[4]"];
        look_at(&[heads[head], &bytes[..]].concat());
    }

    #[test]
    fn spoilt_files_are_read_or_refused(
        file in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..8_usize, piece()), 1..4),
    ) {
        let mut bytes = FILES[file.index(FILES.len())].clone();
        for (place, removed, inserted) in edits {
            let start = place.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, inserted);
        }
        look_at(&bytes);
    }

    #[test]
    fn shortened_files_are_read_or_refused(file in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>()) {
        let bytes = &FILES[file.index(FILES.len())];
        look_at(&bytes[..cut.index(bytes.len() + 1)]);
    }
}

#[test]
fn depth_and_size_do_no_harm() {
    for text in [
        "(".repeat(100_000),
        "(;".repeat(50_000),
        format!("{}{}", "(;B[aa]".repeat(20_000), ")".repeat(20_000)),
        format!("(;GM[4]SZ[15]{};B[aa])", "AB[aa:oo]".repeat(1000)),
        "[".repeat(100_000),
        format!("{{\"format\":{}", "[".repeat(100_000)),
        format!("(;C[{}", "\\".repeat(100_001)),
        format!("{{[C6]{}", "[a]".repeat(30_000)),
        format!("Piskvorky 99999x99999, 0:0, 0\n{}", "1,1,1\n".repeat(10_000)),
        "(;GM[4]SZ[4000000000];B[aa])".to_owned(),
    ] {
        for game in [None, games::find("gomoku").ok()] {
            match records::read(text.as_bytes(), "", &Choices { game, rows: Rows::FromBottom }) {
                Ok(opened) => assert!(opened.record.replay().is_err()),
                Err(error) => assert!(error.to_string().len() < 300, "{error}"),
            }
        }
    }
}
