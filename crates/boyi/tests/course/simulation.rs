//! The simulated course: students who send all kinds of brains, and a server that is killed in between.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use ureq::http::Method;

use crate::brains::{Kind, Tongue, source};
use crate::client::{Person, Server, free_port};

/// How large a course is.
struct Size {
    students: usize,
    versions: usize,
    kills: u32,
    workers: usize,
    ply_ms: usize,
    patience: Duration,
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_simulated_course() {
    let size = Size {
        students: number("BOYI_COURSE_STUDENTS").unwrap_or(5),
        versions: number("BOYI_COURSE_VERSIONS").unwrap_or(2),
        kills: number("BOYI_COURSE_KILLS").unwrap_or(1) as u32,
        workers: number("BOYI_COURSE_WORKERS").unwrap_or(2),
        ply_ms: number("BOYI_COURSE_PLY_MS").unwrap_or(1000),
        patience: Duration::from_secs(number("BOYI_COURSE_PATIENCE").unwrap_or(240) as u64),
    };
    run(&size);
}

fn run(size: &Size) {
    let folder = tempfile::tempdir().expect("a folder");
    let port = free_port();
    let began = Instant::now();
    let mut server = Server::start(folder.path(), port, size.workers);
    let mut pids = vec![server.pid()];
    let teacher = Person::new(port);
    teacher.redeem("admin", server.admin_code.as_deref().expect("the first admin's code"), None);
    let contest = json!({
        "id": "course", "title": "挑夹棋", "game": "tiaojia",
        "rules": { "start_ms": 3000, "ply_ms": size.ply_ms, "game_ms": 20_000, "interval_s": 0, "machine_s_per_day": null },
    });
    teacher.post("/api/contests", &contest).ok();
    let students = enrol(&teacher, port, size.students);

    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut sent: Vec<Vec<Kind>> = vec![Vec::new(); size.students];
    let all = size.students * size.versions;
    // Half of the power cuts come while everybody uploads, the others while the rest is played.
    let early = size.kills.div_ceil(2);
    let every = (all as u32 / (early + 1)).max(1) as usize;
    let (mut killed, mut count) = (0, 0);
    for version in 0..size.versions {
        for (index, student) in students.iter().enumerate() {
            let kind = pick(&mut rng, version, index);
            let tongue =
                [Tongue::C, Tongue::Python, Tongue::Cpp][(index + version) % if size.students < 10 { 2 } else { 3 }];
            let body = json!({ "language": tongue.id(), "source": source(tongue, kind, count as u64) });
            student.post("/api/contests/course/submissions", &body).ok();
            sent[index].push(kind);
            count += 1;
            if count % every == 0 && killed < early {
                // Somewhere in the middle of compiling and playing.
                std::thread::sleep(Duration::from_millis(rng.random_range(200..2500)));
                server = cut_power(server, folder.path(), port, size.workers);
                pids.push(server.pid());
                killed += 1;
            }
        }
    }
    while killed < size.kills {
        let left = |face: &Value| face["judge"]["queued_games"].as_u64().unwrap_or_default();
        let all = left(&teacher.get("/api/contests/course").ok());
        let share = u64::from(size.kills - killed + 1);
        teacher.until("/api/contests/course", size.patience, |face| left(face) <= all - all / share && is_built(face));
        server = cut_power(server, folder.path(), port, size.workers);
        pids.push(server.pid());
        killed += 1;
    }
    teacher.until("/api/contests/course", size.patience, is_quiet);
    let facts = check(&teacher, &students, &sent);
    server.stop();
    std::thread::sleep(Duration::from_millis(500));
    let left = processes(folder.path(), &pids);
    assert!(left.is_empty(), "processes are left: {left:?}");
    let mut out = std::io::stdout().lock();
    let mut line = |what: &str, value: String| drop(writeln!(out, "| {what} | {value} |"));
    line("", String::new());
    line("---", "---".to_owned());
    line("students, versions each, `kill -9`", format!("{}, {}, {killed}", size.students, size.versions));
    line("submissions: in the ladder, failed", format!("{}, {}", facts.accepted, facts.failed));
    line("ladder matches that count, games of them", format!("{}, {}", facts.matches, facts.games));
    line("games played in all", facts.played.to_string());
    line("final table", "the same as recomputed from the records".to_owned());
    line("missing or double matches", "0".to_owned());
    line("processes left", left.len().to_string());
    line("time", format!("{:.0} s", began.elapsed().as_secs_f64()));
}

/// Everybody's last version plays, so that the table is full; what goes wrong comes before.
fn pick(rng: &mut Xoshiro256PlusPlus, version: usize, index: usize) -> Kind {
    match version {
        0 => Kind::ALL[(index + 1) % Kind::ALL.len()],
        _ if rng.random_range(0..3) == 0 => Kind::ALL[rng.random_range(0..Kind::ALL.len())],
        _ => Kind::Good,
    }
}

/// The teacher imports a list, the students sign in with their codes.
fn enrol(teacher: &Person, port: u16, count: usize) -> Vec<Person> {
    let list: String = (0..count).map(|number| format!("2351{number:03},学生{number},{}班\r\n", number % 3)).collect();
    let list = format!("\u{feff}学号,姓名,班级\r\n{list}");
    let answer = teacher.send(&Method::POST, "/api/accounts/import", "text/csv", list.as_bytes()).ok();
    assert_eq!(answer["added"], count);
    let codes = answer["codes"].as_array().expect("codes");
    let enrolled = codes.iter().enumerate().map(|(number, code)| {
        let student = Person::new(port);
        let (name, code) = (code["name"].as_str().expect("a name"), code["code"].as_str().expect("a code"));
        student.redeem(name, code, Some(&format!("brain-{number}")));
        student
    });
    enrolled.collect()
}

/// Ends the server as a power cut would, and starts it again.
fn cut_power(server: Server, folder: &Path, port: u16, workers: usize) -> Server {
    server.kill();
    let server = Server::start(folder, port, workers);
    assert_eq!(server.admin_code, None, "there is an admin");
    server
}

/// Every submission is built.
fn is_built(contest: &Value) -> bool {
    ["queued_builds", "building"].iter().all(|key| contest["judge"][key] == 0)
}

/// Every submission is built and every match played.
fn is_quiet(contest: &Value) -> bool {
    is_built(contest) && ["queued_games", "playing"].iter().all(|key| contest["judge"][key] == 0)
}

struct Facts {
    accepted: usize,
    failed: usize,
    matches: usize,
    games: usize,
    played: usize,
}

/// Compares everything with everything.
fn check(teacher: &Person, students: &[Person], sent: &[Vec<Kind>]) -> Facts {
    // States are what the kinds deserve, and the newest that plays counts.
    let (mut accepted, mut failed) = (0, 0);
    let mut counting = HashSet::new();
    for (student, kinds) in students.iter().zip(sent) {
        let list = student.get("/api/contests/course/submissions?account=me&limit=100").ok();
        let mut rows = list["items"].as_array().expect("submissions").clone();
        rows.reverse();
        assert_eq!(rows.len(), kinds.len());
        let newest = kinds.iter().rposition(|kind| kind.is_ranked());
        for (index, (row, kind)) in rows.iter().zip(kinds).enumerate() {
            let state = row["state"].as_str().expect("a state");
            let expected = match (kind.is_ranked(), newest == Some(index)) {
                (false, _) => "failed",
                (true, true) => "ranked",
                (true, false) => "replaced",
            };
            assert_eq!(state, expected, "{kind:?}: {row}");
            assert_eq!(row["counts"], newest == Some(index));
            let code = row["failure"]["code"].as_str();
            match kind {
                Kind::Broken => assert_eq!(code, Some("compile")),
                Kind::Mute => assert_eq!(code, Some("trial")),
                _ => assert_eq!(code, None),
            }
            if newest == Some(index) {
                counting.insert(row["id"].as_i64().expect("an id"));
            }
            *if kind.is_ranked() { &mut accepted } else { &mut failed } += 1;
        }
    }
    let records = teacher.get("/api/contests/course/export/records.jsonl");
    let records: Vec<Value> =
        records.text.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect();
    let (table, matches, games) = recompute(&records, &counting);
    let board = teacher.get("/api/contests/course/scoreboard").ok();
    let shown: Vec<(i64, u64, i64)> = board["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            let number = |key: &str| row[key].as_i64().unwrap_or_else(|| panic!("{key} of {row}"));
            assert_eq!(row["matches"]["left"], 0, "{row}");
            (number("submission"), number("points") as u64, number("difference"))
        })
        .collect();
    assert_eq!(shown, table, "the table differs from the one recomputed from the records");
    Facts { accepted, failed, matches, games, played: records.len() }
}

