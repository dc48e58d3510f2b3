//! The flags that say what a tournament file can say.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use games::{Language, Phrase};
use referee::{DrawRule, WinRule};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tournament::plan::Plan;

use crate::context::Context;

/// The flags of `match` and `tournament run` beside those every command has.
pub(crate) fn contest_arguments(language: Language) -> Vec<Arg> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let number = |name: &'static str, value: &'static str, help| {
        Arg::new(name).long(name).value_name(value).value_parser(value_parser!(u32).range(1..)).help(help)
    };
    let word = |name: &'static str, values: &'static [&'static str], shown: &'static str, help| {
        Arg::new(name).long(name).value_name(shown).value_parser(values.to_vec()).hide_possible_values(true).help(help)
    };
    vec![
        Arg::new("concurrency")
            .long("concurrency")
            .short('j')
            .value_name("N")
            .value_parser(value_parser!(u64).range(1..=1024))
            .help(say(
                "games at once, one pinned core each, two with --ponder [default: as many as there are cores for]",
                "同时对局数，每局占一核，允许后台思考时占两核 [缺省：按核心数]",
            )),
        Arg::new("openings").long("openings").value_name("FILE").help(say(
            "begin from these: one opening a line, plies or a position; `#` begins a comment",
            "开局文件：每行一个开局，写着法序列或局面；# 起为注释",
        )),
        Arg::new("opening-plies")
            .long("opening-plies")
            .value_name("N")
            .value_parser(value_parser!(u32).range(0..=100))
            .help(say(
                "begin each pair after so many random plies; engines must be able to be told (docs/openings.md)",
                "每对局先随机走若干步；引擎须能接受开局（见 docs/openings.zh-CN.md）",
            )),
        Arg::new("balanced")
            .long("balanced")
            .value_name("PERCENT")
            .value_parser(value_parser!(u8).range(50..=100))
            .help(say(
                "leave out random openings from which a side scores more than this in quick games",
                "舍弃快速试下中一方得分率超过此值的随机开局",
            )),
        number("max-plies", "N", say("a game of so many plies is a draw", "达到此步数判和")),
        Arg::new("win-score").long("win-score").value_name("SCORE,PLIES").value_parser(read_win).help(say(
            "a side wins when both engines give it SCORE or more for PLIES plies in a row (gomocup, tiaojia)",
            "双方评分连续 PLIES 步一致达到 SCORE 时判胜（gomocup、tiaojia）",
        )),
        Arg::new("draw-score").long("draw-score").value_name("SCORE,PLIES[,AFTER]").value_parser(read_draw).help(say(
            "a draw when both engines stay within ±SCORE for PLIES plies in a row, after ply AFTER",
            "AFTER 步之后，双方评分连续 PLIES 步不超过 ±SCORE 时判和",
        )),
        word(
            "restart",
            &["game", "keep"],
            "game|keep",
            say(
                "start engines for every game, or keep them for the next [default game]",
                "每局重新启动引擎，或保留到下一局 [缺省 game]",
            ),
        ),
        word(
            "logs",
            &["none", "lost", "all"],
            "none|lost|all",
            say(
                "keep the conversations: of no game, of those lost by crash, time or a foul, of all [default none]",
                "保存通信记录：不保存、仅因崩溃超时犯规而负的对局、全部 [缺省 none]",
            ),
        ),
        Arg::new("memory")
            .long("memory")
            .value_name("MIB")
            .value_parser(value_parser!(u64).range(1..=1 << 20))
            .help(say("the memory engines are told of", "告知引擎的内存上限（MiB）")),
        Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help(say("no progress", "不显示进度")),
    ]
}

