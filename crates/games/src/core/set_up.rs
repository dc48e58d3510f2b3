//! A ply that places many pieces at once, as a form to fill in: which pieces there are and where each may stand.

use std::collections::HashMap;

use serde::Serialize;

use super::fault::Fault;
use super::phrase::{Phrase, Reason};

static NO_TILE: Reason = Reason::new("no-tile", "no piece stands at {}", "{} 处还没有棋子");
static WRONG_PLACE: Reason = Reason::new("wrong-place", "this piece may not stand at {}", "这枚棋子不能放在 {}");
static UNKNOWN_TILE: Reason = Reason::new("unknown-tile", "there is no piece \"{}\"", "没有棋子“{}”");
static TOO_MANY_TILES: Reason =
    Reason::new("too-many-tiles", "there are not so many pieces \"{}\"", "棋子“{}”没有这么多");
static NOT_A_SPOT: Reason = Reason::new("not-a-spot", "spot {} is not part of the set-up", "位置 {} 不在布阵范围内");

/// A kind of piece to be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tile {
    /// Its letter in the ply.
    pub id: String,
    /// The words on it.
    pub label: Phrase,
    /// How many there are.
    pub count: usize,
}

/// A place to be filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetUpSpot {
    /// The spot of the view.
    pub spot: u16,
    /// Its name in the notation of the player.
    pub name: String,
    /// The pieces that may stand there.
    pub allowed: Vec<String>,
}

/// The form. The ply is the letters of the pieces in the order of the spots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetUpForm {
    /// The pieces.
    pub tiles: Vec<Tile>,
    /// The places.
    pub spots: Vec<SetUpSpot>,
    /// One way to do it: a piece for each place, in their order.
    pub suggestion: Vec<String>,
}

impl SetUpForm {
    /// The ply that places these pieces, or what is wrong and where.
    pub fn compose(&self, placement: &HashMap<u16, String>) -> Result<String, Fault> {
        if let Some(stray) = placement.keys().find(|&&spot| self.spots.iter().all(|known| known.spot != spot)) {
            return Err(Fault::at(&NOT_A_SPOT, &stray.to_string()));
        }
        let mut ply = String::new();
        let mut used: HashMap<&str, usize> = HashMap::new();
        for place in &self.spots {
            let tile = placement.get(&place.spot).ok_or_else(|| Fault::at(&NO_TILE, &place.name))?;
            let known = self.tiles.iter().find(|known| known.id == *tile);
            let known = known.ok_or_else(|| Fault::at(&UNKNOWN_TILE, tile))?;
            if !place.allowed.contains(tile) {
                return Err(Fault::at(&WRONG_PLACE, &place.name));
            }
            let count = used.entry(tile).or_default();
            *count += 1;
            if *count > known.count {
                return Err(Fault::at(&TOO_MANY_TILES, tile));
            }
            ply.push_str(tile);
        }
        Ok(ply)
    }
}
