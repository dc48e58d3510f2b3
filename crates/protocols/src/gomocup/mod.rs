//! The Gomocup (Piskvork) protocol, spoken by gomoku and renju brains.
//!
//! `START n` → `OK`, `INFO key value`, `BEGIN` / `TURN x,y` / `BOARD … DONE` → `x,y`, `RESTART`, `TAKEBACK`,
//! `SWAP2BOARD`, `END`.

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
        (
            "swap2_colours",
            Phrase::new(
                "stones of SWAP2BOARD as x,y,colour like those of BOARD",
                "SWAP2BOARD 的棋子与 BOARD 一样写成 x,y,颜色",
            ),
        ),
    ],
};

/// How long ABOUT may stay unanswered, and START before it is sent once more. The official judge forgives a brain as
/// much on its first move, so who needs longer has its own trouble there.
const ABOUT_PATIENCE: Duration = Duration::from_secs(1);
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
    swap2_colours: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { folder: None, game_type: 1, about: true, swap2_colours: false }
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
    /// What was said before START did not arrive, or was not understood.
    info_lost: bool,
    /// ABOUT was not answered, so it is not asked again.
    mute: bool,
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
            info_lost: false,
            mute: false,
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

    /// START or RESTART is answered: the brain is ready. What it prepares now, it prepares before the first clock
    /// starts: it answers ABOUT when it is done.
    fn started(&mut self, out: &mut Vec<Act>) {
        out.push(Act::Ready);
        // A brain may forget at START what it heard before, and nobody can see that it did. Rules and limits are told
        // again, which costs nothing. Memory is not: some brains build their tables anew each time they hear of it, so
        // it is said twice only to a brain that showed that it did not hear it.
        let info_lost = std::mem::take(&mut self.info_lost);
        self.info(info_lost, out);
        self.due = Due::Nothing;
        if self.options.about && !self.mute {
            self.due = Due::About;
            out.push(Act::Send("ABOUT".to_owned()));
            out.push(Act::Timer(ABOUT_PATIENCE));
        }
    }

    /// One TAKEBACK is answered.
    fn took_back(&mut self, out: &mut Vec<Act>) {
        self.taking_back -= 1;
        if self.taking_back == 0 && self.lost_track {
            self.start_anew(out);
        }
    }

    /// A brain that lost track gets an empty board while no clock runs; its turn then brings the stones.
    fn start_anew(&mut self, out: &mut Vec<Act>) {
        self.start_repeated = false;
        self.send_start(out);
    }

    fn repeat_start(&mut self, out: &mut Vec<Act>) {
        if !self.start_repeated {
            (self.start_repeated, self.info_lost) = (true, true);
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

    /// The rules and limits of the game, with the memory or without it.
    fn info(&self, memory: bool, out: &mut Vec<Act>) {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
        let turn = milliseconds(self.clock.turn).or(milliseconds(self.clock.left)).unwrap_or(NO_LIMIT);
        let mut lines = vec![format!("game_type {}", self.options.game_type), format!("rule {}", self.rule)];
        if self.rule & RENJU != 0 {
            lines.push("fb_check 1".to_owned());
        }
        lines.push(format!("timeout_match {}", milliseconds(self.clock.left).unwrap_or(0)));
        lines.push(format!("timeout_turn {turn}"));
        if memory {
            // After the rule, on which depends what some brains keep of it for other things.
            lines.push(format!("max_memory {}", self.memory.unwrap_or(0)));
        }
        lines.extend(self.options.folder.as_ref().map(|folder| format!("folder {folder}")));
        out.extend(lines.into_iter().map(|line| Act::Send(format!("INFO {line}"))));
    }

    /// A line that came while a move is due. What cannot be read as one is no move: the rest of a message that a stray
    /// line feed cut in two must not lose a game.
    fn answer(&mut self, line: &str, out: &mut Vec<Act>) {
        let upper = line.to_ascii_uppercase();
        let suggested = upper.strip_prefix("SUGGEST");
        let points = points_in(suggested.unwrap_or(line));
        // Outside the opening a brain plays one stone.
        let points = points.filter(|points| self.in_opening() || !points.contains('+'));
        match points {
            // In tournaments a suggestion is always taken; the brain then answers with the coordinates.
            Some(points) if suggested.is_some() => out.push(Act::Send(format!("PLAY {}", clipped(&points)))),
            Some(points) => self.played(&points, out),
            None if upper == "SWAP" && self.in_opening() => self.played("swap", out),
            None => out.push(Act::Remark(Remark::Unreadable(clipped(line)))),
        }
    }

    fn played(&mut self, ply: &str, out: &mut Vec<Act>) {
        self.due = Due::Nothing;
        self.answered = true;
        out.push(Act::Ply(clipped(ply)));
    }
}

/// One to three points, joined by `+`, however they are spaced (`7,7`, `7, 7`, `7 , 7`). After a single one a remark
/// may stand, as the official judge allows, but no second number: `7,7 8,8` is a line of play, not a move.
fn points_in(text: &str) -> Option<String> {
    let (mut points, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let Some((x, after)) = number_in(rest) else {
            let is_remark = !rest.starts_with(|letter: char| letter.is_ascii_digit() || ",;:.+-".contains(letter));
            return (points.len() == 1 && is_remark).then(|| points.concat());
        };
        let (y, after) = number_in(after.trim_start().strip_prefix(',')?.trim_start())?;
        if points.len() == 3 || after.starts_with(|letter: char| !letter.is_whitespace()) {
            return None;
        }
        points.push(format!("{x},{y}"));
        rest = after.trim_start();
    }
    (!points.is_empty()).then(|| points.join("+"))
}

/// A whole number at the start, as it is written, and what follows it.
fn number_in(text: &str) -> Option<(&str, &str)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = text.len() - digits.len();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| text.split_at(sign + length))
}

