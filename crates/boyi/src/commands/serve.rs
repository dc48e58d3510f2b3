//! `boyi serve`: the arena in the browser.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use arena::{EngineOffer, JudgeSettings, ServeError, Server, Settings};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use referee::{Cage, CommandLine};
use sandbox::{Level, Sandbox};
use tracing_subscriber::EnvFilter;
use vault::Cause;

use crate::context::Context;
use crate::{cage, data_folder, seats};

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let number = |name: &'static str, en, zh| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u32)).help(say(en, zh))
    };
    Command::new("serve")
        .about(say("The arena in the browser: play, watch, replay", "在浏览器中对弈、观战、复盘"))
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS")
                .default_value("127.0.0.1:8080")
                .value_parser(listen_address)
                .help(say(
                    "where to listen; 0.0.0.0:8080 for everybody in the network",
                    "监听地址；对整个网络开放用 0.0.0.0:8080",
                )),
        )
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("DIR")
                .default_value("boyi-data")
                .value_parser(value_parser!(PathBuf))
                .help(say("folder of the store", "数据目录")),
        )
        .arg(
            Arg::new("public-url")
                .long("public-url")
                .value_name("URL")
                .help(say("the address people use, when a proxy stands in front", "对外网址（前面有反向代理时）")),
        )
        .arg(Arg::new("host").long("host").value_name("NAME").action(ArgAction::Append).help(say(
            "a further name people use for this server, repeatable; requests for strange names are refused",
            "访问本服务器时使用的其他主机名，可重复；其他名称的请求会被拒绝",
        )))
        .arg(Arg::new("behind-proxy").long("behind-proxy").action(ArgAction::SetTrue).help(say(
            "trust X-Forwarded-For and X-Forwarded-Proto of the proxy in front",
            "信任前置代理的 X-Forwarded-For 与 X-Forwarded-Proto",
        )))
        .arg(
            Arg::new("metrics-public").long("metrics-public").action(ArgAction::SetTrue).help(say(
                "let everybody read /metrics, not only this machine",
                "允许任何人读取 /metrics（缺省仅本机）",
            )),
        )
        .arg(Arg::new("engine").long("engine").value_name("NAME=GAME=COMMAND").action(ArgAction::Append).help(say(
            "an engine of this machine that people may play against, repeatable",
            "供访客对弈的本机引擎，可重复",
        )))
        .arg(cage::argument(language).default_value("a").help(say(
            "the sandbox of those engines: level a, or a weaker one on request (see `boyi doctor`) [default a]",
            "上述引擎的沙箱级别：a，或明确指定的较弱级别（见 boyi doctor）[缺省 a]",
        )))
        .arg(
            Arg::new("judge")
                .long("judge")
                .value_name("auto|a|b|c|none")
                .default_value("auto")
                .value_parser(cage::CHOICES)
                .hide_possible_values(true)
                .help(say(
                    "judge submissions in this sandbox: the strongest there is but no weaker than B, a level, or not at all",
                    "在沙箱中评测提交：本机最强级别（不低于 B）、指定级别，或不评测",
                )),
        )
        .arg(number(
            "judge-workers",
            "games judged at once [default: one for each spare core]",
            "同时评测的对局数 [缺省每个空闲核心一局]",
        ))
        .arg(number(
            "most-engine-rooms",
            "games at once in which an engine plays [default 4]",
            "同时有引擎参加的对局上限 [缺省 4]",
        ))
        .arg(number("most-rooms", "games going on at once [default 2000]", "同时进行的对局上限 [缺省 2000]"))
        .arg(number(
            "most-rooms-per-visitor",
            "unfinished games of one visitor [default 50]",
            "每位访客未下完的对局上限 [缺省 50]",
        ))
        .arg(number(
            "most-rooms-per-address",
            "unfinished games made from one address [default: a quarter of --most-rooms]",
            "每个地址新建而未下完的对局上限 [缺省为 --most-rooms 的四分之一]",
        ))
        .arg(number(
            "most-streams-per-address",
            "live connections of one address [default 300]",
            "每个地址的实时连接上限 [缺省 300]",
        ))
        .arg(number(
            "requests-per-second",
            "requests of one address in a second [default 100]",
            "每个地址每秒请求上限 [缺省 100]",
        ))
        .arg(number(
            "changes-per-second",
            "changes by one visitor in a second [default 20]",
            "每位访客每秒操作上限 [缺省 20]",
        ))
        .arg(number(
            "rooms-per-minute",
            "rooms made by one address in a minute [default 60]",
            "每个地址每分钟新建房间上限 [缺省 60]",
        ))
        .arg(number(
            "pace-ms",
            "time of a built-in player for a ply when people only watch [default 900]",
            "仅供观战时内置引擎每步的用时（毫秒）[缺省 900]",
        ))
}

