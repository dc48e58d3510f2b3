//! The standing of a match, for people and for programs.

use games::{Language, Listing, Phrase};
use serde_json::json;
use tournament::conduct::Conducts;
use tournament::contest::Entrant;
use tournament::distinct::with_margin;
use tournament::duel::Standing;
use tournament::journal::Finished;
use tournament::statistics::SprtState;

use crate::commands::remarks;
use crate::context::Context;
use crate::progress::Figures;

/// One game as a line of JSON.
pub(super) fn event(finished: &Finished, standing: &Standing, progress: Figures) -> serde_json::Value {
    let verdict = finished.record.verdict.as_ref();
    json!({
        "event": "game",
        "version": 1,
        "number": finished.number,
        "black": (["a", "b"][finished.black]),
        "white": (["a", "b"][finished.white]),
        "winner": verdict.and_then(|verdict| verdict.winner),
        "reason": verdict.map(|verdict| verdict.reason.as_str()),
        "counts": verdict.is_some_and(|verdict| verdict.counts),
        "plies": finished.record.plies.len(),
        "standing": standing,
        "progress": progress,
    })
}

/// The score in one line.
pub(super) fn summary(context: &Context, standing: &Standing) -> String {
    let [losses, draws, wins] = standing.results.0;
    let mut line = match context.language {
        Language::En => format!("A: {wins} won, {losses} lost, {draws} drawn"),
        Language::Zh => format!("A：{wins} 胜 {losses} 负 {draws} 和"),
    };
    line.push_str(&match (&standing.elo, standing.not_measured) {
        (Some(elo), _) => format!("  Elo {}", with_margin(elo, 1)),
        (None, Some(reason)) => format!("  Elo {}", remarks::not_measurable(context, reason)),
        (None, None) => String::new(),
    });
    if let Some(chance) = standing.likelihood_of_superiority {
        line.push_str(&format!("  LOS {:.1} %", chance * 100.0));
    }
    if let Some((ratio, (low, high), state)) = standing.sprt {
        let state = match state {
            SprtState::Continue => Phrase::new("undecided", "未定"),
            SprtState::AcceptH0 => Phrase::same("H0"),
            SprtState::AcceptH1 => Phrase::same("H1"),
        };
        line.push_str(&format!("  SPRT {}: LLR {ratio:.2} [{low:.2}, {high:.2}]", context.text(state)));
    }
    line
}

pub(super) fn report(
    context: &Context,
    game: &'static dyn Listing,
    entrants: &[Entrant],
    (standing, conducts): (&Standing, &Conducts),
) -> String {
    let mut text: String = entrants.iter().map(|entrant| format!("{}\n", entrant.name)).collect();
    text.push_str(&summary(context, standing));
    if let Some(elo) = &standing.normalized_elo {
        text.push_str(&format!("  nElo {}", with_margin(elo, 1)));
    }
    let pairs = context.text(Phrase::new("pairs LL LD WL+DD WD WW", "对局对 LL LD WL+DD WD WW"));
    text.push_str(&format!("\n{pairs}: {:?}", standing.pairs.0));
    if standing.void > 0 {
        let void = context.text(Phrase::new("games without a result", "无结果对局"));
        text.push_str(&format!("\n{void}: {}", standing.void));
    }
    let decided = match standing.sprt.map(|(_, _, state)| state) {
        Some(SprtState::AcceptH1) => Phrase::new("\nSPRT: H1 accepted", "\nSPRT：接受 H1"),
        Some(SprtState::AcceptH0) => Phrase::new("\nSPRT: H0 accepted", "\nSPRT：接受 H0"),
        Some(SprtState::Continue) => Phrase::new("\nSPRT: undecided", "\nSPRT：尚未判定"),
        None => Phrase::same(""),
    };
    text.push_str(context.text(decided));
    let counted = standing.games - standing.void;
    for line in remarks::lines(context, game, entrants, conducts, (standing.distinct_games, counted)) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}
