//! The ladder: all pairs of latest versions, points 3/1/0 a match. Pure: no store, no clock.

use std::collections::BTreeMap;

use serde::Serialize;

/// What a match is worth: won, drawn, lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Points(pub [u32; 3]);

impl Default for Points {
    fn default() -> Self {
        Self([3, 1, 0])
    }
}

/// How somebody takes part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// A student: ranked, and measured against the other students.
    #[default]
    Student,
    /// A teacher or an assistant: plays, is shown, and counts for nobody.
    Staff,
    /// A built-in player the teacher chose: the same.
    Reference,
}

impl Standing {
    /// Whether he takes a rank, and his matches count for others.
    #[must_use]
    pub const fn is_ranked(self) -> bool {
        matches!(self, Self::Student)
    }

    /// Whether two such play each other. How built-in players do among themselves is nobody's question here.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        !matches!((self, other), (Self::Reference, Self::Reference))
    }
}

/// The version of somebody that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The student.
    pub account: i64,
    /// The version.
    pub submission: i64,
    /// When it was submitted.
    pub submitted: i64,
    /// How he takes part.
    pub standing: Standing,
}

/// The games of a match, seen from one of the two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Games {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl Games {
    /// The same games seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { won: self.lost, drawn: self.drawn, lost: self.won }
    }

    /// Who won more games: 0 this one, 1 nobody, 2 the other.
    #[must_use]
    pub const fn outcome(self) -> usize {
        if self.won > self.lost {
            0
        } else if self.won == self.lost {
            1
        } else {
            2
        }
    }

    fn add(&mut self, other: Self) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    fn take_away(&mut self, other: Self) {
        self.won -= other.won;
        self.drawn -= other.drawn;
        self.lost -= other.lost;
    }

    /// These games as one match.
    const fn as_match(self) -> Self {
        let mut counts = [0; 3];
        counts[self.outcome()] = 1;
        let [won, drawn, lost] = counts;
        Self { won, drawn, lost }
    }
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// From 1; no two share one. Who is not ranked has none.
    pub rank: Option<usize>,
    /// Who.
    pub entry: Entry,
    /// The sum over all matches with students.
    pub points: u32,
    /// Matches with students won, drawn and lost.
    pub matches: Games,
    /// Matches with students still to be played.
    pub left: u32,
    /// Games of all matches with students.
    pub games: Games,
}

impl Row {
    /// Games won less games lost.
    #[must_use]
    pub fn difference(&self) -> i64 {
        i64::from(self.games.won) - i64::from(self.games.lost)
    }

    fn count(&mut self, games: Games, points: Points) {
        self.points += points.0[games.outcome()];
        self.games.add(games);
        self.matches.add(games.as_match());
    }

    fn discount(&mut self, games: Games, points: Points) {
        self.points -= points.0[games.outcome()];
        self.games.take_away(games);
        self.matches.take_away(games.as_match());
    }
}

/// Latest versions and the matches between any versions. The table is kept up to date match by match: with a thousand
/// versions there are half a million matches, too many to add up for every visitor.
#[derive(Debug, Clone, Default)]
pub struct Ladder {
    points: Points,
    /// By student: one version of each counts.
    entries: BTreeMap<i64, Entry>,
    /// By version, those that count: their lines, without rank and matches left.
    rows: BTreeMap<i64, Row>,
    /// By the two versions, the smaller first, seen from it.
    results: BTreeMap<i64, BTreeMap<i64, Games>>,
    /// Pairs of those that count which have met.
    met: usize,
}

impl Ladder {
    /// An empty ladder.
    #[must_use]
    pub fn new(points: Points) -> Self {
        Self { points, ..Self::default() }
    }

    /// These versions count now, one of each student; results stay.
    pub fn set_entries(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let entries: BTreeMap<i64, Entry> = entries.into_iter().map(|entry| (entry.account, entry)).collect();
        let gone: Vec<i64> = self.entries.keys().copied().filter(|account| !entries.contains_key(account)).collect();
        gone.into_iter().for_each(|account| self.withdraw(account));
        entries.into_values().for_each(|entry| self.enter(entry));
    }

