//! The engine itself: a random player behind a protocol, and one fault.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use protocols::{CAN_BE_LED, Speaker};
use referee::lines::{LineSplitter, decode};
use rustix::process::Signal;

use crate::Problem;
use crate::behaviour::{Behaviour, Script};
use crate::manners::Manners;

/// The name all rogues give.
const NAME: &str = "rogue";
/// The name 博弈 in GBK.
const GBK_NAME: [u8; 4] = [0xb2, 0xa9, 0xde, 0xc4];
/// How often a chatterer speaks.
const CHATTER: Duration = Duration::from_millis(10);
/// How long after its answer an interrupter speaks again.
const INTERRUPTION: Duration = Duration::from_millis(40);

/// A rogue on its standard streams.
pub struct Rogue {
    script: Script,
    manners: Manners,
    speaker: Speaker,
    line_end: &'static str,
    /// Its first answer: what is played once cannot be played again.
    first: String,
    answers: usize,
    /// It has done what it does once and is silent from now on.
    mute: bool,
    /// The opponent thinks.
    idle: Arc<AtomicBool>,
    /// The processor time it had used by then.
    used_before: Duration,
}

/// The word before the milliseconds of processor time that a rogue has used on its opponent's turn.
pub const USED: &str = "used";

/// Whether the rogue lives on.
type Life = Result<bool, Problem>;

impl Rogue {
    /// A rogue that plays this game.
    pub fn new(game: &str, script: Script) -> Result<Self, Problem> {
        let game = games::find(game)?;
        let id = game.facts().id;
        let protocol = protocols::find(id, None).ok_or("no protocol speaks this game")?;
        let manners = Manners::of(protocol.facts().id).ok_or("nobody knows this protocol's manners")?;
        let player = engines::player(game, engines::Style::Random, script.seed);
        let speaker = Speaker::new(protocol.engine_end(id, NAME), player);
        let line_end = match script.behaviour {
            Behaviour::CrOnly => "\r",
            Behaviour::CrLf => "\r\n",
            _ => "\n",
        };
        let idle = Arc::new(AtomicBool::new(false));
        Ok(Self {
            script,
            manners,
            speaker,
            line_end,
            first: String::new(),
            answers: 0,
            mute: false,
            idle,
            used_before: Duration::ZERO,
        })
    }

    /// Plays until it is told to leave or its input ends.
    pub fn run(mut self) -> Result<(), Problem> {
        self.prepare()?;
        let mut splitter = LineSplitter::default();
        let mut chunk = [0; 4096];
        loop {
            let count = std::io::stdin().lock().read(&mut chunk)?;
            if count == 0 {
                break;
            }
            let mut lines = Vec::new();
            splitter.feed(&chunk[..count], |line, _| lines.push(decode(line).into_owned()));
            for line in lines {
                if !self.hear(&line)? {
                    return Ok(());
                }
            }
        }
        match self.script.behaviour {
            Behaviour::FloodAfterEof => flood_lines(),
            Behaviour::IgnoresQuit => sleep_for_ever(),
            _ => Ok(()),
        }
    }

