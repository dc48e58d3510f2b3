//! A program of several files: an archive with a build file.
//!
//! Three build files are known, looked for in this order at the top of the archive (or of the one folder that everything in
//! it is in): `boyi.toml`, which names the language and the file to start with; `Makefile`, which leaves an executable
//! `program`; `Cargo.toml`. All of them run where compilers run, under their limits.

use games::{Language, Phrase};
use serde::Deserialize;

use crate::archive::{ArchiveBounds, ArchiveError, ArchiveFile, read_archive};
use crate::error::Unusable;
use crate::languages::{self, Allowance, FileName, MAKE, Product, RUSTC, Recipe};
use crate::naming::{self, Named};
use crate::source::{self, Encoding, Source};
use crate::workshop::EXECUTABLE;

/// The build file of ours.
const MANIFEST: &str = "boyi.toml";
/// The build files of make, as make looks for them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
/// Cargo's build file.
const CARGO_MANIFEST: &str = "Cargo.toml";
/// Files of text beside the sources of C and C++.
const HEADERS: [&str; 6] = ["h", "hh", "hpp", "hxx", "inc", "inl"];

/// A script that builds in a copy: builders write beside the sources.
macro_rules! in_a_copy {
    ($script:literal) => {
        concat!("cp -R . \"$TMPDIR/project\" && cd \"$TMPDIR/project\" && chmod -R u+rwX . && ", $script)
    };
}

/// Room for a program of many files.
const ALLOWANCE: Allowance = Allowance { compile_seconds: 60, compile_processes: 64, run_processes: 24 };

const fn builder(
    id: &'static str,
    name: &'static str,
    tool: &'static languages::Tool,
    file: &'static str,
    compile: &'static [&'static str],
) -> Recipe {
    Recipe {
        id,
        name: Phrase::same(name),
        also: &[],
        endings: &[],
        tool,
        standard: "",
        compile,
        run: &["{program}"],
        file: FileName::Fixed(file),
        product: Product::Executable,
        allowance: ALLOWANCE,
    }
}

/// `make`, which shall leave `program`.
static BY_MAKE: Recipe = builder(
    "make",
    "Makefile",
    &MAKE,
    "Makefile",
    &[
        "/bin/sh",
        "-c",
        in_a_copy!(
            "{bin}/make -j2 && if test -f program; then cp program \"$1\"; else echo 'make: no file \"program\" was made' >&2; exit 1; fi"
        ),
        "sh",
        "{output}",
    ],
);

/// `cargo build --release`, without a network: dependencies are in the archive or not there.
static BY_CARGO: Recipe = builder(
    "cargo",
    "Cargo",
    &RUSTC,
    CARGO_MANIFEST,
    &[
        "/bin/sh",
        "-c",
        in_a_copy!(
            "PATH=\"{bin}:$PATH\" CARGO_HOME=\"$TMPDIR/cargo\" cargo build --release --offline --color never -j2 --target-dir \"$TMPDIR/target\" && cp \"$TMPDIR/target/release/$2\" \"$1\""
        ),
        "sh",
        "{output}",
        "{class}",
    ],
);

/// Why an archive is not a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProjectError {
    /// The archive cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It does not say how it is built.
    #[error("there is no build file at the top of the archive: add boyi.toml, Makefile or Cargo.toml")]
    NoBuildFile,
    /// The build file is not understood.
    #[error("{file}: {said}")]
    BadBuildFile {
        /// Which.
        file: &'static str,
        /// What is wrong.
        said: String,
    },
    /// It names a language that is none.
    #[error("boyi.toml: {0:?} is not a language")]
    NoSuchLanguage(String),
    /// It names a file that is not there, or of another language.
    #[error("boyi.toml: main = {main:?} is not a file of the archive in {language}")]
    NoMain {
        /// The file.
        main: String,
        /// The language.
        language: &'static str,
    },
    /// Several files could be meant.
    #[error("boyi.toml: say which file the program starts with: main = \"…\" (there are {0} that could be meant)")]
    WhichMain(usize),
    /// A source cannot be used.
    #[error("{path}: {why}")]
    Source {
        /// The file.
        path: String,
        /// Why.
        why: Unusable,
    },
}

impl ProjectError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (_, Self::Archive(error)) => error.say(language),
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::NoBuildFile) => {
                "压缩包顶层没有构建文件：请加入 boyi.toml、Makefile 或 Cargo.toml".to_owned()
            }
            // The parser's own words, marked as such.
            (Language::Zh, Self::BadBuildFile { file, said }) => format!("{file} 有误（“{said}”）"),
            (Language::Zh, Self::NoSuchLanguage(name)) => format!("boyi.toml：没有语言“{name}”"),
            (Language::Zh, Self::NoMain { main, language }) => {
                format!("boyi.toml：main = \"{main}\" 不是压缩包中的 {language} 源文件")
            }
            (Language::Zh, Self::WhichMain(count)) => {
                format!("boyi.toml：请用 main = \"…\" 指明程序的入口文件（有 {count} 个可能）")
            }
            (Language::Zh, Self::Source { path, why }) => format!("{path}：{}", why.say(language)),
        }
    }
}

