//! Sources in the encodings people save them in.

use encoding_rs::GB18030;
use libtest_mimic::Failed;
use sandbox::Level;
use serde_json::json;

use crate::Case;
use crate::scene::{Job, Scene, same};

/// The last byte of 乗 is a backslash in GB18030: a compiler that does not know that takes the next line for a part of the comment.
const C: &str = "#include <stdio.h>\r\nint main() {\r\n// 乗\r\nputs(\"name 博弈乗\");\r\nreturn 0;\r\n}\r\n";
const JAVA: &str =
    "public class 棋手 { public static void main(String[] a) { System.out.println(\"name 博弈乗\"); } }\n";
const PYTHON: &str = "# -*- coding: gbk -*-\nprint('name 博弈乗')\n";
const JAVASCRIPT: &str = "// 乗\nconsole.log('name 博弈乗')\n";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (language, text) in [("c17", C), ("c++17", C), ("java", JAVA), ("python", PYTHON), ("javascript", JAVASCRIPT)] {
        let name = format!("gb18030::{language}");
        cases.push(Case::new(Level::A, name, language, move || says(language, &GB18030.encode(text).0, "gb18030")));
    }
    let utf_16 = || std::iter::once(0xfeff).chain(C.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    cases.push(Case::new(Level::A, "utf-16", "c17", move || says("c17", &utf_16(), "utf16")));
    let marked = [b"\xef\xbb\xbf", C.as_bytes()].concat();
    cases.push(Case::new(Level::A, "byte-order-mark", "c17", move || says("c17", &marked, "utf8")));
    cases.push(Case::new(Level::A, "refused", None, refused));
    cases
}

/// Whatever the source was saved in, what the program writes is UTF-8.
fn says(language: &str, source: &[u8], encoding: &str) -> Result<(), Failed> {
    let scene = Scene::new(Level::A)?;
    let said = scene.build(&Job { language, source, limits: None, talk: Some("") })?;
    same(&said["built"], &json!(true), &said)?;
    same(&said["encoding"], &json!(encoding), &said)?;
    same(&said["messages"]["text"], &json!(""), &said)?;
    let line = said["talk"]["stdout"].as_str().map(str::trim_end);
    same(&json!(line), &json!("name 博弈乗"), &said)
}

fn refused() -> Result<(), Failed> {
    let scene = Scene::new(Level::A)?;
    for (source, expected) in [
        (vec![], "the source is empty"),
        (b"int main\0".to_vec(), "line 1 holds a NUL byte"),
        (vec![b' '; 2_000_000], "the source has 2000000 bytes; at most 1000000 are taken"),
    ] {
        let said = scene.compile("c17", source)?;
        if !said["error"].as_str().unwrap_or_default().starts_with(expected) {
            return Err(format!("{said} instead of {expected}").into());
        }
    }
    Ok(())
}
