//! What a person writes for a seat: `human`, `builtin[:level]`, or a command line.

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow, bail};
use clap::ArgMatches;
use engines::Style;
use games::{Language, Listing, Phrase};
use jiff::Zoned;
use protocols::Protocol;
use records::PlayerKind;
use referee::{Cage, CommandLine, EngineSpec, Host, PlayerSeat, Seat, TimeControl};
use serde_json::Value;
use tournament::contest::Entrant;
use tournament::openings::Takes;

use crate::context::Context;
use crate::human::HumanSeat;

/// A seat as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Human,
    BuiltIn(String),
    Engine(String),
}

impl Wanted {
    /// Reads what a person wrote. `random` and `greedy` alone name built-in players too.
    pub(crate) fn read(text: &str) -> Self {
        let text = text.trim();
        if text.eq_ignore_ascii_case("human") || text == "人" {
            return Self::Human;
        }
        match text.strip_prefix("builtin") {
            Some("") => Self::BuiltIn("greedy".to_owned()),
            Some(rest) if rest.starts_with(':') => Self::BuiltIn(rest[1..].to_owned()),
            _ if engines::style(text).is_some() => Self::BuiltIn(text.to_owned()),
            _ => Self::Engine(text.to_owned()),
        }
    }

    /// The same player as in a record.
    pub(crate) fn of_record(player: &records::Player) -> Self {
        match (&player.command, &player.level) {
            (Some(command), _) => Self::Engine(command.clone()),
            (None, Some(level)) => Self::BuiltIn(level.clone()),
            (None, None) => Self::Human,
        }
    }

    /// What a record says of the player beside its name.
    pub(crate) fn player(&self) -> records::Player {
        let (kind, command, level) = match self {
            Self::Human => (PlayerKind::Human, None, None),
            Self::BuiltIn(level) => (PlayerKind::Builtin, None, Some(level.clone())),
            Self::Engine(command) => (PlayerKind::Engine, Some(command.clone()), None),
        };
        records::Player { kind: Some(kind), command, level, ..records::Player::default() }
    }

    /// What was asked for, in words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Human => "human".to_owned(),
            Self::BuiltIn(level) => format!("builtin:{level}"),
            Self::Engine(command) => command.clone(),
        }
    }

    /// The kind a record names.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::BuiltIn(_) => "builtin",
            Self::Engine(_) => "engine",
        }
    }
}

/// How engines are spoken with.
#[derive(Clone)]
pub(crate) struct Speech {
    pub(crate) protocol: Option<String>,
    pub(crate) options: Value,
    pub(crate) memory: Option<u64>,
    pub(crate) seed: u64,
    /// The cage of an engine.
    pub(crate) cage: Option<Cage>,
}

/// The limits asked for. Without any, engines have five seconds a ply and people as long as they like.
pub(crate) fn time_control(matches: &ArgMatches, people: bool) -> TimeControl {
    let given = |name: &str| matches.get_one::<Option<Duration>>(name).copied();
    let usual = TimeControl::default();
    let any = ["ply-time", "game-time"].into_iter().any(|name| given(name).is_some());
    TimeControl {
        ply: given("ply-time").unwrap_or(if any || people { None } else { usual.ply }),
        game: given("game-time").flatten(),
        increment: given("increment").flatten(),
        start: given("start-time").unwrap_or(usual.start),
        tolerance: Duration::from_millis(matches.get_one::<u64>("tolerance").copied().unwrap_or_default()),
    }
}

impl Speech {
    /// From `--protocol`, `--option` and `--seed`.
    pub(crate) fn read(context: &Context, matches: &ArgMatches) -> anyhow::Result<Self> {
        let pairs = matches.get_many::<String>("option").into_iter().flatten().map(String::as_str);
        Ok(Self {
            protocol: matches.get_one::<String>("protocol").cloned(),
            options: games::read_pairs(pairs).map_err(|error| anyhow!(error.say(context.language)))?,
            memory: None,
            seed: matches.get_one::<u64>("seed").copied().unwrap_or_else(fresh_seed),
            cage: None,
        })
    }
}

/// A seat from what was asked for.
pub(crate) fn seat(
    context: &Context,
    game: &'static dyn Listing,
    wanted: &Wanted,
    speech: &Speech,
) -> anyhow::Result<Seat> {
    Ok(match wanted {
        Wanted::Human => Seat::Local(Box::new(HumanSeat::new(*context, game, speech.seed))),
        Wanted::BuiltIn(level) => {
            let player = engines::player(game, style(context, game, level)?, speech.seed);
            Seat::Local(Box::new(PlayerSeat::new(player)))
        }
        Wanted::Engine(command) => Seat::engine(EngineSpec {
            command: CommandLine {
                cage: speech.cage.clone(),
                ..CommandLine::read(command).map_err(|error| anyhow!(error.say(context.language)))?
            },
            protocol: protocol(context, game.facts().id, speech.protocol.as_deref())?,
            options: speech.options.clone(),
            memory: speech.memory,
        }),
    })
}

