//! Where games begin: at the usual start, from a list, or after random plies.

use std::time::Duration;

use games::{Eyes, Fault, Language, Listing, OpenError, Table};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use referee::PlayedPly;
use serde_json::Value;

/// Where games begin. Both games of a pair begin at the same place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Openings {
    /// At the usual start.
    #[default]
    Usual,
    /// One after the other, and round again.
    List(Vec<Opening>),
    /// After random plies, other ones for every pair.
    Random {
        /// How many.
        plies: u32,
        /// Neither side may score more than so many per cent in quick games from there.
        balanced: Option<u8>,
    },
}

/// One opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A position.
    Position(String),
    /// Plies from the start, in the referee's notation.
    Plies(Vec<String>),
}

/// What an entrant can be told before its first ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Takes {
    /// Nothing: it plays from the start.
    Start,
    /// Plies it did not choose itself.
    Plies,
    /// Any position.
    Position,
}

/// Where a game begins.
pub(crate) struct Beginning {
    pub(crate) table: Box<dyn Table>,
    pub(crate) position: Option<String>,
    /// The plies of the opening.
    pub(crate) history: Vec<PlayedPly>,
}

/// Why a line is no opening.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpeningError {
    /// Neither plies nor a position.
    #[error("neither plies ({ply}: {fault}) nor a position ({position})")]
    Neither {
        /// The first ply that cannot be played.
        ply: String,
        /// Why.
        fault: Box<Fault>,
        /// Why it is no position.
        position: Box<OpenError>,
    },
    /// The game has no such options.
    #[error("{0}")]
    Variant(Box<OpenError>),
    /// The game would be over before it begins.
    #[error("the game is already decided there")]
    Decided,
}

impl OpeningError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Neither { ply, fault, position }) => {
                let (fault, position) = (fault.say(language), position.say(language));
                format!("既不是着法序列（{ply}：{fault}），也不是局面（{position}）")
            }
            (Language::Zh, Self::Variant(error)) => error.say(language),
            (Language::Zh, Self::Decided) => "该处对局已分出胜负".to_owned(),
        }
    }
}

impl Opening {
    /// Reads plies separated by blanks, or a position, and tries it.
    pub fn read(game: &dyn Listing, variant: &Value, text: &str) -> Result<Self, OpeningError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let plies: Vec<String> = words.chunks(game.facts().words_per_ply.max(1)).map(|words| words.join(" ")).collect();
        let mut table = game.open(variant, None).map_err(|error| OpeningError::Variant(Box::new(error)))?;
        let refused = plies.iter().find_map(|ply| table.play(ply, Eyes::All).err().map(|fault| (ply.clone(), fault)));
        let opening = match refused {
            None => Self::Plies(plies),
            Some((ply, fault)) => match game.open(variant, Some(text)) {
                Ok(there) => {
                    table = there;
                    Self::Position(text.to_owned())
                }
                Err(position) => {
                    let (fault, position) = (Box::new(fault), Box::new(position));
                    return Err(OpeningError::Neither { ply, fault, position });
                }
            },
        };
        if table.verdict().is_some() { Err(OpeningError::Decided) } else { Ok(opening) }
    }

    /// Reads a file, an opening a line; `#` at the beginning or after a blank begins a comment. An error comes with its line, from 1.
    pub fn read_file(game: &dyn Listing, variant: &Value, text: &str) -> Result<Vec<Self>, (usize, OpeningError)> {
        let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
        lines
            .map(|(line, number)| (without_comment(line).trim(), number))
            .filter(|(line, _)| !line.is_empty())
            .map(|(line, number)| Self::read(game, variant, line).map_err(|error| (number, error)))
            .collect()
    }
}

fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(|(at, _)| begins(*at)).map_or(line, |(at, _)| &line[..at])
}

impl Openings {
    /// What every entrant must be able to take.
    #[must_use]
    pub fn need(&self) -> Takes {
        match self {
            Self::Usual => Takes::Start,
            Self::Random { plies, .. } => {
                if *plies > 0 {
                    Takes::Plies
                } else {
                    Takes::Start
                }
            }
            Self::List(list) if list.iter().any(|opening| matches!(opening, Opening::Position(_))) => Takes::Position,
            Self::List(_) => Takes::Plies,
        }
    }

    /// Opening number `number` of a contest with this seed. `fair` judges random openings: the share of points the first
    /// seat makes from there.
    pub(crate) fn open(
        &self,
        game: &dyn Listing,
        variant: &Value,
        seed: u64,
        number: u64,
        fair: &dyn Fn(&Beginning, u64) -> Result<f64, String>,
    ) -> Result<Beginning, String> {
        let start = |position: Option<&str>| game.open(variant, position).map_err(|error| error.to_string());
        match self {
            Self::Usual => begin(start(None)?, None, &[]),
            Self::List(list) => match list.get((number % list.len().max(1) as u64) as usize) {
                None => begin(start(None)?, None, &[]),
                Some(Opening::Position(text)) => begin(start(Some(text))?, Some(text.clone()), &[]),
                Some(Opening::Plies(plies)) => begin(start(None)?, None, plies),
            },
            Self::Random { plies, balanced } => {
                let seed = seed ^ number.wrapping_mul(0x9e37_79b9);
                let draw = |try_number: u64| {
                    let table = start(None)?;
                    let chosen = random_plies(table.fork().as_mut(), *plies, seed ^ try_number.rotate_left(40));
                    begin(table, None, &chosen)
                };
                match balanced {
                    None => draw(0),
                    Some(most) => most_even(draw, seed, f64::from(*most) / 100.0, fair),
                }
            }
        }
    }
}

