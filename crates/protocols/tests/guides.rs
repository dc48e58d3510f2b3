//! The conversations in the guides (`crates/arena/guides`): boyi's own end of the protocol sends exactly what they say,
//! and takes what their engines answer.

use std::path::Path;
use std::time::Duration;

use games::{End, Eyes, Side, Table, read_pairs};
use protocols::{Act, Awaits, Clock, Outcome, RefereeEnd, Retry, Setup};
use serde_json::Value;

const CLOCK: Clock = Clock { turn: Some(Duration::from_secs(5)), left: None };

/// One conversation: what is left of its lines, the end of the protocol it is held against, and the board.
struct Talk<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
    end: Box<dyn RefereeEnd>,
    table: Box<dyn Table>,
    seat: Side,
}

impl<'a> Talk<'a> {
    fn new(game: &str, fence: &str, lines: Vec<&'a str>) -> Self {
        let (seat, variant) = fence.split_once(' ').unwrap_or((fence, ""));
        let seat = match seat {
            "seat=black" => Side::Black,
            "seat=white" => Side::White,
            _ => panic!("{game}: no seat {seat:?}"),
        };
        let listing = games::find(game).expect("registered");
        let table = listing.open(&read_pairs(variant.split_whitespace()).expect("pairs"), None).expect("options");
        let game = listing.facts().id;
        let setup = Setup { game, variant: table.variant(), seat, clock: CLOCK, memory: None, options: Value::Null };
        let protocol = protocols::find(game, None).expect("a protocol");
        let end = protocol.referee_end(setup).expect("no options");
        Self { lines: lines.into_iter().peekable(), end, table, seat }
    }

