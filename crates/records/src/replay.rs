//! Whether a record is true: its plies played through the rules, its verdict compared with theirs.

use games::{Eyes, Fault, Language, OpenError, Reason, Side, Table, UnknownGame, reasons};

use crate::record::{PlyEnd, Record, RecordedVerdict};
use crate::text::shown;

/// The reason of a result that a foreign file states and the rules do not show.
pub static REPORTED: Reason = Reason::new("reported", "so the source of this record says", "据棋谱来源记载");

/// Where a record is wrong. Plies are counted from 1, refused tries included.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub enum ReplayError {
    /// There is no such game.
    Game(UnknownGame),
    /// The options or the starting position are wrong.
    Open(OpenError),
    /// A ply the rules do not allow.
    Illegal {
        /// The ply's number.
        ply: usize,
        /// Its text.
        text: String,
        /// Why.
        fault: Fault,
    },
    /// A ply of the side that was not to move.
    Mover {
        /// The ply's number.
        ply: usize,
        /// Who is said to have made it.
        told: Side,
    },
    /// A ply that ended in another way.
    End {
        /// The ply's number.
        ply: usize,
        /// How it is said to have ended.
        told: PlyEnd,
        /// How it ends.
        is: PlyEnd,
    },
    /// The rules have decided the game, and otherwise than the record says.
    Verdict {
        /// The ply's number.
        ply: usize,
        /// The winner and the reason that the record gives; nothing when it gives none.
        told: Option<(Option<Side>, String)>,
        /// The winner by the rules.
        winner: Option<Side>,
        /// The rules' reason.
        reason: &'static Reason,
    },
    /// The record gives a reason of the rules, and the rules have not decided the game.
    Undecided {
        /// The last ply's number.
        ply: usize,
        /// The reason.
        reason: String,
    },
    /// The verdict gives the game to another side than its own reason and evidence do.
    Winner {
        /// The winner it gives.
        told: Option<Side>,
        /// The winner by the reason and the evidence.
        is: Option<Side>,
        /// The reason.
        reason: String,
    },
    /// The verdict speaks of another number of plies.
    Length {
        /// The number in the verdict.
        told: u32,
        /// The number played.
        is: u32,
    },
}

impl ReplayError {
    /// The number of the ply at fault, where it is one.
    #[must_use]
    pub const fn ply(&self) -> Option<usize> {
        match self {
            Self::Illegal { ply, .. }
            | Self::Mover { ply, .. }
            | Self::End { ply, .. }
            | Self::Verdict { ply, .. }
            | Self::Undecided { ply, .. } => Some(*ply),
            Self::Game(_) | Self::Open(_) | Self::Winner { .. } | Self::Length { .. } => None,
        }
    }

    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::Game(error), _) => error.say(language),
            (Self::Open(error), _) => error.say(language),
            (Self::Illegal { ply, text, fault }, Language::En) => {
                format!("ply {ply} ({}): {}", shown(text), fault.say(language))
            }
            (Self::Illegal { ply, text, fault }, Language::Zh) => {
                format!("第 {ply} 步（{}）：{}", shown(text), fault.say(language))
            }
            (Self::Mover { ply, told }, Language::En) => {
                format!("ply {ply}: {told} is said to have moved, but it was {}'s turn", told.other())
            }
            (Self::Mover { ply, told }, Language::Zh) => {
                format!("第 {ply} 步：记为{}行棋，实际轮到{}", side_zh(*told), side_zh(told.other()))
            }
            (Self::End { ply, told, is }, Language::En) => {
                format!("ply {ply}: recorded as {}, but by the rules it is {}", told.word(), is.word())
            }
            (Self::End { ply, told, is }, Language::Zh) => {
                format!("第 {ply} 步：记为 {}，按规则应为 {}", told.word(), is.word())
            }
            (Self::Verdict { ply, told, winner, reason }, Language::En) => {
                let told = match told {
                    Some((winner, reason)) => format!("the record says {} ({})", winner_en(*winner), shown(reason)),
                    None => "the record says nothing".to_owned(),
                };
                format!("after ply {ply} the rules say {} ({}), {told}", winner_en(*winner), reason.code)
            }
            (Self::Verdict { ply, told, winner, reason }, Language::Zh) => {
                let told = match told {
                    Some((winner, reason)) => format!("棋谱记为{}（{}）", winner_zh(*winner), shown(reason)),
                    None => "棋谱未记结果".to_owned(),
                };
                format!("第 {ply} 步后按规则{}（{}），{told}", winner_zh(*winner), reason.code)
            }
            (Self::Undecided { ply, reason }, Language::En) => {
                format!("after ply {ply} the game is not over, but the record ends it by the rules ({})", shown(reason))
            }
            (Self::Undecided { ply, reason }, Language::Zh) => {
                format!("第 {ply} 步后对局按规则尚未结束，棋谱却记为按规则结束（{}）", shown(reason))
            }
            (Self::Winner { told, is, reason }, Language::En) => {
                let (told, is) = (winner_en(*told), winner_en(*is));
                format!("the record says {told}, but by its reason ({}) and evidence {is}", shown(reason))
            }
            (Self::Winner { told, is, reason }, Language::Zh) => {
                let (told, is) = (winner_zh(*told), winner_zh(*is));
                format!("棋谱记为{told}，但按其终局原因（{}）与依据应为{is}", shown(reason))
            }
            (Self::Length { told, is }, Language::En) => {
                format!("the verdict was given after {told} plies, but the record has {is}")
            }
            (Self::Length { told, is }, Language::Zh) => format!("结果记于第 {told} 步之后，棋谱却有 {is} 步"),
        }
    }
}

const fn side_zh(side: Side) -> &'static str {
    match side {
        Side::Black => "先手",
        Side::White => "后手",
    }
}

