//! The languages: one table. A new language is one row, and a new standard of a language too.
//!
//! In the words of a row `{bin}` stands for the folder of its tools, `{standard}` for the row's standard, `{source}` for the source file, which lies
//! in the folder the compiler starts in, `{output}` for what the compiler shall make, `{program}` for what was made, and `{class}` for the
//! class to start.

use games::{Language, Phrase};

/// How one language is built and run.
#[derive(Debug)]
pub struct Recipe {
    /// Stable, for programs and `--language`.
    pub id: &'static str,
    /// For people.
    pub name: Phrase,
    /// Other names people use.
    pub also: &'static [&'static str],
    /// Endings of its files. The first row with an ending is what a file of that ending is taken for.
    pub endings: &'static [&'static str],
    /// The tools it needs.
    pub tool: &'static Tool,
    /// Where the compile line has `{standard}`.
    pub standard: &'static str,
    /// The compile line, or the check of a language that is not compiled.
    pub compile: &'static [&'static str],
    /// The line that runs the program.
    pub run: &'static [&'static str],
    /// What the source file is called.
    pub file: FileName,
    /// What the compiler makes.
    pub product: Product,
    /// What it needs beyond the usual limits.
    pub allowance: Allowance,
}

/// A set of tools that are installed together.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The one that is looked for.
    pub name: &'static str,
    /// The language it serves, in all its standards.
    pub serves: &'static str,
    /// Its version command, after its name.
    pub version: &'static [&'static str],
    /// Asked where programs are not searched for inside the sandbox (`~/.rustup`, `/usr/local/go`): words after its name that make it say where it
    /// lives. Its tools are in `bin` there.
    pub home: &'static [&'static str],
    /// How to get it.
    pub remedy: Phrase,
    /// Set for its compiler, beside what every program in the sandbox has.
    pub environment: &'static [(&'static str, &'static str)],
    /// Whether its compiler starts other programs, which level C forbids.
    pub forks: bool,
}

/// What the source file is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileName {
    /// Always this.
    Fixed(&'static str),
    /// After its public class, as Java demands.
    Java,
    /// `main.js`, or `main.mjs` when it has `import` or `export` statements.
    JavaScript,
}

/// What the compiler makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// One executable.
    Executable,
    /// A folder of classes.
    Classes,
    /// Nothing: the source itself runs, and was checked.
    Source,
}

/// What a language needs beyond the usual limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Seconds of processor time its compiler may take.
    pub compile_seconds: u64,
    /// Processes and threads its compiler may have.
    pub compile_processes: u32,
    /// Processes and threads its program may have at least: runtimes start threads of their own.
    pub run_processes: u32,
}

const USUAL: Allowance = Allowance { compile_seconds: 20, compile_processes: 64, run_processes: 24 };

static GCC: Tool = Tool {
    name: "gcc",
    serves: "C",
    version: &["--version"],
    home: &[],
    remedy: Phrase::new("install it: apt install gcc", "安装：apt install gcc"),
    environment: &[],
    forks: true,
};

static GXX: Tool = Tool {
    name: "g++",
    serves: "C++",
    version: &["--version"],
    home: &[],
    remedy: Phrase::new("install it: apt install g++", "安装：apt install g++"),
    environment: &[],
    forks: true,
};

pub(crate) static RUSTC: Tool = Tool {
    name: "rustc",
    serves: "Rust",
    version: &["--version"],
    home: &["--print", "sysroot"],
    remedy: Phrase::new(
        "install it: https://rustup.rs or apt install rustc",
        "安装：https://rustup.rs 或 apt install rustc",
    ),
    environment: &[],
    forks: true,
};

pub(crate) static MAKE: Tool = Tool {
    name: "make",
    serves: "Makefile",
    version: &["--version"],
    home: &[],
    remedy: Phrase::new("install it: apt install make", "安装：apt install make"),
    environment: &[],
    forks: true,
};

static PYTHON: Tool = Tool {
    name: "python3",
    serves: "Python",
    version: &["--version"],
    home: &["-c", "import sys; print(sys.base_prefix)"],
    remedy: Phrase::new("install it: apt install python3", "安装：apt install python3"),
    environment: &[],
    forks: false,
};

static JDK: Tool = Tool {
    name: "javac",
    serves: "Java",
    version: &["-J-XX:TieredStopAtLevel=1", "-version"],
    home: &[],
    remedy: Phrase::new("install it: apt install default-jdk-headless", "安装：apt install default-jdk-headless"),
    environment: &[],
    forks: false,
};