    /// A new version of a student takes the place of his older one. Gives the versions it has not met, the nearest in
    /// the table first.
    pub fn place(&mut self, entry: Entry) -> Vec<i64> {
        let before = self.entries.get(&entry.account).map(|older| older.submission);
        let table: Vec<i64> = self.table().iter().map(|row| row.entry.submission).collect();
        self.enter(entry);
        let mut opponents = nearest_first(&table, before);
        opponents.retain(|&other| self.result(entry.submission, other).is_none());
        opponents
    }

    /// A version counts from now on, instead of its student's older one.
    fn enter(&mut self, entry: Entry) {
        if self.entries.get(&entry.account) == Some(&entry) {
            return;
        }
        self.withdraw(entry.account);
        let (games, matches) = (Games::default(), Games::default());
        let mut own = Row { rank: None, entry, points: 0, matches, left: 0, games };
        for (&other, row) in &mut self.rows {
            if let Some(games) = result(&self.results, entry.submission, other) {
                self.met += 1;
                if row.entry.standing.is_ranked() {
                    own.count(games, self.points);
                }
                if entry.standing.is_ranked() {
                    row.count(games.reversed(), self.points);
                }
            }
        }
        self.rows.insert(entry.submission, own);
        self.entries.insert(entry.account, entry);
    }

    /// A student leaves the ladder.
    pub fn withdraw(&mut self, account: i64) {
        let Some(entry) = self.entries.remove(&account) else { return };
        self.rows.remove(&entry.submission);
        for (&other, row) in &mut self.rows {
            if let Some(games) = result(&self.results, other, entry.submission) {
                self.met -= 1;
                if entry.standing.is_ranked() {
                    row.discount(games, self.points);
                }
            }
        }
    }

    /// A match was played; a later result of the same two takes the place of the earlier.
    pub fn record(&mut self, one: i64, two: i64, games: Games) {
        self.forget(one, two);
        let first = if one < two { games } else { games.reversed() };
        self.results.entry(one.min(two)).or_default().insert(one.max(two), first);
        let counted = self.change(one, two, |row, reversed, points| {
            row.count(if reversed { games.reversed() } else { games }, points);
        });
        self.met += usize::from(counted);
    }

    /// A match does not count.
    pub fn forget(&mut self, one: i64, two: i64) {
        let Some(games) = self.result(one, two) else { return };
        if let Some(results) = self.results.get_mut(&one.min(two)) {
            results.remove(&one.max(two));
        }
        let counted = self.change(one, two, |row, reversed, points| {
            row.discount(if reversed { games.reversed() } else { games }, points);
        });
        self.met -= usize::from(counted);
    }

    /// Changes the lines of two versions for a match of theirs, if both count; whether they do. What is played with
    /// somebody who is not ranked stands in nobody's line.
    fn change(&mut self, one: i64, two: i64, change: impl Fn(&mut Row, bool, Points)) -> bool {
        let ranked = |version| self.rows.get(&version).map(|row| row.entry.standing.is_ranked());
        let Some((one_ranked, two_ranked)) = ranked(one).zip(ranked(two)) else { return false };
        for (version, reversed, counts) in [(one, false, two_ranked), (two, true, one_ranked)] {
            if let Some(row) = self.rows.get_mut(&version).filter(|_| counts) {
                change(row, reversed, self.points);
            }
        }
        true
    }

    /// The match of two versions, seen from the first.
    #[must_use]
    pub fn result(&self, one: i64, two: i64) -> Option<Games> {
        result(&self.results, one, two)
    }

