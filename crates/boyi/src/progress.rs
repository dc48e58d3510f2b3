//! How far a contest is: a bar for a person, figures for a program.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use games::Language;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::context::Context;

/// How often the words under the bar are made anew: a rating of many engines costs more than a game of instant ones.
const REFRESH: Duration = Duration::from_millis(250);

/// The progress of a contest.
pub(crate) struct Progress {
    bar: ProgressBar,
    shown: bool,
    total: Option<u64>,
    /// Games that were played in an earlier run.
    before: u64,
    done: u64,
    began: Instant,
    refreshed: Option<Instant>,
}

/// The same in figures.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Figures {
    /// Games played.
    done: u64,
    /// Games in all, where that is known.
    total: Option<u64>,
    /// Games a second in this run.
    per_second: f64,
    /// At that speed.
    seconds_left: Option<f64>,
}

impl Progress {
    /// Of so many games, where that is known, of which some were played in an earlier run.
    pub(crate) fn new(context: &Context, total: Option<u64>, before: u64, quiet: bool) -> Self {
        let shown = !quiet && !context.json && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = match (total.is_some(), context.language) {
            (true, Language::En) => "{wide_bar} {pos}/{len}  {per_sec:.1}  {eta} left\n{msg}",
            (true, Language::Zh) => "{wide_bar} {pos}/{len}  {per_sec:.1}  剩余 {eta}\n{msg}",
            (false, Language::En) => "{spinner} {pos} games  {per_sec:.1}  {elapsed}\n{msg}",
            (false, Language::Zh) => "{spinner} {pos} 局  {per_sec:.1}  {elapsed}\n{msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(before);
        bar.reset_eta();
        Self { bar, shown, total, before, done: before, began: Instant::now(), refreshed: None }
    }

    /// So many more games are played; the words are made only when they are to be seen.
    pub(crate) fn advance(&mut self, games: u64, words: impl FnOnce() -> String) {
        self.done += games;
        if self.shown {
            self.bar.inc(games);
            if self.refreshed.is_none_or(|last| last.elapsed() >= REFRESH) {
                self.refreshed = Some(Instant::now());
                self.bar.set_message(words());
            }
        }
    }

    /// How far it is.
    pub(crate) fn figures(&self) -> Figures {
        let per_second = (self.done - self.before) as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let left = self.total.map(|total| total.saturating_sub(self.done) as f64 / per_second);
        Figures {
            done: self.done,
            total: self.total,
            per_second,
            seconds_left: left.filter(|seconds| seconds.is_finite()),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
