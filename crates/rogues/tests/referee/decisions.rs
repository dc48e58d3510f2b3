//! Behaviour by behaviour, protocol by protocol, on both seats: who wins and why.

use std::sync::atomic::{AtomicUsize, Ordering};

use games::Side;
use referee::{Decision, GameReport};
use rogues::{BEHAVIOURS, Contest};
use serde_json::{Value, json};

use super::{arena, assert_clean};

/// What a fault leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The very game it plays without the fault.
    SameGame,
    /// Another game, decided by the rules.
    OtherGame,
    /// It loses for this reason at its second turn.
    Loses(&'static str),
    /// It loses for this reason before the first ply.
    LosesAtOnce(&'static str),
    /// Its answer counts, then it loses for this reason.
    LosesAfter(&'static str),
}
use Fate::{Loses, LosesAfter, LosesAtOnce, OtherGame, SameGame};

/// The time for a ply in games that are lost on time. `late 201` is late by a millisecond.
const PLY_MS: u64 = 200;
/// The time to become ready in games that are lost by not being so.
const START_MS: u64 = 1000;
/// The time in games that are decided by something else than time.
const PATIENCE_MS: u64 = 120_000;

/// Script, SAU, Gomocup, Junqi, Tiaojia.
#[rustfmt::skip]
const FATES: &[(&str, Fate, Fate, Fate, Fate)] = &[
    ("correct",            SameGame, SameGame, SameGame, SameGame),
    ("exit-at-start",      LosesAtOnce("exited"), LosesAtOnce("exited"), LosesAtOnce("exited"), LosesAtOnce("exited")),
    ("exit-at-turn",       Loses("exited"), Loses("exited"), Loses("exited"), Loses("exited")),
    ("exit-at-end",        SameGame, SameGame, SameGame, SameGame),
    ("segfault",           Loses("exited"), Loses("exited"), Loses("exited"), Loses("exited")),
    ("silent-start",       LosesAtOnce("not-ready"), LosesAtOnce("not-ready"), LosesAtOnce("not-ready"), LosesAtOnce("not-ready")),
    ("no-name",            LosesAtOnce("not-ready"), SameGame, LosesAtOnce("not-ready"), SameGame),
    ("gbk-name",           SameGame, SameGame, SameGame, SameGame),
    ("unled",              SameGame, SameGame, SameGame, SameGame),
    ("silent-turn",        Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("late 201",           Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("late 10000",         Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("exact 3",            SameGame, SameGame, SameGame, SameGame),
    ("works 30",           SameGame, SameGame, SameGame, SameGame),
    ("chatter",            Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("flood 1",            SameGame, SameGame, SameGame, Loses("malformed-answer")),
    ("flood 20",           Loses("output-limit"), Loses("output-limit"), Loses("output-limit"), Loses("output-limit")),
    ("flood-lines",        Loses("output-limit"), Loses("output-limit"), Loses("output-limit"), Loses("malformed-answer")),
    // A bare line is a name in Junqi, so that one only loses when it is to set up its pieces.
    ("flood-start",        LosesAtOnce("output-limit"), LosesAtOnce("output-limit"), LosesAtOnce("output-limit"), LosesAtOnce("malformed-answer")),
    ("flood-stderr 20",    SameGame, SameGame, SameGame, SameGame),
    ("flood-after-eof",    SameGame, SameGame, SameGame, SameGame),
    ("two-answers",        SameGame, SameGame, SameGame, Loses("out-of-turn")),
    ("out-of-turn",        SameGame, SameGame, SameGame, LosesAfter("out-of-turn")),
    ("cr-only",            SameGame, SameGame, SameGame, SameGame),
    ("crlf",               SameGame, SameGame, SameGame, SameGame),
    ("spaced",             SameGame, SameGame, SameGame, SameGame),
    ("depth-byte",         SameGame, SameGame, SameGame, Loses("malformed-answer")),
    ("prepares 20",        SameGame, SameGame, SameGame, SameGame),
    ("nul-bytes",          SameGame, SameGame, SameGame, SameGame),
    ("bad-utf8",           SameGame, SameGame, SameGame, Loses("malformed-answer")),
    ("illegal",            Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    ("off-board",          Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    // What cannot be read as a move is none, and it is the clock that ends the wait for one.
    ("malformed",          Loses("time"), Loses("time"), Loses("illegal-ply"), Loses("malformed-answer")),
    // A blank line is nothing at all where answers have no keyword.
    ("empty",              Loses("time"), Loses("time"), Loses("illegal-ply"), Loses("time")),
    ("comma",              Loses("time"), Loses("time"), Loses("illegal-ply"), Loses("malformed-answer")),
    ("minus",              Loses("time"), Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    ("huge",               Loses("time"), Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    ("illegal-forever",    Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    ("illegal-then-legal", OtherGame, Loses("illegal-ply"), Loses("illegal-ply"), Loses("illegal-ply")),
    ("ignores-quit",       SameGame, SameGame, SameGame, SameGame),
    ("daemon",             SameGame, SameGame, SameGame, SameGame),
    // Somebody still holds its pipes, as behind a launcher that leaves; so there is no end of its output to be seen.
    ("daemon-holds-pipes", Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("stops-reading",      Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("closes-output",      Loses("exited"), Loses("exited"), Loses("exited"), Loses("exited")),
    ("answer-and-exit",    LosesAfter("exited"), LosesAfter("exited"), LosesAfter("exited"), LosesAfter("exited")),
    ("answer-and-exit-bare", LosesAfter("exited"), LosesAfter("exited"), LosesAfter("exited"), LosesAfter("exited")),
    ("ponders",            SameGame, SameGame, SameGame, SameGame),
    ("ponders-aloud",      SameGame, SameGame, SameGame, SameGame),
    ("ponders-in-child",   SameGame, SameGame, SameGame, SameGame),
    ("no-newline",         Loses("time"), Loses("time"), Loses("time"), Loses("time")),
    ("no-restart",         SameGame, SameGame, SameGame, SameGame),
];

fn fate(game: &str, script: &str, row: &(&str, Fate, Fate, Fate, Fate)) -> Fate {
    match (game, script) {
        // A stone on a taken point is refused, not wrong: the engine may try on, as long as it has time.
        ("phantom-go", "illegal" | "illegal-forever") => Loses("time"),
        // Two letters are no line between two dots.
        ("dots", "off-board") => Loses("time"),
        ("gomoku", _) => row.2,
        ("junqi", _) => row.3,
        ("tiaojia", _) => row.4,
        _ => row.1,
    }
}

fn variant(game: &str) -> Value {
    if game == "gomoku" { json!({ "size": 15 }) } else { Value::Null }
}

fn contest(game: &'static str, script: &str, seat: Side, fate: Fate) -> Contest {
    // An interrupter needs an opponent who thinks right after it.
    let opponent = match (script, seat) {
        ("out-of-turn", Side::Black) => "late 150 seed=2",
        ("out-of-turn", Side::White) => "late 150 turn=3 seed=2",
        _ => "seed=2",
    };
    let scripts = match seat {
        Side::Black => [script, opponent],
        Side::White => [opponent, script],
    };
    let mut contest = Contest::new(game, scripts[0], scripts[1]);
    contest.variant = variant(game);
    match (fate, script) {
        (Loses("time"), _) => contest = contest.ply_time(PLY_MS),
        // A busy machine takes its time over so many bytes, and the clock must not come first.
        (Loses("output-limit") | LosesAtOnce("output-limit"), _) => {
            contest = contest.ply_time(PATIENCE_MS).start_time(PATIENCE_MS);
        }
        // It is told of its error and has the rest of its time to mend it.
        (Loses("illegal-ply"), _) => contest = contest.ply_time(PLY_MS),
        (LosesAtOnce("not-ready"), _) => {
            contest = contest.start_time(START_MS);
            if game == "tiaojia" {
                contest.options = json!({ "start_limit": START_MS / 1000 });
            }
        }
        _ => {}
    }
    contest
}

/// What is compared of a game.
#[derive(PartialEq)]
struct Played {
    decision: Decision,
    plies: Vec<String>,
}

impl From<GameReport> for Played {
    fn from(report: GameReport) -> Self {
        Self { decision: report.decision, plies: report.plies.into_iter().map(|step| step.ply).collect() }
    }
}

/// What is wrong with a game that should have had this fate.
fn complaint(fate: Fate, seat: Side, played: &Played, correct: &Played) -> Option<String> {
    let decision = &played.decision;
    // Black's second turn comes after two plies, White's after three.
    let before = 2 + seat.index() as u32;
    let lost = |reason: &str, plies: std::ops::RangeInclusive<u32>| {
        decision.winner == Some(seat.other())
            && decision.reason.code == reason
            && decision.counts
            && plies.contains(&decision.ply)
            && decision.evidence.seat == Some(seat)
    };
    let fulfilled = match fate {
        SameGame => played == correct,
        OtherGame => decision.counts && referee::decision::reasons::ALL.iter().all(|known| *known != decision.reason),
        Loses(reason) => lost(reason, before..=before),
        LosesAtOnce(reason) => lost(reason, 0..=before - 2),
        LosesAfter(reason) => lost(reason, before + 1..=before + 2),
    };
    (!fulfilled).then(|| format!("{seat} got {decision:#?}"))
}

fn every_fate(game: &'static str) {
    let arena = arena();
    let correct = Side::BOTH.map(|seat| Played::from(arena.play(&contest(game, "correct", seat, SameGame)).unwrap()));
    let next = AtomicUsize::new(0);
    let cases: Vec<_> = FATES.iter().flat_map(|row| Side::BOTH.map(|seat| (row, seat))).collect();
    let check = || {
        let mut complaints = Vec::new();
        while let Some(&(row, seat)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let fate = fate(game, row.0, row);
            match arena.play(&contest(game, row.0, seat, fate)) {
                Ok(report) => complaints.extend(
                    complaint(fate, seat, &report.into(), &correct[seat.index()])
                        .map(|complaint| format!("{game}: {} should {fate:?}, but {complaint}", row.0)),
                ),
                Err(problem) => complaints.push(format!("{game}: {}: {problem}", row.0)),
            }
        }
        complaints
    };
    // Most of these games are spent waiting, so several are played at a time.
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(check)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), cases.len(), complaints.join("\n"));
    assert_clean(arena.run(), game);
}

#[test]
fn nogo_through_sau() {
    every_fate("nogo");
}

#[test]
fn dots_through_sau() {
    every_fate("dots");
}

#[test]
fn phantom_go_through_sau() {
    every_fate("phantom-go");
}

#[test]
fn gomoku_through_gomocup() {
    every_fate("gomoku");
}

#[test]
fn junqi_through_its_protocol() {
    every_fate("junqi");
}

#[test]
fn tiaojia_through_its_protocol() {
    every_fate("tiaojia");
}

#[test]
fn no_behaviour_is_left_out() {
    for (name, _) in BEHAVIOURS {
        assert!(FATES.iter().any(|row| row.0.split(' ').next() == Some(name)), "{name}");
    }
}