/// An address with its port; a port alone is one of this machine only.
fn listen_address(text: &str) -> Result<SocketAddr, &'static str> {
    let address = text.replacen("localhost:", "127.0.0.1:", 1);
    let port = || text.trim_start_matches(':').parse().map(|port: u16| SocketAddr::from(([127, 0, 0, 1], port)));
    address.parse().or_else(|_| port()).map_err(|_| crate::mistake::NO_ADDRESS)
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(EnvFilter::try_from_env("BOYI_LOG").unwrap_or_else(|_| EnvFilter::new("info")))
        .init();
    let metrics = metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder().context("metrics")?;
    let host = seats::host()?;
    let mut settings = settings(matches);
    data_folder::close(context, &settings.data)?;
    let engines = matches.get_many::<String>("engine").into_iter().flatten();
    settings.engines = engines.map(|text| engine(context, text)).collect::<anyhow::Result<_>>()?;
    if !settings.engines.is_empty() {
        let sandbox = cage::open(context, matches.get_one::<String>("sandbox").map(String::as_str))?;
        for offer in &mut settings.engines {
            // An engine that could read the store could read the plies of hidden games.
            offer.command.cage =
                cage::of(sandbox.as_ref(), None).map(|cage| Cage { closed: Some(settings.data.clone()), ..cage });
            offer
                .command
                .fits_its_cage()
                .map_err(|error| anyhow!("{}: {}", offer.name, error.say(context.language)))?;
        }
    }
    settings.judge = judge(context, matches)?;
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let (language, folder) = (context.language, settings.data.clone());
    runtime.block_on(async move {
        let said = |error| anyhow!(say(&error, &folder, language));
        let server = Server::start(settings, host, Some(metrics)).await.map_err(said)?;
        // Before anybody is told where it is: whoever knows may ask it to leave.
        let (asked, stop) = tokio::sync::oneshot::channel::<()>();
        let mut asked = Some(asked);
        ctrlc::set_handler(move || match asked.take() {
            Some(asked) => drop(asked),
            // Asked twice: at once.
            None => std::process::exit(130),
        })?;
        if let Some(address) = server.address() {
            let admin = server.first_admin().await.map_err(said)?;
            if let Some((name, code)) = admin {
                let words = Phrase::new(
                    "nobody runs courses here yet: the first admin signs in once with",
                    "还没有管理员：首位管理员请用以下一次性链接登录",
                );
                let words = words.text(language);
                writeln!(anstream::stderr(), "{words} http://{address}/welcome#name={name}&code={code}")?;
            }
            let words = Phrase::new("boyi is at", "博弈已启动，请在浏览器打开").text(language);
            writeln!(anstream::stdout(), "{words} http://{address}/")?;
        }
        server
            .run(async {
                let _ = stop.await;
            })
            .await;
        Ok(ExitCode::SUCCESS)
    })
}

/// The sandbox submissions are judged in. Strangers' programs run at level A or B; weaker only when that was asked for
/// by name.
fn judge(context: &Context, matches: &ArgMatches) -> anyhow::Result<Option<JudgeSettings>> {
    let choice = matches.get_one::<String>("judge").map_or("auto", String::as_str);
    let own = std::env::current_exe().context("boyi")?;
    let sandbox = match choice {
        "none" => return Ok(None),
        "auto" => match Sandbox::strongest(own) {
            Ok(sandbox) if sandbox.level() <= Level::B => sandbox,
            found => {
                let said =
                    found.map_or_else(|error| error.say(context.language), |sandbox| sandbox.level().to_string());
                let told = Phrase::new(
                    "submissions are not judged: sandbox level A or B is needed (see `boyi doctor`); --judge c judges at level C all the same",
                    "不评测提交：需要沙箱级别 A 或 B（见 boyi doctor）；--judge c 可强制以级别 C 评测",
                );
                writeln!(anstream::stderr().lock(), "{} [{said}]", context.text(told))?;
                return Ok(None);
            }
        },
        level => Sandbox::new(level.parse::<Level>().unwrap_or(Level::A), own)
            .map_err(|error| anyhow!(error.say(context.language)))?,
    };
    sandbox.sweep();
    let workers = matches.get_one::<u32>("judge-workers").map(|&workers| workers as usize);
    Ok(Some(JudgeSettings { sandbox: Arc::new(sandbox), workers }))
}

