//! The brain's end of the Gomocup protocol.

use std::fmt::Write as _;
use std::time::Duration;

use games::{Event, Side};
use serde_json::{Value, json};

use super::{RENJU, points_in, read_points};
use crate::ends::{EngineEnd, Order, clipped_to};
use crate::player::ThinkLimits;

/// A time of so many milliseconds, a day, is no limit.
const LONGEST_TIME: i64 = 86_400_000;

/// The bit of the rule that lets a game go on after a five.
const CONTINUOUS: u64 = 2;

/// Where the engine's end is in a list of stones.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
enum Listing {
    #[default]
    No,
    Board,
    Swap2,
}

/// The engine's end.
#[derive(Debug, Default)]
pub(super) struct GomocupEngine {
    name: String,
    width: usize,
    height: usize,
    /// What `INFO rule` said.
    rule: u64,
    /// What `INFO fb_check` said.
    forbidden_points: bool,
    turn: Option<Duration>,
    whole: Option<Duration>,
    left: Option<Duration>,
    memory: Option<u64>,
    /// Whether the player was told of the game.
    playing: bool,
    listing: Listing,
    /// The stones of a BOARD or SWAP2BOARD: x, y, field.
    stones: Vec<(usize, usize, u8)>,
    opening: bool,
    /// What the player has learned since it was told of the game, and can forget again.
    learned: Vec<String>,
}

impl GomocupEngine {
    /// A brain of this name.
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    fn variant(&self, opening: bool) -> Value {
        let opening = if opening { "swap2" } else { "none" };
        // Renju is said by either key, and then it is nothing else.
        let rule = if self.forbidden_points || self.rule & RENJU != 0 { RENJU } else { self.rule };
        json!({ "width": self.width, "height": self.height, "rule": rule, "opening": opening })
    }

    fn learn(&mut self, ply: String, out: &mut Vec<Order>) {
        self.learned.push(ply.clone());
        out.push(Order::Learn(Event::Ply { ply }));
    }

    fn new_game(&mut self, seat: Side, position: Option<String>, out: &mut Vec<Order>) {
        self.playing = true;
        self.opening = false;
        self.learned.clear();
        out.push(Order::New { variant: self.variant(false), seat, position });
    }

    fn think(&self, out: &mut Vec<Order>) {
        out.push(Order::Think(ThinkLimits { turn: self.turn, left: self.left.or(self.whole), memory: self.memory }));
    }

    fn start(&mut self, width: usize, height: usize, out: &mut Vec<Order>) {
        if (5..=22).contains(&width) && (5..=22).contains(&height) {
            (self.width, self.height, self.playing) = (width, height, false);
            out.push(Order::Say("OK".to_owned()));
        } else {
            out.push(Order::Say("ERROR the board must be 5 to 22 wide and high".to_owned()));
        }
    }

    fn info(&mut self, key: &str, value: &str) {
        let number = value.trim().parse::<i64>().ok();
        // Managers have several numbers for "no limit", all of them longer than anybody would wait. What is over, or
        // less than over, is as fast as possible.
        let time =
            number.filter(|&number| number < LONGEST_TIME).map(|number| Duration::from_millis(number.max(1) as u64));
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = time,
            // Here 0 is no limit.
            "timeout_match" => self.whole = time.filter(|_| number > Some(0)),
            "time_left" => self.left = time,
            "max_memory" => {
                self.memory = number.and_then(|number| u64::try_from(number).ok()).filter(|&number| number > 0);
            }
            "rule" => self.rule = number.unwrap_or(0) as u64 & 15,
            "fb_check" => self.forbidden_points = number != Some(0),
            _ => {}
        }
    }

    /// A line inside BOARD … DONE or SWAP2BOARD … DONE.
    fn listed(&mut self, line: &str, out: &mut Vec<Order>) {
        if line.eq_ignore_ascii_case("DONE") {
            match std::mem::take(&mut self.listing) {
                Listing::Swap2 => self.swap2(out),
                _ => self.board(out),
            }
            return;
        }
        let numbers: Vec<usize> = line.split(',').filter_map(|word| word.trim().parse().ok()).collect();
        match numbers[..] {
            // A list that never ends must not fill the memory.
            _ if self.stones.len() >= self.width * self.height => {
                out.push(Order::Say("ERROR more stones than points".to_owned()));
            }
            [x, y, field] if x < self.width && y < self.height => self.stones.push((x, y, field as u8)),
            [x, y] if x < self.width && y < self.height => self.stones.push((x, y, 0)),
            _ => out.push(Order::Say(format!("ERROR {} is not a stone", clipped_to(line, 80)))),
        }
    }

    /// A whole position: the side to move is ours, so our colour is the one that plays next.
    fn board(&mut self, out: &mut Vec<Order>) {
        let stones = std::mem::take(&mut self.stones);
        let placed = stones.iter().filter(|stone| stone.2 != 3).count();
        let seat = if placed.is_multiple_of(2) { Side::Black } else { Side::White };
        // In a game that goes on after a five, field 3 is a stone of a line that has scored and is dead, of either
        // colour.
        let dead = stones.len() - placed;
        let continues = self.rule & CONTINUOUS != 0 && dead >= 5;
        let mut text = String::new();
        games::text::write_rows(&mut text, self.width, self.height, |x, y| {
            stones.iter().rfind(|stone| (stone.0, stone.1) == (x, y)).map(|&(_, _, field)| match field {
                1 => seat.letter(),
                3 if continues => seat.other().letter().to_ascii_uppercase(),
                _ => seat.other().letter(),
            })
        });
        let _ = write!(text, " {} {placed}", seat.letter());
        if continues {
            // How many lines they are is not told; as few as it can be.
            let lines = dead.div_ceil(22);
            let _ = if seat == Side::White { write!(text, " {lines}-0") } else { write!(text, " 0-{lines}") };
        }
        self.new_game(seat, Some(text), out);
        self.think(out);
    }

    fn swap2(&mut self, out: &mut Vec<Order>) {
        let points: Vec<String> = self.stones.drain(..).map(|(x, y, _)| format!("{x},{y}")).collect();
        (self.playing, self.opening) = (true, true);
        self.learned.clear();
        let seat = if points.len() == 3 { Side::White } else { Side::Black };
        out.push(Order::New { variant: self.variant(true), seat, position: None });
        for part in [points.get(..3), points.get(3..5)].into_iter().flatten() {
            self.learn(part.join("+"), out);
        }
        self.think(out);
    }
}

