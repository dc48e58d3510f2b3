//! The format of `*.perft` files: one case a line, the leaves at depth 1, 2, 3 … after the last `:`.
//!
//! ```text
//! # comment
//! start : 43 1798
//! variant max_plies=30 : 43 1798
//! position 8/8/wwww4/4wwww/bbbb4/4bbbb/8/8 b 0 : 43
//! variant rule=1 position … : 7
//! ```

use serde_json::Value;

use super::variant::read_pairs;

/// One line of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The line's number, from 1.
    pub line: usize,
    /// The options.
    pub variant: Value,
    /// The position, or the start.
    pub position: Option<String>,
    /// The leaves at depth 1, 2, 3 …
    pub leaves: Vec<u64>,
}

/// Reads a file's text; an error is a sentence with the line.
pub fn read(text: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (what, counts) = line.rsplit_once(':').ok_or_else(|| format!("line {line_number} has no ':'"))?;
        let leaves = counts
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<Vec<u64>, _>>()
            .map_err(|error| format!("line {line_number}: {error}"))?;
        let (pairs, position) = match what.split_once("position ") {
            Some((before, position)) => (before, Some(position.trim().to_owned())),
            None => (what, None),
        };
        let pairs = pairs.split_whitespace().filter(|word| !matches!(*word, "start" | "variant"));
        let variant = read_pairs(pairs).map_err(|error| format!("line {line_number}: {error}"))?;
        cases.push(Case { line: line_number, variant, position, leaves });
    }
    Ok(cases)
}
