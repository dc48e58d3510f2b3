//! Who somebody is: roles, passwords, and what slows a guesser.

mod guard;
mod password;

use serde::{Deserialize, Serialize};

pub use guard::{Guard, Slow};
pub(crate) use guard::{Key, MEMORY, Tries};
pub use password::{Passwords, password_problem};

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Submits.
    Student,
    /// Helps: locks, rejudges, resets passwords.
    Assistant,
    /// Everything.
    Admin,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Student, Self::Assistant, Self::Admin];

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Assistant => "assistant",
            Self::Admin => "admin",
        }
    }

    /// The role of this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Whether he helps to run the course.
    #[must_use]
    pub fn is_staff(self) -> bool {
        self >= Self::Assistant
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The store's number.
    pub id: i64,
    /// What is typed to sign in: a student's number.
    pub name: String,
    /// The person's own name.
    pub person: String,
    /// The classes or groups; more than one are parted by semicolons.
    pub group: String,
    /// What others see.
    pub nickname: String,
    /// What he may do.
    pub role: Role,
    /// Whether he has not yet set a password.
    pub first: bool,
    /// Whether the account may be used.
    #[serde(skip)]
    pub active: bool,
    /// Until when his one-time code is good.
    #[serde(skip)]
    pub code_expires: Option<i64>,
    /// When it was made.
    #[serde(skip)]
    pub created: i64,
}

impl Account {
    /// The groups he is in.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        groups_of(&self.group)
    }
}

/// The longest text that names groups.
pub(crate) const LONGEST_GROUPS: usize = 120;
/// What stands between two groups as they are kept.
const BETWEEN: &str = "; ";

/// The groups that a text names; more than one are parted by semicolons.
pub(crate) fn groups_of(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '；']).map(str::trim).filter(|group| !group.is_empty())
}

/// Groups as they are kept: each once, in their order; `None` when they cannot be. Nothing names no group.
#[must_use]
pub fn read_groups(text: &str) -> Option<String> {
    let mut groups: Vec<String> = Vec::new();
    for group in groups_of(text) {
        let group = clean(group, LONGEST_GROUPS)?;
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Some(groups.join(BETWEEN)).filter(|text| text.chars().count() <= LONGEST_GROUPS)
}

/// A name or title as it is kept: without control characters, spaces at its ends or runs of them; `None` when empty or
/// too long.
#[must_use]
pub fn clean(text: &str, longest: usize) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    // Invisible letters that turn or join text would let one nickname look like another.
    let strange = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let fits = !text.is_empty() && text.chars().count() <= longest && !text.contains(strange);
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_clean() {
        assert_eq!(clean("  小  明 \t", 30).as_deref(), Some("小 明"));
        for bad in ["", "   ", "a\u{202e}b", "x\u{7}y", "一二三四五六七八九十一"] {
            assert_eq!(clean(bad, 10), None, "{bad:?}");
        }
        assert_eq!(read_groups(" 一班；竞赛队 ;; 一班 ").as_deref(), Some("一班; 竞赛队"));
        assert_eq!(read_groups("").as_deref(), Some(""));
        assert_eq!(read_groups("一班; a\u{7}"), None);
        assert_eq!(read_groups(&"班".repeat(LONGEST_GROUPS + 1)), None);
        assert!(Role::Admin.is_staff() && Role::Assistant.is_staff() && !Role::Student.is_staff());
        assert_eq!(Role::find("assistant"), Some(Role::Assistant));
    }
}
