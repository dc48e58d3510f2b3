//! Every hostile program at every level: how it ends, and that it does its harm once the layer that stops it is taken away.
//!
//! A test is `level / program`. The full cage must give exactly the expected ending and no harm; the weakened one must show the harm, or the check
//! would be idle. What a level cannot enforce is asserted as harm done. Where the machine lacks a layer the test is listed as ignored, with the reason in its name.

mod cases;
mod facts;
mod scene;

use libtest_mimic::{Arguments, Failed, Trial};
use sandbox::Level;

use cases::{At, CASES, Case};
use scene::{Scene, Who};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for level in [Level::A, Level::B, Level::C] {
        let missing = scene::missing(level);
        for case in CASES {
            let name = format!("{level} / {}", case.name);
            let at = case.at(level);
            let reason = missing.clone().or_else(|| match at {
                At::Elsewhere(reason) => Some((*reason).to_owned()),
                _ => case.absent(level),
            });
            trials.push(match reason {
                Some(reason) => {
                    Trial::test(format!("{name} (not available here: {reason})"), || Ok(())).with_ignored_flag(true)
                }
                None => Trial::test(name, move || try_case(level, case, at)),
            });
        }
    }
    for &(name, level, proof) in facts::FACTS {
        // Made as whoever runs the tests: only root has all levels.
        let reason = sandbox::Sandbox::new(level, env!("CARGO_BIN_EXE_trial")).err();
        trials.push(match reason {
            Some(reason) => Trial::test(format!("{level} / {name} (not available here: {reason})"), || Ok(()))
                .with_ignored_flag(true),
            None => Trial::test(format!("{level} / {name}"), proof),
        });
    }
    libtest_mimic::run(&arguments, trials).exit();
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
