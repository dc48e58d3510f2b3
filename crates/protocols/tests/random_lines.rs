//! Ten thousand random lines to each end of each protocol in each game: no panic, and what comes back is bounded.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use games::{Event, Side};
use protocols::{Act, Clock, Outcome, PROTOCOLS, Protocol, RefereeEnd, Remark, Setup, Speaker};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde_json::Value;

const LINES: usize = 10_000;
/// The most acts one line may cause, and the most text beyond what the line itself holds.
const MOST_ACTS: usize = 8;
const MOST_TEXT: usize = 8 << 10;

/// Words of all protocols, points of all games, and what breaks careless readers.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "move", "name", "name?", "new", "black", "white", "error", "refuse", "accept", "take", "taked", "end", "quit", "pass", "go",
    "OK", "ERROR", "UNKNOWN", "SUGGEST", "PLAY", "MESSAGE", "DEBUG", "START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD",
    "DONE", "SWAP2BOARD", "SWAP", "TAKEBACK", "INFO", "ABOUT", "END", "timeout_turn", "time_left", "rule", "fb_check",
    "INFORMATION", "NAME", "ARRAY", "BESTMOVE", "GO", "RESULT", "PLACE", "name=\"", "version=", "=", "\"",
    "AA", "JJ@@", "ABCD", "AGAFAE", "1 AAA", "2 AAABAB", "A0B0", "AOBO", "0000", "00", "L1", "hhijdgaklfgcbdefgjceikhij",
    "opening", "played", "OPENING", "+openings", "0", "1", "2", "3", "15", "20", "7,7", "7,7,1", "8,8,2", "4 0 1", "2 0 0", "-1", "+1", "-1,-1", ",", ",,", "999999999999,0",
    "99999999999999999999999", "2147483648", "", " ", "\t", "\u{feff}", "é", "博弈", "移动", "\u{1F600}", "名",
];

/// A line: words of the protocols in any order, text of any script, or one that is far too long.
fn random_line(rng: &mut Xoshiro256PlusPlus) -> String {
    let mut below = |count: u64| rng.next_u64() % count;
    match below(20) {
        0 => "x".repeat(64 << 10),
        1 => format!("move {}", "博".repeat(20 << 10)),
        2..=4 => (0..below(60)).map(|_| char::from(b' ' + below(95) as u8)).collect(),
        5 | 6 => (0..below(40)).map(|_| char::from_u32(below(0x11_0000) as u32).unwrap_or('\u{fffd}')).collect(),
        _ => {
            let mut line = String::new();
            for _ in 0..=below(4) {
                line.push_str(WORDS[below(WORDS.len() as u64) as usize]);
                line.push_str([" ", " ", " ", ",", ""][below(5) as usize]);
            }
            line
        }
    }
}

/// How far a scripted conversation has come before the random lines begin.
const STAGES: usize = 10;

/// The referee's end after the first steps of a conversation.
fn led_to(protocol: &dyn Protocol, game: &'static str, stage: usize, seat: Side) -> Box<dyn RefereeEnd> {
    let table = games::find(game).unwrap().open(&Value::Null, None).unwrap();
    let setup =
        Setup { game, variant: table.variant(), seat, clock: Clock::default(), memory: None, options: Value::Null };
    let (mut end, mut out) = (protocol.referee_end(setup).unwrap(), Vec::new());
    let event = |ply: &str| [Event::Ply { ply: ply.to_owned() }];
    for step in 0..stage {
        match step {
            0 => end.open(&mut out),
            1 => {
                for hello in ["OK", "name X", "name=\"X\""] {
                    if protocol.facts().id != "tiaojia" || hello == "OK" {
                        end.line(hello, &mut out);
                    }
                }
            }
            2 => end.begin(&mut out),
            3 => end.turn(Clock::default(), &mut out),
            4 => {
                end.illegal(&mut out);
            }
            5 => end.learned(true, &event("7,7"), &mut out),
            6 => end.learned(false, &event("8,8"), &mut out),
            7 => end.turn(Clock::default(), &mut out),
            8 => end.over(Outcome::Lost, &mut out),
            _ => end.again(seat.other(), &mut out),
        }
    }
    end
}