/// Somebody who takes part in a match or tournament.
pub(crate) fn entrant(
    context: &Context,
    game: &'static dyn Listing,
    wanted: &Wanted,
    name: String,
    speech: &Speech,
) -> anyhow::Result<Entrant> {
    // Made once here, so that a mistake is reported before the first game.
    seat(context, game, wanted, speech)?;
    let player = wanted.player();
    let (takes, tells_score) = match wanted {
        Wanted::Engine(_) => {
            let facts = protocol(context, game.facts().id, speech.protocol.as_deref())?.facts();
            // Where the protocol cannot tell plies the engine is asked, once somebody wants to tell it some.
            (if facts.can_restore { Takes::Plies } else { Takes::Start }, facts.carries_score)
        }
        Wanted::BuiltIn(_) | Wanted::Human => (Takes::Position, false),
    };
    let (context, wanted, speech) = (*context, wanted.clone(), speech.clone());
    let maker = move |seed| {
        let speech = Speech { seed, ..speech.clone() };
        seat(&context, game, &wanted, &speech).map_err(|error| format!("{error:#}"))
    };
    Ok(Entrant { name, player, takes, tells_score, seat: Box::new(maker) })
}

/// The protocol of this name for a game, or the game's usual one.
pub(crate) fn protocol(context: &Context, game: &str, name: Option<&str>) -> anyhow::Result<&'static dyn Protocol> {
    protocols::find(game, name).ok_or_else(|| {
        let known: Vec<&str> = protocols::PROTOCOLS
            .iter()
            .map(|protocol| protocol.facts())
            .filter(|facts| facts.games.contains(&game))
            .map(|facts| facts.id)
            .collect();
        let (known, name) = (known.join(", "), name.unwrap_or_default());
        match context.language {
            Language::En => anyhow!("{game} is not spoken in protocol {name:?}; it has: {known}"),
            Language::Zh => anyhow!("{game} 没有协议“{name}”；可用协议：{known}"),
        }
    })
}

/// The built-in player of this name.
pub(crate) fn style(context: &Context, game: &'static dyn Listing, name: &str) -> anyhow::Result<Style> {
    let known: Vec<&str> = engines::styles(game).map(|(name, ..)| *name).collect();
    let style = engines::style(name).filter(|&style| engines::has(game, style));
    let known = known.join(", ");
    match (style, context.language) {
        (Some(style), _) => Ok(style),
        (None, Language::En) => bail!("no built-in player is called {name:?}; there are: {known}"),
        (None, Language::Zh) => bail!("没有名为“{name}”的内置引擎；可用：{known}"),
    }
}

/// A seed nobody chose.
pub(crate) fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32)
}

/// Counts Ctrl-C: once, and running games are finished; twice, and everything stops at once.
pub(crate) fn interrupts(context: Context) -> anyhow::Result<&'static AtomicUsize> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    ctrlc::set_handler(move || {
        if COUNT.fetch_add(1, Ordering::Relaxed) > 0 {
            // The keeper ends the engines.
            std::process::exit(130);
        }
        let finishing = Phrase::new(
            "boyi: finishing the games that run; Ctrl-C again stops now",
            "boyi：正在下完进行中的对局；再按 Ctrl-C 立即停止",
        );
        let _ = writeln!(anstream::stderr().lock(), "{}", context.text(finishing));
    })?;
    Ok(&COUNT)
}

/// This moment as RFC 3339, in the machine's own time zone.
pub(crate) fn now() -> String {
    Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// The machine, with this program as its own keeper.
pub(crate) fn host() -> anyhow::Result<Arc<Host>> {
    let mut keeper = Command::new(std::env::current_exe().context("boyi cannot find itself")?);
    keeper.arg("keeper");
    Ok(Arc::new(Host::start(keeper).context("the keeper of engine processes does not start")?))
}

/// A time as people write it: `2`, `0.5`, `500ms`, `3m`, `1:30`; `0` or `none` means no limit.
pub(crate) fn read_time(text: &str) -> Result<Option<Duration>, String> {
    let text = text.trim().to_lowercase();
    if text == "none" {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    let seconds = if let Some((minutes, seconds)) = text.split_once(':') {
        number(minutes).zip(number(seconds)).map(|(minutes, seconds)| minutes * 60.0 + seconds)
    } else if let Some(value) = text.strip_suffix("ms") {
        number(value).map(|value| value / 1000.0)
    } else if let Some(value) = text.strip_suffix('m') {
        number(value).map(|value| value * 60.0)
    } else {
        number(text.strip_suffix('s').unwrap_or(&text))
    };
    match seconds {
        Some(seconds) if seconds <= 1e7 => Ok(Some(Duration::from_secs_f64(seconds)).filter(|time| !time.is_zero())),
        _ => Err("2, 0.5, 500ms, 3m, 1:30, none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_read() {
        assert_eq!(Wanted::read("human"), Wanted::Human);
        assert_eq!(Wanted::read("builtin"), Wanted::BuiltIn("greedy".into()));
        assert_eq!(Wanted::read("builtin:random"), Wanted::BuiltIn("random".into()));
        assert_eq!(Wanted::read("random"), Wanted::BuiltIn("random".into()));
        assert_eq!(Wanted::read("./engine --fast"), Wanted::Engine("./engine --fast".into()));
        assert_eq!(Wanted::read("builtin-like.exe"), Wanted::Engine("builtin-like.exe".into()));
    }

    #[test]
    fn times_are_read() {
        assert_eq!(read_time("2"), Ok(Some(Duration::from_secs(2))));
        assert_eq!(read_time("500ms"), Ok(Some(Duration::from_millis(500))));
        assert_eq!(read_time("1:30"), Ok(Some(Duration::from_secs(90))));
        assert_eq!(read_time("3m"), Ok(Some(Duration::from_secs(180))));
        assert_eq!(read_time("none"), Ok(None));
        assert_eq!(read_time("0"), Ok(None));
        for bad in ["", "-1", "x", "1e99", "nan", "inf"] {
            assert!(read_time(bad).is_err(), "{bad}");
        }
    }
}
