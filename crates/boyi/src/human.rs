//! A person at the terminal.

use std::io::{BufRead as _, Write as _};

use games::render::terminal;
use games::{Event, Facts, Fault, Language, Listing, Phrase, Side};
use protocols::{Player, ThinkLimits};
use referee::{Choice, LocalSeat, Turn};
use serde_json::Value;

use crate::context::Context;

/// A person: sees his seat's board, types plies and a few words.
pub(crate) struct HumanSeat {
    context: Context,
    /// Lives on the same knowledge, for hints.
    adviser: Box<dyn Player>,
    facts: &'static Facts,
    /// Whether he was told how a ply is written.
    told: bool,
}

/// About twenty lines of plies: a person reads no more.
const MOST_LETTERS: usize = 1600;

const NO_TAKE_BACK: Phrase = Phrase::new(
    "what was learned cannot be unlearned: games with hidden things have no take-back",
    "看到的信息收不回来：含隐藏信息的棋种不能悔棋",
);

const HELP: Phrase = Phrase::new(
    "a ply, or: hint, moves, undo, resign, quit (the game can be resumed), help",
    "输入着法，或：hint 提示、moves 可走着法、undo 悔棋、resign 认输、quit 退出（可继续）、help 帮助",
);

impl HumanSeat {
    pub(crate) fn new(context: Context, game: &'static dyn Listing, seed: u64) -> Self {
        let adviser = engines::player(game, engines::Style::Greedy, seed);
        Self { context, adviser, facts: game.facts(), told: false }
    }

    /// How a ply is written, with an example.
    fn tell_notation(&self) {
        let form = self.context.text(self.facts.notation);
        Self::tell(&match self.context.language {
            Language::En => format!("a ply: {form}"),
            Language::Zh => format!("着法写法：{form}"),
        });
    }

    fn tell(text: &str) {
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    }
}

impl LocalSeat for HumanSeat {
    fn name(&self) -> String {
        self.context.text(Phrase::new("human", "人")).to_owned()
    }

    fn begin(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.adviser.new_game(variant, seat, position);
    }

    fn learned(&mut self, own: bool, events: &[Event]) {
        for event in events {
            self.adviser.learn(event);
        }
        if own && events.iter().any(|event| matches!(event, Event::Refused { .. })) {
            Self::tell(self.context.text(Phrase::new("refused; try again", "着法被拒绝，请重试")));
        }
    }

    fn taken_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.adviser.forget();
        }
    }

    fn wrong(&mut self, fault: &Fault) {
        Self::tell(&fault.say(self.context.language));
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        let view = turn.view();
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        let colour = out.current_choice() != anstream::ColorChoice::Never;
        let _ = write!(out, "{}", terminal::render(&view, self.context.language, colour)).and_then(|()| out.flush());
        if !std::mem::replace(&mut self.told, true) {
            self.tell_notation();
            Self::tell(self.context.text(HELP));
        }
        loop {
            let prompt = view.sides[turn.seat().index()].text(self.context.language);
            let _ = write!(anstream::stderr().lock(), "{prompt}> ");
            let mut line = String::new();
            // The end of input is how a person leaves; the game can be resumed.
            if !std::io::stdin().lock().read_line(&mut line).is_ok_and(|count| count > 0) {
                return Choice::Stop;
            }
            match line.trim().to_lowercase().as_str() {
                "" => {}
                "help" | "?" | "帮助" => {
                    self.tell_notation();
                    Self::tell(self.context.text(HELP));
                }
                "hint" | "提示" => Self::tell(&self.adviser.think(ThinkLimits::default())),
                "moves" | "着法" => {
                    let mut plies = turn.tries(200);
                    // A set-up is 25 letters long: whoever asks wants to see the form, not screens of them.
                    let longest = plies.list.iter().map(String::len).max().unwrap_or_default();
                    let most = MOST_LETTERS / (longest + 2);
                    let more = if plies.complete && plies.list.len() <= most { "" } else { " …" };
                    plies.list.truncate(most);
                    Self::tell(&format!("{}{more}", plies.list.join("  ")));
                }
                "undo" | "悔棋" if self.facts.hidden => Self::tell(self.context.text(NO_TAKE_BACK)),
                "undo" | "悔棋" => return Choice::TakeBack,
                "resign" | "认输" => return Choice::Resign,
                "quit" | "exit" | "退出" => return Choice::Stop,
                _ => match turn.check(line.trim()) {
                    Ok(()) => return Choice::Ply(line.trim().to_owned()),
                    Err(fault) => {
                        Self::tell(&fault.say(self.context.language));
                        self.tell_notation();
                    }
                },
            }
        }
    }

    fn may_try_again(&self) -> bool {
        true
    }
}
