//! Building a program from a source.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use games::Language;
use sandbox::{Input, Level, Limit, Limits, Report, Sandbox, View};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::archive::{self, ArchiveFile};
use crate::cache::{Cache, Entry, Key, Memory, PROGRAM};
use crate::endings;
use crate::error::{At as _, Error};
use crate::hints::{self, Note};
use crate::languages::{Product, Recipe};
use crate::messages::{Listener, Messages};
use crate::naming::{self, Named};
use crate::outputs::{self, Bounds, Kept, Spoiled};
use crate::places;
use crate::project::Project;
use crate::source::{self, Encoding, Source};
use crate::toolchain::{Missing, Toolchain};

/// Part of every key: what was built by older rules is not found again.
const RULES: &str = "boyi workshop 1";
/// How much longer than its processor time a compiler may take: on a quiet machine the two are the same.
const PATIENCE: u32 = 3;
/// The name of an executable.
pub(crate) const EXECUTABLE: &str = "program";

/// Where sources become programs.
#[derive(Debug)]
pub struct Workshop {
    sandbox: Arc<Sandbox>,
    cache: Cache,
    /// Tools are asked for once.
    toolchains: Mutex<HashMap<&'static str, Result<Toolchain, Missing>>>,
}

/// How a source is built.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Limits other than [`Limits::compiler`] with the language's own times.
    pub limits: Option<Limits>,
}

/// What came of a build.
#[derive(Debug)]
pub enum Made {
    /// A program.
    Built(Box<Built>),
    /// None.
    Failed(Box<Failed>),
}

/// A program ready to run. It stays where it is at least as long as this lives.
#[derive(Debug)]
pub struct Built {
    /// Its language.
    pub recipe: &'static Recipe,
    /// What built it.
    pub toolchain: Toolchain,
    /// How its source was saved.
    pub encoding: Encoding,
    /// The folder it is in, and should be started in.
    pub folder: PathBuf,
    /// The words that run it.
    pub run: Vec<String>,
    /// What the compiler said, warnings that is.
    pub messages: Messages,
    /// What a newcomer should know about it.
    pub notes: Vec<Note>,
    /// Whether it had been built before.
    pub cached: bool,
    /// How the compiler fared, then.
    pub report: Report,
    /// The executable, the source that runs, or the folder of classes.
    program: PathBuf,
    files: Vec<Kept>,
    _hold: OwnedFd,
}

/// Why there is no program.
#[derive(Debug)]
pub struct Failed {
    /// The language.
    pub recipe: &'static Recipe,
    /// The compiler.
    pub toolchain: Toolchain,
    /// How the source was saved.
    pub encoding: Encoding,
    /// The cause.
    pub why: Why,
    /// What the compiler said.
    pub messages: Messages,
    /// What to write instead.
    pub notes: Vec<Note>,
    /// How the compiler fared.
    pub report: Report,
}

/// The cause of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The compiler found errors.
    Errors,
    /// The compiler reached a limit.
    Limit(Limit),
    /// The compiler died of a signal.
    Crashed(i32),
    /// The compiler was content but what it left is not a program.
    NoProgram(String),
}

impl Failed {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let tool = self.recipe.tool.name;
        let mut sentence = match (language, &self.why) {
            (Language::En, Why::Errors) => "it does not compile".to_owned(),
            (Language::Zh, Why::Errors) => "编译未通过".to_owned(),
            (Language::En, Why::Limit(limit)) => format!("it does not compile: {tool} reached its {}", limit.name().en),
            (Language::Zh, Why::Limit(limit)) => format!("编译未通过：{tool} 达到{}", limit.name().zh),
            (Language::En, Why::Crashed(signal)) => format!("it does not compile: {tool} died of signal {signal}"),
            (Language::Zh, Why::Crashed(signal)) => format!("编译未通过：{tool} 被信号 {signal} 终止"),
            (Language::En, Why::NoProgram(said)) => format!("it compiles, but leaves no program: {said}"),
            (Language::Zh, Why::NoProgram(said)) => format!("编译通过，但没有得到可用的程序：{said}"),
        };
        // A busy machine is no fault of the source's.
        let stall = self.report.usage.stall.unwrap_or_default();
        if self.why == Why::Limit(Limit::Wall) && stall * 4 > self.report.usage.wall {
            let seconds = stall.as_secs_f64();
            sentence.push_str(&match language {
                Language::En => {
                    format!("; the machine was busy and kept it waiting for {seconds:.0} s of that: try again")
                }
                Language::Zh => format!("；其中有 {seconds:.0} 秒是机器繁忙造成的等待，请重试"),
            });
        }
        sentence
    }
}

