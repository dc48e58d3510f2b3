//! Sources that attack their compiler, each with its exact ending.

use std::time::Duration;

use libtest_mimic::Failed;
use sandbox::{Level, Limits};
use serde_json::{Value, json};
use workshop::MOST_MESSAGES;

use crate::Case;
use crate::scene::{Job, Scene, same};

/// The caller may grow by its messages, a pipe's worth of buffer, and what the allocator keeps.
const MOST_GROWTH: u64 = 16 << 20;

/// A source and what must come of it.
struct Bomb {
    name: &'static str,
    language: &'static str,
    source: String,
    why: Value,
    /// A part of the messages.
    said: &'static str,
    /// Shorter than usual where it would only make the trial slow.
    time: Option<Duration>,
}

fn bomb(name: &'static str, language: &'static str, source: impl Into<String>, why: Value) -> Bomb {
    Bomb { name, language, source: source.into(), why, said: "", time: None }
}

impl Bomb {
    fn saying(self, said: &'static str) -> Self {
        Self { said, ..self }
    }

    fn within(self, seconds: u64) -> Self {
        Self { time: Some(Duration::from_secs(seconds)), ..self }
    }
}

fn bombs(level: Level) -> Vec<Bomb> {
    let (errors, memory, time, size) =
        (json!("errors"), json!({"limit": "memory"}), json!({"limit": "cpu"}), json!({"limit": "file-size"}));
    let many = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let endless = |why: &Value| bomb("include-dev-zero", "c17", "#include \"/dev/zero\"\nint main() {}", why.clone());
    vec![
        // Where nobody counts what is shared it is not there.
        match level {
            Level::A => endless(&memory),
            _ => endless(&errors).saying("/dev/zero: No such file or directory"),
        },
        bomb("include-shadow", "c17", "#include \"/etc/shadow\"\nint main() {}", errors.clone())
            .saying("/etc/shadow: No such file or directory"),
        bomb("include-environment", "c++17", "#include \"/proc/1/environ\"\nint main() {}", errors.clone())
            .saying("/proc/1/environ: Permission denied"),
        bomb("incbin-shadow", "c17", "__asm__(\".incbin \\\"/etc/shadow\\\"\");\nint main() {}", errors.clone())
            .saying("file not found: /etc/shadow"),
        bomb("includes-itself", "c17", "x y z;\n#include __FILE__\n#include __FILE__\nint main() {}", errors.clone())
            .saying("compilation terminated due to -fmax-errors=500."),
        // Without errors nothing but the sandbox ends it.
        bomb("includes-itself-silently", "c17", "#include __FILE__\n#include __FILE__\n", errors.clone()).saying("nested depth"),
        bomb(
            "warns-for-ever",
            "c++17",
            "#pragma GCC diagnostic warning \"-Wcpp\"\n#if __INCLUDE_LEVEL__ < 190\n#warning again and again\n#include __FILE__\n#include __FILE__\n#endif\n",
            time.clone(),
        )
        .within(2),
        bomb("array-of-4-gb", "c17", "char a[4ULL << 30] = {1};\nint main() { return a[5]; }", size.clone())
            .saying("File size limit exceeded"),
        bomb("fill", "c17", "__asm__(\".fill 4000000000,1,7\");\nint main() {}", size),
        bomb("rept", "c17", "__asm__(\".rept 1000000000\\n.quad 1\\n.endr\");\nint main() {}", memory.clone()),
        bomb(
            "templates",
            "c++17",
            "template<int N, unsigned M> struct T { static const unsigned v = T<N - 1, M * 2>::v + T<N - 1, M * 2 + 1>::v; };\n\
             template<unsigned M> struct T<0, M> { static const unsigned v = M; };\nint main() { return T<31, 1>::v; }",
            time.clone(),
        )
        .within(2),
        bomb(
            "macros",
            "c17",
            "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(B(x)))\nint main() { C(;) }",
            memory.clone(),
        ),
        bomb("errors-20000", "c17", format!("int main() {{\n{}}}", many(20_000, |n| format!("u{n}++;\n"))), errors.clone())
            .saying("-fmax-errors=500"),
        bomb("rust-include-bytes", "rust", "fn main() { println!(\"{}\", include_bytes!(\"/etc/shadow\").len()); }", errors.clone())
            .saying("couldn't read"),
        bomb("rust-include-str-environment", "rust", "fn main() { println!(\"{}\", include_str!(\"/proc/1/environ\")); }", errors.clone())
            .saying("couldn't read"),
        // A compiler's plug-in is code of the stranger's inside the compiler.
        bomb(
            "rust-procedural-macro",
            "rust",
            "#![crate_type = \"proc-macro\"]\nextern crate proc_macro;\n#[proc_macro]\npub fn f(x: proc_macro::TokenStream) -> proc_macro::TokenStream { x }\nfn main() {}",
            errors.clone(),
        )
        .saying("proc-macro"),
        bomb("rust-errors-2000", "rust", format!("fn main() {{\n{}}}", many(2000, |n| format!("u{n};\n"))), errors.clone()),
        bomb("rust-errors-20000", "rust", format!("fn main() {{\n{}}}", many(20_000, |n| format!("u{n};\n"))), time.clone())
            .within(3),
        bomb(
            "rust-types",
            "rust",
            "trait T { fn f(self) -> u64; }\nimpl T for u8 { fn f(self) -> u64 { 1 } }\n\
             impl<A: Copy> T for (A, A) where ((A, A), (A, A)): T { fn f(self) -> u64 { ((self, self)).f() } }\n\
             fn main() { println!(\"{}\", (1u8, 1u8).f()); }",
            errors.clone(),
        )
        .saying("overflow evaluating"),
        bomb("java-errors-20000", "java", format!("class Main {{\n{}}}", many(20_000, |n| format!("int a{n} = b{n};\n"))), errors.clone())
            .saying("only showing the first 500 errors"),
        bomb(
            "java-constants",
            "java",
            format!("class Main {{ static final String A0 = \"0123456789abcdef\";\n{}}}", many(40, |n| format!("static final String A{} = A{n} + A{n};\n", n + 1))),
            memory.clone(),
        ),
        bomb("go-embed", "go", "package main\nimport _ \"embed\"\n//go:embed /etc/shadow\nvar s string\nfunc main() { print(s) }\n", errors.clone())
            .saying("pattern /etc/shadow: invalid pattern syntax"),
        bomb("go-c", "go", "package main\n// #include \"/etc/shadow\"\nimport \"C\"\nfunc main() {}\n", errors.clone()),
        bomb("go-errors-20000", "go", format!("package main\nfunc main() {{\n{}}}\n", many(20_000, |n| format!("u{n}()\n"))), errors.clone())
            .saying("too many errors"),
        bomb("python-nesting", "python", format!("x = {}", "(".repeat(3000)), errors.clone()).saying("too many nested parentheses"),
        bomb("javascript-nesting", "javascript", format!("x = {}", "[".repeat(900_000)), errors.clone()),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [Level::A, Level::B] {
        for bomb in bombs(level) {
            cases.push(Case::new(level, format!("bomb::{}", bomb.name), bomb.language, move || explode(level, &bomb)));
        }
        cases.push(Case::new(level, "bomb::include-another-build", "c17", move || another_build(level)));
        cases.push(Case::new(level, "bomb::warnings-5000", "c17", move || many_warnings(level)));
    }
    for bomb in bombs(Level::C).into_iter().filter(|bomb| matches!(bomb.language, "python" | "javascript" | "java")) {
        cases
            .push(Case::new(Level::C, format!("bomb::{}", bomb.name), bomb.language, move || explode(Level::C, &bomb)));
    }
    cases
}

fn explode(level: Level, bomb: &Bomb) -> Result<(), Failed> {
    let scene = Scene::new(level)?;
    let limits = bomb.time.map(|time| Limits { cpu: Some(time), wall: Some(time * 100), ..Limits::compiler() });
    let job = Job { language: bomb.language, source: bomb.source.as_bytes(), limits, talk: None };
    let said = scene.build(&job)?;
    same(&said["why"], &bomb.why, &said)?;
    harmless(&said)?;
    if !text(&said).contains(bomb.said) {
        return Err(format!("nothing of {:?} in {said:#}", bomb.said).into());
    }
    let entries = std::fs::read_dir(scene.folder.join("entries"))?.count();
    same(&entries.into(), &json!(0), &said)?;
    scene.nothing_is_left()
}

fn text(said: &Value) -> &str {
    said["messages"]["text"].as_str().unwrap_or_default()
}

/// The caller stays small, the messages bounded, and no secret is among them.
fn harmless(said: &Value) -> Result<(), Failed> {
    let grown = said["grown"].as_u64().ok_or("no figure")?;
    if grown > MOST_GROWTH || text(said).len() > MOST_MESSAGES || text(said).contains("root:") {
        return Err(format!("grown by {grown}: {said:#}").into());
    }
    Ok(())
}

/// A source that reaches for what was built for somebody else; without a sandbox it gets it.
fn another_build(level: Level) -> Result<(), Failed> {
    let reach = |scene: &Scene| {
        let other = scene.folder.join("entries/other/program");
        scene.compile("c17", "int main() {}")?;
        std::fs::create_dir_all(&other)?;
        std::fs::write(other.join("secret.c"), "int secret = 4711;\n")?;
        let relative = "#include \"../../../entries/other/program/secret.c\"\nint main() { return secret; }";
        let absolute = format!("#include \"{}\"\nint main() {{ return secret; }}", other.join("secret.c").display());
        Ok::<_, Failed>([scene.compile("c17", relative)?, scene.compile("c17", absolute)?])
    };
    for said in reach(&Scene::new(Level::D)?)? {
        same(&said["built"], &json!(true), &said)?;
    }
    let scene = Scene::new(level)?;
    for said in reach(&scene)? {
        same(&said["why"], &json!("errors"), &said)?;
        if !text(&said).contains("No such file or directory") {
            return Err(format!("{said:#}").into());
        }
    }
    scene.nothing_is_left()
}

/// Warnings do not stop a compiler; what is kept of them is bounded, and the program is there.
fn many_warnings(level: Level) -> Result<(), Failed> {
    let scene = Scene::new(level)?;
    let source = "#warning not good\n".repeat(5000) + "int main() {}";
    let said = scene.compile("c17", source)?;
    same(&said["built"], &json!(true), &said["report"])?;
    harmless(&said)?;
    let (kept, left_out) = (text(&said).len() as u64, said["messages"]["left_out"].as_u64().unwrap_or_default());
    if kept < 99_000 || left_out < 100_000 {
        return Err(format!("{kept} bytes kept, {left_out} left out").into());
    }
    scene.nothing_is_left()
}
