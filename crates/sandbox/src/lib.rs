//! Run a stranger's program within limits, and say plainly what is enforced.
//!
//! A [`Machine`] is what this computer can enforce; a [`Sandbox`] is the level chosen on it; a [`Cell`] is one cage in
//! which one program runs, started through an ordinary [`std::process::Command`] with inherited pipes; a [`Report`]
//! tells how it ended, what it used, and what held it. The command starts a small launcher (this program again, see
//! [`launch`]), because set-up code between `fork` and `exec` of a threaded program is unsafe.
//!
//! This crate depends on `games` for its texts in two languages and on no other room. It is the only one with `unsafe`
//! code, all of it in `sys.rs`. Read [`Sandbox`] first.

mod cell;
mod cgroup;
mod doctor;
mod error;
mod filter;
mod launch;
mod layers;
mod limits;
mod machine;
mod mailbox;
mod orders;
mod report;
mod run;
mod still;
mod sys;
mod view;

pub use cell::{Cell, Sandbox};
pub use cgroup::{Pen, Pens};
pub use doctor::{Diagnosis, Line, Mark};
pub use error::{Error, Failure};
pub use launch::{LAUNCH, launch_if_asked};
pub use layers::{Layer, Layers, Level};
pub use limits::Limits;
pub use machine::Machine;
pub use report::{Ended, Hold, Holds, Limit, Remark, Report, Usage};
pub use run::{Captured, Input, Stream, capture, run};
pub use still::{Glance, Still};
pub use view::View;
