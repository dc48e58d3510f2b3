//! A tournament under way: what to play next, what has been played, and the table.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;

use crate::conduct::Conducts;
use crate::contest::{Job, result_for_black};
use crate::distinct::{Fingerprint, Seen, Unmeasured};
use crate::journal::Finished;
use crate::pairing::{Entrant, Format, GameId, Ledger, Next, Standing};
use crate::pool::Offer;
use crate::statistics::{CrossTable, Estimate, Outcome, Ratings, Trinomial, likelihood_of_superiority, rate};

/// Numbers of games within a match; more than any match has.
const GAMES_PER_MATCH: u64 = 1 << 20;

/// How far to look for a game whose players are free.
const LOOKAHEAD: usize = 4096;

/// The number under which the journal keeps a game.
fn number_of(id: GameId) -> u64 {
    id.match_number as u64 * GAMES_PER_MATCH + id.game as u64
}

/// The game the journal keeps under this number.
pub(crate) fn id_of(number: u64) -> GameId {
    GameId { match_number: (number / GAMES_PER_MATCH) as usize, game: (number % GAMES_PER_MATCH) as usize }
}

/// A tournament under way.
pub struct Event {
    format: Box<dyn Format>,
    entrants: usize,
    games_per_match: usize,
    /// Games of the journal that the format has not handed out yet.
    known: HashMap<u64, (Outcome, Fingerprint)>,
    /// Games that the format has handed out and nobody plays yet.
    waiting: VecDeque<Job>,
    /// In how many games each entrant plays.
    busy: Vec<usize>,
    /// Every game that counts.
    counted: BTreeMap<u64, Counted>,
    conducts: Conducts,
}

/// A game that counts.
#[derive(Debug, Clone, Copy)]
struct Counted {
    first: usize,
    second: usize,
    /// For the first mover.
    outcome: Outcome,
    fingerprint: Fingerprint,
}

/// The ratings of those whom results link with each other.
pub struct Measured {
    /// In the order of [`members`](Self::members).
    pub ratings: Ratings,
    /// Who is rated.
    pub members: Vec<usize>,
}

impl Measured {
    /// The rating of an entrant, if it is one of them.
    #[must_use]
    pub fn of(&self, entrant: usize) -> Option<Estimate> {
        let place = self.members.iter().position(|&member| member == entrant)?;
        self.ratings.engines.get(place).copied()
    }
}

/// A line of the table.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The place and everything the pairing rules know.
    #[serde(flatten)]
    pub standing: Standing,
    /// The rating with its 95 % interval, where the distinct games allow one.
    pub elo: Option<Estimate>,
    /// Why there is none.
    pub not_measured: Option<Unmeasured>,
}

impl Event {
    /// A tournament from its beginning.
    #[must_use]
    pub fn new(format: Box<dyn Format>, entrants: usize, games_per_match: usize) -> Self {
        Self {
            format,
            entrants,
            games_per_match,
            known: HashMap::new(),
            waiting: VecDeque::new(),
            busy: vec![0; entrants],
            counted: BTreeMap::new(),
            conducts: Conducts::default(),
        }
    }

    /// A game of the journal: it is counted when the schedule comes to it, and not played again.
    pub fn restore(&mut self, finished: &Finished) {
        if self.known.insert(finished.number, (outcome(finished), Fingerprint::of(finished))).is_none() {
            self.conducts.count(finished);
        }
    }

    /// Counts what the journal knows before anything is offered, so that the table is whole at once.
    pub fn catch_up(&mut self) {
        while !self.known.is_empty() && self.pull().is_none() {}
    }

    /// What to play next. An engine does not play two games at once while there is one for others to play: so a slow
    /// engine holds up its own games and nobody else's.
    pub fn offer(&mut self) -> Offer<Job> {
        let mut looked_at = 0;
        loop {
            let free = |job: &Job| self.busy[job.black] == 0 && self.busy[job.white] == 0;
            if let Some(at) = self.waiting.range(looked_at..).position(free) {
                return self.hand_out(looked_at + at);
            }
            looked_at = self.waiting.len();
            if looked_at >= LOOKAHEAD {
                return self.hand_out(0);
            }
            if let Some(end) = self.pull() {
                // Nobody is free: better two games of one engine than a core that does nothing.
                return if self.waiting.is_empty() { end } else { self.hand_out(0) };
            }
        }
    }