/// What `boyi.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    language: String,
    main: Option<String>,
}

/// A program of several files, ready to be built.
#[derive(Debug)]
pub struct Project {
    /// How it is built.
    pub(crate) recipe: &'static Recipe,
    /// Its language, where the build file tells it.
    language: Option<&'static Recipe>,
    /// Every file, texts as UTF-8.
    pub(crate) files: Vec<ArchiveFile>,
    /// The file it starts with, and the class or program.
    pub(crate) named: Named,
    /// The text of that file, for hints.
    pub(crate) source: Source,
    /// What stands for `{source}`.
    pub(crate) words: Vec<String>,
}

impl Project {
    /// Reads an archive and its build file; nothing is built or written.
    pub fn read(bytes: &[u8]) -> Result<Self, ProjectError> {
        let mut files = read_archive(bytes, ArchiveBounds::PROJECT)?;
        if build_file(&files).is_none() {
            strip_top(&mut files);
        }
        // What the program will be called is not the archive's to give.
        files.retain(|file| file.path != EXECUTABLE);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        match build_file(&files) {
            Some(MANIFEST) => Self::of_language(files),
            Some(CARGO_MANIFEST) => Self::of_cargo(files),
            Some(makefile) => Self::by(&BY_MAKE, None, files, makefile, String::new()),
            None => Err(ProjectError::NoBuildFile),
        }
    }

    /// The language its build file names; nothing where a Makefile may call anything.
    #[must_use]
    pub fn language(&self) -> Option<&'static Recipe> {
        self.language
    }

    fn by(
        recipe: &'static Recipe,
        language: Option<&'static Recipe>,
        files: Vec<ArchiveFile>,
        file: &str,
        class: String,
    ) -> Result<Self, ProjectError> {
        let bytes = files.iter().find(|known| known.path == file).map(|known| known.bytes.as_slice());
        let text = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let source = Source { text, encoding: Encoding::Utf8 };
        Ok(Self { recipe, language, files, named: Named { file: file.to_owned(), class }, source, words: Vec::new() })
    }

    fn of_cargo(files: Vec<ArchiveFile>) -> Result<Self, ProjectError> {
        let bad = |said: &str| ProjectError::BadBuildFile { file: CARGO_MANIFEST, said: said.to_owned() };
        let table: toml::Table = read_toml(&files, CARGO_MANIFEST)?;
        let text = |value: Option<&toml::Value>| value.and_then(toml::Value::as_str).map(str::to_owned);
        let of_bin = table.get("bin").and_then(|bins| text(bins.get(0)?.get("name")));
        let of_package = || table.get("package").and_then(|package| text(package.get("name")));
        let name = of_bin.or_else(of_package).ok_or_else(|| bad("there is no [package] with a name"))?;
        let plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
        if !plain {
            return Err(bad("the name of the program is not a file name"));
        }
        let rust = languages::find("rust").ok();
        Self::by(&BY_CARGO, rust, files, CARGO_MANIFEST, name)
    }

    fn of_language(mut files: Vec<ArchiveFile>) -> Result<Self, ProjectError> {
        let manifest: Manifest = read_toml(&files, MANIFEST)?;
        let recipe =
            languages::find(&manifest.language).map_err(|_| ProjectError::NoSuchLanguage(manifest.language.clone()))?;
        let of_language = |path: &str| ending(path).is_some_and(|ending| recipe.endings.contains(&ending.as_str()));
        let sources: Vec<String> =
            files.iter().map(|file| file.path.clone()).filter(|path| of_language(path)).collect();
        let main = main_file(recipe, &files, &sources, manifest.main)?;
        for file in &mut files {
            let is_header =
                recipe.is_c_family() && ending(&file.path).is_some_and(|end| HEADERS.contains(&end.as_str()));
            if of_language(&file.path) || is_header {
                decode(recipe, file)?;
            }
        }
        let text = files.iter().find(|file| file.path == main).map(|file| file.bytes.as_slice()).unwrap_or_default();
        let source = source::read(text).map_err(|why| ProjectError::Source { path: main.clone(), why })?;
        let class = naming::name(recipe.file, &source.text).class;
        let words = source_words(recipe, &main, &sources, &files);
        Ok(Self { recipe, language: Some(recipe), files, named: Named { file: main, class }, source, words })
    }
}

