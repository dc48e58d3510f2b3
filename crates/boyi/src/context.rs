//! What every subcommand needs to know: the language, and whether a program or a person reads the output.

use std::ffi::OsString;

use clap::ArgMatches;
use games::{Language, Listing, Phrase, Table};

/// The choices that hold for the whole run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) language: Language,
    /// Output for programs.
    pub(crate) json: bool,
}

impl Context {
    pub(crate) fn new(language: Language, matches: &ArgMatches) -> Self {
        let chosen = matches.subcommand().map_or(matches, |(_, inner)| inner);
        let json = chosen.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
        Self { language, json }
    }

    /// A phrase in the run's language.
    pub(crate) fn text(self, phrase: Phrase) -> &'static str {
        phrase.text(self.language)
    }

    /// A game by any of its names.
    pub(crate) fn game(self, name: &str) -> anyhow::Result<&'static dyn Listing> {
        games::find(name).map_err(|error| anyhow::anyhow!(error.say(self.language)))
    }

    /// A table from `--variant` and `--position`.
    pub(crate) fn open(self, game: &dyn Listing, matches: &ArgMatches) -> anyhow::Result<Box<dyn Table>> {
        let pairs = matches.get_many::<String>("variant").into_iter().flatten().map(String::as_str);
        let variant = games::read_pairs(pairs).map_err(|error| anyhow::anyhow!(error.say(self.language)))?;
        let position = matches.get_one::<String>("position").map(String::as_str);
        game.open(&variant, position).map_err(|error| anyhow::anyhow!(error.say(self.language)))
    }
}

/// The language of this run: `--lang` before anything else, because it decides in which language a wrong command line is
/// explained; then `BOYI_LANG`, then the locale.
pub(crate) fn language(arguments: &[OsString]) -> Language {
    let words: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let flag = words.iter().enumerate().find_map(|(index, word)| {
        word.strip_prefix("--lang=").or_else(|| (*word == "--lang").then(|| words.get(index + 1).copied()).flatten())
    });
    let named = |name: &str| if name.to_lowercase().starts_with("zh") { Language::Zh } else { Language::En };
    if let Some(name) = flag {
        return named(name);
    }
    let locale = std::env::var("BOYI_LANG").ok().or_else(sys_locale::get_locale);
    locale.map_or(Language::En, |name| named(&name))
}