fn winner_en(winner: Option<Side>) -> String {
    winner.map_or_else(|| "nobody won".to_owned(), |side| format!("{side} won"))
}

fn winner_zh(winner: Option<Side>) -> String {
    winner.map_or_else(|| "无胜方".to_owned(), |side| format!("{}胜", side_zh(side)))
}

impl Record {
    /// Plays all plies through the rules and checks the verdict; gives the final position.
    pub fn replay(&self) -> Result<Box<dyn Table>, ReplayError> {
        let table = self.replay_plies()?;
        self.check_verdict(table.as_ref())?;
        Ok(table)
    }

    /// Plays all plies through the rules and does not look at the verdict.
    pub fn replay_plies(&self) -> Result<Box<dyn Table>, ReplayError> {
        let mut table = self.open()?;
        for index in 0..self.plies.len() {
            self.replay_ply(table.as_mut(), index)?;
        }
        Ok(table)
    }

    /// Plays the ply of this index on a table that stands before it.
    pub fn replay_ply(&self, table: &mut dyn Table, index: usize) -> Result<(), ReplayError> {
        let Some(step) = self.plies.get(index) else { return Ok(()) };
        let ply = index + 1;
        if table.verdict().is_none() && step.mover != table.to_move() {
            return Err(ReplayError::Mover { ply, told: step.mover });
        }
        let illegal = |fault| ReplayError::Illegal { ply, text: step.ply.clone(), fault };
        let is = PlyEnd::from(table.play(&step.ply, Eyes::All).map_err(illegal)?.end);
        if is == step.end { Ok(()) } else { Err(ReplayError::End { ply, told: step.end, is }) }
    }

    fn check_verdict(&self, table: &dyn Table) -> Result<(), ReplayError> {
        let ply = self.plies.len();
        let told = self.verdict.as_ref();
        if let Some(verdict) = table.verdict() {
            let agrees = told
                .is_some_and(|told| told.winner == verdict.winner && told.reason == verdict.reason.code && told.counts);
            if !agrees {
                let told = told.map(|told| (told.winner, told.reason.clone()));
                return Err(ReplayError::Verdict { ply, told, winner: verdict.winner, reason: verdict.reason });
            }
        } else if let Some(told) = told
            && is_rules_reason(table, &told.reason)
        {
            return Err(ReplayError::Undecided { ply, reason: told.reason.clone() });
        } else if let Some(told) = told
            && let Some(is) = winner_shown(told).filter(|is| *is != told.winner)
        {
            return Err(ReplayError::Winner { told: told.winner, is, reason: told.reason.clone() });
        }
        match told {
            Some(told) if told.ply != table.plies() => Err(ReplayError::Length { told: told.ply, is: table.plies() }),
            _ => Ok(()),
        }
    }

    /// Completes a record read from a format that says less than ours: the options in full, plies in their one
    /// spelling and with the ends the rules give them, and the rules' reason where they agree on the winner.
    ///
    /// Stops at the first ply that cannot be played: the record then stays as the file has it, for
    /// [`replay`](Self::replay) to say what is wrong.
    pub(crate) fn settle(&mut self) -> Result<(), OpenError> {
        let Ok(listing) = self.listing() else { return Ok(()) };
        let mut table = listing.open(&self.variant, self.position.as_deref())?;
        self.variant = table.variant();
        for step in &mut self.plies {
            if step.mover != table.to_move() {
                break;
            }
            let Ok(played) = table.play(&step.ply, Eyes::All) else { break };
            step.end = played.end.into();
            if let Some(text) = table.step(table.steps() - 1, Eyes::All).and_then(|step| step.ply) {
                step.ply = text;
            }
        }
        let complete = table.steps() == self.plies.len();
        match (&mut self.verdict, table.verdict()) {
            (Some(told), Some(verdict)) if complete && told.counts && told.winner == verdict.winner => {
                verdict.reason.code.clone_into(&mut told.reason);
                told.ply = verdict.ply;
            }
            (None, Some(verdict)) if complete => self.verdict = Some(verdict_of(verdict)),
            (Some(told), _) => told.ply = table.plies(),
            (None, _) => {}
        }
        Ok(())
    }
}

/// Ends of a referee's that are draws.
const DRAWS: [&str; 3] = ["draw-by-agreement", "agreed-draw", "max-plies"];

/// The winner that a referee's verdict shows by itself, whatever it says, where it shows one.
fn winner_shown(verdict: &RecordedVerdict) -> Option<Option<Side>> {
    let evidence = &verdict.evidence;
    if !verdict.counts || DRAWS.contains(&verdict.reason.as_str()) {
        return Some(None);
    }
    // What both engines said last, from the first seat's view.
    let score = evidence["scores"].as_array().and_then(|scores| scores.last()?.as_i64()).unwrap_or_default();
    if verdict.reason == "agreed-win" && score != 0 {
        return Some(Some(if score > 0 { Side::Black } else { Side::White }));
    }
    // A referee's evidence speaks of the seat that lost.
    let loser = Side::BOTH.into_iter().find(|side| evidence["seat"].as_str() == Some(side.word()))?;
    Some(Some(loser.other()))
}

fn verdict_of(verdict: games::Verdict) -> RecordedVerdict {
    RecordedVerdict {
        winner: verdict.winner,
        reason: verdict.reason.code.to_owned(),
        ply: verdict.ply,
        counts: true,
        evidence: serde_json::Value::Null,
    }
}

/// Whether the rules of this game, rather than a referee, have this reason.
pub(crate) fn is_rules_reason(table: &dyn Table, code: &str) -> bool {
    reasons::SHARED.iter().chain(table.facts().reasons).any(|reason| reason.code == code)
}
