//! Every hostile program at every level: how it ends, and that it does its harm once the layer that stops it is taken away.
//!
//! A test is `level / program`. The full cage must give exactly the expected ending and no harm; the weakened one must show the harm, or the check
//! would be idle. What a level cannot enforce is asserted as harm done. Where the machine lacks a layer the test is listed as ignored, with the reason in its name.

mod cases;
mod facts;
mod programs;
mod scene;

use libtest_mimic::{Arguments, Failed, Trial};
use sandbox::{Level, Sandbox};

use cases::{At, CASES, Case};
use scene::{Scene, Who};

fn main() {
    let arguments = Arguments::from_args();
    // A runner that starts a process for each test asks for one name; only that one's level has to be tried then.
    let wanted = arguments.filter.as_deref().filter(|_| arguments.exact);
    let mut trials = Vec::new();
    for level in [Level::A, Level::B, Level::C] {
        let start = format!("{level} / ");
        if wanted.is_some_and(|name| !name.starts_with(&start)) {
            continue;
        }
        let missing = scene::missing(level);
        // The cases of B and C are tried as an ordinary user in any case.
        for case in CASES.iter().filter(|_| !programs::are_copies()) {
            let at = case.at(level);
            let reason = missing.clone().or_else(|| match at {
                At::Elsewhere(reason) => Some((*reason).to_owned()),
                _ => case.absent(level),
            });
            trials.push(test(format!("{start}{}", case.name), reason, move || try_case(level, case, at)));
        }
        // Facts are tried as whoever runs the tests: only root has all levels.
        let missing = Sandbox::new(level, programs::trial()).err().map(|error| error.to_string());
        for &(name, _, proof) in facts::FACTS.iter().filter(|(_, of, _)| *of == level) {
            trials.push(test(format!("{start}{name}"), missing.clone(), proof));
        }
    }
    if rustix::process::geteuid().is_root() && !programs::are_copies() {
        trials.push(Trial::test("all facts as an ordinary user", programs::again_as_ordinary_user));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test, or a line that says why it cannot be one here.
fn test(name: String, missing: Option<String>, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    match missing {
        Some(reason) => {
            Trial::test(format!("{name} (not available here: {reason})"), || Ok(())).with_ignored_flag(true)
        }
        None => Trial::test(name, run),
    }
}

fn try_case(level: Level, case: &'static Case, at: &'static At) -> Result<(), Failed> {
    let scene = Scene::new(Who::of(level))?;
    match at {
        At::Stopped { ended, says, by } => {
            let seen = scene.run(level, &[], case, false)?;
            seen.must_have_ended(&ended())?;
            seen.must_say(says)?;
            if seen.harm(&scene, case) {
                return Err(format!("it did harm: {seen:?}").into());
            }
            if by.is_empty() {
                return Ok(());
            }
            let scene = Scene::new(Who::of(level))?;
            let weak = scene.run(level, by, case, true)?;
            if !weak.harm(&scene, case) {
                return Err(format!("without {by:?} it should have done harm: {weak:?}").into());
            }
            Ok(())
        }
        At::Harmful { says } => {
            let seen = scene.run(level, &[], case, false)?;
            seen.must_say(says)?;
            if seen.harm(&scene, case) {
                Ok(())
            } else {
                Err(format!("level {level} holds more than it claims: {seen:?}").into())
            }
        }
        At::Elsewhere(_) => Ok(()),
    }
}
