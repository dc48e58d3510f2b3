//! A contest: which game, under which limits, who sees what.

use games::Listing;
use protocols::Protocol;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account::Account;
use crate::ladder::Points;
use crate::start::Start;
use crate::words::Words;

/// Where a game starts: a position, or plies from the usual start, or the usual start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StartingPosition {
    /// Plies that were played before the engines think, in the referee's notation.
    pub plies: Vec<String>,
    /// A position, as the game writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// The limits of a contest; the seed's where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Where games start: each position is played with both colours.
    pub positions: Vec<StartingPosition>,
    /// How often the positions are played through in a match.
    pub rounds: u32,
    /// Until a program must be ready.
    pub start_ms: u64,
    /// For a ply.
    pub ply_ms: u64,
    /// For a side's whole game.
    pub game_ms: u64,
    /// By how much either limit may be overrun without losing.
    pub tolerance_ms: u64,
    /// Memory of a program.
    pub memory_mb: u64,
    /// Points for a match won, drawn and lost.
    pub points: Points,
    /// Languages by their ids; all when empty.
    pub languages: Vec<String>,
    /// The longest source.
    pub source_bytes: usize,
    /// Whether an archive with a build file is taken too.
    pub archives: bool,
    /// The least time between two submissions of a student.
    pub interval_s: u64,
    /// Machine time a day of a student's submissions; none for no limit.
    pub machine_s_per_day: Option<u64>,
    /// The protocol; the game's usual one when nothing is said.
    pub protocol: Option<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            positions: vec![StartingPosition::default()],
            rounds: 1,
            start_ms: 10_000,
            ply_ms: 2000,
            game_ms: 180_000,
            tolerance_ms: 0,
            memory_mb: 350,
            points: Points::default(),
            languages: Vec::new(),
            source_bytes: workshop::LARGEST_SOURCE,
            archives: false,
            interval_s: 60,
            machine_s_per_day: Some(4 * 3600),
            protocol: None,
        }
    }
}

impl Rules {
    /// The usual limits of this game: where its protocol says how soon a program must be ready, that counts.
    #[must_use]
    pub fn of_game(game: &dyn Listing) -> Self {
        let usual = Self::default();
        let own = protocols::find(game.facts().id, None).and_then(Protocol::start_limit);
        Self { start_ms: own.map_or(usual.start_ms, |limit| limit.as_millis() as u64), ..usual }
    }

    /// Games of a match: every position with both colours.
    #[must_use]
    pub fn games_of_a_match(&self) -> u32 {
        self.positions.len() as u32 * 2 * self.rounds
    }

    /// The starting position of a match's game, and whether the first of the match moves first in it.
    #[must_use]
    pub fn game(&self, number: u32) -> (usize, bool) {
        ((number / 2) as usize % self.positions.len().max(1), number.is_multiple_of(2))
    }

    /// How long a game takes at most by the wall clock: both sides' start and whole time with the machine's own delays.
    #[must_use]
    pub fn longest_game_ms(&self) -> i64 {
        let one_side = [self.game_ms, self.tolerance_ms, self.start_ms].map(|time| time as i64);
        let one_side = one_side.into_iter().fold(0, i64::saturating_add);
        one_side.saturating_mul(2).saturating_mul(4).saturating_add(120_000)
    }
}

/// When others may see something of a student's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Never; he himself and staff only.
    #[default]
    Own,
    /// Once the contest is closed.
    After,
    /// Always.
    All,
}

/// What others see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Visibility {
    /// Sources.
    pub source: Sight,
    /// What engines said: DEBUG lines and standard error.
    pub logs: Sight,
    /// Games one did not play in.
    pub games: Sight,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { source: Sight::Own, logs: Sight::Own, games: Sight::All }
    }
}

/// How far a contest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Not open yet.
    Coming,
    /// Submissions are taken.
    Open,
    /// Closed.
    Closed,
}

/// Whom a contest is open to, where it is not open to everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Audience {
    /// Groups.
    pub groups: Vec<String>,
    /// Students, by their numbers.
    pub students: Vec<String>,
}

impl Audience {
    fn admits(&self, account: &Account) -> bool {
        account.groups().any(|own| self.groups.iter().any(|group| group == own))
            || self.students.iter().any(|name| name.to_lowercase() == account.name.to_lowercase())
    }
}

