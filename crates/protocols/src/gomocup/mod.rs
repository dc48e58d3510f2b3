//! The Gomocup (Piskvork) protocol, spoken by gomoku and renju brains.
//!
//! `START n` → `OK`, `INFO key value`, `BEGIN` / `TURN x,y` / `BOARD … DONE` → `x,y`, `RESTART`, `TAKEBACK`, `SWAP2BOARD`, `END`.

mod engine;

use std::fmt::Write as _;
use std::time::Duration;

use games::{Event, Phrase, Side};
use serde::Deserialize;
use serde_json::Value;

use crate::ends::{
    Act, Awaits, BadOption, Clock, EngineEnd, Outcome, Protocol, ProtocolFacts, RefereeEnd, Remark, Setup, clipped,
    clipped_to, read_options,
};
use crate::score::score_in;
use engine::GomocupEngine;

static FACTS: ProtocolFacts = ProtocolFacts {
    id: "gomocup",
    aliases: &["piskvork"],
    name: Phrase::new("Gomocup (Piskvork)", "五子棋通用引擎协议（Gomocup）"),
    games: &["gomoku"],
    line_end: "\r\n",
    can_restore: true,
    carries_score: true,
    options: &[
        (
            "folder",
            Phrase::new("folder for the brain's own files, told by INFO folder", "引擎数据目录，由 INFO folder 告知"),
        ),
        ("game_type", Phrase::new("0 against a person, 1 against a brain, 2 tournament", "0 人机，1 机机，2 比赛")),
        ("about", Phrase::new("ask ABOUT for the brain's name", "用 ABOUT 询问引擎名称")),
    ],
};

/// How long ABOUT may stay unanswered, and START before it is sent once more.
const ABOUT_PATIENCE: Duration = Duration::from_millis(500);
const START_PATIENCE: Duration = Duration::from_secs(2);
/// The number that means no limit.
const NO_LIMIT: u64 = 2_147_483_647;
const LONGEST_NAME: usize = 128;
const RENJU: u64 = 4;

/// The protocol.
#[derive(Debug)]
pub struct Gomocup;

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    folder: Option<String>,
    game_type: u8,
    about: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { folder: None, game_type: 1, about: true }
    }
}

impl Protocol for Gomocup {
    fn facts(&self) -> &'static ProtocolFacts {
        &FACTS
    }

    fn referee_end(&self, setup: Setup) -> Result<Box<dyn RefereeEnd>, BadOption> {
        let options = read_options(&setup.options)?;
        Ok(Box::new(GomocupReferee::new(&setup, options)))
    }

    fn engine_end(&self, _game: &'static str, name: &str) -> Box<dyn EngineEnd> {
        Box::new(GomocupEngine::named(name))
    }
}

/// The board of a variant: (width, height, rule bits).
fn board_of(variant: &Value) -> (u64, u64, u64) {
    let number = |key: &str| variant.get(key).and_then(Value::as_u64).unwrap_or(0);
    let rule = number("rule");
    let or = |value: u64, default: u64| if value == 0 { default } else { value };
    let size = or(number("size"), if rule & RENJU != 0 { 15 } else { 20 });
    (or(number("width"), size), or(number("height"), size), rule)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    Nothing,
    Start,
    About,
    Restart,
    Move,
}

/// The referee's end.
#[derive(Debug)]
struct GomocupReferee {
    seat: Side,
    options: Options,
    width: u64,
    height: u64,
    rule: u64,
    swap2: bool,
    clock: Clock,
    memory: Option<u64>,
    due: Due,
    /// START was sent a second time already.
    start_repeated: bool,
    /// The plies of the game, `true` for this seat's own.
    plies: Vec<(bool, String)>,
    /// How many of them the brain knows; TURN carries one more, BOARD all.
    known: usize,
    /// The brain's last answer is not yet among the plies.
    answered: bool,
    /// TAKEBACKs that the brain has not answered yet.
    taking_back: usize,
    /// The brain does not know where the game stands (it knew no TAKEBACK), so it begins anew with the whole board.
    lost_track: bool,
    /// The whole board was sent since the opening of swap2, in which colours may change hands.
    shown_board: bool,
}

