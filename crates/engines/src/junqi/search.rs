//! Looking ahead without knowing the enemy's ranks.
//!
//! Every enemy piece is a chance of ranks, and a contact comes out with those chances, so that nobody on the seat's own side ever acts on
//! what it cannot know. The enemy does know his ranks: he attacks where the contact favours him, and such an attack is open to him
//! with the chance that his piece is of a rank for which it does; otherwise he has to do something else.

use games::Game as _;
use games::junqi::{CAMPS, HEADQUARTERS, Junqi, PIECES, Rank, STATIONS, reach};

use super::chances::{ANY, Chances, LOST_TO, Odds, Options, RANKS, TAKEN_BY, Threat};
use super::table::{Bound, Table, mixed};
use super::value::{Places, WORTH, few, pressure, stations};
use crate::kit::Budget;

/// A won game.
const WIN: f32 = 1500.0;
const INFINITE: f32 = 1e9;
/// The clock is looked at once in so many positions.
const CLOCK_EVERY: u64 = 512;
/// Deeper than any search gets in time.
const DEEPEST: i32 = 10;
/// The table needs no more than this.
const MOST_MEMORY: usize = 4 << 20;
/// Chances below this are nothing.
const NO_CHANCE: f32 = 0.001;
/// Attacks that lose more than this on average are not looked at behind the first ply.
const WASTE: f32 = -60.0;
/// Where the search ends, how much of what the best contact gains counts, and of what the enemy's would cost.
const OWN_REST: f32 = 0.2;
const ENEMY_REST: f32 = 0.7;
/// What it costs, where the run without contact is one's own to break, that nobody of one's own can break it: so much at its end.
const OUT_OF_TOUCH: f32 = 500.0;

/// A position as the seat knows it.
#[derive(Clone, Copy)]
struct State {
    own: u64,
    /// One's own mines and flag.
    own_fixed: u64,
    enemy: u64,
    /// The rank of one's own piece on a station, the slot of the enemy's.
    who: [u8; STATIONS],
    /// Ranks that an enemy piece can have, by slot.
    masks: [u16; PIECES],
    /// Enemy pieces of which more is known than at the root.
    changed: u32,
    /// What the seat has, less what the enemy has.
    score: f32,
    /// Plies since the last contact.
    quiet: u32,
    /// A number that hardly any other position has.
    hash: u64,
}

impl State {
    /// One's own pieces that can move.
    const fn movers(&self) -> u64 {
        self.own & !self.own_fixed & !HEADQUARTERS
    }

    const fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// A piece of one's own is gone.
    const fn lose(&mut self, station: usize) {
        self.own &= !(1 << station);
        self.own_fixed &= self.own;
    }

    /// More is known of an enemy piece.
    const fn learn(&mut self, piece: usize, ranks: u16) {
        self.hash ^= mixed((piece as u64) << 32 | (self.masks[piece] as u64) << 8);
        self.masks[piece] &= ranks;
        self.hash ^= mixed((piece as u64) << 32 | (self.masks[piece] as u64) << 8);
        self.changed |= 1 << piece;
    }
}

/// How far to look, and between which bounds a value matters.
#[derive(Clone, Copy)]
struct Look {
    depth: i32,
    ply: usize,
    alpha: f32,
    beta: f32,
}

impl Look {
    const fn deeper(self, alpha: f32, beta: f32) -> Self {
        Self { depth: self.depth - 1, ply: self.ply + 1, alpha, beta }
    }

    /// Behind a chance every value matters.
    const fn behind_chance(self) -> Self {
        self.deeper(-INFINITE, INFINITE)
    }
}

/// The search.
pub(super) struct Search {
    pub(super) nodes: u64,
    stopped: bool,
    budget: Budget,
    chances: Chances,
    odds: [[Odds; PIECES]; RANKS],
    threats: [[Threat; PIECES]; RANKS],
    /// The chance that an enemy piece can move, by slot.
    mobile: [f32; PIECES],
    places: Places,
    steps: u32,
    /// A number for each of one's own ranks and then each enemy piece on each station.
    keys: Box<[[u64; STATIONS]; RANKS + PIECES]>,
    table: Table,
    lists: Vec<Vec<(f32, u8, u8)>>,
    /// How often a move was too good to go on, the seat's own and then the enemy's.
    history: Vec<[[f32; STATIONS]; STATIONS]>,
}

