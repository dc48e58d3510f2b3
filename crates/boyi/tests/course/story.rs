//! One student's story: a broken brain, a good one, a lost game with its DEBUG line; and what he must not see.

use std::time::Duration;

use base64::Engine as _;
use serde_json::json;

use crate::brains::{Kind, Tongue, source};
use crate::client::{Person, Server, free_port};

const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn from_a_compile_error_to_a_lost_game() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let server = Server::start(folder.path(), port, 1);
    let teacher = Person::new(port);
    teacher.redeem("admin", server.admin_code.as_deref().unwrap(), None);
    // A mute brain is waited for as long as it may take to start.
    let rules = json!({ "interval_s": 0, "ply_ms": 1000, "start_ms": 3000 });
    teacher.post("/api/contests", &json!({ "id": "c", "title": "C", "game": "tiaojia", "rules": rules })).ok();
    let mut people = Vec::new();
    for name in ["one", "two"] {
        let made = teacher.post("/api/accounts", &json!({ "name": name })).ok();
        let person = Person::new(port);
        person.redeem(name, made["code"].as_str().unwrap(), Some(&format!("{name} of us")));
        people.push(person);
    }
    let [one, two] = &people[..] else { panic!("two people") };
    let submit = |person: &Person, tongue: Tongue, kind, number| {
        let body = json!({ "language": tongue.id(), "source": source(tongue, kind, number) });
        person.post("/api/contests/c/submissions", &body).ok()["id"].as_i64().unwrap()
    };
    let settled = |person: &Person, id: i64| {
        person.until(&format!("/api/submissions/{id}"), PATIENCE, |face| {
            ["ranked", "failed", "replaced"].contains(&face["state"].as_str().unwrap_or_default())
        })
    };

    let broken = settled(one, submit(one, Tongue::C, Kind::Broken, 1));
    assert_eq!((broken["state"].as_str(), broken["failure"]["code"].as_str()), (Some("failed"), Some("compile")));
    assert!(broken["compile"]["messages"].as_str().unwrap().contains("error"), "{broken}");
    assert!(!broken["compile"]["sentence"]["zh"].as_str().unwrap().is_empty());
    let mute = settled(one, submit(one, Tongue::Python, Kind::Mute, 1));
    assert_eq!(mute["failure"]["code"], "trial");
    // The limit it is told of is the contest's, not the protocol's own.
    let told = &mute["failure"]["text"];
    assert!(told["en"].as_str().unwrap().contains("(limit 3000 ms, took 3"), "{told}");
    assert!(told["zh"].as_str().unwrap().contains("限时 3000 毫秒"), "{told}");
    let findings = mute["trial"]["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["severity"] == "error"), "{mute}");
    let crashing = submit(one, Tongue::C, Kind::Crashes, 3);
    assert_eq!(settled(one, crashing)["trial"]["result"], "passed");
    let good = submit(two, Tongue::C, Kind::Good, 2);
    let face = settled(two, good);
    assert_eq!(face["state"], "ranked", "{face}");
    let board = one.get("/api/contests/c/scoreboard").ok();
    assert_eq!((board["rows"][0]["submission"].as_i64(), board["rows"][0]["points"].as_i64()), (Some(good), Some(3)));
    assert_eq!((board["rows"][1]["you"].as_bool(), board["rows"][1]["person"].is_null()), (Some(true), true));

    // Why did I lose: the reason, the DEBUG line, time and memory of each ply, and exactly what it was sent.
    let losses = one.get("/api/contests/c/losses").ok();
    assert_eq!(losses["groups"][0]["reason"]["code"], "exited", "{losses}");
    let lost = &losses["groups"][0]["games"][0];
    let path = format!("/api/matches/{}/games/{}", lost["match"], lost["number"]);
    let seat = lost["side"].as_str().unwrap();
    let game = one.get(&path).ok();
    assert_eq!(game["you"], seat);
    assert!(game["verdict"]["evidence"]["detail"].as_str().unwrap().contains("SIGABRT"), "{}", game["verdict"]);
    assert!(game["steps"].as_array().unwrap().iter().any(|step| step["memory_bytes"].as_i64() > Some(0)), "{game}");
    assert!(game["usage"][seat]["cpu_ms"].is_i64());
    let log = one.get(&format!("{path}/log?seat={seat}"));
    assert!(log.text.contains("< DEBUG brain 3"), "{}", log.text);
    let input = one.get(&format!("{path}/input?seat={seat}")).text;
    assert!(input.starts_with("START ") && input.contains("\nTURN\n"), "{input}");
    let frames = one.get(&format!("{path}/frames")).ok();
    assert!(frames["frames"].as_array().unwrap().len() >= 20);

    // The other one sees the game, and nothing of what the program said or is.
    let other = two.get(&path).ok();
    assert!(other["verdict"]["evidence"]["lines"].is_null(), "{}", other["verdict"]);
    for text in [two.get(&path), two.get(&format!("{path}/record")), two.get(&format!("{path}/frames"))] {
        assert_eq!(text.status, 200);
        assert!(!text.text.contains("brain 3"), "{}", text.text);
    }
    assert_eq!(two.get(&format!("{path}/log?seat={seat}")).refused(404), "not-found");
    assert_eq!(two.get(&format!("{path}/input?seat={seat}")).refused(404), "not-found");
    assert_eq!(two.get(&format!("/api/submissions/{crashing}/source")).refused(404), "not-found");
    let seen = two.get(&format!("/api/submissions/{crashing}")).ok();
    assert!(seen["compile"].is_null() && seen["trial"].is_null() && seen["file_name"].is_null(), "{seen}");
    assert!(teacher.get(&format!("{path}/log?seat={seat}")).text.contains("DEBUG brain 3"));
    assert!(teacher.get(&format!("/api/submissions/{crashing}/source")).text.contains("abort()"));

    // A challenge is played and changes no points; the assistant's tools work.
    let challenge = two.post(&format!("/api/submissions/{good}/challenge"), &json!({ "opponent": crashing })).ok();
    let path = format!("/api/matches/{}", challenge["id"]);
    two.until(&path, PATIENCE, |face| face["state"] == "done");
    assert_eq!(one.get("/api/contests/c/scoreboard").ok()["rows"][0]["points"], 3);
    teacher.post("/api/contests/c/lock", &json!({ "reason": "期末答辩" })).ok();
    let body = json!({ "language": "c", "source": "int main(void){return 0;}" });
    assert_eq!(one.post("/api/contests/c/submissions", &body).refused(409), "contest-locked");
    teacher.post(&format!("/api/submissions/{crashing}/disqualify"), &json!({ "reason": "抄袭" })).ok();
    assert_eq!(one.get("/api/contests/c/scoreboard").ok()["players"], 1);
    let grades = teacher.get("/api/contests/c/export/grades.csv");
    assert!(grades.text.contains("two") && grades.text.contains("rank,id"), "{}", grades.text);
    assert_eq!(one.get("/api/contests/c/export/grades.csv").refused(403), "not-allowed");
    server.stop();
}