impl EngineEnd for GomocupEngine {
    fn line(&mut self, line: &str, out: &mut Vec<Order>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        if self.listing != Listing::No {
            return self.listed(line, out);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_uppercase().as_str() {
            "START" => {
                // One manager says both sides here, too.
                let mut sides = rest.split_whitespace().map(|side| side.parse().unwrap_or(0));
                let width = sides.next().unwrap_or(0);
                self.start(width, sides.next().unwrap_or(width), out);
            }
            "RECTSTART" => {
                let (width, height) = rest.split_once(',').unwrap_or((rest, ""));
                self.start(width.trim().parse().unwrap_or(0), height.trim().parse().unwrap_or(0), out);
            }
            "RESTART" => {
                self.playing = false;
                out.push(Order::Say("OK".to_owned()));
            }
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.info(key, value);
            }
            "ABOUT" => out.push(Order::Say(format!(
                "name=\"{}\", version=\"{}\", author=\"boyi\", country=\"CN\"",
                self.name,
                env!("CARGO_PKG_VERSION")
            ))),
            "BOARD" | "SWAP2BOARD" if self.width > 0 => {
                self.stones.clear();
                self.listing = if word.eq_ignore_ascii_case("BOARD") { Listing::Board } else { Listing::Swap2 };
            }
            "BEGIN" if self.width > 0 => {
                self.new_game(Side::Black, None, out);
                self.think(out);
            }
            "TURN" if self.width > 0 => {
                if !self.playing {
                    self.new_game(Side::White, None, out);
                }
                match points_in(rest).filter(|points| !points.contains('+')) {
                    Some(ply) => self.learn(ply, out),
                    None => out.push(Order::Lost),
                }
                self.think(out);
            }
            // Stones of a BOARD, or any but the last, cannot be taken back; who is told so shows the board anew.
            "TAKEBACK" if self.playing && self.learned.last() == Some(&read_points(rest)) => {
                self.learned.pop();
                out.push(Order::Forget);
                out.push(Order::Say("OK".to_owned()));
            }
            "PLAY" if self.playing => {
                let ply = read_points(rest);
                out.push(Order::Say(ply.clone()));
                self.learn(ply, out);
            }
            "END" => out.push(Order::Quit),
            "BOARD" | "SWAP2BOARD" | "BEGIN" | "TURN" => out.push(Order::Say("ERROR no START yet".to_owned())),
            _ => out.push(Order::Say(format!("UNKNOWN {}", clipped_to(word, 40)))),
        }
    }

    fn chosen(&mut self, ply: &str, out: &mut Vec<Order>) {
        let said = if self.opening && ply == "swap" { "SWAP".to_owned() } else { ply.replace('+', " ") };
        out.push(Order::Say(said));
        self.learn(ply.to_owned(), out);
    }

    fn complaint(&self, why: &str) -> Option<String> {
        Some(format!("ERROR {why}"))
    }
}
