//! Level C: the files outside the view do not open, although their names can be seen.

use std::path::PathBuf;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetStatus, Scope,
};

use super::root::system_places;
use crate::error::{Failure, Step as _};
use crate::orders::Orders;
use crate::view;

/// The newest rules this was written against.
const NEWEST: ABI = ABI::V6;

/// Restricts this process for good. Older kernels enforce a part, which the caller reports (see [`crate::machine`]).
pub(super) fn restrict(orders: &Orders) -> Result<(), Failure> {
    let everything = AccessFs::from_all(NEWEST);
    let read = AccessFs::from_read(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(everything)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .step("Landlock")?;
    let kernel_facts = view::KERNEL_FACTS.into_iter().map(Into::into);
    let own = [format!("/proc/{}", rustix::process::getpid().as_raw_nonzero()).into()];
    let readable =
        system_places().chain(kernel_facts).chain(own).chain(orders.view.readable().into_iter().map(Into::into));
    let readable = readable.map(|place: PathBuf| (place, read));
    let devices = orders.devices().map(|place| (place.into(), AccessFs::ReadFile | AccessFs::WriteFile));
    let work = orders.view.work.iter().map(|work| (work.clone(), everything));
    for (place, access) in readable.chain(devices).chain(work) {
        // What is not there cannot be read either.
        let Ok(opened) = PathFd::new(&place) else { continue };
        let access = if place.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
        rules = rules.add_rule(PathBeneath::new(opened, access)).step(format!("Landlock for {}", place.display()))?;
    }
    let status = rules.restrict_self().step("Landlock")?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(Failure::new("Landlock", "not enforced by this kernel"));
    }
    Ok(())
}
