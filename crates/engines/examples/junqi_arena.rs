//! The player of Junqi against any program that speaks the Junqi protocol 1.0, inside one program so that nothing else need be built:
//! `cargo run --profile quick -p engines --example junqi_arena -- A 'COMMAND …' [games] [journal]`.
//!
//! A is the name of a style, `n5000` (so many positions a ply), or `t100` (so many milliseconds a ply). Both colours in turn.
//! Games are kept in the journal as `boyi match --dir` keeps them. For quick looks; `boyi match` is what counts.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use engines::Settings;
use engines::kit::Strength;
use games::{Contact, Event, Eyes, Side};
use protocols::{Player, ThinkLimits};
use serde_json::{Value, json};

/// A program that speaks the protocol.
struct Outsider {
    command: String,
    process: Option<(Child, BufReader<ChildStdout>)>,
    seat: Side,
    set_up: bool,
    /// What was learned since it was asked last.
    news: Vec<Event>,
    /// Whose ply the next one learned is.
    own: bool,
}

impl Outsider {
    fn say(&mut self, line: &str) {
        if let Some((process, _)) = &mut self.process
            && let Some(input) = &mut process.stdin
        {
            writeln!(input, "{line}").and_then(|()| input.flush()).expect("the program listens");
        }
    }

    /// The rest of its next line that begins with this word.
    fn hear(&mut self, word: &str) -> String {
        let mut line = String::new();
        while let Some((_, output)) = &mut self.process {
            line.clear();
            if output.read_line(&mut line).expect("the program speaks") == 0 {
                return String::new();
            }
            if let Some(rest) = line.trim().strip_prefix(word) {
                return rest.trim().to_owned();
            }
        }
        line
    }

    fn end(&mut self) {
        self.say("END 0");
        if let Some((mut process, _)) = self.process.take() {
            drop(process.stdin.take());
            process.wait().expect("the program ends");
        }
    }
}

impl Player for Outsider {
    fn name(&self) -> String {
        self.command.clone()
    }