/// Coordinates that a manager wrote, however they are spaced, several joined by `+`; what is none is given back as it
/// is.
fn read_points(text: &str) -> String {
    points_in(text).unwrap_or_else(|| text.trim().to_owned())
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
        (self.start_repeated, self.info_lost) = (false, false);
        // Whatever a brain makes of the limits, it makes before it answers START with OK.
        self.info(true, out);
        self.send_start(out);
    }

    fn begin(&mut self, _out: &mut Vec<Act>) {
        (self.plies, self.known, self.taking_back) = (Vec::new(), 0, 0);
        (self.lost_track, self.shown_board) = (false, false);
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
        if unanswered {
            out.push(Act::Send(self.start_line()));
        }
        let request = if self.in_opening() {
            self.shown_board = false;
            let mut text = String::from("SWAP2BOARD\n");
            for (own, point) in self.stones() {
                let _ = match (self.options.swap2_colours, own) {
                    (false, _) => writeln!(text, "{point}"),
                    (true, own) => writeln!(text, "{point},{}", if own { 1 } else { 2 }),
                };
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
                    // It knows no INFO yet, or was not yet listening and lost the command.
                    Due::Start => {
                        self.info_lost = true;
                        if !line.to_ascii_uppercase().contains("INFO") {
                            self.repeat_start(out);
                        }
                    }
                    // Any answer shows that it is done with what came before.
                    Due::About => self.due = Due::Nothing,
                    // It may as well complain of an INFO, which changes nothing.
                    Due::Nothing if self.taking_back > 0 => {
                        self.lost_track = true;
                        self.took_back(out);
                    }
                    Due::Nothing | Due::Restart | Due::Move => {}
                }
            }
            ("OK", Due::Start | Due::Restart) => self.started(out),
            ("OK", _) if self.taking_back > 0 => self.took_back(out),
            ("OK", _) => {}
            (_, due) => {
                if let Some(name) = name_in(line) {
                    self.mute = false;
                    out.push(Act::Named(clipped_to(name, LONGEST_NAME)));
                    if due == Due::About {
                        self.due = Due::Nothing;
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
            Due::About => (self.due, self.mute) = (Due::Nothing, true),
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
            Due::Start | Due::Restart => Awaits::Ready,
            Due::About => Awaits::Calm,
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
        if self.lost_track && self.taking_back == 0 {
            self.start_anew(out);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ends::Order;

    #[test]
    fn points_are_read_however_they_are_spaced() {
        for text in ["7,8", "7, 8", "7 , 8", " 7 ,8 ", "7,8 (best)", "7,8 ev 12"] {
            assert_eq!(points_in(text).as_deref(), Some("7,8"), "{text}");
        }
        for text in ["1,2 3,4 5,6", "1, 2  3 ,4 5 , 6"] {
            assert_eq!(points_in(text).as_deref(), Some("1,2+3,4+5,6"), "{text}");
        }
        assert_eq!(points_in("999999999999,0").as_deref(), Some("999999999999,0"));
        assert_eq!(points_in("-1,-1").as_deref(), Some("-1,-1"));
    }

    #[test]
    fn what_is_no_point_is_not_read_as_one() {
        for text in ["", ",", "7", "7,", ",7", "7;7", "7 7", "7,7,1", "7,x", "-12 ev 45", "7,7-8,8", "1,2 3", "7.5,7"] {
            assert_eq!(points_in(text), None, "{text}");
        }
        assert_eq!(points_in("1,2 3,4 5,6 7,8"), None);
        assert_eq!(points_in("7,7 12 nodes"), None);
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