impl Search {
    pub(super) fn new(memory: usize) -> Self {
        Self {
            nodes: 0,
            stopped: false,
            budget: Budget::of_nodes(0),
            chances: [[0.0; RANKS]; PIECES],
            odds: [[Odds::default(); PIECES]; RANKS],
            threats: [[Threat::default(); PIECES]; RANKS],
            mobile: [0.0; PIECES],
            places: Places::NONE,
            steps: 0,
            keys: Box::new(std::array::from_fn(|piece| {
                std::array::from_fn(|station| mixed((piece * STATIONS + station + 1) as u64))
            })),
            table: Table::new(memory.min(MOST_MEMORY)),
            lists: (0..=DEEPEST).map(|_| Vec::new()).collect(),
            history: vec![[[0.0; STATIONS]; STATIONS]; 2],
        }
    }

    /// Puts the best move for the side to move first and gives its value and how deep that was seen. `game` is any world that agrees with
    /// what is known; of the enemy only where he stands is taken from it, which of his pieces that are is told by `standing`.
    pub(super) fn order(
        &mut self,
        game: &Junqi,
        standing: &[Option<u8>; STATIONS],
        chances: &Chances,
        moves: &mut Vec<(u8, u8)>,
        (deepest, budget): (i32, &Budget),
    ) -> (f32, i32) {
        let root = self.prepare(game, standing, chances);
        self.budget = *budget;
        let (mut value, mut reached) = (0.0, 0);
        for depth in 1..=deepest.min(DEEPEST) {
            let mut found: Vec<(f32, (u8, u8))> = Vec::with_capacity(moves.len());
            let mut best = -INFINITE;
            for &(from, to) in &*moves {
                let look = Look { depth, ply: 0, alpha: best, beta: INFINITE };
                let worth = self.own_move(&root, from, to, look);
                if self.stopped {
                    break;
                }
                best = best.max(worth);
                found.push((worth, (from, to)));
            }
            if found.is_empty() {
                break;
            }
            // Stable, so that moves that were cut keep their order; what was not reached any more comes behind the rest.
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            value = best;
            let rest = moves.split_off(found.len());
            *moves = found.into_iter().map(|(_, step)| step).chain(rest).collect();
            if self.stopped {
                break;
            }
            reached = depth;
            if !self.budget.allows(self.nodes, 1.0) {
                break;
            }
        }
        (value, reached)
    }

    fn prepare(&mut self, game: &Junqi, standing: &[Option<u8>; STATIONS], chances: &Chances) -> State {
        (self.nodes, self.stopped) = (0, false);
        self.table.renew();
        self.history.iter_mut().flatten().flatten().for_each(|count| *count = 0.0);
        self.chances = *chances;
        self.places = Places::new(game, standing, chances);
        self.steps = game.steps();
        for (piece, chances) in chances.iter().enumerate() {
            self.mobile[piece] = 1.0 - chances[Rank::Mine as usize] - chances[Rank::Flag as usize];
            for rank in Rank::ALL {
                self.odds[rank as usize][piece] = Odds::new(chances, ANY, rank);
                self.threats[rank as usize][piece] = Threat::new(chances, ANY, rank);
            }
        }
        let mover = game.to_move();
        let mut root = State {
            own: game.pieces(mover),
            own_fixed: game.of_rank(mover, Rank::Mine) | game.of_rank(mover, Rank::Flag),
            enemy: game.pieces(mover.other()),
            who: [0; STATIONS],
            masks: [ANY; PIECES],
            changed: 0,
            score: 0.0,
            quiet: game.quiet(),
            hash: 0,
        };
        for station in stations(root.own) {
            let rank = game.piece_at(station).map_or(Rank::Flag, |(_, rank)| rank);
            root.who[station] = rank as u8;
            root.score += self.places.own[rank as usize][station];
        }
        for station in stations(root.enemy) {
            let piece = standing[station].unwrap_or(0);
            root.who[station] = piece;
            let piece = usize::from(piece);
            let worth: f32 = chances[piece].iter().zip(WORTH).map(|(chance, worth)| chance * worth).sum();
            root.score -= worth + self.places.enemy[piece][station];
        }
        root
    }

    fn odds(&self, state: &State, rank: usize, piece: usize) -> Odds {
        if state.changed >> piece & 1 == 0 {
            return self.odds[rank][piece];
        }
        Odds::new(&self.chances[piece], state.masks[piece], Rank::ALL[rank])
    }

    fn threat(&self, state: &State, rank: usize, piece: usize) -> Threat {
        if state.changed >> piece & 1 == 0 {
            return self.threats[rank][piece];
        }
        Threat::new(&self.chances[piece], state.masks[piece], Rank::ALL[rank])
    }

