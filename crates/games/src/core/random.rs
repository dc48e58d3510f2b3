//! Choosing at random, fast and without allocation.

use rand::Rng;

/// A number below `bound` (which must not be 0). The bias of at most `bound / 2^32` does not matter for playouts.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// For each byte, the index of its `n`-th set bit.
const NTH_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The index of the `n`-th set bit (from 0) of a word that has more than `n`.
#[inline]
#[must_use]
pub const fn nth_bit(word: u64, n: u32) -> u32 {
    // Which bit is random, so a loop over bits or halves would be mispredicted nearly every time: the bytes' running
    // counts are compared all at once instead, and a table finishes inside the byte.
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    let mut counts = word - (word >> 1 & 0x5555_5555_5555_5555);
    counts = (counts & 0x3333_3333_3333_3333) + (counts >> 2 & 0x3333_3333_3333_3333);
    counts = (counts + (counts >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let upto = counts.wrapping_mul(ONES);
    // The high bit of a byte stays set where its running count is at most n: those bytes are passed.
    let passed = ((n as u64 * ONES) | HIGHS).wrapping_sub(upto) & HIGHS;
    let shift = passed.count_ones() * 8;
    let before = (upto << 8 >> shift) as u32 & 0xff;
    shift + NTH_OF_BYTE[(n - before) as usize & 7][(word >> shift) as usize & 0xff] as u32
}

/// The same for 128 bits.
#[inline]
#[must_use]
pub fn nth_bit_wide(bits: u128, n: u32) -> u32 {
    let low = bits as u64;
    let count = low.count_ones();
    if n < count { nth_bit(low, n) } else { 64 + nth_bit((bits >> 64) as u64, n - count) }
}

/// Folds words into a well-mixed hash; the same words give the same hash on every machine and in every version.
#[inline]
#[must_use]
pub fn mix(words: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in words {
        let product = u128::from(hash ^ word) * 0xda94_2042_e4dd_58b5_u128;
        hash = (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32);
        hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_counts_from_the_lowest() {
        let bits = 0b1010_0110_u128 | 1 << 70 | 1 << 127;
        let all: Vec<u32> = (0..bits.count_ones()).map(|n| nth_bit_wide(bits, n)).collect();
        assert_eq!(all, [1, 2, 5, 7, 70, 127]);
        for n in 0..64 {
            assert_eq!(nth_bit(u64::MAX, n), n);
        }
    }

    #[test]
    fn mix_tells_neighbours_apart() {
        let hashes: std::collections::HashSet<u64> = (0..10_000).map(|n| mix(&[n, 0])).collect();
        assert_eq!(hashes.len(), 10_000);
        assert_ne!(mix(&[1, 2]), mix(&[2, 1]));
    }
}
