//! The laws every game obeys, checked over random games. The test suite runs them over the whole registry, so a new
//! game is under them from its first line.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::game::{Game, Past};
use super::random::below;
use super::side::{Eyes, Side};
use super::verdict::End;

/// No game of the suite may be longer than this.
const MOST_PLIES: u32 = 20_000;

/// Replies are counted one by one in positions with at most this many plies.
const MOST_FOR_REPLIES: usize = 100;

/// How often the costly laws are checked.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// A costly law is checked at one ply in this many.
    pub one_in: u32,
    /// A ply space up to this size is searched exhaustively, a larger one sampled.
    pub exhaustive: u64,
    /// How many plies are sampled from a larger space.
    pub samples: u64,
}

/// A law that did not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("law \"{law}\" is broken: {story}")]
pub struct Broken {
    /// Which law.
    pub law: &'static str,
    /// What happened.
    pub story: String,
}

impl Broken {
    /// A broken law and how it broke.
    #[must_use]
    pub fn new(law: &'static str, story: String) -> Self {
        Self { law, story }
    }
}

fn ensure(law: &'static str, holds: bool, story: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken::new(law, story())) }
}

fn text<G: Game>(position: &G) -> String {
    let mut out = String::new();
    position.write_position(Eyes::All, &mut out);
    out
}

fn ply_text<G: Game>(position: &G, ply: G::Ply) -> String {
    let mut out = String::new();
    position.write_ply(ply, &mut out);
    out
}

/// Plays one random game and checks the laws on the way.
pub fn check<G: Game>(variant: &G::Variant, seed: u64, effort: Effort) -> Result<(), Broken> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = G::new(variant);
    let mut trail = Vec::new();
    while position.verdict().is_none() {
        ensure("every game ends", position.plies() < MOST_PLIES, || text(&position))?;
        let ply = position
            .random_ply(&mut rng)
            .ok_or_else(|| Broken::new("a game that goes on has a legal ply", text(&position)))?;
        let costly = below(&mut rng, effort.one_in) == 0;
        if costly {
            plies_law(&position, effort, &mut rng)?;
            position_text_law::<G>(variant, &position)?;
            symmetry_law(&position, ply)?;
            hidden_law(&position, &mut rng)?;
            picture_law(&position)?;
        }
        notation_law(&position, ply)?;
        // Sometimes the seat first tries what will be refused, or ends the game by a losing ply.
        if costly && let Some(other) = try_something_else(&position, &mut rng) {
            let before = position.clone();
            let tried =
                position.play(other).map_err(|fault| Broken::new("a judged ply is played", fault.to_string()))?;
            if let End::Lost(_) = tried.end {
                let verdict = position.verdict();
                ensure(
                    "a losing ply ends the game",
                    verdict.is_some_and(|v| v.winner == Some(before.to_move().other())),
                    || format!("{} in {}", ply_text(&before, other), text(&before)),
                )?;
            } else {
                ensure("a refused try leaves the turn", position.to_move() == before.to_move(), || text(&before))?;
                ensure("a refused try is no ply", position.plies() == before.plies(), || text(&before))?;
            }
            position.undo(tried.memo);
            ensure("undo restores everything", position == before, || {
                format!("{} in {}", ply_text(&before, other), text(&before))
            })?;
        }
        let before = position.clone();
        let tried =
            position.play(ply).map_err(|fault| Broken::new("a generated ply is accepted", fault.to_string()))?;
        ensure("a generated ply is played", tried.end == End::Played, || ply_text(&before, ply))?;
        ensure("a ply counts as one", position.plies() == before.plies() + 1, || ply_text(&before, ply))?;
        let mut back = position.clone();
        back.undo(tried.memo.clone());
        ensure("undo restores everything", back == before && back.hash() == before.hash(), || {
            format!("{} in {}: {back:?} is not {before:?}", ply_text(&before, ply), text(&before))
        })?;
        if let Some(verdict) = position.verdict() {
            ensure("a verdict names its ply", verdict.ply == position.plies(), || text(&position))?;
            ensure("a finished game has no legal ply", position.count_legal() == 0, || text(&position))?;
            ensure("a finished game has no random ply", position.random_ply(&mut rng).is_none(), || text(&position))?;
            ensure("a finished game takes no ply", position.judge(ply).is_err(), || text(&position))?;
        }
        trail.push((tried.memo, before));
    }
    position_text_law::<G>(variant, &position)?;
    // All the way back.
    while let Some((memo, before)) = trail.pop() {
        position.undo(memo);
        ensure("undo restores everything, all the way back", position == before, || text(&before))?;
    }
    Ok(())
}

