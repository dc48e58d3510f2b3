//! The API's description in Chinese: what every path does, beside the English of its own source, as `x-zh`.

use serde_json::{Value, json};
use utoipa::openapi::OpenApi;

/// What the groups of paths are about.
const TAGS: [(&str, &str); 11] = [
    ("account", "我的账号"),
    ("accounts", "账号管理"),
    ("contests", "比赛"),
    ("export", "导出"),
    ("games", "棋种"),
    ("matches", "场次与对局"),
    ("me", "访客"),
    ("play", "对弈"),
    ("records", "棋谱与分析"),
    ("rooms", "房间"),
    ("submissions", "提交"),
];

/// What each path does.
const PATHS: [(&str, &str); 85] = [
    ("POST /api/account", "更改昵称。"),
    ("POST /api/account/password", "更改密码；其他登录全部失效，当前登录换用新的 Cookie。"),
    ("GET /api/account/sessions", "列出你的登录。"),
    ("POST /api/account/sessions/end-others", "退出当前登录以外的所有登录。"),
    ("POST /api/account/sessions/{id}/end", "退出你的某一个登录。"),
    ("GET /api/accounts", "列出账号（教师和助教）。"),
    ("POST /api/accounts", "新建账号，并得到一次性登录码（管理员）。"),
    ("POST /api/accounts/import", "导入学生名单，要么全部导入，要么一个也不导入（管理员）。"),
    ("POST /api/accounts/{id}/active", "启用或停用账号（管理员）。"),
    ("POST /api/accounts/{id}/group", "更改账号所在的班级或小组（管理员）。"),
    ("POST /api/accounts/{id}/reset", "清除密码，发放新的一次性登录码（助教可重置学生，管理员可重置所有人）。"),
    ("POST /api/accounts/{id}/role", "设定角色（管理员）。"),
    ("GET /api/addresses", "别人访问本服务器可用的网址，用于打印登录码（教师和助教）。"),
    ("GET /api/contests", "列出对你开放的所有比赛。"),
    ("POST /api/contests", "新建比赛（管理员）。"),
    ("GET /api/contests/{id}", "查看一场比赛。"),
    ("POST /api/contests/{id}/announce", "发布公告（教师和助教）。"),
    ("POST /api/contests/{id}/announcements/{announcement}/remove", "撤下公告（教师和助教）。"),
    ("GET /api/contests/{id}/cross", "两两对战成绩表。"),
    ("GET /api/contests/{id}/events", "比赛的实时变化，以服务器推送事件发送：contest、scoreboard、submission。"),
    ("GET /api/contests/{id}/export/grades.csv", "导出成绩表，可用电子表格打开（教师和助教）。"),
    ("GET /api/contests/{id}/export/records.jsonl", "导出全部棋谱，每行一局（教师和助教）。"),
    ("GET /api/contests/{id}/export/sources.zip", "导出全部源代码（教师和助教）。"),
    ("POST /api/contests/{id}/freeze", "冻结学生看到的排行榜，或解除冻结（教师和助教）。"),
    ("GET /api/contests/{id}/history", "一名学生各个版本的名次变化。"),
    ("POST /api/contests/{id}/lock", "说明理由并停止接收提交，或恢复接收（教师和助教）。"),
    ("GET /api/contests/{id}/losses", "你最近一次提交以来输掉的全部对局，按原因分组。"),
    ("POST /api/contests/{id}/rejudge", "全部场次重赛（教师和助教）。"),
    ("GET /api/contests/{id}/scoreboard", "排行榜。"),
    ("POST /api/contests/{id}/settings", "修改比赛设置（教师和助教）。"),
    ("GET /api/contests/{id}/submissions", "比赛的提交，最新的在前。"),
    ("POST /api/contests/{id}/submissions", "提交源代码。"),
    ("GET /api/games", "列出所有棋种。"),
    ("GET /api/games/{game}", "查看一个棋种。"),
    ("POST /api/games/{game}/analysis", "最强的内置棋手对公开信息棋种任一局面的看法：用于棋谱和评测过的对局。"),
    ("GET /api/games/{game}/guide", "棋种指南：配图规则，以及怎样编写引擎。"),
    ("GET /api/games/{game}/picture.png", "一个棋种中局的图片。"),
    ("POST /api/games/{game}/view", "任意局面的棋盘，供编辑器和示例使用。"),
    ("GET /api/groups", "列出账号所在的班级和小组（教师和助教）。"),
    ("GET /api/languages", "支持的编程语言，以及本机安装了哪些。"),
    (
        "GET /api/live",
        "列出尚未结束的公开房间：先是正在进行的，再是等人入座的，最后是无人在场的。一页可能不满，仍有下一页。",
    ),
    ("GET /api/live/events", "最多六局有人在场的公开对局，以及对局总数，以服务器推送事件发送：rooms、frame、gone。"),
    ("GET /api/matches/{id}", "查看一场对战。"),
    ("GET /api/matches/{id}/games/{number}", "查看一局；棋盘由 frames 给出。"),
    ("GET /api/matches/{id}/games/{number}/frames", "开局时的棋盘和每一步。"),
    (
        "GET /api/matches/{id}/games/{number}/input",
        "当时发给引擎的全部内容，可原样再输入一遍；仅程序的主人、教师和助教可看。",
    ),
    (
        "GET /api/matches/{id}/games/{number}/log",
        "与引擎往来的每一行，包括 DEBUG 行和标准错误；仅程序的主人、教师和助教可看。",
    ),
    ("GET /api/matches/{id}/games/{number}/picture.svg", "若干步之后的棋盘图片。"),
    ("GET /api/matches/{id}/games/{number}/record", "下载一局的棋谱。"),
    ("GET /api/me", "你在这里的身份。"),
    ("POST /api/me", "取名；之前建的房间仍用旧名。"),
    ("POST /api/records", "读取任何格式的棋谱，供逐步查看；服务器不保存。"),
    ("GET /api/players", "以所给文字开头的棋手名字，取自公开的房间，最多 10 个。"),
    ("GET /api/rooms", "列出房间，最新的在前。按人或名字列出时，一页可能不满，仍有下一页。"),
    ("POST /api/rooms", "新建房间。"),
    ("GET /api/rooms/{id}", "查看房间，仅限你可以知道的内容。"),
    ("POST /api/rooms/{id}/abort", "中止双方尚未都走过棋的对局，不计结果。"),
    ("GET /api/rooms/{id}/analysis", "最强的内置棋手对一局已结束对局中某个局面的看法；网页会逐步提问。"),
    ("POST /api/rooms/{id}/chat", "在房间里发言，所有人可见。"),
    ("GET /api/rooms/{id}/clicks", "已点击这些位置之后，轮到的一方还可以点哪里。"),
    ("POST /api/rooms/{id}/draw", "提和、同意或拒绝和棋；内置棋手总会继续下。"),
    ("GET /api/rooms/{id}/events", "房间的实时事件，以服务器推送事件发送。"),
    ("GET /api/rooms/{id}/frames", "从开局起的每一步棋盘：对局中按你的视角，结束后全部公开。"),
    ("POST /api/rooms/{id}/hint", "与内置棋手对弈、轮到你走时的提示。"),
    ("POST /api/rooms/{id}/join", "在空位入座。"),
    ("GET /api/rooms/{id}/picture.png", "任何人都能看到的棋盘图片；含隐藏信息且未结束的对局只给出开局。"),
    ("GET /api/rooms/{id}/picture.svg", "当前或若干步之后的棋盘图片。"),
    ("POST /api/rooms/{id}/ply", "走一步棋。"),
    ("GET /api/rooms/{id}/record", "下载房间的棋谱。"),
    (
        "POST /api/rooms/{id}/rematch",
        "同样两人交换颜色再下一局：先提出的一方建立房间，另一方的座位会保留，他也提出时即入座。",
    ),
    ("POST /api/rooms/{id}/resign", "认输。"),
    ("GET /api/rooms/{id}/setup", "需要布置哪些棋子，并给出一种布法，每次不同。"),
    ("POST /api/rooms/{id}/setup", "把布阵写成一步着法；此时还没有走出。"),
    ("POST /api/rooms/{id}/takeback", "请求悔棋，或答复对方的请求；内置棋手立即同意，暗棋不能悔棋。"),
    ("GET /api/rooms/{id}/talk", "一局已结束的对局中，引擎收到和说过的内容。"),
    ("POST /api/sign-in", "登录；每次登录都是新的会话。"),
    ("POST /api/sign-in/code", "首次登录，或重置密码后的登录。"),
    ("POST /api/sign-out", "退出登录。"),
    ("GET /api/starters/{language}/{file}", "指南中的示例引擎，以文件下载。"),
    ("GET /api/submissions/{id}", "查看一份提交。"),
    ("POST /api/submissions/{id}/challenge", "与选定的对手下一场不计名次的对战。"),
    ("POST /api/submissions/{id}/disqualify", "说明理由并取消一份提交的资格，或恢复资格（教师和助教）。"),
    ("POST /api/submissions/{id}/rejudge", "重新编译一份提交，并重赛它的全部场次（教师和助教）。"),
    ("GET /api/submissions/{id}/source", "下载一份提交的源代码。"),
    ("GET /api/version", "程序的版本。"),
];

