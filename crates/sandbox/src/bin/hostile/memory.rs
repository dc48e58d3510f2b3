//! Eating memory in every way a program can hold it.

use std::io::Write as _;

use crate::{Behaviour, check, number, say, tell};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("touch", touch),
    ("touch-together", touch_together),
    ("map", map),
    ("map-shared", map_shared),
    ("memfd", memfd),
    ("system-v", system_v),
    ("scratch", scratch),
    ("map-zero", map_zero),
    ("sockets", sockets),
    ("enlarge", enlarge),
    ("hide", hide),
];

const MEBIBYTE: usize = 1 << 20;

/// Says that the memory was had, once it has been held for a while: a watch that looks a hundred times a second may be
/// passed for a moment, most of all on a busy machine, and promises only that nobody stays there.
fn hold(harm: &str) {
    std::thread::sleep(std::time::Duration::from_millis(300));
    say(harm);
}

/// Touches every page of so many mebibytes.
fn fill(bytes: &mut [u8]) {
    for page in bytes.chunks_mut(4096) {
        page[0] = 1;
    }
}

/// Allocates and touches so many mebibytes, one after another.
fn touch(words: &[String]) {
    let count = number(words, 0);
    let mut held = Vec::with_capacity(count);
    for _ in 0..count {
        let mut block = vec![0_u8; MEBIBYTE];
        fill(&mut block);
        held.push(block);
    }
    hold(&format!("harm touched {} MiB", held.len()));
}

/// The same in so many processes together, each of which waits until all are done.
fn touch_together(words: &[String]) {
    let (total, processes) = (number(words, 0) * MEBIBYTE, number(words, 1).max(1));
    let mut pipe = [0; 2];
    // SAFETY: `pipe` fills an array of two.
    unsafe { libc::pipe(pipe.as_mut_ptr()) };
    let mut back = [0; 2];
    // SAFETY: as above.
    unsafe { libc::pipe(back.as_mut_ptr()) };
    for _ in 1..processes {
        // SAFETY: this program has one thread.
        if unsafe { libc::fork() } == 0 {
            eat(total / processes);
            // SAFETY: the buffers are one byte long; the read ends when the parent goes.
            unsafe {
                libc::close(pipe[1]);
                libc::write(back[1], [1_u8].as_ptr().cast(), 1);
                libc::read(pipe[0], [0_u8].as_mut_ptr().cast(), 1);
                libc::_exit(0);
            }
        }
    }
    eat(total / processes);
    for _ in 1..processes {
        // SAFETY: the buffer is one byte long.
        unsafe { libc::read(back[0], [0_u8].as_mut_ptr().cast(), 1) };
    }
    hold(&format!("harm touched {} MiB", total / MEBIBYTE));
}

/// Maps and touches so many bytes, and keeps them.
fn eat(bytes: usize) {
    // SAFETY: a new private mapping that nobody else knows of; it is leaked on purpose.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let place = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if place != libc::MAP_FAILED {
            fill(std::slice::from_raw_parts_mut(place.cast(), bytes));
        }
    }
}

/// Maps memory that the kernel fills at once.
fn map(words: &[String]) {
    mapped(number(words, 0), libc::MAP_PRIVATE);
}

/// Maps memory that could be shared.
fn map_shared(words: &[String]) {
    mapped(number(words, 0), libc::MAP_SHARED);
}