/// The first build file of the list that is at the top.
fn build_file(files: &[ArchiveFile]) -> Option<&'static str> {
    let known = [MANIFEST].into_iter().chain(MAKEFILES).chain([CARGO_MANIFEST]);
    known.into_iter().find(|name| files.iter().any(|file| file.path == *name))
}

/// Takes the one folder away that everything is in.
fn strip_top(files: &mut [ArchiveFile]) {
    let top = |path: &str| path.split_once('/').map(|(top, _)| top.to_owned());
    let Some(first) = files.first().and_then(|file| top(&file.path)) else { return };
    if files.iter().all(|file| top(&file.path).as_deref() == Some(first.as_str())) {
        for file in files {
            file.path.drain(..=first.len());
        }
    }
}

fn ending(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase())
}

fn read_toml<T: serde::de::DeserializeOwned>(files: &[ArchiveFile], name: &'static str) -> Result<T, ProjectError> {
    let bytes = files.iter().find(|file| file.path == name).map(|file| file.bytes.as_slice()).unwrap_or_default();
    let bad = |said: String| ProjectError::BadBuildFile { file: name, said };
    let text = std::str::from_utf8(bytes).map_err(|_| bad("save it as UTF-8".to_owned()))?;
    toml::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let line = error.span().map(|span| source::line_at(text, span.start.min(text.len())));
        bad(line.map_or_else(|| error.message().to_owned(), |line| format!("line {line}: {}", error.message())))
    })
}

/// The file a program starts with: as it is told, or the one that can be meant.
fn main_file(
    recipe: &'static Recipe,
    files: &[ArchiveFile],
    sources: &[String],
    told: Option<String>,
) -> Result<String, ProjectError> {
    let none = |main: String| ProjectError::NoMain { main, language: recipe.id };
    if let Some(main) = told {
        let main = main.trim_start_matches("./").to_owned();
        return if sources.contains(&main) { Ok(main) } else { Err(none(main)) };
    }
    let stem = if recipe.file == FileName::Java { "Main" } else { "main" };
    let usual = |folder: &str| {
        let endings = recipe.endings.iter().map(|ending| format!("{folder}{stem}.{ending}"));
        endings.into_iter().find(|path| sources.contains(path))
    };
    if let Some(main) = usual("").or_else(|| usual("src/")) {
        return Ok(main);
    }
    // All sources of C and C++ are built together: where it starts matters only for hints.
    let starts = |path: &&String| {
        let file = files.iter().find(|file| file.path == **path);
        file.is_some_and(|file| memchr::memmem::find(&file.bytes, b"main").is_some())
    };
    match (sources, recipe.is_c_family()) {
        ([], _) => Err(none(format!("{stem}.{}", recipe.endings.first().unwrap_or(&"")))),
        ([only], _) => Ok(only.clone()),
        ([first, ..], true) => Ok(sources.iter().find(starts).unwrap_or(first).clone()),
        (several, false) => Err(ProjectError::WhichMain(several.len())),
    }
}

/// A text as UTF-8, as a single source would be.
fn decode(recipe: &Recipe, file: &mut ArchiveFile) -> Result<(), ProjectError> {
    match source::read(&file.bytes) {
        Ok(mut source) => {
            if recipe.id == "python" {
                source::correct_cookie(&mut source);
            }
            file.bytes = source.text.into_bytes();
            Ok(())
        }
        Err(Unusable::Empty) => Ok(()),
        Err(why) => Err(ProjectError::Source { path: file.path.clone(), why }),
    }
}

