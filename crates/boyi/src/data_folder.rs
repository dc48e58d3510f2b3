//! The data folder, as its operator hears of it: what was closed to others, and what to do when it cannot be used.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use games::{Language, Phrase};
use vault::{Cause, Closed};

use crate::context::Context;

/// Makes the folder, or closes it to other accounts, and says what was changed.
pub(crate) fn close(context: &Context, folder: &Path) -> anyhow::Result<()> {
    let told = Phrase::new("the data folder cannot be used (--data)", "数据目录不可用（--data）");
    let closed =
        vault::close_folder(folder).with_context(|| format!("{}: {}", context.text(told), folder.display()))?;
    for sentence in sentences(&closed, folder, context.language) {
        writeln!(anstream::stderr().lock(), "boyi: {sentence}")?;
    }
    Ok(())
}

fn sentences(closed: &Closed, folder: &Path, language: Language) -> Vec<String> {
    let mut said = Vec::new();
    if !closed.changed.is_empty() {
        let separator = Phrase::new(", ", "、").text(language);
        let paths: Vec<_> = closed.changed.iter().map(|path| path.display().to_string()).collect();
        let paths = paths.join(separator);
        said.push(match language {
            Language::En => format!("other accounts of this machine could read these; now only yours can: {paths}"),
            Language::Zh => format!("以下文件或目录此前可被本机其他账户读取，现已改为仅本账户可读：{paths}"),
        });
    }
    if closed.left_open {
        let folder = folder.display();
        said.push(match language {
            Language::En => format!(
                "{folder} holds other things too or belongs to another account, so it was left open to others; boyi's \
                 own files in it are closed. A folder of its own is safer (--data)"
            ),
            Language::Zh => format!(
                "{folder} 中还有其他内容或不属于本账户，目录权限保持不变；\
                 其中 boyi 自己的文件已仅本账户可读。建议使用专用目录（--data）"
            ),
        });
    }
    said
}

/// What to do about a store that cannot be opened.
pub(crate) fn advice(cause: Option<Cause>, folder: &Path, language: Language) -> String {
    let folder = folder.display();
    match (cause, language) {
        (Some(Cause::Damaged), Language::En) => format!(
            "the database is damaged: put the folder aside (mv {folder} {folder}.damaged) and bring back a backup with \
             `boyi admin --data {folder} restore BACKUP`"
        ),
        (Some(Cause::Damaged), Language::Zh) => format!(
            "数据库已损坏：请先移开该目录（mv {folder} {folder}.damaged），\
             再用 `boyi admin --data {folder} restore 备份目录` 恢复备份"
        ),
        (Some(Cause::Full), Language::En) => format!("the disk of {folder} is full: make room and start again"),
        (Some(Cause::Full), Language::Zh) => format!("{folder} 所在磁盘已满：请清出空间后重新启动"),
        (_, Language::En) => "choose another folder with --data".to_owned(),
        (_, Language::Zh) => "可用 --data 换一个目录".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_closed_is_named_in_both_languages() {
        let closed = Closed { changed: vec!["d/course.sqlite".into(), "d".into()], left_open: true };
        for (language, words) in [(Language::En, "d/course.sqlite, d"), (Language::Zh, "d/course.sqlite、d")] {
            let said = sentences(&closed, Path::new("d"), language);
            assert!(said.len() == 2 && said[0].contains(words), "{said:?}");
        }
        assert!(sentences(&Closed::default(), Path::new("d"), Language::En).is_empty());
    }
}
