//! Tokens and one-time codes, and the hashes of them that are kept.

use sha2::{Digest as _, Sha256};

/// Letters that cannot be taken for each other on paper: no 0, 1, i, l, o.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Four groups of four: 79 bits.
const CODE_LETTERS: usize = 16;
/// 52 letters: more than 256 bits.
const TOKEN_LETTERS: usize = 52;

fn random_letters(count: usize) -> Result<String, getrandom::Error> {
    let mut text = String::with_capacity(count);
    let mut bytes = [0; 64];
    while text.len() < count {
        getrandom::fill(&mut bytes)?;
        // What would favour the first letters is thrown away.
        let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(LETTERS[usize::from(byte % 31)]));
        text.extend(fair.take(count - text.len()));
    }
    Ok(text)
}

/// A session's token.
pub fn new_token() -> Result<String, getrandom::Error> {
    random_letters(TOKEN_LETTERS)
}

/// A one-time code to be printed: `abcd-efgh-jkmn-pqrs`.
pub fn new_code() -> Result<String, getrandom::Error> {
    let letters = random_letters(CODE_LETTERS)?;
    let groups: Vec<&str> = (0..CODE_LETTERS).step_by(4).map(|at| &letters[at..at + 4]).collect();
    Ok(groups.join("-"))
}

/// A code as somebody typed it, in the form that is hashed.
#[must_use]
pub fn read_code(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).take(64).collect()
}

/// Whether somebody typed what looks like a one-time code.
#[must_use]
pub fn looks_like_code(text: &str) -> bool {
    let plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter.is_whitespace());
    let code = read_code(text);
    plain && code.len() == CODE_LETTERS && code.bytes().all(|letter| LETTERS.contains(&letter))
}

/// What is kept of a token or code: knowing it gives no rights. Both are random enough for a fast hash.
#[must_use]
pub fn hash_token(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_can_be_read_from_paper() {
        let code = new_code().unwrap();
        assert_eq!(code.len(), 19);
        assert!(!code.contains(['0', 'o', '1', 'l', 'i']), "{code}");
        assert_eq!(read_code(&format!(" {} ", code.to_uppercase().replace('-', " "))), code.replace('-', ""));
        assert_ne!(code, new_code().unwrap());
        for typed in [code.clone(), code.to_uppercase(), format!(" {} ", code.replace('-', " ")), code.replace('-', "")]
        {
            assert!(looks_like_code(&typed), "{typed}");
        }
        for typed in
            ["", "a long password", &code[1..], &format!("{code}x"), &code.replace('-', "."), &new_token().unwrap()]
        {
            assert!(!looks_like_code(typed), "{typed}");
        }
        assert_eq!(new_token().unwrap().len(), 52);
    }
}
