//! Random names and tokens, and the hashes of them that are kept.

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A random text with this many bits, five a letter.
pub(crate) fn random_text(bits: usize) -> Result<String, getrandom::Error> {
    let mut bytes = vec![0; bits.div_ceil(5)];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.into_iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// What is kept of a token: knowing it gives no rights.
pub(crate) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// Whether a token is the one of this hash, in a time that tells nothing.
pub(crate) fn matches(token: &str, hash_kept: &[u8]) -> bool {
    hash(token).ct_eq(hash_kept).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_different_and_recognised() {
        let one = random_text(256).unwrap();
        assert_eq!(one.len(), 52);
        assert_ne!(one, random_text(256).unwrap());
        assert!(matches(&one, &hash(&one)));
        assert!(!matches("x", &hash(&one)));
    }
}