/// The flags of `tournament run` alone.
pub(crate) fn tournament_arguments(language: Language) -> Vec<Arg> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let count = |name: &'static str, help| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u32).range(1..=1_000_000)).help(help)
    };
    vec![
        Arg::new("game").long("game").value_name("GAME").help(say("the game", "棋种")),
        Arg::new("engine").long("engine").value_name("[NAME=]P").action(ArgAction::Append).help(say(
            "one more engine, repeatable: a command line, or builtin[:level]",
            "增加一个引擎，可重复：命令行或 builtin[:级别]",
        )),
        Arg::new("event").long("event").value_name("TEXT").help(say("the tournament's name", "赛事名称")),
        Arg::new("format")
            .long("format")
            .value_name("round-robin|gauntlet|swiss|knockout")
            .value_parser(["round-robin", "gauntlet", "swiss", "knockout"])
            .hide_possible_values(true)
            .help(say("how it is run", "赛制：循环、挑战、瑞士、淘汰")),
        count("rounds", say("how often everybody meets; rounds of a Swiss", "循环次数；瑞士制轮数")),
        count("games", say("games of a match", "每场局数")),
        count("challengers", say("gauntlet: how many of the first play all others", "挑战赛：前几名为挑战者")),
        Arg::new("points")
            .long("points")
            .value_name("3/1/0|2/1/0|1/½/0")
            .value_parser(["3/1/0", "2/1/0", "1/½/0", "1/0.5/0"])
            .hide_possible_values(true)
            .help(say("what a match (3/1/0) or a game is worth", "计分：3/1/0 按场，其余按局")),
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .value_parser(value_parser!(u64).range(..=i64::MAX as u64))
            .help(say("everything random follows from it", "随机种子")),
    ]
}

/// A value that stands on the command line, not a default.
fn given<'a, T: Clone + Send + Sync + 'static>(matches: &'a ArgMatches, name: &str) -> Option<&'a T> {
    let on_line = matches.try_contains_id(name).unwrap_or_default()
        && matches.value_source(name) == Some(ValueSource::CommandLine);
    if on_line { matches.get_one(name) } else { None }
}

/// A word that is one of an enumeration's, as in a file.
fn word<T: DeserializeOwned>(matches: &ArgMatches, name: &str) -> Option<T> {
    given::<String>(matches, name).and_then(|word| serde_json::from_value(Value::String(word.clone())).ok())
}

/// Lets those flags override what a plan says that may change while its tournament is under way.
pub(crate) fn apply_lasting(matches: &ArgMatches, plan: &mut Plan) {
    if let Some(&count) = given::<u64>(matches, "concurrency") {
        plan.concurrency = Some(count as usize);
    }
    if let Some(logs) = word(matches, "logs") {
        plan.logs = logs;
    }
}

/// Lets the flags override what a plan says.
pub(crate) fn apply(context: &Context, matches: &ArgMatches, plan: &mut Plan) -> anyhow::Result<()> {
    let text = |name: &str| given::<String>(matches, name).cloned();
    let count = |name: &str| given::<u32>(matches, name).map(|&count| count as usize);
    let pairs = |name: &str| {
        let list = matches.get_many::<String>(name).into_iter().flatten().map(String::as_str);
        games::read_pairs(list).map_err(|error| anyhow::anyhow!(error.say(context.language)))
    };
    fn set<T>(field: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *field = value;
        }
    }
    set(&mut plan.event, text("event").map(Some));
    set(&mut plan.format, word(matches, "format"));
    set(&mut plan.rounds, count("rounds").map(Some));
    set(&mut plan.games, count("games"));
    set(&mut plan.challengers, count("challengers"));
    set(&mut plan.points, word(matches, "points"));
    set(&mut plan.seed, given::<u64>(matches, "seed").copied());
    set(&mut plan.ponder, given::<bool>(matches, "ponder").copied());
    set(&mut plan.restart, word(matches, "restart"));
    set(&mut plan.sandbox, text("sandbox").map(Some));
    set(&mut plan.gap_ms, given::<u64>(matches, "gap-ms").copied());
    set(&mut plan.memory_mib, given::<u64>(matches, "memory").copied().map(Some));
    set(&mut plan.adjudication.max_plies, given::<u32>(matches, "max-plies").copied().map(Some));
    set(&mut plan.adjudication.win, given::<WinRule>(matches, "win-score").copied().map(Some));
    set(&mut plan.adjudication.draw, given::<DrawRule>(matches, "draw-score").copied().map(Some));
    apply_lasting(matches, plan);
    apply_time(matches, plan);
    apply_openings(matches, plan)?;
    if matches.contains_id("variant") {
        merge(&mut plan.variant, pairs("variant")?);
    }
    for engine in plan.engines.iter_mut().filter(|engine| engine.command.is_some()) {
        set(&mut engine.protocol, text("protocol").map(Some));
        set(&mut engine.memory_mib, given::<u64>(matches, "memory").copied().map(Some));
        if matches.contains_id("option") {
            merge(&mut engine.options, pairs("option")?);
        }
    }
    starts_are_openings(plan);
    Ok(())
}

