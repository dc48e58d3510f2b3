//! Gomoku against a second referee, written from the rules' text as plainly as can be: a grid, walking, trying.

use std::collections::BTreeSet;

use games::gomoku::{Foul, Gomoku, GomokuVariant, Opening, Ply, Point, Rule};
use games::random::below;
use games::{End, Eyes, Game, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

type Place = (i32, i32);

const DIRECTIONS: [Place; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The other referee. `b` and `w` are stones, `B` and `W` stones in scored lines, `.` is empty.
#[derive(Clone)]
struct Plain {
    width: i32,
    height: i32,
    rule: u8,
    grid: Vec<Vec<char>>,
    scores: [u32; 2],
}

impl Plain {
    fn new(width: i32, height: i32, rule: u8) -> Self {
        Self { width, height, rule, grid: vec![vec!['.'; width as usize]; height as usize], scores: [0; 2] }
    }

    /// What is on a point; `#` beyond the board.
    fn at(&self, (x, y): Place) -> char {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.grid[y as usize][x as usize]
        } else {
            '#'
        }
    }

    fn put(&mut self, (x, y): Place, stone: char) {
        self.grid[y as usize][x as usize] = stone;
    }

    fn empty(&self) -> Vec<Place> {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        all.filter(|&place| self.at(place) == '.').collect()
    }

    /// The stones in a row with this one, in order.
    fn row(&self, place: Place, direction: Place) -> Vec<Place> {
        let stone = self.at(place);
        let step = |(x, y): Place, by: i32| (x + by * direction.0, y + by * direction.1);
        let mut first = place;
        while self.at(step(first, -1)) == stone {
            first = step(first, -1);
        }
        let mut row = vec![first];
        while self.at(step(row[row.len() - 1], 1)) == stone {
            row.push(step(row[row.len() - 1], 1));
        }
        row
    }

    /// The points before and after a row.
    fn ends(row: &[Place], (dx, dy): Place) -> [Place; 2] {
        let (first, last) = (row[0], row[row.len() - 1]);
        [(first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy)]
    }

    fn winning_rows(&self, place: Place) -> Vec<Vec<Place>> {
        let stone = self.at(place);
        let enemy = if stone == 'b' { 'w' } else { 'b' };
        let mut rows = Vec::new();
        for direction in DIRECTIONS {
            let row = self.row(place, direction);
            let closed = Self::ends(&row, direction).iter().all(|&end| self.at(end) == enemy);
            let counts = match row.len() {
                0..=4 => false,
                5 => !(self.rule & 8 != 0 && closed),
                _ => self.rule & 1 == 0 && !(self.rule & 4 != 0 && stone == 'b'),
            };
            if counts {
                rows.push(row);
            }
        }
        rows
    }

    /// What a black stone here would be in renju: `five`, a foul's code, or `plain`.
    fn renju(&self, place: Place) -> &'static str {
        let mut with = self.clone();
        with.put(place, 'b');
        let lengths = DIRECTIONS.map(|direction| with.row(place, direction).len());
        if lengths.contains(&5) {
            return "five";
        }
        if lengths.iter().any(|&length| length > 5) {
            return "overline";
        }
        let mut fours = BTreeSet::new();
        let mut threes = 0;
        for (index, direction) in DIRECTIONS.into_iter().enumerate() {
            let mut is_three = false;
            let near = (-4..=4).map(|steps| (place.0 + steps * direction.0, place.1 + steps * direction.1));
            for more in near.filter(|&more| with.at(more) == '.') {
                let mut then = with.clone();
                then.put(more, 'b');
                let row = then.row(place, direction);
                if !row.contains(&more) {
                    continue;
                }
                if row.len() == 5 {
                    let four: Vec<Place> = row.into_iter().filter(|&stone| stone != more).collect();
                    fours.insert((index, four));
                } else if row.len() == 4 {
                    let straight = Self::ends(&row, direction).iter().all(|&end| {
                        let mut last = then.clone();
                        then.at(end) == '.' && {
                            last.put(end, 'b');
                            last.row(place, direction).len() == 5
                        }
                    });
                    is_three |= straight && with.renju(more) == "plain";
                }
            }
            threes += u32::from(is_three);
        }
        if fours.len() >= 2 {
            "double-four"
        } else if threes >= 2 {
            "double-three"
        } else {
            "plain"
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (y, row) in self.grid.iter().enumerate() {
            out.push_str(if y > 0 { "/" } else { "" });
            for part in row.chunk_by(|a, b| a == b) {
                match part[0] {
                    '.' => out.push_str(&part.len().to_string()),
                    _ => out.extend(part),
                }
            }
        }
        out
    }
}

fn point((x, y): Place) -> Point {
    Point::new(x as usize, y as usize)
}

/// Plays one random game on both referees; stones fall near each other, so that lines come about.
fn play_both(width: u32, height: u32, rule: u8, rng: &mut Xoshiro256PlusPlus) -> Option<&'static str> {
    let variant = GomokuVariant { width, height, rule: Rule::from_bits(rule), ..GomokuVariant::default() };
    let mut game = Gomoku::new(&variant);
    let mut plain = Plain::new(width as i32, height as i32, rule);
    let mut colour = Side::Black;
    loop {
        let empty = plain.empty();
        let forbidden: Vec<&'static str> = if rule & 4 != 0 && colour == Side::Black {
            empty.iter().map(|&place| plain.renju(place)).collect()
        } else {
            vec!["plain"; empty.len()]
        };
        for (&place, &judged) in empty.iter().zip(&forbidden) {
            let end = game.judge(Ply::One(point(place)));
            let code = if matches!(judged, "five" | "plain") { None } else { Some(judged) };
            let found = match end {
                Ok(End::Lost(reason)) => Some(reason.code),
                Ok(_) => None,
                Err(fault) => panic!("{place:?} in {}: {fault}", plain.text()),
            };
            assert_eq!(found, code, "{place:?} in {}", plain.text());
        }
        let allowed: Vec<Place> = empty
            .iter()
            .zip(&forbidden)
            .filter(|(_, judged)| matches!(**judged, "five" | "plain"))
            .map(|(p, _)| *p)
            .collect();
        assert_eq!(game.count_legal(), allowed.len() as u64);
        let place = allowed[below(rng, allowed.len() as u32) as usize];
        game.play(Ply::One(point(place))).expect("a legal ply");
        let stone = colour.letter();
        plain.put(place, stone);
        let rows = plain.winning_rows(place);
        if rule & 2 != 0 {
            plain.scores[colour.index()] += rows.len() as u32;
            for &stone_place in rows.iter().flatten() {
                plain.put(stone_place, stone.to_ascii_uppercase());
            }
        }
        let won = rule & 2 == 0 && !rows.is_empty();
        let mover = colour;
        colour = colour.other();
        let full = plain.empty().is_empty();
        let stuck = rule & 4 != 0
            && colour == Side::Black
            && plain.empty().iter().all(|&place| !matches!(plain.renju(place), "five" | "plain"));
        let expected = if won {
            Some((Some(mover), "line"))
        } else if full {
            let [black, white] = plain.scores;
            let winner = match black.cmp(&white) {
                std::cmp::Ordering::Greater => Some(Side::Black),
                std::cmp::Ordering::Less => Some(Side::White),
                std::cmp::Ordering::Equal => None,
            };
            Some((winner, "board-full"))
        } else if stuck {
            Some((Some(Side::White), "no-ply"))
        } else {
            None
        };
        let found = game.verdict().map(|verdict| (verdict.winner, verdict.reason.code));
        let mut text = String::new();
        game.write_position(Eyes::All, &mut text);
        assert_eq!(found, expected, "{text}");
        let mut same = format!("{} {} {}", plain.text(), colour.letter(), game.plies());
        if plain.scores != [0; 2] {
            same.push_str(&format!(" {}-{}", plain.scores[0], plain.scores[1]));
        }
        assert_eq!(text, same);
        if let Some((_, reason)) = expected {
            return Some(reason);
        }
    }
}