static GO: Tool = Tool {
    name: "go",
    serves: "Go",
    version: &["version"],
    home: &["env", "GOROOT"],
    remedy: Phrase::new("install it: apt install golang-go", "安装：apt install golang-go"),
    environment: &[
        ("GO111MODULE", "off"),
        ("CGO_ENABLED", "0"),
        ("GOPROXY", "off"),
        ("GOTOOLCHAIN", "local"),
        ("GOTELEMETRY", "off"),
        ("GOMAXPROCS", "2"),
    ],
    forks: true,
};

static NODE: Tool = Tool {
    name: "node",
    serves: "JavaScript",
    version: &["--version"],
    home: &["-p", "path.dirname(path.dirname(process.execPath))"],
    remedy: Phrase::new("install it: apt install nodejs", "安装：apt install nodejs"),
    environment: &[],
    forks: false,
};

/// The GNU dialects: they declare what every Linux has (`usleep`, `clock_gettime`, `strdup`), which students expect. Warnings are told, but not the one
/// for every `scanf` whose count is not looked at. Nobody reads the 501st error, and gcc takes milliseconds for each. No `-march`: what is built here may run on another machine.
const C: &[&str] = &[
    "{bin}/gcc",
    "-std={standard}",
    "-O2",
    "-Wall",
    "-Wno-unused-result",
    "-fdiagnostics-color=never",
    "-fmax-errors=500",
    "-pipe",
    "-pthread",
    "-o",
    "{output}",
    "{source}",
    "-lm",
];

const CPP: &[&str] = &[
    "{bin}/g++",
    "-std={standard}",
    "-O2",
    "-Wall",
    "-Wno-unused-result",
    "-fdiagnostics-color=never",
    "-fmax-errors=500",
    "-pipe",
    "-pthread",
    "-o",
    "{output}",
    "{source}",
];

const fn c(id: &'static str, name: &'static str, also: &'static [&'static str], standard: &'static str) -> Recipe {
    Recipe {
        id,
        name: Phrase::same(name),
        also,
        endings: &["c"],
        tool: &GCC,
        standard,
        compile: C,
        run: &["{program}"],
        file: FileName::Fixed("main.c"),
        product: Product::Executable,
        allowance: USUAL,
    }
}

const fn cpp(id: &'static str, name: &'static str, also: &'static [&'static str], standard: &'static str) -> Recipe {
    Recipe {
        id,
        name: Phrase::same(name),
        also,
        endings: &["cpp", "cc", "cxx", "c++"],
        tool: &GXX,
        standard,
        compile: CPP,
        run: &["{program}"],
        file: FileName::Fixed("main.cpp"),
        product: Product::Executable,
        allowance: USUAL,
    }
}

/// Every language, the usual standard of each first.
pub static LANGUAGES: &[Recipe] = &[
    c("c17", "C17", &["c", "c18", "gcc"], "gnu17"),
    c("c11", "C11", &[], "gnu11"),
    c("c99", "C99", &[], "gnu99"),
    cpp("c++17", "C++17", &["c++", "cpp", "cpp17", "g++"], "gnu++17"),
    cpp("c++20", "C++20", &["cpp20"], "gnu++20"),
    cpp("c++14", "C++14", &["cpp14"], "gnu++14"),
    cpp("c++11", "C++11", &["cpp11"], "gnu++11"),
    Recipe {
        id: "rust",
        name: Phrase::same("Rust"),
        also: &["rs", "rustc"],
        endings: &["rs"],
        tool: &RUSTC,
        standard: "2021",
        // The kind is said here, so that the source cannot ask for a library that the compiler would load.
        compile: &[
            "{bin}/rustc",
            "--edition={standard}",
            "--crate-name=main",
            "--crate-type=bin",
            "--color=never",
            "-Copt-level=3",
            "-Ccodegen-units=4",
            "-Cstrip=debuginfo",
            "-o",
            "{output}",
            "{source}",
        ],
        run: &["{program}"],
        file: FileName::Fixed("main.rs"),
        product: Product::Executable,
        allowance: USUAL,
    },
    Recipe {
        id: "python",
        name: Phrase::same("Python"),
        also: &["py", "python3"],
        endings: &["py"],
        tool: &PYTHON,
        standard: "",
        compile: &["{bin}/python3", "-X", "pycache_prefix={output}", "-m", "py_compile", "{source}"],
        // Unbuffered, so that a forgotten `flush=True` loses no game.
        run: &["{bin}/python3", "-u", "{program}"],
        file: FileName::Fixed("main.py"),
        product: Product::Source,
        allowance: USUAL,
    },
    Recipe {
        id: "java",
        name: Phrase::same("Java"),
        also: &["jdk"],
        endings: &["java"],
        tool: &JDK,
        standard: "",
        // Processors of annotations would be code of the stranger's in the compiler.
        compile: &[
            "{bin}/javac",
            "-J-Xmx640m",
            "-J-XX:+UseSerialGC",
            "-J-XX:TieredStopAtLevel=1",
            "-encoding",
            "UTF-8",
            "-proc:none",
            "-Xlint:unchecked",
            "-Xmaxerrs",
            "500",
            "-d",
            "{output}",
            "{source}",
        ],
        // The heap and what the runtime needs beside it fit into the 350 MiB of an engine.
        run: &[
            "{bin}/java",
            "-XX:+UseSerialGC",
            "-Xmx224m",
            "-Xss16m",
            "-XX:ActiveProcessorCount=1",
            "-Xshare:auto",
            "-cp",
            "{program}",
            "{class}",
        ],
        file: FileName::Java,
        product: Product::Classes,
        allowance: Allowance { run_processes: 32, ..USUAL },
    },
    Recipe {
        id: "go",
        name: Phrase::same("Go"),
        also: &["golang"],
        endings: &["go"],
        tool: &GO,
        standard: "",
        compile: &["{bin}/go", "build", "-p=2", "-trimpath", "-o", "{output}", "{source}"],
        run: &["{program}"],
        file: FileName::Fixed("main.go"),
        product: Product::Executable,
        // From 1.20 on Go brings no compiled standard library and builds what a program uses of it.
        allowance: Allowance { compile_seconds: 60, compile_processes: 128, run_processes: 32 },
    },
    Recipe {
        id: "javascript",
        name: Phrase::same("JavaScript"),
        also: &["js", "node", "nodejs"],
        endings: &["js", "mjs", "cjs"],
        tool: &NODE,
        standard: "",
        compile: &["{bin}/node", "--check", "{source}"],
        run: &["{bin}/node", "--max-old-space-size=224", "{program}"],
        file: FileName::JavaScript,
        product: Product::Source,
        allowance: USUAL,
    },
];

