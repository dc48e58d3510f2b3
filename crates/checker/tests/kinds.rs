//! The table of findings: whole, without doubles, and explained in the documentation of both languages.

use std::collections::HashSet;
use std::path::Path;

use checker::kinds::ALL;

#[test]
fn every_code_is_there_once_with_all_its_texts() {
    let mut seen = HashSet::new();
    for kind in ALL {
        assert!(seen.insert(kind.code), "{} is there twice", kind.code);
        for phrase in [kind.title, kind.expected, kind.mend] {
            assert!(!phrase.en.is_empty() && !phrase.zh.is_empty(), "{}", kind.code);
        }
    }
}

#[test]
fn every_code_is_explained_in_both_languages() {
    for page in ["check.md", "check.zh-CN.md"] {
        let text =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)).unwrap();
        let headings: HashSet<&str> =
            text.lines().filter_map(|line| line.strip_prefix("### `")?.split('`').next()).collect();
        let codes: HashSet<&str> = ALL.iter().map(|kind| kind.code).collect();
        assert_eq!(headings, codes, "{page}");
    }
}
