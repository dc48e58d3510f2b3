//! The guides in `crates/arena/guides`: every picture can be drawn and shows what the text says, and both languages have
//! the same pictures, conversations, files and headings.

use std::path::{Path, PathBuf};

use games::render::svg;
use games::{Eyes, Language, Side, Table, read_pairs};
use rstest::rstest;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../arena/guides")
}

fn guide(id: &str, language: &str) -> String {
    let path = folder().join(format!("{id}.{language}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of the fenced blocks whose fence begins with this word, each block with its fence first.
fn blocks<'a>(text: &'a str, word: &str) -> Vec<Vec<&'a str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut open: Option<bool> = None;
    for line in text.lines() {
        match (open, line.strip_prefix("```")) {
            (None, Some(fence)) => {
                let wanted = fence.split(' ').next() == Some(word);
                if wanted {
                    blocks.push(vec![fence]);
                }
                open = Some(wanted);
            }
            (Some(_), Some(_)) => open = None,
            (Some(true), None) => blocks.last_mut().expect("a block is open").push(line),
            (Some(false) | None, None) => {}
        }
    }
    assert_eq!(open, None, "a block is not closed");
    blocks
}

/// A picture: its fields.
struct Board<'a> {
    game: &'a str,
    variant: &'a str,
    position: Option<&'a str>,
    plies: Vec<&'a str>,
    eyes: Eyes,
    caption: &'a str,
}

impl<'a> Board<'a> {
    fn read(block: &[&'a str]) -> Self {
        let mut board = Self { game: "", variant: "", position: None, plies: Vec::new(), eyes: Eyes::All, caption: "" };
        for line in &block[1..] {
            let (key, value) = line.split_once(": ").unwrap_or_else(|| panic!("{line:?} is no `key: value`"));
            match key {
                "game" => board.game = value,
                "variant" => board.variant = value,
                "position" => board.position = Some(value),
                "plies" => board.plies = value.split(';').map(str::trim).collect(),
                "caption" => board.caption = value,
                "eyes" => {
                    board.eyes = match value {
                        "black" => Eyes::Seat(Side::Black),
                        "white" => Eyes::Seat(Side::White),
                        "all" => Eyes::All,
                        _ => panic!("no eyes {value:?}"),
                    }
                }
                _ => panic!("no field {key:?}"),
            }
        }
        board
    }

    fn table(&self) -> Box<dyn Table> {
        let variant = read_pairs(self.variant.split_whitespace()).expect("pairs");
        let game = games::find(self.game).expect("registered");
        let mut table = game.open(&variant, self.position).unwrap_or_else(|error| panic!("{}: {error}", self.caption));
        for ply in &self.plies {
            table.play(ply, Eyes::All).unwrap_or_else(|fault| panic!("{}: {ply}: {fault}", self.caption));
        }
        table
    }

    /// Everything but the words.
    fn drawn(&self) -> (&str, &str, Option<&str>, &[&str], Eyes) {
        (self.game, self.variant, self.position, &self.plies, self.eyes)
    }
}

fn headings(text: &str) -> Vec<usize> {
    let mut fenced = false;
    text.lines()
        .filter(|line| {
            fenced ^= line.starts_with("```");
            !fenced && line.starts_with('#')
        })
        .map(|line| line.bytes().take_while(|&byte| byte == b'#').count())
        .collect()
}

/// The files a guide shows.
fn includes(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("{{include ")?.strip_suffix("}}")).collect()
}

