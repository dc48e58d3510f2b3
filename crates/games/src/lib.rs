//! The rules of boyi's nine games: exact, fast, and pure.
//!
//! This crate depends on no other crate of the workspace and does no I/O. It holds the vocabulary every game is written
//! in ([`core`]), one file a game, and the table that lists them ([`GAMES`]).
//!
//! Read [`Game`] first: it is the typed face of a game, for engines and benches. [`Table`] is the other face, the same
//! for all games, made from the first once and for all.
//!
//! ```
//! let game = games::find("挑夹棋")?;
//! let mut table = game.open(&serde_json::Value::Null, None)?;
//! table.play("4 0 1", games::Eyes::All)?;
//! assert_eq!(table.to_move(), games::Side::White);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod amazons;
pub mod connect6;
pub mod core;
pub mod dots;
pub mod goban;
pub mod gomoku;
pub mod junqi;
pub mod nogo;
pub mod phantom_go;
pub mod render;
pub mod surakarta;
pub mod tiaojia;

pub use core::*;

/// Every game there is. A tenth game is one file and one line here.
pub static GAMES: &[&dyn Listing] = &[
    &Entry::<amazons::Amazons>::new(),
    &Entry::<connect6::Connect6>::new(),
    &Entry::<nogo::NoGo>::new(),
    &Entry::<dots::Dots>::new(),
    &Entry::<phantom_go::PhantomGo>::new(),
    &Entry::<surakarta::Surakarta>::new(),
    &Entry::<gomoku::Gomoku>::new(),
    &Entry::<junqi::Junqi>::new(),
    &Entry::<tiaojia::Tiaojia>::new(),
];

/// Finds a game by its id, its English or Chinese name, or an alias.
pub fn find(name: &str) -> Result<&'static dyn Listing, UnknownGame> {
    core::find(GAMES, name)
}