    /// Takes one game from the format: it is counted if the journal knows it, and waits otherwise. Gives what is to be
    /// said when there is none.
    fn pull(&mut self) -> Option<Offer<Job>> {
        let pairing = match self.format.next_pairing() {
            Next::Finished => return Some(Offer::Finished),
            Next::Wait => return Some(Offer::Wait),
            Next::Play(pairing) => pairing,
        };
        let number = number_of(pairing.id);
        let (Entrant(first), Entrant(second)) = (pairing.first, pairing.second);
        if let Some((outcome, fingerprint)) = self.known.remove(&number) {
            self.record(number, Counted { first, second, outcome, fingerprint });
        } else {
            let pairs = self.games_per_match.div_ceil(2);
            let opening = (pairing.id.match_number * pairs + pairing.id.game / 2) as u64;
            self.waiting.push_back(Job { number, black: first, white: second, opening });
        }
        None
    }

    fn hand_out(&mut self, at: usize) -> Offer<Job> {
        let Some(job) = self.waiting.remove(at) else { return Offer::Wait };
        for entrant in [job.black, job.white] {
            self.busy[entrant] += 1;
        }
        Offer::Job(job)
    }

    /// Counts a game that has just been played.
    pub fn count(&mut self, finished: &Finished) {
        for entrant in [finished.black, finished.white] {
            self.busy[entrant] = self.busy[entrant].saturating_sub(1);
        }
        self.conducts.count(finished);
        let (first, second) = (finished.black, finished.white);
        let (outcome, fingerprint) = (outcome(finished), Fingerprint::of(finished));
        self.record(finished.number, Counted { first, second, outcome, fingerprint });
    }

    fn record(&mut self, number: u64, game: Counted) {
        // A game the format does not know of cannot count; the journal is the only other source, and it was checked.
        if self.format.record(id_of(number), game.outcome).is_ok() {
            self.counted.insert(number, game);
        }
    }

    /// How many games there are in all, where that is known from the start.
    #[must_use]
    pub fn total(&self) -> Option<usize> {
        self.format.total()
    }

    /// How many games count so far.
    #[must_use]
    pub fn played(&self) -> usize {
        self.counted.len()
    }

    /// Counts every game of the journal that the schedule comes to; true when nothing is left to play.
    ///
    /// Games may have finished in another order than they were handed out, so a missing one is passed over. Nothing can
    /// be played after that: what is missing has been handed out to nobody.
    pub fn count_known(&mut self) -> bool {
        let mut missing = false;
        loop {
            match self.offer() {
                Offer::Job(_) => missing = true,
                Offer::Wait => return false,
                Offer::Finished => return !missing,
            }
        }
    }

    /// All matches so far.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        self.format.ledger()
    }

    /// How the entrants behaved, in the games counted and in those of the journal that are still to be.
    #[must_use]
    pub fn conducts(&self) -> &Conducts {
        &self.conducts
    }

    /// The games that are unlike all before them.
    fn distinct(&self) -> impl Iterator<Item = &Counted> {
        let mut seen = Seen::default();
        self.counted.values().filter(move |game| seen.game(game.fingerprint))
    }

    /// How many games are unlike all others.
    #[must_use]
    pub fn distinct_games(&self) -> usize {
        self.distinct().count()
    }

    /// The ratings of those whom results link; nothing where they link nobody.
    #[must_use]
    pub fn ratings(&self) -> Option<Measured> {
        let table = self.cross_table();
        let members = table.linked();
        if members.is_empty() {
            return None;
        }
        let table = table.among(&members);
        // Where the first mover won every game, nobody can say what moving first is worth.
        let ratings = [true, false].map(|with_first_move| rate(&table, with_first_move));
        ratings.into_iter().find(|ratings| !ratings.prior).map(|ratings| Measured { ratings, members })
    }

    /// Why an entrant has no rating.
    fn not_measured(&self, entrant: usize) -> Unmeasured {
        let mut games = Trinomial::default();
        for game in self.distinct() {
            if game.first == entrant {
                games.record(game.outcome);
            } else if game.second == entrant {
                games.record(game.outcome.reversed());
            }
        }
        match Unmeasured::of(&games) {
            None | Some(Unmeasured::OnePair) => Unmeasured::Apart,
            Some(reason) => reason,
        }
    }

    /// The table, best first.
    #[must_use]
    pub fn table(&self) -> Vec<Row> {
        let ratings = self.ratings();
        let row = |standing: Standing| {
            let Entrant(entrant) = standing.entrant;
            let elo = ratings.as_ref().and_then(|ratings| ratings.of(entrant));
            let not_measured = if elo.is_none() { Some(self.not_measured(entrant)) } else { None };
            Row { standing, elo, not_measured }
        };
        self.format.standings().into_iter().map(row).collect()
    }

    /// How likely one entrant is stronger than another, from the distinct games they played with each other.
    #[must_use]
    pub fn likelihood_of_superiority(&self, one: Entrant, other: Entrant) -> Option<f64> {
        let mut games = Trinomial::default();
        for game in self.distinct() {
            if (game.first, game.second) == (one.0, other.0) {
                games.record(game.outcome);
            } else if (game.first, game.second) == (other.0, one.0) {
                games.record(game.outcome.reversed());
            }
        }
        likelihood_of_superiority(&games)
    }

    /// Distinct results: by pairs where both games are there, by games otherwise.
    fn cross_table(&self) -> CrossTable {
        let mut table = CrossTable::new(self.entrants);
        let mut seen = Seen::default();
        for (&number, game) in &self.counted {
            let &Counted { first, second, outcome, fingerprint } = game;
            let is_second_of_pair = id_of(number).game % 2 == 1;
            let partner = if is_second_of_pair { number - 1 } else { number + 1 };
            match self.counted.get(&partner) {
                // The pair was counted with its first game.
                Some(_) if is_second_of_pair => {}
                Some(other) => {
                    if seen.pair([fingerprint, other.fingerprint]) {
                        table.add_pair(first, second, outcome, other.outcome.reversed());
                    }
                }
                None => {
                    if seen.game(fingerprint) {
                        let mut games = Trinomial::default();
                        games.record(outcome);
                        table.add_games(first, second, games);
                    }
                }
            }
        }
        table
    }
}

