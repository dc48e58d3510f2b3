//! Commands that name a file which is no program by itself: a script, or a source.

use games::Phrase;
use referee::CommandLine;

use crate::finding::Words;

static SCRIPT: Phrase = Phrase::new(
    "write what runs it before its name: python3 x.py (on Windows: python x.py), node x.js, java -jar x.jar",
    "在文件名前写出运行它的程序：python3 x.py（Windows 上为 python x.py）、node x.js、java -jar x.jar",
);
static SOURCE: Phrase = Phrase::new(
    "compile it first: boyi compile x.cpp -o x, then check ./x",
    "请先编译：boyi compile x.cpp -o x，然后检查 ./x",
);

/// Endings of scripts, with what runs them here and on Windows.
const SCRIPTS: [(&str, &str, &str); 3] =
    [("py", "python3", "python"), ("js", "node", "node"), ("jar", "java -jar", "java -jar")];
/// Endings of sources.
const SOURCES: [&str; 11] = ["c", "cc", "cpp", "cxx", "rs", "go", "java", "cs", "pas", "hs", "kt"];

/// Why such a file cannot be started, and what to do instead.
pub(crate) fn advice(command: &CommandLine) -> Option<(Words, Phrase)> {
    let program = command.words.first()?;
    let path = match &command.folder {
        Some(folder) => folder.join(program),
        None => program.into(),
    };
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    if !path.is_file() {
        return None;
    }
    let rest = command.words[1..].iter().map(|word| format!(" {word}")).collect::<String>();
    if let Some((_, here, windows)) = SCRIPTS.iter().find(|(known, ..)| *known == ending) {
        let on_windows =
            if here == windows { String::new() } else { format!(" (on Windows: {windows} {program}{rest})") };
        let zh_windows =
            if here == windows { String::new() } else { format!("（Windows 上为 {windows} {program}{rest}）") };
        let words = Words::new(
            format!("{program} is a script, not a program: {here} {program}{rest}{on_windows}"),
            format!("{program} 是脚本，不能直接运行：{here} {program}{rest}{zh_windows}"),
        );
        return Some((words, SCRIPT));
    }
    SOURCES.contains(&ending.as_str()).then(|| {
        let words = Words::new(
            format!("{program} is a source, not a program: boyi compile {program}"),
            format!("{program} 是源代码，不是程序：boyi compile {program}"),
        );
        (words, SOURCE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_sources_are_told_from_programs() {
        let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../sdk");
        let said = |program: &str| {
            let words = vec![program.to_owned(), "--fast".to_owned()];
            let command = CommandLine { words, folder: Some(folder.clone()), ..CommandLine::default() };
            advice(&command).map(|(words, _)| words)
        };
        let python = said("python/nogo.py").unwrap();
        assert!(python.en.contains("python3 python/nogo.py --fast (on Windows: python python/nogo.py --fast)"));
        assert!(python.zh.contains("Windows 上为 python python/nogo.py --fast"));
        assert!(said("c/amazons.c").unwrap().en.ends_with("boyi compile c/amazons.c"));
        assert_eq!(said("python/no-such-file.py"), None);
        assert_eq!(said("README.md"), None);
    }
}