impl GomocupReferee {
    fn new(setup: &Setup, options: Options) -> Self {
        let (width, height, rule) = board_of(&setup.variant);
        Self {
            seat: setup.seat,
            options,
            width,
            height,
            rule,
            swap2: setup.variant.get("opening").and_then(Value::as_str) == Some("swap2"),
            clock: setup.clock,
            memory: setup.memory,
            due: Due::Nothing,
            start_repeated: false,
            plies: Vec::new(),
            known: 0,
            answered: false,
            taking_back: 0,
            lost_track: false,
            shown_board: false,
        }
    }

    fn start_line(&self) -> String {
        if self.width == self.height {
            format!("START {}", self.width)
        } else {
            format!("RECTSTART {},{}", self.width, self.height)
        }
    }

    fn send_start(&mut self, out: &mut Vec<Act>) {
        self.due = Due::Start;
        out.push(Act::Send(self.start_line()));
        out.push(Act::Timer(START_PATIENCE));
    }

    /// START is answered: the name is asked for, or the brain is ready.
    fn started(&mut self, out: &mut Vec<Act>) {
        if self.options.about {
            self.due = Due::About;
            out.push(Act::Send("ABOUT".to_owned()));
            out.push(Act::Timer(ABOUT_PATIENCE));
        } else {
            self.due = Due::Nothing;
            out.push(Act::Ready);
        }
    }

    fn repeat_start(&mut self, out: &mut Vec<Act>) {
        if !self.start_repeated {
            self.start_repeated = true;
            self.send_start(out);
        }
    }

    /// The stones in the order of their placing; `true` for this seat's own colour.
    ///
    /// In a swap2 opening a ply places several stones and `swap` exchanges the colours; who owns a stone follows from
    /// its number (even numbers are black) and from who is to move next.
    fn stones(&self) -> Vec<(bool, &str)> {
        if !self.swap2 {
            return self.plies.iter().map(|(own, ply)| (*own, ply.as_str())).collect();
        }
        let points: Vec<&str> =
            self.plies.iter().filter(|(_, ply)| ply != "swap").flat_map(|(_, ply)| ply.split('+')).collect();
        // It is this seat's turn, so its colour is the one that plays next.
        let own_parity = points.len() % 2;
        points.into_iter().enumerate().map(|(index, point)| (index % 2 == own_parity, point)).collect()
    }

    fn board_text(&self) -> String {
        let mut text = String::from("BOARD\n");
        for (own, point) in self.stones() {
            let _ = writeln!(text, "{point},{}", if own { 1 } else { 2 });
        }
        text.push_str("DONE");
        text
    }

    /// Whether the swap2 opening is still going on: at most the third turn, before anybody has played a single stone
    /// or swapped.
    fn in_opening(&self) -> bool {
        self.swap2
            && self.plies.len() < 3
            && self
                .plies
                .iter()
                .enumerate()
                .all(|(index, (_, ply))| ply.split('+').count() == if index == 0 { 3 } else { 2 })
    }

    fn info(&self, out: &mut Vec<Act>) {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
        let turn = milliseconds(self.clock.turn).or(milliseconds(self.clock.left)).unwrap_or(NO_LIMIT);
        let mut lines = vec![
            format!("max_memory {}", self.memory.unwrap_or(0)),
            format!("timeout_match {}", milliseconds(self.clock.left).unwrap_or(0)),
            format!("timeout_turn {turn}"),
            format!("game_type {}", self.options.game_type),
            format!("rule {}", self.rule),
        ];
        if self.rule & RENJU != 0 {
            lines.push("fb_check 1".to_owned());
        }
        lines.extend(self.options.folder.as_ref().map(|folder| format!("folder {folder}")));
        out.extend(lines.into_iter().map(|line| Act::Send(format!("INFO {line}"))));
    }

    fn answer(&mut self, line: &str, out: &mut Vec<Act>) {
        let upper = line.to_ascii_uppercase();
        if let Some(points) = upper.strip_prefix("SUGGEST") {
            // In tournaments a suggestion is always taken; the brain then answers with the coordinates.
            out.push(Act::Send(format!("PLAY {}", clipped(&read_points(points)))));
        } else if upper == "SWAP" && self.in_opening() {
            self.due = Due::Nothing;
            self.answered = true;
            out.push(Act::Ply("swap".to_owned()));
        } else if line.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | ',')) {
            self.due = Due::Nothing;
            let points = read_points(line);
            // Outside the opening a brain plays one stone; what follows it is noise.
            let ply = if self.in_opening() { points } else { points.split('+').next().unwrap_or_default().to_owned() };
            self.answered = true;
            out.push(Act::Ply(clipped(&ply)));
        } else {
            out.push(Act::Remark(Remark::Noise(clipped(line))));
        }
    }
}

