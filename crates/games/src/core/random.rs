//! Choosing at random, fast and without allocation.

use rand::Rng;

/// A number below `bound` (which must not be 0). The bias of at most `bound / 2^32` does not matter for playouts.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// The index of the `n`-th set bit (from 0) of a word that has more than `n`.
#[inline]
#[must_use]
pub fn nth_bit(mut word: u64, n: u32) -> u32 {
    let mut skip = n;
    let mut base = 0;
    // Halve by population count until a byte is left: a fixed number of steps, unlike clearing n bits one by one.
    for width in [32, 16, 8] {
        let low = (word & ((1 << width) - 1)).count_ones();
        if skip >= low {
            skip -= low;
            word >>= width;
            base += width;
        }
    }
    for _ in 0..skip {
        word &= word - 1;
    }
    base + word.trailing_zeros()
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
