//! How long a player may think about one ply.

use std::time::{Duration, Instant};

use protocols::ThinkLimits;

/// How strong a level is: what it may look at, and how often it slips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The most positions it looks at for a ply; as many as the clock allows when absent.
    pub nodes: Option<u64>,
    /// How often, of a thousand plies, it plays any legal ply instead of the one it found.
    pub slips: u32,
}

impl Strength {
    /// Everything it can.
    pub const FULL: Self = Self { nodes: None, slips: 0 };

    /// So many positions, so many slips in a thousand plies.
    #[must_use]
    pub const fn of(nodes: u64, slips: u32) -> Self {
        Self { nodes: Some(nodes), slips }
    }
}

/// The time of a player who is told no limit: less than any limit in use.
pub(crate) const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// One ply's allowance, counted from the moment it was made.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    started: Instant,
    /// When a player with a whole game's time stops beginning something new.
    target: Duration,
    /// When it stops whatever it does.
    hard: Duration,
    nodes: u64,
}

impl Budget {
    /// What these limits allow when about `plies_left` more plies of one's own are to come.
    #[must_use]
    pub fn new(limits: &ThinkLimits, strength: Strength, plies_left: u32) -> Self {
        let hard = [limits.turn, limits.left].into_iter().flatten().min().map(with_margin);
        let share = limits.left.map(|left| with_margin(left / plies_left.max(2)));
        let hard = hard.unwrap_or(WITHOUT_LIMIT);
        // A ply that turns out to be hard may take three shares, if the turn allows it.
        let target = share.map_or(hard, |share| share.min(hard));
        let hard = share.map_or(hard, |share| hard.min(share * 3));
        Self { started: Instant::now(), target, hard, nodes: strength.nodes.unwrap_or(u64::MAX) }
    }

    /// So many positions, however long that takes.
    #[must_use]
    pub fn of_nodes(nodes: u64) -> Self {
        let forever = Duration::from_secs(1 << 32);
        Self { started: Instant::now(), target: forever, hard: forever, nodes }
    }

    /// Exactly so long.
    #[must_use]
    pub fn of_time(time: Duration) -> Self {
        Self { started: Instant::now(), target: time, hard: time, nodes: u64::MAX }
    }

    /// A part of what is left, for a solver that runs before the main search.
    #[must_use]
    pub fn part(&self, share: f64) -> Self {
        let left = self.hard.saturating_sub(self.started.elapsed());
        let time = left.mul_f64(share);
        Self { started: Instant::now(), target: time, hard: time, nodes: (self.nodes as f64 * share) as u64 }
    }

    /// What is left for a search that can stop at any moment: up to the share of this ply, or, when a solver has used that
    /// up, a quarter of what there is beyond it.
    #[must_use]
    pub fn rest(&self) -> Self {
        let so_far = self.started.elapsed();
        let time = self.target.saturating_sub(so_far).max(self.hard.saturating_sub(so_far) / 4);
        Self { started: Instant::now(), target: time, hard: time, nodes: self.nodes }
    }

    /// The same time, and so many positions.
    #[must_use]
    pub const fn with_nodes(&self, nodes: u64) -> Self {
        Self { nodes, ..*self }
    }

    /// Whether to stop now. Asking reads the clock: ask every few hundred positions.
    #[must_use]
    pub fn is_over(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.started.elapsed() >= self.hard
    }

    /// Whether something new may be begun that will take about `times` as long as everything before.
    #[must_use]
    pub fn allows(&self, nodes: u64, times: f64) -> bool {
        let so_far = self.started.elapsed();
        nodes < self.nodes && so_far < self.target && {
            // Without a game's clock there is nothing to save for later.
            self.target == self.hard || so_far.mul_f64(1.0 + times) < self.hard
        }
    }

    /// The most time there is.
    #[must_use]
    pub const fn time(&self) -> Duration {
        self.hard
    }

    /// The most positions that may be looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it has been.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// What is left of a limit when the way to the referee and a busy machine have taken their part.
fn with_margin(limit: Duration) -> Duration {
    // 6 % and 25 ms: a core that is shared takes a player off it for that long, and a game lost on time costs more than
    // the last percents of thinking ever bring.
    // Of a limit of a few milliseconds a quarter is used: virtual machines stand still for more than the rest.
    limit.mul_f64(0.94).saturating_sub(Duration::from_millis(25)).max(limit.mul_f64(0.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(turn: Option<u64>, left: Option<u64>) -> ThinkLimits {
        let time = |given: Option<u64>| given.map(Duration::from_millis);
        ThinkLimits { turn: time(turn), left: time(left), memory: None }
    }

    #[test]
    fn a_turn_is_used_up_to_a_margin() {
        let budget = Budget::new(&limits(Some(1000), None), Strength::FULL, 30);
        assert_eq!((budget.target, budget.hard), (Duration::from_millis(915), Duration::from_millis(915)));
        assert_eq!(Budget::new(&limits(Some(10), None), Strength::FULL, 30).hard, Duration::from_micros(2500));
    }

    #[test]
    fn a_whole_games_time_is_shared_out() {
        let budget = Budget::new(&limits(Some(60_000), Some(100_000)), Strength::FULL, 20);
        assert_eq!(budget.target, Duration::from_millis(4675));
        assert_eq!(budget.hard, Duration::from_millis(14_025));
        // However few plies are expected, the rest of the clock is never spent on one.
        assert!(Budget::new(&limits(None, Some(1000)), Strength::FULL, 0).target <= Duration::from_millis(500));
    }

    #[test]
    fn what_can_stop_at_any_moment_takes_one_share() {
        let near =
            |time: Duration, wanted: u64| time.abs_diff(Duration::from_millis(wanted)) < Duration::from_millis(500);
        let mut budget = Budget::new(&limits(None, Some(100_000)), Strength::FULL, 20);
        assert!(near(budget.rest().hard, 4675), "{budget:?}");
        budget.started -= Duration::from_secs(10);
        assert!(near(budget.rest().hard, 1006), "{budget:?}");
        assert!(near(Budget::new(&limits(Some(10_000), None), Strength::FULL, 20).rest().hard, 9375));
    }

    #[test]
    fn nodes_bind_too() {
        let budget = Budget::new(&limits(None, None), Strength::of(500, 0), 30);
        assert!(!budget.is_over(499) && budget.is_over(500) && !budget.allows(500, 1.0));
    }
}