    /// What it does before it listens.
    fn prepare(&self) -> Result<(), Problem> {
        match self.script.behaviour {
            Behaviour::ExitAtStart => std::process::exit(0),
            Behaviour::FloodStart => flood_lines(),
            Behaviour::Daemon => daemon(Stdio::null),
            Behaviour::Ponders => self.ponder(false),
            Behaviour::PondersAloud => self.ponder(true),
            Behaviour::PondersOnTimer => {
                tell_oneself_to_go_on()?;
                self.ponder(false)
            }
            Behaviour::PondersWithHelper => {
                // Where no process may be made there is no helper.
                let _ = helper("setsid sh -c");
                self.ponder(false)
            }
            Behaviour::PondersWithStranger => {
                let _ = helper("exec env -i PATH=/usr/bin:/bin setsid sh -c");
                self.ponder(false)
            }
            Behaviour::PondersInChild => {
                Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn()?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Computes while the opponent thinks.
    fn ponder(&self, aloud: bool) -> Result<(), Problem> {
        let idle = Arc::clone(&self.idle);
        std::thread::Builder::new().spawn(move || {
            loop {
                let began = Instant::now();
                if !idle.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                } else if aloud {
                    let _ = std::io::stderr().write_all(b"pondering\n");
                    while began.elapsed() < Duration::from_millis(1) {}
                }
            }
        })?;
        Ok(())
    }

    /// Takes a line of the referee.
    fn hear(&mut self, line: &str) -> Life {
        if self.idle.swap(false, Ordering::Relaxed) {
            let used = processor_time_of_all().saturating_sub(self.used_before);
            // For the tests: what it had of its opponent's time.
            let _ = writeln!(std::io::stderr(), "{USED} {}", used.as_millis());
        }
        if self.manners.is_end(line) && self.script.behaviour == Behaviour::ExitAtEnd {
            return Ok(false);
        }
        if self.script.behaviour == Behaviour::Prepares && self.manners.is_preparation(line) {
            std::thread::sleep(self.script.delay());
        }
        if line.trim() == "RESTART" && self.script.behaviour == Behaviour::NoRestart {
            self.write(b"UNKNOWN command\n")?;
            return Ok(true);
        }
        if self.manners.is_rejection(line) && self.answers >= self.script.turn {
            match self.script.behaviour {
                Behaviour::IllegalForever => {
                    let wrong = self.manners.wrong(self.script.behaviour, &self.first);
                    self.say(&wrong)?;
                    return Ok(true);
                }
                Behaviour::IllegalThenLegal => {}
                behaviour if is_wrong_answer(behaviour) => return Ok(true),
                _ => {}
            }
        }
        let mut said = Vec::new();
        let stays = self.speaker.line(line, |answer| said.push(answer.to_owned()));
        for answer in said {
            if !self.answer(&answer)? {
                return Ok(false);
            }
        }
        // Whatever it heard is done with; what it does now it does on its opponent's time.
        self.used_before = processor_time_of_all();
        self.idle.store(self.answers > 0 && self.script.behaviour.ponders(), Ordering::Relaxed);
        Ok(stays || self.script.behaviour == Behaviour::IgnoresQuit)
    }

    /// Says a line, or does what it does instead.
    fn answer(&mut self, answer: &str) -> Life {
        match self.script.behaviour {
            _ if self.mute => return Ok(true),
            Behaviour::SilentStart => return Ok(true),
            Behaviour::NoName if self.manners.is_name(answer) => return Ok(true),
            Behaviour::GbkName if self.manners.is_name(answer) => {
                let (before, after) = answer.split_once(NAME).unwrap_or((answer, ""));
                self.write(&[before.as_bytes(), &GBK_NAME, after.as_bytes(), b"\n"].concat())?;
                return Ok(true);
            }
            Behaviour::Unled if answer.ends_with(CAN_BE_LED) => {
                let name = answer.trim_end_matches(CAN_BE_LED);
                self.say(if self.manners.is_name(answer) { name } else { "DEBUG" })?;
                return Ok(true);
            }
            _ if !self.manners.is_answer(answer) => {
                self.say(answer)?;
                return Ok(true);
            }
            _ => {}
        }
        self.answers += 1;
        if self.answers == 1 {
            answer.clone_into(&mut self.first);
        }
        if self.script.behaviour == Behaviour::DepthByte && self.answers >= self.script.turn {
            // The rest of the message looks like a number, and the move follows in the same write.
            self.write(format!("MESSAGE depth \n-12 ev 45 pv 7,7\n{answer}\n").as_bytes())?;
            return Ok(true);
        }
        if self.answers == self.script.turn { self.misbehave(answer) } else { self.behave(answer) }
    }

    /// An answer at any other turn; some faults are in every answer.
    fn behave(&mut self, answer: &str) -> Life {
        match self.script.behaviour {
            Behaviour::Spaced => self.say(&self.manners.spaced(answer))?,
            Behaviour::NulBytes => self.write(format!("{answer}\0\0{}", self.line_end).as_bytes())?,
            Behaviour::Exact => {
                std::thread::sleep(self.script.delay());
                self.say(answer)?;
            }
            _ => self.say(answer)?,
        }
        Ok(true)
    }

    /// The turn it was made for.
    fn misbehave(&mut self, answer: &str) -> Life {
        match self.script.behaviour {
            Behaviour::ExitAtTurn => return Ok(false),
            Behaviour::Segfault => loop {
                // The first one goes to the handler of Rust's runtime, which then takes itself out of the way.
                rustix::process::kill_process(rustix::process::getpid(), Signal::SEGV)?;
            },
            Behaviour::SilentTurn => self.mute = true,
            Behaviour::Late => {
                std::thread::sleep(self.script.delay());
                self.say(answer)?;
            }
            Behaviour::Works => {
                let began = processor_time();
                while processor_time().saturating_sub(began) < self.script.delay() {}
                self.say(answer)?;
            }
            Behaviour::Chatter => loop {
                self.say(self.manners.chatter())?;
                std::thread::sleep(CHATTER);
            },
            Behaviour::Flood => {
                flood(std::io::stdout().lock(), self.script.number)?;
                self.write(b"\n")?;
                self.say(answer)?;
            }
            Behaviour::FloodLines => flood_lines()?,
            Behaviour::FloodStderr => {
                flood(std::io::stderr().lock(), self.script.number)?;
                self.say(answer)?;
            }
            Behaviour::TwoAnswers => self.write(format!("{answer}\n{answer}\n").as_bytes())?,
            Behaviour::OutOfTurn => {
                self.say(answer)?;
                std::thread::sleep(INTERRUPTION);
                self.say(answer)?;
            }
            Behaviour::BadUtf8 => {
                self.write(b"\xff\xfe\x80\x81\xff\n")?;
                self.say(answer)?;
            }
            Behaviour::StopsReading => sleep_for_ever()?,
            Behaviour::ClosesOutput => {
                rustix::stdio::dup2_stdout(std::fs::File::options().write(true).open("/dev/null")?)?;
            }
            Behaviour::DaemonHoldsPipes => {
                daemon(Stdio::inherit)?;
                return Ok(false);
            }
            Behaviour::AnswerAndExit => {
                self.say(answer)?;
                return Ok(false);
            }
            Behaviour::AnswerAndExitBare => {
                self.write(answer.as_bytes())?;
                return Ok(false);
            }
            Behaviour::NoNewline => self.write(answer.as_bytes())?,
            behaviour if is_wrong_answer(behaviour) => {
                let wrong = self.manners.wrong(behaviour, &self.first);
                self.say(&wrong)?;
            }
            _ => return self.behave(answer),
        }
        Ok(true)
    }

    fn say(&self, line: &str) -> Result<(), Problem> {
        self.write(format!("{line}{}", self.line_end).as_bytes())
    }

    #[expect(clippy::unused_self, reason = "what a rogue writes reads best as its own doing")]
    fn write(&self, bytes: &[u8]) -> Result<(), Problem> {
        let mut output = std::io::stdout().lock();
        output.write_all(bytes)?;
        Ok(output.flush()?)
    }
}

/// Whether the fault is an answer that cannot stand.
const fn is_wrong_answer(behaviour: Behaviour) -> bool {
    matches!(
        behaviour,
        Behaviour::Illegal
            | Behaviour::OffBoard
            | Behaviour::Malformed
            | Behaviour::Empty
            | Behaviour::Comma
            | Behaviour::Minus
            | Behaviour::Huge
            | Behaviour::IllegalForever
            | Behaviour::IllegalThenLegal
    )
}

/// The processor time this thread has used.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The processor time this process has used.
fn processor_time_of_all() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A timer that sends us SIGCONT every millisecond, also while we are stopped.
fn tell_oneself_to_go_on() -> Result<(), Problem> {
    use nix::sys::signal::{SigEvent, SigSet, SigevNotify, Signal};
    use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
    // The kernel stops a timer whose signal is ignored, as this one is by itself: somebody has to wait for it.
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCONT);
    signals.thread_block()?;
    std::thread::Builder::new().spawn(move || while signals.wait().is_ok() {})?;
    let event = SigEvent::new(SigevNotify::SigevSignal { signal: Signal::SIGCONT, si_value: 0 });
    let mut timer = Timer::new(nix::time::ClockId::CLOCK_MONOTONIC, event)?;
    let millisecond = Duration::from_millis(1).into();
    timer.set(Expiration::Interval(millisecond), TimerSetTimeFlags::empty())?;
    // It runs for as long as we do.
    std::mem::forget(timer);
    Ok(())
}

/// A process that tells us to go on for as long as we live, started by these words.
fn helper(start: &str) -> Result<(), Problem> {
    let script = format!("{start} 'while kill -CONT {} 2>/dev/null; do sleep 0.002; done'", std::process::id());
    // In the background, and nobody waits for it: its parent leaves at once.
    let script = format!("({script}) </dev/null >/dev/null 2>&1 &");
    Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).status()?;
    Ok(())
}

/// Megabytes without a newline.
fn flood(mut out: impl std::io::Write, megabytes: u64) -> Result<(), Problem> {
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..megabytes {
        out.write_all(&megabyte)?;
    }
    Ok(out.flush()?)
}

fn flood_lines() -> Result<(), Problem> {
    let lines = b"noise noise noise noise noise noise\n".repeat(1000);
    let mut output = std::io::stdout().lock();
    loop {
        output.write_all(&lines)?;
    }
}

fn sleep_for_ever() -> Result<(), Problem> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// A daemon in a session of its own with a child, and a child that stays in the engine's process group; their parent
/// leaves at once.
fn daemon(stream: fn() -> Stdio) -> Result<(), Problem> {
    let script = "setsid sh -c 'sleep 300 & sleep 300; true' & sleep 300 & exit 0";
    Command::new("sh").args(["-c", script]).stdin(Stdio::null()).stdout(stream()).stderr(stream()).status()?;
    Ok(())
}
