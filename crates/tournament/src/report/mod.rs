//! A contest as one page that needs nothing else: no server, no network, no other file.
//!
//! The journal is read twice and never held in memory: first for the figures ([`survey`](self::survey)), then for the
//! games, whose boards are drawn by the rules here and kept as differences from ply to ply ([`album`](self::album)).
//! The page's script only shows; it knows no rules. Every text of the page is in [`texts`](self::texts), in both
//! languages.
//!
//! Read [`write`] first.

mod album;
mod conditions;
mod page;
mod summary;
mod survey;
mod texts;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use games::{Language, Listing, Reason};

use crate::event::Event;
use crate::journal::{Journal, JournalError};
use crate::pairing::{FormatError, PointSystem, RoundRobinSettings, Schedule};
use crate::plan::Plan;
use crate::statistics::Hypotheses;
use album::Album;
use survey::Survey;

pub use conditions::Words;

/// What a report is made from, beside the journal.
pub struct Subject {
    title: Option<String>,
    game: &'static dyn Listing,
    names: Vec<String>,
    event: Event,
    conditions: Vec<(Words, Words)>,
    hypotheses: Option<Hypotheses>,
    /// Whether a game without a result counts as a draw, as it does in a tournament, or not at all.
    void_counts: bool,
    is_match: bool,
}

/// How the page is made.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    /// The language it opens in.
    pub language: Language,
    /// How many games bring their boards; the others are listed only.
    pub replays: usize,
    /// Reasons that neither the rules nor the referee have: those of protocols.
    pub reasons: &'a [&'static Reason],
}

/// How many games bring their boards where nobody says otherwise: some 30 MB of the largest boards.
pub const USUAL_REPLAYS: usize = 2000;

/// The plan of a match in its folder.
pub const MATCH_PLAN: &str = "match.toml";

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Games listed.
    pub games: usize,
    /// Games that can be replayed.
    pub replays: usize,
    /// Lines of the journal without a checksum.
    pub unchecked: usize,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The pairings cannot be made again.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
    /// The folder of a match has no game to tell what was played.
    #[error("no game has been played yet")]
    NoGame,
    /// The journal is of a game that is not there.
    #[error(transparent)]
    Game(#[from] games::UnknownGame),
}

impl Subject {
    /// A tournament; the names are those of its tables.
    pub fn of_plan(plan: &Plan, names: Vec<String>) -> Result<Self, ReportError> {
        let game = games::find(&plan.game)?;
        Ok(Self {
            title: plan.event.clone(),
            game,
            event: Event::new(plan.format_for(names.len())?, names.len(), plan.games),
            conditions: conditions::of_plan(plan, names.len()),
            names,
            hypotheses: None,
            void_counts: true,
            is_match: false,
        })
    }

    /// A match, as far as its folder tells.
    pub fn of_match(folder: &Path) -> Result<Self, ReportError> {
        let plan = std::fs::read_to_string(folder.join(MATCH_PLAN)).ok().and_then(|text| Plan::read(&text).ok());
        let (mut games, mut first) = (0, None);
        // Whoever writes the report reads all of it, and checks it then.
        Journal::read_again(folder, |finished| {
            games = games.max(finished.number as usize + 1);
            first.get_or_insert(finished);
        })?;
        let first = first.ok_or(ReportError::NoGame)?;
        let mut names = vec![String::new(); 2];
        for (entrant, player) in [(first.black, &first.record.seats.black), (first.white, &first.record.seats.white)] {
            names.get_mut(entrant).map(|name| name.clone_from(&player.name)).ok_or(ReportError::NoGame)?;
        }
        let games = plan.as_ref().map_or(games, |plan| games.max(plan.games));
        let settings = RoundRobinSettings { entrants: 2, cycles: 1, games, points: PointSystem::GameOneHalf };
        Ok(Self {
            title: None,
            game: games::find(&first.record.game)?,
            names,
            event: Event::new(Box::new(Schedule::round_robin(settings)?), 2, games),
            conditions: conditions::of_match(plan.as_ref()),
            hypotheses: plan.and_then(|plan| plan.sprt),
            void_counts: false,
            is_match: true,
        })
    }
}

/// Writes the report of a folder.
pub fn write(
    folder: &Path,
    mut subject: Subject,
    choices: Choices<'_>,
    out: &mut impl Write,
) -> Result<Written, ReportError> {
    let mut survey = Survey::new(subject.names.len(), subject.hypotheses);
    let unchecked = Journal::read(folder, |finished| {
        if survey.add(&finished) && (subject.void_counts || survey::counts(&finished)) {
            subject.event.restore(&finished);
        }
    })?;
    survey.sort();
    let complete = subject.event.count_known() || survey.is_decided();
    page::open(out, &page::title(&subject), choices.language)?;
    let shown: HashSet<u64> = survey.rows.iter().take(choices.replays).map(|row| row.number).collect();
    let (mut album, mut seen, mut failure) = (Album::default(), HashSet::new(), None);
    Journal::read_again(folder, |finished| {
        if failure.is_none() && shown.contains(&finished.number) && seen.insert(finished.number) {
            failure = page::game(out, finished.number, &album.game(&finished.record)).err();
        }
    })?;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let written = Written { games: survey.rows.len(), replays: seen.len(), unchecked };
    let facts = summary::facts(&subject, &survey, &album, &choices, complete, &seen);
    page::close(out, &facts)?;
    Ok(written)
}