impl Built {
    /// What the program must see to run.
    pub fn view(&self) -> Result<View, sandbox::Error> {
        let view = View::folder(&self.folder)?;
        self.toolchain
            .home
            .as_ref()
            .filter(|_| self.recipe.product != Product::Executable)
            .map_or(Ok(view.clone()), |home| view.and(home))
    }

    /// These limits, with what its language needs.
    #[must_use]
    pub fn limits(&self, limits: Limits) -> Limits {
        let processes = limits.processes.map(|processes| processes.max(self.recipe.allowance.run_processes));
        Limits { processes, ..limits }
    }

    /// Copies the program to a place of the caller's: one file, or a folder. Gives the words that run it there.
    pub fn copy_to(&self, target: &Path) -> Result<Vec<String>, Error> {
        let is_file = self.recipe.product != Product::Classes && self.files.len() == 1;
        let made = match self.files.as_slice() {
            [file] if is_file => copy_file(&self.folder.join(&file.path), target),
            files => copy_files(&self.folder, files, target),
        };
        made.at(target)?;
        let target = target.canonicalize().at(target)?;
        let theirs = match self.program.strip_prefix(&self.folder) {
            Ok(within) if !is_file && !within.as_os_str().is_empty() => target.join(within),
            _ => target,
        };
        let own = self.program.to_string_lossy();
        let theirs = theirs.to_string_lossy();
        Ok(self.run.iter().map(|word| if *word == own { theirs.to_string() } else { word.clone() }).collect())
    }

    /// The executable, the source that runs, or the folder of classes.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.program.clone()
    }
}

impl Workshop {
    /// A workshop that compiles in this sandbox and keeps what it built in this folder, up to so many bytes.
    pub fn open(sandbox: Arc<Sandbox>, folder: &Path, most_bytes: u64) -> Result<Self, Error> {
        std::fs::create_dir_all(folder).at(folder)?;
        let cache = Cache::open(&folder.canonicalize().at(folder)?, most_bytes)?;
        Ok(Self { sandbox, cache, toolchains: Mutex::default() })
    }

    /// The tools of a language, or why there are none.
    pub fn toolchain(&self, recipe: &Recipe) -> Result<Toolchain, Missing> {
        let mut known = self.toolchains.lock().unwrap_or_else(PoisonError::into_inner);
        let look = || Toolchain::look_for(&self.sandbox, recipe.tool);
        known.entry(recipe.tool.name).or_insert_with(look).clone()
    }

    /// Builds a program, or finds it built. An archive with a build file says itself how.
    pub fn build(&self, source: &[u8], recipe: &'static Recipe, options: &Options) -> Result<Made, Error> {
        let job = match archive::is_archive(source) {
            true => {
                let Project { recipe, files, named, source, words, .. } = Project::read(source)?;
                Job { toolchain: self.toolchain(recipe)?, recipe, source, named, files, words }
            }
            false => {
                let mut source = source::read(source)?;
                if recipe.id == "python" {
                    source::correct_cookie(&mut source);
                }
                let named = naming::name(recipe.file, &source.text);
                let (files, words) = (Vec::new(), vec![named.file.clone()]);
                Job { toolchain: self.toolchain(recipe)?, recipe, source, named, files, words }
            }
        };
        if job.recipe.tool.forks && self.sandbox.level() == Level::C {
            return Err(Error::MustFork { tool: job.recipe.tool.name, level: Level::C });
        }
        let key = job.key();
        match self.cache.find(&key) {
            Some(entry) => Ok(Made::Built(Box::new(job.built(entry, true)))),
            None => self.compile(job, &key, options),
        }
    }