/// Coordinates however they are spaced (`7,7`, `7, 7`, `7 , 7`), several joined by `+`.
fn read_points(text: &str) -> String {
    let mut numbers =
        text.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|word| !word.is_empty());
    let mut points = Vec::new();
    while let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
        points.push(format!("{x},{y}"));
        if points.len() == 3 {
            break;
        }
    }
    if points.is_empty() { text.trim().to_owned() } else { points.join("+") }
}

/// The brain's name in its answer to ABOUT.
fn name_in(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let start = lower.match_indices("name").find_map(|(index, word)| {
        let rest = line[index + word.len()..].trim_start();
        rest.strip_prefix('=').map(str::trim_start)
    })?;
    Some(start.strip_prefix('"').map_or_else(
        || start.split(',').next().unwrap_or_default().trim(),
        |quoted| quoted.split('"').next().unwrap_or_default(),
    ))
}

impl RefereeEnd for GomocupReferee {
    fn open(&mut self, out: &mut Vec<Act>) {
        self.start_repeated = false;
        self.send_start(out);
    }

    fn begin(&mut self, out: &mut Vec<Act>) {
        (self.plies, self.known, self.taking_back) = (Vec::new(), 0, 0);
        (self.lost_track, self.shown_board) = (false, false);
        self.info(out);
    }

    /// By `BOARD`, which every brain knows.
    fn can_be_led(&self) -> bool {
        true
    }

    fn turn(&mut self, clock: Clock, out: &mut Vec<Act>) {
        self.due = Due::Move;
        let left = clock.left.map_or(NO_LIMIT, |left| left.as_millis() as u64);
        out.push(Act::Send(format!("INFO time_left {left}")));
        // Silence is no yes: nobody knows whether it has taken back.
        let unanswered = std::mem::take(&mut self.taking_back) > 0;
        let lost_track = std::mem::take(&mut self.lost_track) || unanswered;
        if lost_track {
            out.push(Act::Send(self.start_line()));
        }
        let request = if self.in_opening() {
            self.shown_board = false;
            let mut text = String::from("SWAP2BOARD\n");
            for (_, point) in self.stones() {
                let _ = writeln!(text, "{point}");
            }
            text.push_str("DONE");
            text
        } else if self.plies.is_empty() {
            "BEGIN".to_owned()
        } else {
            let follows = self.plies.len() == self.known + 1 && (self.shown_board || !self.swap2) && !lost_track;
            match self.plies.last() {
                Some((false, ply)) if follows => format!("TURN {ply}"),
                _ => {
                    self.shown_board = true;
                    self.board_text()
                }
            }
        };
        self.known = self.plies.len();
        out.push(Act::Send(request));
    }

    fn line(&mut self, line: &str, out: &mut Vec<Act>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.to_ascii_uppercase();
        match (word.as_str(), self.due) {
            ("MESSAGE", _) => {
                out.extend(score_in(rest).map(Act::Score));
                out.push(Act::Remark(Remark::Message(clipped(rest))));
            }
            ("DEBUG", _) => {
                out.extend(score_in(rest).map(Act::Score));
                out.push(Act::Remark(Remark::Debug(clipped(rest))));
            }
            // However a brain says that it knows no RESTART, it needs a new process.
            ("ERROR" | "UNKNOWN", Due::Restart) => out.push(Act::Reload),
            ("ERROR" | "UNKNOWN", due) => {
                out.push(Act::Remark(Remark::Complaint(clipped(line))));
                match due {
                    // A brain that was not yet listening lost the command.
                    Due::Start => self.repeat_start(out),
                    Due::About => {
                        self.due = Due::Nothing;
                        out.push(Act::Ready);
                    }
                    // It may as well complain of an INFO, which changes nothing.
                    Due::Nothing if self.taking_back > 0 => {
                        self.taking_back -= 1;
                        self.lost_track = true;
                    }
                    Due::Nothing | Due::Restart | Due::Move => {}
                }
            }
            ("OK", Due::Start) => self.started(out),
            ("OK", Due::Restart) => {
                self.due = Due::Nothing;
                out.push(Act::Ready);
            }
            ("OK", _) => self.taking_back = self.taking_back.saturating_sub(1),
            (_, due) => {
                if let Some(name) = name_in(line) {
                    out.push(Act::Named(clipped_to(name, LONGEST_NAME)));
                    if due == Due::About {
                        self.due = Due::Nothing;
                        out.push(Act::Ready);
                    }
                } else if due == Due::Move {
                    self.answer(line, out);
                } else if line.starts_with(|letter: char| letter.is_ascii_digit()) {
                    out.push(Act::Remark(Remark::OutOfTurn(clipped(line))));
                } else {
                    out.push(Act::Remark(Remark::Noise(clipped(line))));
                }
            }
        }
    }

