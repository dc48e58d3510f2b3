//! Ending games that are decided before the rules say so.

use std::collections::VecDeque;

use games::Side;
use serde::{Deserialize, Serialize};

use crate::decision::{Decision, Evidence, reasons};

/// When a game is ended before its end. By default never.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adjudication {
    /// A game of so many plies, its opening included, is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Both engines say that the same side wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<WinRule>,
    /// Both engines say that nobody is ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

/// A win by agreement: for so many plies in a row whoever moved gave at least this score to the same side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinRule {
    /// At least so far from zero.
    pub score: u32,
    /// Plies in a row, both engines' among them.
    pub plies: u32,
}

/// A draw by agreement: for so many plies in a row whoever moved gave at most this score to either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// At most so far from zero.
    pub score: u32,
    /// Plies in a row, both engines' among them.
    pub plies: u32,
    /// Not before so many plies of the game.
    #[serde(default)]
    pub after: u32,
}

impl Adjudication {
    /// Whether scores matter.
    #[must_use]
    pub const fn by_score(&self) -> bool {
        self.win.is_some() || self.draw.is_some()
    }
}

/// Both engines must have spoken, so a rule looks at two plies at least.
const FEWEST_PLIES: u32 = 2;

/// What the engines have said, ply after ply.
#[derive(Debug, Default)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// Who moved and the score from the first seat's view; as many of the last plies as a rule looks at.
    said: VecDeque<(Side, i32)>,
}

impl Adjudicator {
    pub(crate) fn new(rules: Adjudication) -> Self {
        Self { rules, said: VecDeque::new() }
    }

    /// Forgets what was said: plies were taken back.
    pub(crate) fn forget(&mut self) {
        self.said.clear();
    }

    /// A ply was played; `score` is what its player thinks of his own side. `plies` is how many there are now.
    pub(crate) fn after(&mut self, mover: Side, score: Option<i32>, plies: u32) -> Option<Decision> {
        if self.rules.by_score() {
            match score {
                Some(score) => self.said.push_back((mover, if mover == Side::Black { score } else { -score })),
                // Agreement is of both, at every ply.
                None => self.said.clear(),
            }
            let longest = [self.rules.win.map(|rule| rule.plies), self.rules.draw.map(|rule| rule.plies)];
            let most = longest.into_iter().flatten().max().unwrap_or_default().max(FEWEST_PLIES) as usize;
            while self.said.len() > most {
                self.said.pop_front();
            }
        }
        self.agreed_win(plies).or_else(|| self.agreed_draw(plies)).or_else(|| self.too_long(plies))
    }

    fn agreed_win(&self, plies: u32) -> Option<Decision> {
        let rule = self.rules.win?;
        let said = self.last(rule.plies)?;
        let limit = i32::try_from(rule.score).unwrap_or(i32::MAX);
        let winner = if said.iter().all(|score| *score >= limit) {
            Side::Black
        } else if said.iter().all(|score| *score <= -limit) {
            Side::White
        } else {
            return None;
        };
        let evidence = Evidence { limit_score: Some(rule.score), scores: said, ..Evidence::default() };
        Some(Decision { winner: Some(winner), reason: &reasons::AGREED_WIN, ply: plies, counts: true, evidence })
    }

    fn agreed_draw(&self, plies: u32) -> Option<Decision> {
        let rule = self.rules.draw.filter(|rule| plies > rule.after)?;
        let said = self.last(rule.plies)?;
        if said.iter().any(|score| score.unsigned_abs() > rule.score) {
            return None;
        }
        let evidence = Evidence { limit_score: Some(rule.score), scores: said, ..Evidence::default() };
        Some(Decision { winner: None, reason: &reasons::AGREED_DRAW, ply: plies, counts: true, evidence })
    }

    fn too_long(&self, plies: u32) -> Option<Decision> {
        let limit = self.rules.max_plies.filter(|limit| plies >= *limit)?;
        let evidence = Evidence { limit_plies: Some(limit), ..Evidence::default() };
        Some(Decision { winner: None, reason: &reasons::MAX_PLIES, ply: plies, counts: true, evidence })
    }

    /// The scores of the last plies, if there are as many and both sides are among them.
    fn last(&self, plies: u32) -> Option<Vec<i32>> {
        let wanted = plies.max(FEWEST_PLIES) as usize;
        let start = self.said.len().checked_sub(wanted)?;
        let last = || self.said.range(start..);
        let both = Side::BOTH.iter().all(|side| last().any(|(mover, _)| mover == side));
        both.then(|| last().map(|(_, score)| *score).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays scores alternately, each from its player's own side, and gives the decision and after how many plies.
    fn play(rules: Adjudication, scores: &[Option<i32>]) -> Option<(&'static str, Option<Side>, u32)> {
        let mut adjudicator = Adjudicator::new(rules);
        let movers = Side::BOTH.into_iter().cycle();
        scores.iter().zip(movers).zip(1..).find_map(|((score, mover), plies)| {
            adjudicator
                .after(mover, *score, plies)
                .map(|decision| (decision.reason.code, decision.winner, decision.ply))
        })
    }

    const WIN: Adjudication = Adjudication { max_plies: None, win: Some(WinRule { score: 500, plies: 4 }), draw: None };

    #[test]
    fn both_must_see_the_same_winner_for_long_enough() {
        let some = |scores: &[i32]| scores.iter().copied().map(Some).collect::<Vec<_>>();
        let won = Some(("agreed-win", Some(Side::Black), 6));
        assert_eq!(play(WIN, &some(&[0, 0, 500, -600, 700, -800])), won);
        let lost = Some(("agreed-win", Some(Side::White), 4));
        assert_eq!(play(WIN, &some(&[-500, 500, -500, 500])), lost);
        // Each believes in itself: that is no agreement.
        assert_eq!(play(WIN, &some(&[900, 900, 900, 900, 900, 900])), None);
        // One ply without a score, or with a doubt, and the count begins anew.
        assert_eq!(play(WIN, &[Some(600), Some(-600), None, Some(-600), Some(600), Some(-600)]), None);
        assert_eq!(play(WIN, &some(&[600, -600, 499, -600, 600, -600])), None);
    }

    #[test]
    fn one_engine_alone_agrees_with_nobody() {
        let mut adjudicator = Adjudicator::new(WIN);
        // An extra turn after another, as in Dots.
        assert!((1..20).all(|plies| adjudicator.after(Side::Black, Some(900), plies).is_none()));
        assert!(adjudicator.after(Side::White, Some(-900), 20).is_some());
    }

    #[test]
    fn a_draw_is_agreed_only_after_its_ply() {
        let draw = Some(DrawRule { score: 5, plies: 2, after: 6 });
        let scores = [Some(0), Some(3), Some(-5), Some(0), Some(1), Some(0), Some(0), Some(0)];
        assert_eq!(play(Adjudication { draw, ..Adjudication::default() }, &scores), Some(("agreed-draw", None, 7)));
        let far = scores.map(|score| score.map(|score| score + 6));
        assert_eq!(play(Adjudication { draw, ..Adjudication::default() }, &far), None);
    }

    #[test]
    fn a_long_game_is_a_draw() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(play(rules, &[None; 5]), Some(("max-plies", None, 3)));
    }

    #[test]
    fn extreme_numbers_do_no_harm() {
        let rules = Adjudication {
            max_plies: None,
            win: Some(WinRule { score: u32::MAX, plies: 0 }),
            draw: Some(DrawRule { score: 0, plies: u32::MAX, after: u32::MAX }),
        };
        assert_eq!(play(rules, &[Some(protocols::WON); 9]), None);
    }
}
