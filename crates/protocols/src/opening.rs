//! The extension by which an engine can be told plies it did not choose itself, so that a game may begin after an
//! opening.
//!
//! Gomocup has `BOARD` for that; the other three protocols have nothing. An engine that can be told says so where its
//! protocol leaves it room: its name ends in [`CAN_BE_LED`] (`sau`, `junqi`), or it says that word in a `DEBUG` line
//! before `OK` (`tiaojia`). To any other referee that is a name or a remark. An engine that does not say so is sent
//! nothing it would not know.

/// The word by which an engine says that it can be told an opening.
pub const CAN_BE_LED: &str = "+openings";

/// The name in what an engine gave as its name, and whether it can be told an opening.
pub(crate) fn read_name(text: &str) -> (&str, bool) {
    let text = text.trim();
    match text.strip_suffix(CAN_BE_LED) {
        Some(name) => (name.trim_end(), true),
        None => (text, false),
    }
}

/// A name that says that its engine can be told an opening.
pub(crate) fn written_name(name: &str) -> String {
    format!("{name}{CAN_BE_LED}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_name_says_it() {
        assert_eq!(read_name(&written_name("v2")), ("v2", true));
        assert_eq!(read_name(" 六子棋 v2 +openings "), ("六子棋 v2", true));
        assert_eq!(read_name("+openings"), ("", true));
        for name in ["v2", "v2+openings 1.0", "v2 openings", "v2+Openings", ""] {
            assert_eq!(read_name(name), (name, false));
        }
    }
}
