//! What was built is found again, whole, by as many as like, and not for ever.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use sandbox::Level;
use workshop::{Built, Made, Options, Recipe, Workshop};

use crate::Case;
use crate::scene::{Job, Scene};
use crate::spoiled::{COPY, compiler, folder, workshop};

static COPIES: Recipe = compiler(&COPY, &["{bin}/cp", "{source}", "{output}"]);
static COPIES_OTHERWISE: Recipe = compiler(&COPY, &["{bin}/cp", "--", "{source}", "{output}"]);

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::new(Level::A, "keeping::found-again", None, found_again),
        Case::new(Level::A, "keeping::checked", None, checked),
        Case::new(Level::A, "keeping::bounded", None, bounded),
        Case::new(Level::A, "keeping::at-once", None, at_once),
        Case::new(Level::A, "keeping::copied", None, copied),
        Case::new(Level::A, "keeping::killed", "c++17", || killed(Level::A)),
        Case::new(Level::B, "keeping::killed", "c++17", || killed(Level::B)),
    ]
}

fn build(workshop: &Workshop, recipe: &'static Recipe, source: &[u8]) -> Result<Built, Failed> {
    match workshop.build(source, recipe, &Options::default())? {
        Made::Built(built) => Ok(*built),
        Made::Failed(failed) => Err(format!("{failed:#?}").into()),
    }
}

fn check(holds: bool, what: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).into_iter().flatten().count()
}

fn found_again() -> Result<(), Failed> {
    let folder = folder()?;
    let workshop = workshop(Level::A, folder.path(), 1 << 20)?;
    let first = build(&workshop, &COPIES, b"one")?;
    let again = build(&workshop, &COPIES, b"one")?;
    check(!first.cached && again.cached && first.folder == again.folder, "it is built once")?;
    check(first.report == again.report && first.run == again.run, "it is the same")?;
    check(std::fs::read(first.program())? == b"one", "it is what was built")?;
    let other = build(&workshop, &COPIES, b"two")?;
    check(!other.cached && other.folder != first.folder, "another source is another program")?;
    let flags = build(&workshop, &COPIES_OTHERWISE, b"one")?;
    check(!flags.cached && flags.folder != first.folder, "other flags make another program")?;
    let later = crate::spoiled::workshop(Level::A, folder.path(), 1 << 20)?;
    check(build(&later, &COPIES, b"one")?.cached, "another workshop finds it too")?;
    check(count(&folder.path().join("scratch")) == 0, "nothing is left")
}

/// Each way to spoil an entry is noticed, and it is built anew.
fn checked() -> Result<(), Failed> {
    let folder = folder()?;
    let workshop = workshop(Level::A, folder.path(), 1 << 20)?;
    let spoil: [fn(&Path) -> std::io::Result<()>; 6] = [
        |folder| replace(&folder.join("program"), b"owo"),
        |folder| std::fs::remove_file(folder.join("program")),
        |folder| {
            std::fs::remove_file(folder.join("program"))?;
            std::os::unix::fs::symlink("/etc/passwd", folder.join("program"))
        },
        |folder| std::fs::write(folder.join("more"), b""),
        |folder| replace(&folder.with_file_name("entry.json"), b"{}"),
        |folder| std::fs::remove_file(folder.with_file_name("entry.json")),
    ];
    for (index, spoil) in spoil.into_iter().enumerate() {
        let built = build(&workshop, &COPIES, b"one")?;
        let path = built.folder.clone();
        drop(built);
        spoil(&path)?;
        let again = build(&workshop, &COPIES, b"one")?;
        check(!again.cached && std::fs::read(again.program())? == b"one", &format!("spoiled {index}"))?;
        drop(again);
        check(build(&workshop, &COPIES, b"one")?.cached, "then it is whole again")?;
    }
    check(count(&folder.path().join("scratch")) == 0, "nothing is left")
}

fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::remove_file(path)?;
    std::fs::write(path, bytes)
}

