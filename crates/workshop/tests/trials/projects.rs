//! Programs of several files: every language and every build file, and builders that mean harm.

use sandbox::Level;
use serde_json::json;
use workshop::{ArchiveFile, write_zip};

use crate::Case;
use crate::scene::{Job, Scene, same};

/// Paths and what is in them.
type Files = &'static [(&'static str, &'static str)];

/// A project, the language it needs (beside what its build file calls), and its files. Each says `7` and what its table holds.
const PROJECTS: &[(&str, &str, Files)] = &[
    (
        "c",
        "c17",
        &[
            ("brain/boyi.toml", "language = \"c\"\n"),
            (
                "brain/main.c",
                "#include <stdio.h>\n#include \"tables.h\"\nint main(void) { char word[9] = \"\"; FILE *file = fopen(\"table.txt\", \"r\"); if (fscanf(file, \"%8s\", word) != 1) return 1; printf(\"%d %s\\n\", seven(), word); }\n",
            ),
            ("brain/parts/seven.c", "#include \"tables.h\"\nint seven(void) { return 7; }\n"),
            ("brain/include/tables.h", "int seven(void);\n"),
            ("brain/table.txt", "table\n"),
        ],
    ),
    (
        "python",
        "python",
        &[
            ("boyi.toml", "language = 'python'\nmain = 'start.py'\n"),
            ("start.py", "from parts.seven import seven\nprint(seven(), open('table.txt').read().strip())\n"),
            ("parts/__init__.py", ""),
            ("parts/seven.py", "def seven():\n    return 7\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        "java",
        "java",
        &[
            ("boyi.toml", "language = 'java'\n"),
            (
                "Main.java",
                "import java.nio.file.*;\npublic class Main { public static void main(String[] a) throws Exception { System.out.println(parts.Seven.seven() + \" \" + Files.readString(Path.of(\"table.txt\")).trim()); } }\n",
            ),
            ("parts/Seven.java", "package parts;\npublic class Seven { public static int seven() { return 7; } }\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        "rust",
        "rust",
        &[
            ("boyi.toml", "language = 'rust'\n"),
            (
                "src/main.rs",
                "mod seven;\nfn main() { println!(\"{} {}\", seven::seven(), std::fs::read_to_string(\"table.txt\").unwrap().trim()); }\n",
            ),
            ("src/seven.rs", "pub fn seven() -> u32 { 7 }\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        "go",
        "go",
        &[
            ("boyi.toml", "language = 'go'\n"),
            (
                "main.go",
                "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\ttext, _ := os.ReadFile(\"table.txt\")\n\tfmt.Print(seven(), \" \", string(text))\n}\n",
            ),
            ("seven.go", "package main\n\nfunc seven() int { return 7 }\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        "javascript",
        "javascript",
        &[
            ("boyi.toml", "language = 'javascript'\n"),
            (
                "main.js",
                "const seven = require('./parts/seven.js');\nconsole.log(seven() + ' ' + require('fs').readFileSync('table.txt', 'utf8').trim());\n",
            ),
            ("parts/seven.js", "module.exports = () => 7;\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        // A table that a program of the project's own makes while it is built.
        "make",
        "c17",
        &[
            (
                "Makefile",
                "program: main.c seven.h\n\tgcc -o program main.c\nseven.h: maker.c\n\tgcc -o maker maker.c && ./maker > seven.h\n",
            ),
            (
                "main.c",
                "#include <stdio.h>\n#include \"seven.h\"\nint main(void) { char word[9] = \"\"; FILE *file = fopen(\"table.txt\", \"r\"); if (fscanf(file, \"%8s\", word) != 1) return 1; printf(\"%d %s\\n\", SEVEN, word); }\n",
            ),
            ("maker.c", "#include <stdio.h>\nint main(void) { puts(\"#define SEVEN 7\"); }\n"),
            ("table.txt", "table\n"),
        ],
    ),
    (
        "cargo",
        "rust",
        &[
            ("Cargo.toml", "[package]\nname = \"brain\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            (
                "src/main.rs",
                "mod seven;\nfn main() { println!(\"{} {}\", seven::seven(), std::fs::read_to_string(\"table.txt\").unwrap().trim()); }\n",
            ),
            ("src/seven.rs", "pub fn seven() -> u32 { 7 }\n"),
            ("table.txt", "table\n"),
        ],
    ),
];

/// Makefiles that do not do what they should, and what is said of them.
const BAD: &[(&str, &str, &str)] = &[
    ("makes-nothing", "all:\n\t@true\n", "no file \"program\" was made"),
    ("fails", "program:\n\t@echo some words; exit 3\n", "some words"),
    ("leads-out", "program:\n\techo x > ../../escaped; echo x > /usr/escaped\n", "Read-only file system"),
    ("reads-out", "program:\n\tcat /root/.cargo/config.toml /etc/shadow\n", "No such file"),
];

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let file = |(path, text): &(&str, &str)| ArchiveFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
    write_zip(files.iter().map(file)).expect("an archive")
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [Level::A, Level::B] {
        // The languages differ in nothing that a level could change; one of each way to build is enough at the second.
        let shown = |name: &str| level == Level::A || ["python", "make"].contains(&name);
        for &(name, language, files) in PROJECTS.iter().filter(|(name, ..)| shown(name)) {
            cases.push(Case::new(level, format!("project::{name}"), language, move || {
                let scene = Scene::new(level)?;
                let source = archive(files);
                let job = Job { language: "c17", source: &source, limits: None, talk: Some("") };
                let said = scene.build(&job)?;
                same(&said["built"], &json!(true), &said)?;
                same(&said["talk"]["stdout"], &json!("7 table\n"), &said)?;
                scene.nothing_is_left()?;
                let again = scene.build(&job)?;
                same(&again["cached"], &json!(true), &again)?;
                same(&again["talk"]["stdout"], &json!("7 table\n"), &again)?;
                if name != "python" {
                    return Ok(());
                }
                // Another table is another program.
                let mut changed = files.to_vec();
                for (path, text) in &mut changed {
                    if path.ends_with("table.txt") {
                        *text = "other\n";
                    }
                }
                let said = scene.build(&Job { source: &archive(&changed), ..job })?;
                same(&said["talk"]["stdout"], &json!("7 other\n"), &said)
            }));
        }
        for &(name, makefile, words) in BAD {
            cases.push(Case::new(level, format!("project::make-{name}"), "c17", move || {
                let scene = Scene::new(level)?;
                let said = scene.compile("c17", archive(&[("Makefile", makefile)]))?;
                same(&said["built"], &json!(false), &said)?;
                let told = said["messages"]["text"].as_str().unwrap_or_default();
                if !told.contains(words) {
                    return Err(format!("{words:?} is not in\n{said:#}").into());
                }
                scene.nothing_is_left()
            }));
        }
    }
    cases
}