/// What the compiler is told to read. Each path begins with `./`, or a name could pass for an option.
fn source_words(recipe: &Recipe, main: &str, sources: &[String], files: &[ArchiveFile]) -> Vec<String> {
    let path = |path: &String| format!("./{path}");
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    match recipe.id {
        _ if recipe.is_c_family() => {
            let include = files.iter().any(|file| file.path.starts_with("include/")).then(|| "-Iinclude".to_owned());
            std::iter::once("-I.".to_owned()).chain(include).chain(sources.iter().map(path)).collect()
        }
        "python" | "java" => sources.iter().map(path).collect(),
        // A package of Go is a folder.
        "go" => {
            let beside = |other: &&String| folder(other) == folder(main) && !other.ends_with("_test.go");
            sources.iter().filter(beside).map(path).collect()
        }
        // The compiler finds the others by itself.
        _ => vec![path(&main.to_owned())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::write_zip;

    fn read(files: &[(&str, &str)]) -> Result<Project, ProjectError> {
        let files =
            files.iter().map(|(path, text)| ArchiveFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() });
        Project::read(&write_zip(files).unwrap())
    }

    #[test]
    fn the_build_file_says_what_it_is() {
        let project = read(&[
            ("brain/boyi.toml", "language = \"c\""),
            ("brain/b.c", "int b;"),
            ("brain/a.c", "int main(void){}"),
            ("brain/include/x.h", ""),
        ]);
        let project = project.unwrap();
        assert_eq!((project.recipe.id, project.named.file.as_str()), ("c17", "a.c"));
        assert_eq!(project.words, ["-I.", "-Iinclude", "./a.c", "./b.c"]);
        let project = read(&[
            ("boyi.toml", "language = 'java'\nmain = 'g/Go.java'"),
            ("g/Go.java", "package g; public class Go {}"),
            ("g/B.java", "package g; class B {}"),
        ]);
        let project = project.unwrap();
        assert_eq!((project.named.class.as_str(), project.words.len()), ("g.Go", 2));
        let project = read(&[("Makefile", "program:\n"), ("Cargo.toml", ""), ("program", "old")]).unwrap();
        assert_eq!((project.recipe.id, project.language().is_none(), project.files.len()), ("make", true, 2));
        let project =
            read(&[("Cargo.toml", "[package]\nname = \"brain-1\"\n"), ("src/main.rs", "fn main() {}")]).unwrap();
        assert_eq!((project.recipe.id, project.named.class.as_str()), ("cargo", "brain-1"));
        assert_eq!(project.language().map(|language| language.id), Some("rust"));
    }

    #[test]
    fn what_cannot_be_built_is_told_before_anything_is_written() {
        let refused = |files: &[(&str, &str)]| read(files).unwrap_err();
        assert_eq!(refused(&[("main.c", "int x;")]), ProjectError::NoBuildFile);
        assert_eq!(refused(&[("a/Makefile", ""), ("b/main.c", "")]), ProjectError::NoBuildFile);
        assert!(
            matches!(refused(&[("boyi.toml", "language = 7")]), ProjectError::BadBuildFile { file: "boyi.toml", said } if said.starts_with("line 1: "))
        );
        assert!(
            matches!(refused(&[("boyi.toml", "language = 'c'\nmian = 'x'")]), ProjectError::BadBuildFile { said, .. } if said.contains("mian"))
        );
        assert_eq!(
            refused(&[("boyi.toml", "language = 'brainfuck'")]),
            ProjectError::NoSuchLanguage("brainfuck".into())
        );
        assert!(matches!(refused(&[("boyi.toml", "language = 'c'")]), ProjectError::NoMain { .. }));
        for main in ["b.py", "../a.py", "/etc/passwd", "boyi.toml"] {
            let manifest = format!("language = 'python'\nmain = '{main}'");
            assert!(
                matches!(refused(&[("boyi.toml", &manifest), ("a.py", "pass")]), ProjectError::NoMain { .. }),
                "{main}"
            );
        }
        let two = refused(&[("boyi.toml", "language = 'python'"), ("a.py", "pass"), ("b.py", "pass")]);
        assert_eq!(two, ProjectError::WhichMain(2));
        assert!(
            matches!(refused(&[("boyi.toml", "language = 'c'"), ("a.c", "x\0y")]), ProjectError::Source { path, .. } if path == "a.c")
        );
        for name in ["../../x", "a b", ""] {
            let manifest = format!("[package]\nname = '{name}'");
            assert!(matches!(refused(&[("Cargo.toml", &manifest)]), ProjectError::BadBuildFile { .. }), "{name}");
        }
        for error in [ProjectError::NoBuildFile, ProjectError::WhichMain(2)] {
            assert_ne!(error.say(Language::Zh), error.say(Language::En));
        }
    }

    #[test]
    fn sources_of_windows_are_read_as_everywhere() {
        let gbk = encoding_rs::GB18030.encode("# -*- coding: gbk -*-\nprint('博弈')\n").0.into_owned();
        let file = |path: &str, bytes: &[u8]| ArchiveFile { path: path.to_owned(), bytes: bytes.to_vec() };
        let files = [
            file("boyi.toml", b"\xef\xbb\xbflanguage = 'python'"),
            file("main.py", &gbk),
            file("__init__.py", b""),
            file("data.bin", &[0, 255]),
        ];
        let project = Project::read(&write_zip(files).unwrap()).unwrap();
        let text = |path: &str| project.files.iter().find(|file| file.path == path).unwrap().bytes.clone();
        assert_eq!(String::from_utf8(text("main.py")).unwrap(), "# coding: utf-8\nprint('博弈')\n");
        assert_eq!(text("data.bin"), [0, 255]);
    }
}
