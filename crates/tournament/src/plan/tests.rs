use std::path::Path;
use std::time::Duration;

use games::Language;

use super::*;

const GOOD: &str = r#"
game = "不围棋"
format = "swiss"
rounds = 2
[time]
ply_ms = 100
[[engine]]
name = "a"
builtin = "random"
[[engine]]
command = "./b"
[[engine]]
builtin = "greedy"
"#;

fn read(text: &str) -> Result<Plan, PlanError> {
    let plan = Plan::read(text)?;
    plan.check(text, Path::new("."))?;
    Ok(plan)
}

#[test]
fn a_good_file_is_read() {
    let plan = read(GOOD).unwrap();
    assert_eq!((plan.format, plan.rounds, plan.games, plan.engines.len()), (FormatName::Swiss, Some(2), 2, 3));
    assert_eq!(plan.time.control().ply, Some(Duration::from_millis(100)));
    assert_eq!(plan.names(), ["a", "./b", "builtin:greedy"]);
}

#[test]
fn a_mistake_is_named_with_its_line_and_what_was_meant() {
    let wrong = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        read(&GOOD.replacen(from, to, 1)).unwrap_err()
    };
    let said = |from: &str, to: &str| wrong(from, to).to_string();
    assert_eq!(
        said("builtin = \"greedy\"", "buildin = \"greedy\""),
        "line 13: unknown field `buildin`; did you mean `builtin`?"
    );
    assert_eq!(said("\"swiss\"", "\"swis\""), "line 3: unknown variant `swis`; did you mean `swiss`?");
    assert!(said("不围棋", "chess").starts_with("line 2: no game is called"));
    assert!(said("rounds = 2", "rounds = 9").starts_with("line 3: 3 entrants can play at most"));
    assert!(said("name = \"a\"", "command = \"x\"").starts_with("line 7: an engine has either"));
    assert!(said("command = \"./b\"\n", "").starts_with("line 10: an engine has either"));
    assert!(said("[time]", "[variant]\nsize = 99\n[time]").starts_with("line 5: "));
    assert!(said("ply_ms = 100", "ply_ms = ").starts_with("line 6: "));
    assert_eq!(said("rounds = 2", "restart = \"keeps\""), "line 4: unknown variant `keeps`; did you mean `keep`?");
    assert_eq!(said("rounds = 2", "logs = \"loss\""), "line 4: unknown variant `loss`; did you mean `lost`?");
    assert_eq!(
        said("[time]", "[adjudication]\nmax_ply = 3\n[time]"),
        "line 6: unknown field `max_ply`; did you mean `max_plies`?"
    );
    assert!(said("[time]", "[adjudication]\nwin = { score = 5 }\n[time]").starts_with("line 6: missing field `plies`"));
    assert!(said("[time]", "[adjudication]\nmax_plies = 0\n[time]").starts_with("line 6: a game needs"));
    assert!(said("[time]", "[openings]\nrandom = 2\nbalanced = 40\n[time]").starts_with("line 7: balanced is"));
    assert!(
        said("[time]", "[openings]\nplies = [\"AA AA\"]\n[time]").starts_with("line 5: opening \"AA AA\": neither")
    );
    assert!(said("[time]", "[openings]\nfile = \"/nowhere\"\n[time]").starts_with("line 6: /nowhere: "));
    assert!(said("rounds = 2", "concurrency = 0").starts_with("line 4: at least one"));
    let chinese = wrong("\"swiss\"", "\"swis\"").say(Language::Zh);
    assert_eq!(chinese, "第 3 行：不能取值“swis”；是否想用“swiss”？");
    assert_eq!(
        wrong("rounds = 2", "rounds = 9").say(Language::Zh),
        "第 3 行：3 个参赛者不重复对阵最多 3 轮，给出的是 9 轮"
    );
}

#[test]
fn a_written_plan_says_the_same() {
    let mut plan = read(GOOD).unwrap();
    plan.variant = serde_json::json!({ "size": 9 });
    plan.time.game_ms = Some(0);
    plan.adjudication.max_plies = Some(300);
    plan.adjudication.draw = Some(referee::DrawRule { score: 5, plies: 8, after: 40 });
    plan.openings.random = Some(4);
    plan.engines[1].options = serde_json::json!({ "errors_allowed": 1 });
    plan.points = Points::One;
    let text = plan.write().unwrap();
    assert_eq!(read(&text).unwrap(), plan, "{text}");
    let least = Plan { engines: plan.engines.clone(), ..Plan::of_game("nogo") };
    assert_eq!(read(&least.write().unwrap()).unwrap(), least);
}

#[test]
fn time_has_no_hidden_limits() {
    let control = |ply_ms, game_ms| PlannedTime { ply_ms, game_ms, ..PlannedTime::default() }.control();
    assert_eq!(control(None, None).ply, Some(Duration::from_secs(5)));
    assert_eq!(control(None, Some(1000)).ply, None, "whoever has a clock for the game needs none for a ply");
    assert_eq!((control(Some(0), None).ply, control(Some(0), None).game), (None, None));
}

#[test]
fn equal_names_are_numbered() {
    let engine = PlannedEngine { builtin: Some("random".to_owned()), ..PlannedEngine::default() };
    let plan = Plan { engines: vec![engine.clone(), engine.clone(), engine], ..Plan::of_game("nogo") };
    assert_eq!(plan.names(), ["builtin:random", "builtin:random (2)", "builtin:random (3)"]);
}