/// A conversation without the words of its remarks; what follows their arrows stays.
fn talk(block: &[&str]) -> Vec<String> {
    let told = |line: &&str| match line.strip_prefix('#') {
        Some(remark) => format!("# {}", remark.rsplit_once('→').map_or("", |(_, ply)| ply.trim())),
        None => (*line).to_owned(),
    };
    block.iter().map(told).collect()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

#[test]
fn there_is_one_guide_for_each_game_and_language_and_no_other() {
    let mut wanted: Vec<String> =
        games::GAMES.iter().flat_map(|game| ["en", "zh"].map(|l| format!("{}.{l}.md", game.facts().id))).collect();
    wanted.push("README.md".to_owned());
    wanted.sort();
    let mut there: Vec<String> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    assert_eq!(there, wanted);
}

#[test]
fn every_picture_can_be_drawn() {
    for game in games::GAMES {
        let id = game.facts().id;
        for (language, words) in [("en", Language::En), ("zh", Language::Zh)] {
            let text = guide(id, language);
            let blocks = blocks(&text, "board");
            assert!(blocks.len() >= 2, "{id} {language} has {} pictures", blocks.len());
            for block in blocks {
                let board = Board::read(&block);
                assert_eq!(board.game, id, "{}", board.caption);
                assert_eq!(is_chinese(board.caption), language == "zh", "{id} {language}: {:?}", board.caption);
                let picture = svg::render(&board.table().view(board.eyes), words);
                assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{}", board.caption);
            }
        }
    }
}

#[test]
fn both_languages_have_the_same_parts() {
    for game in games::GAMES {
        let id = game.facts().id;
        let (english, chinese) = (guide(id, "en"), guide(id, "zh"));
        assert_eq!(headings(&english), headings(&chinese), "headings of {id}");
        let boards = [&english, &chinese].map(|text| blocks(text, "board"));
        assert_eq!(boards[0].len(), boards[1].len(), "pictures of {id}");
        for (one, other) in boards[0].iter().zip(&boards[1]) {
            assert_eq!(Board::read(one).drawn(), Board::read(other).drawn(), "{id}");
        }
        let talks = [&english, &chinese].map(|text| blocks(text, "talk").iter().map(|block| talk(block)).collect());
        let [one, other]: [Vec<Vec<String>>; 2] = talks;
        assert_eq!(one, other, "conversations of {id}");
        assert!(!one.is_empty(), "{id} has no conversation");
        assert_eq!(includes(&english), includes(&chinese), "files of {id}");
    }
}

#[test]
fn every_file_shown_is_there_and_every_option_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for game in games::GAMES {
        let facts = game.facts();
        for language in ["en", "zh"] {
            let text = guide(facts.id, language);
            let shown = includes(&text);
            assert!(!shown.is_empty(), "{} {language} shows no engine", facts.id);
            for file in shown {
                assert!(file.starts_with("sdk/") && root.join(file).is_file(), "{} {language}: {file}", facts.id);
            }
            for option in facts.options {
                let named = format!("`{}`", option.key);
                assert!(text.contains(&named), "{} {language} does not explain {named}", facts.id);
            }
        }
    }
}

#[rstest]
#[case::the_room_of_eleven("amazons", 3, "black - -", "")]
#[case::an_open_four("connect6", 1, "white - -", "")]
#[case::six("connect6", 2, "white line black", "")]
#[case::one_losing_point("nogo", 0, "black - -", "AB")]
#[case::the_capture_loses("nogo", 1, "white capture white", "")]
#[case::two_eyes("nogo", 2, "white - -", "AA EF")]
#[case::the_corridor_is_open("dots", 1, "black - -", "")]
#[case::the_double_cross("dots", 2, "white - -", "")]
#[case::fifteen_to_ten("dots", 3, "white boxes black", "")]
#[case::refused("phantom-go", 2, "black - -", "")]
#[case::taken("surakarta", 2, "white - -", "")]
#[case::five("gomoku", 0, "white line black", "")]
#[case::three_fouls("gomoku", 1, "black - -", "4,3 11,3 5,11")]
#[case::four_three_is_no_foul("gomoku", 2, "white - -", "")]
#[case::the_mine_is_cleared("junqi", 2, "white - -", "")]
#[case::three_turn("tiaojia", 4, "white - -", "")]
fn a_picture_shows_what_is_said_of_it(
    #[case] id: &str,
    #[case] index: usize,
    #[case] state: &str,
    #[case] losing: &str,
) {
    let text = guide(id, "en");
    let block = &blocks(&text, "board")[index];
    let table = Board::read(block).table();
    let verdict = table.verdict();
    let told = match &verdict {
        Some(verdict) => {
            let winner = verdict.winner.map_or("nobody", Side::word);
            format!("{} {} {winner}", table.to_move(), verdict.reason.code)
        }
        None => format!("{} - -", table.to_move()),
    };
    assert_eq!(told, state);
    assert_eq!(table.losing_plies().join(" "), losing);
}

/// What the guides' texts count out for the reader.
#[rstest]
#[case("amazons", 3, "empty", "19")]
#[case("dots", 1, "black", "7")]
#[case("dots", 1, "white", "8")]
#[case("dots", 3, "black", "15")]
#[case("dots", 3, "white", "10")]
#[case("phantom-go", 0, "black-captured", "1")]
#[case("phantom-go", 0, "white-captured", "1")]
#[case("phantom-go", 2, "refused", "AH")]
#[case("surakarta", 2, "white", "1")]
#[case("surakarta", 3, "black", "11")]
#[case("tiaojia", 1, "black", "3")]
#[case("tiaojia", 2, "black", "3")]
#[case("tiaojia", 4, "black", "5")]
fn a_picture_counts_as_the_text_does(#[case] id: &str, #[case] index: usize, #[case] note: &str, #[case] value: &str) {
    let text = guide(id, "en");
    let view = Board::read(&blocks(&text, "board")[index]).table().view(Eyes::All);
    let notes: Vec<(&str, &str)> = view.notes.iter().map(|note| (note.key, note.value.as_str())).collect();
    assert!(notes.contains(&(note, value)), "{notes:?}");
}
