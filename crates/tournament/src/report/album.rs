//! Games as the page keeps them: the record, and the board after every ply as what changed on it.
//!
//! Boards, pieces and players are the same in game after game, so each is kept once and named by its number.
//!
//! A step is `[pieces, marks, last, notes, geometry]`, empty ends left out:
//! - `pieces`: spot, look, spot, look, …; look 0 clears the spot, look `n` puts the `n`th look on it instead of what
//!   was there, look `-n` puts it beside what is there;
//! - `marks`: spot, kind, spot, kind, …; a mark that was there goes, one that was not comes;
//! - `last`: the spots of the last ply, or 0 (and where it is left out): those that `pieces` names;
//! - `notes`: note, value, note, value, …; `null` when the note is gone;
//! - `geometry`: the board's number, where it is another one.

use games::core::view::{BoardView, Figure, Geometry, Mark, MarkKind, Piece, SpotKind};
use games::{Eyes, Phrase, Side};
use records::{PlyEnd, Record, RecordedPly};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What is the same in many games.
#[derive(Default, Serialize)]
pub(super) struct Album {
    looks: Vec<Look>,
    marks: Vec<MarkKind>,
    notes: Vec<Phrase>,
    geometries: Vec<Geometry>,
    players: Vec<Value>,
    /// The first record without plies and players; others say where they differ from it.
    base: Map<String, Value>,
}

#[derive(PartialEq, Serialize)]
struct Look {
    figure: Figure,
    side: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Phrase>,
}

/// A spot, and the number of what is on it.
type OnSpot = (u16, usize);

/// A position as numbers, in a fixed order.
#[derive(Default)]
struct Still {
    pieces: Vec<OnSpot>,
    marks: Vec<OnSpot>,
    notes: Vec<(usize, Value)>,
    geometry: Option<usize>,
}

/// The place of a value in a list, where it is added if it is new.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl Album {
    /// A game for the page.
    pub(super) fn game(&mut self, record: &Record) -> Value {
        let mut fields = match serde_json::to_value(record) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        // Kept elsewhere; their places in the record stay.
        let mut take = |key: &str| fields.get_mut(key).map(Value::take).unwrap_or_default();
        let seats = take("seats");
        let players = ["black", "white"].map(|side| place(&mut self.players, seats[side].clone()));
        take("plies");
        if self.base.is_empty() {
            self.base = fields.clone();
        }
        let missing: Vec<&String> = self.base.keys().filter(|key| !fields.contains_key(*key)).collect();
        let missing = json!(missing);
        fields.retain(|key, value| self.base.get(key) != Some(value));
        let steps = self.steps(record);
        let mut game = json!({ "record": fields, "players": players, "steps": steps });
        let mut add = |key: &str, value: Value| {
            if !value.is_null() && value != json!([]) && value != json!("") {
                game[key] = value;
            }
        };
        add("missing", missing);
        add_plies(&record.plies, &mut add);
        game
    }

    /// What changed from ply to ply, the start first. The journal has been checked: every ply is there.
    fn steps(&mut self, record: &Record) -> Vec<Value> {
        let Ok(mut table) = record.open() else { return Vec::new() };
        let mut before = Still::default();
        let mut steps = Vec::with_capacity(record.plies.len() + 1);
        for ply in 0..=record.plies.len() {
            if ply > 0 && record.replay_ply(table.as_mut(), ply - 1).is_err() {
                return steps;
            }
            let view = table.still(Eyes::All);
            let now = self.still(&view, before.geometry);
            steps.push(step(&before, &now, view.last));
            before = now;
        }
        steps
    }

    fn still(&mut self, view: &BoardView, geometry: Option<usize>) -> Still {
        let look = |piece: &Piece| Look { figure: piece.figure, side: piece.side, label: piece.label };
        let scene = &view.scene;
        let mut pieces: Vec<OnSpot> =
            scene.pieces.iter().map(|piece| (piece.spot, place(&mut self.looks, look(piece)))).collect();
        pieces.sort_by_key(|(spot, _)| *spot);
        let mut marks: Vec<OnSpot> =
            scene.marks.iter().map(|&Mark { spot, kind }| (spot, place(&mut self.marks, kind))).collect();
        marks.sort_unstable();
        let mut notes: Vec<(usize, Value)> =
            view.notes.iter().map(|note| (place(&mut self.notes, note.label), number_or_text(&note.value))).collect();
        notes.sort_by_key(|(note, _)| *note);
        let same = |index: &usize| looks_alike(&self.geometries[*index], &scene.geometry);
        let geometry = geometry.filter(same).or_else(|| (0..self.geometries.len()).find(same));
        let geometry = geometry.unwrap_or_else(|| {
            self.geometries.push(scene.geometry.clone());
            self.geometries.len() - 1
        });
        Still { pieces, marks, notes, geometry: Some(geometry) }
    }
}

