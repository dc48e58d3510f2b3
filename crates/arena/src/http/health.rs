//! Whether the server can do its work, for whoever watches over it: `/healthz`, and gauges of the same in `/metrics`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use games::Phrase;
use serde_json::json;
use vault::{Cause, Database};

use super::App;
use super::error::ApiError;

/// Something that is not as it should be.
pub(super) struct Trouble {
    /// What was looked at, as the gauge names it.
    check: &'static str,
    /// What is wrong, for programs.
    code: &'static str,
    /// And for people.
    phrase: Phrase,
}

impl Trouble {
    fn of(check: &'static str, cause: Cause) -> Self {
        Self { check, code: cause.code(), phrase: cause.phrase() }
    }
}

/// Looks at everything; each check is a gauge, 1 where all is well.
pub(super) async fn check(app: &App) -> Vec<Trouble> {
    let rooms = database(app.rooms.store().database(), ["rooms-file", "rooms-writable"]).await;
    let course = database(app.course.store.database(), ["course-file", "course-writable"]).await;
    let mut results: Vec<(&'static str, Option<Trouble>)> = rooms.into_iter().chain(course).collect();
    results.push(("folder", folder(app)));
    results.extend(judge(app).await);
    for (check, trouble) in &results {
        metrics::gauge!("boyi_health", "check" => *check).set(if trouble.is_none() { 1.0 } else { 0.0 });
    }
    results.into_iter().filter_map(|(_, trouble)| trouble).collect()
}

async fn database(database: &Database, [file, writable]: [&'static str; 2]) -> [(&'static str, Option<Trouble>); 2] {
    let place = database.check_place().err().map(|error| Trouble::of(file, Cause::of(&error)));
    let proof = database.prove().await.err().map(|error| Trouble::of(writable, Cause::of(&error)));
    [(file, place), (writable, proof)]
}

fn folder(app: &App) -> Option<Trouble> {
    app.rooms.store().folder().check().err().map(|_| Trouble {
        check: "folder",
        code: "lock-replaced",
        phrase: Phrase::new(
            "the data folder or its lock file was deleted or replaced under the server",
            "数据目录或其锁文件在运行中被删除或替换",
        ),
    })
}

async fn judge(app: &App) -> Vec<(&'static str, Option<Trouble>)> {
    let Some(health) = &app.course.health else { return Vec::new() };
    let standing = match health {
        Ok(health) => health.check(app.settings.judge_patience).await.map_err(|error| error.cause()),
        Err(()) => Ok(course::judge::Standing { ended: 1, still: false }),
    };
    let (ended, still) = match standing {
        Ok(standing) => (standing.ended > 0, standing.still),
        Err(cause) => {
            let trouble = Trouble::of("judge-moving", cause.unwrap_or(Cause::Other));
            return vec![("judge-moving", Some(trouble))];
        }
    };
    let ended = ended.then_some(Trouble {
        check: "judge-threads",
        code: "judge-ended",
        phrase: Phrase::new("a thread of the judge has ended or could not start", "评测线程已退出或未能启动"),
    });
    let still = still.then_some(Trouble {
        check: "judge-moving",
        code: "judge-still",
        phrase: Phrase::new(
            "work waits for the judge, workers are free, and nothing is taken",
            "评测队列中有任务、有空闲线程，却没有任务被领取",
        ),
    });
    vec![("judge-threads", ended), ("judge-moving", still)]
}

/// `ok`, or everything that is wrong.
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Response {
    let troubles = check(&app).await;
    if troubles.is_empty() {
        return "ok".into_response();
    }
    let told: Vec<_> = troubles
        .iter()
        .map(|Trouble { check, code, phrase }| {
            json!({ "check": check, "code": code, "message": { "en": phrase.en, "zh": phrase.zh } })
        })
        .collect();
    let codes: Vec<&str> = troubles.iter().map(|trouble| trouble.code).collect();
    tracing::error!(?codes, "the server is not well");
    let (en, zh) = ("the server cannot do all of its work now", "服务器目前不能完成全部工作");
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unhealthy", en, zh).with("checks", told).into_response()
}
