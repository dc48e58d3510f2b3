//! Lists of rooms, a page at a time. However many rooms there are, a page reads little more than it shows.

use sqlx::{AssertSqlSafe, Row as _};

use super::rows::{GameResult, Phase, ROOM_COLUMNS, RoomRow, player_key};
use super::{Store, StoreError};

/// So many games of one person or name are looked at for a page; what is further back comes with the next page.
const LOOKED_AT: i64 = 1000;

/// Which rooms are listed.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// How far they are.
    pub phase: Option<Phase>,
    /// Which game.
    pub game: Option<String>,
    /// How they ended; these are finished ones.
    pub result: Option<GameResult>,
    /// Somebody of this name sits there.
    pub player: Option<String>,
    /// Rooms this visitor sits in, instead of the public ones.
    pub visitor: Option<i64>,
    /// Only rooms made before the one of this number.
    pub before: Option<i64>,
    /// How many.
    pub limit: u32,
}

/// A page.
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// The newest first.
    pub rows: Vec<RoomRow>,
    /// Before which room the next page begins, where there is one.
    pub next: Option<i64>,
}

/// A value of a query.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Number(i64),
    Text(String),
}

impl Wanted {
    /// The seats that are walked through, where one person's or one name's games are wanted.
    fn seats(&self) -> Option<(String, Vec<Bound>)> {
        let (column, value) = match (self.visitor, &self.player) {
            (Some(visitor), _) => ("visitor", Bound::Number(visitor)),
            (None, Some(player)) => ("player", Bound::Text(player_key(player))),
            (None, None) => return None,
        };
        let before = self.before.unwrap_or(i64::MAX);
        let text = format!(
            "SELECT DISTINCT number FROM seats WHERE {column} = ? AND number < ? ORDER BY number DESC LIMIT {LOOKED_AT}"
        );
        Some((text, vec![value, Bound::Number(before)]))
    }

    /// The query of a page and one row more.
    pub(super) fn query(&self) -> (String, Vec<Bound>) {
        let mut text = format!("SELECT {ROOM_COLUMNS} WHERE 1 = 1");
        let mut bound = Vec::new();
        let mut and = |condition: &str, values: Vec<Bound>| {
            text.push_str(" AND ");
            text.push_str(condition);
            bound.extend(values);
        };
        // What has a result is finished.
        if let Some(phase) = self.phase.or(self.result.map(|_| Phase::Finished)) {
            and("r.state = ?", vec![Bound::Text(phase.word().to_owned())]);
        }
        if let Some(game) = &self.game {
            and("r.game = ?", vec![Bound::Text(game.clone())]);
        }
        if let Some(result) = self.result {
            and("r.result = ?", vec![Bound::Text(result.word().to_owned())]);
        }
        if self.visitor.is_none() {
            and("r.public = 1", Vec::new());
        }
        if let (Some(_), Some(player)) = (self.visitor, &self.player) {
            let key = Bound::Text(player_key(player));
            // His own unlisted rooms too, whose names are not in the index.
            and("(LOWER(b.name) = ? OR LOWER(w.name) = ?)", vec![key.clone(), key]);
        }
        match (self.seats(), self.before) {
            (Some((seats, values)), _) => and(&format!("r.number IN (SELECT number FROM ({seats}))"), values),
            (None, Some(before)) => and("r.number < ?", vec![Bound::Number(before)]),
            (None, None) => {}
        }
        text.push_str(" ORDER BY r.number DESC LIMIT ?");
        bound.push(Bound::Number(i64::from(self.limit) + 1));
        (text, bound)
    }
}

/// A query with its values.
pub(super) fn bind(
    text: String,
    bound: Vec<Bound>,
) -> sqlx::query::Query<'static, sqlx::Sqlite, sqlx::sqlite::SqliteArguments> {
    bound.into_iter().fold(sqlx::query(AssertSqlSafe(text)), |query, value| match value {
        Bound::Number(number) => query.bind(number),
        Bound::Text(text) => query.bind(text),
    })
}

impl Store {
    /// Rooms, the newest first. A page of one person's games may be short and still have a next one.
    pub async fn list(&self, wanted: &Wanted) -> Result<Listed, StoreError> {
        let (text, bound) = wanted.query();
        let mut found = bind(text, bound).fetch_all(&self.readers).await?;
        let limit = wanted.limit as usize;
        let more = found.len() > limit;
        found.truncate(limit);
        let rows: Vec<RoomRow> = found.iter().filter_map(RoomRow::read_or_pass).collect();
        if more {
            // The last of the page may be one that cannot be read.
            let last = found.last().map(|row| row.try_get("number")).transpose()?;
            return Ok(Listed { next: last, rows });
        }
        let mut next = None;
        if let Some((seats, values)) = wanted.seats() {
            let text = format!("SELECT COUNT(*) AS looked_at, MIN(number) AS furthest FROM ({seats})");
            let row = bind(text, values).fetch_one(&self.readers).await?;
            if row.try_get::<i64, _>("looked_at")? == LOOKED_AT {
                next = row.try_get("furthest")?;
            }
        }
        Ok(Listed { rows, next })
    }

    /// Names of listed rooms that begin so, each once, in their order.
    pub async fn players(&self, beginning: &str, most: usize) -> Result<Vec<String>, StoreError> {
        let key = player_key(beginning);
        let mut found = Vec::new();
        if key.is_empty() {
            return Ok(found);
        }
        let end = format!("{key}{}", char::MAX);
        let (mut after, mut or_same) = (key, "=");
        while found.len() < most {
            // The index leads from one name to the next, however many games each has.
            let text = format!(
                "SELECT player, name FROM seats WHERE player >{or_same} ? AND player < ? ORDER BY player LIMIT 1"
            );
            let bound = vec![Bound::Text(after), Bound::Text(end.clone())];
            let Some(row) = bind(text, bound).fetch_optional(&self.readers).await? else { break };
            (after, or_same) = (row.try_get("player")?, "");
            found.push(row.try_get("name")?);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_reads_everything() {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (store, _stored) = Store::open(folder.path()).await.expect("a store");
            let phases = [None, Some(Phase::Waiting), Some(Phase::Live), Some(Phase::Finished)];
            let mut tried = 0;
            for number in 0..4 * 2 * 2 * 2 * 2 * 2 {
                let has = |bit: u32| number >> bit & 1 == 1;
                let wanted = Wanted {
                    phase: phases[number & 3],
                    game: has(2).then(|| "amazons".to_owned()),
                    result: has(3).then_some(GameResult::Draw),
                    player: has(4).then(|| "ann".to_owned()),
                    visitor: has(5).then_some(7),
                    before: has(6).then_some(1000),
                    limit: 20,
                };
                let (text, bound) = wanted.query();
                let plan = bind(format!("EXPLAIN QUERY PLAN {text}"), bound);
                let plan = plan.fetch_all(&store.readers).await.expect("a plan");
                let steps: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
                for step in &steps {
                    let whole =
                        step.starts_with("SCAN r") || step.starts_with("SCAN seats") || step.starts_with("SCAN b");
                    assert!(!whole, "{wanted:?}: {steps:?}");
                    // Sorting is for the few of one person only.
                    let sorted = step.contains("TEMP B-TREE FOR ORDER BY");
                    assert!(!sorted || wanted.seats().is_some(), "{wanted:?}: {steps:?}");
                }
                tried += 1;
            }
            assert_eq!(tried, 128);
        });
    }
}
