//! Piskvork's `.psq`: gomoku, a line a move.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0
//! 10,10,31
//! …
//! first player
//! second player
//! -1
//! 1,Freestyle
//! ```
//!
//! The last line, who won and by which rule, is in the files of Gomocup and not in those of older managers. The
//! official judge writes its tournament's name there (`1,Freestyle15_1`), and its 1 is not Black: it is the player who
//! moved first after the opening, whose stones stand at the beginning with no time.

use games::gomoku::{GomokuVariant, Rule};
use games::{Phrase, Side};
use serde_json::json;

use crate::error::{ReadError, WriteError};
use crate::format::{Format, Room, say_lost};
use crate::moves::{Action, Moves, Setup, board_of, moves_of, plies_of, say_lost_options, starts_as_usual};
use crate::record::{Player, PlayerKind, Record, Seats};
use crate::remark::Remark;
use crate::replay::{is_rules_reason, reported};
use crate::text::{self, Reader};

/// What Piskvork calls the rules.
const RULES: [(Rule, &str); 4] = [
    (Rule::FREESTYLE, "Freestyle"),
    (Rule::EXACT, "Standard"),
    (Rule::RENJU, "Renju"),
    (Rule::EXACT.and(Rule::CARO), "Caro"),
];
/// The level Piskvork writes for an engine whose time is set by other means; a person is 0.
const ENGINE_LEVEL: u32 = 11;
/// The end code of a game that went to its end.
const NO_ERROR: i32 = -1;

pub(crate) fn write(record: &Record, lost: &mut Vec<Remark>) -> Result<Vec<u8>, WriteError> {
    let table = record.replay_plies()?;
    let format = Format::Psq;
    let (Some((width, height)), "gomoku") = (board_of(table.as_ref()), table.facts().id) else {
        return Err(WriteError::no_form(table.facts(), format));
    };
    let mut moves = moves_of(record, table.as_ref(), lost);
    let start = record.open()?;
    if !starts_as_usual(record, start.as_ref()) {
        let opening = opening_moves(&Setup::of(start.as_ref()), start.to_move()).ok_or(WriteError::Start { format })?;
        if !opening.is_empty() {
            lost.push(Remark::new("in which order the stones of the opening were played", "开局各子的先后次序"));
        }
        moves.actions.splice(0..0, opening);
    }
    let variant: GomokuVariant = serde_json::from_value(table.variant()).unwrap_or_default();
    let rule = RULES.iter().find(|(rule, _)| *rule == variant.rule).map(|(_, name)| *name);
    let has_result = record.verdict.as_ref().is_some_and(|verdict| verdict.counts);
    let kept: &[&str] = if rule.is_some() && has_result { &["rule"] } else { &[] };
    say_lost_options(table.as_ref(), &[kept, &["size", "width", "height", "opening", "openings"]].concat(), lost);
    let by_rules = record.verdict.as_ref().is_none_or(|verdict| is_rules_reason(table.as_ref(), &verdict.reason));
    say_lost(record, by_rules, Room { times: true, ..Room::default() }, lost);
    Ok(text_of(record, &moves, (width, height), rule.unwrap_or("Freestyle")).into_bytes())
}

fn text_of(record: &Record, moves: &Moves, (width, height): (usize, usize), rule: &str) -> String {
    let players = [moves.black, moves.black.other()].map(|seat| record.seats.of(seat));
    let level = |player: &Player| if player.kind == Some(PlayerKind::Human) { 0 } else { ENGINE_LEVEL };
    let mut lines = vec![format!("Piskvorky {width}x{height}, {}:{}, 0", level(players[0]), level(players[1]))];
    for action in &moves.actions {
        for (x, y) in &action.points {
            lines.push(format!("{},{},{}", x + 1, y + 1, action.ms.unwrap_or_default()));
        }
    }
    for (index, player) in players.into_iter().enumerate() {
        // A name that begins like a number would be taken for a move or for the end code.
        let name = text::one_line(&player.name);
        lines.push(match name.chars().next() {
            None => format!("homo-{}", index + 1),
            Some('0'..='9' | '-' | '+') => format!("_{name}"),
            Some(_) => name,
        });
    }
    lines.push(NO_ERROR.to_string());
    if let Some(verdict) = record.verdict.as_ref().filter(|verdict| verdict.counts) {
        let names = [&lines[lines.len() - 3], &lines[lines.len() - 2]].map(String::as_str);
        let winner = verdict.winner.map(|seat| moves.colour(seat));
        let counted = if judged(names) { as_judged(winner, &moves.actions) } else { winner };
        let winner = counted.map_or(0, |colour| 1 + colour.index());
        lines.push(format!("{winner},{rule}"));
    }
    lines.push(String::new());
    lines.join("\r\n")
}

