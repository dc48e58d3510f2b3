//! Passwords: argon2id, off the threads that answer requests, a few at a time.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::words::Words;

/// Each takes 19 MiB and some 20 ms; more at once would let sign-ins push games aside.
const AT_ONCE: usize = 2;
/// The shortest password.
const SHORTEST: usize = 10;
/// The longest.
const LONGEST: usize = 200;

/// So many characters are looked at to see whether it is easy to guess.
const ESTIMATED: usize = 60;

/// What the estimate's lists, made in the West, do not have.
const COMMON_HERE: [&str; 9] = ["boyi", "woaini", "aini", "520", "1314", "5201314", "mima", "wodemima", "zhongguo"];

/// Why a password cannot be taken, if so.
#[must_use]
pub fn password_problem(password: &str, name: &str) -> Option<Words> {
    let length = password.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length) {
        return Some(Words::new(
            format!("a password has {SHORTEST} to {LONGEST} characters"),
            format!("密码长度为 {SHORTEST} 到 {LONGEST} 个字符"),
        ));
    }
    // The estimate knows the commonest passwords, rows of keys, dates and repeats; beyond so many letters it takes its
    // time and would not find a password easy that is not easy to begin with.
    let looked_at: String = password.chars().take(ESTIMATED).collect();
    if zxcvbn(&looked_at, &[&[name][..], &COMMON_HERE].concat()).score() < Score::Two {
        return Some(Words::new(
            "this password is too easy to guess: common words, rows of keys, dates and your own number are tried first",
            "这个密码太容易猜到：常见密码、键盘顺序、日期和自己的学号都会最先被尝试",
        ));
    }
    None
}

/// Hashes and compares passwords.
#[derive(Debug, Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    /// Compared with when nobody has the name, so that the answer takes as long.
    nobody: Arc<str>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), nobody: hash("nobody has this password").into() }
    }
}

impl Passwords {
    /// The text that is kept of a password.
    pub async fn hash(&self, password: &str) -> String {
        let password = password.to_owned();
        self.work(move || hash(&password)).await.unwrap_or_default()
    }

    /// Whether it is the password of this hash; without one it takes as long and is not.
    pub async fn is_right(&self, password: &str, kept: Option<&str>) -> bool {
        let (text, password) = (kept.unwrap_or(&self.nobody).to_owned(), password.to_owned());
        let matches = self.work(move || matches(&password, &text)).await.unwrap_or_default();
        matches && kept.is_some()
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let _turn = self.turns.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }
}

fn hash(password: &str) -> String {
    // The crate's own parameters are OWASP's: argon2id, 19 MiB, 2 passes.
    Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()).unwrap_or_default()
}

fn matches(password: &str, kept: &str) -> bool {
    PasswordHash::new(kept).is_ok_and(|kept| Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn passwords_are_argon2id_and_recognised() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse").await;
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(passwords.is_right("correct horse", Some(&kept)).await);
        assert!(!passwords.is_right("correct horse ", Some(&kept)).await);
        assert!(!passwords.is_right("nobody has this password", None).await);
        assert_ne!(kept, passwords.hash("correct horse").await);
    }

    /// The commonest of ten characters and more, in the order of zxcvbn's list of thirty thousand; shorter ones are
    /// refused by their length. So this holds whatever becomes of the estimate.
    const COMMON: &str = include_str!("common_passwords.txt");

    #[test]
    fn the_commonest_passwords_are_refused() {
        assert!(COMMON.lines().count() > 1000);
        for bad in COMMON.lines() {
            let capital: String = bad[..1].to_uppercase() + &bad[1..];
            for bad in [bad, &capital, &bad.to_uppercase()] {
                assert!(password_problem(bad, "2023001001").is_some(), "{bad}");
            }
        }
    }

    #[test]
    fn easy_passwords_are_refused() {
        let long = "x".repeat(201);
        let easy = [
            "short",
            "2023001001",
            "aaaaaaaaaaaaa",
            "20230010012023001001",
            "2023001001ab",
            "1234567890",
            "password12",
            "Password123",
            "qwertyuiop",
            "1q2w3e4r5t",
            "iloveyou123",
            "abcd123456",
            "1qaz2wsx3edc",
            "woaini1314",
            &long,
        ];
        for bad in easy {
            assert!(password_problem(bad, "2023001001").is_some(), "{bad}");
        }
        for good in ["correct horse battery", "今天的风儿有些喧嚣啊", "tL7-vobKaxa", "一只会下棋的柠檬1998"]
        {
            assert_eq!(password_problem(good, "2023001001"), None, "{good}");
        }
    }
}
