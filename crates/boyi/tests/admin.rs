//! `boyi admin`: a course from the shell.

use std::path::Path;
use std::process::{Command, Output};

fn admin(data: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(["admin", "--lang", "en", "--data"])
        .arg(data)
        .args(words)
        .output()
        .expect("boyi runs")
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn accounts_contests_grades_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let at = |name: &str| folder.path().join(name);
    let file = |name: &str| at(name).display().to_string();
    std::fs::write(at("list.csv"), "学号,姓名,班级\r\n2351001,张三,一班\r\n2351002,李四,二班\r\n").unwrap();
    let codes = out(&admin(&data, &["user", "import", &file("list.csv")]));
    let lines: Vec<&str> = codes.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "id,name,group,code"));
    assert!(lines[1].starts_with("2351001,张三,一班,") && lines[1].len() > 30, "{codes}");
    let again = out(&admin(&data, &["user", "import", &file("list.csv")]));
    assert_eq!(again.lines().count(), 1, "codes are told once: {again}");

    std::fs::write(at("bad.csv"), "2351003,王五,一班\n2351003,王六,一班\n").unwrap();
    let bad = admin(&data, &["user", "import", &file("bad.csv")]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("line 2: 2351003 is in the list twice: also in line 1"));
    out(&admin(&data, &["user", "add", "helper", "--role", "assistant", "--person", "助教"]));
    out(&admin(&data, &["user", "role", "helper", "admin"]));
    let reset = out(&admin(&data, &["user", "reset", "2351001"]));
    assert!(!codes.contains(reset.lines().nth(1).unwrap()), "a new code");
    let list = out(&admin(&data, &["user", "list"]));
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(list.contains("helper\t助教\t\thelper\tadmin\tnew"), "{list}");

    out(&admin(&data, &["contest", "create", "spring", "挑夹棋", "--ply-ms", "500", "--closes", "2030-01-01T00:00"]));
    let twice = admin(&data, &["contest", "create", "spring", "tiaojia"]);
    assert_eq!(twice.status.code(), Some(2), "{twice:?}");
    for bad in [
        &["Spring", "tiaojia"][..],
        &["x", "chess"],
        &["x", "tiaojia", "--ply-ms", "1"],
        &["x", "tiaojia", "--closes", "soon"],
    ] {
        let words: Vec<&str> = ["contest", "create"].iter().chain(bad).copied().collect();
        assert_eq!(admin(&data, &words).status.code(), Some(2), "{bad:?}");
    }
    assert_eq!(out(&admin(&data, &["contest", "list"])), "spring\tspring\ttiaojia\topen\t0\n");
    out(&admin(&data, &["contest", "lock", "spring", "答辩"]));
    out(&admin(&data, &["contest", "unlock", "spring"]));

    out(&admin(&data, &["export", "grades", "spring", &file("grades.csv")]));
    let grades = std::fs::read_to_string(at("grades.csv")).unwrap();
    assert!(grades.starts_with("\u{feff}rank,id") && grades.contains(",2351002,李四,二班,"), "{grades}");

    // Sources come in as an archive, all or nothing, and go out as they came.
    let entry = |path: &str, bytes: &[u8]| course::ArchiveFile { path: path.to_owned(), bytes: bytes.to_vec() };
    let good = [entry("一班/2351001-张三/v1.c", b"int a;"), entry("一班/2351001-张三/v2.c", b"int b;")];
    let strange = [good[0].clone(), entry("一班/nobody/v1.c", b"int c;")];
    for (name, files) in [("good.zip", &good[..]), ("strange.zip", &strange), ("dots.zip", &[entry("../v1.c", b"x")])] {
        std::fs::write(at(name), course::write_zip(files.iter().cloned()).unwrap()).unwrap();
    }
    let refused = admin(&data, &["import", "sources", "spring", &file("strange.zip")]);
    assert!(refused.status.code() == Some(1) && String::from_utf8_lossy(&refused.stderr).contains("nobody/v1.c"));
    assert_eq!(admin(&data, &["import", "sources", "spring", &file("dots.zip")]).status.code(), Some(2));
    out(&admin(&data, &["export", "sources", "spring", &file("none.zip")]));
    assert_eq!(out(&admin(&data, &["import", "sources", "spring", &file("good.zip")])), "2\n");
    out(&admin(&data, &["export", "sources", "spring", &file("out.zip")]));
    let mut files =
        course::read_archive(&std::fs::read(at("out.zip")).unwrap(), course::ArchiveBounds::COURSE).unwrap();
    let index = String::from_utf8(files.remove(0).bytes).unwrap();
    assert!(
        index.starts_with("path,id,version,language,file_name,submitted\n一班/2351001-张三/v1.c,2351001,1,c17,v1.c,"),
        "{index}"
    );
    assert_eq!(files, good);

    // What staff do on the page.
    let submissions = || out(&admin(&data, &["submission", "list", "spring", "--user", "2351001"]));
    assert_eq!(submissions(), "2\t同学 …001\t2\tc17\tqueued\t-\t\n1\t同学 …001\t1\tc17\tqueued\t-\t\n");
    assert_eq!(admin(&data, &["submission", "readmit", "2"]).status.code(), Some(2), "it is not disqualified");
    out(&admin(&data, &["submission", "disqualify", "2", "抄袭"]));
    assert!(submissions().starts_with("2\t同学 …001\t2\tc17\tdisqualified\t-\t抄袭\n"), "{}", submissions());
    assert_eq!(admin(&data, &["submission", "rejudge", "2"]).status.code(), Some(2), "it is disqualified");
    assert_eq!(admin(&data, &["submission", "rejudge", "1"]).status.code(), Some(2), "it is not the newest");
    out(&admin(&data, &["submission", "readmit", "2"]));
    out(&admin(&data, &["submission", "rejudge", "2"]));
    assert_eq!(admin(&data, &["submission", "rejudge", "99"]).status.code(), Some(2));
    for deed in ["freeze", "freeze", "unfreeze"] {
        out(&admin(&data, &["contest", deed, "spring"]));
    }
    let number = out(&admin(&data, &["contest", "announce", "spring", "明天答辩"]));
    out(&admin(&data, &["contest", "unannounce", "spring", number.trim()]));
    assert_eq!(admin(&data, &["contest", "unannounce", "spring", number.trim()]).status.code(), Some(2));
    assert_eq!(admin(&data, &["contest", "announce", "spring", " "]).status.code(), Some(2));
    assert_eq!(out(&admin(&data, &["contest", "rejudge", "spring"])), "0\n");

    // Records: none yet; and what is no record is told with its line.
    out(&admin(&data, &["export", "records", "spring", &file("records.jsonl")]));
    let told = out(&admin(&data, &["import", "records", "spring", &file("records.jsonl")]));
    assert_eq!(told, "0 matches taken, 0 were here, 0 games left out\n");
    std::fs::write(at("bad.jsonl"), "\n{}\n").unwrap();
    let bad = admin(&data, &["import", "records", "spring", &file("bad.jsonl")]);
    assert!(bad.status.code() == Some(1) && String::from_utf8_lossy(&bad.stderr).contains("line 2: "), "{bad:?}");

    let made = out(&admin(&data, &["backup", &file("copy")]));
    assert!(made.contains("course.sqlite"), "{made}");
    assert_eq!(admin(&data, &["backup", &file("copy")]).status.code(), Some(2), "a copy is never overwritten");
    assert_eq!(admin(&data, &["restore", &file("copy")]).status.code(), Some(2), "nor is a folder that is used");
    let restored = at("restored");
    out(&admin(&restored, &["restore", &file("copy")]));
    assert_eq!(out(&admin(&restored, &["user", "list"])), list);
    assert_eq!(out(&admin(&restored, &["contest", "list"])), "spring\tspring\ttiaojia\topen\t0\n");
}
