//! Where the games of a contest start: the usual start, plies from there, or a position.

use std::time::Duration;

use games::{End, Eyes, Listing, Table};
use protocols::Protocol;
use referee::PlayedPly;
use serde_json::Value;

use crate::contest::StartingPosition;
use crate::words::Words;

/// Where a game starts.
pub(crate) struct Start {
    /// The table the game begins on.
    pub(crate) table: Box<dyn Table>,
    /// The position of that table, when it is not the usual start.
    pub(crate) position: Option<String>,
    /// Plies that were played before the engines think.
    pub(crate) history: Vec<PlayedPly>,
}

impl Start {
    /// Sets a game up, or says why it cannot be.
    pub(crate) fn open(
        game: &'static dyn Listing,
        variant: &Value,
        protocol: &dyn Protocol,
        start: &StartingPosition,
    ) -> Result<Self, Words> {
        let open = |position: Option<&str>| {
            game.open(variant, position).map_err(|error| Words::said(|language| error.say(language)))
        };
        let usual = open(None)?;
        let Some(text) = &start.position else {
            let history = play(usual.as_ref(), &start.plies)?;
            return Ok(Self { table: usual, position: None, history });
        };
        if !start.plies.is_empty() {
            return Err(Words::new("give plies or a position, not both", "着法和局面只能给出一种"));
        }
        let table = open(Some(text))?;
        if table.verdict().is_some() {
            return Err(over());
        }
        if !protocol.facts().can_restore {
            return Ok(Self { table, position: Some(text.clone()), history: Vec::new() });
        }
        // Its programs are told plies, not positions.
        let plies = games::plies_to(usual.as_ref(), table.as_ref()).ok_or_else(|| {
            Words::new(
                "no plies lead to this position, so programs cannot be told it",
                "无法由着法走到该局面，因此无法告知程序",
            )
        })?;
        let history = play(usual.as_ref(), &plies)?;
        Ok(Self { table: usual, position: None, history })
    }
}

fn over() -> Words {
    Words::new("a game would be over at its start", "起始局面已经终局")
}

/// Plays an opening.
fn play(start: &dyn Table, plies: &[String]) -> Result<Vec<PlayedPly>, Words> {
    let mut table = start.fork();
    let mut history = Vec::new();
    for ply in plies {
        let played = table.play(ply, Eyes::All);
        let played = played.map_err(|fault| Words::said(|language| format!("{ply}: {}", fault.say(language))))?;
        if matches!(played.end, End::Refused(_)) {
            return Err(Words::new(format!("{ply}: this ply is refused"), format!("{ply}：该着法被拒绝")));
        }
        let (time, stall) = (Duration::ZERO, Duration::ZERO);
        history.push(PlayedPly { mover: played.mover, ply: ply.clone(), end: played.end, time, stall });
    }
    if table.verdict().is_some() { Err(over()) } else { Ok(history) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(game: &str, start: &StartingPosition) -> Result<Start, Words> {
        let listing = games::find(game).unwrap();
        Start::open(listing, &Value::Null, protocols::find(game, None).unwrap(), start)
    }

    #[test]
    fn a_position_of_gomoku_is_told_as_plies() {
        let mut table = games::find("gomoku").unwrap().open(&Value::Null, None).unwrap();
        for ply in table.list_plies(Eyes::All, 40).list.into_iter().step_by(7).take(5) {
            table.play(&ply, Eyes::All).unwrap();
        }
        let position = Some(table.position(Eyes::All));
        let start = open("gomoku", &StartingPosition { position, ..StartingPosition::default() }).unwrap();
        assert_eq!((start.position, start.history.len()), (None, 5));
        let mut replayed = start.table;
        for step in &start.history {
            replayed.play(&step.ply, Eyes::All).unwrap();
        }
        assert_eq!(replayed.hash(), table.hash());
    }

    #[test]
    fn what_cannot_be_a_start_is_told() {
        let position = |text: &str| StartingPosition { position: Some(text.to_owned()), ..StartingPosition::default() };
        assert!(open("gomoku", &position("nonsense")).is_err());
        let both = StartingPosition { plies: vec!["x".into()], ..position("nonsense") };
        assert!(open("gomoku", &both).err().unwrap().en.contains("not both"));
        let usual = games::find("tiaojia").unwrap().open(&Value::Null, None).unwrap().position(Eyes::All);
        assert!(open("tiaojia", &position(&usual)).unwrap().position.is_some());
    }
}
