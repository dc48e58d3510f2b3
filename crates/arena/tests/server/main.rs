//! The server over its real HTTP interface: a listening socket, cookies, server-sent events.

mod agreements;
mod bad_input;
mod client;
mod course;
mod course_audience;
mod course_sight;
mod leaks;
mod limits;
mod opinions;
mod play;
mod rights;
mod streams;
