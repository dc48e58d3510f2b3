//! What a player knows of a game, built from what its seat learned.

use std::collections::HashSet;

use games::random::below;
use games::{Contact, Event, Eyes, Listing, Side, Table};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// A seat's knowledge.
pub(crate) trait Memory: Send {
    /// The seat.
    fn seat(&self) -> Side;
    /// Takes in an event; plies are in the seat's notation.
    fn learn(&mut self, event: &Event);
    /// Takes the last ply back.
    fn forget(&mut self);
    /// A whole world that agrees with the knowledge, the seat to move; the true one where nothing is hidden.
    fn imagine(&self, rng: &mut Xoshiro256PlusPlus) -> Option<Box<dyn Table>>;
    /// Whether trying this ply was refused since the last accepted one.
    fn was_refused(&self, _ply: &str) -> bool {
        false
    }
}

/// The memory this game needs; `None` when the game cannot be set up as asked.
pub(crate) fn of(
    game: &'static dyn Listing,
    variant: &Value,
    seat: Side,
    position: Option<&str>,
) -> Option<Box<dyn Memory>> {
    let table = open(game, variant, position)?;
    let variant = table.variant();
    Some(match game.facts().id {
        "phantom-go" => {
            Box::new(PhantomMemory { game, variant, seat, own: HashSet::new(), refused: HashSet::new(), plies: 0 })
        }
        "junqi" => Box::new(JunqiMemory {
            game,
            variant,
            seat,
            own: [None; STATIONS],
            enemy: [false; STATIONS],
            moved: [false; STATIONS],
            flag: None,
            pending: None,
            plies: 0,
        }),
        _ => Box::new(OpenMemory { seat, table }),
    })
}

/// Everything is known.
struct OpenMemory {
    seat: Side,
    table: Box<dyn Table>,
}

impl Memory for OpenMemory {
    fn seat(&self) -> Side {
        self.seat
    }

    fn learn(&mut self, event: &Event) {
        if let Event::Ply { ply } = event {
            // A ply the rules refuse is the referee's business; there is nothing to remember.
            let _ = self.table.play(ply, Eyes::Seat(self.seat));
        }
    }

    fn forget(&mut self) {
        self.table.undo();
    }

    fn imagine(&self, _rng: &mut Xoshiro256PlusPlus) -> Option<Box<dyn Table>> {
        Some(self.table.fork())
    }
}

/// Own stones, and where tries were refused; the enemy's stones are not imagined.
struct PhantomMemory {
    game: &'static dyn Listing,
    variant: Value,
    seat: Side,
    own: HashSet<String>,
    refused: HashSet<String>,
    plies: u32,
}

impl Memory for PhantomMemory {
    fn seat(&self) -> Side {
        self.seat
    }

    fn learn(&mut self, event: &Event) {
        match event {
            Event::Ply { ply } => {
                self.plies += 1;
                if ply != "pass" {
                    self.own.insert(ply.clone());
                    self.refused.clear();
                }
            }
            Event::HiddenPly => self.plies += 1,
            Event::Refused { ply } => {
                self.refused.insert(ply.clone());
            }
            Event::Lost { points } => points.iter().for_each(|point| {
                self.own.remove(point);
            }),
            _ => {}
        }
    }

    fn forget(&mut self) {}

    fn imagine(&self, _rng: &mut Xoshiro256PlusPlus) -> Option<Box<dyn Table>> {
        let mut text = String::new();
        games::text::write_rows(&mut text, 9, 9, |x, y| {
            self.own.contains(&games::text::letters(x, y)).then(|| self.seat.letter())
        });
        text.push_str(&format!(" {} 0 - 0 0 {}", self.seat.letter(), self.plies));
        open(self.game, &self.variant, Some(&text))
    }

    fn was_refused(&self, ply: &str) -> bool {
        self.refused.contains(ply)
    }
}

const STATIONS: usize = 60;
const CAMPS: [usize; 10] = [11, 13, 17, 21, 23, 36, 38, 42, 46, 48];

/// The enemy's first row, as this seat sees it.
const FIRST_ROW: std::ops::Range<usize> = 25..30;

/// Own pieces with their ranks, the enemy's places. Stations are counted in the seat's own view, row by row.
struct JunqiMemory {
    game: &'static dyn Listing,
    variant: Value,
    seat: Side,
    own: [Option<u8>; STATIONS],
    enemy: [bool; STATIONS],
    moved: [bool; STATIONS],
    flag: Option<usize>,
    pending: Option<(usize, usize)>,
    plies: u32,
}

fn station(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let row = usize::from(bytes.first()?.to_ascii_uppercase().checked_sub(b'A')?);
    let column = usize::from(bytes.get(1)?.checked_sub(b'0')?);
    (row < 12 && column < 5).then_some(row * 5 + column)
}

impl Memory for JunqiMemory {
    fn seat(&self) -> Side {
        self.seat
    }

