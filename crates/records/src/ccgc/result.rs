//! The result field of the championship's texts: filled in by hand, from a template that offers both sides.

use games::Side;

use crate::record::{Record, RecordedVerdict};
use crate::replay::reported;

/// How the result reads in a text.
pub(super) fn text(record: &Record) -> &'static str {
    match record.verdict.as_ref().filter(|verdict| verdict.counts).map(|verdict| verdict.winner) {
        None => "",
        Some(Some(Side::Black)) => "先手胜",
        Some(Some(Side::White)) => "后手胜",
        Some(None) => "和棋",
    }
}

/// Words of which one says that a side has lost, however well it stood.
const LOST: [&str; 3] = ["负", "输", "败"];
const WON: [&str; 2] = ["胜", "赢"];
/// What a side does that loses, where nothing is said of winning or losing.
const LOSES: [&str; 18] = [
    "超时",
    "犯规",
    "违规",
    "违例",
    "弃权",
    "弃赛",
    "弃局",
    "投降",
    "退出",
    "退赛",
    "离场",
    "缺席",
    "迟到",
    "崩溃",
    "死机",
    "无响应",
    "出错",
    "禁手",
];

/// The side a letter speaks of.
const fn side_of(letter: char) -> Option<Side> {
    match letter {
        '先' | '黑' => Some(Side::Black),
        '后' | '後' | '白' => Some(Side::White),
        _ => None,
    }
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Who has won by what is said of one side.
fn winner_by(side: Side, said: &str) -> Option<Side> {
    if has(said, &LOST) {
        Some(side.other())
    } else if has(said, &WON) {
        Some(side)
    } else {
        has(said, &LOSES).then(|| side.other())
    }
}

/// The result a field states. A template nobody filled in (`先手/后手胜`), contradictions and games that were not finished
/// state none.
pub(super) fn read(field: &str) -> Option<RecordedVerdict> {
    if field.contains('未') {
        return None;
    }
    // What is said of a side reaches to where the other one is named: 先手胜（后手超时）.
    let mut parts: Vec<(Side, String)> = Vec::new();
    for letter in field.chars() {
        match side_of(letter) {
            Some(side) if parts.last().is_none_or(|(last, _)| *last != side) => parts.push((side, String::new())),
            Some(_) => {}
            None => parts.iter_mut().next_back().into_iter().for_each(|(_, said)| said.push(letter)),
        }
    }
    if !has(field, &LOST) && !has(field, &WON) && field.contains(['平', '和']) {
        return Some(reported(None));
    }
    let (&(side, ref said), rest) = parts.split_first()?;
    let winner = winner_by(side, said)?;
    if rest.iter().any(|(side, said)| winner_by(*side, said) != Some(winner)) {
        return None;
    }
    let mut verdict = reported(Some(winner));
    if has(field, &["认输", "投降"]) {
        "resigned".clone_into(&mut verdict.reason);
    } else if field.contains("超时") {
        "time".clone_into(&mut verdict.reason);
    }
    Some(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Option<Option<Side>> = Some(Some(Side::Black));
    const WHITE: Option<Option<Side>> = Some(Some(Side::White));
    const DRAW: Option<Option<Side>> = Some(None);

    #[test]
    fn results_as_people_write_them() {
        for (field, winner, reason) in [
            ("先手胜", BLACK, "reported"),
            (" 后手 胜 ", WHITE, "reported"),
            ("黑胜", BLACK, "reported"),
            ("白方中盘胜", WHITE, "reported"),
            ("先手（黑）胜", BLACK, "reported"),
            ("黑方先手胜", BLACK, "reported"),
            ("先手负", WHITE, "reported"),
            ("先手判负", WHITE, "reported"),
            ("先手认输", WHITE, "resigned"),
            ("后手超时", BLACK, "time"),
            ("后手超时判负", BLACK, "time"),
            ("先手胜（后手超时）", BLACK, "time"),
            ("先手胜(超时)", BLACK, "time"),
            ("先手胜后手负", BLACK, "reported"),
            ("后手胜，先手认输", WHITE, "resigned"),
            ("先手违规", WHITE, "reported"),
            ("后手犯规", BLACK, "reported"),
            ("黑方禁手", WHITE, "reported"),
            ("后手弃权", BLACK, "reported"),
            ("先手不战而胜", BLACK, "reported"),
            ("平局", DRAW, "reported"),
            ("和棋", DRAW, "reported"),
            ("双方平", DRAW, "reported"),
            ("先手/后手胜", None, ""),
            ("先（后）手胜", None, ""),
            ("先手胜/后手胜", None, ""),
            ("先手胜/后手胜/平局", None, ""),
            ("先后手平局", DRAW, "reported"),
            ("未决胜", None, ""),
            ("先手胜负未分", None, ""),
            ("胜", None, ""),
            ("结果", None, ""),
            ("先手", None, ""),
            ("", None, ""),
        ] {
            let verdict = read(field);
            assert_eq!(verdict.as_ref().map(|verdict| verdict.winner), winner, "{field}");
            assert_eq!(verdict.map_or_else(String::new, |verdict| verdict.reason), reason, "{field}");
        }
    }
}