/// Reads `NAME=GAME=COMMAND`.
fn engine(context: &Context, text: &str) -> anyhow::Result<EngineOffer> {
    let parts = text.split_once('=').and_then(|(name, rest)| Some((name, rest.split_once('=')?)));
    let Some((name, (game, command))) = parts.filter(|(name, _)| !name.trim().is_empty()) else {
        let expected = Phrase::new("--engine is NAME=GAME=COMMAND", "--engine 的形式是 名称=棋种=命令");
        anyhow::bail!("{}: {text}", context.text(expected));
    };
    let game = context.game(game)?.facts().id;
    seats::protocol(context, game, None)?;
    let command = CommandLine::read(command).map_err(|error| anyhow!(error.say(context.language)))?;
    Ok(EngineOffer { name: name.trim().to_owned(), game, command })
}

fn settings(matches: &ArgMatches) -> Settings {
    let listen = matches.get_one::<SocketAddr>("listen").copied().unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)));
    let data = matches.get_one::<PathBuf>("data").cloned().unwrap_or_else(|| PathBuf::from("boyi-data"));
    let mut settings = Settings::new(listen, data);
    settings.public_url = matches.get_one::<String>("public-url").cloned();
    settings.hosts = matches.get_many::<String>("host").into_iter().flatten().cloned().collect();
    settings.behind_proxy = matches.get_flag("behind-proxy");
    settings.metrics_public = matches.get_flag("metrics-public");
    let number = |name: &str| matches.get_one::<u32>(name).copied();
    let limits = &mut settings.limits;
    limits.live_rooms = number("most-rooms").map_or(limits.live_rooms, |value| value as usize);
    limits.engine_rooms = number("most-engine-rooms").map_or(limits.engine_rooms, |value| value as usize);
    limits.rooms_per_visitor =
        number("most-rooms-per-visitor").map_or(limits.rooms_per_visitor, |value| value as usize);
    limits.rooms_per_address =
        number("most-rooms-per-address").map_or(limits.live_rooms.div_ceil(4), |value| value as usize);
    limits.streams_per_address =
        number("most-streams-per-address").map_or(limits.streams_per_address, |value| value as usize);
    limits.requests_per_second = number("requests-per-second").unwrap_or(limits.requests_per_second);
    limits.changes_per_second = number("changes-per-second").unwrap_or(limits.changes_per_second);
    limits.rooms_per_minute = number("rooms-per-minute").unwrap_or(limits.rooms_per_minute);
    settings.pace = number("pace-ms").map_or(settings.pace, |value| std::time::Duration::from_millis(value.into()));
    settings
}

/// A data folder that cannot be used, and what to do.
fn unusable(error: &dyn std::error::Error, cause: Option<Cause>, folder: &Path, language: Language) -> String {
    let advice = data_folder::advice(cause, folder, language);
    match language {
        Language::En => format!("{error}; {advice}"),
        Language::Zh => format!("数据目录不可用（{error}）；{advice}"),
    }
}

/// What went wrong at the start, and what to do.
fn say(error: &ServeError, folder: &Path, language: Language) -> String {
    match (error, language) {
        (ServeError::Listen { address, error }, _) if error.kind() == std::io::ErrorKind::AddrInUse => match language {
            Language::En => {
                format!(
                    "{address} is taken: is boyi running already? Choose another port with --listen {}:{}",
                    address.ip(),
                    address.port().wrapping_add(1)
                )
            }
            Language::Zh => {
                format!(
                    "{address} 已被占用：boyi 是否已经在运行？可用 --listen {}:{} 换一个端口",
                    address.ip(),
                    address.port().wrapping_add(1)
                )
            }
        },
        (ServeError::Listen { address, error }, Language::En) => format!("cannot listen at {address}: {error}"),
        (ServeError::Listen { address, error }, Language::Zh) => format!("无法监听 {address}：{error}"),
        (ServeError::Course(error), _) => unusable(error, error.cause(), folder, language),
        (ServeError::Store(error), _) => unusable(error, Some(error.cause()), folder, language),
    }
}
