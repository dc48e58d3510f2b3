//! Hints for the languages that are not C.

use super::{Hint, Note};
use crate::languages::Recipe;

const ONLY_STANDARD: Hint = Hint::new(
    "only-standard-library",
    "only the language's own standard library is here: put what you need into this one file",
    "评测环境只有标准库：请把需要的代码写进这一个文件",
);
const PYTHON_2: Hint = Hint::new(
    "python-2",
    "this is Python 2: write print(…) with parentheses and input() for raw_input()",
    "这是 Python 2 的写法：print 需要加括号 print(…)，raw_input() 改为 input()",
);
const PYTHON_TABS: Hint = Hint::new(
    "tabs-and-spaces",
    "tabs and spaces are mixed at the beginning of lines: use four spaces everywhere",
    "行首混用了 Tab 与空格：请统一使用四个空格",
);
const PYTHON_WINDOWS: Hint = Hint::new(
    "python-windows-module",
    "this module exists only on Windows, so the program will stop here when it runs: read commands with sys.stdin and wait with time.sleep",
    "该模块仅 Windows 有，程序运行到此会出错：读取命令用 sys.stdin，等待用 time.sleep",
);
const FULL_WIDTH: Hint = Hint::new(
    "full-width-sign",
    "a full-width (Chinese) punctuation mark stands in the code: switch the input method and write ; , ( ) \" instead of ；，（）“”",
    "代码中出现了全角（中文）标点：请切换输入法，用 ; , ( ) \" 代替 ；，（）“”",
);

/// Modules of Python that exist only on Windows.
const WINDOWS_MODULES: [&str; 7] = ["msvcrt", "winsound", "win32api", "win32con", "win32gui", "winreg", "_winapi"];

/// What the compilers say when something other than the standard library is asked for.
const NOT_STANDARD: &[(&str, &[&str])] = &[
    ("rust", &["error[E0432]", "error[E0433]", "error[E0463]"]),
    ("go", &["cannot find package", "no required module provides package", "is not in GOROOT", "is not in std"]),
    ("java", &["error: package "]),
];

/// What the compilers say of signs that no program has.
const STRANGE_SIGNS: [&str; 5] = [
    "unknown start of token: \\u{ff",
    "invalid character '",
    "error: illegal character: '",
    "invalid character U+",
    "SyntaxError: Invalid or unexpected token",
];

pub(super) fn explain(recipe: &Recipe, text: &str, messages: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    if NOT_STANDARD.iter().any(|(id, said)| *id == recipe.id && said.iter().any(|said| messages.contains(said))) {
        notes.push(ONLY_STANDARD.at(None));
    }
    if STRANGE_SIGNS.iter().any(|said| messages.contains(said))
        && let Some(line) = text.lines().position(|line| line.contains(super::family::FULL_WIDTH_SIGNS))
    {
        notes.push(FULL_WIDTH.at(line + 1));
    }
    if recipe.id == "python" {
        if messages.contains("Missing parentheses in call to 'print'") {
            notes.push(PYTHON_2.at(None));
        }
        if messages.contains("TabError") {
            notes.push(PYTHON_TABS.at(None));
        }
        let imports = |line: &str| {
            let mut words = line.split([' ', ',', '\t']);
            let keyword = words.next().is_some_and(|word| word == "import" || word == "from");
            keyword && words.any(|word| WINDOWS_MODULES.contains(&word))
        };
        notes.extend(text.lines().position(|line| imports(line.trim())).map(|line| PYTHON_WINDOWS.at(line + 1)));
    }
    notes
}
