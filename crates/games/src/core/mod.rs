//! The vocabulary every game is written in.

mod event;
mod facts;
mod fault;
mod frame;
mod game;
pub mod laws;
mod perft;
pub mod perft_file;
mod phrase;
mod placing;
pub mod random;
mod registry;
mod set_up;
mod side;
mod symmetry;
mod table;
pub mod text;
mod variant;
mod verdict;
pub mod view;

pub use event::{Contact, Event};
pub use facts::{Choice, Control, Facts, OptionFact, Preset};
pub use fault::Fault;
pub use frame::{Frame, FrameStep};
pub use game::{Game, Note, Observation, Past, Told};
pub use perft::{divide, perft, playout};
pub use phrase::{Language, Phrase, Reason, reasons};
pub use placing::plies_to;
pub use registry::{Entry, Listing, Playouts, UnknownGame, find};
pub use set_up::{SetUpForm, SetUpSpot, Tile};
pub use side::{Eyes, Side};
pub use symmetry::Symmetry;
pub use table::{OpenError, Played, Plies, Step, Table};
pub use variant::{Variant, VariantError, read as read_variant, read_pairs};
pub use verdict::{End, Tried, Verdict};
