//! The object-safe face of a game: a position of any game with its history. Made once, from the typed face, for all
//! games; referee, protocols, records and pages know only this one.

use std::ops::ControlFlow;

use rand::Rng;
use serde_json::Value;

use super::event::Event;
use super::facts::Facts;
use super::fault::Fault;
use super::game::{Game, Note, Observation, Past, Told};
use super::perft::{divide, perft};
use super::phrase::{Language, Phrase, reasons};
use super::set_up::SetUpForm;
use super::side::{Eyes, Side};
use super::variant::{self, Variant, VariantError};
use super::verdict::{End, Tried, Verdict};
use super::view::{BoardView, Click, Clicks, MarkKind};

/// More click paths than this are not listed but asked for click by click.
const MOST_CLICK_PATHS: usize = 4096;

/// Why a game could not be set up.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// The options are wrong.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The position text is wrong.
    #[error(transparent)]
    Position(#[from] Fault),
}

impl OpenError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match self {
            Self::Variant(error) => error.say(language),
            Self::Position(fault) => fault.say(language),
        }
    }
}

/// How a ply that was taken up ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Who tried it.
    pub mover: Side,
    /// How it ended.
    pub end: End,
}

/// A list of plies that may have been cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plies {
    /// The plies.
    pub list: Vec<String>,
    /// False when there are more.
    pub complete: bool,
}

/// One entry of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Who tried it.
    pub mover: Side,
    /// How it ended; a seat is not told why a try was refused.
    pub end: End,
    /// The ply, in the notation of the eyes that asked; `None` where they may not know it.
    pub ply: Option<String>,
    /// What came of it.
    pub told: Told,
}

/// A position of some game with the plies that led to it.
///
/// Texts go in and out in the notation of the given eyes; White's differs from the referee's only in Junqi.
pub trait Table: Send {
    /// The facts of the game.
    fn facts(&self) -> &'static Facts;
    /// The options in full, as JSON.
    fn variant(&self) -> Value;
    /// The starting positions a match goes through, where the variant lists any.
    fn starts(&self) -> Vec<String>;
    /// Whose turn it is.
    fn to_move(&self) -> Side;
    /// How many plies were played.
    fn plies(&self) -> u32;
    /// The end, once there is one.
    fn verdict(&self) -> Option<Verdict>;
    /// What shows that the rules ended the game so: the last ply, the line that won, the figures that were counted.
    /// Nothing before the end.
    fn evidence(&self) -> Vec<Note>;
    /// The position's hash.
    fn hash(&self) -> u64;
    /// Appends the position text.
    fn write_position(&self, eyes: Eyes, out: &mut String);
    /// The position text.
    fn position(&self, eyes: Eyes) -> String {
        let mut text = String::new();
        self.write_position(eyes, &mut text);
        text
    }
    /// Everything a seat may know.
    fn observe(&self, seat: Side) -> Observation;
    /// Visits the legal plies ([`Eyes::All`]) or those a seat may try as far as it knows (nothing when it is not its
    /// turn).
    fn visit_plies(&self, eyes: Eyes, visit: &mut dyn FnMut(&str) -> ControlFlow<()>);
    /// The first `most` of them.
    fn list_plies(&self, eyes: Eyes, most: usize) -> Plies {
        let mut plies = Plies { list: Vec::new(), complete: true };
        self.visit_plies(eyes, &mut |ply| {
            if plies.list.len() == most {
                plies.complete = false;
                return ControlFlow::Break(());
            }
            plies.list.push(ply.to_owned());
            ControlFlow::Continue(())
        });
        plies
    }
    /// How many plies are legal.
    fn count_legal(&self) -> u64;
    /// The plies by which the side to move would lose at once: NoGo's captures, renju's forbidden points.
    fn losing_plies(&self) -> Vec<String>;
    /// A random legal ply in the referee's notation.
    fn random_ply(&self, rng: &mut dyn Rng) -> Option<String>;
    /// Tries a ply for the side to move. On a fault nothing has changed.
    fn play(&mut self, ply: &str, eyes: Eyes) -> Result<Played, Fault>;
    /// Takes the last step back; false at the start.
    fn undo(&mut self) -> bool;
    /// How many steps the history has: plies and refused tries.
    fn steps(&self) -> usize;
    /// A step of the history, where these eyes may know that it was taken.
    fn step(&self, index: usize, eyes: Eyes) -> Option<Step>;
    /// What a seat learned from the last step.
    fn learned(&self, seat: Side) -> Vec<Event>;
    /// The picture without what may be clicked, which costs more than all the rest: enough to look at.
    fn still(&self, eyes: Eyes) -> BoardView;
    /// The picture.
    fn view(&self, eyes: Eyes) -> BoardView;
    /// What may be clicked after these clicks.
    fn clicks(&self, eyes: Eyes, prefix: &[u16]) -> Vec<Click>;
    /// The form of the next ply, where it places many pieces at once.
    fn set_up_form(&self, rng: &mut dyn Rng) -> Option<SetUpForm>;
    /// Counts sequences of legal plies.
    fn perft(&self, depth: u32) -> u64;
    /// The same, split by the first ply.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// A copy that goes its own way.
    fn fork(&self) -> Box<dyn Table>;
}