/// A student against built-in players, in a game with secrets too: they play like anybody, and nobody reads what they
/// think.
#[test]
fn a_program_is_measured_against_built_in_players() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let server = Server::start(folder.path(), port, 2);
    let teacher = Person::new(port);
    teacher.redeem("admin", server.admin_code.as_deref().unwrap(), None);
    let made = teacher.post("/api/accounts", &json!({ "name": "one", "group": "一班" })).ok();
    let student = Person::new(port);
    student.redeem("one", made["code"].as_str().unwrap(), Some("one of us"));
    let python = include_str!("../../../../sdk/python/phantom-go.py").to_owned();
    let rules = json!({ "interval_s": 0, "ply_ms": 1000, "start_ms": 5000 });
    for (id, game, language, source, references) in [
        ("t", "tiaojia", "c", source(Tongue::C, Kind::Good, 5), ["random", "1"]),
        ("p", "phantom-go", "python", python, ["random", "greedy"]),
    ] {
        let wish = json!({ "id": id, "title": id, "game": game, "rules": rules, "references": references,
            "audience": { "groups": ["一班"] } });
        teacher.post("/api/contests", &wish).ok();
        let body = json!({ "language": language, "source": source });
        let own = student.post(&format!("/api/contests/{id}/submissions"), &body).ok()["id"].as_i64().unwrap();
        let face = student.until(&format!("/api/submissions/{own}"), PATIENCE, |face| {
            ["ranked", "failed"].contains(&face["state"].as_str().unwrap_or_default())
        });
        assert_eq!((face["state"].as_str(), face["matches"].as_array().unwrap().len()), (Some("ranked"), 2), "{face}");
        let board = student.get(&format!("/api/contests/{id}/scoreboard")).ok();
        assert_eq!(
            (&board["players"], &board["matches_done"], &board["matches_all"]),
            (&json!(1), &json!(2), &json!(2))
        );
        let row = board["rows"].as_array().unwrap().iter().find(|row| row["submission"] == own).unwrap();
        let against = row["against"].as_array().unwrap();
        assert_eq!((&row["rank"], &row["points"], against.len()), (&json!(1), &json!(0), 2), "{row}");
        for one in against {
            let games = ["won", "drawn", "lost"].map(|key| one[key].as_i64().unwrap());
            assert_eq!(games.iter().sum::<i64>(), 2, "{row}");
            let path = format!("/api/matches/{}/games/0", one["match"]);
            let game = student.get(&path).ok();
            let seat = game["you"].as_str().unwrap();
            let other = if seat == "black" { "white" } else { "black" };
            assert_eq!((&game[other]["kind"], &game["talks"]), (&json!("reference"), &json!([seat])));
            student.get(&format!("{path}/log?seat={other}")).refused(404);
            assert_eq!(teacher.get(&format!("{path}/log?seat={other}")).text, "", "it says nothing");
            let record = student.get(&format!("{path}/record")).ok();
            assert_eq!(record["seats"][other]["kind"], "builtin", "{record}");
        }
        let grades = teacher.get(&format!("/api/contests/{id}/export/grades.csv")).text;
        let heading = format!(",vs boyi-{},vs boyi-{}", references[0], references[1]);
        assert!(grades.lines().next().unwrap().ends_with(&heading), "{grades}");
        assert_eq!(grades.lines().count(), 2, "{grades}");
        Person::new(port).get(&format!("/api/submissions/{own}")).refused(404);
    }
    server.stop();
}