    /// Whether an enemy piece is rather an engineer than not, so that it turns on railways.
    fn turns(&self, piece: usize) -> bool {
        self.chances[piece][Rank::Engineer as usize] > 0.5
    }

    /// Counts a position; says whether to stop.
    fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) || self.nodes >= self.budget.nodes() {
            self.stopped |= self.budget.is_over(self.nodes);
        }
        self.stopped
    }

    /// What a move of one's own is worth.
    fn own_move(&mut self, state: &State, from: u8, to: u8, look: Look) -> f32 {
        let (here, there) = (usize::from(from), usize::from(to));
        let rank = usize::from(state.who[here]);
        let (left, gained) = (self.places.own[rank][here], self.places.own[rank][there]);
        let mut gone = *state;
        gone.lose(here);
        gone.hash ^= self.keys[rank][here];
        gone.score -= left;
        gone.quiet = 0;
        let mut moved = gone;
        moved.own |= 1 << there;
        moved.who[there] = rank as u8;
        moved.hash ^= self.keys[rank][there];
        moved.score += gained;
        if state.enemy >> there & 1 == 0 {
            moved.quiet = state.quiet + 1;
            if self.steps > 0 && moved.quiet >= self.steps {
                return look.ply as f32 - WIN;
            }
            return self.enemy_turn(&moved, look.deeper(look.alpha, look.beta));
        }
        let piece = usize::from(state.who[there]);
        let odds = self.odds(state, rank, piece);
        let place = self.places.enemy[piece][there];
        let mut value = odds.flag * (WIN - look.ply as f32);
        if odds.won > NO_CHANCE {
            moved.enemy ^= 1 << there;
            moved.hash ^= self.keys[RANKS + piece][there];
            moved.score += odds.worth_won + place;
            value += odds.won * self.enemy_turn(&moved, look.behind_chance());
        }
        if odds.lost > NO_CHANCE {
            let mut lost = gone;
            lost.learn(piece, LOST_TO[rank]);
            value += odds.lost * self.enemy_turn(&lost, look.behind_chance());
        }
        if odds.both > NO_CHANCE {
            gone.enemy ^= 1 << there;
            gone.hash ^= self.keys[RANKS + piece][there];
            gone.score += odds.worth_both + place;
            value += odds.both * self.enemy_turn(&gone, look.behind_chance());
        }
        value
    }

    /// What a position is worth with one's own side to move.
    fn own_turn(&mut self, state: &State, look: Look) -> f32 {
        if self.tick() {
            return look.alpha;
        }
        if look.depth <= 0 {
            return self.own_rest(state, look.beta);
        }
        let key = state.hash ^ mixed(u64::from(state.quiet) << 1);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| entry.settles(look.depth, look.alpha, look.beta)) {
            return value;
        }
        let first = known.map(|entry| entry.best);
        let mut moves = std::mem::take(&mut self.lists[look.ply]);
        moves.clear();
        for from in stations(state.movers()) {
            let rank = usize::from(state.who[from]);
            let reached = reach(from, rank == Rank::Engineer as usize, state.occupied());
            for to in stations(reached & !state.own & !(state.enemy & CAMPS)) {
                let promise = if first == Some((from as u8, to as u8)) {
                    INFINITE
                } else if state.enemy >> to & 1 == 1 {
                    let gain = self.odds(state, rank, usize::from(state.who[to])).gain(WORTH[rank], WIN);
                    if gain < WASTE {
                        continue;
                    }
                    INFINITE / 2.0 + gain
                } else {
                    self.history[0][from][to] + self.places.own[rank][to] - self.places.own[rank][from]
                };
                moves.push((promise, from as u8, to as u8));
            }
        }
        let mut best = if moves.is_empty() { look.ply as f32 - WIN } else { -INFINITE };
        let mut choice = (0, 0);
        for index in 0..moves.len() {
            let (from, to) = next(&mut moves, index);
            let value = self.own_move(state, from, to, Look { alpha: look.alpha.max(best), ..look });
            if self.stopped {
                break;
            }
            if value > best {
                (best, choice) = (value, (from, to));
            }
            if best >= look.beta {
                self.history[0][usize::from(from)][usize::from(to)] += (look.depth * look.depth) as f32;
                break;
            }
        }
        self.lists[look.ply] = moves;
        if !self.stopped {
            let bound = match best {
                _ if best >= look.beta => Bound::Least,
                _ if best <= look.alpha => Bound::Most,
                _ => Bound::Exact,
            };
            self.table.put(key, look.depth, best, bound, choice);
        }
        best
    }

    /// What a position is worth with the enemy to move.
    fn enemy_turn(&mut self, state: &State, look: Look) -> f32 {
        if self.tick() {
            return look.alpha;
        }
        if look.depth <= 0 {
            return self.enemy_rest(state, look.alpha);
        }
        let key = state.hash ^ mixed(u64::from(state.quiet) << 1 | 1);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| entry.settles(look.depth, look.alpha, look.beta)) {
            return value;
        }
        let first = known.map(|entry| entry.best);
        let mut moves = std::mem::take(&mut self.lists[look.ply]);
        moves.clear();
        let mut options = Options::default();
        for from in stations(state.enemy & !HEADQUARTERS) {
            let piece = usize::from(state.who[from]);
            if self.mobile[piece] < 0.02 {
                continue;
            }
            let reached = reach(from, self.turns(piece), state.occupied()) & !state.enemy & !(state.own & CAMPS);
            for to in stations(reached & state.own) {
                if let Some((chance, value)) = self.enemy_attack(state, from, to, look) {
                    options.add(chance, value);
                }
            }
            if self.mobile[piece] > 0.25 {
                let (history, places) = (&self.history[1][from], &self.places.enemy[piece]);
                let promise = |to: usize| {
                    if first == Some((from as u8, to as u8)) {
                        INFINITE
                    } else {
                        history[to] + places[to] - places[from]
                    }
                };
                moves.extend(stations(reached & !state.own).map(|to| (promise(to), from as u8, to as u8)));
            }
        }
        let mut rest = if moves.is_empty() { squash(state.score) } else { INFINITE };
        // Where attacks take from it, a rest that is too good may still be needed.
        let most = if options.is_empty() { look.beta } else { INFINITE };
        let mut choice = (0, 0);
        for index in 0..moves.len() {
            let (from, to) = next(&mut moves, index);
            let (here, there) = (usize::from(from), usize::from(to));
            let piece = usize::from(state.who[here]);
            let mut child = *state;
            child.enemy ^= 1 << here | 1 << there;
            child.who[there] = piece as u8;
            child.hash ^= self.keys[RANKS + piece][here] ^ self.keys[RANKS + piece][there];
            child.score += self.places.enemy[piece][here] - self.places.enemy[piece][there];
            child.quiet += 1;
            let value = if self.steps > 0 && child.quiet >= self.steps {
                WIN - look.ply as f32
            } else {
                self.own_turn(&child, look.deeper(look.alpha, rest.min(most)))
            };
            if self.stopped {
                break;
            }
            if value < rest {
                (rest, choice) = (value, (from, to));
            }
            // Attacks that are open to him can only make it less.
            if options.value(rest) <= look.alpha {
                self.history[1][here][there] += (look.depth * look.depth) as f32;
                break;
            }
        }
        self.lists[look.ply] = moves;
        let value = options.value(rest);
        if !self.stopped {
            let bound = match value {
                _ if value <= look.alpha => Bound::Most,
                _ if value >= look.beta => Bound::Least,
                _ => Bound::Exact,
            };
            self.table.put(key, look.depth, value, bound, choice);
        }
        value
    }

    /// How likely an attack that favours the enemy is open to him, and what is left after it; nothing where it does not matter.
    fn enemy_attack(&mut self, state: &State, from: usize, to: usize, look: Look) -> Option<(f32, f32)> {
        let (rank, piece) = (usize::from(state.who[to]), usize::from(state.who[from]));
        if rank == Rank::Flag as usize {
            return Some((self.mobile[piece], look.ply as f32 - WIN));
        }
        let threat = self.threat(state, rank, piece);
        let chance = threat.won + threat.both;
        if chance * WORTH[rank] < 3.0 {
            return None;
        }
        let mut gone = *state;
        gone.quiet = 0;
        gone.lose(to);
        gone.enemy ^= 1 << from;
        gone.hash ^= self.keys[rank][to] ^ self.keys[RANKS + piece][from];
        gone.score += self.places.enemy[piece][from] - self.places.own[rank][to];
        let mut value = 0.0;
        if threat.won > NO_CHANCE {
            let mut won = gone;
            won.enemy |= 1 << to;
            won.who[to] = piece as u8;
            won.hash ^= self.keys[RANKS + piece][to];
            won.learn(piece, TAKEN_BY[rank]);
            won.score -= self.places.enemy[piece][to];
            value += threat.won * self.own_turn(&won, look.behind_chance());
        }
        if threat.both > NO_CHANCE {
            gone.score += threat.worth_both;
            value += threat.both * self.own_turn(&gone, look.behind_chance());
        }
        Some((chance, value / chance))
    }

    /// Nothing more is looked at, and it is one's own turn. A contact only adds to what stands.
    fn own_rest(&self, state: &State, beta: f32) -> f32 {
        let standing = self.standing_value(state, true);
        if state.movers() == 0 {
            return -WIN;
        }
        if squash(standing) >= beta {
            return squash(standing);
        }
        let mut best = 0.0_f32;
        for from in stations(state.movers()) {
            let rank = usize::from(state.who[from]);
            let reached = reach(from, rank == Rank::Engineer as usize, state.occupied());
            for to in stations(reached & state.enemy & !CAMPS) {
                best = best.max(self.odds(state, rank, usize::from(state.who[to])).gain(WORTH[rank], WIN));
            }
        }
        squash(standing + OWN_REST * best)
    }

    /// Nothing more is looked at, and it is the enemy's turn. A contact only takes from what stands.
    fn enemy_rest(&self, state: &State, alpha: f32) -> f32 {
        let standing = self.standing_value(state, false);
        if state.movers() == 0 {
            return -WIN;
        }
        if squash(standing) <= alpha {
            return squash(standing);
        }
        let mut options = Options::default();
        for from in stations(state.enemy & !HEADQUARTERS) {
            let piece = usize::from(state.who[from]);
            for to in stations(reach(from, self.turns(piece), state.occupied()) & state.own & !CAMPS) {
                let rank = usize::from(state.who[to]);
                if rank == Rank::Flag as usize {
                    options.add(self.mobile[piece], -WIN);
                    continue;
                }
                let threat = self.threat(state, rank, piece);
                let chance = threat.won + threat.both;
                // Where a mine stands matters more than that it is one.
                let lost = if rank == Rank::Mine as usize { self.places.own[rank][to] } else { WORTH[rank] };
                if chance > NO_CHANCE {
                    let loss = lost - threat.both * threat.worth_both / chance;
                    options.add(chance, squash(standing - ENEMY_REST * loss));
                }
            }
        }
        options.value(squash(standing))
    }

    /// What a position is worth as it stands.
    fn standing_value(&self, state: &State, own_turn: bool) -> f32 {
        let mover_completes = self.steps.saturating_sub(state.quiet) % 2 == 1;
        let pressure = pressure(state.quiet, self.steps);
        let pressure = match mover_completes == own_turn {
            // The end of the run lies behind what is looked at until it is too late to walk to somebody.
            true if pressure > 0.0 && !touches(state) => {
                -pressure - OUT_OF_TOUCH * (state.quiet as f32 / self.steps as f32).powi(2)
            }
            true => -pressure,
            false => pressure,
        };
        state.score + few(state.movers().count_ones()) + self.places.guards(state.movers()) + pressure
    }
}

