//! The course judge as the server holds it: its store, its boards, its workers.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use course::judge::{Health, Judge};
use course::{Boards, Guard, NewAccount, Passwords, Role, Store, StoreError};
use games::Language;
use referee::Host;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::settings::JudgeSettings;

/// How often changes by others (`boyi admin`) are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// The name of the first account.
const FIRST_ADMIN: &str = "admin";

/// The course judge.
pub(crate) struct Course {
    pub(crate) store: Store,
    pub(crate) boards: Arc<Boards>,
    pub(crate) passwords: Passwords,
    pub(crate) guard: Guard,
    /// The number of the last change, whoever made it.
    pub(crate) changes: watch::Sender<i64>,
    judge: Mutex<Option<Judge>>,
    /// How the workers are; nothing where none were asked for, an error where they could not start.
    pub(crate) health: Option<Result<Health, ()>>,
    /// The level and the number of workers, where there are any.
    pub(crate) strength: Option<(String, usize)>,
    languages: Arc<OnceLock<Value>>,
}

impl Course {
    /// Opens the store in this folder and starts the workers, where there are to be any.
    pub(crate) async fn open(
        folder: &Path,
        host: &Arc<Host>,
        settings: Option<&JudgeSettings>,
    ) -> Result<Self, StoreError> {
        let store = Store::open(folder).await?;
        let boards = Arc::new(Boards::default());
        let mut judge = None;
        if let Some(settings) = settings {
            let (store, boards, host) = (store.clone(), Arc::clone(&boards), Arc::clone(host));
            let sandbox = Arc::clone(&settings.sandbox);
            match Judge::start(store, boards, host, sandbox, folder, settings.workers).await {
                Ok(started) => judge = Some(started),
                Err(error) => tracing::error!(%error, "the judge does not run"),
            }
        }
        tokio::spawn(warm(store.clone(), Arc::clone(&boards)));
        let languages = Arc::new(OnceLock::new());
        if let Some(settings) = settings {
            let (languages, sandbox) = (Arc::clone(&languages), Arc::clone(&settings.sandbox));
            tokio::task::spawn_blocking(move || languages.set(survey(&sandbox)));
        }
        let strength = judge.as_ref().map(|judge| (judge.level().to_string(), judge.workers()));
        let health = settings.map(|_| judge.as_ref().map(Judge::health).ok_or(()));
        let changes = watch::Sender::new(store.seq().await?);
        let guard = store.guard().await?;
        Ok(Self {
            store,
            boards,
            passwords: Passwords::default(),
            guard,
            changes,
            judge: Mutex::new(judge),
            health,
            strength,
            languages,
        })
    }

    /// Where nobody can do everything yet: a new one-time code of the first admin.
    pub(crate) async fn first_admin(&self) -> Result<Option<(String, String)>, StoreError> {
        if self.store.has_admin().await? {
            return Ok(None);
        }
        let issued = match self.store.account_named(FIRST_ADMIN).await? {
            Some((account, _)) if account.role == Role::Admin => self.store.reset(account.id).await?,
            Some(_) => return Ok(None),
            None => {
                let (person, group) = (String::new(), String::new());
                let new = NewAccount { name: FIRST_ADMIN.to_owned(), person, group, role: Role::Admin };
                self.store.add_account(&new).await?.1
            }
        };
        Ok(Some((issued.name, issued.code)))
    }

    /// Tells those who wait that something changed, and wakes the workers.
    pub(crate) async fn changed(&self) {
        if let Ok(seq) = self.store.seq().await {
            let tell = |known: &mut i64| {
                let newer = *known != seq;
                *known = seq;
                newer
            };
            if self.changes.send_if_modified(tell) {
                self.ring();
            }
        }
    }

    /// Looks for changes again and again.
    pub(crate) async fn watch(&self) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            self.changed().await;
        }
    }

    fn ring(&self) {
        if let Some(judge) = &*self.judge.lock().unwrap_or_else(PoisonError::into_inner) {
            judge.ring();
        }
    }

    /// The languages and what is installed of them.
    pub(crate) fn languages(&self) -> Value {
        let unknown = || {
            let rows = workshop::LANGUAGES.iter().map(|recipe| {
                json!({ "id": recipe.id, "name": recipe.name, "endings": recipe.endings, "compiler": null, "missing": null })
            });
            Value::Array(rows.collect())
        };
        self.languages.get().cloned().unwrap_or_else(unknown)
    }

    /// Stops the workers; what they do is done again at the next start.
    pub(crate) async fn stop(&self) {
        let judge = self.judge.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(judge) = judge {
            let _ = tokio::task::spawn_blocking(move || judge.stop()).await;
        }
        self.store.close().await;
    }
}

/// Reads every contest's results, so that nobody waits for them who looks first.
async fn warm(store: Store, boards: Arc<Boards>) {
    for contest in store.contests().await.unwrap_or_default() {
        if let Err(error) = boards.board(&store, &contest).await {
            tracing::warn!(%error, contest = contest.id, "a scoreboard could not be read at the start");
        }
    }
}

fn survey(sandbox: &sandbox::Sandbox) -> Value {
    let found = workshop::survey(sandbox);
    let rows = workshop::LANGUAGES.iter().map(|recipe| {
        let of = found.iter().find(|found| found.recipes.iter().any(|one| one.id == recipe.id));
        let toolchain = of.map(|found| &found.toolchain);
        let missing = toolchain.and_then(|toolchain| toolchain.as_ref().err());
        json!({
            "id": recipe.id, "name": recipe.name, "endings": recipe.endings,
            "compiler": toolchain.and_then(|toolchain| toolchain.as_ref().ok()).map(|toolchain| &toolchain.version),
            "missing": missing.map(|missing| json!({ "en": missing.say(Language::En), "zh": missing.say(Language::Zh) })),
        })
    });
    Value::Array(rows.collect())
}
