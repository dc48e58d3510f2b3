//! A small engine in every language is built and plays within the limits of an engine.

use sandbox::Level;
use serde_json::json;
use workshop::LANGUAGES;

use crate::Case;
use crate::scene::{Job, Scene, same};

/// A conversation, and what every engine answers.
const TALK: &str = "name?\nnew black\nmove AB\nmove AD\nnew white\nmove AA\nquit\n";
const ANSWERS: &str = "name starter\nmove AA\nmove AC\nmove AE\nmove AB\n";

fn source(language: &str) -> &'static [u8] {
    match language {
        "c17" | "c11" | "c99" => include_bytes!("../engines/nogo.c"),
        "rust" => include_bytes!("../engines/nogo.rs"),
        "python" => include_bytes!("../engines/nogo.py"),
        "java" => include_bytes!("../engines/nogo.java"),
        "go" => include_bytes!("../engines/nogo.go"),
        "javascript" => include_bytes!("../engines/nogo.js"),
        _ => include_bytes!("../engines/nogo.cpp"),
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for recipe in LANGUAGES {
        for level in [Level::A, Level::B, Level::C] {
            let id = recipe.id;
            cases.push(Case::new(level, format!("engine::{id}"), id, move || {
                let scene = Scene::new(level)?;
                let job = Job { language: id, source: source(id), limits: None, talk: Some(TALK) };
                let said = scene.build(&job)?;
                if level == Level::C && recipe.tool.forks {
                    let error = said["error"].as_str().unwrap_or_default();
                    let expected = "starts other programs, which sandbox level C forbids";
                    return if error.contains(expected) { Ok(()) } else { Err(format!("{said:#}").into()) };
                }
                same(&said["built"], &json!(true), &said)?;
                same(&said["notes"], &json!([]), &said)?;
                same(&said["talk"]["stdout"], &json!(ANSWERS), &said)?;
                same(&said["talk"]["report"]["ended"], &json!({ "exited": 0 }), &said)?;
                same(&said["talk"]["report"]["reached"], &json!([]), &said)?;
                scene.nothing_is_left()?;
                let again = scene.build(&job)?;
                same(&again["cached"], &json!(true), &again)?;
                same(&again["talk"]["stdout"], &json!(ANSWERS), &again)
            }));
        }
    }
    cases
}
