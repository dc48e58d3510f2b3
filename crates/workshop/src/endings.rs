//! What a compiler's end means.
//!
//! A compiler is often a family: the driver lives on when a limit ends the part that does the work, and tells it in its own words.

use sandbox::{Ended, Limit};

use crate::error::Error;
use crate::workshop::Why;

/// How a line of a compiler begins, what it contains, and the limit that was behind it. The beginning is one that no quoted source has.
const TOLD: &[(&str, &str, Limit)] = &[
    ("gcc: ", "File size limit exceeded", Limit::FileSize),
    ("g++: ", "File size limit exceeded", Limit::FileSize),
    ("collect2: ", "File size limit exceeded", Limit::FileSize),
    ("/usr/bin/ld: ", "final link failed: File truncated", Limit::FileSize),
    ("/usr/bin/ld: ", "final link failed: No space left on device", Limit::FileSize),
    ("{standard input}: Fatal error: ", "No space left on device", Limit::FileSize),
    ("  = note: ", "File too large", Limit::FileSize),
    ("as: ", "out of memory allocating", Limit::Memory),
    ("cc1: ", "out of memory allocating", Limit::Memory),
    ("cc1plus: ", "out of memory allocating", Limit::Memory),
    ("virtual memory exhausted", "", Limit::Memory),
    ("memory allocation of ", "bytes failed", Limit::Memory),
    ("The system is out of resources.", "", Limit::Memory),
    ("MemoryError", "", Limit::Memory),
    ("fatal error: runtime: out of memory", "", Limit::Memory),
];

/// Why there is no program; nothing if the compiler was content.
pub(crate) fn judge(ended: &Ended, messages: &str) -> Result<Option<Why>, Error> {
    let told = || {
        let lines = messages.lines();
        let mut limits = lines.filter_map(|line| {
            TOLD.iter()
                .find(|(start, part, _)| line.starts_with(start) && line.contains(part))
                .map(|(_, _, limit)| *limit)
        });
        limits.next().map_or(Why::Errors, Why::Limit)
    };
    match ended {
        Ended::Exited(0) => Ok(None),
        Ended::Exited(_) => Ok(Some(told())),
        Ended::Signalled(signal) => Ok(Some(Why::Crashed(*signal))),
        Ended::Limit(limit) => Ok(Some(Why::Limit(*limit))),
        Ended::Stopped => Err(Error::Stopped),
        Ended::NotStarted(failure) => Err(sandbox::Error::Failed(failure.clone()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_tells_of_limits_and_the_source_cannot() {
        let judge = |messages| judge(&Ended::Exited(1), messages).unwrap().unwrap();
        let size =
            "gcc: internal compiler error: File size limit exceeded signal terminated program as\nPlease submit\n";
        assert_eq!(judge(size), Why::Limit(Limit::FileSize));
        assert_eq!(judge("\nas: out of memory allocating 23000000001 bytes after\n"), Why::Limit(Limit::Memory));
        let quoted =
            "main.c:1:2: error: #error gcc: File size limit exceeded\n    1 | #error gcc: File size limit exceeded\n";
        assert_eq!(judge(quoted), Why::Errors);
    }

    #[test]
    fn a_contented_compiler_is_believed_whatever_it_said() {
        assert_eq!(judge(&Ended::Exited(0), "virtual memory exhausted").unwrap(), None);
        assert!(matches!(judge(&Ended::Stopped, ""), Err(Error::Stopped)));
    }
}