#[derive(Clone)]
struct Entry<G: Game> {
    ply: G::Ply,
    end: End,
    mover: Side,
    memo: G::Memo,
}

/// The one implementation of [`Table`].
#[derive(Clone)]
struct TableOf<G: Game> {
    variant: G::Variant,
    now: G,
    history: Vec<Entry<G>>,
}

/// Sets up a game.
pub(crate) fn open<G: Game>(given: &Value, position: Option<&str>) -> Result<Box<dyn Table>, OpenError> {
    let variant: G::Variant = variant::read(given)?;
    let now = match position {
        Some(text) => G::read_position(&variant, text)?,
        None => G::new(&variant),
    };
    Ok(Box::new(TableOf { variant, now, history: Vec::new() }))
}

impl<G: Game> Entry<G> {
    fn past(&self) -> Past<'_, G> {
        Past { ply: self.ply, end: self.end, mover: self.mover, memo: &self.memo }
    }
}

impl<G: Game> TableOf<G> {
    /// A ply in the notation of these eyes.
    fn write(&self, ply: G::Ply, eyes: Eyes, out: &mut String) {
        let ply = if eyes == Eyes::Seat(Side::White) { self.now.turned(ply) } else { ply };
        self.now.write_ply(ply, out);
    }

    fn text(&self, ply: G::Ply, eyes: Eyes) -> String {
        let mut text = String::new();
        self.write(ply, eyes, &mut text);
        text
    }

    fn visit(&self, eyes: Eyes, visit: impl FnMut(G::Ply) -> ControlFlow<()>) {
        let _ = match eyes {
            Eyes::All => self.now.visit_legal(visit),
            Eyes::Seat(seat) if seat == self.now.to_move() => self.now.visit_tries(visit),
            Eyes::Seat(_) => ControlFlow::Continue(()),
        };
    }

    /// Whether these eyes may click on this board now.
    fn may_click(&self, eyes: Eyes) -> bool {
        self.now.verdict().is_none() && eyes.sees(self.now.to_move())
    }

    fn click_tree(&self, eyes: Eyes) -> Clicks {
        let mut clicks = Clicks { tree: Vec::new(), complete: true };
        if !self.may_click(eyes) {
            return clicks;
        }
        if self.now.next_clicks(&[]).is_some() {
            let mut room = MOST_CLICK_PATHS;
            let grown = self.grown_clicks(eyes, &mut Vec::new(), &mut room);
            clicks.complete = grown.is_some();
            clicks.tree = grown.unwrap_or_else(|| self.clicks(eyes, &[]));
            return clicks;
        }
        let mut path = Vec::new();
        let mut paths = 0;
        self.visit(eyes, |ply| {
            paths += 1;
            if paths > MOST_CLICK_PATHS {
                clicks.complete = false;
                return ControlFlow::Break(());
            }
            path.clear();
            self.now.path(ply, &mut path);
            add_path(&mut clicks.tree, &path, || self.text(ply, eyes));
            ControlFlow::Continue(())
        });
        if !clicks.complete {
            clicks.tree = self.clicks(eyes, &[]);
        }
        clicks
    }

