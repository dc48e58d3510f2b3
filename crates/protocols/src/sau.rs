//! The protocol of the SAU platform (沈阳航空航天大学), spoken by six games.
//!
//! `name?` → `name X`; `new black|white`; `move …` both ways; `error` after an illegal move; `end`, `quit`. Phantom Go
//! adds `accept`, `refuse`, `take`, `taked`, and hides moves behind `move go`.
//!
//! The extension: an engine whose name ends in `+openings` may be told an opening, in messages that begin with
//! `opening` and are not answered: `opening new black|white` in place of `new`; `opening played …` for a ply that was
//! played for it, with `accept`, `take` and `opening refuse` in Phantom Go; `opening move …` for its opponent's.
//! `opening go` asks it for its first ply, if it is its turn then.

use std::time::Duration;

use games::{Event, Phrase, Side};
use serde::Deserialize;
use serde_json::Value;

use crate::ends::{
    Act, Awaits, BadOption, Clock, EngineEnd, Order, Outcome, Protocol, ProtocolFacts, RefereeEnd, Remark, Retry,
    Setup, clipped, clipped_to, read_options,
};
use crate::opening::{read_name, written_name};
use crate::player::ThinkLimits;

static FACTS: ProtocolFacts = ProtocolFacts {
    id: "sau",
    aliases: &["ccgc"],
    name: Phrase::new("SAU platform", "SAU 平台协议"),
    games: &["amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta"],
    line_end: "\n",
    can_restore: false,
    carries_score: false,
    options: &[
        ("end_winner", Phrase::new("`end` names the winner's colour", "end 命令带胜方颜色")),
        (
            "errors_allowed",
            Phrase::new("illegal moves answered with `error` before the game is lost", "判负前允许的错误着法次数"),
        ),
        (
            "access",
            Phrase::new(
                "say `access` instead of `accept` (a misprint some engines wait for)",
                "用 access 代替 accept（个别引擎按规范误印实现）",
            ),
        ),
    ],
};

/// The longest name that is kept.
const LONGEST_NAME: usize = 128;
/// How long the second `name?` may stay unanswered.
const CALM_PATIENCE: Duration = Duration::from_secs(1);

/// The protocol.
#[derive(Debug)]
pub struct Sau;

/// Its options.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    end_winner: bool,
    errors_allowed: u32,
    access: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { end_winner: false, errors_allowed: 3, access: false }
    }
}

impl Protocol for Sau {
    fn facts(&self) -> &'static ProtocolFacts {
        &FACTS
    }

    fn referee_end(&self, setup: Setup) -> Result<Box<dyn RefereeEnd>, BadOption> {
        let options = read_options(&setup.options)?;
        let (game, seat) = (setup.game, setup.seat);
        Ok(Box::new(SauReferee {
            game,
            seat,
            options,
            state: State::Idle,
            asked: false,
            calm: true,
            errors: 0,
            can_be_led: false,
            led: false,
        }))
    }

    fn engine_end(&self, game: &'static str, name: &str) -> Box<dyn EngineEnd> {
        Box::new(SauEngine { game, name: name.to_owned(), pending: None, retries: 0 })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    NameDue,
    MoveDue,
}

/// The referee's end.
#[derive(Debug)]
struct SauReferee {
    game: &'static str,
    seat: Side,
    options: Options,
    state: State,
    /// Whether the message that asks for the next move was sent already (`move …` tells and asks at once).
    asked: bool,
    /// Nothing is left to be done before the first clock: the second `name?` is answered, or was not sent.
    calm: bool,
    errors: u32,
    /// Whether the engine has said that it can be told an opening.
    can_be_led: bool,
    /// Whether this game began with one.
    led: bool,
}

impl SauReferee {
    /// How a ply is written after `move`: Dots puts the number of lines in front.
    fn parameters(&self, ply: &str) -> String {
        if self.game == "dots" { format!("{} {ply}", ply.len() / 3) } else { ply.to_owned() }
    }

    /// What tells of a thing the seat learned from a step.
    fn message(&self, own: bool, event: &Event) -> Option<String> {
        Some(match (event, own) {
            (Event::Refused { .. }, true) => "refuse".to_owned(),
            (Event::Ply { ply }, true) if self.game == "phantom-go" && ply != "pass" => {
                if self.options.access { "access" } else { "accept" }.to_owned()
            }
            (Event::Captured { points }, true) => format!("take {} {}", points.len(), points.concat()),
            (Event::Lost { points }, false) => format!("taked {} {}", points.len(), points.concat()),
            (Event::Ply { ply }, false) => format!("move {}", self.parameters(ply)),
            (Event::HiddenPly, false) => "move go".to_owned(),
            _ => return None,
        })
    }
}

