//! How a game was decided, and what shows it.

use std::time::Duration;

use games::{Note, Phrase, Reason, Side, Table};
use serde::Serialize;

/// The reasons a referee has, beside those of the rules and the protocols.
pub mod reasons {
    use games::Reason;

    /// No answer in time.
    pub static TIME: Reason = Reason::new("time", "the loser used more time than it had", "负方用时超过限制");
    /// Not ready in time.
    pub static NOT_READY: Reason =
        Reason::new("not-ready", "the engine was not ready within the start-up limit", "引擎未在启动时限内就绪");
    /// The process left or crashed.
    pub static EXITED: Reason =
        Reason::new("exited", "the engine left before the end of the game", "引擎在对局结束前退出");
    /// A limit of the cage.
    pub static RESOURCES: Reason = Reason::new(
        "resource-limit",
        "the engine used more memory or processes than it may",
        "引擎使用的内存或进程超过限制",
    );
    /// The machine was too slow to tell.
    pub static STALLED: Reason = Reason::new(
        "stalled",
        "no result: the machine kept the engine waiting and then its time was over",
        "无结果：机器未能及时运行引擎，随后超时",
    );
    /// An illegal ply.
    pub static ILLEGAL: Reason = Reason::new("illegal-ply", "the loser played an illegal ply", "负方走了不合法的着法");
    /// Too much output.
    pub static OUTPUT: Reason =
        Reason::new("output-limit", "the engine wrote more than a game's output may be", "引擎输出超过一局的上限");
    /// A pause that somebody undid.
    pub static UNDONE_PAUSE: Reason = Reason::new(
        "undone-pause",
        "the engine undid its suspension and computed on its opponent's time",
        "引擎解除了对它的暂停，在对方时间继续计算",
    );
    /// Given up.
    pub static RESIGNED: Reason = Reason::new("resigned", "the loser resigned", "负方认输");
    /// Both players agreed.
    pub static AGREED: Reason = Reason::new("draw-by-agreement", "the players agreed to a draw", "双方同意和棋");
    /// Stopped from outside.
    pub static STOPPED: Reason = Reason::new("stopped", "the game was stopped", "对局被中止");
    /// An engine that could not be set back.
    pub static NOT_SET_BACK: Reason = Reason::new(
        "not-set-back",
        "the engine could not be brought back to an earlier position",
        "引擎无法回到之前的局面",
    );

    /// Both engines said that the same side wins.
    pub static AGREED_WIN: Reason = Reason::new(
        "agreed-win",
        "adjudicated: both engines gave the winner a decisive score",
        "裁定胜负：双方引擎的评分一致认为胜方胜势",
    );
    /// Both engines said that nobody is ahead.
    pub static AGREED_DRAW: Reason = Reason::new(
        "agreed-draw",
        "adjudicated: both engines gave an even score",
        "裁定和棋：双方引擎的评分一致认为均势",
    );
    /// The game went on for too long.
    pub static MAX_PLIES: Reason = Reason::new(
        "max-plies",
        "adjudicated: the game reached the most plies allowed",
        "裁定和棋：对局达到规定的最多步数",
    );

    /// All of the above.
    pub static ALL: &[&Reason] = &[
        &TIME,
        &NOT_READY,
        &EXITED,
        &RESOURCES,
        &STALLED,
        &ILLEGAL,
        &OUTPUT,
        &UNDONE_PAUSE,
        &RESIGNED,
        &AGREED,
        &STOPPED,
        &NOT_SET_BACK,
        &AGREED_WIN,
        &AGREED_DRAW,
        &MAX_PLIES,
    ];
}

/// Which limit of time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitOf {
    /// A single ply's.
    Ply,
    /// What was left of the whole game's.
    Game,
    /// The time for getting ready.
    Start,
}

impl LimitOf {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> Phrase {
        match self {
            Self::Ply => Phrase::new("the limit of a single ply", "超出单步时限"),
            Self::Game => Phrase::new("the time left for the whole game", "超出本局剩余时间"),
            Self::Start => Phrase::new("the limit for getting ready", "超出启动时限"),
        }
    }
}

/// What shows that a decision is right.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The seat it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Side>,
    /// Which limit of time ran out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_of: Option<LimitOf>,
    /// The limit that was broken, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<f64>,
    /// By how much it might have been overrun, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance_ms: Option<f64>,
    /// What was measured, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_ms: Option<f64>,
    /// The most an engine may write, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<u64>,
    /// What it had written by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_bytes: Option<u64>,
    /// The most plies a game may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_plies: Option<u32>,
    /// The score that both engines passed or stayed within.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_score: Option<u32>,
    /// What the engines said at the last plies, from the first seat's view.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<i32>,
    /// What the rules counted or saw at the end: boxes, areas, pieces, the winning line, the last ply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Note>,
    /// The ply that was illegal, as its player wrote it; the detail is told in the same view of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<String>,
    /// What the engine wrote last that was no move while one was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// Why, or how the process ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The same in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail_zh: Option<String>,
    /// The last lines of the conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl Evidence {
    /// With why, or how the process ended, in both languages; after what was said of it already.
    #[must_use]
    pub fn with_detail(self, en: impl Into<String>, zh: impl Into<String>) -> Self {
        let joined = |before: Option<String>, between: &str, more: String| match before {
            Some(before) => before + between + &more,
            None => more,
        };
        let detail = Some(joined(self.detail, "; ", en.into()));
        let detail_zh = Some(joined(self.detail_zh, "；", zh.into()));
        Self { detail, detail_zh, ..self }
    }
}

/// The end of a game: who won, why, when, and what shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The winner, or nobody.
    pub winner: Option<Side>,
    /// Why.
    pub reason: &'static Reason,
    /// After how many plies.
    pub ply: u32,
    /// False when there is no result: both engines failed to start, or the game was stopped.
    pub counts: bool,
    /// What shows it.
    pub evidence: Evidence,
}

impl Decision {
    /// What the rules have decided on this table, if they have.
    #[must_use]
    pub fn by_rules(table: &dyn Table) -> Option<Self> {
        let verdict = table.verdict()?;
        Some(Self {
            winner: verdict.winner,
            reason: verdict.reason,
            ply: verdict.ply,
            counts: true,
            evidence: Evidence { facts: table.evidence(), ..Evidence::default() },
        })
    }

    /// A seat has lost for a reason of the referee's or the protocol's.
    #[must_use]
    pub fn against(loser: Side, reason: &'static Reason, ply: u32, evidence: Evidence) -> Self {
        let evidence = Evidence { seat: Some(loser), ..evidence };
        Self { winner: Some(loser.other()), reason, ply, counts: true, evidence }
    }

    /// A draw for a reason of the referee's.
    #[must_use]
    pub fn draw(reason: &'static Reason, ply: u32) -> Self {
        Self { winner: None, reason, ply, counts: true, evidence: Evidence::default() }
    }

    /// No result.
    #[must_use]
    pub fn none(reason: &'static Reason, ply: u32, evidence: Evidence) -> Self {
        Self { winner: None, reason, ply, counts: false, evidence }
    }
}

/// Milliseconds with their fractions.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