    fn compile(&self, job: Job, key: &Key, options: &Options) -> Result<Made, Error> {
        let scratch = self.cache.scratch()?;
        let [sources, output, entry] = ["source", "output", "entry"].map(|name| scratch.path().join(name));
        let program = entry.join(PROGRAM);
        for folder in [&sources, &output, &entry, &program] {
            places::make_folder(folder).at(folder)?;
        }
        job.write_sources(&sources).at(&sources)?;
        let limits = options.limits.clone().unwrap_or_else(|| job.limits());
        let bounds = Bounds { bytes: limits.file_size.unwrap_or(limits.scratch).min(limits.scratch) };
        let view = View::folder(&sources)?.writing_into(&output)?;
        let view = job.toolchain.home.as_ref().map_or(Ok(view.clone()), |home| view.and(home))?;
        let cell = self.sandbox.cell(limits, view)?;
        let mut command = cell.command(&job.compile_words(&output))?;
        command.envs(job.recipe.tool.environment.iter().copied());
        let mut listener = Listener::default();
        let report = sandbox::run(cell, command, Input::Bytes(&[]), |_, bytes| listener.hear(bytes))?;
        let messages = listener.finish(&[&sources, &output].map(|folder| format!("{}/", folder.display())));
        let why = match endings::judge(&report.ended, &messages.text)? {
            Some(why) => why,
            None => match job.take(&output, &program, bounds) {
                Ok(files) => {
                    let memory = Memory { files, messages, report };
                    let entry = self.cache.keep(key, &entry, memory)?;
                    return Ok(Made::Built(Box::new(job.built(entry, false))));
                }
                Err(spoiled) => Why::NoProgram(spoiled.to_string()),
            },
        };
        Ok(Made::Failed(Box::new(job.failed(why, messages, report))))
    }
}

/// One build.
#[derive(Debug)]
struct Job {
    recipe: &'static Recipe,
    toolchain: Toolchain,
    /// The source, or of several the one the program starts with.
    source: Source,
    named: Named,
    /// All files of a program of several; none of a single source.
    files: Vec<ArchiveFile>,
    /// What stands for `{source}`.
    words: Vec<String>,
}

impl Job {
    fn key(&self) -> Key {
        let recipe = self.recipe;
        let files = self.files.iter().flat_map(|file| [file.path.clone(), outputs::hex(&Sha256::digest(&file.bytes))]);
        let files: Vec<String> = files.collect();
        let fixed = [RULES, recipe.id, &self.toolchain.version, recipe.standard, &self.named.file, &self.named.class];
        let environment = recipe.tool.environment.iter().flat_map(|(name, value)| [*name, *value]);
        let words = recipe.compile.iter().copied().chain(self.words.iter().map(String::as_str));
        let texts = std::iter::once(self.source.text.as_str()).chain(files.iter().map(String::as_str));
        Key::of(fixed.into_iter().chain(words).chain(environment).chain(texts))
    }

    /// What the compiler finds in the folder it starts in.
    fn write_sources(&self, folder: &Path) -> std::io::Result<()> {
        if self.files.is_empty() {
            return outputs::write_new(&folder.join(&self.named.file), self.source.text.as_bytes(), 0o444);
        }
        self.files.iter().try_for_each(|file| outputs::write_within(folder, &file.path, &file.bytes))
    }

    fn limits(&self) -> Limits {
        let allowance = &self.recipe.allowance;
        let time = Duration::from_secs(allowance.compile_seconds);
        // A machine whose cores play games gives a compiler a fifth of one: the source is charged for what it used.
        Limits {
            cpu: Some(time),
            wall: Some(time * PATIENCE),
            processes: Some(allowance.compile_processes),
            ..Limits::compiler()
        }
    }

