//! Game records: boyi's own format and conversions from and to the formats people exchange.
//!
//! This crate depends on `games` alone; whoever plays games converts its reports into records. A conversion that loses
//! something says what: nothing is dropped in silence.
//!
//! Read [`Record`] first: it is what every format is read into and written from. [`read`] takes the bytes of a file of
//! any known format, [`write`] gives them, and [`Record::replay`] plays a record through the rules and says whether it
//! is true.

mod atomic;
mod ccgc;
mod date;
mod dots;
mod error;
mod format;
mod moves;
mod psq;
mod record;
mod remark;
mod replay;
mod sgf;
mod text;

pub use atomic::write_atomically;
pub use ccgc::{file_name, has_form as has_championship_form};
pub use error::{ReadError, WriteError};
pub use format::{Choices, Converted, Format, Opened, Rows, read, read_each, write};
pub use record::{
    Environment, FORMAT, Player, PlayerKind, PlyEnd, Record, RecordedPly, RecordedVerdict, Seats, TimeLimits, VERSION,
};
pub use remark::Remark;
pub use replay::{REPORTED, ReplayError};