    fn learned(&mut self, own: bool, events: &[Event], _out: &mut Vec<Act>) {
        for event in events {
            if let Event::Ply { ply } = event {
                self.plies.push((own, ply.clone()));
                // What the brain played itself it knows; what was played for it, in an opening, it does not.
                self.known += usize::from(own && std::mem::take(&mut self.answered));
            }
        }
    }

    fn timer(&mut self, out: &mut Vec<Act>) {
        match self.due {
            Due::Start => self.repeat_start(out),
            Due::About => {
                self.due = Due::Nothing;
                out.push(Act::Ready);
            }
            _ => {}
        }
    }

    fn over(&mut self, _outcome: Outcome, _out: &mut Vec<Act>) {
        self.due = Due::Nothing;
    }

    fn again(&mut self, seat: Side, out: &mut Vec<Act>) {
        self.seat = seat;
        self.due = Due::Restart;
        out.push(Act::Send("RESTART".to_owned()));
    }

    fn close(&mut self, out: &mut Vec<Act>) {
        self.due = Due::Nothing;
        out.push(Act::Send("END".to_owned()));
    }

    fn awaits(&self) -> Awaits {
        match self.due {
            // Whether it can take back.
            Due::Nothing if self.taking_back > 0 => Awaits::Ready,
            Due::Nothing => Awaits::Nothing,
            Due::Start | Due::About | Due::Restart => Awaits::Ready,
            Due::Move => Awaits::Ply,
        }
    }

    fn take_back(&mut self, plies: usize, out: &mut Vec<Act>) -> bool {
        for _ in 0..plies {
            let Some((_, ply)) = self.plies.pop() else { break };
            // The plies of swap2 are not points: there is no word for taking them back.
            if self.swap2 {
                self.lost_track = true;
            } else {
                out.push(Act::Send(format!("TAKEBACK {ply}")));
                self.taking_back += 1;
            }
        }
        self.known = self.plies.len();
        self.due = Due::Nothing;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ends::Order;

    #[test]
    fn points_are_read_however_they_are_spaced() {
        for text in ["7,8", "7, 8", "7 , 8", " 7 ,8 "] {
            assert_eq!(read_points(text), "7,8");
        }
        assert_eq!(read_points("1,2 3,4 5,6"), "1,2+3,4+5,6");
        assert_eq!(read_points(","), ",");
        assert_eq!(read_points("999999999999,0"), "999999999999,0");
    }

    #[test]
    fn a_list_of_stones_has_an_end() {
        let (mut end, mut out) = (Gomocup.engine_end("gomoku", "X"), Vec::new());
        for line in ["START 5", "BOARD"].into_iter().chain(std::iter::repeat_n("0,0,1", 25)) {
            end.line(line, &mut out);
        }
        assert_eq!(out, [Order::Say("OK".to_owned())]);
        end.line("0,0,1", &mut out);
        assert_eq!(out[1], Order::Say("ERROR more stones than points".to_owned()));
    }

    #[test]
    fn a_name_is_found_in_about() {
        assert_eq!(name_in("name=\"SomeBrain\", version=\"1.0\""), Some("SomeBrain"));
        assert_eq!(name_in("Name = Plain, version=1"), Some("Plain"));
        assert_eq!(name_in("7,7"), None);
        assert_eq!(name_in("name"), None);
    }
}
