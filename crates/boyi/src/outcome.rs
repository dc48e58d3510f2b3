//! How a game ended and what shows it, as lines a person reads: the same after a game and in a record of it.

use games::{Facts, Language, Phrase, Reason, Side};
use serde_json::Value;

/// Reasons of the protocols' own.
pub(crate) static OF_PROTOCOLS: &[&Reason] = &[&protocols::tiaojia::OUT_OF_TURN, &protocols::tiaojia::MALFORMED_ANSWER];

/// The sentence of a reason, whoever has it: the rules, the referee, a protocol, a foreign file.
pub(crate) fn reason(facts: &Facts, code: &str) -> Option<Phrase> {
    let of_rules = games::reasons::SHARED.iter().chain(facts.reasons);
    let others = referee::decision::reasons::ALL.iter().chain(OF_PROTOCOLS);
    let mut known = of_rules.chain(others).copied().chain([&records::REPORTED]);
    known.find(|reason| reason.code == code).map(|reason| reason.text)
}

/// Who won and why.
pub(crate) fn sentence(
    facts: &Facts,
    names: [&str; 2],
    (winner, counts): (Option<Side>, bool),
    reason: &str,
    language: Language,
) -> String {
    let side = |side: Side| facts.sides[side.index()].text(language);
    let name = |winner: Side| match (names[winner.index()], language) {
        ("", _) => String::new(),
        (name, Language::En) => format!(" ({name})"),
        (name, Language::Zh) => format!("（{name}）"),
    };
    match (winner, counts, language) {
        (Some(winner), _, Language::En) => format!("{}{} wins: {reason}", side(winner), name(winner)),
        (Some(winner), _, Language::Zh) => format!("{}{}胜：{reason}", side(winner), name(winner)),
        (None, true, Language::En) => format!("draw: {reason}"),
        (None, true, Language::Zh) => format!("和棋：{reason}"),
        (None, false, Language::En) => format!("no result: {reason}"),
        (None, false, Language::Zh) => format!("无结果：{reason}"),
    }
}

/// What shows it, a line each: figures, what the rules saw, the ply and what is wrong with it, the last lines.
pub(crate) fn evidence(evidence: &Value, language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let labelled = |label: &str, value: &str| match language {
        Language::En => clean(&format!("{label}: {value}")),
        Language::Zh => clean(&format!("{label}：{value}")),
    };
    let list = |key: &str| evidence[key].as_array().map_or(&[][..], Vec::as_slice);
    if let (Some(limit), Some(measured)) = (evidence["limit_ms"].as_f64(), evidence["measured_ms"].as_f64()) {
        let label = Phrase::new("limit / measured", "时限 / 实测");
        lines.push(labelled(label.text(language), &format!("{limit:.0} ms / {measured:.1} ms")));
    }
    if let Some(limit) = evidence["limit_plies"].as_u64() {
        lines.push(labelled(Phrase::new("plies allowed", "最多步数").text(language), &limit.to_string()));
    }
    if let (Some(limit), [first, rest @ ..]) = (evidence["limit_score"].as_u64(), list("scores")) {
        let label =
            Phrase::new("score wanted / the last ones, as the first seat sees them", "裁定分值 / 最后评分（先手视角）");
        let scores = rest.iter().fold(first.to_string(), |all, score| format!("{all} {score}"));
        lines.push(labelled(label.text(language), &format!("{limit} / {scores}")));
    }
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    for fact in list("facts") {
        let label = text(&fact["label"], if language == Language::Zh { "zh" } else { "en" });
        lines.push(labelled(&label.unwrap_or_default(), &text(fact, "value").unwrap_or_default()));
    }
    if let Some(ply) = text(evidence, "ply") {
        let label = Phrase::new("the ply, as its player wrote it", "该着法（按其棋手的写法）");
        lines.push(labelled(label.text(language), &ply));
    }
    if let Some(line) = text(evidence, "unreadable") {
        let label = Phrase::new("it wrote", "它输出的是");
        lines.push(labelled(label.text(language), &line));
    }
    let detail = match (text(evidence, "detail"), text(evidence, "detail_zh"), language) {
        (_, Some(zh), Language::Zh) => Some(zh),
        // Records before both languages were kept.
        (Some(en), None, Language::Zh) => Some(format!("“{en}”")),
        (en, ..) => en,
    };
    lines.extend(detail.map(|detail| clean(&detail)));
    lines.extend(list("lines").iter().filter_map(Value::as_str).map(|line| format!("| {}", clean(line))));
    lines
}

/// A stranger's text may not steer the terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
