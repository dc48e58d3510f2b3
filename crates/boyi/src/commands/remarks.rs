//! What must be said beside the figures of a match or tournament before anybody believes them.

use games::{Language, Listing, Phrase, Reason};
use tournament::conduct::{Conduct, Conducts, reason_text};
use tournament::contest::Entrant;
use tournament::distinct::Unmeasured;

use crate::context::Context;

/// Reasons of the protocols' own.
pub(super) static OF_PROTOCOLS: &[&Reason] = &[&protocols::tiaojia::OUT_OF_TURN, &protocols::tiaojia::MALFORMED_ANSWER];

/// In place of an estimate.
pub(super) fn not_measurable(context: &Context, reason: Unmeasured) -> String {
    let reason = context.text(reason.text());
    match context.language {
        Language::En => format!("not measurable: {reason}"),
        Language::Zh => format!("无法测定：{reason}"),
    }
}

/// Forfeits by reason, entrants that never played, and games that repeat each other. `games` are those that are
/// distinct, and all that count.
pub(super) fn lines(
    context: &Context,
    game: &dyn Listing,
    entrants: &[Entrant],
    conducts: &Conducts,
    games: (u64, u64),
) -> Vec<String> {
    let behaved = entrants.iter().enumerate().filter_map(|(entrant, who)| Some((who, conducts.of(entrant)?)));
    let (mut lines, mut all_played) = (Vec::new(), true);
    for (who, conduct) in behaved.filter(|(_, conduct)| conduct.forfeited() > 0) {
        lines.push(forfeits(context, game, &who.name, conduct));
        if conduct.never_played() {
            lines.push(never_played(context, game, who));
            all_played = false;
        }
    }
    // Who never plays repeats himself, and no opening helps.
    lines.extend(repeated(context, games).filter(|_| all_played));
    lines
}

fn forfeits(context: &Context, game: &dyn Listing, name: &str, conduct: &Conduct) -> String {
    let reason = |code: &str| {
        let text = reason_text(game, OF_PROTOCOLS, code).map(|(text, _)| context.text(text));
        text.unwrap_or(code).to_owned()
    };
    let (lost, games) = (conduct.forfeited(), conduct.games);
    let reasons = conduct.forfeits.iter();
    match context.language {
        Language::En => {
            let reasons: Vec<String> = reasons.map(|(code, count)| format!("{count} × {}", reason(code))).collect();
            format!("{name}: {lost} of {games} games lost off the board: {}", reasons.join("; "))
        }
        Language::Zh => {
            let reasons: Vec<String> = reasons.map(|(code, count)| format!("{}（{count} 局）", reason(code))).collect();
            format!("{name}：{games} 局中 {lost} 局并非负于棋盘：{}", reasons.join("；"))
        }
    }
}

fn never_played(context: &Context, game: &dyn Listing, who: &Entrant) -> String {
    let name = &who.name;
    let check = format!("boyi check {} {}", game.facts().id, who.player.command.as_deref().unwrap_or_default());
    match context.language {
        Language::En => format!(
            "warning: {name} never played a legal ply, so nothing is known of its strength; is it an engine of this game? \
             `{check}` tells what is wrong"
        ),
        Language::Zh => {
            format!("警告：{name} 从未走出合法着法，无从得知其棋力；它是本棋种的引擎吗？可用 {check} 查明原因")
        }
    }
}

fn repeated(context: &Context, (distinct, games): (u64, u64)) -> Option<String> {
    if distinct >= games {
        return None;
    }
    let known = match context.language {
        Language::En => {
            format!("warning: only {distinct} of {games} games are distinct, the others repeat one of them")
        }
        Language::Zh => format!("警告：{games} 局中只有 {distinct} 局各不相同，其余为重复"),
    };
    let advice = Phrase::new(
        ". Elo, LOS and the test take each distinct pair once. Openings make games differ: --opening-plies 4, or \
         --openings FILE (docs/openings.md)",
        "。等级分、LOS 与检验只计不同的对局对。使用开局可使对局各异：--opening-plies 4 或 --openings FILE（见 docs/openings.zh-CN.md）",
    );
    Some(format!("{known}{}", context.text(advice)))
}
