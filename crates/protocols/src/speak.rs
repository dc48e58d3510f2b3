//! A player behind an engine's end: lines in, lines out.

use crate::ends::{EngineEnd, Order};
use crate::player::Player;

/// A player that speaks a protocol. It does no I/O: whoever owns it carries the lines.
pub struct Speaker {
    end: Box<dyn EngineEnd>,
    player: Box<dyn Player>,
}

impl Speaker {
    /// A player behind this end.
    #[must_use]
    pub fn new(end: Box<dyn EngineEnd>, player: Box<dyn Player>) -> Self {
        Self { end, player }
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
                    let ply = self.player.think(limits);
                    self.end.chosen(&ply, &mut orders);
                }
                Order::Quit => return false,
            }
            next += 1;
        }
        true
    }
}