/// A contest.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// The store's number.
    pub number: i64,
    /// Its name in addresses.
    pub id: String,
    /// The title.
    pub title: String,
    /// What students should know, as plain text.
    pub about: String,
    /// The game's id.
    pub game: String,
    /// The game's options in full.
    pub variant: Value,
    /// The limits.
    pub rules: Rules,
    /// What others see.
    pub visibility: Visibility,
    /// When submissions begin.
    pub opens: Option<i64>,
    /// When they end.
    pub closes: Option<i64>,
    /// The scoreboard that students see is made anew every so many minutes; 0 for always.
    pub scoreboard_minutes: u32,
    /// Why submissions are locked, if they are.
    pub locked: Option<String>,
    /// Whether the scoreboard stands still for students.
    pub frozen: bool,
    /// Whom it is open to; everybody when nothing is said.
    pub audience: Option<Audience>,
    /// When it was made.
    pub created: i64,
}

impl Contest {
    /// How far it is at this moment.
    #[must_use]
    pub fn phase(&self, now: i64) -> Phase {
        if self.opens.is_some_and(|opens| now < opens) {
            Phase::Coming
        } else if self.closes.is_some_and(|closes| now >= closes) {
            Phase::Closed
        } else {
            Phase::Open
        }
    }

    /// Whether students see the scoreboard as it is at the moment: it neither stands still nor is made anew only now
    /// and then.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        !self.frozen && self.scoreboard_minutes == 0
    }

    /// Whether it is there at all for somebody. Staff see every contest.
    #[must_use]
    pub fn admits(&self, account: Option<&Account>) -> bool {
        let Some(audience) = &self.audience else { return true };
        account.is_some_and(|account| account.role.is_staff() || audience.admits(account))
    }

    /// Whether others may see now what is shown so.
    #[must_use]
    pub fn shows(&self, sight: Sight, now: i64) -> bool {
        match sight {
            Sight::Own => false,
            Sight::After => self.phase(now) == Phase::Closed,
            Sight::All => true,
        }
    }

    /// Where the games of this starting position begin.
    pub(crate) fn start(&self, index: usize) -> Result<Start, String> {
        let game = self.listing().map_err(|error| error.to_string())?;
        let protocol = protocols::find(&self.game, self.rules.protocol.as_deref());
        let protocol = protocol.ok_or("the contest's protocol is not known")?;
        let usual = StartingPosition::default();
        let position = self.rules.positions.get(index).unwrap_or(&usual);
        Start::open(game, &self.variant, protocol, position).map_err(|words| words.en)
    }

    /// The game.
    pub fn listing(&self) -> Result<&'static dyn Listing, games::UnknownGame> {
        games::find(&self.game)
    }
}