/// How many random openings are looked at for a balanced one.
const TRIES: u64 = 30;

/// The first opening in which neither side scores more than `most`; the most even one of those tried if there is none.
fn most_even(
    draw: impl Fn(u64) -> Result<Beginning, String>,
    seed: u64,
    most: f64,
    fair: &dyn Fn(&Beginning, u64) -> Result<f64, String>,
) -> Result<Beginning, String> {
    let mut best: Option<(f64, Beginning)> = None;
    for number in 0..TRIES {
        let beginning = draw(number)?;
        let score = fair(&beginning, seed)?;
        let lead = score.max(1.0 - score);
        if lead <= most {
            return Ok(beginning);
        }
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, beginning));
        }
    }
    best.map(|(_, beginning)| beginning).ok_or_else(|| "no opening was tried".to_owned())
}

fn begin(table: Box<dyn Table>, position: Option<String>, plies: &[String]) -> Result<Beginning, String> {
    let mut fork = table.fork();
    let mut history = Vec::new();
    for ply in plies {
        let played = fork.play(ply, Eyes::All).map_err(|fault| format!("opening, {ply}: {fault}"))?;
        history.push(PlayedPly {
            mover: played.mover,
            ply: ply.clone(),
            end: played.end,
            time: Duration::ZERO,
            stall: Duration::ZERO,
        });
    }
    if fork.verdict().is_some() {
        return Err(format!("opening {}: {}", plies.join(" "), OpeningError::Decided));
    }
    Ok(Beginning { table, position, history })
}

/// Random plies from the start that leave the game open; fewer where none do.
fn random_plies(table: &mut dyn Table, wanted: u32, seed: u64) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut plies = Vec::new();
    for _ in 0..wanted {
        let Some(ply) = table.random_ply(&mut rng) else { break };
        if table.play(&ply, Eyes::All).is_err() {
            break;
        }
        if table.verdict().is_some() {
            table.undo();
            break;
        }
        plies.push(ply);
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nogo() -> &'static dyn Listing {
        games::find("nogo").expect("nogo is a game")
    }

    #[test]
    fn a_list_has_plies_positions_and_comments() {
        let table = nogo().open(&Value::Null, None).unwrap();
        let position = table.position(Eyes::All);
        let text = format!("\u{feff}# openings\n\nAA BB # two stones\n{position}\n");
        let list = Opening::read_file(nogo(), &Value::Null, &text).unwrap();
        assert_eq!(list, [Opening::Plies(vec!["AA".to_owned(), "BB".to_owned()]), Opening::Position(position)]);
        assert_eq!(Openings::List(list[..1].to_vec()).need(), Takes::Plies);
        assert_eq!(Openings::List(list).need(), Takes::Position);
    }

    #[test]
    fn a_bad_line_is_named() {
        let (line, error) = Opening::read_file(nogo(), &Value::Null, "AA BB\n\nAA AA\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(error.to_string().starts_with("neither plies (AA: "), "{error}");
        assert!(error.say(Language::Zh).starts_with("既不是着法序列（AA："), "{}", error.say(Language::Zh));
    }

    #[test]
    fn words_of_a_ply_belong_together() {
        let game = games::find("tiaojia").unwrap();
        let opening = Opening::read(game, &Value::Null, "4 0 1  2 0 0").unwrap();
        assert_eq!(opening, Opening::Plies(vec!["4 0 1".to_owned(), "2 0 0".to_owned()]));
    }

    fn plies(beginning: &Beginning) -> Vec<String> {
        beginning.history.iter().map(|step| step.ply.clone()).collect()
    }

    #[test]
    fn random_openings_follow_from_the_seed_and_differ_from_pair_to_pair() {
        let openings = Openings::Random { plies: 6, balanced: None };
        let open = |seed, number| plies(&openings.open(nogo(), &Value::Null, seed, number, &|_, _| Ok(0.5)).unwrap());
        assert_eq!(open(1, 0), open(1, 0));
        assert_eq!(open(1, 0).len(), 6);
        assert!(open(1, 0) != open(1, 1) && open(1, 0) != open(2, 0));
    }

    #[test]
    fn a_lopsided_opening_is_left_out() {
        let openings = Openings::Random { plies: 2, balanced: Some(60) };
        let first = plies(
            &Openings::Random { plies: 2, balanced: None }.open(nogo(), &Value::Null, 1, 0, &|_, _| Ok(0.5)).unwrap(),
        );
        let judge = |beginning: &Beginning, _| Ok(if plies(beginning) == first { 0.7 } else { 0.45 });
        assert_ne!(plies(&openings.open(nogo(), &Value::Null, 1, 0, &judge).unwrap()), first);
        // Where none is even, the one closest to it is taken.
        let judge = |beginning: &Beginning, _| Ok(if plies(beginning) == first { 0.7 } else { 0.9 });
        assert_eq!(plies(&openings.open(nogo(), &Value::Null, 1, 0, &judge).unwrap()), first);
    }
}
