//! The options of a game: typed inside, `key=value` or JSON outside.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::phrase::Language;

/// A game's options. Serde gives them their text form, so fields are written once.
pub trait Variant: Clone + PartialEq + Debug + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Whether the values are ones the game can be played with.
    fn check(&self) -> Result<(), Fault>;

    /// The starting positions a match goes through, where the variant lists any.
    fn starts(&self) -> &[String] {
        &[]
    }
}

/// What is wrong with the options somebody gave.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariantError {
    /// Not `key=value`.
    #[error("{}", self.say(Language::En))]
    NotAPair(String),
    /// No such option.
    #[error("{}", self.say(Language::En))]
    UnknownKey {
        /// What was given.
        key: String,
        /// The options there are.
        known: Vec<String>,
        /// The one that was probably meant.
        meant: Option<String>,
    },
    /// A value of the wrong kind.
    #[error("{}", self.say(Language::En))]
    BadValue {
        /// The option, when it is known.
        key: String,
        /// What serde says of it.
        problem: String,
    },
    /// A value out of range.
    #[error("{}", self.say(Language::En))]
    OutOfRange(Fault),
}

impl VariantError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::NotAPair(text), Language::En) => format!("{text:?} is not of the form key=value"),
            (Self::NotAPair(text), Language::Zh) => format!("“{text}”不是 key=value 的形式"),
            (Self::UnknownKey { key, known, meant }, _) => {
                let list = known.join(", ");
                match (meant, language) {
                    (Some(meant), Language::En) => format!("no option {key:?}; did you mean {meant:?}?"),
                    (Some(meant), Language::Zh) => format!("没有选项“{key}”，是否想用“{meant}”？"),
                    (None, Language::En) if known.is_empty() => format!("no option {key:?}; this game has none"),
                    (None, Language::Zh) if known.is_empty() => format!("没有选项“{key}”；本棋种没有选项"),
                    (None, Language::En) => format!("no option {key:?}; there are: {list}"),
                    (None, Language::Zh) => format!("没有选项“{key}”；可用选项：{list}"),
                }
            }
            (Self::BadValue { key, problem }, Language::En) => format!("option {key}: {problem}"),
            (Self::BadValue { key, problem }, Language::Zh) => format!("选项 {key} 的值无法理解：{problem}"),
            (Self::OutOfRange(fault), language) => fault.say(language),
        }
    }
}

/// Turns `key=value` texts into the JSON object [`read`] takes. A value that is JSON is taken as such, any other as a
/// string.
pub fn read_pairs<'a>(pairs: impl IntoIterator<Item = &'a str>) -> Result<Value, VariantError> {
    let mut map = Map::new();
    for pair in pairs {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(VariantError::NotAPair(pair.to_owned()));
        };
        let value = serde_json::from_str(value.trim()).unwrap_or_else(|_| Value::String(value.trim().to_owned()));
        map.insert(key.trim().to_owned(), value);
    }
    Ok(Value::Object(map))
}

/// Reads options over the defaults. `null` means the defaults.
pub fn read<V: Variant>(given: &Value) -> Result<V, VariantError> {
    let defaults = match serde_json::to_value(V::default()) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    };
    let given = match given {
        Value::Null => return Ok(V::default()),
        Value::Object(map) => map,
        other => {
            return Err(VariantError::BadValue { key: "variant".into(), problem: format!("{other} is no object") });
        }
    };
    let mut merged = defaults.clone();
    for (key, value) in given {
        if !defaults.contains_key(key) {
            let known: Vec<String> = defaults.keys().cloned().collect();
            let meant = nearest(key, known.iter().map(String::as_str)).map(str::to_owned);
            return Err(VariantError::UnknownKey { key: key.clone(), known, meant });
        }
        merged.insert(key.clone(), value.clone());
        // One key at a time, so that the message can name the key at fault.
        if let Err(problem) = serde_json::from_value::<V>(Value::Object(merged.clone())) {
            return Err(VariantError::BadValue { key: key.clone(), problem: problem.to_string() });
        }
    }
    let variant: V = serde_json::from_value(Value::Object(merged))
        .map_err(|problem| VariantError::BadValue { key: "variant".into(), problem: problem.to_string() })?;
    variant.check().map_err(VariantError::OutOfRange)?;
    Ok(variant)
}

/// The candidate most like what was written, if any is like it at all.
pub(crate) fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Beyond a few dozen characters nothing is a slip of the pen, and the comparison is quadratic.
    if written.chars().count() > 48 {
        return None;
    }
    let written = written.to_lowercase();
    candidates
        .map(|candidate| (strsim::jaro_winkler(&written, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
