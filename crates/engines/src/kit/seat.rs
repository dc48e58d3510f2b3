//! A player of an open game: it follows the game by what its seat learns and asks a mind for plies.

use games::{End, Event, Game, Side};
use protocols::{Insight, Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use super::budget::{Budget, Strength};
use crate::Settings;

/// What a mind found.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought<P> {
    /// The ply it would play.
    pub ply: P,
    /// What it thinks of the position, for the side to move; wins are beyond [`WIN_FLOOR`](super::alpha_beta::WIN_FLOOR).
    pub score: i32,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
    /// How it thinks the game goes on, its own ply first.
    pub line: Vec<P>,
}

/// How a strong player of an open game chooses.
pub trait Mind<G: Game>: Send {
    /// Makes what it needs for games of this kind, while no clock runs.
    fn prepare(&mut self, _game: &G) {}
    /// Another game begins: what was learned from the last one about its positions may be wrong.
    fn forget(&mut self) {}
    /// Chooses a ply for the side to move; `None` when there is none. It must stop when the budget is over.
    fn choose(&mut self, game: &G, budget: &Budget) -> Option<Thought<G::Ply>>;
    /// About how many plies of its own it will still have to play, for sharing out a game's time.
    fn plies_left(&self, game: &G) -> u32;
}

/// A player made of a game and a mind.
pub struct SeatPlayer<G: Game, M> {
    name: String,
    mind: M,
    strength: Strength,
    seat: Side,
    game: G,
    history: Vec<G::Memo>,
    rng: Xoshiro256PlusPlus,
    insight: Option<Insight>,
    /// Whether the mind has something to forget. A protocol may name the game only when the first ply's clock runs already:
    /// wiping tables that are clean would take most of a short limit.
    thought: bool,
}

impl<G: Game, M: Mind<G>> SeatPlayer<G, M> {
    /// A player of this name and strength.
    #[must_use]
    pub fn new(name: String, mut mind: M, strength: Strength, settings: &Settings) -> Self {
        let game = G::new(&G::Variant::default());
        mind.prepare(&game);
        let rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        Self { name, mind, strength, seat: Side::Black, game, history: Vec::new(), rng, insight: None, thought: false }
    }

    /// A slip of the pen, as often as the level has them.
    fn slips(&mut self) -> bool {
        self.strength.slips > 0 && games::random::below(&mut self.rng, 1000) < self.strength.slips
    }

    /// A thought in the words of the game.
    fn written(&self, thought: &Thought<G::Ply>, time: std::time::Duration) -> Insight {
        let line = thought.line.iter().map(|&ply| self.text(ply)).collect();
        Insight { score: thought.score, depth: thought.depth, nodes: thought.nodes, time, line }
    }

    /// A ply in the notation of the seat.
    fn text(&self, ply: G::Ply) -> String {
        let mut text = String::new();
        let ply = if self.seat == Side::White { self.game.turned(ply) } else { ply };
        self.game.write_ply(ply, &mut text);
        text
    }

    fn choose(&mut self, limits: &ThinkLimits) -> Option<G::Ply> {
        let budget = Budget::new(limits, self.strength, self.mind.plies_left(&self.game));
        (self.insight, self.thought) = (None, true);
        let found = if self.slips() { None } else { self.mind.choose(&self.game, &budget) };
        let found = found.map(|thought| {
            self.insight = Some(self.written(&thought, budget.elapsed()));
            thought.ply
        });
        // Whatever a mind thinks, an illegal ply is never played.
        found.filter(|&ply| self.game.judge(ply) == Ok(End::Played)).or_else(|| self.game.random_ply(&mut self.rng))
    }
}

impl<G: Game, M: Mind<G>> Player for SeatPlayer<G, M> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        let variant = games::read_variant::<G::Variant>(variant).unwrap_or_default();
        let start = position.and_then(|text| G::read_position(&variant, text).ok());
        self.game = start.unwrap_or_else(|| G::new(&variant));
        self.seat = seat;
        self.history.clear();
        if std::mem::take(&mut self.thought) {
            self.mind.forget();
        }
        self.mind.prepare(&self.game);
    }

    fn learn(&mut self, event: &Event) {
        if let Event::Ply { ply } = event
            && let Ok(ply) = self.game.read_ply(ply)
        {
            let ply = if self.seat == Side::White { self.game.turned(ply) } else { ply };
            // A ply the rules refuse is the referee's business; there is nothing to follow.
            if let Ok(tried) = self.game.play(ply) {
                self.history.push(tried.memo);
            }
        }
    }

    fn forget(&mut self) {
        if let Some(memo) = self.history.pop() {
            self.game.undo(memo);
        }
    }

    fn think(&mut self, limits: ThinkLimits) -> String {
        self.choose(&limits).map_or_else(String::new, |ply| self.text(ply))
    }

    fn insight(&self) -> Option<Insight> {
        self.insight.clone()
    }
}