/// Games won by the one of the smaller number, by the other, and all.
type Score = (i64, i64, i64);

/// The table from the records alone: by code of its own, so that it cannot be wrong in the same way.
fn recompute(records: &[Value], counting: &HashSet<i64>) -> (Vec<(i64, u64, i64)>, usize, usize) {
    let mut seen = HashSet::new();
    let mut pairs: BTreeMap<(i64, i64), BTreeMap<i64, Score>> = BTreeMap::new();
    for record in records {
        let course = &record["course"];
        let number = |key: &str| course[key].as_i64().unwrap_or_else(|| panic!("{key} of {course}"));
        let (id, game, black, white) = (number("match"), number("game"), number("black"), number("white"));
        assert!(seen.insert((id, game)), "game {game} of match {id} is there twice");
        assert!(counts_as_record(record), "{record}");
        if course["state"] == "void" || !counting.contains(&black) || !counting.contains(&white) {
            continue;
        }
        let winner = match record["verdict"]["winner"].as_str() {
            Some("black") => Some(black),
            Some("white") => Some(white),
            _ => None,
        };
        let (smaller, larger) = (black.min(white), black.max(white));
        let entry = pairs.entry((smaller, larger)).or_default().entry(id).or_default();
        entry.0 += i64::from(winner == Some(smaller));
        entry.1 += i64::from(winner == Some(larger));
        entry.2 += 1;
    }
    let mut rows: HashMap<i64, (u64, i64)> = counting.iter().map(|&id| (id, (0, 0))).collect();
    let expected = counting.len() * (counting.len() - 1) / 2;
    assert_eq!(pairs.len(), expected, "matches are missing");
    for ((smaller, larger), matches) in &pairs {
        assert_eq!(matches.len(), 1, "{smaller} and {larger} met twice");
        for &(won, lost, games) in matches.values() {
            assert_eq!(games, 2, "{smaller} and {larger}");
            for (id, difference) in [(smaller, won - lost), (larger, lost - won)] {
                let row = rows.get_mut(id).expect("a row");
                row.0 += [0, 1, 3][(difference.signum() + 1) as usize];
                row.1 += difference;
            }
        }
    }
    let mut table: Vec<(i64, u64, i64)> = rows.into_iter().map(|(id, (points, games))| (id, points, games)).collect();
    // Versions are numbered in the order they came.
    table.sort_by_key(|&(id, points, difference)| (std::cmp::Reverse((points, difference)), id));
    (table, expected, expected * 2)
}

/// A record can be played through the rules again.
fn counts_as_record(record: &Value) -> bool {
    record["format"] == "boyi-record" && record["game"] == "tiaojia" && record["environment"]["sandbox"] != "none"
}

/// Processes of these servers' engines, or of programs in this folder.
fn processes(folder: &Path, pids: &[u32]) -> Vec<String> {
    let marks: Vec<String> = pids.iter().map(|pid| format!("BOYI_RUN={pid}-")).collect();
    let folder = folder.to_string_lossy().into_owned();
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let text =
        |path: std::path::PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let found =
        entries.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok()).filter_map(|entry| {
            let (command, environment) = (text(entry.path().join("cmdline")), text(entry.path().join("environ")));
            let program = std::fs::read_link(entry.path().join("exe")).unwrap_or_default();
            let ours = command.contains(&folder)
                || program.to_string_lossy().contains(&folder)
                || marks.iter().any(|mark| environment.contains(mark.as_str()));
            ours.then(|| format!("{}: {}", entry.file_name().to_string_lossy(), command.replace('\0', " ")))
        });
    found.collect()
}
