//! What students send: instant brains, and every kind that goes wrong.

const C: &str = include_str!("../../../../sdk/c/tiaojia.c");
const PYTHON: &str = include_str!("../../../../sdk/python/tiaojia.py");

/// A kind of brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Plays.
    Good,
    /// Does not compile.
    Broken,
    /// Dies at its fourth ply of the ladder, after the trial.
    Crashes,
    /// Says nothing any more from its twelfth ply on.
    Hangs,
    /// Writes without end from its twelfth ply on.
    Floods,
    /// Plays what the rules forbid from its twelfth ply on.
    Cheats,
    /// Does not even say OK.
    Mute,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::Good, Self::Broken, Self::Crashes, Self::Hangs, Self::Floods, Self::Cheats, Self::Mute];

    /// Whether it comes into the ladder.
    pub(crate) fn is_ranked(self) -> bool {
        !matches!(self, Self::Broken | Self::Mute)
    }
}

/// A language of the course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tongue {
    C,
    Cpp,
    Python,
}

impl Tongue {
    /// The id of the language and a file's ending.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Python => "python",
        }
    }
}

/// A source; `number` makes it different from every other one.
pub(crate) fn source(tongue: Tongue, kind: Kind, number: u64) -> String {
    match tongue {
        Tongue::Python => python(kind, number),
        Tongue::C | Tongue::Cpp => c(kind, number),
    }
}

fn c(kind: Kind, number: u64) -> String {
    let depth = 1 + number % 2;
    let harm = match kind {
        Kind::Good | Kind::Broken | Kind::Mute => String::new(),
        Kind::Crashes => "if (++plies > 12) abort();".to_owned(),
        Kind::Hangs => "if (++plies > 12) for (;;) { }".to_owned(),
        Kind::Floods => "if (++plies > 12) for (;;) puts(\"DEBUG flood flood flood flood\");".to_owned(),
        Kind::Cheats => "if (++plies > 12) { printf(\"0 0 0\\n\"); fflush(stdout); continue; }".to_owned(),
    };
    let turn = format!(
        "static int plies; {harm} (void)plies; printf(\"DEBUG brain {number}\\n\"); search(&board, me, {depth}, &best);"
    );
    let mut text = C
        .replace("search(&board, me, 3, &best);", &turn)
        .replace("srand((unsigned)time(NULL));", &format!("srand({number}u);"));
    if kind == Kind::Broken {
        text = text.replacen("int main(void) {", "int main(void) { this does not compile;", 1);
    }
    if kind == Kind::Mute {
        text = text.replace("printf(\"DEBUG +openings\\nOK\\n\");", ";");
    }
    text
}

fn python(kind: Kind, number: u64) -> String {
    let harm = match kind {
        Kind::Good | Kind::Broken | Kind::Mute => "pass",
        Kind::Crashes => "raise SystemExit(3)",
        Kind::Hangs => "import time; time.sleep(1e6)",
        Kind::Floods => "exec('while True: print(\"DEBUG flood flood flood flood\")')",
        Kind::Cheats => "print('0 0 0', flush=True); continue",
    };
    let turn = format!(
        "turns = globals().get('turns', 0) + 1\n        if turns > 12: {harm}\n        print('DEBUG brain {number}', flush=True)\n        \
         ply = random.choice(sorted(plies(board, me)))"
    );
    let mut text = PYTHON
        .replace("ply = max(plies(board, me), key=lambda ply: value(board, ply))", &turn)
        .replace("board, me = {}, 1", &format!("random.seed({number})\nboard, me = {{}}, 1"));
    if kind == Kind::Broken {
        text.push_str("\nthis does not parse(\n");
    }
    if kind == Kind::Mute {
        text = text.replace("print(\"OK\", flush=True)", "pass");
    }
    text
}

/// The sources are what their names say: the changes above found their places.
#[test]
fn every_kind_differs_from_every_other() {
    for tongue in [Tongue::C, Tongue::Cpp, Tongue::Python] {
        let mut all: Vec<String> = Kind::ALL.iter().map(|&kind| source(tongue, kind, 1)).collect();
        if tongue != Tongue::Python {
            assert!(all[0].contains("DEBUG brain 1") && all[0].contains("srand(1u)"));
        } else {
            assert!(all[0].contains("DEBUG brain 1") && all[0].contains("random.seed(1)"));
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len(), Kind::ALL.len());
    }
}