impl Recipe {
    /// Whether hints about C apply to it.
    pub(crate) fn is_c_family(&self) -> bool {
        self.compile == C || self.compile == CPP
    }
}

/// The language of that name.
pub fn find(name: &str) -> Result<&'static Recipe, crate::Error> {
    let wanted = name.trim().to_lowercase();
    let known = |recipe: &&Recipe| recipe.id == wanted || recipe.also.contains(&wanted.as_str());
    LANGUAGES.iter().find(known).ok_or_else(|| {
        let names = LANGUAGES.iter().flat_map(|recipe| recipe.also.iter().copied().chain([recipe.id]));
        let near = names.map(|known| (strsim::damerau_levenshtein(known, &wanted), known)).min();
        let near = near.filter(|(distance, _)| *distance <= 2).map(|(_, known)| known);
        crate::Error::NoSuchLanguage { name: name.to_owned(), near }
    })
}

/// The language a file is taken for by its ending.
pub fn for_file(path: &std::path::Path) -> Result<&'static Recipe, crate::Error> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let found = LANGUAGES.iter().find(|recipe| recipe.endings.contains(&ending.as_str()));
    found.ok_or_else(|| crate::Error::NoSuchEnding { path: path.to_owned() })
}

/// All ids, for a sentence.
pub(crate) fn ids(language: Language) -> String {
    let ids: Vec<&str> = LANGUAGES.iter().map(|recipe| recipe.id).collect();
    ids.join(if language == Language::Zh { "、" } else { ", " })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_name_means_one_language() {
        let mut seen = BTreeSet::new();
        for recipe in LANGUAGES {
            for name in recipe.also.iter().chain([&recipe.id]) {
                assert!(seen.insert(*name), "{name} twice");
                assert_eq!(find(name).unwrap().id, recipe.id);
            }
        }
    }

    #[test]
    fn an_ending_means_the_usual_standard() {
        let id = |name: &str| for_file(Path::new(name)).map(|recipe| recipe.id).unwrap_or("none");
        let seen = ["a.c", "a.CPP", "a.cc", "a.rs", "a.py", "A.java", "a.go", "a.mjs", "a.exe", "a"].map(id);
        assert_eq!(seen, ["c17", "c++17", "c++17", "rust", "python", "java", "go", "javascript", "none", "none"]);
    }

    #[test]
    fn every_line_names_what_it_needs() {
        for recipe in LANGUAGES {
            assert!(recipe.compile.contains(&"{source}"), "{}", recipe.id);
            let makes = recipe.compile.iter().any(|word| word.contains("{output}"));
            assert!(makes || recipe.product == Product::Source, "{}", recipe.id);
            assert!(recipe.run.contains(&"{program}"), "{}", recipe.id);
            assert!(recipe.compile[0].starts_with("{bin}/"), "{}", recipe.id);
        }
    }
}