    fn new_game(&mut self, _variant: &Value, seat: Side, _position: Option<&str>) {
        self.end();
        let mut words = self.command.split_whitespace();
        let mut process = Command::new(words.next().expect("a program"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program that runs");
        let output = BufReader::new(process.stdout.take().expect("its output"));
        self.process = Some((process, output));
        (self.seat, self.set_up, self.own) = (seat, false, seat == Side::Black);
        self.news.clear();
        self.say("INFO 1.0");
        self.hear("NAME");
    }

    fn learn(&mut self, event: &Event) {
        self.news.push(event.clone());
    }

    fn forget(&mut self) {}

    fn think(&mut self, _limits: ThinkLimits) -> String {
        if !self.set_up {
            self.set_up = true;
            self.news.clear();
            self.say(&format!("START {} 1800 31", self.seat.index()));
            return self.hear("ARRAY");
        }
        let mut asked = false;
        let news = std::mem::take(&mut self.news);
        for (index, event) in news.iter().enumerate() {
            let Event::Ply { ply } = event else { continue };
            if ply.len() != 4 {
                continue;
            }
            let (mut result, mut flag) = (3, "00");
            for event in news[index + 1..].iter().take_while(|event| !matches!(event, Event::Ply { .. })) {
                match event {
                    Event::Contact { result: contact } => {
                        result = match contact {
                            Contact::Lost => 0,
                            Contact::Won => 1,
                            Contact::Both => 2,
                            Contact::Nobody => 3,
                        }
                    }
                    Event::FlagShown { point } => flag = point,
                    _ => {}
                }
            }
            if self.own {
                self.say(&format!("RESULT {result} {flag}"));
            } else {
                self.say(&format!("GO {ply} {result} {flag}"));
                asked = true;
            }
            self.own = !self.own;
        }
        if !asked {
            self.say("GO 0000 0 00");
        }
        self.hear("BESTMOVE")
    }
}

fn turned(ply: &str) -> String {
    let station = |bytes: &[u8]| format!("{}{}", (b'A' + b'L' - bytes[0]) as char, (b'0' + b'4' - bytes[1]) as char);
    let bytes = ply.as_bytes();
    if bytes.len() == 4 { station(&bytes[..2]) + &station(&bytes[2..]) } else { ply.to_owned() }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |index: usize, usual: &str| arguments.get(index).cloned().unwrap_or_else(|| usual.to_owned());
    let game = games::find("junqi").expect("a game");
    let (name, command) = (given(0, "t100"), given(1, ""));
    let count: usize = given(2, "20").parse().expect("a number of games");
    let number = |prefix| name.strip_prefix(prefix).and_then(|rest: &str| rest.parse::<u64>().ok());
    let turn = Duration::from_millis(number('t').unwrap_or(600_000));
    let limits = ThinkLimits { turn: Some(turn), ..ThinkLimits::default() };
    let mut endings: BTreeMap<String, u32> = BTreeMap::new();
    let mut scores = [0; 3];
    let mut journal = String::new();
    let (mut plies, mut time) = (0_u32, [Duration::ZERO; 2]);
    let mut outsider =
        Outsider { command, process: None, seat: Side::White, set_up: false, news: Vec::new(), own: false };
    for round in 0..count {
        let settings = Settings { memory: 64 << 20, ..Settings::with_seed(round as u64) };
        let mut ours: Box<dyn Player> = match (number('n'), number('t')) {
            (None, None) => engines::player_with(game, engines::style(&name).expect("a player"), &settings),
            (Some(nodes), _) => Box::new(engines::junqi::player(name.clone(), Strength::of(nodes, 0), &settings)),
            _ => Box::new(engines::junqi::player(name.clone(), Strength::FULL, &settings)),
        };
        let our_side = Side::BOTH[round % 2];
        let mut table = game.open(&Value::Null, None).expect("the usual variant");
        ours.new_game(&table.variant(), our_side, None);
        outsider.new_game(&table.variant(), our_side.other(), None);
        let mut record = Vec::new();
        let mut fault = None;
        while table.verdict().is_none() {
            let side = table.to_move();
            let began = Instant::now();
            let player: &mut dyn Player = if side == our_side { ours.as_mut() } else { &mut outsider };
            let ply = player.think(limits);
            time[usize::from(side != our_side)] += began.elapsed();
            plies += 1;
            let Ok(played) = table.play(&ply, Eyes::Seat(side)) else {
                fault = Some((side.other(), format!("illegal {ply:?}")));
                break;
            };
            let mover = if side == Side::Black { "black" } else { "white" };
            let referees = if side == Side::White { turned(&ply) } else { ply };
            record.push(json!({"mover": mover, "ply": referees}));
            for seat in [played.mover, played.mover.other()] {
                for event in table.learned(seat) {
                    if seat == our_side { ours.learn(&event) } else { outsider.learn(&event) }
                }
            }
        }
        let (winner, why) = fault.unwrap_or_else(|| {
            let verdict = table.verdict().expect("the end");
            (verdict.winner.unwrap_or(our_side), verdict.reason.code.to_owned())
        });
        let drawn = table.verdict().is_some_and(|verdict| verdict.winner.is_none());
        let result = if drawn {
            1
        } else if winner == our_side {
            0
        } else {
            2
        };
        scores[result] += 1;
        *endings.entry(format!("{} by {why}", ["won", "drawn", "lost"][result])).or_default() += 1;
        let name = if winner == Side::Black { "black" } else { "white" };
        let seats = [usize::from(our_side != Side::Black), usize::from(our_side == Side::Black)];
        let line = json!({"number": round, "black": seats[0], "white": seats[1], "record":
            {"plies": record, "verdict": {"winner": name, "reason": why}}});
        writeln!(journal, "{line}").expect("text");
        if let Some(path) = arguments.get(3) {
            std::fs::write(path, &journal).expect("a journal that can be written");
        }
    }
    outsider.end();
    println!("{} won, {} drawn, {} lost of {count}; {plies} plies, time {time:?}", scores[0], scores[1], scores[2]);
    endings.iter().for_each(|(why, count)| println!("  {count:>4} {why}"));
}
