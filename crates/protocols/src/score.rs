//! What an engine says a position is worth, found in its free text.

/// A score that says "this is won": more than any evaluation.
pub const WON: i32 = 1_000_000;

/// The words that a score follows.
const WORDS: [&str; 4] = ["ev", "eval", "score", "value"];

/// The last score in an engine's remark, seen from its own side: a whole number after the word `ev`, `eval`, `score` or
/// `value` (`depth 8 ev 123`, `Eval: -15`, `score=+40`), or a win in so many plies (`ev +M7`, `ev -M4`) as ±[`WON`].
/// Anything else, such as a fraction or a chance of winning, is no score: nobody could say on which scale it is.
#[must_use]
pub fn score_in(text: &str) -> Option<i32> {
    // `=`, `:` and `|` stand between a word and its number in some engines' messages.
    let mut words = text.split(|letter: char| letter.is_whitespace() || matches!(letter, '=' | ':' | '|' | ',' | ';'));
    let mut found = None;
    while let Some(word) = words.next() {
        if WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)) {
            let number = words.by_ref().find(|word| !word.is_empty());
            found = number.and_then(read).or(found);
        }
    }
    found
}

fn read(word: &str) -> Option<i32> {
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = rest.strip_prefix(['M', 'm']);
    let number = digits.unwrap_or(rest);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A number too long to read is as good as won.
    let value = if digits.is_some() { WON } else { number.parse().unwrap_or(WON).min(WON) };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_in_the_forms_brains_use() {
        assert_eq!(score_in("depth 8-12 ev 123 n 50K tm 400 pv h8 h9"), Some(123));
        assert_eq!(score_in("Speed 300K | Depth 9-20 | Eval -15 | Node 1M"), Some(-15));
        assert_eq!(score_in("Eval: +40"), Some(40));
        assert_eq!(score_in("score=-7"), Some(-7));
        assert_eq!(score_in("ev +M7"), Some(WON));
        assert_eq!(score_in("ev -M4 pv h8"), Some(-WON));
        assert_eq!(score_in("ev 1 ev 2"), Some(2), "the last one counts");
        assert_eq!(score_in("value 99999999999999"), Some(WON));
    }

    #[test]
    fn anything_else_is_no_score() {
        for text in
            ["", "ev", "eval 0.53", "score: 12%", "never 5", "evaluate 3", "ev -", "ev +M", "ev h8", "winrate 70"]
        {
            assert_eq!(score_in(text), None, "{text}");
        }
    }
}
