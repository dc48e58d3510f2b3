//! What a rogue must know of a protocol to break it: which of its lines are answers, and what wrong ones look like.

use crate::behaviour::Behaviour;

/// The manners of one protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manners {
    /// The SAU platform's.
    Sau,
    /// Gomocup's.
    Gomocup,
    /// The Junqi protocol's.
    Junqi,
    /// The Tiaojia judge's.
    Tiaojia,
}

impl Manners {
    /// Those of the protocol with this id.
    #[must_use]
    pub fn of(protocol: &str) -> Option<Self> {
        match protocol {
            "sau" => Some(Self::Sau),
            "gomocup" => Some(Self::Gomocup),
            "junqi" => Some(Self::Junqi),
            "tiaojia" => Some(Self::Tiaojia),
            _ => None,
        }
    }

    /// Whether a line answers a turn.
    #[must_use]
    pub fn is_answer(self, line: &str) -> bool {
        match self {
            Self::Sau => line.starts_with("move "),
            Self::Gomocup | Self::Tiaojia => line.starts_with(|letter: char| letter.is_ascii_digit()),
            Self::Junqi => line.starts_with("ARRAY ") || line.starts_with("BESTMOVE "),
        }
    }

    /// Whether a line says the engine's name.
    #[must_use]
    pub fn is_name(self, line: &str) -> bool {
        line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("name"))
    }

    /// Whether a line of the referee says that the game is over.
    #[must_use]
    pub fn is_end(self, line: &str) -> bool {
        line.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("end"))
    }

    /// Whether a line of the referee says that the last answer does not stand.
    #[must_use]
    pub fn is_rejection(self, line: &str) -> bool {
        self == Self::Sau && matches!(line.trim(), "error" | "refuse")
    }

    /// Whether a line comes before the first clock starts and an engine may do something for it that takes long: build
    /// its tables, or set up a game.
    #[must_use]
    pub fn is_preparation(self, line: &str) -> bool {
        match self {
            Self::Sau => matches!(line.trim(), "name?" | "new white"),
            // Both before START and after OK: one brain builds its tables, another is still busy with START.
            Self::Gomocup => line.starts_with("INFO max_memory") || line.trim() == "ABOUT",
            Self::Junqi => line.starts_with("INFO"),
            Self::Tiaojia => line.starts_with("START"),
        }
    }

    /// A line that the protocol allows at any time.
    #[must_use]
    pub const fn chatter(self) -> &'static str {
        match self {
            Self::Sau | Self::Junqi => "thinking about it",
            Self::Gomocup => "MESSAGE thinking about it",
            Self::Tiaojia => "DEBUG thinking about it",
        }
    }

    /// An answer with blanks where people put them.
    #[must_use]
    pub fn spaced(self, answer: &str) -> String {
        match self {
            Self::Gomocup => answer.replace(',', " , "),
            _ => format!(" {} ", answer.replace(' ', "  ")),
        }
    }

    /// A wrong answer of this kind; `first` is the first answer the rogue gave.
    #[must_use]
    pub fn wrong(self, behaviour: Behaviour, first: &str) -> String {
        let parameters = match (behaviour, self) {
            // What was played before cannot be played again: the point is taken, or the piece has left.
            (Behaviour::Illegal | Behaviour::IllegalForever | Behaviour::IllegalThenLegal, Self::Junqi) => "A0A1",
            (Behaviour::Illegal | Behaviour::IllegalForever | Behaviour::IllegalThenLegal, _) => {
                return first.to_owned();
            }
            (Behaviour::OffBoard, Self::Sau) => "ZZ",
            (Behaviour::OffBoard, Self::Gomocup) => "99,99",
            (Behaviour::OffBoard, Self::Junqi) => "Z9Z9",
            (Behaviour::OffBoard, Self::Tiaojia) => "9 9 0",
            (Behaviour::Malformed, Self::Sau | Self::Junqi) => "?!",
            (Behaviour::Malformed, Self::Gomocup) => "7;7",
            (Behaviour::Malformed, Self::Tiaojia) => "1 2",
            (Behaviour::Comma, _) => ",",
            (Behaviour::Minus, Self::Tiaojia) => "-1 -1 -1",
            (Behaviour::Minus, _) => "-1,-1",
            (Behaviour::Huge, Self::Tiaojia) => "999999999999 0 0",
            (Behaviour::Huge, _) => "999999999999,0",
            _ => "",
        };
        match self {
            Self::Sau => format!("move {parameters}"),
            Self::Junqi => format!("BESTMOVE {parameters}"),
            Self::Gomocup | Self::Tiaojia => parameters.to_owned(),
        }
    }
}
