//! The formats: their names, how a file tells its own, and the way in and out.

use games::{Listing, Phrase};
use serde::Serialize;
use serde_json::Value;

use crate::error::{ReadError, WriteError};
use crate::record::{FORMAT, Record};
use crate::remark::Remark;
use crate::{ccgc, dots, psq, sgf, text};

/// A format a record can be read from and written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// boyi's own.
    Json,
    /// Smart Game Format.
    Sgf,
    /// Piskvork's.
    Psq,
    /// The championship's texts.
    Ccgc,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Json, Self::Sgf, Self::Psq, Self::Ccgc];

    /// The name programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Sgf => "sgf",
            Self::Psq => "psq",
            Self::Ccgc => "ccgc",
        }
    }

    /// The name people use.
    #[must_use]
    pub const fn title(self) -> Phrase {
        match self {
            Self::Json => Phrase::new("boyi's JSON", "本平台 JSON 棋谱"),
            Self::Sgf => Phrase::same("SGF"),
            Self::Psq => Phrase::same("Piskvork .psq"),
            Self::Ccgc => Phrase::new("the championship's text", "竞赛棋谱文本"),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name.trim()))
    }

    /// The formats that have a form for a game, as it is usually played.
    #[must_use]
    pub fn of_game(game: &dyn Listing) -> Vec<Self> {
        let empty = Record::new(game.facts().id, game.defaults());
        Self::ALL.into_iter().filter(|&format| write(&empty, format, &Choices::default()).is_ok()).collect()
    }

    /// The format of these bytes; the file's name decides only where its content does not.
    #[must_use]
    pub fn detect(bytes: &[u8], file_name: &str) -> Option<Self> {
        let head = text::decode(&bytes[..bytes.len().min(4096)])
            .unwrap_or_else(|_| String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned());
        let head = head.trim_start();
        if ccgc::begins(head) {
            return Some(Self::Ccgc);
        }
        if head.starts_with("Piskvorky") {
            return Some(Self::Psq);
        }
        if head.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with([';', '('])) {
            return Some(Self::Sgf);
        }
        if head.starts_with('{') {
            let dots = !head.contains(FORMAT) && dots::looks_like(bytes);
            return Some(if dots { Self::Ccgc } else { Self::Json });
        }
        let (_, extension) = file_name.rsplit_once('.')?;
        [(Self::Sgf, "sgf"), (Self::Psq, "psq"), (Self::Json, "json")]
            .into_iter()
            .find(|(_, known)| extension.eq_ignore_ascii_case(known))
            .map(|(format, _)| format)
    }
}

/// From where a text counts its rows. Sources differ; the championship's own examples count from the bottom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rows {
    /// Row 1 is the lowest.
    #[default]
    FromBottom,
    /// Row 1 is the highest.
    FromTop,
}

impl Rows {
    /// The number of a row that is `y` rows below the top, or the other way round (rows from 0, numbers from 1).
    pub(crate) const fn number(self, y: usize, height: usize) -> usize {
        match self {
            Self::FromBottom => height.saturating_sub(y),
            Self::FromTop => y + 1,
        }
    }

    /// The row of a number, where there is one.
    pub(crate) fn row(self, number: usize, height: usize) -> Option<usize> {
        if !(1..=height).contains(&number) {
            return None;
        }
        Some(match self {
            Self::FromBottom => height - number,
            Self::FromTop => number - 1,
        })
    }
}

/// What a file leaves open and its reader may say.
#[derive(Clone, Copy, Default)]
pub struct Choices {
    /// The game, where the file does not name it.
    pub game: Option<&'static dyn Listing>,
    /// From where the championship's texts count rows.
    pub rows: Rows,
}

/// A record that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// The format it was in.
    pub format: Format,
    /// The record.
    pub record: Record,
    /// What was left out or guessed.
    pub remarks: Vec<Remark>,
}

/// A record as a file of some format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the format cannot hold.
    pub lost: Vec<Remark>,
}

/// Reads a file of any known format. Whether the game in it is true is [`Record::replay`]'s matter.
pub fn read(bytes: &[u8], file_name: &str, choices: &Choices) -> Result<Opened, ReadError> {
    let format = Format::detect(bytes, file_name).ok_or_else(|| {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        ReadError::UnknownFormat { found: text::shown(head.trim()) }
    })?;
    if format == Format::Json && has_json_lines(bytes) {
        let first = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        let mut opened = read_as(format, first, choices)?;
        opened.remarks.push(further_games());
        return Ok(opened);
    }
    read_as(format, bytes, choices)
}

