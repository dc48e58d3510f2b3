//! Eating memory in every way a program can hold it.

use std::io::Write as _;

use crate::{Behaviour, check, number, say};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("touch", touch),
    ("touch-together", touch_together),
    ("map", map),
    ("map-shared", map_shared),
    ("memfd", memfd),
    ("system-v", system_v),
    ("scratch", scratch),
];

const MEBIBYTE: usize = 1 << 20;

/// Says that the memory was had, once it has been held for a while: a watch that looks a hundred times a second may be passed for a moment,
/// most of all on a busy machine, and promises only that nobody stays there.
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

/// Writes into files that exist only in memory and that nobody has mapped; several, because each is bounded by the file size.
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