/// How a game counts for its first mover. One without a result helps nobody: it is a draw.
fn outcome(finished: &Finished) -> Outcome {
    result_for_black(finished).unwrap_or(Outcome::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::{PointSystem, RoundRobinSettings, Schedule};
    use games::Side;
    use records::{Record, RecordedVerdict};

    fn event() -> Event {
        let points = PointSystem::GameOneHalf;
        let settings = RoundRobinSettings { entrants: 4, cycles: 1, games: 2, points };
        Event::new(Box::new(Schedule::round_robin(settings).unwrap()), 4, 2)
    }

    /// The entrant with the smaller number wins.
    fn play(job: &Job) -> Finished {
        let winner = if job.black < job.white { Side::Black } else { Side::White };
        let verdict = RecordedVerdict {
            winner: Some(winner),
            reason: "line".to_owned(),
            ply: 1,
            counts: true,
            evidence: serde_json::Value::Null,
        };
        let record = Record { verdict: Some(verdict), ..Record::new("nogo", serde_json::Value::Null) };
        Finished { number: job.number, black: job.black, white: job.white, record }
    }

    fn places(event: &Event) -> Vec<usize> {
        event.table().iter().map(|row| row.standing.entrant.0).collect()
    }

    #[test]
    fn a_tournament_that_was_cut_short_plays_the_rest_and_nothing_twice() {
        let mut whole = event();
        let mut all = Vec::new();
        while let Offer::Job(job) = whole.offer() {
            let finished = play(&job);
            whole.count(&finished);
            all.push(finished);
        }
        assert_eq!((all.len(), places(&whole)), (12, vec![0, 1, 2, 3]));
        for cut in 0..=all.len() {
            let mut resumed = event();
            all[..cut].iter().for_each(|finished| resumed.restore(finished));
            let mut rest = Vec::new();
            while let Offer::Job(job) = resumed.offer() {
                rest.push(job.number);
                resumed.count(&play(&job));
            }
            let expected: Vec<u64> = all[cut..].iter().map(|finished| finished.number).collect();
            assert_eq!((rest, resumed.played(), places(&resumed)), (expected, 12, vec![0, 1, 2, 3]));
        }
    }

    #[test]
    fn an_engine_plays_one_game_at_a_time_while_others_can_play() {
        let mut event = event();
        let Offer::Job(first) = event.offer() else { panic!("there are games") };
        let Offer::Job(second) = event.offer() else { panic!("there are games") };
        let players = |job: &Job| [job.black, job.white];
        assert!(players(&first).iter().all(|player| !players(&second).contains(player)), "{first:?} {second:?}");
        // Four engines, two games: a third worker gets one of the first pair's.
        let Offer::Job(third) = event.offer() else { panic!("there are games") };
        assert_eq!((third.number, third.opening), (first.number + 1, first.opening));
        // The first two are slow for ever: the other two play all that is theirs to play.
        let slow = players(&first);
        let mut others = 0;
        event.count(&play(&second));
        for _ in 0..3 {
            let Offer::Job(job) = event.offer() else { panic!("there are games") };
            if players(&job).iter().any(|player| slow.contains(player)) {
                break;
            }
            others += 1;
            event.count(&play(&job));
        }
        assert_eq!(others, 1, "the other game of the other pair");
    }

    #[test]
    fn a_table_counts_what_was_played_out_of_order() {
        let mut whole = event();
        let mut all = Vec::new();
        while let Offer::Job(job) = whole.offer() {
            whole.count(&play(&job));
            all.push(play(&job));
        }
        let mut shown = event();
        [1, 5, 7].iter().for_each(|&at: &usize| shown.restore(&all[at]));
        shown.catch_up();
        assert_eq!(shown.played(), 3);
    }
    /// A game that ended so for its first mover; `line` tells games of the same two apart.
    fn ended(job: &Job, winner: Option<Side>, line: &str) -> Finished {
        let mut finished = play(job);
        finished.record.position = Some(line.to_owned());
        if let Some(verdict) = &mut finished.record.verdict {
            verdict.winner = winner;
        }
        finished
    }

    /// Everybody's games, decided by this.
    fn played(event: &mut Event, mut winner: impl FnMut(&Job) -> (Option<Side>, String)) {
        while let Offer::Job(job) = event.offer() {
            let (winner, line) = winner(&job);
            event.count(&ended(&job, winner, &line));
        }
    }

    /// Who won or lost everything has no rating, and does not take theirs from the others.
    #[test]
    fn only_those_whom_results_link_are_rated() {
        let mut event = event();
        played(&mut event, |job| {
            let (first, second) = (job.black, job.white);
            let winner = match (first.min(second), first.max(second)) {
                (0, _) => {
                    if first == 0 {
                        Side::Black
                    } else {
                        Side::White
                    }
                }
                (_, 3) => {
                    if first == 3 {
                        Side::White
                    } else {
                        Side::Black
                    }
                }
                // One and two win one game each, whoever moves first.
                _ => Side::Black,
            };
            (Some(winner), job.number.to_string())
        });
        let told: Vec<_> = (0..4)
            .map(|entrant| {
                let table = event.table();
                let row = table.iter().find(|row| row.standing.entrant.0 == entrant).unwrap();
                (row.elo.is_some(), row.not_measured)
            })
            .collect();
        let measured = (true, None);
        assert_eq!(told[0], (false, Some(Unmeasured::WonAll)));
        assert_eq!(told[3], (false, Some(Unmeasured::LostAll)));
        assert_eq!([told[1], told[2]], [measured, measured]);
        let ratings = event.ratings().unwrap();
        assert_eq!((ratings.members.as_slice(), ratings.ratings.prior), (&[1, 2][..], false));
        assert!(ratings.of(1).unwrap().value.abs() < 1e-6, "they are equal");
    }

    /// Two matches that repeat a game tell no more than one: the interval is as wide.
    #[test]
    fn repeated_games_narrow_no_interval() {
        let width = |cycles: usize, repeat: bool| {
            let points = PointSystem::GameOneHalf;
            let settings = RoundRobinSettings { entrants: 2, cycles, games: 4, points };
            let mut event = Event::new(Box::new(Schedule::round_robin(settings).unwrap()), 2, 4);
            let mut number = 0;
            played(&mut event, |job| {
                number += 1;
                // Of each four games the second entrant wins the last.
                let winner = if number % 4 == 0 { 1 } else { 0 };
                let side = if job.black == winner { Side::Black } else { Side::White };
                (Some(side), if repeat { (number % 4).to_string() } else { number.to_string() })
            });
            let elo = event.table()[0].elo.unwrap();
            (event.distinct_games(), event.played(), elo.upper - elo.lower)
        };
        // Every other cycle has the colours the other way round.
        let (once, repeated, new) = (width(2, false), width(16, true), width(16, false));
        assert_eq!(((once.0, once.1), (repeated.0, repeated.1), (new.0, new.1)), ((8, 8), (8, 64), (64, 64)));
        assert!((once.2 - repeated.2).abs() < 1e-9, "{once:?} {repeated:?}");
        assert!(new.2 < once.2 / 2.0, "{once:?} {new:?}");
    }
}