/// The stones of an opening by turns, where they can have been played so.
fn opening_moves(setup: &Setup, to_move: Side) -> Option<Vec<Action>> {
    let (black, white) = (setup.black.len(), setup.white.len());
    let fits = match to_move {
        Side::Black => black == white,
        Side::White => black == white + 1,
    };
    let action = |colour, point: &(usize, usize)| Action { colour, points: vec![*point], ms: None };
    fits.then(|| {
        let mut whites = setup.white.iter();
        let pair =
            |point| std::iter::once(action(Side::Black, point)).chain(whites.next().map(|w| action(Side::White, w)));
        setup.black.iter().flat_map(pair).collect()
    })
}

pub(crate) fn read(bytes: &[u8], remarks: &mut Vec<Remark>) -> Result<Record, ReadError> {
    let content = text::decode(bytes)?;
    let lines: Vec<(usize, &str)> = content
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let wrong = |line: usize, found: &str, expected: Phrase| ReadError::Syntax {
        format: Format::Psq,
        line,
        expected,
        found: text::shown(found),
    };
    let (first, rest) = lines.split_first().map_or(((1, ""), &[][..]), |(first, rest)| (*first, rest));
    let head = read_head(first.1).ok_or_else(|| {
        wrong(first.0, first.1, Phrase::new("\"Piskvorky WxH, a:b, flag\"", "“Piskvorky 宽x高, a:b, 标志”"))
    })?;
    let mut record = Record::new("gomoku", json!({}));
    let mut actions = Vec::new();
    let count = rest.iter().take_while(|(_, line)| read_move(line).is_some()).count();
    let (moves, mut tail) = rest.split_at(count);
    for (number, line) in moves {
        let Some((x, y, ms)) = read_move(line) else { continue };
        if !(1..=head.width).contains(&x) || !(1..=head.height).contains(&y) {
            return Err(wrong(*number, line, Phrase::new("a point on the board", "棋盘上的一点")));
        }
        let colour = if actions.len().is_multiple_of(2) { Side::Black } else { Side::White };
        actions.push(Action { colour, points: vec![(x - 1, y - 1)], ms: Some(ms) });
    }
    let turned = as_judged(Some(Side::White), &actions) == Some(Side::Black);
    record.plies = plies_of("gomoku", actions);
    let result = tail.split_last().and_then(|((_, line), before)| Some((read_result(line)?, before)));
    if let Some((_, before)) = &result {
        tail = before;
    }
    if let Some(((_, code), before)) = tail.split_last()
        && let Ok(code) = code.parse::<i32>()
    {
        tail = before;
        if code > 0 {
            remarks.push(Remark::new(
                format!("the game ended with error code {code}"),
                format!("对局以错误码 {code} 结束"),
            ));
        }
    }
    let is_no_name = |(index, (_, line)): &(usize, &(usize, &str))| *index >= 2 || line.parse::<i64>().is_ok();
    if let Some((_, (number, extra))) = tail.iter().enumerate().find(is_no_name) {
        return Err(wrong(*number, extra, Phrase::new("two names and an end code", "两个名字和一个结束码")));
    }
    let name = |index: usize| Player::named(tail.get(index).map_or("", |(_, name)| *name));
    // The flag says which of the two began.
    record.seats = Seats { black: name(usize::from(head.second_began)), white: name(usize::from(!head.second_began)) };
    let rule = result.as_ref().map_or(Rule::FREESTYLE, |(result, _)| result.rule(remarks));
    let usual = if rule == Rule::RENJU { 15 } else { 20 };
    record.variant = if (head.width, head.height) == (usual, usual) {
        json!({ "rule": rule.bits() })
    } else if head.width == head.height {
        json!({ "size": head.width, "rule": rule.bits() })
    } else {
        json!({ "width": head.width, "height": head.height, "rule": rule.bits() })
    };
    if let Some((result, _)) = result {
        let judged = !result.names_a_rule() || judged([&record.seats.black.name, &record.seats.white.name]);
        if !result.names_a_rule() {
            record.event = Some(result.word.to_owned());
        }
        let mut winner = result.winner();
        if judged && winner.is_some() {
            let decided =
                record.replay_plies().is_ok_and(|table| table.verdict().is_some_and(|end| end.winner.is_some()));
            if decided {
                // Two ways to count players cannot both be right, and the board can.
                return Ok(record);
            }
            if turned {
                winner = winner.map(Side::other);
                remarks.push(Remark::new(
                    "the winner's number counts from who moved first after an opening with an odd number of stones",
                    "开局子数为奇数，胜方编号从开局之后先行的一方算起",
                ));
            }
        }
        record.verdict = Some(reported(winner));
    }
    Ok(record)
}

