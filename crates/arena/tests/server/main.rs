//! The server over its real HTTP interface: a listening socket, cookies, server-sent events.

mod agreements;
mod bad_input;
mod client;
mod course;
mod course_audience;
mod course_sight;
mod described;
mod faults;
mod full_disk;
mod headers;
mod leaks;
mod limits;
mod lists;
mod opinions;
mod play;
mod previews;
mod rights;
mod streams;