    fn learn(&mut self, event: &Event) {
        match event {
            Event::HiddenPly => {
                self.plies += 1;
                for place in (0..STATIONS / 2).filter(|place| !CAMPS.contains(place)) {
                    self.enemy[place] = true;
                }
            }
            Event::Ply { ply } if ply.len() == 25 => {
                self.plies += 1;
                let stations = (STATIONS / 2..STATIONS).filter(|place| !CAMPS.contains(place));
                for (place, letter) in stations.zip(ply.bytes()) {
                    self.own[place] = Some(letter.to_ascii_lowercase());
                }
            }
            Event::Ply { ply } => {
                self.plies += 1;
                self.pending = station(ply).zip(ply.get(2..).and_then(station));
            }
            Event::Contact { result } => {
                if let Some((from, to)) = self.pending.take() {
                    self.contact(from, to, *result);
                }
            }
            Event::FlagShown { point } => self.flag = station(point),
            _ => {}
        }
    }

    fn forget(&mut self) {}

    fn imagine(&self, rng: &mut Xoshiro256PlusPlus) -> Option<Box<dyn Table>> {
        if self.plies < 2 {
            // Our set-up is due; the second player imagines some set-up of the first.
            let mut table = open(self.game, &self.variant, None)?;
            if self.seat == Side::White {
                let ply = table.random_ply(rng)?;
                table.play(&ply, Eyes::All).ok()?;
            }
            return Some(table);
        }
        let enemy = self.guess(rng);
        let mut text = String::new();
        games::text::write_rows(&mut text, 5, 12, |x, y| {
            let seen = if self.seat == Side::Black { y * 5 + x } else { STATIONS - 1 - (y * 5 + x) };
            let (letter, side) = match (self.own[seen], enemy[seen]) {
                (Some(letter), _) => (letter, self.seat),
                (None, Some(letter)) => (letter, self.seat.other()),
                (None, None) => return None,
            };
            Some(char::from(if side == Side::Black { letter.to_ascii_uppercase() } else { letter }))
        });
        let plies = self.plies.max(2) + u32::from(self.plies.is_multiple_of(2) != (self.seat == Side::Black));
        let own_shown = !self.own.contains(&Some(b'a'));
        let shown: String = Side::BOTH
            .into_iter()
            .filter(|&side| if side == self.seat { own_shown } else { self.flag.is_some() })
            .map(Side::letter)
            .collect();
        let shown = if shown.is_empty() { "-" } else { &shown };
        text.push_str(&format!(" {} 0 {shown} {plies}", self.seat.letter()));
        open(self.game, &self.variant, Some(&text))
    }
}

impl JunqiMemory {
    fn contact(&mut self, from: usize, to: usize, result: Contact) {
        let stays = matches!(result, Contact::Won | Contact::Nobody);
        let (piece, was_enemy) = (self.own[from].take(), std::mem::take(&mut self.enemy[from]));
        self.moved[from] = false;
        if result != Contact::Lost {
            self.own[to] = None;
            self.enemy[to] = false;
            self.moved[to] = false;
        }
        if stays {
            self.own[to] = piece;
            self.enemy[to] = was_enemy;
            self.moved[to] = true;
        }
    }

    /// Ranks for the enemy's pieces that could be true: a flag at home, mines in the last two rows, the rest at random.
    fn guess(&self, rng: &mut Xoshiro256PlusPlus) -> [Option<u8>; STATIONS] {
        let mut guess = [None; STATIONS];
        let flag = self.flag.or_else(|| [1, 3].into_iter().find(|&place| self.enemy[place] && !self.moved[place]));
        let mut places: Vec<usize> = (0..STATIONS).filter(|&place| self.enemy[place] && Some(place) != flag).collect();
        for index in (1..places.len()).rev() {
            places.swap(index, below(rng, index as u32 + 1) as usize);
        }
        if let Some(place) = flag {
            guess[place] = Some(b'l');
        }
        // First the pieces that are bound to places: mines stand in the last two rows, bombs did not start in the first.
        let (mut mines, mut bombs) = (3, 2);
        let mut others = b"biiihhhgggffeeddcc".iter().copied();
        places.sort_by_key(|&place| place >= 10 || self.moved[place]);
        // A flag that is not shown means that its commander lives: he is the piece that is least bound to its place.
        if self.flag.is_none()
            && let Some(place) = places.pop()
        {
            guess[place] = Some(b'a');
        }
        for place in places {
            let at_home = !self.moved[place];
            guess[place] = if mines > 0 && place < 10 && at_home {
                mines -= 1;
                Some(b'j')
            } else if bombs > 0 && !(at_home && FIRST_ROW.contains(&place)) {
                bombs -= 1;
                Some(b'k')
            } else {
                others.next()
            };
        }
        guess
    }
}

/// A table with these options, or with the usual ones where a referee sends options that are not.
fn open(game: &'static dyn Listing, variant: &Value, position: Option<&str>) -> Option<Box<dyn Table>> {
    game.open(variant, position).or_else(|_| game.open(&Value::Null, position)).ok()
}
