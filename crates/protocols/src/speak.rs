//! A player behind an engine's end: lines in, lines out.

use games::{Language, Listing};

use crate::ends::{EngineEnd, Order};
use crate::player::{Player, ThinkLimits};
use crate::watch::{Watch, Wrong};

/// A player that speaks a protocol. It does no I/O: whoever owns it carries the lines.
pub struct Speaker {
    end: Box<dyn EngineEnd>,
    player: Box<dyn Player>,
    most: ThinkLimits,
    watch: Option<Watch>,
    wrong: Option<Wrong>,
}

impl Speaker {
    /// A player behind this end.
    #[must_use]
    pub fn new(end: Box<dyn EngineEnd>, player: Box<dyn Player>) -> Self {
        Self { end, player, most: ThinkLimits::default(), watch: None, wrong: None }
    }

    /// One that follows the game on a board of its own, and leaves when what it is told is no game: a player that has
    /// lost its way would answer with nonsense, even with a stone of the other colour.
    #[must_use]
    pub fn watching(self, game: &'static dyn Listing) -> Self {
        Self { watch: Some(Watch::new(game)), ..self }
    }

    /// Why it left, when it left because it was told what is no game.
    #[must_use]
    pub const fn wrong(&self) -> Option<&Wrong> {
        self.wrong.as_ref()
    }

    /// With no more than this for a ply, whatever the protocol tells.
    #[must_use]
    pub fn with_most(mut self, most: ThinkLimits) -> Self {
        self.most = most;
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
        // What comes before was told, what comes after follows from the player's own ply.
        let told = orders.len();
        let mut next = 0;
        // Choosing a ply makes new orders, so the list grows while it is worked off.
        while next < orders.len() {
            match std::mem::replace(&mut orders[next], Order::Forget) {
                Order::Say(line) => say(&line),
                Order::New { variant, seat, position } => {
                    self.player.new_game(&variant, seat, position.as_deref());
                    if let Some(watch) = &mut self.watch {
                        watch.begin(&variant, seat, position.as_deref());
                    }
                }
                Order::Learn(event) => {
                    self.player.learn(&event);
                    match &mut self.watch {
                        Some(watch) if next >= told => watch.played(&event),
                        Some(watch) => {
                            if let Err(fault) = watch.told(&event) {
                                let fault = Some(fault);
                                return self.leave(Wrong { line: line.to_owned(), fault, out_of_turn: false }, say);
                            }
                        }
                        None => {}
                    }
                }
                Order::Lost if self.watch.is_some() => {
                    return self.leave(Wrong { line: line.to_owned(), fault: None, out_of_turn: false }, say);
                }
                Order::Lost => {}
                Order::Forget => {
                    self.player.forget();
                    if let Some(watch) = &mut self.watch {
                        watch.forget();
                    }
                }
                Order::Think(limits) => {
                    if self.watch.as_ref().is_some_and(Watch::is_out_of_turn) {
                        return self.leave(Wrong { line: line.to_owned(), fault: None, out_of_turn: true }, say);
                    }
                    // Junqi tells a whole game's time only, half an hour where there is no clock; Tiaojia has two
                    // seconds in its rules. Neither says that a match may not be faster.
                    let turn = [limits.turn, self.most.turn].into_iter().flatten().min();
                    let memory = [limits.memory, self.most.memory].into_iter().flatten().min();
                    let ply = self.player.think(ThinkLimits { turn, memory, ..limits });
                    self.end.chosen(&ply, &mut orders);
                }
                Order::Quit => return false,
            }
            next += 1;
        }
        true
    }

    /// Leaves because what it was told is no game.
    fn leave(&mut self, wrong: Wrong, mut say: impl FnMut(&str)) -> bool {
        if let Some(complaint) = self.end.complaint(&wrong.say(Language::En)) {
            say(&complaint);
        }
        self.wrong = Some(wrong);
        false
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

    /// The limits a player is given for its first ply after these lines, with at most `most` for a ply.
    fn asked(game: &'static str, most: Option<Duration>, lines: &[&str]) -> (Option<Duration>, Option<Duration>) {
        let asked = Arc::default();
        let end = crate::find(game, None).expect("a protocol").engine_end(game, "asked");
        let mut speaker = Speaker::new(end, Box::new(Asked(Arc::clone(&asked))))
            .with_most(ThinkLimits { turn: most, ..ThinkLimits::default() });
        for line in lines {
            speaker.line(line, |_| {});
        }
        let asked = asked.lock().expect("no panic");
        asked.first().map(|limits| (limits.turn, limits.left)).expect("a ply was asked for")
    }

    const SECOND: Option<Duration> = Some(Duration::from_secs(1));

    /// Junqi's START names a whole game's time, half an hour where there is no clock.
    #[test]
    fn the_most_for_a_ply_binds_where_only_a_games_time_is_told() {
        let told = asked("junqi", SECOND, &["INFO 1.0", "START 0 1800 31"]);
        assert_eq!(told, (SECOND, Some(Duration::from_secs(1800))));
    }

    /// Tiaojia's rules say two seconds a ply, and its protocol tells no other limit.
    #[test]
    fn the_shorter_of_two_limits_binds() {
        let lines = ["START 1", "TURN"];
        assert_eq!(asked("tiaojia", SECOND, &lines), (SECOND, None));
        let two = Some(Duration::from_secs(2));
        assert_eq!(asked("tiaojia", two.map(|two| two * 2), &lines), (two, None));
        assert_eq!(asked("tiaojia", None, &lines), (two, None));
    }
}
