//! `cargo xtask api`: schemathesis reads the description of the API and tries what it says, and what it forbids, on a
//! server of its own: as a stranger, and as the admin.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::pages::{build_boyi, debug_boyi};
use crate::shell::{self, root, tell, works};

/// The version that was tried.
const TOOL: &str = "schemathesis==4.32.5";
/// What a body means is more than its form: a ply that is illegal, a title that is blank, a file that is no record. The
/// server answers these with a documented 400 or 422, which this one check takes for a fault of the description.
const LEFT_OUT: &str = "positive_data_acceptance";
/// Live connections do not end, and signing out would end the session of all that follows.
const NOT_TRIED: &str = "(/events|/api/sign-out|/api/account/sessions/end-others|/api/account/password)$";

pub(crate) fn run(examples: u32, seed: u64) -> anyhow::Result<()> {
    build_boyi()?;
    let tool = install()?;
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&debug_boyi(), folder.path())?;
    for (who, settings) in [("a stranger", String::new()), ("the admin", server.sign_in()?)] {
        tell(&format!("as {who}"));
        let file = folder.path().join("schemathesis.toml");
        std::fs::write(&file, settings)?;
        let mut command = Command::new(&tool);
        command.current_dir(folder.path()).arg("--config-file").arg(&file);
        command.args(["run", &format!("{}/api/openapi.json", server.address), "--phases", "examples,coverage,fuzzing"]);
        command.args(["--checks", "all", "--exclude-checks", LEFT_OUT, "--exclude-path-regex", NOT_TRIED]);
        command.args(["--max-examples", &examples.to_string(), "--seed", &seed.to_string(), "--continue-on-failure"]);
        command.args(["--workers", "1", "--request-timeout", "20", "--warnings", "off"]);
        shell::run(&mut command)?;
    }
    server.was_changed_by_the_admin()
}

/// Schemathesis in an environment of its own under `target`.
fn install() -> anyhow::Result<PathBuf> {
    let place = root().join("target").join("schemathesis");
    let tool = place.join("bin").join("schemathesis");
    if !works(Command::new(&tool).arg("--version")) {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
        shell::run(Command::new(place.join("bin").join("pip")).args(["install", "--quiet", TOOL]))?;
    }
    Ok(tool)
}

struct Server {
    process: Child,
    address: String,
    name: String,
    code: String,
    session: String,
}

impl Server {
    /// A server on an empty folder, whose limits are out of the way.
    fn start(boyi: &Path, folder: &Path) -> anyhow::Result<Self> {
        let most = u32::MAX.to_string();
        let mut command = Command::new(boyi);
        command
            .args(["--lang", "en", "serve", "--listen", "127.0.0.1:0", "--judge", "none", "--data"])
            .arg(folder.join("data"));
        for limit in ["requests-per-second", "changes-per-second", "rooms-per-minute"] {
            command.args([format!("--{limit}"), most.clone()]);
        }
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(process.stderr.take().context("stderr")?).lines();
        let invitation = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, facts) = line.split_once("#name=")?;
            let (name, code) = facts.split_once("&code=")?;
            Some((name.to_owned(), code.trim().to_owned()))
        });
        // Whatever else it says must not fill its pipe.
        std::thread::spawn(move || lines.count());
        let mut said = String::new();
        BufReader::new(process.stdout.take().context("stdout")?).read_line(&mut said)?;
        let address = said.trim().rsplit(' ').next().unwrap_or_default().trim_end_matches('/').to_owned();
        let (name, code) = invitation.context("the server invites no admin")?;
        ensure!(address.starts_with("http://"), "the server said: {said}");
        Ok(Self { process, address, name, code, session: String::new() })
    }

    /// Signs the admin in. Schemathesis is told the session as the value of a security scheme, not as a header, for it
    /// also tries what comes without.
    fn sign_in(&mut self) -> anyhow::Result<String> {
        let request = serde_json::json!({
            "name": self.name, "code": self.code, "password": "tried by schemathesis", "nickname": "admin",
        });
        let answer = ureq::post(format!("{}/api/sign-in/code", self.address)).send_json(request)?;
        let mut cookies = answer.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let session = cookies.find_map(|cookie| cookie.split_once("boyi-session=")?.1.split(';').next());
        let session = session.context("signing in set no cookie")?;
        self.session = session.to_owned();
        Ok(format!("[auth.openapi.session]\napi_key = \"{session}\"\n"))
    }

    /// Whoever was refused everywhere found nothing either.
    fn was_changed_by_the_admin(&self) -> anyhow::Result<()> {
        let request = ureq::get(format!("{}/api/accounts?limit=100", self.address));
        let cookie = format!("__Host-boyi-session={}", self.session);
        let accounts: serde_json::Value = request.header("Cookie", cookie).call()?.into_body().read_json()?;
        let made = accounts["items"].as_array().map_or(0, Vec::len);
        ensure!(made > 1, "the admin's session opened nothing: {accounts}");
        tell(&format!("the admin made {made} accounts or more"));
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