fn mapped(count: usize, sharing: i32) {
    for done in 0..count {
        let flags = sharing | libc::MAP_ANONYMOUS | libc::MAP_POPULATE;
        // SAFETY: a new mapping that nobody else knows of; it is leaked on purpose.
        let place =
            unsafe { libc::mmap(std::ptr::null_mut(), MEBIBYTE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if place == libc::MAP_FAILED {
            return say(&format!("refused after {done} MiB: {}", std::io::Error::last_os_error()));
        }
    }
    hold(&format!("harm mapped {count} MiB"));
}

/// Writes into files that exist only in memory and that nobody has mapped; several, because each is bounded by the file
/// size.
fn memfd(words: &[String]) {
    let count = number(words, 0);
    let mut files = Vec::new();
    for done in 0..count {
        if done % 32 == 0 {
            // SAFETY: the name is a constant with its NUL.
            let made = check(unsafe { libc::syscall(libc::SYS_memfd_create, c"hostile".as_ptr(), 0) });
            match made {
                Ok(fd) => {
                    use std::os::fd::FromRawFd as _;
                    // SAFETY: the descriptor is new and ours.
                    files.push(unsafe { std::fs::File::from_raw_fd(fd as i32) });
                }
                Err(error) => return say(&format!("refused memfd: {error}")),
            }
        }
        if let Some(file) = files.last_mut()
            && let Err(error) = file.write_all(&vec![1; MEBIBYTE])
        {
            return say(&format!("refused after {done} MiB: {error}"));
        }
    }
    hold(&format!("harm wrote {count} MiB into memory"));
}

/// A System V segment, which outlives its maker.
fn system_v(words: &[String]) {
    let size = number(words, 0) * MEBIBYTE;
    // SAFETY: makes a new segment and attaches it; it is leaked on purpose.
    unsafe {
        let segment = match check(libc::shmget(libc::IPC_PRIVATE, size, 0o600).into()) {
            Ok(segment) => segment as i32,
            Err(error) => return say(&format!("refused segment: {error}")),
        };
        let place = libc::shmat(segment, std::ptr::null(), 0);
        if place as isize == -1 {
            return say(&format!("refused attaching: {}", std::io::Error::last_os_error()));
        }
        fill(std::slice::from_raw_parts_mut(place.cast(), size));
        hold(&format!("harm segment {segment} of {} MiB", size / MEBIBYTE));
    }
}

/// Fills a folder in memory, in files of 32 MiB.
fn scratch(words: &[String]) {
    let (folder, count) = (crate::word(words, 0), number(words, 1));
    let block = vec![1; MEBIBYTE];
    let mut file = None;
    for done in 0..count {
        let written = (|| {
            if done % 32 == 0 {
                file = Some(std::fs::File::create(format!("{folder}/hostile-{}-{done}", std::process::id()))?);
            }
            file.as_mut().map_or(Ok(()), |file| file.write_all(&block))
        })();
        if let Err(error) = written {
            return say(&format!("refused after {done} MiB: {error}"));
        }
    }
    hold(&format!("harm wrote {count} MiB into {folder}"));
}

/// Shared memory made of a device, touched and let go of again.
fn map_zero(words: &[String]) {
    use std::os::fd::AsRawFd as _;
    let count = number(words, 0);
    let file = match std::fs::OpenOptions::new().read(true).write(true).open("/dev/zero") {
        Ok(file) => file,
        Err(error) => return say(&format!("refused opening: {error}")),
    };
    for _ in 0..count {
        // SAFETY: a new mapping that nobody else knows of; it is leaked on purpose.
        let place = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), MEBIBYTE, protection, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if place == libc::MAP_FAILED {
            return say(&format!("refused mapping: {}", std::io::Error::last_os_error()));
        }
        // SAFETY: the mapping is a mebibyte long and ours.
        unsafe {
            fill(std::slice::from_raw_parts_mut(place.cast(), MEBIBYTE));
            libc::madvise(place, MEBIBYTE, libc::MADV_DONTNEED);
        }
    }
    hold(&format!("harm holds {count} MiB that are in no figures"));
}

/// So many processes with so many pairs of sockets each, all filled as far as they go; harm from so many MiB on.
fn sockets(words: &[String]) {
    let (processes, pairs, harm) = (number(words, 0), number(words, 1), number(words, 2) * MEBIBYTE);
    let mut back = [0; 2];
    // SAFETY: `back` is an array of two.
    unsafe { libc::pipe(back.as_mut_ptr()) };
    for _ in 1..processes {
        // SAFETY: this program has one thread; the buffer is as long as it is said to be.
        unsafe {
            if libc::fork() == 0 {
                let bytes = queue(pairs, harm / processes).to_ne_bytes();
                libc::write(back[1], bytes.as_ptr().cast(), bytes.len());
                crate::linger();
            }
        }
    }
    let mut total = queue(pairs, harm / processes);
    for _ in 1..processes {
        let mut bytes = [0_u8; size_of::<usize>()];
        // SAFETY: the buffer is as long as it is said to be.
        unsafe { libc::read(back[0], bytes.as_mut_ptr().cast(), bytes.len()) };
        total += usize::from_ne_bytes(bytes);
    }
    hold(&format!("{} {total} bytes are queued", if total >= harm { "harm" } else { "holds" }));
}

/// Fills pairs of sockets from both ends, in larger buffers if it may; gives how much they took. Stops when that is
/// enough.
fn queue(pairs: usize, enough: usize) -> usize {
    let message = vec![1_u8; 16 << 10];
    let mut total = 0;
    for _ in 0..pairs {
        let mut ends = [0; 2];
        let large: libc::c_int = 8 << 20;
        // SAFETY: the kernel writes two descriptors, reads a number and a buffer of the length that is said; all are
        // ours.
        unsafe {
            if libc::socketpair(libc::AF_UNIX, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK, 0, ends.as_mut_ptr()) < 0 {
                return total;
            }
            for end in ends {
                let size = size_of_val(&large) as libc::socklen_t;
                libc::setsockopt(end, libc::SOL_SOCKET, libc::SO_SNDBUF, (&raw const large).cast(), size);
                while total < enough {
                    match libc::write(end, message.as_ptr().cast(), message.len()) {
                        count if count > 0 => total += count as usize,
                        _ => break,
                    }
                }
            }
        }
    }
    total
}

/// A pipe that holds more than it was made for, and pages that a pipe keeps when we have let them go.
fn enlarge(_: &[String]) {
    const F_SETPIPE_SZ: i32 = 1031;
    let mut pipe = [0; 2];
    let page = vec![1_u8; 4096];
    let pages = libc::iovec { iov_base: page.as_ptr().cast_mut().cast(), iov_len: page.len() };
    // SAFETY: `pipe` is an array of two; the structure is whole and names memory of ours.
    unsafe {
        libc::pipe(pipe.as_mut_ptr());
        tell("enlarged a pipe", check(libc::fcntl(pipe[1], F_SETPIPE_SZ, 1 << 20).into()));
        tell("lent pages", check(libc::syscall(libc::SYS_vmsplice, pipe[1], &raw const pages, 1, 0)));
    }
}

/// Hides what it has open from whoever counts.
fn hide(_: &[String]) {
    // SAFETY: takes numbers only.
    tell("hid itself", check(unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) }.into()));
}