/// The text an act holds.
fn text_of(act: &Act) -> usize {
    match act {
        Act::Send(text) | Act::Named(text) | Act::Ply(text) => text.len(),
        Act::Remark(
            Remark::Message(text)
            | Remark::Debug(text)
            | Remark::Complaint(text)
            | Remark::Noise(text)
            | Remark::Unreadable(text)
            | Remark::OutOfTurn(text),
        ) => text.len(),
        Act::Ready | Act::Score(_) | Act::Foul(_) | Act::Reload | Act::Timer(_) => 0,
    }
}

fn every_conversation(mut talk: impl FnMut(&'static dyn Protocol, &'static str)) {
    for protocol in PROTOCOLS {
        for game in protocol.facts().games {
            talk(*protocol, game);
        }
    }
}

#[test]
fn the_referees_end_survives_any_engine() {
    every_conversation(|protocol, game| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut out = Vec::new();
        // Some lines in a row, because the first may bring the end into a state of its own.
        for round in 0..LINES / 5 {
            let (stage, seat) = (round % (STAGES + 1), Side::BOTH[round / (STAGES + 1) % 2]);
            let mut end = led_to(protocol, game, stage, seat);
            for _ in 0..5 {
                let line = random_line(&mut rng);
                out.clear();
                end.line(&line, &mut out);
                let text: usize = out.iter().map(text_of).sum();
                // What is kept of a stranger's line is cut, but for Tiaojia's DEBUG, which has a larger measure.
                assert!(out.len() <= MOST_ACTS && text <= 2 * MOST_TEXT, "{game}, stage {stage}: {line:.80}: {text}");
            }
            end.timer(&mut out);
            end.close(&mut out);
        }
    });
}

#[test]
fn the_engines_end_survives_any_referee() {
    every_conversation(|protocol, game| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let player = engines::player(games::find(game).unwrap(), engines::Style::Random, 3);
        let mut speaker = Speaker::new(protocol.engine_end(game, "X"), player);
        for number in 0..LINES {
            let line = random_line(&mut rng);
            let (mut said, mut text) = (0, 0);
            speaker.line(&line, |answer| {
                said += 1;
                text += answer.len();
            });
            // PLAY is answered by its own point, so an answer may be as long as the line.
            assert!(
                said <= MOST_ACTS && text <= line.len() + MOST_TEXT,
                "{game}, {number}: {line:.80}: {said}, {text}"
            );
        }
    });
}

/// A real conversation between the two ends, with a random line slipped in now and then.
#[test]
fn a_disturbed_conversation_goes_on() {
    every_conversation(|protocol, game| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut lines = 0;
        while lines < LINES / 5 {
            let mut end = led_to(protocol, game, 0, Side::Black);
            let player = engines::player(games::find(game).unwrap(), engines::Style::Random, rng.next_u64());
            let mut speaker = Speaker::new(protocol.engine_end(game, "X"), player);
            let mut acts = Vec::new();
            end.open(&mut acts);
            for _ in 0..100 {
                lines += 1;
                let mut heard = Vec::new();
                for act in acts.drain(..) {
                    if let Act::Send(text) = act {
                        for line in text.split('\n') {
                            speaker.line(line, |answer| heard.push(answer.to_owned()));
                        }
                    }
                }
                if rng.next_u64().is_multiple_of(4) {
                    speaker.line(&random_line(&mut rng), |answer| heard.push(answer.to_owned()));
                    heard.push(random_line(&mut rng));
                }
                heard.iter().for_each(|line| end.line(line, &mut acts));
                match rng.next_u64() % 6 {
                    0 => end.begin(&mut acts),
                    1 | 2 => end.turn(Clock::default(), &mut acts),
                    3 => end.learned(true, &[Event::Ply { ply: "AA".to_owned() }], &mut acts),
                    4 => end.learned(false, &[Event::Ply { ply: "BB".to_owned() }], &mut acts),
                    _ => {
                        end.illegal(&mut acts);
                    }
                }
            }
        }
    });
}
