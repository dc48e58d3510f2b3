//! How an engine without a cage enters its pen: by a shell that writes itself in and then becomes the engine, so that
//! nothing it starts is born outside.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::Pen;

const SHELL: &str = "/bin/sh";
/// What cannot be written is not told: the engine then stands outside, which shows when its pen is to be frozen.
const ENTER: &str = r#"while [ "$1" != -- ]; do { echo 0 >"$1"; } 2>/dev/null; shift; done; shift; exec "$@""#;

/// The command that starts the same program in the pen; nothing for a program that the shell might take for something
/// else than the system would. What cannot be started at all is left to the system, too, which says why.
pub(crate) fn into_pen(command: &Command, pen: &Pen) -> Option<Command> {
    let folder = command.get_current_dir();
    let program = command.get_program();
    if program.as_encoded_bytes().starts_with(b"-") || !is_plain(&found(program, folder)?, true) {
        return None;
    }
    let mut entering = Command::new(SHELL);
    entering.args(["-c", ENTER, "boyi"]).args(pen.entrances()).arg("--").arg(program).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => entering.env(name, value),
            None => entering.env_remove(name),
        };
    }
    if let Some(folder) = folder {
        entering.current_dir(folder);
    }
    Some(entering)
}

/// The file the system would run.
fn found(program: &OsStr, folder: Option<&Path>) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(folder.map_or_else(|| PathBuf::from(program), |folder| folder.join(program)));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| may_run(path))
}

fn may_run(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Whether this is a program of this processor, or a script whose interpreter is one.
fn is_plain(path: &Path, may_be_script: bool) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    if !may_run(path) || read.is_err() {
        return false;
    }
    if let Some(line) = start.strip_prefix(b"#!").filter(|_| may_be_script) {
        let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        return line.split_whitespace().next().is_some_and(|interpreter| is_plain(Path::new(interpreter), false));
    }
    start.starts_with(b"\x7fELF") && start.get(18..20) == machine().as_ref().map(<[u8; 2]>::as_slice)
}

/// The processor for which this program was made, as its own file says it.
fn machine() -> Option<[u8; 2]> {
    static OWN: std::sync::OnceLock<Option<[u8; 2]>> = std::sync::OnceLock::new();
    *OWN.get_or_init(|| {
        let mut start = [0; 20];
        std::fs::File::open("/proc/self/exe").and_then(|mut file| file.read_exact(&mut start)).ok()?;
        Some([start[18], start[19]])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_system_itself_would_run_goes_through_the_shell() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, text: &[u8], mode: u32| {
            use std::os::unix::fs::PermissionsExt as _;
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let script = b"#!/bin/sh\nexit 0\n";
        assert!(is_plain(Path::new("/bin/sh"), true));
        assert!(is_plain(&make("script", script, 0o755), true));
        // A shell would run this as a script of its own.
        assert!(!is_plain(&make("no-first-line", b"import sys\n", 0o755), true));
        assert!(!is_plain(&make("no-interpreter", b"#!/nowhere/python\n", 0o755), true));
        assert!(!is_plain(
            &make("other-processor", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xff\xff", 0o755),
            true
        ));
        assert!(!is_plain(&folder.path().join("not-there"), true));
        assert_eq!(found("sh".as_ref(), None).as_deref().and_then(Path::file_name), Some("sh".as_ref()));
        assert_eq!(found("./sub/engine".as_ref(), Some(Path::new("/x"))), Some("/x/./sub/engine".into()));
        assert_eq!(found("no-such-program-anywhere".as_ref(), None), None);
    }
}
