//! What changes on a board from one step to the next, for one pair of eyes: what a live game sends and a replay steps
//! through.

use serde::Serialize;

use super::game::{Note, Told};
use super::side::Side;
use super::verdict::Verdict;
use super::view::{BoardView, Clicks, Mark, Piece};

/// The step that led to a frame, as far as the eyes may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrameStep {
    /// Who took it.
    pub mover: Side,
    /// The ply in the notation of the eyes; nothing where they may not know it.
    pub ply: Option<String>,
    /// How it ended: `played`, `refused` or `lost`.
    pub end: &'static str,
    /// The time it took, in milliseconds, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// What came of it.
    #[serde(flatten)]
    pub told: Told,
}

/// The difference of two views of one game through the same eyes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frame {
    /// How many steps these eyes know of.
    pub n: usize,
    /// How many plies were played.
    pub plies: u32,
    /// Whose turn it is.
    pub to_move: Side,
    /// Pieces that came or changed.
    pub set: Vec<Piece>,
    /// Spots that are empty now.
    pub clear: Vec<u16>,
    /// All marks.
    pub marks: Vec<Mark>,
    /// The spots of the last ply.
    pub last: Vec<u16>,
    /// All notes.
    pub notes: Vec<Note>,
    /// The end, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The step that was taken; nothing when steps were taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<FrameStep>,
}

impl Frame {
    /// What turns `before` into `after`; a spot holds at most one piece.
    #[must_use]
    pub fn between(before: &BoardView, after: &BoardView, n: usize, step: Option<FrameStep>) -> Self {
        let spots = before.scene.geometry.spots.len().max(after.scene.geometry.spots.len());
        let placed = |view: &BoardView| {
            let mut placed: Vec<Option<Piece>> = vec![None; spots];
            for piece in &view.scene.pieces {
                if let Some(place) = placed.get_mut(usize::from(piece.spot)) {
                    *place = Some(piece.clone());
                }
            }
            placed
        };
        let (mut set, mut clear) = (Vec::new(), Vec::new());
        for (spot, (old, new)) in placed(before).into_iter().zip(placed(after)).enumerate() {
            match new {
                Some(piece) if old.as_ref() != Some(&piece) => set.push(piece),
                None if old.is_some() => clear.push(spot as u16),
                _ => {}
            }
        }
        Self {
            n,
            plies: after.plies,
            to_move: after.to_move,
            set,
            clear,
            marks: after.scene.marks.clone(),
            last: after.last.clone(),
            notes: after.notes.clone(),
            verdict: after.verdict,
            step,
        }
    }

    /// What eyes that may see nothing are told: that it is the other side's turn now.
    #[must_use]
    pub fn blind(plies: u32, to_move: Side, n: usize, step: Option<FrameStep>) -> Self {
        Self {
            n,
            plies,
            to_move,
            set: Vec::new(),
            clear: Vec::new(),
            marks: Vec::new(),
            last: Vec::new(),
            notes: Vec::new(),
            verdict: None,
            step: step.map(|step| FrameStep { ply: None, told: Told::default(), ..step }),
        }
    }

    /// Moves a view on; what may be clicked is not part of a frame and is left empty.
    pub fn apply(&self, view: &mut BoardView) {
        let gone = |spot: u16| self.clear.contains(&spot) || self.set.iter().any(|piece| piece.spot == spot);
        view.scene.pieces.retain(|piece| !gone(piece.spot));
        view.scene.pieces.extend(self.set.iter().cloned());
        view.scene.pieces.sort_by_key(|piece| piece.spot);
        view.scene.marks.clone_from(&self.marks);
        view.last.clone_from(&self.last);
        view.notes.clone_from(&self.notes);
        view.clicks = Clicks { tree: Vec::new(), complete: true };
        (view.plies, view.to_move, view.verdict) = (self.plies, self.to_move, self.verdict);
    }
}
