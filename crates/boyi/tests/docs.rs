//! The documents: every link leads somewhere, and every document is named in the contents of its language.

use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The documents in a folder, and in `docs/strength`.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/strength", "crates/arena/guides"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "md"));
    assert!(files.len() > 40, "{files:?}");
    files
}

/// Where the links and pictures of a document lead within the repository.
fn links(document: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(document).expect("a document");
    let parser = Parser::new_ext(&text, Options::ENABLE_TABLES);
    let places = parser.filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    // What begins with a slash is a page of the arena.
    let elsewhere =
        |place: &String| place.contains("://") || place.starts_with(['#', '/']) || place.starts_with("mailto:");
    places.filter(|place| !elsewhere(place)).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let mut count = 0;
    for document in documents() {
        for link in links(&document) {
            let place = link.split('#').next().unwrap_or_default();
            let there = document.parent().expect("a folder").join(place);
            assert!(there.exists(), "{}: {link} leads nowhere", document.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count} links");
}

#[test]
fn the_contents_name_every_document() {
    for (contents, chinese) in [("docs/README.md", false), ("docs/README.zh-CN.md", true)] {
        let named = links(&root().join(contents));
        let files = std::fs::read_dir(root().join("docs")).expect("documents");
        for name in files.map(|file| file.expect("an entry").file_name().into_string().expect("a name")) {
            let translated = root().join("docs").join(name.replace(".md", ".zh-CN.md")).exists();
            let wanted = match (name.ends_with(".zh-CN.md"), chinese) {
                (true, chinese) => chinese,
                (false, false) => true,
                (false, true) => !translated,
            };
            if wanted && name.ends_with(".md") && !name.starts_with("README") {
                assert!(named.contains(&name), "{contents} does not name {name}");
            }
        }
    }
}