/// What the parameters mean, by their English.
const PARAMETERS: [(&str, &str); 26] = [
    ("1: as it is now, for staff", "1：实时名次，教师和助教可用"),
    ("1: only look", "1：只预览，不导入"),
    ("1: only rooms you sit in, listed or not", "1：只列出你入座的房间，包括不公开的"),
    ("after so many plies", "若干步之后"),
    ("all, black or white", "all、black 或 white"),
    ("all, black or white, once the game is over", "all、black 或 white，对局结束后可用"),
    ("at most 100", "最多 100"),
    ("black or white", "black 或 white"),
    ("id, or English or Chinese name", "编号，或中英文名称"),
    ("json, sgf, psq or ccgc", "json、sgf、psq 或 ccgc"),
    ("me, or a number", "me，或账号的编号"),
    ("name.py or name.c", "文件名，如 amazons.py"),
    ("how they begin, in either case", "名字的开头，不分大小写"),
    (
        "only finished rooms: black or white (who has won), draw, or none (does not count)",
        "只列出已结束的：black 或 white（胜方）、draw（和棋）、none（不计结果）",
    ),
    ("only rooms with somebody of this name, whole and in either case", "只列出有此名字的房间，须写全名，不分大小写"),
    ("only this game", "只列出这个棋种"),
    ("python or c", "语言：python 或 c"),
    ("spots clicked so far: 3,17", "已点击的位置：3,17"),
    ("the cursor of the page before", "上一页给出的游标"),
    ("the first so many, at most 100", "只取前若干名，最多 100"),
    ("the game, where the file does not name it", "棋种，在文件没有写明时给出"),
    (
        "the last event seen, where the header Last-Event-ID does not say it",
        "已收到的最后一个事件，在没有 Last-Event-ID 头时给出",
    ),
    ("top: rows are counted from the top", "top：行号从上往下数"),
    ("waiting, live or finished", "waiting、live 或 finished"),
    ("you, when nobody is named", "不写时为你自己"),
    ("zh or en", "zh 或 en"),
];