impl RefereeEnd for SauReferee {
    fn open(&mut self, out: &mut Vec<Act>) {
        self.state = State::NameDue;
        out.push(Act::Send("name?".to_owned()));
    }

    fn begin(&mut self, out: &mut Vec<Act>) {
        (self.errors, self.led) = (0, false);
        // `new black` is also the request for the first move, so nothing can come between.
        self.asked = self.seat == Side::Black;
        self.calm = self.asked;
        out.push(Act::Send(format!("new {}", self.seat)));
        if !self.calm {
            // Whoever waits prepares the game before the first clock starts, and answers this when it is done.
            out.push(Act::Send("name?".to_owned()));
            out.push(Act::Timer(CALM_PATIENCE));
        }
    }

    fn can_be_led(&self) -> bool {
        self.can_be_led
    }

    fn begin_led(&mut self, out: &mut Vec<Act>) {
        (self.errors, self.asked, self.led, self.calm) = (0, false, true, true);
        out.push(Act::Send(format!("opening new {}", self.seat)));
    }

    fn lead(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        for event in events {
            if let (Event::Ply { ply } | Event::Refused { ply }, true) = (event, own) {
                out.push(Act::Send(format!("opening played {}", self.parameters(ply))));
            }
            // Those that an engine answers are marked; the others it takes as ever.
            out.extend(self.message(own, event).map(|message| {
                let answered = ["move", "refuse"].iter().any(|word| message.starts_with(word));
                Act::Send(if answered { format!("opening {message}") } else { message })
            }));
        }
    }

    fn turn(&mut self, _clock: Clock, out: &mut Vec<Act>) {
        self.state = State::MoveDue;
        if !std::mem::take(&mut self.asked) {
            // After an opening, or in a game that starts from a position with White to move: there is no last move to
            // tell.
            out.push(Act::Send(if self.led { "opening go" } else { "move" }.to_owned()));
        }
    }

    fn line(&mut self, line: &str, out: &mut Vec<Act>) {
        let name = after_words(line, "name").next();
        let mut moves = after_words(line, "move").peekable();
        let is_move = moves.peek().is_some();
        match (self.state, name) {
            (State::NameDue, Some(name)) => {
                let (name, can_be_led) = read_name(name.trim());
                (self.state, self.can_be_led) = (State::Idle, can_be_led);
                out.push(Act::Named(clipped_to(name, LONGEST_NAME)));
                out.push(Act::Ready);
            }
            (_, Some(_)) if !self.calm && !is_move => self.calm = true,
            // Words like "move ordering" are no move: it is the clock that ends the wait for one.
            (State::MoveDue, _) if is_move => match moves.find_map(|parameters| read_move(self.game, parameters)) {
                Some(ply) => {
                    self.state = State::Idle;
                    out.push(Act::Ply(ply));
                }
                None => out.push(Act::Remark(Remark::Unreadable(clipped(line)))),
            },
            _ if is_move => out.push(Act::Remark(Remark::OutOfTurn(clipped(line)))),
            _ => out.push(Act::Remark(Remark::Noise(clipped(line)))),
        }
    }

    fn timer(&mut self, _out: &mut Vec<Act>) {
        self.calm = true;
    }

    fn learned(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        for event in events {
            let Some(line) = self.message(own, event) else { continue };
            // After a refusal the same seat tries again on the same clock.
            self.asked |= if own { line == "refuse" } else { line.starts_with("move") };
            out.push(Act::Send(line));
        }
    }

    fn illegal(&mut self, out: &mut Vec<Act>) -> Retry {
        self.errors += 1;
        if self.errors > self.options.errors_allowed {
            return Retry::Never;
        }
        self.state = State::MoveDue;
        out.push(Act::Send("error".to_owned()));
        Retry::Again
    }

    fn over(&mut self, outcome: Outcome, out: &mut Vec<Act>) {
        self.state = State::Idle;
        let winner = match outcome {
            Outcome::Won => Some(self.seat),
            Outcome::Lost => Some(self.seat.other()),
            Outcome::Drawn | Outcome::Aborted => None,
        };
        let line = match winner {
            Some(winner) if self.options.end_winner => format!("end {winner}"),
            _ => "end".to_owned(),
        };
        out.push(Act::Send(line));
    }

    /// The name is asked for again: its answer shows that the engine is still there and has said all it had to say
    /// about the last game, whose loser may answer after the end.
    fn again(&mut self, seat: Side, out: &mut Vec<Act>) {
        self.seat = seat;
        self.open(out);
    }

    fn close(&mut self, out: &mut Vec<Act>) {
        self.state = State::Idle;
        out.push(Act::Send("quit".to_owned()));
    }

    fn awaits(&self) -> Awaits {
        match self.state {
            State::Idle if !self.calm => Awaits::Calm,
            State::Idle => Awaits::Nothing,
            State::NameDue => Awaits::Ready,
            State::MoveDue => Awaits::Ply,
        }
    }
}

