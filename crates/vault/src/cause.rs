//! Why a database did not do what it should, as far as somebody can do something about it.

use games::Phrase;
use sqlx::Error;

use crate::Replaced;

/// SQLite's codes (<https://sqlite.org/rescode.html>): the low byte is the kind.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const INPUT_OUTPUT: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANNOT_OPEN: i32 = 14;
const NO_DATABASE: i32 = 26;
/// The memory shared by readers and writer cannot grow, which is a full disk too.
const NO_ROOM_TO_SHARE: i32 = INPUT_OUTPUT | 19 << 8;

/// Why a database did not do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The disk is full.
    Full,
    /// The file was deleted or replaced under the server.
    Replaced,
    /// What is in the file is not what was written.
    Damaged,
    /// The disk does not take what is written.
    Unwritable,
    /// Something else has been writing for very long.
    Busy,
    /// Anything else.
    Other,
}

impl Cause {
    /// The cause of a database's error.
    #[must_use]
    pub fn of(error: &Error) -> Self {
        match error {
            Error::Io(error) if error.get_ref().and_then(|inner| inner.downcast_ref::<Replaced>()).is_some() => {
                Self::Replaced
            }
            Error::ColumnDecode { .. } | Error::Decode(_) => Self::Damaged,
            Error::PoolTimedOut => Self::Busy,
            Error::Database(said) => Self::of_code(said.code().and_then(|code| code.parse().ok()).unwrap_or_default()),
            _ => Self::Other,
        }
    }

    const fn of_code(code: i32) -> Self {
        match (code, code & 0xff) {
            (NO_ROOM_TO_SHARE, _) | (_, FULL) => Self::Full,
            (_, CORRUPT | NO_DATABASE) => Self::Damaged,
            (_, BUSY | LOCKED) => Self::Busy,
            (_, READ_ONLY | INPUT_OUTPUT | CANNOT_OPEN) => Self::Unwritable,
            _ => Self::Other,
        }
    }

    /// The word programs use.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Full => "disk-full",
            Self::Replaced => "store-replaced",
            Self::Damaged => "store-damaged",
            Self::Unwritable => "store-unwritable",
            Self::Busy => "store-busy",
            Self::Other => "unavailable",
        }
    }

    /// The sentence for people.
    #[must_use]
    pub const fn phrase(self) -> Phrase {
        match self {
            Self::Full => Phrase::new(
                "the server's disk is full, so nothing can be written now; nothing was changed, please try again later",
                "服务器磁盘已满，暂时无法写入；未作任何改动，请稍后重试",
            ),
            Self::Replaced => Phrase::new(
                "the server's data file was deleted or replaced under it, so nothing is written; its operator must look",
                "服务器的数据文件在运行中被删除或替换，已停止写入；请联系管理员",
            ),
            Self::Damaged => Phrase::new(
                "what the server kept of this is damaged; its operator can restore a backup",
                "服务器中的这份数据已损坏；管理员可以用备份恢复",
            ),
            Self::Unwritable => Phrase::new(
                "the server's disk does not take what is written; nothing was changed, please try again later",
                "服务器磁盘无法写入；未作任何改动，请稍后重试",
            ),
            Self::Busy => Phrase::new(
                "something else has been writing for long; please try again later",
                "另一项写入耗时过长，请稍后重试",
            ),
            Self::Other => {
                Phrase::new("the server cannot do this now; please try again", "服务器暂时无法处理，请稍后重试")
            }
        }
    }

    /// After how many seconds it is worth another try; never for what stays as it is.
    #[must_use]
    pub const fn retry_after(self) -> Option<u32> {
        match self {
            Self::Full | Self::Unwritable => Some(30),
            Self::Replaced | Self::Damaged => None,
            Self::Busy | Self::Other => Some(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_sqlite_are_told_apart() {
        for (code, cause) in [
            (13, Cause::Full),
            (4874, Cause::Full),
            (778, Cause::Unwritable),
            (1032, Cause::Unwritable),
            (11, Cause::Damaged),
            (267, Cause::Damaged),
            (26, Cause::Damaged),
            (261, Cause::Busy),
            (2067, Cause::Other),
        ] {
            assert_eq!(Cause::of_code(code), cause, "{code}");
        }
        let replaced = Error::Io(std::io::Error::other(Replaced("x".into())));
        assert_eq!(Cause::of(&replaced), Cause::Replaced);
        assert_eq!(Cause::of(&Error::Io(std::io::Error::other("x"))), Cause::Other);
    }
}