/// It is built well and cannot be run: told at once as a fault of the program's, not tried again for ever as one of the
/// machine's.
#[test]
fn a_program_that_cannot_be_run_fails_its_trial() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let server = Server::start(folder.path(), port, 1);
    let teacher = Person::new(port);
    teacher.redeem("admin", server.admin_code.as_deref().unwrap(), None);
    let rules = json!({ "interval_s": 0, "archives": true });
    teacher.post("/api/contests", &json!({ "id": "c", "title": "C", "game": "tiaojia", "rules": rules })).ok();
    let makefile = "program:\n\tprintf '#!/no/such/interpreter\\n' > program\n\tchmod +x program\n";
    let file = course::ArchiveFile { path: "Makefile".into(), bytes: makefile.into() };
    let source = base64::engine::general_purpose::STANDARD.encode(course::write_zip([file]).unwrap());
    let body = json!({ "language": "c", "file_name": "brain.zip", "source_base64": source });
    let id = teacher.post("/api/contests/c/submissions", &body).ok()["id"].as_i64().unwrap();
    let face = teacher.until(&format!("/api/submissions/{id}"), PATIENCE, |face| face["state"] == "failed");
    assert_eq!(face["failure"]["code"], "trial", "{face}");
    for (language, mend) in [("en", "first line names an interpreter"), ("zh", "首行写明已安装解释器")] {
        assert!(face["failure"]["text"][language].as_str().unwrap().contains(mend), "{face}");
    }
    let folder = folder.path().to_str().unwrap();
    assert!(!face.to_string().contains(folder), "no path of the server's: {face}");
    server.stop();
}