    /// The whole tree after these clicks, click by click, or `None` when it has more than `room` of them.
    fn grown_clicks(&self, eyes: Eyes, prefix: &mut Vec<u16>, room: &mut usize) -> Option<Vec<Click>> {
        let mut tree = self.clicks(eyes, prefix);
        *room = room.checked_sub(tree.len())?;
        for click in &mut tree {
            prefix.push(click.spot);
            click.next = self.grown_clicks(eyes, prefix, room)?;
            prefix.pop();
        }
        Some(tree)
    }
}

/// Adds one path to a tree of clicks.
fn add_path(tree: &mut Vec<Click>, path: &[u16], ply: impl FnOnce() -> String) {
    let Some((&first, rest)) = path.split_first() else { return };
    // Plies come grouped by their first clicks, so the branch is nearly always the last one.
    let index = tree.iter().rposition(|click| click.spot == first).unwrap_or_else(|| {
        tree.push(Click { spot: first, ply: None, next: Vec::new() });
        tree.len() - 1
    });
    if rest.is_empty() {
        tree[index].ply = Some(ply());
    } else {
        add_path(&mut tree[index].next, rest, ply);
    }
}

impl<G: Game> Table for TableOf<G> {
    fn facts(&self) -> &'static Facts {
        G::FACTS
    }

    fn variant(&self) -> Value {
        serde_json::to_value(&self.variant).unwrap_or(Value::Null)
    }

    fn starts(&self) -> Vec<String> {
        self.variant.starts().to_vec()
    }

    fn to_move(&self) -> Side {
        self.now.to_move()
    }

    fn plies(&self) -> u32 {
        self.now.plies()
    }

    fn verdict(&self) -> Option<Verdict> {
        self.now.verdict()
    }

    fn evidence(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.now.verdict().is_none() {
            return notes;
        }
        if let Some(last) = self.history.last() {
            notes.push(Note::new("last-ply", Phrase::new("Last ply", "最后一着"), &self.text(last.ply, Eyes::All)));
        }
        let scene = self.now.draw(Eyes::All);
        let winning = scene.marks.iter().filter(|mark| mark.kind == MarkKind::Winning);
        let line: Vec<&str> =
            winning.filter_map(|mark| Some(scene.geometry.spots.get(usize::from(mark.spot))?.name.as_str())).collect();
        if !line.is_empty() {
            notes.push(Note::new("line", Phrase::new("Winning line", "成线棋子"), &line.join(" ")));
        }
        notes.extend(self.now.notes(Eyes::All));
        notes
    }

    fn hash(&self) -> u64 {
        self.now.hash()
    }

    fn write_position(&self, eyes: Eyes, out: &mut String) {
        self.now.write_position(eyes, out);
    }

    fn observe(&self, seat: Side) -> Observation {
        self.now.observe(seat)
    }

    fn visit_plies(&self, eyes: Eyes, visit: &mut dyn FnMut(&str) -> ControlFlow<()>) {
        let mut text = String::new();
        self.visit(eyes, |ply| {
            text.clear();
            self.write(ply, eyes, &mut text);
            visit(&text)
        });
    }

    fn count_legal(&self) -> u64 {
        self.now.count_legal()
    }

    fn losing_plies(&self) -> Vec<String> {
        let mut plies = Vec::new();
        let _ = self.now.visit_losing(|ply| {
            plies.push(self.text(ply, Eyes::All));
            ControlFlow::Continue(())
        });
        plies
    }

    fn random_ply(&self, rng: &mut dyn Rng) -> Option<String> {
        self.now.random_ply(rng).map(|ply| self.text(ply, Eyes::All))
    }

    fn play(&mut self, ply: &str, eyes: Eyes) -> Result<Played, Fault> {
        let turns = eyes == Eyes::Seat(Side::White);
        let mut ply = self.now.read_ply(ply)?;
        if turns {
            ply = self.now.turned(ply);
        }
        let mover = self.now.to_move();
        // A player is told his fault in the notation he wrote the ply in.
        let told = |fault| if turns { self.now.turned_fault(fault) } else { fault };
        let end = self.now.judge(ply).map_err(told)?;
        let tried = Tried { end, memo: self.now.apply(ply, end) };
        self.history.push(Entry { ply, end: tried.end, mover, memo: tried.memo });
        Ok(Played { mover, end: tried.end })
    }

    fn undo(&mut self) -> bool {
        self.history.pop().is_some_and(|entry| {
            self.now.undo(entry.memo);
            true
        })
    }

    fn steps(&self) -> usize {
        self.history.len()
    }

    fn step(&self, index: usize, eyes: Eyes) -> Option<Step> {
        let entry = self.history.get(index)?;
        let refused = matches!(entry.end, End::Refused(_));
        // That the opponent tried something in vain is his secret too.
        if refused && !eyes.sees(entry.mover) {
            return None;
        }
        let known = refused || self.now.shows(entry.ply, entry.mover, eyes);
        // Why a try was refused tells what is hidden.
        let end = if refused && eyes != Eyes::All { End::Refused(&reasons::REFUSED) } else { entry.end };
        let told = match end {
            End::Played => self.now.told(&entry.past(), eyes),
            End::Refused(reason) | End::Lost(reason) => Told { remarks: vec![*reason], gone: Vec::new() },
        };
        Some(Step { mover: entry.mover, end, ply: known.then(|| self.text(entry.ply, eyes)), told })
    }

    fn learned(&self, seat: Side) -> Vec<Event> {
        self.history
            .last()
            .map(|entry| self.now.learned(entry.ply, entry.end, &entry.memo, entry.mover, seat))
            .unwrap_or_default()
    }

    fn still(&self, eyes: Eyes) -> BoardView {
        let mut last = Vec::new();
        let lost = self.history.last().filter(|entry| matches!(entry.end, End::Lost(_)));
        if let Some(entry) = self.history.iter().rfind(|entry| !matches!(entry.end, End::Refused(_)))
            && self.now.shows(entry.ply, entry.mover, eyes)
        {
            self.now.path(entry.ply, &mut last);
        }
        let mut scene =
            lost.and_then(|entry| self.now.draw_lost(entry.ply, eyes)).unwrap_or_else(|| self.now.draw(eyes));
        scene.marks.extend(self.now.remembered(self.history.iter().map(Entry::past), eyes));
        BoardView {
            game: G::FACTS.id,
            sides: G::FACTS.sides,
            eyes: match eyes {
                Eyes::All => "all",
                Eyes::Seat(seat) => seat.word(),
            },
            to_move: self.now.to_move(),
            plies: self.now.plies(),
            verdict: self.now.verdict(),
            scene,
            last,
            clicks: Clicks { tree: Vec::new(), complete: true },
            notes: self.now.notes(eyes),
        }
    }

    fn view(&self, eyes: Eyes) -> BoardView {
        BoardView { clicks: self.click_tree(eyes), ..self.still(eyes) }
    }

    fn clicks(&self, eyes: Eyes, prefix: &[u16]) -> Vec<Click> {
        let mut next: Vec<Click> = Vec::new();
        if !self.may_click(eyes) {
            return next;
        }
        if let Some(known) = self.now.next_clicks(prefix) {
            let click = |(spot, ply): (u16, Option<G::Ply>)| Click {
                spot,
                ply: ply.map(|ply| self.text(ply, eyes)),
                next: Vec::new(),
            };
            return known.into_iter().map(click).collect();
        }
        let mut path = Vec::new();
        let mut seen = 0;
        let mut clickable = false;
        self.visit(eyes, |ply| {
            path.clear();
            self.now.path(ply, &mut path);
            if path.len() > prefix.len() && path.starts_with(prefix) {
                let spot = path[prefix.len()];
                let index = next.iter().rposition(|click| click.spot == spot).unwrap_or_else(|| {
                    next.push(Click { spot, ply: None, next: Vec::new() });
                    next.len() - 1
                });
                if path.len() == prefix.len() + 1 {
                    next[index].ply = Some(self.text(ply, eyes));
                }
            }
            // Plies beyond listing (Junqi's set-ups) are not made by clicks, and soon known by that.
            seen += 1;
            clickable |= !path.is_empty();
            let most = if clickable { 2_000_000 } else { MOST_CLICK_PATHS };
            if seen >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        next
    }

    fn set_up_form(&self, rng: &mut dyn Rng) -> Option<SetUpForm> {
        self.now.set_up_form(rng)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&mut self.now.clone(), depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut lines = Vec::new();
        divide(&self.now, depth, |ply, leaves| lines.push((self.text(ply, Eyes::All), leaves)));
        lines
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
