//! Playing the games of the queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::Side;
use referee::{Circumstances, GameReport, GameSpec, PlayerSeat, Seat, TimeControl, Transcript};

use super::log::Logs;
use super::{Shared, Stopper, delay, machine_fault, today};
use crate::contest::{Contest, Rules};
use crate::start::Start;
use crate::store::{Lease, NewGame, Used, Verdict};

/// Plays until the server is stopped.
pub(super) fn work(shared: &Arc<Shared>, worker: &str, core: Option<u32>) {
    while !shared.is_stopping() {
        if !shared.runtime.block_on(shared.store.waits()).is_ok_and(|(games, _)| games) {
            shared.nap();
            continue;
        }
        match shared.runtime.block_on(shared.store.lease_game(worker)) {
            Ok(Some(lease)) => {
                let _busy = shared.crew.players.take();
                metrics::gauge!("boyi_judge_playing").increment(1.0);
                settle(shared, &lease, core);
                metrics::gauge!("boyi_judge_playing").decrement(1.0);
            }
            // What waits may wait for its time.
            Ok(None) => shared.nap(),
            Err(error) => {
                tracing::error!(%error, "no game could be taken from the queue");
                shared.nap();
            }
        }
    }
}

/// How often a loss on time is played again because the machine was busy.
const MOST_EXCUSES: i64 = 2;

/// Plays a game and writes what came of it.
fn settle(shared: &Arc<Shared>, lease: &Lease, core: Option<u32>) {
    let played = catch_unwind(AssertUnwindSafe(|| play(shared, lease, core)));
    let done = match played.unwrap_or_else(|_| Err("the judge itself failed".to_owned())) {
        Ok(game) => {
            metrics::counter!("boyi_judge_games_total").increment(1);
            shared.runtime.block_on(shared.store.finish_game(lease, &game, today()))
        }
        Err(trouble) => {
            let stopping = shared.is_stopping();
            if !stopping {
                metrics::counter!("boyi_judge_faults_total").increment(1);
                tracing::warn!(game = lease.row.id, number = lease.number, %trouble, "a game will be played again");
            }
            let wait = if stopping { 0 } else { delay(lease.attempts) };
            shared.runtime.block_on(shared.store.retry_game(lease, &trouble, wait)).map(|()| Verdict::GoesOn)
        }
    };
    match done {
        Ok(Verdict::MatchOver { settled: true }) => keep_history(shared, lease),
        Ok(_) => {}
        // The lease runs out and the game is played again.
        Err(error) => tracing::error!(%error, "a game could not be written"),
    }
}

/// Where a version stands now that its matches are over.
fn keep_history(shared: &Shared, lease: &Lease) {
    let player = &lease.row.players[0];
    let kept = shared.runtime.block_on(async {
        let contest = shared.store.contest_numbered(lease.row.contest).await?;
        let board = shared.boards.board(&shared.store, &contest).await?;
        let own = board.rows.iter().find(|line| line.submission.id == player.submission);
        if let Some((rank, points)) = own.and_then(|line| Some((line.row.rank?, line.row.points))) {
            let of = board.ranked();
            shared.store.add_history(contest.number, player.account, player.submission, rank, of, points).await?;
        }
        Ok::<_, crate::store::StoreError>(())
    });
    if let Err(error) = kept {
        tracing::error!(%error, "a standing could not be kept");
    }
}

/// What a built-in player keeps of positions.
const PLAYER_MEMORY: usize = 64 << 20;

/// A built-in player. It lives on what its seat learns, as a program does, and thinks on the same core.
fn built_in(contest: &Contest, name: &str, lease: &Lease) -> Result<Seat, String> {
    let game = contest.listing().map_err(|error| error.to_string())?;
    let style = engines::style(name).ok_or_else(|| format!("there is no built-in player {name}"))?;
    // Each game another one, and the same when it is played again.
    let seed = (lease.row.id as u64) << 8 | u64::from(lease.number);
    let settings = engines::Settings { memory: PLAYER_MEMORY, ..engines::Settings::with_seed(seed) };
    // A busy machine must not make it lose on time: that would be a present for its opponent.
    let most = Duration::from_millis(contest.rules.ply_ms) * 3 / 4;
    let player = PlayerSeat::new(engines::player_with(game, style, &settings)).with_most_time(most);
    Ok(Seat::Local(Box::new(player)))
}