    /// The versions that count.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.values()
    }

    /// What a match is worth to the one it is seen from.
    #[must_use]
    pub const fn points_of(&self, games: Games) -> u32 {
        self.points.0[games.outcome()]
    }

    /// Pairs of versions that count: how many have met, and how many there are.
    #[must_use]
    pub fn pairs(&self) -> (usize, usize) {
        let two_of = |count: usize| count * count.saturating_sub(1) / 2;
        let references = self.entries().filter(|entry| entry.standing == Standing::Reference).count();
        (self.met, two_of(self.rows.len()) - two_of(references))
    }

    /// The table: points, then game difference, then the earlier submission. Who is not ranked stands among the
    /// others where his points would put him.
    #[must_use]
    pub fn table(&self) -> Vec<Row> {
        let ranked = self.entries().filter(|entry| entry.standing.is_ranked()).count() as u32;
        let mut rows: Vec<Row> = self.rows.values().cloned().collect();
        rows.sort_by_key(|row| {
            (std::cmp::Reverse((row.points, row.difference())), row.entry.submitted, row.entry.submission)
        });
        let mut ranks = 1..;
        for row in &mut rows {
            let own = row.entry.standing.is_ranked();
            row.rank = if own { ranks.next() } else { None };
            row.left = ranked - u32::from(own) - (row.matches.won + row.matches.drawn + row.matches.lost);
        }
        rows
    }
}

/// The match of two versions, seen from the first.
fn result(results: &BTreeMap<i64, BTreeMap<i64, Games>>, one: i64, two: i64) -> Option<Games> {
    let games = *results.get(&one.min(two))?.get(&one.max(two))?;
    Some(if one < two { games } else { games.reversed() })
}

/// The order in which a version meets the others of a table (the best first): the nearest to where the student stood
/// with his older version, or to the middle, first. The older version itself is left out.
#[must_use]
pub fn nearest_first(table: &[i64], before: Option<i64>) -> Vec<i64> {
    let stood = table.iter().position(|&other| Some(other) == before);
    let expected = stood.unwrap_or(table.len() / 2);
    let others = table.iter().enumerate().filter(|(index, _)| Some(*index) != stood);
    let mut others: Vec<(usize, i64)> = others.map(|(index, &other)| (index.abs_diff(expected), other)).collect();
    others.sort_by_key(|&(distance, _)| distance);
    others.into_iter().map(|(_, other)| other).collect()
}

