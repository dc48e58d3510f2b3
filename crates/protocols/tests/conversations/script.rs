//! Conversations as scripts that are played against one end of a protocol.
//!
//! A script has one thing a line, and what the end does must be exactly what the script says it does:
//!
//! ```text
//! ! turn          something happens to the referee's end (see `RefereeScript::happen`)
//! > name?         the referee sends
//! < name Foo      the engine sends
//! = ready         the referee's end concludes something
//! * think         the engine's end makes its player do something
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use games::{Event, Eyes, Side, Table};
use protocols::{Act, Clock, Outcome, Player, RefereeEnd, Remark, Retry, Setup, Speaker, ThinkLimits};
use serde_json::{Value, json};

/// The lines of a script, without indentation and empty lines.
fn lines(script: &str) -> Vec<&str> {
    script.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// A referee's end and the board it sits at.
pub(crate) struct RefereeScript {
    end: Box<dyn RefereeEnd>,
    table: Box<dyn Table>,
    seat: Side,
}

impl RefereeScript {
    /// The referee's end for an engine on this seat, in the game's usual protocol.
    pub(crate) fn new(game: &str, seat: Side) -> Self {
        Self::with(game, seat, &Value::Null, Value::Null, Clock::default(), None)
    }

    /// The same with everything there is to choose.
    pub(crate) fn with(
        game: &str,
        seat: Side,
        variant: &Value,
        options: Value,
        clock: Clock,
        memory: Option<u64>,
    ) -> Self {
        let listing = games::find(game).unwrap();
        let table = listing.open(variant, None).unwrap();
        let game = listing.facts().id;
        let setup = Setup { game, variant: table.variant(), seat, clock, memory, options };
        let end = protocols::find(game, None).unwrap().referee_end(setup).unwrap();
        Self { end, table, seat }
    }

    /// Plays the script; what is sent and concluded must be what it says.
    #[track_caller]
    pub(crate) fn play(&mut self, script: &str) -> &mut Self {
        let wanted = lines(script);
        let mut heard = Vec::new();
        for line in &wanted {
            let mut acts = Vec::new();
            match line.split_at(1) {
                ("!", what) => {
                    heard.push((*line).to_owned());
                    let answer = self.happen(what.trim(), &mut acts);
                    heard.extend(acts.drain(..).flat_map(written));
                    heard.extend(answer);
                }
                ("<", said) => {
                    heard.push((*line).to_owned());
                    self.end.line(said.strip_prefix(' ').unwrap_or(said), &mut acts);
                    heard.extend(acts.drain(..).flat_map(written));
                }
                _ => {}
            }
        }
        assert_eq!(heard.join("\n"), wanted.join("\n"));
        self
    }

    /// Lets something happen; gives what the end answers beside its acts.
    fn happen(&mut self, what: &str, out: &mut Vec<Act>) -> Option<String> {
        let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
        match word {
            "open" => self.end.open(out),
            "begin" => self.end.begin(out),
            "begin-led" => self.end.begin_led(out),
            // A ply nobody at the board chose, in the notation of whoever is to move.
            "lead" => {
                let mover = self.table.to_move();
                self.table.play(rest, Eyes::Seat(mover)).unwrap();
                self.end.lead(mover == self.seat, &self.table.learned(self.seat), out);
            }
            "can-be-led" => return Some(format!("= {}", self.end.can_be_led())),
            "timer" => self.end.timer(out),
            "close" => self.end.close(out),
            // `turn`, or `turn 179955` with the milliseconds that are left.
            "turn" => {
                let left = rest.parse().ok().map(Duration::from_millis);
                self.end.turn(Clock { turn: None, left }, out);
            }
            // A ply of whoever is to move, in his notation.
            "play" => {
                let mover = self.table.to_move();
                self.table.play(rest, Eyes::Seat(mover)).unwrap();
                self.end.learned(mover == self.seat, &self.table.learned(self.seat), out);
            }
            "illegal" => {
                let fault = self.table.play(rest, Eyes::Seat(self.table.to_move())).unwrap_err();
                let retry = match self.end.illegal(out) {
                    Retry::Again => "again",
                    Retry::Never => "never",
                };
                return Some(format!("= {} {retry}", fault.reason.code));
            }
            "over" => {
                let outcome = match rest {
                    "won" => Outcome::Won,
                    "lost" => Outcome::Lost,
                    "drawn" => Outcome::Drawn,
                    "aborted" => Outcome::Aborted,
                    _ => panic!("no outcome {rest:?}"),
                };
                self.end.over(outcome, out);
            }
            "again" => {
                self.seat = if rest == "white" { Side::White } else { Side::Black };
                self.table = games::find(self.table.facts().id).unwrap().open(&self.table.variant(), None).unwrap();
                self.end.again(self.seat, out);
            }
            "take-back" => {
                let plies = rest.parse().unwrap();
                for _ in 0..plies {
                    assert!(self.table.undo());
                }
                return Some(format!("= taken back: {}", self.end.take_back(plies, out)));
            }
            "awaits" => return Some(format!("= {:?}", self.end.awaits()).to_lowercase()),
            _ => panic!("the script says {what:?}"),
        }
        None
    }
}

/// An act as a script writes it.
fn written(act: Act) -> Vec<String> {
    let one = |text: String| vec![text];
    match act {
        Act::Send(lines) => lines.split('\n').map(|line| format!("> {line}")).collect(),
        Act::Named(name) => one(format!("= named {name}")),
        Act::Ready => one("= ready".to_owned()),
        Act::Ply(ply) => one(format!("= ply {ply}")),
        Act::Remark(Remark::Message(text)) => one(format!("= message {text}")),
        Act::Remark(Remark::Debug(text)) if text.len() > 100 => one(format!("= debug of {} bytes", text.len())),
        Act::Remark(Remark::Debug(text)) => one(format!("= debug {text}")),
        Act::Remark(Remark::Complaint(text)) => one(format!("= complaint {text}")),
        Act::Remark(Remark::Noise(text)) => one(format!("= noise {text}")),
        Act::Remark(Remark::Unreadable(text)) => one(format!("= unreadable {text}")),
        Act::Remark(Remark::OutOfTurn(text)) => one(format!("= out of turn {text}")),
        Act::Foul(reason) => one(format!("= foul {}", reason.code)),
        Act::Score(score) => one(format!("= score {score}")),
        Act::Reload => one("= reload".to_owned()),
        Act::Timer(after) => one(format!("= timer {} ms", after.as_millis())),
    }
}

/// What both the engine's lines and its player's doings go into, in their order.
type Heard = Arc<Mutex<Vec<String>>>;

/// A player that plays what it is told to and writes down what happens to it.
struct Scripted {
    plies: VecDeque<&'static str>,
    heard: Heard,
}

impl Scripted {
    fn note(&self, text: String) {
        self.heard.lock().unwrap().push(text);
    }
}

impl Player for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        let variant = if variant.is_null() { String::new() } else { format!(" {variant}") };
        let position = position.map(|text| format!(" at {text}")).unwrap_or_default();
        self.note(format!("* new {seat}{variant}{position}"));
    }

    fn learn(&mut self, event: &Event) {
        let text = match event {
            Event::Ply { ply } => ply.clone(),
            Event::HiddenPly => "hidden ply".to_owned(),
            Event::Refused { ply } => format!("refused {ply}"),
            Event::Captured { points } => format!("captured {}", points.join(" ")),
            Event::Lost { points } => format!("lost {}", points.join(" ")),
            Event::Contact { result } => format!("contact {}", json!(result).as_str().unwrap()),
            Event::FlagShown { point } => format!("flag at {point}"),
        };
        self.note(format!("* learn {text}"));
    }

    fn forget(&mut self) {
        self.note("* forget".to_owned());
    }

    fn think(&mut self, limits: ThinkLimits) -> String {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis().to_string());
        let told = [
            milliseconds(limits.turn).map(|time| format!(" turn {time}")),
            milliseconds(limits.left).map(|time| format!(" left {time}")),
            limits.memory.map(|memory| format!(" memory {memory}")),
        ];
        self.note(format!("* think{}", told.into_iter().flatten().collect::<String>()));
        self.plies.pop_front().expect("the script has another ply").to_owned()
    }
}

/// Plays a script against the engine's end of a game's usual protocol, with a player that plays these plies.
#[track_caller]
pub(crate) fn engine(game: &str, plies: &[&'static str], script: &str) {
    let heard = Heard::default();
    let player = Scripted { plies: plies.iter().copied().collect(), heard: Arc::clone(&heard) };
    let id = games::find(game).unwrap().facts().id;
    let mut speaker = Speaker::new(protocols::find(id, None).unwrap().engine_end(id, "scripted"), Box::new(player));
    let wanted = lines(script);
    for line in wanted.iter().filter_map(|line| line.strip_prefix('>')) {
        heard.lock().unwrap().push(format!(">{line}"));
        let said = Arc::clone(&heard);
        let going = speaker.line(line.trim_start(), |answer| said.lock().unwrap().push(format!("< {answer}")));
        if !going {
            heard.lock().unwrap().push("* leaves".to_owned());
        }
    }
    assert_eq!(heard.lock().unwrap().join("\n"), wanted.join("\n"));
}
