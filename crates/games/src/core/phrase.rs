//! Texts a person reads, always in both languages, and the reasons built from them.

use serde::{Deserialize, Serialize};

/// A language boyi speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese (simplified).
    Zh,
}

/// One text in every language. A missing translation is a compile error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Phrase {
    /// A phrase from its English and Chinese texts.
    #[must_use]
    pub const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    /// A phrase that reads the same in both languages (symbols, sizes).
    #[must_use]
    pub const fn same(text: &'static str) -> Self {
        Self { en: text, zh: text }
    }

    /// The text in one language.
    #[must_use]
    pub const fn text(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }
}

/// Why a game ended, or why a ply or a position was not taken: a code for programs and a sentence for people.
///
/// `{}` in the sentence stands for the place (a point, a ply, the offending text).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Reason {
    /// Stable, lower case, words joined by `-`.
    pub code: &'static str,
    /// The sentence, without a final full stop.
    pub text: Phrase,
}

impl Reason {
    /// A reason from its code and its sentence in English and Chinese.
    #[must_use]
    pub const fn new(code: &'static str, en: &'static str, zh: &'static str) -> Self {
        Self { code, text: Phrase::new(en, zh) }
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Reason {}

/// Reasons that every game shares. A game adds its own beside its rules.
pub mod reasons {
    use super::Reason;

    /// A ply after the end.
    pub static GAME_OVER: Reason = Reason::new("game-over", "the game is over", "对局已经结束");
    /// A point outside the board.
    pub static OFF_BOARD: Reason = Reason::new("off-board", "{} is not on the board", "{} 不在棋盘上");
    /// A point that is taken.
    pub static OCCUPIED: Reason = Reason::new("occupied", "{} is not empty", "{} 处已有棋子");
    /// The piece to move is not there or not the mover's.
    pub static NOT_YOURS: Reason =
        Reason::new("not-yours", "there is no piece of the side to move at {}", "{} 处没有行棋方的棋子");
    /// The way is blocked, or no such way exists.
    pub static UNREACHABLE: Reason = Reason::new("unreachable", "the piece cannot go to {}", "棋子不能走到 {}");
    /// The same point named twice in a ply.
    pub static TWICE: Reason = Reason::new("twice", "{} is named twice in one ply", "同一着法中 {} 出现了两次");
    /// The text is not a ply of this game.
    pub static MALFORMED: Reason = Reason::new("malformed", "\"{}\" is not a ply of this game", "“{}”不是本棋种的着法");
    /// The text is not a position of this game.
    pub static BAD_POSITION: Reason =
        Reason::new("bad-position", "\"{}\" does not belong in a position of this game", "局面文本中不应出现“{}”");
    /// A field of the position text is not there.
    pub static MISSING_FIELD: Reason =
        Reason::new("missing-field", "the position text ends before its field \"{}\"", "局面文本缺少字段“{}”");
    /// A row of the position text is too long or too short.
    pub static ROW_LENGTH: Reason =
        Reason::new("row-length", "row {} of the position has the wrong length", "局面第 {} 行的长度不对");
    /// The position text has too many or too few rows.
    pub static ROW_COUNT: Reason = Reason::new("row-count", "the position needs {} rows", "局面应有 {} 行");
    /// The position could not have come about.
    pub static IMPOSSIBLE: Reason =
        Reason::new("impossible", "no game can reach this position: {}", "任何对局都不会出现这样的局面：{}");
    /// An option outside what the game can do.
    pub static BAD_OPTION: Reason = Reason::new("bad-option", "option {} is outside its range", "选项 {} 超出允许范围");

    /// The side to move has no legal ply.
    pub static NO_PLY: Reason = Reason::new("no-ply", "the side to move has no legal ply", "轮到行棋的一方无合法着法");
    /// A side has no pieces left.
    pub static NO_PIECES: Reason = Reason::new("no-pieces", "the loser has no pieces left", "负方棋子已被吃光");
    /// A row of the winning length.
    pub static LINE: Reason = Reason::new("line", "the winner made a winning line", "胜方连成一线");
    /// The board is full.
    pub static BOARD_FULL: Reason = Reason::new("board-full", "the board is full", "棋盘已下满");
    /// All a seat may know of why its try was refused.
    pub static REFUSED: Reason = Reason::new("refused", "the referee refused the ply", "裁判拒绝了这一着");
    /// The limit of plies is reached and the pieces or points were counted.
    pub static PLY_LIMIT: Reason =
        Reason::new("ply-limit", "the ply limit was reached and the board was counted", "达到步数上限，按盘面计算胜负");

    /// All of the above.
    pub static SHARED: &[&Reason] = &[
        &GAME_OVER,
        &OFF_BOARD,
        &OCCUPIED,
        &NOT_YOURS,
        &UNREACHABLE,
        &TWICE,
        &MALFORMED,
        &BAD_POSITION,
        &MISSING_FIELD,
        &ROW_LENGTH,
        &ROW_COUNT,
        &IMPOSSIBLE,
        &BAD_OPTION,
        &NO_PLY,
        &NO_PIECES,
        &LINE,
        &BOARD_FULL,
        &REFUSED,
        &PLY_LIMIT,
    ];
}
