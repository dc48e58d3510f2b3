//! Every text of the page, in both languages.

use games::Phrase;
use serde_json::{Map, Value, json};

const fn text(key: &'static str, en: &'static str, zh: &'static str) -> (&'static str, Phrase) {
    (key, Phrase::new(en, zh))
}

/// By key; `{0}`, `{1}` … stand for values.
static TEXTS: &[(&str, Phrase)] = &[
    // The page.
    text("complete", "{0} games, complete", "共 {0} 局，已结束"),
    text("under-way", "{0} games so far, under way", "已下 {0} 局，进行中"),
    text("theme", "Light / dark", "明 / 暗"),
    text("contents", "Contents", "目录"),
    text("conditions", "Conditions", "比赛条件"),
    text("made-by", "Made by {0}", "由 {0} 生成"),
    // What must be known before the figures are believed.
    text(
        "notice-repeated",
        "{0} of {1} games are distinct; the others repeat one of them. Ratings and tests take each once; points count all.",
        "{1} 局中有 {0} 局各不相同，其余为重复。等级分与检验只计一次，积分计全部对局。",
    ),
    text("notice-never-played", "{0} never played a legal ply.", "{0} 从未走出合法着法。"),
    text("notice-elo", "The Elo of {0} is not measurable: {1}.", "{0} 的等级分无法测定：{1}。"),
    text("not-measurable", "not measurable: {0}", "无法测定：{0}"),
    // Standings.
    text("standings", "Standings", "积分榜"),
    text("standings-caption", "Points, tie-breaks and ratings of all engines", "各引擎积分、破同分与等级分"),
    text("engine", "Engine", "引擎"),
    text("score", "Score", "成绩"),
    text("score-label", "{0} won, {1} drawn, {2} lost", "{0} 胜 {1} 和 {2} 负"),
    text("points", "Points", "积分"),
    text("about-points", "By the tournament's point system", "按本赛事的计分办法"),
    text("played", "Games", "局数"),
    text("about-played", "Games played", "已下局数"),
    text("won", "Won", "胜"),
    text("about-won", "Games won", "胜局"),
    text("drawn", "Drawn", "和"),
    text("about-drawn", "Games drawn", "和局"),
    text("lost", "Lost", "负"),
    text("about-lost", "Games lost", "负局"),
    text("buchholz", "Buchholz", "对手分"),
    text("about-buchholz", "Sum of the opponents' points", "所有对手的积分之和"),
    text("median-buchholz", "Med. B.", "中间对手分"),
    text("about-median-buchholz", "Buchholz without the best and the worst opponent", "去掉最高与最低的对手后的对手分"),
    text("sonneborn-berger", "S.-B.", "索伯分"),
    text(
        "about-sonneborn-berger",
        "Sonneborn-Berger: points of beaten opponents and half of those drawn with",
        "索伯分：所胜对手的积分与所和对手积分的一半之和",
    ),
    text("direct-encounter", "Direct", "直胜"),
    text("about-direct-encounter", "Points among those still equal", "同分者之间的得分"),
    text("first-moves", "Moved 1st", "执先"),
    text("about-first-moves", "Games in which it moved first", "执先局数"),
    text("byes", "Byes", "轮空"),
    text("about-byes", "Rounds without an opponent", "轮空轮数"),
    text("elo", "Elo", "等级分"),
    text("about-elo", "With the 95 % interval", "附 95% 置信区间"),
    // Cross-table.
    text("cross-table", "Cross-table", "对战表"),
    text("cross-caption", "Results of each engine against each other one", "各引擎之间的战绩"),
    text("cross-label", "{0} against {1}: {2} won, {3} drawn, {4} lost", "{0} 对 {1}：{2} 胜 {3} 和 {4} 负"),
    text(
        "cross-remark",
        "Points of games for the engine of the row; columns are places in the table. A click shows the games.",
        "为行方所得局分，列为积分榜名次；点击可查看对局。",
    ),
    // Ratings.
    text("ratings", "Ratings", "等级分"),
    text(
        "ratings-remark",
        "Elo around a mean of 0, from a Bradley–Terry fit; bars are 95 % intervals.",
        "等级分以平均值为 0，由 Bradley–Terry 模型得出；横线为 95% 置信区间。",
    ),
    text(
        "first-move-remark",
        "Moving first is worth {0} Elo; equals draw {1} of their games.",
        "先手优势为 {0} 等级分；旗鼓相当时和棋率 {1}。",
    ),
    // A match of two.
    text("match", "Match", "对抗"),
    text("elo-difference", "Elo difference", "等级分差"),
    text("normalized-elo", "Normalized Elo", "标准化等级分"),
    text(
        "about-normalized-elo",
        "The advantage in standard deviations of a single game",
        "以单局成绩标准差为单位的优势",
    ),
    text("superiority", "Likelihood of superiority", "更强的概率"),
    text("about-superiority", "How likely the first engine is the stronger one", "前一引擎更强的概率"),
    text("first-move", "Moving first", "先手优势"),
    text("pairs", "Pairs of games", "成对结果"),
    text(
        "pairs-remark",
        "Points of {0} in two games over one opening with sides swapped.",
        "同一开局交换先后手的两局中 {0} 的得分。",
    ),
    text("sprt-continue", "undecided", "尚未判定"),
    text("sprt-accept_h0", "H0 accepted", "接受 H0"),
    text("sprt-accept_h1", "H1 accepted", "接受 H1"),
    text(
        "sprt-remark",
        "H0: at most {0}, H1: at least {1} ({2}); error rates {3} and {4}. The log-likelihood ratio decides where it reaches a bound.",
        "H0：至多 {0}，H1：至少 {1}（{2}）；两类错误率 {3} 与 {4}。对数似然比到达任一界限即判定。",
    ),
    text("model-normalized", "normalized Elo", "标准化等级分"),
    text("model-logistic", "logistic Elo", "等级分"),
    // Time.
    text("time-used", "Time", "用时"),
    text("time-caption", "Time each engine used for a ply", "各引擎每步用时"),
    text("timed-plies", "Plies", "步数"),
    text("mean", "Mean", "平均"),
    text("median", "Median", "中位数"),
    text("p95", "95th pct.", "95 分位"),
    text("max", "Longest", "最长"),
    text("mean-share", "Of limit, mean", "占时限（平均）"),
    text("largest-share", "Of limit, most", "占时限（最多）"),
    text("total", "Total", "总计"),
    text("distribution", "How long plies took", "每步用时分布"),
    text(
        "time-remark",
        "Columns are shares of an engine's plies between the times below; plies of an opening are left out.",
        "柱高为该引擎用时落在相应区间的步数比例；开局给定的着法不计。",
    ),
    text("limit", "Time limit", "时限"),
    text("limit-remark", "A ply may take {0}.", "每步时限 {0}。"),
    // Losses.
    text("losses", "Reasons of losses", "负局原因"),
    text("loss-label", "{0} lost {1}: {2}", "{0} 负 {1} 局：{2}"),
    text(
        "losses-remark",
        "Cool colours are decisions by the rules, warm ones by the referee. A click shows the games.",
        "冷色为按规则判负，暖色为裁判判负；点击可查看对局。",
    ),
    // Games.
    text("games", "Games", "对局"),
    text("games-caption", "All games; a row opens the replay", "全部对局；点击一行可回放"),
    text("games-shown", "{0}–{1} of {2}", "第 {0}–{1} 局，共 {2} 局"),
    text(
        "listed-only",
        "{0} games are listed without their boards to keep this page small; `boyi tournament report --replays N` takes more in.",
        "为控制页面大小，{0} 局仅列出而不含棋盘；可用 boyi tournament report --replays N 加入更多。",
    ),
    text("all", "all", "全部"),
    text("opponent", "Opponent", "对手"),
    text("result", "Result", "结果"),
    text("reason", "Reason", "原因"),
    text("clear", "Clear", "清除"),
    text("engine-won", "the engine won", "该引擎胜"),
    text("engine-lost", "the engine lost", "该引擎负"),
    text("first-wins", "first mover won", "先手胜"),
    text("second-wins", "second mover won", "后手胜"),
    text("round", "Round", "轮次"),
    text("first-mover", "First mover", "先手"),
    text("second-mover", "Second mover", "后手"),
    text("plies", "Plies", "步数"),
    text("time", "Time", "用时"),
    text("previous", "Previous", "上一页"),
    text("next", "Next", "下一页"),
    // The replay.
    text("replay", "Replay game", "回放第"),
    text("game-number", "Game {0}", "第 {0} 局"),
    text("round-number", "round {0}", "第 {0} 轮"),
    text("previous-game", "Previous game (Page Up)", "上一局（Page Up）"),
    text("next-game", "Next game (Page Down)", "下一局（Page Down）"),
    text("download", "Download record", "下载棋谱"),
    text("close", "Close (Esc)", "关闭（Esc）"),
    text("first-ply", "To the start (Home)", "回到开头（Home）"),
    text("previous-ply", "Back (←)", "后退（←）"),
    text("next-ply", "On (→)", "前进（→）"),
    text("last-ply", "To the end (End)", "到结尾（End）"),
    text("play", "Play", "播放"),
    text("pause", "Pause", "暂停"),
    text("ply", "Ply", "步"),
    text("opening-ply", "opening", "开局"),
    text("refused", "refused", "被拒"),
    text("lost-ply", "loses", "判负"),
    text("to-move", "{0} to move · {1} played", "轮到{0}行棋 · 已行 {1} 步"),
    text("plies-played", "{0} plies played", "已行 {0} 步"),
    text("wins", "{0} wins", "{0}胜"),
    text("drawn-game", "draw", "和棋"),
    text("no-result", "no result", "无结果"),
    text("because", "{0}: {1}", "{0}：{1}"),
    text("no-board", "This game has no board.", "本局没有棋盘。"),
    text("evidence-seat", "Seat", "席位"),
    text("evidence-limit_ms", "Limit", "时限"),
    text("evidence-tolerance_ms", "Tolerance", "容差"),
    text("evidence-measured_ms", "Measured", "实测"),
    text("evidence-unreadable", "No move", "不是着法"),
    text("evidence-ply", "Ply", "着法"),
    text("evidence-detail", "Detail", "说明"),
    text("evidence-lines", "Last lines of the conversation", "最后的通信内容"),
];

