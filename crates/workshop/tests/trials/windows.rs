//! Sources as they come from Windows: what the compiler of this machine makes of them, and what is said beside it.

use libtest_mimic::Failed;
use sandbox::Level;
use serde_json::{Value, json};

use crate::Case;
use crate::scene::Scene;

/// Language, source, whether it compiles, and the notes with their lines.
type Sample = (&'static str, &'static str, &'static str, bool, &'static [(&'static str, u64)]);

/// No line.
const NONE: u64 = 0;

const SAMPLES: &[Sample] = &[
    (
        "visual-studio-project",
        "c++17",
        "#include \"stdafx.h\"\n#include <windows.h>\n#include <conio.h>\nusing namespace std;\nint _tmain(int argc, _TCHAR* argv[]) {\n\
         DWORD start = GetTickCount();\nSleep(100);\n_getch();\nreturn 0; }\n",
        false,
        &[
            ("windows-header", 2),
            ("conio-header", 3),
            ("precompiled-header", 1),
            ("console-functions", 8),
            ("sleep", 7),
            ("windows-clock", 6),
            ("windows-names", 5),
        ],
    ),
    (
        "safe-functions",
        "c17",
        "#include <stdio.h>\n#include <string.h>\nint main() {\nchar a[20]; int n;\nscanf_s(\"%d\", &n);\nstrcpy_s(a, 20, \"x\");\nprintf(\"%s\", a);\n\
         fflush(stdout); return 0; }\n",
        false,
        &[("scanf-s", 5), ("safe-functions", 6)],
    ),
    (
        "compiles-and-loses",
        "c17",
        "#include <stdio.h>\n#include <stdlib.h>\n#pragma comment(lib, \"winmm.lib\")\nvoid main() {\nlong long n = 1;\nfflush(stdin);\nprintf(\"%I64d\\n\", n);\n\
         freopen(\"a.txt\", \"r\", stdin);\nsystem(\"pause\");\n}\n",
        true,
        &[
            ("fflush-stdin", 6),
            ("system-command", 9),
            ("void-main", 4),
            ("pragma-comment", 3),
            ("i64-format", 7),
            ("freopen", 8),
            ("not-flushed", NONE),
        ],
    ),
    ("void-main-in-cpp", "c++17", "void main() {}\n", false, &[("void-main", 1)]),
    ("int64", "c++17", "__int64 x;\nint main() { return x; }\n", false, &[("int64", 1)]),
    ("old-headers", "c++17", "#include <iostream.h>\nint main() { cout << 1 << endl; }\n", false, &[("old-header", 1)]),
    (
        "strings",
        "c++17",
        "#include <cstdlib>\n#include <cstring>\nint main() { char s[9]; itoa(5, s, 10); return stricmp(s, \"5\"); }\n",
        false,
        &[("not-standard-strings", 3)],
    ),
    ("gets", "c++17", "#include <cstdio>\nint main() { char s[99]; gets(s); }\n", false, &[("gets", 2)]),
    ("backslash", "c17", "#include \"src\\board.h\"\nint main() {}\n", false, &[("backslash-include", 1)]),
    ("own-header", "c17", "#include <stdio.h>\n#include \"board.h\"\nint main() {}\n", false, &[("own-header", 2)]),
    (
        "cpp-as-c",
        "c17",
        "#include <iostream>\nint main() { std::cout << 1 << std::endl; }\n",
        false,
        &[("cpp-in-c", 1)],
    ),
    (
        "full-width",
        "c++17",
        "// 注释，正常\nint main() {\nint a = 1；\nreturn a; }\n",
        false,
        &[("full-width-sign", 3)],
    ),
    (
        "not-flushed",
        "c17",
        "#include <stdio.h>\nint main() { char s[9]; while (fgets(s, 9, stdin)) printf(\"ok\\n\"); }\n",
        true,
        &[("not-flushed", NONE)],
    ),
    (
        "cin-flushes-cout",
        "c++17",
        "#include <iostream>\nint main() { int x; while (std::cin >> x) std::cout << x << '\\n'; }\n",
        true,
        &[],
    ),
    (
        "untied",
        "c++17",
        "#include <iostream>\nint main() { std::cin.tie(0); int x; while (std::cin >> x) std::cout << x << '\\n'; }\n",
        true,
        &[("not-flushed", NONE)],
    ),
    (
        // Whoever writes for both is not told about the other.
        "for-both",
        "c++17",
        "#ifdef _WIN32\n#include <windows.h>\n#else\n#include <unistd.h>\n#define Sleep(ms) usleep((ms) * 1000)\n#endif\n\
         int main() { Sleep(1); return undeclared; } // getch, system(\"pause\")\n",
        false,
        &[],
    ),
    (
        "own-sleep",
        "c17",
        "static void Sleep(int ms) { (void)ms; }\nint main() { Sleep(1); return undeclared; }\n",
        false,
        &[],
    ),
    ("rust-crate", "rust", "use rand::Rng;\nfn main() {}\n", false, &[("only-standard-library", NONE)]),
    (
        "go-package",
        "go",
        "package main\nimport \"github.com/x/y\"\nfunc main() { y.Z() }\n",
        false,
        &[("only-standard-library", NONE)],
    ),
    (
        "java-package",
        "java",
        "import com.google.gson.Gson;\nclass Main { }\n",
        false,
        &[("only-standard-library", NONE)],
    ),
    ("python-2", "python", "import msvcrt\nprint 'x'\n", false, &[("python-2", NONE), ("python-windows-module", 1)]),
    ("python-tabs", "python", "if True:\n\tx = 1\n        y = 2\n", false, &[("tabs-and-spaces", NONE)]),
    ("python-full-width", "python", "print（1）\n", false, &[("full-width-sign", 1)]),
    ("java-full-width", "java", "class Main { int a = 1； }\n", false, &[("full-width-sign", 1)]),
];

pub(crate) fn cases() -> Vec<Case> {
    let case = |sample: &'static Sample| {
        let (name, language, ..) = sample;
        Case::new(Level::A, format!("windows::{name}"), *language, move || explained(sample))
    };
    let longer = Case::new(Level::A, "windows::longer-literals", "c++17", longer_literals);
    SAMPLES.iter().map(case).chain([longer]).collect()
}

fn explained((_, language, source, compiles, expected): &Sample) -> Result<(), Failed> {
    let said = Scene::new(Level::A)?.compile(language, source)?;
    if said["built"] != json!(compiles) {
        return Err(format!("{said:#}").into());
    }
    agrees(&said, expected)
}

fn agrees(said: &Value, expected: &[(&str, u64)]) -> Result<(), Failed> {
    let notes = said["notes"].as_array().ok_or("no notes")?;
    let mut found: Vec<(&str, u64)> = Vec::new();
    for note in notes {
        let (code, line) = (note["code"].as_str().ok_or("no code")?, note["line"].as_u64().unwrap_or(NONE));
        let [en, zh] = ["en", "zh"].map(|language| note["text"][language].as_str().unwrap_or_default());
        if en.len() < 40 || zh.chars().filter(|letter| !letter.is_ascii()).count() < 10 {
            return Err(format!("{code} explains nothing").into());
        }
        found.push((code, line));
    }
    if found == expected { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}\n{said:#}").into()) }
}

/// A Chinese character is longer in UTF-8 than in the GB18030 it was saved in.
fn longer_literals() -> Result<(), Failed> {
    let source =
        encoding_rs::GB18030.encode("char side[5] = \"黑方\";\nint main() { return side[0]; }\n").0.into_owned();
    agrees(&Scene::new(Level::A)?.compile("c++17", source)?, &[("longer-literals", NONE)])
}