/// A ply from the whole space that judge takes up without playing it, if a few tries find one.
fn try_something_else<G: Game>(position: &G, rng: &mut Xoshiro256PlusPlus) -> Option<G::Ply> {
    (0..8)
        .map(|_| position.ply_at(rng.next_u64() % position.space()))
        .find(|&ply| matches!(position.judge(ply), Ok(End::Refused(_) | End::Lost(_))))
}

/// Generated plies are exactly the accepted ones.
fn plies_law<G: Game>(position: &G, effort: Effort, rng: &mut Xoshiro256PlusPlus) -> Result<(), Broken> {
    const LAW: &str = "generated plies are accepted and all others refused";
    let mut legal = HashSet::new();
    let mut cut = false;
    let _ = position.visit_legal(|ply| {
        cut = legal.len() >= 100_000;
        if cut || !legal.insert(ply) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if !cut {
        ensure("each legal ply is generated once and counted", legal.len() as u64 == position.count_legal(), || {
            format!("{} generated, {} counted in {}", legal.len(), position.count_legal(), text(position))
        })?;
        ensure("each legal ply is accepted", legal.iter().all(|&ply| position.judge(ply) == Ok(End::Played)), || {
            text(position)
        })?;
    }
    if legal.len() <= MOST_FOR_REPLIES {
        let replies: u64 = legal
            .iter()
            .map(|&ply| {
                let mut child = position.clone();
                child.apply(ply, End::Played);
                child.count_legal()
            })
            .sum();
        ensure("replies are counted right", replies == position.count_replies(), || text(position))?;
    }
    let mut losing = HashSet::new();
    let _ = position.visit_losing(|ply| {
        losing.insert(ply);
        ControlFlow::Continue(())
    });
    let space = position.space();
    let exhaustive = space <= effort.exhaustive && !cut;
    let (mut played, mut lost) = (0, 0);
    for index in 0..if exhaustive { space } else { effort.samples } {
        let ply = position.ply_at(if exhaustive { index } else { rng.next_u64() % space });
        let judged = position.judge(ply);
        let is_played = judged == Ok(End::Played);
        played += u64::from(is_played);
        lost += usize::from(matches!(judged, Ok(End::Lost(_))));
        ensure(LAW, cut || is_played == legal.contains(&ply), || {
            format!("{} is judged {judged:?} in {}", ply_text(position, ply), text(position))
        })?;
        if judged.is_err() {
            let mut same = position.clone();
            ensure("a fault leaves the position untouched", same.play(ply).is_err() && same == *position, || {
                format!("{} in {}", ply_text(position, ply), text(position))
            })?;
        }
    }
    if exhaustive {
        ensure(LAW, played == legal.len() as u64, || format!("{played} accepted, {} generated", legal.len()))?;
        ensure("losing plies are exactly those listed", lost == losing.len(), || {
            format!("{lost} lose, {} listed in {}", losing.len(), text(position))
        })?;
    }
    ensure(
        "listed losing plies lose",
        losing.iter().all(|&ply| matches!(position.judge(ply), Ok(End::Lost(_)))),
        || text(position),
    )
}

/// A ply's text reads back as the ply.
fn notation_law<G: Game>(position: &G, ply: G::Ply) -> Result<(), Broken> {
    let written = ply_text(position, ply);
    let read = position.read_ply(&written);
    ensure("notation reads back", read == Ok(ply), || format!("{written} read as {read:?}, not {ply:?}"))?;
    ensure("turning a ply twice gives it back", position.turned(position.turned(ply)) == ply, || written.clone())
}

/// A position's text reads back as the position, and its hash is recomputed from nothing.
fn position_text_law<G: Game>(variant: &G::Variant, position: &G) -> Result<(), Broken> {
    let written = text(position);
    let read = G::read_position(variant, &written)
        .map_err(|fault| Broken::new("a position's text reads back", format!("{written}: {fault}")))?;
    ensure("a position's text reads back", text(&read) == written, || format!("{written} became {}", text(&read)))?;
    ensure("the hash is that of the position read anew", read.hash() == position.hash(), || written.clone())?;
    ensure(
        "the turn and the end read back",
        read.to_move() == position.to_move() && read.plies() == position.plies(),
        || written.clone(),
    )?;
    ensure("the end reads back", read.verdict().map(|v| v.winner) == position.verdict().map(|v| v.winner), || {
        format!("{written}: {:?} became {:?}", position.verdict(), read.verdict())
    })
}

/// A position seen through a symmetry has the same plies, seen through it, with the same results.
fn symmetry_law<G: Game>(position: &G, ply: G::Ply) -> Result<(), Broken> {
    for &symmetry in position.symmetries() {
        let mirrored = position.transformed(symmetry);
        let mirrored_ply = position.transformed_ply(ply, symmetry);
        let story = || format!("{symmetry:?} of {} with {}", text(position), ply_text(position, ply));
        ensure("mirrored positions have as many plies", mirrored.count_legal() == position.count_legal(), story)?;
        ensure("a mirrored ply is judged the same", mirrored.judge(mirrored_ply) == position.judge(ply), story)?;
        let (mut after, mut mirrored_after) = (position.clone(), mirrored);
        after.apply(ply, End::Played);
        mirrored_after.apply(mirrored_ply, End::Played);
        ensure(
            "mirrored positions give mirrored results",
            mirrored_after.hash() == after.transformed(symmetry).hash(),
            story,
        )?;
        ensure("mirrored positions end alike", mirrored_after.verdict() == after.verdict(), story)?;
    }
    Ok(())
}

/// What a seat is shown does not depend on what it may not know.
fn hidden_law<G: Game>(position: &G, rng: &mut Xoshiro256PlusPlus) -> Result<(), Broken> {
    for seat in Side::BOTH {
        let Some(other) = position.reimagined(seat, rng) else {
            return ensure("a hidden game can be reimagined", !G::FACTS.hidden, || text(position));
        };
        let story = || format!("{seat} tells {} from {}", text(position), text(&other));
        ensure("an observation shows nothing hidden", other.observe(seat) == position.observe(seat), story)?;
        ensure(
            "a picture shows nothing hidden",
            other.draw(Eyes::Seat(seat)) == position.draw(Eyes::Seat(seat)),
            story,
        )?;
        if position.to_move() == seat {
            ensure("the plies to try show nothing hidden", tries(&other) == tries(position), story)?;
        }
        told_law(position, &other, seat, rng)?;
    }
    Ok(())
}

/// Where a seat learns the same from a ply in two worlds, it is told the same of it in words.
fn told_law<G: Game>(here: &G, there: &G, seat: Side, rng: &mut Xoshiro256PlusPlus) -> Result<(), Broken> {
    let mover = here.to_move();
    let tries = tries(here);
    for _ in 0..8.min(tries.len()) {
        let ply = tries[below(rng, tries.len() as u32) as usize];
        let look = |world: &G| {
            let mut world = world.clone();
            let tried = world.play(ply).ok().filter(|tried| tried.end == End::Played)?;
            let learned = world.learned(ply, tried.end, &tried.memo, mover, seat);
            let told = world.told(&Past { ply, end: tried.end, mover, memo: &tried.memo }, Eyes::Seat(seat));
            Some(((learned, world.verdict()), told))
        };
        if let (Some((one, told)), Some((other, told_there))) = (look(here), look(there)) {
            ensure("what is told shows nothing hidden", one != other || told == told_there, || {
                format!("{seat} is told {told:?}, {told_there:?} of {} in {}", ply_text(here, ply), text(here))
            })?;
        }
    }
    Ok(())
}

/// The first thousand plies the side to move may try.
fn tries<G: Game>(position: &G) -> Vec<G::Ply> {
    let mut tries = Vec::new();
    let _ = position.visit_tries(|ply| {
        tries.push(ply);
        if tries.len() < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    tries
}

/// Pictures name only spots they have, and a ply's clicks lead to that ply and no other.
fn picture_law<G: Game>(position: &G) -> Result<(), Broken> {
    for eyes in [Eyes::All, Eyes::Seat(Side::Black), Eyes::Seat(Side::White)] {
        let scene = position.draw(eyes);
        let spots = scene.geometry.spots.len();
        let named = scene.pieces.iter().map(|piece| piece.spot).chain(scene.marks.iter().map(|mark| mark.spot));
        ensure("a picture names spots it has", named.into_iter().all(|spot| usize::from(spot) < spots), || {
            text(position)
        })?;
        let names: HashSet<&str> = scene.geometry.spots.iter().map(|spot| spot.name.as_str()).collect();
        ensure("spots have names of their own", names.len() == spots, || text(position))?;
        let mut paths = HashSet::new();
        let mut fits = true;
        let mut seen = 0;
        let _ = position.visit_tries(|ply| {
            // Plies are counted, not paths: Junqi's set-ups are beyond listing and have no clicks.
            seen += 1;
            let mut path = Vec::new();
            position.path(ply, &mut path);
            fits = path.iter().all(|&spot| usize::from(spot) < spots) && (path.is_empty() || paths.insert(path));
            if fits && seen < 3000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        ensure("each ply has clicks of its own, on spots there are", fits, || text(position))?;
    }
    Ok(())
}