/// Fair turns: the place in the queue of the n-th match of a student's upload.
///
/// `clock` is the place of the match that was begun last; each student's matches are spread from there, the wider the
/// more he has uploaded today. So nobody's fifth upload stands before another's first, and nobody waits for ever.
#[must_use]
pub const fn turn(clock: i64, number: usize, uploads_today: i64) -> i64 {
    let weight = if uploads_today < 1 { 1 } else { uploads_today };
    clock.saturating_add((number as i64).saturating_mul(weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(account: i64, submission: i64) -> Entry {
        Entry { account, submission, submitted: submission, standing: Standing::Student }
    }

    fn games(won: u32, drawn: u32, lost: u32) -> Games {
        Games { won, drawn, lost }
    }

    /// The seed's example: A, B, C, D with three starting positions, then A2 replaces A1.
    #[test]
    fn the_example_of_the_course() {
        let (a1, b1, c1, d1, a2) = (1, 2, 3, 4, 5);
        let mut ladder = Ladder::default();
        let mut matches = Vec::new();
        for (account, submission) in [(10, a1), (20, b1), (30, c1), (40, d1)] {
            matches.extend(ladder.place(entry(account, submission)).into_iter().map(|other| (submission, other)));
        }
        let games_of_a_match = 2 * 3;
        assert_eq!(matches.len(), 6);
        assert_eq!(matches.len() * games_of_a_match, 36);
        // A1 beats everybody, B1 beats C1 and D1, C1 and D1 draw.
        ladder.record(a1, b1, games(4, 0, 2));
        ladder.record(a1, c1, games(6, 0, 0));
        ladder.record(d1, a1, games(1, 1, 4));
        ladder.record(b1, c1, games(3, 1, 2));
        ladder.record(b1, d1, games(5, 0, 1));
        ladder.record(c1, d1, games(2, 2, 2));
        let seen = |ladder: &Ladder| -> Vec<(i64, u32, i64, u32)> {
            ladder.table().iter().map(|row| (row.entry.submission, row.points, row.difference(), row.left)).collect()
        };
        // C1 and D1 are level on points and games; C1 came first.
        assert_eq!(seen(&ladder), [(a1, 9, 11, 0), (b1, 6, 3, 0), (c1, 1, -7, 0), (d1, 1, -7, 0)]);

        // A1 was first: the nearest are met first, and the others keep their results among themselves.
        assert_eq!(ladder.place(entry(10, a2)), [b1, c1, d1]);
        assert_eq!(seen(&ladder), [(b1, 6, 5, 1), (c1, 1, -1, 1), (d1, 1, -4, 1), (a2, 0, 0, 3)]);
        ladder.record(a2, b1, games(0, 0, 6));
        ladder.record(a2, c1, games(3, 0, 3));
        ladder.record(a2, d1, games(1, 0, 5));
        // Exactly the table of A2, B1, C1, D1: A1's matches are nowhere in it.
        let mut fresh = Ladder::default();
        fresh.set_entries([entry(10, a2), entry(20, b1), entry(30, c1), entry(40, d1)]);
        for (one, two, result) in [
            (a2, b1, games(0, 0, 6)),
            (a2, c1, games(3, 0, 3)),
            (a2, d1, games(1, 0, 5)),
            (b1, c1, games(3, 1, 2)),
            (b1, d1, games(5, 0, 1)),
            (c1, d1, games(2, 2, 2)),
        ] {
            fresh.record(one, two, result);
        }
        assert_eq!(ladder.table(), fresh.table());
        assert_eq!(seen(&ladder), [(b1, 9, 11, 0), (d1, 4, 0, 0), (c1, 2, -1, 0), (a2, 1, -10, 0)]);
    }

    #[test]
    fn ties_go_to_games_and_then_to_who_came_first() {
        let mut ladder = Ladder::default();
        ladder.set_entries([entry(1, 13), entry(2, 12), entry(3, 11)]);
        assert_eq!(ladder.table().iter().map(|row| row.entry.account).collect::<Vec<_>>(), [3, 2, 1]);
        ladder.record(13, 12, games(1, 0, 1));
        ladder.record(13, 11, games(1, 1, 0));
        ladder.record(12, 11, games(2, 0, 0));
        assert_eq!(ladder.table().iter().map(|row| row.entry.account).collect::<Vec<_>>(), [2, 1, 3]);
        ladder.withdraw(2);
        assert_eq!(
            ladder.table().iter().map(|row| (row.entry.account, row.points)).collect::<Vec<_>>(),
            [(1, 3), (3, 0)]
        );
    }

    #[test]
    fn a_newcomer_meets_the_middle_first() {
        let mut ladder = Ladder::default();
        for number in 0..9 {
            ladder.place(entry(number, number));
        }
        let order = ladder.place(entry(100, 100));
        assert_eq!(order, [4, 3, 5, 2, 6, 1, 7, 0, 8]);
    }

    #[test]
    fn a_fifth_upload_does_not_stand_before_a_first() {
        // The eager one uploads for the fifth time, then another for the first time: both have 100 matches.
        let eager: Vec<i64> = (0..100).map(|number| turn(1000, number, 5)).collect();
        let first: Vec<i64> = (0..100).map(|number| turn(1000, number, 1)).collect();
        let eager_before_the_last_of_first = eager.iter().filter(|place| **place < first[99]).count();
        assert_eq!(eager_before_the_last_of_first, 20);
        // Somebody who came long ago is not overtaken for ever: newcomers begin where the queue is now.
        assert!(turn(5000, 0, 1) > first[99]);
    }
}