/// A list of starts among the options of a game is a list of openings: each is played from both sides, and whoever
/// cannot be told it is not let in.
fn starts_are_openings(plan: &mut Plan) {
    // What is wrong with the options is said where they are used.
    let Ok(game) = games::find(&plan.game) else { return };
    let Ok(table) = game.open(&plan.variant, None) else { return };
    let starts = table.starts();
    let openings = &mut plan.openings;
    let others = openings.random.is_some() || openings.file.is_some() || !openings.positions.is_empty();
    if starts.is_empty() || others || !openings.plies.is_empty() {
        return;
    }
    if let Value::Object(options) = &mut plan.variant {
        let list = Value::from(starts.clone());
        options.retain(|_, value| *value != list);
    }
    openings.plies = starts;
}

fn apply_time(matches: &ArgMatches, plan: &mut Plan) {
    let time = |name: &str| {
        let given = given::<Option<std::time::Duration>>(matches, name)?;
        // 0 is no limit in a plan.
        Some(Some(given.map_or(0, |time| time.as_millis() as u64)))
    };
    if let Some(&tolerance) = given::<u64>(matches, "tolerance") {
        plan.time.tolerance_ms = tolerance;
    }
    let fields = [
        ("ply-time", &mut plan.time.ply_ms),
        ("game-time", &mut plan.time.game_ms),
        ("increment", &mut plan.time.increment_ms),
        ("start-time", &mut plan.time.start_ms),
    ];
    for (name, field) in fields {
        if let Some(value) = time(name) {
            *field = value;
        }
    }
}

/// Openings of the command line replace those of the file.
fn apply_openings(matches: &ArgMatches, plan: &mut Plan) -> anyhow::Result<()> {
    let (file, plies) = (given::<String>(matches, "openings"), given::<u32>(matches, "opening-plies").copied());
    let position = matches.try_get_one::<String>("position").ok().flatten();
    let openings = &mut plan.openings;
    if file.is_some() || plies.is_some() || position.is_some() {
        *openings = tournament::plan::PlannedOpenings { balanced: openings.balanced, ..Default::default() };
        openings.random = plies.filter(|&plies| plies > 0);
        openings.positions.extend(position.cloned());
    }
    if let Some(file) = file {
        // Flags are seen from here, the words of a file from where the file is.
        openings.file = Some(std::path::absolute(file)?.to_string_lossy().into_owned());
    }
    if openings.random.is_none() {
        openings.balanced = None;
    }
    if let Some(most) = given::<u8>(matches, "balanced") {
        openings.balanced = Some(*most);
    }
    Ok(())
}

/// Puts the keys of one object over another's.
fn merge(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => under.extend(over),
        (under, over) => *under = over,
    }
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|word| word.trim().parse().ok()).collect()
}

fn read_win(text: &str) -> Result<WinRule, String> {
    match numbers(text).as_deref() {
        Some(&[score, plies]) if score > 0 => Ok(WinRule { score, plies }),
        _ => Err("500,6".to_owned()),
    }
}

fn read_draw(text: &str) -> Result<DrawRule, String> {
    match numbers(text).as_deref() {
        Some(&[score, plies]) => Ok(DrawRule { score, plies, after: 0 }),
        Some(&[score, plies, after]) => Ok(DrawRule { score, plies, after }),
        _ => Err("10,8,40".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        assert_eq!(read_win("500, 6"), Ok(WinRule { score: 500, plies: 6 }));
        assert_eq!(read_draw("10,8,40"), Ok(DrawRule { score: 10, plies: 8, after: 40 }));
        assert_eq!(read_draw("10,8"), Ok(DrawRule { score: 10, plies: 8, after: 0 }));
        for bad in ["", "5", "0,3", "-1,2", "1,2,3"] {
            assert!(read_win(bad).is_err(), "{bad}");
        }
    }
}
