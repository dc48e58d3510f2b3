//! A glance at games of lines: every window of the winning length that is still open to one colour counts.

use games::random::below;
use games::{End, Eyes, Table};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A board of stones: `None` empty, else whether it is of the colour that moves.
struct Board {
    width: usize,
    height: usize,
    points: Vec<Option<bool>>,
    /// Stones in a winning line.
    length: usize,
}

/// The best ply in gomoku or Connect6; `None` in other games and in openings that place several stones.
pub(crate) fn best(table: &dyn Table, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
    match table.facts().id {
        "gomoku" => {
            let mut board = Board::read(table, 5)?;
            // Colours may have changed hands in the opening: the stones themselves say whose turn it is.
            let stones = board.points.iter().flatten().count();
            board.seen_by(stones.is_multiple_of(2));
            let mut scored = board.scored(rng);
            scored.sort_unstable_by(|a, b| b.cmp(a));
            // A forbidden point is never the best one.
            let legal = |ply: &String| table.fork().play(ply, Eyes::All).is_ok_and(|played| played.end == End::Played);
            scored.into_iter().map(|(_, point)| format!("{},{}", point % board.width, point / board.width)).find(legal)
        }
        "connect6" => {
            let variant = table.variant();
            let option = |key: &str, usual: u64| variant.get(key).and_then(serde_json::Value::as_u64).unwrap_or(usual);
            let mut board = Board::read(table, option("line", 6) as usize)?;
            board.seen_by(table.to_move() == games::Side::Black);
            let single = option("first", 1) == 1 && board.points.iter().flatten().count() == 0;
            let first = board.take_best(rng)?;
            let mut ply = board.letters(first);
            match if single { None } else { board.take_best(rng) } {
                Some(second) => ply.push_str(&board.letters(second)),
                None => ply.push_str("@@"),
            }
            table.fork().play(&ply, Eyes::All).is_ok().then_some(ply)
        }
        _ => None,
    }
}

impl Board {
    fn read(table: &dyn Table, length: usize) -> Option<Self> {
        let text = table.position(Eyes::All);
        let rows: Vec<&str> = text.split_whitespace().next()?.split('/').collect();
        let mut points = Vec::new();
        for row in &rows {
            let mut run = 0;
            for letter in row.chars().chain(['/']) {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit as usize;
                    continue;
                }
                points.extend(std::iter::repeat_n(None, std::mem::take(&mut run)));
                if letter != '/' {
                    points.push(Some(letter.eq_ignore_ascii_case(&'b')));
                }
            }
        }
        let height = rows.len();
        let width = points.len() / height.max(1);
        Some(Self { width, height, points, length })
    }

    /// Makes the stones own or not: they were read as black or not.
    fn seen_by(&mut self, black: bool) {
        for point in self.points.iter_mut().flatten() {
            *point = *point == black;
        }
    }

    fn letters(&self, point: usize) -> String {
        games::text::letters(point % self.width, point / self.width)
    }

    /// Puts a stone on the best point.
    fn take_best(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let (_, point) = self.scored(rng).into_iter().max()?;
        self.points[point] = Some(true);
        Some(point)
    }

    /// Every empty point with what the windows through it are worth.
    fn scored(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<(u64, usize)> {
        let mut worth = vec![0_u64; self.points.len()];
        for (dx, dy) in [(1_isize, 0_isize), (0, 1), (1, 1), (1, -1)] {
            for start in 0..self.points.len() {
                let Some(window) = self.window(start, dx, dy) else { continue };
                let count = |own: bool| window.iter().filter(|&&point| self.points[point] == Some(own)).count();
                let value = match (count(true), count(false)) {
                    (own, 0) => 3 * 8_u64.pow(own as u32),
                    (0, enemy) => 2 * 8_u64.pow(enemy as u32),
                    _ => continue,
                };
                for point in window {
                    worth[point] += value;
                }
            }
        }
        let empty = (0..self.points.len()).filter(|&point| self.points[point].is_none());
        empty.map(|point| (worth[point] * 16 + u64::from(below(rng, 16)), point)).collect()
    }

    fn window(&self, start: usize, dx: isize, dy: isize) -> Option<Vec<usize>> {
        let (x, y) = ((start % self.width) as isize, (start / self.width) as isize);
        let last = self.length as isize - 1;
        let (end_x, end_y) = (x + dx * last, y + dy * last);
        let fits = end_x < self.width as isize && (0..self.height as isize).contains(&end_y);
        fits.then(|| (0..=last).map(|step| ((y + dy * step) * self.width as isize + x + dx * step) as usize).collect())
    }
}
