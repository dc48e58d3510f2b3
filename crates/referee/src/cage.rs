//! Engines in cages: what a stranger's program sees of this machine is its own folder and the files its command names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use sandbox::{Cell, Limits, Sandbox, View};

/// The sandbox an engine runs in, and what it may use there.
#[derive(Debug, Clone)]
pub struct Cage {
    /// The sandbox.
    pub sandbox: Arc<Sandbox>,
    /// What the engine may use.
    pub limits: Limits,
    /// A folder of the referee's own that no engine sees, whatever its command names.
    pub closed: Option<PathBuf>,
}

/// Where programs without a path are found inside a cage.
const PROGRAMS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

impl Cage {
    /// A cell with the command that starts the engine in it.
    pub(crate) fn cell(&self, words: &[String], folder: Option<&Path>) -> Result<(Cell, Command), sandbox::Error> {
        let here = match folder {
            Some(folder) => folder.to_owned(),
            None => std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        };
        let (words, named) = resolved(words, &here);
        let mut view = match self.folder(&here) {
            Ok(view) => view,
            // A home folder is too much to show: then only what the command names is seen, from its first folder.
            Err(refused) => self.folder(named.iter().find_map(|path| path.parent()).ok_or(refused)?)?,
        };
        for path in &named {
            self.permit(path)?;
            view = view.and(path)?;
        }
        let cell = self.sandbox.cell(self.limits.clone(), view)?;
        let command = cell.command(&words)?;
        Ok((cell, command))
    }

    fn folder(&self, folder: &Path) -> Result<View, sandbox::Error> {
        self.permit(folder)?;
        View::folder(folder)
    }

    /// Refuses what would show the closed folder, or a part of it.
    fn permit(&self, path: &Path) -> Result<(), sandbox::Error> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = real(path);
        match self.closed.as_deref().map(real) {
            Some(closed) if closed.starts_with(&path) || path.starts_with(&closed) => {
                Err(sandbox::Error::TooMuch(path))
            }
            _ => Ok(()),
        }
    }
}

/// The command with paths that mean the same from any folder, and the files and folders it names.
fn resolved(words: &[String], here: &Path) -> (Vec<String>, Vec<PathBuf>) {
    let mut named = Vec::new();
    let words = words.iter().enumerate().map(|(index, word)| {
        let path = match (index, word.contains('/')) {
            (0, false) if PROGRAMS.iter().any(|folder| Path::new(folder).join(word).is_file()) => None,
            (0, false) => on_path(word),
            // An option is not a file, whatever lies about.
            (_, _) if word.starts_with('-') => None,
            _ => here.join(word).canonicalize().ok(),
        };
        match path {
            Some(path) => {
                // A program's libraries and data lie beside it.
                let shown = if index == 0 { path.parent().map(Path::to_owned) } else { Some(path.clone()) };
                named.extend(shown.filter(|shown| !shown.starts_with("/usr") && shown != Path::new("/bin")));
                path.to_string_lossy().into_owned()
            }
            None => word.clone(),
        }
    });
    (words.collect(), named)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find_map(|path| path.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_names_is_shown_and_found_from_anywhere() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let words = ["sh", "src/cage.rs", "-c", "nothing-here"].map(str::to_owned);
        let (words, named) = resolved(&words, here);
        let file = here.join("src/cage.rs").canonicalize().unwrap();
        assert_eq!(words, ["sh", file.to_str().unwrap(), "-c", "nothing-here"]);
        assert_eq!(named, [file]);
    }

    #[test]
    fn a_program_brings_its_folder() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (words, named) = resolved(&["./src/lib.rs".to_owned()], here);
        assert_eq!(words, [here.join("src/lib.rs").canonicalize().unwrap().to_str().unwrap()]);
        assert_eq!(named, [here.join("src").canonicalize().unwrap()]);
    }
}
