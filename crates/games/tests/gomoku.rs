//! Gomoku and renju.

use games::{Eyes, Table, find, read_pairs};

fn open(pairs: &[&str], position: Option<&str>) -> Box<dyn Table> {
    let variant = read_pairs(pairs.iter().copied()).unwrap();
    find("gomoku").unwrap().open(&variant, position).unwrap()
}

/// Every forbidden point of 3,000 positions, no point more and none less.
#[test]
fn forbidden_points_are_those_of_the_reference() {
    let file = include_str!("data/renju_forbidden.tsv");
    let mut positions = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (board, points) = line.split_once('\t').unwrap();
        let rows: Vec<String> =
            (0..15).map(|y| board[y * 15..y * 15 + 15].replace('X', "b").replace('O', "w").replace('.', "1")).collect();
        // Runs of empty points are written as sums of ones here; the reader takes digits as one number.
        let rows: Vec<String> = rows.iter().map(|row| compact(row)).collect();
        let table = open(&["rule=renju"], Some(&format!("{} b 0", rows.join("/"))));
        let mut found = table.losing_plies();
        found.sort();
        let mut expected: Vec<&str> = points.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", table.position(Eyes::All));
        positions += 1;
    }
    assert_eq!(positions, 3000);
}

/// `1`s in a row become one number.
fn compact(row: &str) -> String {
    let mut out = String::new();
    let mut empty = 0;
    for letter in row.chars().chain(['/']) {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
            empty = 0;
        }
        if letter != '/' {
            out.push(letter);
        }
    }
    out
}
