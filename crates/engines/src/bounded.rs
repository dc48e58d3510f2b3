//! A player that obeys a memory limit it is told of only when it is asked for a ply.

use games::{Event, Side};
use protocols::{Insight, Player, ThinkLimits};
use serde_json::Value;

use crate::Settings;

/// Less than this helps nobody: the program itself takes as much.
const LEAST: usize = 4 << 20;

/// What happened to a player, so that another can take its place.
enum Told {
    Learned(Event),
    Forgot,
}

/// Makes the same player with other settings.
type Make = Box<dyn Fn(&Settings) -> Box<dyn Player> + Send>;

/// A player that is made anew, smaller, when a protocol allows it less memory than it was made with.
pub(crate) struct Bounded {
    make: Make,
    settings: Settings,
    player: Box<dyn Player>,
    game: Option<(Value, Side, Option<String>)>,
    told: Vec<Told>,
}

impl Bounded {
    pub(crate) fn new(make: Make, settings: Settings) -> Self {
        let player = make(&settings);
        Self { make, settings, player, game: None, told: Vec::new() }
    }

    fn shrink(&mut self, memory: usize) {
        self.settings.memory = memory;
        self.player = (self.make)(&self.settings);
        if let Some((variant, seat, position)) = &self.game {
            self.player.new_game(variant, *seat, position.as_deref());
        }
        for told in &self.told {
            match told {
                Told::Learned(event) => self.player.learn(event),
                Told::Forgot => self.player.forget(),
            }
        }
    }
}

impl Player for Bounded {
    fn name(&self) -> String {
        self.player.name()
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.game = Some((variant.clone(), seat, position.map(str::to_owned)));
        self.told.clear();
        self.player.new_game(variant, seat, position);
    }

    fn learn(&mut self, event: &Event) {
        self.told.push(Told::Learned(event.clone()));
        self.player.learn(event);
    }

    fn forget(&mut self) {
        self.told.push(Told::Forgot);
        self.player.forget();
    }

    fn think(&mut self, limits: ThinkLimits) -> String {
        let allowed = limits.memory.map(|memory| usize::try_from(memory).unwrap_or(usize::MAX).max(LEAST));
        if let Some(memory) = allowed.filter(|&memory| memory < self.settings.memory) {
            self.shrink(memory);
        }
        self.player.think(limits)
    }

    fn insight(&self) -> Option<Insight> {
        self.player.insight()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;
    use crate::Style;

    #[test]
    fn less_memory_in_the_middle_of_a_game_changes_nothing_else() {
        let game = games::find("tiaojia").unwrap();
        let made = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&made);
        let make: Make = Box::new(move |settings| {
            kept.lock().unwrap().push(settings.memory);
            crate::player_with(game, Style::Level(4), settings)
        });
        let mut bounded = Bounded::new(make, Settings { memory: 64 << 20, ..Settings::with_seed(1) });
        let mut plain = crate::player_with(game, Style::Level(4), &Settings::with_seed(1));
        let limits = |memory| ThinkLimits { turn: Some(Duration::from_secs(60)), left: None, memory };
        for player in [&mut bounded as &mut dyn Player, plain.as_mut()] {
            player.new_game(&Value::Null, Side::White, None);
            player.learn(&Event::Ply { ply: "4 0 1".to_owned() });
        }
        assert_eq!(bounded.think(limits(Some(8 << 20))), plain.think(limits(None)));
        assert_eq!(*made.lock().unwrap(), [64 << 20, 8 << 20]);
        // Asked again, nothing is made again.
        bounded.think(limits(Some(8 << 20)));
        assert_eq!(made.lock().unwrap().len(), 2);
    }
}