struct Head {
    width: usize,
    height: usize,
    second_began: bool,
}

fn read_head(line: &str) -> Option<Head> {
    let mut reader = Reader::new(line.strip_prefix("Piskvorky")?);
    let mut number = |before: &[char]| {
        reader.take_while(|letter| letter.is_whitespace() || before.contains(&letter));
        reader.number()
    };
    let (width, height) = (number(&[])?, number(&['x', 'X'])?);
    let (_first, _second, flag) = (number(&[','])?, number(&[':'])?, number(&[','])?);
    (reader.rest().trim().is_empty() && flag <= 1).then_some(Head { width, height, second_began: flag == 1 })
}

/// Column, row and milliseconds.
fn read_move(line: &str) -> Option<(usize, usize, u64)> {
    let mut parts = line.split(',').map(str::trim);
    let x = parts.next()?.parse().ok()?;
    let y = parts.next()?.parse().ok()?;
    // Some managers leave the time away, some write a negative one where a clock went backwards.
    let ms: i64 = parts.next().map_or(Ok(0), str::parse).ok()?;
    parts.next().is_none().then_some((x, y, ms.max(0) as u64))
}

/// Whether these are entrants of Gomocup, where the official judge writes the files.
fn judged(names: [&str; 2]) -> bool {
    names.iter().all(|name| name.to_ascii_lowercase().ends_with(".zip"))
}

/// A winner's colour as the official judge counts players, and the other way round: its first player is who moves first
/// after the opening, whose stones have no time.
fn as_judged(winner: Option<Side>, actions: &[Action]) -> Option<Side> {
    let opening = actions.iter().take_while(|action| action.ms.unwrap_or_default() == 0).count();
    let turned = opening % 2 == 1 && opening < actions.len();
    if turned { winner.map(Side::other) } else { winner }
}

/// The last line: who won, and what was played.
struct GameResult<'a> {
    /// 0 for nobody.
    number: u32,
    /// A rule, or the name of a tournament.
    word: &'a str,
}

fn read_result(line: &str) -> Option<GameResult<'_>> {
    let (winner, word) = line.split_once(',')?;
    let number = winner.trim().parse().ok().filter(|winner| *winner <= 2)?;
    let word = word.trim();
    (!word.is_empty() && word.parse::<i64>().is_err()).then_some(GameResult { number, word })
}

impl GameResult<'_> {
    const fn winner(&self) -> Option<Side> {
        match self.number {
            1 => Some(Side::Black),
            2 => Some(Side::White),
            _ => None,
        }
    }

    fn names_a_rule(&self) -> bool {
        RULES.iter().any(|(_, name)| name.eq_ignore_ascii_case(self.word))
    }

    /// The rule by its name or by the tournament's; Gomocup's fast games are freestyle.
    fn rule(&self, remarks: &mut Vec<Remark>) -> Rule {
        let word = self.word.to_ascii_lowercase();
        let named = RULES.iter().find(|(_, name)| word.contains(&name.to_ascii_lowercase()));
        if named.is_none() && !word.contains("fast") {
            let word = text::shown(self.word);
            remarks.push(Remark::new(
                format!("the tournament's name ({word}) does not tell the rule; taken for freestyle"),
                format!("赛事名（{word}）没有说明规则；按无禁手处理"),
            ));
        }
        named.map_or(Rule::FREESTYLE, |(rule, _)| *rule)
    }
}
