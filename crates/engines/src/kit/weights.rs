//! Trained weights, read from the text they are kept in while compiling.

/// The numbers of a text, as many as are asked for; anything else does not compile.
#[must_use]
pub const fn integers<const N: usize>(text: &[u8]) -> [i32; N] {
    let mut numbers = [0; N];
    let (mut at, mut found) = (0, 0);
    while at < text.len() {
        if text[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let negative = text[at] == b'-';
        if negative {
            at += 1;
        }
        let mut value = 0;
        while at < text.len() && !text[at].is_ascii_whitespace() {
            assert!(text[at].is_ascii_digit(), "weights are whole numbers");
            value = value * 10 + (text[at] - b'0') as i32;
            at += 1;
        }
        assert!(found < N, "too many weights");
        numbers[found] = if negative { -value } else { value };
        found += 1;
    }
    assert!(found == N, "too few weights");
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_order() {
        assert_eq!(integers::<3>(b"1 -20\n 300\n"), [1, -20, 300]);
    }
}
