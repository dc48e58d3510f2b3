//! Make a program out of a stranger's source, in the sandbox, and explain what went wrong.
//!
//! [`LANGUAGES`] is the table of what can be built and how; a [`Workshop`] builds on one sandbox and keeps what it built; [`Built`] is a
//! program ready to run, [`Failed`] what the compiler said, with [`Note`]s that say in two languages what a newcomer should write instead.
//!
//! This crate depends on `games` for its texts and on `sandbox`, in which compilers run: a compiler is a program that a stranger's
//! source commands. It is a room of its own because the sandbox is about what a program may do, and this about what a source means. Read
//! [`Workshop`] first.

mod archive;
mod cache;
mod endings;
mod error;
mod hints;
mod languages;
mod messages;
mod naming;
mod outputs;
mod places;
mod project;
mod source;
mod toolchain;
mod workshop;

pub use archive::{ArchiveBounds, ArchiveError, ArchiveFile, archive_ending, is_archive, read_archive, write_zip};
pub use error::{Error, Unusable};
pub use hints::Note;
pub use languages::{Allowance, FileName, LANGUAGES, Product, Recipe, Tool, find, for_file};
pub use messages::{MOST_MESSAGES, Messages};
pub use project::{Project, ProjectError};
pub use source::{Encoding, LARGEST_SOURCE};
pub use toolchain::{Found, Missing, Toolchain, survey};
pub use workshop::{Built, Failed, Made, Options, Why, Workshop};