/// What follows `word` and a blank, wherever `word` stands as a word of its own: at the start or after anything that is
/// not a letter or digit.
fn after_words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(word).filter_map(move |(index, _)| {
        let before = line[..index].chars().next_back();
        let rest = &line[index + word.len()..];
        let whole = before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        (whole && rest.starts_with([' ', '\t'])).then(|| rest.trim_start_matches([' ', '\t']))
    })
}

/// The ply in the parameters of a `move`: the first word, or as many as are needed where blanks were put in. `None`
/// when they have not the form of a ply; whether it is a legal one is the rules' matter.
fn read_move(game: &str, parameters: &str) -> Option<String> {
    let mut words = parameters.split_whitespace();
    let first = words.next()?;
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if game == "dots" {
        // `move 2 AAABAB`: as many lines as the number says; a list without a number is taken as it is.
        let (count, lines) = match first.parse::<usize>() {
            Ok(count) => (Some(count), words.collect::<String>()),
            Err(_) => (None, parameters.split_whitespace().collect::<String>()),
        };
        let wanted = count.map_or(lines.len(), |count| count.saturating_mul(3));
        let named = lines.get(..wanted)?;
        return (!named.is_empty() && named.len().is_multiple_of(3) && letters(named)).then(|| clipped(named));
    }
    if first.eq_ignore_ascii_case("pass") {
        return Some("pass".to_owned());
    }
    let wanted = match game {
        "amazons" => 6,
        "surakarta" => 4,
        "connect6" if first.len() < 4 => 4,
        "connect6" => first.len().min(4),
        _ => 2,
    };
    let is_part = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'@');
    let mut ply = first.to_owned();
    for word in words {
        if ply.len() >= wanted || !is_part(word) {
            break;
        }
        ply.push_str(word);
    }
    let whole = match game {
        // The first player places one stone, and `@@` may stand for the second.
        "connect6" => matches!(ply.len(), 2 | 4) && is_part(&ply),
        _ => ply.len() == wanted && letters(&ply),
    };
    whole.then(|| clipped(&ply))
}

/// The engine's end.
#[derive(Debug)]
struct SauEngine {
    game: &'static str,
    name: String,
    /// Phantom Go: the try that is neither accepted nor refused yet.
    pending: Option<String>,
    /// How often `error` came in a row: an engine that has nothing better passes on giving answers.
    retries: u32,
}

impl SauEngine {
    fn think(out: &mut Vec<Order>) {
        out.push(Order::Think(ThinkLimits::default()));
    }

    /// A new game on the seat of this name.
    fn new_game(&mut self, seat: &str, out: &mut Vec<Order>) -> Side {
        let seat = if seat == "white" { Side::White } else { Side::Black };
        (self.pending, self.retries) = (None, 0);
        out.push(Order::New { variant: Value::Null, seat, position: None });
        seat
    }

    /// The opponent's ply after `move`, where there is one.
    fn learn_move(&mut self, parameters: &[&str], out: &mut Vec<Order>) {
        let (phantom, first) = (self.game == "phantom-go", parameters.first().copied().unwrap_or_default());
        out.extend(match read_move(self.game, &parameters.join(" ")) {
            // A game that starts from a position: there is no last move to tell.
            None if first.is_empty() => None,
            Some(ply) if !phantom || ply == "pass" => Some(Order::Learn(Event::Ply { ply })),
            _ if phantom && first.eq_ignore_ascii_case("go") => Some(Order::Learn(Event::HiddenPly)),
            _ => Some(Order::Lost),
        });
        self.retries = 0;
    }

    /// A ply of its own, chosen or played for it.
    fn played(&mut self, ply: &str, out: &mut Vec<Order>) {
        if self.game == "phantom-go" && ply != "pass" {
            self.pending = Some(ply.to_owned());
        } else {
            out.push(Order::Learn(Event::Ply { ply: ply.to_owned() }));
        }
    }

    /// A message after `opening`: what it says is learned and not answered, but for `go`.
    fn opening(&mut self, message: &[&str], out: &mut Vec<Order>) {
        match message {
            ["new", seat, ..] => {
                self.new_game(seat, out);
            }
            ["played", parameters @ ..] => {
                self.played(parameters.get(usize::from(self.game == "dots")).copied().unwrap_or_default(), out);
            }
            ["move", parameters @ ..] => self.learn_move(parameters, out),
            ["refuse", ..] => out.extend(self.pending.take().map(|ply| Order::Learn(Event::Refused { ply }))),
            ["go", ..] => Self::think(out),
            _ => {}
        }
    }
}

