//! `cargo xtask train GAME`: the learned parts of a player anew, from seeded games.

use std::path::PathBuf;

use anyhow::bail;

use crate::shell;

/// How a player is trained from the weights it has.
struct Recipe {
    game: &'static str,
    /// What is learned: numbers to read, or a net.
    file: &'static str,
    /// The words before and behind the file that is written; the head of each example explains them.
    example: &'static str,
    before: &'static [&'static str],
    behind: &'static [&'static str],
}

/// The recipes docs/strength tells the gains of.
const RECIPES: &[Recipe] = &[
    Recipe {
        game: "amazons",
        file: "weights.txt",
        example: "lab",
        before: &["amazons", "train", "1500", "1200"],
        behind: &["0.0002"],
    },
    Recipe {
        game: "nogo",
        file: "net.bin",
        example: "train_nogo",
        before: &["train"],
        behind: &["1", "4000", "160", "4", "0.001"],
    },
    Recipe {
        game: "surakarta",
        file: "weights.txt",
        example: "lab",
        before: &["surakarta", "train", "1500", "20000"],
        behind: &["0.00005"],
    },
    Recipe {
        game: "tiaojia",
        file: "weights.txt",
        example: "sparring",
        before: &["train", "12000", "110"],
        behind: &[],
    },
    Recipe { game: "junqi", file: "weights.txt", example: "train_junqi", before: &[], behind: &["7000", "2000"] },
    Recipe {
        game: "gomoku",
        file: "weights.txt",
        example: "train_gomoku",
        before: &[],
        behind: &["4500", "1000", "2e-5", "30000000"],
    },
];

/// Trains and writes the weights to `out`, or over those in use.
pub(crate) fn run(game: &str, out: Option<PathBuf>) -> anyhow::Result<()> {
    let id = games::find(game)?.facts().id;
    let Some(recipe) = RECIPES.iter().find(|recipe| recipe.game == id) else {
        let known: Vec<&str> = RECIPES.iter().map(|recipe| recipe.game).collect();
        bail!("nothing of the player of {id} is learned; there are {}", known.join(", "));
    };
    let out = out.unwrap_or_else(|| shell::root().join("crates/engines/src").join(id).join(recipe.file));
    let mut command = shell::cargo();
    command.args(["run", "--profile", "quick", "--package", "engines", "--example", recipe.example, "--"]);
    shell::run(command.args(recipe.before).arg(out).args(recipe.behind))
}
