//! Saying too much, too little, or to the wrong ones.

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use crate::{Behaviour, check, linger, number, say, tell, word};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("flood", flood),
    ("flood-errors", flood_errors),
    ("no-newline", no_newline),
    ("deaf", |_| linger()),
    ("unflushed", unflushed),
    ("bytes", bytes),
    ("echo", echo),
    ("loopback", loopback),
    ("abstract", abstract_socket),
    ("listen", listen),
    ("socket-file", socket_file),
    ("vsock", vsock),
    ("segment", segment),
    ("shared-file", shared_file),
];

fn flood(_: &[String]) {
    let line = [b'y', b'\n'].repeat(32 << 10);
    while std::io::stdout().write_all(&line).is_ok() {}
}

fn flood_errors(_: &[String]) {
    let line = [b'y', b'\n'].repeat(32 << 10);
    while std::io::stderr().write_all(&line).is_ok() {}
}

fn no_newline(_: &[String]) {
    let _ = std::io::stdout().write_all(b"thinking").and_then(|()| std::io::stdout().flush());
    linger();
}

/// Answers into a buffer that nobody empties.
fn unflushed(_: &[String]) {
    let mut out = std::io::BufWriter::with_capacity(1 << 20, std::io::stdout());
    let _ = out.write_all(b"answer\n");
    linger();
}

/// Every byte there is, text that is not UTF-8, and a line of ten megabytes.
fn bytes(_: &[String]) {
    let every: Vec<u8> = (0..=255).collect();
    let mut out = std::io::stdout().lock();
    let _ =
        out.write_all(&every).and_then(|()| out.write_all(&vec![b'x'; 10_000_000])).and_then(|()| out.write_all(b"\n"));
}

/// Sends back line after line: for measuring a round trip.
fn echo(_: &[String]) {
    let mut line = Vec::new();
    let (mut input, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
    while input.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let _ = out.write_all(&line).and_then(|()| out.flush());
        line.clear();
    }
}

fn loopback(words: &[String]) {
    tell("connected", std::net::TcpStream::connect(("127.0.0.1", number(words, 0) as u16)));
}

fn abstract_socket(words: &[String]) {
    let connected =
        SocketAddr::from_abstract_name(word(words, 0)).and_then(|address| UnixStream::connect_addr(&address));
    tell("connected", connected);
}

/// Offers an abstract socket to whoever comes.
fn listen(words: &[String]) {
    match SocketAddr::from_abstract_name(word(words, 0)).and_then(|address| UnixListener::bind_addr(&address)) {
        Ok(_listener) => {
            say("listening");
            linger();
        }
        Err(error) => say(&format!("refused listening: {error}")),
    }
}

fn socket_file(words: &[String]) {
    tell("connected", UnixStream::connect(word(words, 0)));
}

fn vsock(_: &[String]) {
    // SAFETY: takes numbers only.
    tell("has a socket to the host", check(unsafe { libc::socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0) }.into()));
}

/// Reads a System V segment of somebody else's.
fn segment(words: &[String]) {
    // SAFETY: attaches read-only and reads its first byte.
    unsafe {
        match check(libc::shmget(word(words, 0).parse().unwrap_or_default(), 0, 0).into()) {
            Err(error) => say(&format!("refused finding: {error}")),
            Ok(segment) => {
                let place = libc::shmat(segment as i32, std::ptr::null(), libc::SHM_RDONLY);
                if place as isize == -1 {
                    say(&format!("refused attaching: {}", std::io::Error::last_os_error()));
                } else {
                    say(&format!("harm read {}", place.cast::<u8>().read_volatile()));
                }
            }
        }
    }
}

/// Leaves a note where another program might look, then looks for notes of others.
fn shared_file(words: &[String]) {
    let (own, other) = (word(words, 0), word(words, 1));
    for folder in ["/tmp", "/dev/shm", "/var/tmp"] {
        let _ = std::fs::write(format!("{folder}/{own}"), own);
    }
    say("left");
    let mut rest = String::new();
    let _ = std::io::stdin().read_to_string(&mut rest);
    for folder in ["/tmp", "/dev/shm", "/var/tmp"] {
        tell(&format!("found in {folder}"), std::fs::read(format!("{folder}/{other}")));
    }
}