impl EngineEnd for SauEngine {
    fn line(&mut self, line: &str, out: &mut Vec<Order>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (command, parameters) = words.split_first().map_or(("", &[] as &[&str]), |(first, rest)| (*first, rest));
        let phantom = self.game == "phantom-go";
        match command {
            "name?" => out.push(Order::Say(format!("name {}", written_name(&self.name)))),
            "opening" => self.opening(parameters, out),
            "new" => {
                let seat = self.new_game(parameters.first().copied().unwrap_or_default(), out);
                if seat == Side::Black {
                    Self::think(out);
                }
            }
            "move" => {
                self.learn_move(parameters, out);
                Self::think(out);
            }
            "accept" | "access" => {
                if let Some(ply) = self.pending.take() {
                    out.push(Order::Learn(Event::Ply { ply }));
                }
            }
            "refuse" => {
                if let Some(ply) = self.pending.take() {
                    out.push(Order::Learn(Event::Refused { ply }));
                    Self::think(out);
                }
            }
            "take" | "taked" => {
                let list = parameters.get(1).copied().unwrap_or_default();
                let points = list.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned()).collect();
                out.push(Order::Learn(if command == "take" {
                    Event::Captured { points }
                } else {
                    Event::Lost { points }
                }));
            }
            "error" => {
                self.retries += 1;
                if phantom {
                    self.pending = None;
                } else {
                    out.push(Order::Forget);
                }
                // An engine whose idea of the game is wrong would be asked for ever.
                if self.retries <= 3 {
                    Self::think(out);
                }
            }
            "quit" => out.push(Order::Quit),
            _ => {}
        }
    }

    fn chosen(&mut self, ply: &str, out: &mut Vec<Order>) {
        let parameters = if self.game == "dots" { format!("{} {ply}", ply.len() / 3) } else { ply.to_owned() };
        out.push(Order::Say(format!("move {parameters}")));
        self.played(ply, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_useful_line_has_its_word_anywhere() {
        let after_word = |line, word| after_words(line, word).next();
        assert_eq!(after_word("move AB", "move"), Some("AB"));
        assert_eq!(after_word("thinking... move AB", "move"), Some("AB"));
        assert_eq!(after_word("[info]move\tAB", "move"), Some("AB"));
        assert_eq!(after_word("remove AB", "move"), None);
        assert_eq!(after_word("moved AB", "move"), None);
        assert_eq!(after_word("move", "move"), None);
        assert_eq!(after_word("remove move  AB", "move"), Some("AB"));
        assert_eq!(after_word("深度 8 move AB", "move"), Some("AB"));
    }

    #[test]
    fn an_answer_to_the_last_game_is_not_one_to_the_next() {
        let setup = Setup {
            game: "nogo",
            variant: Value::Null,
            seat: Side::White,
            clock: Clock::default(),
            memory: None,
            options: Value::Null,
        };
        let (mut end, mut out) = (Sau.referee_end(setup).unwrap(), Vec::new());
        end.open(&mut out);
        end.line("name X", &mut out);
        end.begin(&mut out);
        end.over(Outcome::Lost, &mut out);
        end.again(Side::Black, &mut out);
        out.clear();
        end.line("move AA", &mut out);
        assert_eq!(out, [Act::Remark(Remark::OutOfTurn("move AA".to_owned()))]);
        end.line("name X", &mut out);
        assert_eq!(out[2], Act::Ready);
    }

    #[test]
    fn a_move_is_read_leniently() {
        let read = |game, parameters| read_move(game, parameters).unwrap();
        assert_eq!(read("connect6", "JJ@@ garbage"), "JJ@@");
        assert_eq!(read("connect6", "JJ KK"), "JJKK");
        assert_eq!(read("connect6", "JJ"), "JJ");
        assert_eq!(read("amazons", "AG AF AE"), "AGAFAE");
        assert_eq!(read("dots", "2 AAABAB"), "AAABAB");
        assert_eq!(read("dots", "2 AAABABCCC"), "AAABAB");
        assert_eq!(read("dots", "2 AAA BAB"), "AAABAB");
        assert_eq!(read("dots", "AAA"), "AAA");
        assert_eq!(read("phantom-go", "PASS"), "pass");
        assert_eq!(read("nogo", "EE (best)"), "EE");
        assert_eq!(read("nogo", "ZZ"), "ZZ", "off the board is for the rules to say");
    }

    #[test]
    fn what_has_not_the_form_of_a_move_is_none() {
        let none = [
            ("nogo", ""),
            ("nogo", "?!"),
            ("nogo", "A1"),
            ("nogo", "ordering"),
            ("nogo", "-1,-1"),
            ("amazons", "AGAF"),
            ("surakarta", "AG"),
            ("connect6", "JJK"),
            ("connect6", "ordering"),
            ("dots", "3 AAA"),
            ("dots", "0 "),
            ("dots", "AAAB"),
        ];
        for (game, parameters) in none {
            assert_eq!(read_move(game, parameters), None, "{game}: {parameters}");
        }
    }
}
