//! Following a game at an engine's end: what the referee tells must be a game.

use games::{Event, Eyes, Fault, Language, Listing, Side, Table};
use serde_json::Value;

/// A line of the referee after which nobody knows where the game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line.
    pub line: String,
    /// What is wrong with the ply in it; nothing where it cannot be read, or asks for a ply out of turn.
    pub fault: Option<Fault>,
    /// It asks for a ply when the other side is to move.
    pub out_of_turn: bool,
}

impl Wrong {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let line: String = self.line.chars().take(200).filter(|letter| !letter.is_control()).collect();
        match (language, &self.fault) {
            (Language::En, Some(fault)) => format!("the opponent's move in \"{line}\" is illegal: {fault}"),
            (Language::Zh, Some(fault)) => format!("“{line}”中的对方着法不合法：{}", fault.say(language)),
            (Language::En, None) if self.out_of_turn => {
                format!("\"{line}\" asks for a move when it is the opponent's turn")
            }
            (Language::Zh, None) if self.out_of_turn => format!("“{line}”要求行棋，但此时轮到对方"),
            (Language::En, None) => format!("the opponent's move in \"{line}\" cannot be read"),
            (Language::Zh, None) => format!("无法读懂“{line}”中的对方着法"),
        }
    }
}

/// The board of an open game as its seat knows it. Hidden games have none: there nobody can say what is illegal.
pub(crate) struct Watch {
    listing: &'static dyn Listing,
    table: Option<Box<dyn Table>>,
    seat: Side,
}

impl Watch {
    pub(crate) fn new(listing: &'static dyn Listing) -> Self {
        Self { listing, table: None, seat: Side::Black }
    }

    pub(crate) fn begin(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.seat = seat;
        self.table = match self.listing.facts().hidden {
            true => None,
            false => self.listing.open(variant, position).ok(),
        };
    }

    /// Follows what the seat is told; a fault is the referee's, or the opponent's.
    pub(crate) fn told(&mut self, event: &Event) -> Result<(), Fault> {
        let (Event::Ply { ply }, Some(table)) = (event, &mut self.table) else { return Ok(()) };
        if table.verdict().is_some() {
            // The referee may play by another variant than the protocol could tell.
            self.table = None;
            return Ok(());
        }
        table.play(ply, Eyes::Seat(self.seat)).map(|_| ())
    }

    /// Follows the seat's own ply.
    pub(crate) fn played(&mut self, event: &Event) {
        if self.told(event).is_err() {
            self.table = None;
        }
    }

    pub(crate) fn forget(&mut self) {
        if self.table.as_mut().is_some_and(|table| !table.undo()) {
            self.table = None;
        }
    }

    /// Whether it is the other side's turn.
    pub(crate) fn is_out_of_turn(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.verdict().is_none() && table.to_move() != self.seat)
    }
}