/// A contest's name in addresses, or why it is none.
pub fn read_slug(text: &str) -> Result<String, Words> {
    let fits = (1..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !text.starts_with('-');
    if fits {
        return Ok(text.to_owned());
    }
    Err(Words::new("1 to 40 of a–z, 0–9 and -", "1 到 40 个字符，只能用 a–z、0–9 和 -"))
}

/// The built-in players of this game by these ids, each once, or why they cannot be.
pub fn check_references(game: &'static dyn Listing, wanted: &[String]) -> Result<Vec<String>, Words> {
    let known: Vec<&str> = engines::styles(game).map(|(id, ..)| *id).collect();
    if let Some(strange) = wanted.iter().find(|id| !known.contains(&id.as_str())) {
        let list = known.join(", ");
        return Err(Words::new(
            format!("this game has no built-in player {strange:?}; it has: {list}"),
            format!("该棋种没有内置棋手“{strange}”；可选：{list}"),
        ));
    }
    Ok(known.into_iter().filter(|id| wanted.iter().any(|one| one == id)).map(str::to_owned).collect())
}

/// Checks the limits of a contest of this game; gives the field that is wrong and why.
pub fn check_rules(game: &'static dyn Listing, variant: &Value, rules: &Rules) -> Result<(), (&'static str, Words)> {
    let bad = |field, en: String, zh: String| Err((field, Words::new(en, zh)));
    let range = |field, value: u64, least: u64, most: u64| match (least..=most).contains(&value) {
        true => Ok(()),
        false => bad(field, format!("{field}: {least} to {most}"), format!("{field}：{least} 到 {most}")),
    };
    range("start_ms", rules.start_ms, 100, 600_000)?;
    range("ply_ms", rules.ply_ms, 10, 600_000)?;
    range("game_ms", rules.game_ms, rules.ply_ms, 3_600_000)?;
    range("tolerance_ms", rules.tolerance_ms, 0, 60_000)?;
    range("memory_mb", rules.memory_mb, 16, 8192)?;
    range("rounds", rules.rounds.into(), 1, 50)?;
    range("positions", rules.positions.len() as u64, 1, 50)?;
    range("source_bytes", rules.source_bytes as u64, 1, workshop::LARGEST_SOURCE as u64)?;
    range("interval_s", rules.interval_s, 0, 7 * 86_400)?;
    for language in &rules.languages {
        workshop::find(language).map_err(|error| ("languages", Words::said(|lang| error.say(lang))))?;
    }
    let Some(protocol) = protocols::find(game.facts().id, rules.protocol.as_deref()) else {
        return bad("protocol", "this game has no such protocol".into(), "该棋种没有这个协议".into());
    };
    for start in &rules.positions {
        let can_be_told = protocol.facts().can_restore;
        if !start.plies.is_empty() && !can_be_told {
            return bad(
                "positions",
                "programs of this protocol cannot be told other starting positions".into(),
                "这个协议无法把其他起始局面告诉程序".into(),
            );
        }
        // One that everybody knows need not be told.
        if start.position.is_some() && !can_be_told && rules.positions.len() > 1 {
            return bad(
                "positions",
                "programs of this protocol cannot be told positions: only one can be used, and students must know it"
                    .into(),
                "这个协议无法把局面告诉程序：只能使用一个局面，并须事先告知学生".into(),
            );
        }
        Start::open(game, variant, protocol, start).map_err(|words| ("positions", words))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_course() {
        let rules = Rules::default();
        assert_eq!((rules.ply_ms, rules.game_ms, rules.memory_mb, rules.points.0), (2000, 180_000, 350, [3, 1, 0]));
        let three = Rules { positions: vec![StartingPosition::default(); 3], ..rules };
        assert_eq!(three.games_of_a_match(), 6);
        let games: Vec<_> = (0..6).map(|number| three.game(number)).collect();
        assert_eq!(games, [(0, true), (0, false), (1, true), (1, false), (2, true), (2, false)]);
    }

    #[test]
    fn a_lease_outlives_the_slowest_start_and_game() {
        // A lease that ended before its game would have the game played again for ever.
        let slow = Rules { start_ms: 600_000, ply_ms: 1000, game_ms: 1000, ..Rules::default() };
        assert!(slow.longest_game_ms() > 2 * (600_000 + 1000));
        let long = Rules { game_ms: 3_600_000, ..Rules::default() };
        assert!(long.longest_game_ms() > 2 * (10_000 + 3_600_000));
    }

    #[test]
    fn every_game_has_a_contest_and_wrong_ones_are_told() {
        for &game in games::GAMES {
            let checked = check_rules(game, &Value::Null, &Rules::default());
            assert!(checked.is_ok(), "{}: {checked:?}", game.facts().id);
        }
        let gomoku = games::find("gomoku").unwrap();
        let wrong = |change: fn(&mut Rules)| {
            let mut rules = Rules::default();
            change(&mut rules);
            check_rules(gomoku, &Value::Null, &rules).unwrap_err().0
        };
        assert_eq!(wrong(|rules| rules.ply_ms = 0), "ply_ms");
        assert_eq!(wrong(|rules| rules.positions.clear()), "positions");
        assert_eq!(wrong(|rules| rules.languages = vec!["fortran-77".into()]), "languages");
        assert_eq!(wrong(|rules| rules.protocol = Some("ftp".into())), "protocol");
        assert_eq!(
            wrong(|rules| rules.positions = vec![StartingPosition { plies: vec!["nowhere".into()], position: None }]),
            "positions"
        );
        assert!(read_slug("tiaojia-2026").is_ok());
        for bad in ["", "-x", "A", "a b", "中文", &"x".repeat(41)] {
            assert!(read_slug(bad).is_err(), "{bad}");
        }
    }
}