/// What is said of a collection of which one game is read.
pub(crate) fn further_games() -> Remark {
    Remark::new("further games in the file; only the first is read", "文件中的其他对局；只读取第一局")
}

fn read_as(format: Format, bytes: &[u8], choices: &Choices) -> Result<Opened, ReadError> {
    let mut remarks = Vec::new();
    let mut record = match format {
        Format::Json => return Ok(Opened { format, record: Record::from_json(bytes)?, remarks }),
        Format::Sgf => sgf::read(bytes, choices, &mut remarks)?,
        Format::Psq => psq::read(bytes, &mut remarks)?,
        Format::Ccgc => ccgc::read(bytes, choices, &mut remarks)?,
    };
    record.settle().map_err(ReadError::Open)?;
    Ok(Opened { format, record, remarks })
}

/// Reads every game of a file: an SGF collection has one after the other, a file of JSON lines (a journal among them)
/// one a line, all other files one. Where the file as a whole is none of these there is one error and no game.
pub fn read_each(bytes: &[u8], file_name: &str, choices: &Choices, mut each: impl FnMut(Result<Opened, ReadError>)) {
    match Format::detect(bytes, file_name) {
        Some(Format::Sgf) => match sgf::games(bytes) {
            Ok((text, games)) => {
                for game in games {
                    let before = text[..game.start].matches('\n').count();
                    let opened = read_as(Format::Sgf, text[game].as_bytes(), choices);
                    each(opened.map_err(|error| error.further_down(before)));
                }
            }
            Err(error) => each(Err(error)),
        },
        Some(Format::Json) if has_json_lines(bytes) => {
            let lines = bytes.split(|byte| *byte == b'\n').enumerate();
            for (before, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
                each(read_as(Format::Json, line, choices).map_err(|error| error.further_down(before)));
            }
        }
        _ => each(read(bytes, file_name, choices)),
    }
}

/// Whether the first line is a JSON object and others follow it.
fn has_json_lines(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let whole = |line: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(text::without_mark(line)).is_ok();
    lines.next().is_some_and(whole) && lines.next().is_some()
}

/// Writes a record in a format.
pub fn write(record: &Record, format: Format, choices: &Choices) -> Result<Converted, WriteError> {
    let mut lost = Vec::new();
    let bytes = match format {
        Format::Json => record.to_json(),
        Format::Sgf => sgf::write(record, &mut lost)?,
        Format::Psq => psq::write(record, &mut lost)?,
        Format::Ccgc => ccgc::write(record, choices.rows, &mut lost)?,
    };
    Ok(Converted { bytes, lost })
}

/// What a format has room for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    /// The time of each ply.
    pub(crate) times: bool,
    /// Event, place and date.
    pub(crate) occasion: bool,
    /// Some reasons of the referee's, not all.
    pub(crate) some_reasons: bool,
}

/// Says what a format with this much room loses of a record, the game's options aside.
pub(crate) fn say_lost(record: &Record, by_rules: bool, room: Room, lost: &mut Vec<Remark>) {
    let mut say = |wanted: bool, en: &str, zh: &str| {
        if wanted {
            lost.push(Remark::new(en, zh));
        }
    };
    let players = [&record.seats.black, &record.seats.white];
    let known = |player: &&crate::Player| player.kind.is_some() || player.command.is_some() || player.level.is_some();
    say(!room.times && record.plies.iter().any(|ply| ply.ms.is_some()), "the time of each ply", "每步用时");
    say(record.time.is_some(), "the time control", "时限设置");
    say(players.iter().any(known), "what the players are and how they were started", "对局者的类别与启动命令");
    say(
        !room.occasion && (record.event.is_some() || record.place.is_some() || record.date.is_some()),
        "event, place and date",
        "赛事、地点与日期",
    );
    if let Some(verdict) = &record.verdict {
        let kept = by_rules
            || room.some_reasons && matches!(verdict.reason.as_str(), "time" | "resigned" | "stopped" | "reported");
        say(!kept, "why the referee ended the game", "裁判终局的原因");
        say(verdict.evidence != Value::Null, "the referee's evidence", "裁判的依据");
    }
    say(
        !record.environment.is_empty(),
        "what it was played with (version, sandbox, machine)",
        "运行环境（版本、沙箱、机器）",
    );
    say(!record.more.is_empty(), "fields of a newer version", "较新版本的字段");
}