#[test]
fn both_referees_agree_on_every_rule() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for rule in [0, 1, 2, 3, 8, 9, 10, 11] {
        let mut lines = 0;
        for (width, height) in [(5, 5), (7, 5), (6, 8), (9, 9), (12, 7)] {
            for _ in 0..30 {
                lines += u32::from(play_both(width, height, rule, &mut rng) == Some("line"));
            }
        }
        assert_eq!(lines == 0, rule & 2 != 0, "games of rule {rule} end with lines unless they go on");
    }
}

#[test]
fn both_referees_agree_on_renju_games() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for _ in 0..6 {
        play_both(9, 9, 4, &mut rng);
        play_both(7, 6, 4, &mut rng);
    }
}

/// Boards with more of Black's stones than games have, where fours and threes cross each other.
#[test]
fn both_referees_agree_on_crowded_renju_boards() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let variant = GomokuVariant { size: 11, rule: Rule::RENJU, ..GomokuVariant::default() };
    let mut seen = [0; 3];
    let mut boards = 0;
    while boards < 100 {
        let mut plain = Plain::new(11, 11, 4);
        let (black, white) = (12 + below(&mut rng, 10), below(&mut rng, 8));
        for (count, stone) in [(black, 'b'), (white, 'w')] {
            for _ in 0..count {
                plain.put((2 + below(&mut rng, 7) as i32, 2 + below(&mut rng, 7) as i32), stone);
            }
        }
        let Ok(game) = Gomoku::read_position(&variant, &format!("{} b 0", plain.text())) else { continue };
        if game.verdict().is_some() {
            continue;
        }
        boards += 1;
        for place in plain.empty() {
            let found = game.foul_at(point(place));
            let expected = plain.renju(place);
            let code = found.map_or("plain", |foul| foul.reason().code);
            assert_eq!(code, if expected == "five" { "plain" } else { expected }, "{place:?} in {}", plain.text());
            match found {
                Some(Foul::Overline) => seen[0] += 1,
                Some(Foul::DoubleFour) => seen[1] += 1,
                Some(Foul::DoubleThree) => seen[2] += 1,
                None => {}
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "each foul was among them: {seen:?}");
}

#[test]
fn the_typed_face_tells_colours_from_seats() {
    let variant = GomokuVariant { size: 9, opening: Opening::Swap2, ..GomokuVariant::default() };
    let mut game = Gomoku::new(&variant);
    for ply in ["4,4+5,5+6,6", "swap"] {
        let ply = game.read_ply(ply).expect("a ply");
        game.play(ply).expect("a legal ply");
    }
    assert_eq!((game.to_move(), game.colour_to_move()), (Side::Black, Side::White));
    assert_eq!((game.owner(Side::Black), game.owner(Side::White)), (Side::White, Side::Black));
    assert_eq!(game.colour_at(Point::new(4, 4)), Some(Side::Black));
    assert_eq!(game.colour_at(Point::new(4, 5)), None);
    assert_eq!(game.colour_at(Point::new(400, 5)), None);
    assert_eq!(game.foul_at(Point::new(400, 400)), None);
}