/// All of them, for the page.
pub(super) fn all() -> Value {
    let entries: Map<String, Value> = TEXTS.iter().map(|(key, phrase)| ((*key).to_owned(), json!(phrase))).collect();
    Value::Object(entries)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SCRIPT: &str = concat!(
        include_str!("tools.js"),
        include_str!("charts.js"),
        include_str!("replay.js"),
        include_str!("games.js"),
        include_str!("report.js")
    );

    /// The literals that follow `opening` in the script.
    fn literals<'a>(opening: &str) -> impl Iterator<Item = &'a str> {
        let whole_word = |at: &usize| !SCRIPT[..*at].ends_with(|before: char| before.is_alphanumeric());
        let length = opening.len();
        let starts = SCRIPT.match_indices(opening).map(|(at, _)| at).filter(whole_word).collect::<Vec<_>>();
        starts.into_iter().filter_map(move |at| SCRIPT[at + length..].split('"').next())
    }

    /// The keys the script asks for.
    fn wanted() -> BTreeSet<String> {
        let mut wanted: BTreeSet<String> = literals("t(\"").map(str::to_owned).collect();
        for opening in ["column(true, \"", "column(byes, \""] {
            for key in literals(opening) {
                wanted.extend([key.to_owned(), format!("about-{key}")]);
            }
        }
        // Chosen by a condition or named by data.
        let list = SCRIPT.split("const keys = [").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        wanted.extend(list.split('"').skip(1).step_by(2).map(str::to_owned));
        wanted.extend(["drawn-game", "no-result"].map(str::to_owned));
        for state in ["continue", "accept_h0", "accept_h1"] {
            wanted.insert(format!("sprt-{state}"));
        }
        for model in ["normalized", "logistic"] {
            wanted.insert(format!("model-{model}"));
        }
        for field in ["seat", "limit_ms", "measured_ms", "tolerance_ms", "ply", "unreadable", "detail", "lines"] {
            wanted.insert(format!("evidence-{field}"));
        }
        wanted
    }

    #[test]
    fn the_page_has_every_text_and_no_other() {
        let there: BTreeSet<String> = TEXTS.iter().map(|(key, _)| (*key).to_owned()).collect();
        assert_eq!(there.len(), TEXTS.len(), "a key is there twice");
        let wanted = wanted();
        let missing: Vec<_> = wanted.difference(&there).collect();
        let unused: Vec<_> = there.difference(&wanted).collect();
        assert!(missing.is_empty() && unused.is_empty(), "missing {missing:?}, unused {unused:?}");
    }

    #[test]
    fn both_languages_say_something_with_the_same_values() {
        let values = |text: &str| -> BTreeSet<String> {
            (0..10).map(|index| format!("{{{index}}}")).filter(|value| text.contains(value)).collect()
        };
        for (key, phrase) in TEXTS {
            assert!(!phrase.en.trim().is_empty() && !phrase.zh.trim().is_empty(), "{key}");
            assert_eq!(values(phrase.en), values(phrase.zh), "{key}");
        }
    }
}