    fn compile_words(&self, output: &Path) -> Vec<String> {
        let made = match self.recipe.product {
            Product::Executable => output.join(EXECUTABLE),
            Product::Classes | Product::Source => output.to_owned(),
        };
        let made = made.to_string_lossy();
        let line = self.recipe.compile.iter().flat_map(|word| match *word {
            "{source}" => self.words.iter().map(String::as_str).collect(),
            word => vec![word],
        });
        let line: Vec<&str> = line.collect();
        self.words(&line, &[("{output}", &made), ("{class}", &self.named.class)])
    }

    /// What runs, in this folder.
    fn program(&self, folder: &Path) -> PathBuf {
        match self.recipe.product {
            Product::Executable => folder.join(EXECUTABLE),
            Product::Classes => folder.to_owned(),
            Product::Source => folder.join(&self.named.file),
        }
    }

    fn run_words(&self, folder: &Path) -> Vec<String> {
        let program = self.program(folder);
        self.words(self.recipe.run, &[("{program}", &program.to_string_lossy()), ("{class}", &self.named.class)])
    }

    fn words(&self, words: &[&str], values: &[(&str, &str)]) -> Vec<String> {
        let bin = self.toolchain.bin.to_string_lossy();
        let usual = [("{bin}", bin.as_ref()), ("{standard}", self.recipe.standard)];
        let fill = |word: &&str| {
            usual.iter().chain(values).fold((*word).to_owned(), |word, (name, value)| word.replace(name, value))
        };
        words.iter().map(fill).collect()
    }

    /// What the compiler made, into the program's folder.
    fn take(&self, output: &Path, program: &Path, bounds: Bounds) -> Result<Vec<Kept>, Spoiled> {
        let mut kept = match self.recipe.product {
            Product::Executable => outputs::take_file(output, EXECUTABLE, program, bounds)?,
            Product::Classes => outputs::take_all(output, "class", program, bounds)?,
            Product::Source if self.files.is_empty() => {
                vec![outputs::keep(&self.named.file, self.source.text.as_bytes(), program)?]
            }
            Product::Source => Vec::new(),
        };
        // A program of several files may read those that came with it.
        for file in &self.files {
            let made = kept.iter().any(|made| made.path == Path::new(&file.path));
            if !made {
                kept.push(outputs::keep(&file.path, &file.bytes, program)?);
            }
        }
        Ok(kept)
    }

    fn built(self, entry: Entry, cached: bool) -> Built {
        let Entry { folder, memory: Memory { files, messages, report }, hold } = entry;
        let notes = hints::explain(self.recipe, &self.source, &messages.text, true);
        let (run, program) = (self.run_words(&folder), self.program(&folder));
        let Self { recipe, toolchain, source, .. } = self;
        let encoding = source.encoding;
        Built { recipe, toolchain, encoding, folder, run, messages, notes, cached, report, program, files, _hold: hold }
    }

    fn failed(self, why: Why, messages: Messages, report: Report) -> Failed {
        let notes = hints::explain(self.recipe, &self.source, &messages.text, false);
        let Self { recipe, toolchain, source, .. } = self;
        Failed { recipe, toolchain, encoding: source.encoding, why, messages, notes, report }
    }
}

/// A copy that takes the place of an older file only when it is whole.
fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = to.with_file_name(name);
    let _ = std::fs::remove_file(&new);
    let copied = std::fs::copy(from, &new)
        .and_then(|_| {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = from.metadata()?.permissions().mode();
            // Ours to change and to remove, unlike what the cache keeps.
            places::set_mode(&new, mode & 0o111 | 0o644)
        })
        .and_then(|()| std::fs::rename(&new, to));
    if copied.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    copied
}

fn copy_files(from: &Path, files: &[Kept], to: &Path) -> std::io::Result<()> {
    for file in files {
        let target = to.join(&file.path);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder)?;
        }
        copy_file(&from.join(&file.path), &target)?;
    }
    Ok(())
}