/// The time control of a contest.
pub(super) fn time(rules: &Rules) -> TimeControl {
    TimeControl {
        ply: Some(Duration::from_millis(rules.ply_ms)),
        game: Some(Duration::from_millis(rules.game_ms)),
        increment: None,
        start: Some(Duration::from_millis(rules.start_ms)),
        tolerance: Duration::from_millis(rules.tolerance_ms),
    }
}

/// Plays one game. An error is a fault of the machine's.
fn play(shared: &Arc<Shared>, lease: &Lease, core: Option<u32>) -> Result<NewGame, String> {
    let contest =
        shared.runtime.block_on(shared.store.contest_numbered(lease.row.contest)).map_err(|e| e.to_string())?;
    let (position, one_is_black) = contest.rules.game(lease.number);
    let mut players = lease.row.players.each_ref();
    if !one_is_black {
        players.swap(0, 1);
    }
    let seat = |index: usize| -> Result<Seat, String> {
        if let Some(builtin) = &players[index].builtin {
            return built_in(&contest, builtin, lease);
        }
        let program = shared.program(players[index].submission).map_err(|error| error.to_string())?;
        shared.seat(&contest, &program, core).ok_or_else(|| "the contest's protocol is not known".to_owned())
    };
    let mut seats = [seat(0)?, seat(1)?];
    let Start { table, position, history } = contest.start(position)?;
    let opening_plies = history.len();
    let logs = Logs::default();
    let time = time(&contest.rules);
    let transcript = Transcript::with_sink(Box::new(logs.clone()));
    // An engine that computes for ever is slow on a busy machine every time: at some point its time is over.
    let excuse_stalls = lease.attempts < MOST_EXCUSES;
    let spec = GameSpec {
        position: position.clone(),
        time,
        start_limit: time.start,
        history,
        transcript,
        excuse_stalls,
        ..GameSpec::new(table)
    };
    let (began, date) = (Instant::now(), jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string());
    let report =
        referee::play(&shared.host, spec, &mut seats, &mut Stopper(shared)).map_err(|error| error.to_string())?;
    if let Some(fault) = machine_fault(&report) {
        return Err(fault);
    }
    let named = |index: usize| {
        let player = players[index];
        match &player.builtin {
            Some(level) => records::Player {
                kind: Some(records::PlayerKind::Builtin),
                level: Some(level.clone()),
                ..records::Player::named(player.nickname.clone())
            },
            None => records::Player {
                kind: Some(records::PlayerKind::Engine),
                ..records::Player::named(format!("{} v{}", player.nickname, player.version))
            },
        }
    };
    let mut record = report.record(Circumstances {
        position,
        time,
        players: [named(0), named(1)],
        date: Some(date),
        event: Some(contest.title.clone()),
    });
    // An engine that was not ready has lost before the opening was played.
    record.opening_plies = opening_plies.min(record.plies.len());
    let used = used(&report);
    Ok(NewGame {
        one_is_black,
        winner: report.decision.winner,
        reason: report.decision.reason.code.to_owned(),
        plies: report.table.plies(),
        ms: began.elapsed().as_millis() as i64,
        machine_ms: used.iter().map(|used| used.cpu_ms.max(used.clock_ms)).sum(),
        record: serde_json::to_string(&record).unwrap_or_default(),
        used,
        memory: report.memory.clone(),
        logs: logs.take(),
    })
}

/// What both engines used.
fn used(report: &GameReport) -> [Used; 2] {
    Side::BOTH.map(|side| {
        let usage = report.cages[side.index()].as_ref().map(|cage| cage.usage).unwrap_or_default();
        Used {
            cpu_ms: usage.cpu.as_millis() as i64,
            peak_bytes: usage.peak_memory as i64,
            clock_ms: report.used[side.index()].as_millis() as i64,
        }
    })
}
