//! A player behind an engine's end: lines in, lines out.

use crate::ends::{EngineEnd, Order};
use crate::player::{Player, ThinkLimits};

/// A player that speaks a protocol. It does no I/O: whoever owns it carries the lines.
pub struct Speaker {
    end: Box<dyn EngineEnd>,
    player: Box<dyn Player>,
    usual: ThinkLimits,
}

impl Speaker {
    /// A player behind this end.
    #[must_use]
    pub fn new(end: Box<dyn EngineEnd>, player: Box<dyn Player>) -> Self {
        Self { end, player, usual: ThinkLimits::default() }
    }

    /// With these limits where the protocol tells none.
    #[must_use]
    pub fn with_usual(mut self, usual: ThinkLimits) -> Self {
        self.usual = usual;
        self
    }

    /// Who plays.
    #[must_use]
    pub fn player(&self) -> &dyn Player {
        self.player.as_ref()
    }

    /// Takes a line, thinks if it must, and gives the lines to write; false when it is time to leave.
    pub fn line(&mut self, line: &str, mut say: impl FnMut(&str)) -> bool {
        let mut orders = Vec::new();
        self.end.line(line, &mut orders);
        let mut next = 0;
        // Choosing a ply makes new orders, so the list grows while it is worked off.
        while next < orders.len() {
            match std::mem::replace(&mut orders[next], Order::Forget) {
                Order::Say(line) => say(&line),
                Order::New { variant, seat, position } => self.player.new_game(&variant, seat, position.as_deref()),
                Order::Learn(event) => self.player.learn(&event),
                Order::Forget => self.player.forget(),
                Order::Think(limits) => {
                    // A protocol that only tells a whole game's time (Junqi names half an hour where there is no clock)
                    // does not say that a ply may take as long as that.
                    let turn = limits.turn.or(self.usual.turn);
                    let memory = limits.memory.or(self.usual.memory);
                    let ply = self.player.think(ThinkLimits { turn, memory, ..limits });
                    self.end.chosen(&ply, &mut orders);
                }
                Order::Quit => return false,
            }
            next += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;

    /// Keeps the limits it is given.
    struct Asked(Arc<Mutex<Vec<ThinkLimits>>>);

    impl Player for Asked {
        fn name(&self) -> String {
            "asked".to_owned()
        }
        fn new_game(&mut self, _variant: &serde_json::Value, _seat: games::Side, _position: Option<&str>) {}
        fn learn(&mut self, _event: &games::Event) {}
        fn forget(&mut self) {}
        fn think(&mut self, limits: ThinkLimits) -> String {
            self.0.lock().expect("no panic").push(limits);
            String::new()
        }
    }

    /// Junqi's START names a whole game's time, half an hour where there is no clock.
    #[test]
    fn the_usual_ply_time_binds_where_only_a_games_time_is_told() {
        let asked = Arc::default();
        let turn = Some(Duration::from_secs(1));
        let end = crate::find("junqi", None).expect("a protocol").engine_end("junqi", "asked");
        let mut speaker = Speaker::new(end, Box::new(Asked(Arc::clone(&asked))))
            .with_usual(ThinkLimits { turn, ..ThinkLimits::default() });
        for line in ["INFO 1.0", "START 0 1800 31"] {
            speaker.line(line, |_| {});
        }
        let asked = asked.lock().expect("no panic");
        let told: Vec<_> = asked.iter().map(|limits| (limits.turn, limits.left)).collect();
        assert_eq!(told, [(turn, Some(Duration::from_secs(1800)))]);
    }
}