/// Whether two boards look alike when nobody may click: buttons come and go with what a player may do.
fn looks_alike(one: &Geometry, other: &Geometry) -> bool {
    let spots = |geometry: &Geometry| {
        geometry.spots.iter().rposition(|spot| spot.kind != SpotKind::Button).map_or(0, |last| last + 1)
    };
    let count = spots(one);
    count == spots(other)
        && one.spots[..count] == other.spots[..count]
        && one.strokes == other.strokes
        && one.pips == other.pips
        && one.labels == other.labels
}

/// Most notes are counts; a count needs no quotes.
fn number_or_text(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => json!(number),
        _ => json!(text),
    }
}

fn step(before: &Still, now: &Still, mut last: Vec<u16>) -> Value {
    let pieces = changed_pieces(&before.pieces, &now.pieces);
    let marks: Vec<usize> = before
        .marks
        .iter()
        .filter(|mark| now.marks.binary_search(mark).is_err())
        .chain(now.marks.iter().filter(|mark| before.marks.binary_search(mark).is_err()))
        .flat_map(|&(spot, kind)| [usize::from(spot), kind])
        .collect();
    let gone = before.notes.iter().filter(|(note, _)| now.notes.iter().all(|(other, _)| other != note));
    let notes: Vec<Value> = gone
        .flat_map(|(note, _)| [json!(note), Value::Null])
        .chain(
            now.notes
                .iter()
                .filter(|note| !before.notes.contains(note))
                .flat_map(|(note, value)| [json!(note), value.clone()]),
        )
        .collect();
    let mut named: Vec<u16> = pieces.chunks(2).map(|pair| pair[0] as u16).collect();
    named.dedup();
    last.sort_unstable();
    // The start names pieces too, and no ply led there.
    let implied = last == named && before.geometry.is_some();
    let geometry = if now.geometry == before.geometry { Value::Null } else { json!(now.geometry) };
    let mut step =
        vec![json!(pieces), json!(marks), if implied { json!(0) } else { json!(last) }, json!(notes), geometry];
    let empty = [json!([]), json!([]), json!(0), json!([]), Value::Null];
    while step.last().is_some_and(|value| *value == empty[step.len() - 1]) {
        step.pop();
    }
    Value::Array(step)
}

/// Both lists are sorted by spot.
fn changed_pieces(before: &[OnSpot], now: &[OnSpot]) -> Vec<i64> {
    let mut changed = Vec::new();
    let (mut before, mut now) = (before, now);
    while let Some(spot) = [before.first(), now.first()].into_iter().flatten().map(|(spot, _)| *spot).min() {
        let (was, rest) = split_spot(before, spot);
        before = rest;
        let (is, rest) = split_spot(now, spot);
        now = rest;
        if was == is {
            continue;
        }
        if is.is_empty() {
            changed.extend([i64::from(spot), 0]);
        }
        for (index, (_, look)) in is.iter().enumerate() {
            let look = *look as i64 + 1;
            changed.extend([i64::from(spot), if index == 0 { look } else { -look }]);
        }
    }
    changed
}

/// What stands on this spot, and the rest of the list.
fn split_spot(list: &[OnSpot], spot: u16) -> (&[OnSpot], &[OnSpot]) {
    list.split_at(list.iter().take_while(|(other, _)| *other == spot).count())
}

/// The plies of a record by columns; a column that says nothing is left out.
fn add_plies(plies: &[RecordedPly], add: &mut impl FnMut(&str, Value)) {
    let (mut texts, mut movers, mut ends) = (Vec::new(), String::new(), String::new());
    let (mut times, mut stalls) = (Vec::new(), Vec::new());
    // Every field by its name: the page gives the whole record back, so a new field must not be forgotten here.
    for RecordedPly { mover, ply, end, ms, stall_ms } in plies {
        texts.push(ply.as_str());
        movers.push_str(&mover.word()[..1]);
        ends.push_str(&end.word()[..1]);
        times.push(*ms);
        stalls.push(*stall_ms);
    }
    add("plies", json!(texts));
    add("movers", json!(movers));
    if plies.iter().any(|step| step.end != PlyEnd::Played) {
        add("ends", json!(ends));
    }
    if times.iter().any(Option::is_some) {
        add("ms", json!(times));
    }
    if stalls.iter().any(Option::is_some) {
        add("stall_ms", json!(stalls));
    }
}