/// Where the Chinese stands.
pub(super) const KEY: &str = "x-zh";

fn find(texts: &[(&str, &'static str)], wanted: &str) -> Option<&'static str> {
    texts.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text)
}

/// The document with Chinese beside the English.
pub(super) fn document(document: &OpenApi) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    document["tags"] = TAGS.iter().map(|(name, text)| json!({ "name": name, KEY: text })).collect();
    for (path, methods) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in methods.as_object_mut().into_iter().flatten() {
            operation[KEY] = find(&PATHS, &format!("{} {path}", method.to_uppercase())).into();
            for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
                if let Some(text) = parameter["description"].as_str() {
                    parameter[KEY] = find(&PARAMETERS, text).into();
                }
            }
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every text has its Chinese, and there is no Chinese of what is gone.
    #[test]
    fn everything_the_page_shows_is_there_in_chinese() {
        let made = document(&super::super::api().split_for_parts().1);
        let (mut paths, mut tags, mut parameters) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (path, methods) in made["paths"].as_object().expect("paths") {
            for (method, operation) in methods.as_object().expect("methods") {
                let name = format!("{} {path}", method.to_uppercase());
                assert!(operation[KEY].is_string(), "{name} has no Chinese text in http/chinese.rs");
                assert!(operation["description"].is_null(), "{name}: a second paragraph has no place for its Chinese");
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    let Some(text) = parameter["description"].as_str() else { continue };
                    assert!(parameter[KEY].is_string(), "{name}: {text:?} has no Chinese text in http/chinese.rs");
                    parameters.insert(text.to_owned());
                }
                for tag in operation["tags"].as_array().expect("tags") {
                    tags.insert(tag.as_str().expect("a tag").to_owned());
                }
                paths.insert(name);
            }
        }
        let texts = [(&PATHS[..], paths), (&TAGS[..], tags), (&PARAMETERS[..], parameters)];
        for (texts, used) in texts {
            let known: BTreeSet<String> = texts.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(known, used);
            for (name, text) in texts {
                assert!(text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{name}: {text}");
            }
        }
    }
}
