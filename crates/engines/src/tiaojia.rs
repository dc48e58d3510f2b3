//! Tiaojia: alpha-beta on bitboards.

use games::Game as _;
use games::tiaojia::{Step, Tiaojia};

use crate::Settings;
use crate::kit::alpha_beta::{AlphaBeta, LOUD, Sight};
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(30, 250),
    Strength::of(100, 120),
    Strength::of(400, 50),
    Strength::of(2_000, 20),
    Strength::of(12_000, 0),
    Strength::of(80_000, 0),
];

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Tiaojia, TiaojiaMind> {
    SeatPlayer::new(name, TiaojiaMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct TiaojiaMind {
    search: AlphaBeta<Tiaojia, TiaojiaSight>,
}

impl TiaojiaMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { search: AlphaBeta::new(TiaojiaSight, settings.memory / 2) }
    }
}

impl Mind<Tiaojia> for TiaojiaMind {
    fn new_game(&mut self, _game: &Tiaojia) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Tiaojia, budget: &Budget) -> Option<Thought<Step>> {
        self.search.search(game, budget)
    }

    fn plies_left(&self, game: &Tiaojia) -> u32 {
        (game.plies_left() / 2).min(40)
    }
}

/// What the search sees in a position.
struct TiaojiaSight;

/// What a stone more is worth.
const STONE: i32 = 100;

impl Sight<Tiaojia> for TiaojiaSight {
    const SETTLE: u32 = 2;

    fn value(&mut self, game: &Tiaojia) -> i32 {
        let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
        let stones = own.count_ones() as i32 - enemy.count_ones() as i32;
        // Few stones left make every one of them worth more: the last one is the game.
        let total = (own.count_ones() + enemy.count_ones()) as i32;
        let fewest = own.count_ones().min(enemy.count_ones()) as i32;
        stones * STONE + stones.signum() * (total - 2 * fewest) * 4 + centre(own) - centre(enemy)
    }

    fn pack(&self, ply: Step) -> u32 {
        (u32::from(ply.from) << 3 | u32::from(ply.direction)) + 1
    }

    fn promise(&mut self, game: &Tiaojia, ply: Step) -> i32 {
        match game.turned_by(ply) {
            0 => 0,
            turned => LOUD + turned as i32,
        }
    }

    fn key(&self, game: &Tiaojia) -> u64 {
        // Near the limit the number of plies left decides who is ahead in time.
        let left = game.plies_left();
        if left <= 48 { games::random::mix(&[game.hash(), u64::from(left)]) } else { game.hash() }
    }

    fn may_pass(&self, game: &Tiaojia) -> bool {
        game.plies_left() > 20 && game.stones(game.to_move()).count_ones() > 3
    }

    fn passed(&self, game: &Tiaojia) -> Tiaojia {
        game.with_turn_passed()
    }
}

/// Stones in the middle reach more.
fn centre(stones: u64) -> i32 {
    const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
    const RIM: u64 = 0xff81_8181_8181_81ff;
    (stones & MIDDLE).count_ones() as i32 * 4 - (stones & RIM).count_ones() as i32 * 6
}