    /// The next line that is no remark, without taking it.
    fn ahead(&mut self) -> Option<&'a str> {
        let is_remark = |line: &&str| line.starts_with('#');
        while self.lines.next_if(is_remark).is_some() {}
        self.lines.peek().copied()
    }

    /// Does something with the protocol's end and compares what it sends; gives the other acts.
    fn act(&mut self, what: impl FnOnce(&mut dyn RefereeEnd, &mut Vec<Act>)) -> Vec<Act> {
        let mut acts = Vec::new();
        what(self.end.as_mut(), &mut acts);
        let (sent, others): (Vec<Act>, Vec<Act>) = acts.into_iter().partition(|act| matches!(act, Act::Send(_)));
        for act in sent {
            let Act::Send(text) = act else { continue };
            for line in text.split('\n') {
                assert_eq!(self.ahead(), Some(format!("> {line}").as_str()));
                self.lines.next();
            }
        }
        others
    }

    /// Lets the engine say its lines until one of them brings about what is looked for.
    fn hear<T>(&mut self, mut found: impl FnMut(&Act) -> Option<T>) -> T {
        loop {
            let line = self.ahead().and_then(|line| line.strip_prefix("< ")).expect("an answer of the engine");
            self.lines.next();
            if let Some(found) = self.act(|end, out| end.line(line, out)).iter().find_map(&mut found) {
                return found;
            }
        }
    }

    /// What the engine answers before the first clock starts.
    fn settle(&mut self) {
        while self.end.awaits() == Awaits::Calm {
            let line = self.ahead().and_then(|line| line.strip_prefix("< ")).expect("an answer of the engine");
            self.lines.next();
            self.act(|end, out| end.line(line, out));
        }
    }

    fn is_ending(&mut self) -> bool {
        self.ahead().is_none_or(|line| line.to_ascii_lowercase().starts_with("> end"))
    }

    /// The opponent's ply: what follows the arrow of a remark, else what the engine is told next.
    fn reply(&mut self) -> (String, Side) {
        while let Some(line) = self.lines.next_if(|line| line.starts_with('#')) {
            if let Some((_, ply)) = line.rsplit_once('→') {
                return (ply.trim().to_owned(), self.seat.other());
            }
        }
        let line = self.lines.peek().and_then(|line| line.strip_prefix("> ")).expect("a message");
        let words: Vec<&str> = line.split(' ').collect();
        let ply = match words.as_slice() {
            ["move", ply] | ["move", _, ply] | ["TURN", ply] | ["GO", ply, ..] => (*ply).to_owned(),
            ["PLACE", numbers @ ..] => numbers.join(" "),
            // Before a request comes the clock.
            ["INFO", ..] => {
                let turn = self.lines.clone().find_map(|line| line.strip_prefix("> TURN ")).expect("TURN");
                turn.to_owned()
            }
            _ => panic!("{line:?} tells no ply"),
        };
        (ply, self.seat)
    }

    fn own_turn(&mut self) {
        self.act(|end, out| end.turn(CLOCK, out));
        loop {
            let ply = self.hear(|act| if let Act::Ply(ply) = act { Some(ply.clone()) } else { None });
            match self.table.play(&ply, Eyes::Seat(self.seat)) {
                Ok(played) => {
                    self.learn(true);
                    // A refused try is told in the same way, and the turn goes on.
                    if !matches!(played.end, End::Refused(_)) {
                        return;
                    }
                    self.act(|end, out| end.turn(CLOCK, out));
                }
                Err(_) => {
                    let mut retry = Retry::Never;
                    self.act(|end, out| retry = end.illegal(out));
                    assert_eq!(retry, Retry::Again, "{ply} loses");
                }
            }
        }
    }

    fn learn(&mut self, own: bool) {
        let events = self.table.learned(self.seat);
        self.act(|end, out| end.learned(own, &events, out));
    }

    fn play(mut self) {
        self.act(|end, out| end.open(out));
        self.hear(|act| matches!(act, Act::Ready).then_some(()));
        self.settle();
        self.act(|end, out| end.begin(out));
        self.settle();
        loop {
            let over = self.table.verdict();
            if over.is_some() {
                assert!(self.is_ending(), "the game is over, but {:?} follows", self.ahead());
            } else if self.table.to_move() != self.seat && !self.is_ending_after_remarks() {
                let (ply, eyes) = self.reply();
                self.table.play(&ply, Eyes::Seat(eyes)).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
                self.learn(false);
                continue;
            } else if !self.is_ending() {
                self.own_turn();
                continue;
            }
            // A game that the rules have not ended was lost by the opponent: by time, a crash, illegal moves.
            let winner = over.map_or(Some(self.seat), |verdict| verdict.winner);
            let outcome = match winner {
                Some(winner) if winner == self.seat => Outcome::Won,
                Some(_) => Outcome::Lost,
                None => Outcome::Drawn,
            };
            self.act(|end, out| end.over(outcome, out));
            self.act(|end, out| end.close(out));
            assert_eq!(self.ahead(), None);
            return;
        }
    }

    /// The same as [`Self::is_ending`], with the remarks left where they are: one of them may tell a ply.
    fn is_ending_after_remarks(&self) -> bool {
        let mut rest = self.lines.clone();
        if rest.clone().take_while(|line| line.starts_with('#')).any(|line| line.contains('→')) {
            return false;
        }
        rest.find(|line| !line.starts_with('#')).is_none_or(|line| line.to_ascii_lowercase().starts_with("> end"))
    }
}

#[test]
fn boyi_talks_as_the_guides_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arena/guides");
    for game in games::GAMES {
        let id = game.facts().id;
        for language in ["en", "zh"] {
            let text = std::fs::read_to_string(folder.join(format!("{id}.{language}.md"))).unwrap();
            let mut talks = 0;
            for block in text.split("\n```talk ").skip(1) {
                let (fence, rest) = block.split_once('\n').unwrap();
                let lines: Vec<&str> = rest.lines().take_while(|line| !line.starts_with("```")).collect();
                assert!(lines.iter().all(|line| line.starts_with(['<', '>', '#'])), "{id} {language}: {lines:?}");
                Talk::new(id, fence, lines).play();
                talks += 1;
            }
            assert!(talks > 0, "{id} {language} has no conversation");
        }
    }
}