/// Whether a piece of one's own can attack somebody.
fn touches(state: &State) -> bool {
    stations(state.movers()).any(|from| {
        let turns = usize::from(state.who[from]) == Rank::Engineer as usize;
        reach(from, turns, state.occupied()) & state.enemy & !CAMPS != 0
    })
}

/// What an advantage is worth: the larger it is, the less more of it matters, and none is worth as much as a game.
fn squash(advantage: f32) -> f32 {
    WIN * advantage / (advantage * advantage + WIN * WIN).sqrt()
}

/// The most promising of the moves that were not tried yet.
fn next(moves: &mut [(f32, u8, u8)], index: usize) -> (u8, u8) {
    if let Some(better) = (index..moves.len()).max_by(|&one, &other| moves[one].0.total_cmp(&moves[other].0)) {
        moves.swap(index, better);
    }
    let (_, from, to) = moves[index];
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::junqi::JunqiVariant;

    #[test]
    fn to_be_out_of_touch_costs_most_where_the_run_ends() {
        let variant = JunqiVariant { steps: 31 };
        // The captain in the corner touches the lieutenant on the railway, or nobody.
        let value = |station: &str, quiet: u32| {
            let text = format!("1l3/h4/1a3/5/5/5/5/5/5/{station}/1L3 b {quiet} b 100");
            let game = Junqi::read_position(&variant, &text).expect("a position");
            let (chances, standing) = super::super::known(&game);
            let mut search = Search::new(1 << 16);
            let root = search.prepare(&game, &standing, &chances);
            search.standing_value(&root, true)
        };
        let waited = |station: &str| value(station, 0) - value(station, 28);
        assert!(waited("5/G4") > 50.0, "the run itself presses");
        assert!(waited("5/4G") > waited("5/G4") + 300.0);
        let begun = |station: &str| value(station, 0) - value(station, 12);
        assert!(begun("5/4G") < begun("5/G4") + 100.0);
    }
}