/// What was not used for longest goes; what is in use stays.
fn bounded() -> Result<(), Failed> {
    let folder = folder()?;
    let source = |letter: u8| vec![letter; 100_000];
    // Room for three programs and their lists.
    let workshop = workshop(Level::A, folder.path(), 330_000)?;
    let held = build(&workshop, &COPIES, &source(b'a'))?;
    for letter in [b'b', b'c'] {
        build(&workshop, &COPIES, &source(letter))?;
        std::thread::sleep(Duration::from_millis(20));
    }
    check(build(&workshop, &COPIES, &source(b'b'))?.cached, "b is there, and used later than c")?;
    build(&workshop, &COPIES, &source(b'd'))?;
    check(count(&folder.path().join("entries")) == 3, "one had to go")?;
    check(held.program().exists(), "a is the oldest, but held")?;
    check(build(&workshop, &COPIES, &source(b'b'))?.cached, "b was used lately")?;
    check(build(&workshop, &COPIES, &source(b'a'))?.cached, "a was held")?;
    drop(held);
    check(!build(&workshop, &COPIES, &source(b'c'))?.cached, "c was not used for longest")
}

/// Many builds of the same at the same moment all get it.
fn at_once() -> Result<(), Failed> {
    let folder = folder()?;
    // No room for anything that is not held: removal happens all the time.
    let workshop = workshop(Level::A, folder.path(), 0)?;
    let built: Vec<Result<Built, Failed>> = std::thread::scope(|scope| {
        let builders: Vec<_> = (0..8).map(|_| scope.spawn(|| build(&workshop, &COPIES, b"one"))).collect();
        builders.into_iter().map(|builder| builder.join().unwrap_or_else(|_| Err("it panicked".into()))).collect()
    });
    for built in &built {
        let built = built.as_ref().map_err(|failed| failed.message().unwrap_or_default().to_owned())?;
        check(std::fs::read(built.program())? == b"one", "each has a whole program")?;
    }
    check(count(&folder.path().join("entries")) == 1, "all have the same")?;
    check(count(&folder.path().join("scratch")) == 0, "nothing is left")
}

fn copied() -> Result<(), Failed> {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder()?;
    let workshop = workshop(Level::A, folder.path(), 1 << 20)?;
    let built = build(&workshop, &COPIES, b"one")?;
    let target = folder.path().join("engine");
    std::fs::write(&target, "older")?;
    let run = built.copy_to(&target)?;
    check(run == [target.canonicalize()?.to_string_lossy()], "it runs where it was copied to")?;
    check(std::fs::read(&target)? == b"one", "it was copied")?;
    check(target.metadata()?.permissions().mode() & 0o777 == 0o755, "it may be run, and replaced")?;
    check(built.copy_to(&folder.path().join("no/such/folder")).is_err(), "a folder that is not there is told")
}

/// A workshop that is killed in the middle leaves a folder behind, which the next one sweeps, and no process.
fn killed(level: Level) -> Result<(), Failed> {
    let scene = Scene::new(level)?;
    let bomb = "template<int N, unsigned M> struct T { static const unsigned v = T<N - 1, M * 2>::v + T<N - 1, M * 2 + 1>::v; };\n\
                template<unsigned M> struct T<0, M> { static const unsigned v = M; };\nint main() { return T<31, 1>::v; }";
    let mut child = scene.start(&Job { language: "c++17", source: bomb.as_bytes(), limits: None, talk: None })?;
    let deadline = Instant::now() + Duration::from_secs(30);
    let compiling = || scene.processes().iter().any(|words| words.contains("cc1plus"));
    while !compiling() {
        check(Instant::now() < deadline, "the compiler starts")?;
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill()?;
    child.wait()?;
    while compiling() {
        check(Instant::now() < deadline, "the compiler ends with the workshop")?;
        std::thread::sleep(Duration::from_millis(10));
    }
    check(count(&scene.folder.join("scratch")) == 1, "the folder is left")?;
    scene.compile("c17", "int main() {}")?;
    scene.nothing_is_left()
}
