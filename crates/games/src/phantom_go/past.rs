//! The boards that may not come back.

use crate::core::random::mix;

/// Every board so far, with room for all that may follow, so that playing on never allocates.
#[derive(Debug)]
pub(super) struct Past {
    pub(super) boards: Vec<[u128; 2]>,
    /// A hash of each board, small, to be searched first.
    signatures: Vec<u32>,
}

impl Past {
    pub(super) fn with_room(boards: usize) -> Self {
        Self { boards: Vec::with_capacity(boards), signatures: Vec::with_capacity(boards) }
    }

    fn signature(board: [u128; 2]) -> u32 {
        let [black, white] = board;
        mix(&[black as u64, (black >> 64) as u64, white as u64, (white >> 64) as u64]) as u32
    }

    #[inline]
    pub(super) fn push(&mut self, board: [u128; 2]) {
        self.boards.push(board);
        self.signatures.push(Self::signature(board));
    }

    pub(super) fn pop(&mut self) {
        self.boards.pop();
        self.signatures.pop();
    }

    pub(super) fn holds(&self, board: [u128; 2]) -> bool {
        let signature = Self::signature(board);
        // Without a way out inside a chunk the compiler compares several at a time.
        let seen = |chunk: &[u32]| chunk.iter().fold(false, |seen, &other| seen | (other == signature));
        self.signatures.chunks(64).any(seen) && self.boards.contains(&board)
    }
}

impl Clone for Past {
    fn clone(&self) -> Self {
        let mut copy = Self::with_room(self.boards.capacity());
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.boards.clear();
        self.signatures.clear();
        self.boards.reserve_exact(source.boards.capacity());
        self.signatures.reserve_exact(source.boards.capacity());
        self.boards.extend_from_slice(&source.boards);
        self.signatures.extend_from_slice(&source.signatures);
    }
}

impl PartialEq for Past {
    fn eq(&self, other: &Self) -> bool {
        self.boards == other.boards
    }
}

impl Eq for Past {}
