//! What came of a run.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use games::{Language, Phrase};
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::layers::{Layer, Layers, Level};
use crate::limits::Limits;

/// A limit that a program can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Memory of all its processes together.
    Memory,
    /// Processor time.
    Cpu,
    /// Time from start to end.
    Wall,
    /// Processes and threads.
    Processes,
    /// The size of a file.
    FileSize,
    /// Bytes on stdout and stderr.
    Output,
}

impl Limit {
    /// Its name in both languages.
    #[must_use]
    pub const fn name(self) -> Phrase {
        match self {
            Self::Memory => Phrase::new("memory limit", "内存上限"),
            Self::Cpu => Phrase::new("processor time limit", "处理器时间上限"),
            Self::Wall => Phrase::new("time limit", "运行时间上限"),
            Self::Processes => Phrase::new("process limit", "进程数上限"),
            Self::FileSize => Phrase::new("file size limit", "文件大小上限"),
            Self::Output => Phrase::new("output limit", "输出上限"),
        }
    }
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It left by itself with this code.
    Exited(i32),
    /// A signal that was not ours ended it.
    Signalled(i32),
    /// It reached a limit and was ended for it.
    Limit(Limit),
    /// Whoever started it ended it.
    Stopped,
    /// It never ran.
    NotStarted(Failure),
}

impl Ended {
    /// How a program that sat in no cage has ended.
    #[must_use]
    pub fn of(status: ExitStatus) -> Self {
        Self::left(status.code(), status.signal())
    }

    pub(crate) fn left(code: Option<i32>, signal: Option<i32>) -> Self {
        match (code, signal) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) => Self::Signalled(signal),
            (None, None) => Self::NotStarted(Failure::new("launcher", "no exit was seen")),
        }
    }

    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, Self::Exited(code)) => format!("exited with code {code}"),
            (Language::Zh, Self::Exited(code)) => format!("已退出，退出码 {code}"),
            (Language::En, Self::Signalled(signal)) => format!("ended by signal {signal}{}", signal_name(*signal)),
            (Language::Zh, Self::Signalled(signal)) => format!("被信号 {signal}{}终止", signal_name(*signal)),
            (Language::En, Self::Limit(limit)) => format!("{} reached", limit.name().en),
            (Language::Zh, Self::Limit(limit)) => format!("达到{}", limit.name().zh),
            (Language::En, Self::Stopped) => "stopped from outside".to_owned(),
            (Language::Zh, Self::Stopped) => "由外部终止".to_owned(),
            (_, Self::NotStarted(failure)) => failure.say(language),
        }
    }
}

/// The name of a signal people meet, in parentheses.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGPIPE => " (SIGPIPE)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGINT => " (SIGINT)",
        libc::SIGSYS => " (SIGSYS)",
        _ => "",
    }
}

/// What a program has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The most memory it had at one time, in bytes; cached files of its own count at level A. Without a control group
    /// open sockets and pipes count as what they could hold.
    pub peak_memory: u64,
    /// Processor time of all its processes.
    pub cpu: Duration,
    /// Time since it was started.
    pub wall: Duration,
    /// Time in which it wanted to run and the machine let none of its threads; unknown without a control group.
    pub stall: Option<Duration>,
}

/// How firmly a limit is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// The kernel holds it exactly, over all processes together.
    Kernel,
    /// It is looked at many times a second and the program is ended when it is passed.
    Watched,
    /// The kernel holds it for each process by itself.
    EachProcess,
    /// Nothing holds it.
    Nothing,
    /// No limit was set.
    NoLimit,
}

/// How firmly each limit is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holds {
    /// Memory.
    pub memory: Hold,
    /// Processor time.
    pub cpu: Hold,
    /// Time from start to end.
    pub wall: Hold,
    /// Processes and threads.
    pub processes: Hold,
    /// What it can write to disk: nothing at all, or bounded, counts as held.
    pub disk: Hold,
    /// Staying on its cores.
    pub cores: Hold,
}

impl Holds {
    /// What these layers hold of these limits.
    pub(crate) fn new(limits: &Limits, layers: Layers, writes_to_disk: bool) -> Self {
        let held = |set: bool, ways: &[(Layer, Hold)]| match ways.iter().find(|(layer, _)| layers.has(*layer)) {
            _ if !set => Hold::NoLimit,
            Some((_, hold)) => *hold,
            None => Hold::Nothing,
        };
        let own_count = layers.has(Layer::User) || layers.has(Layer::Identity);
        let counted = if own_count { Hold::Kernel } else { Hold::Nothing };
        Self {
            memory: held(limits.memory.is_some(), &[(Layer::MemoryGroup, Hold::Kernel), (Layer::Watch, Hold::Watched)]),
            cpu: held(
                limits.cpu.is_some(),
                &[(Layer::Watch, Hold::Watched), (Layer::ResourceLimits, Hold::EachProcess)],
            ),
            wall: held(limits.wall.is_some(), &[(Layer::Watch, Hold::Watched)]),
            processes: held(
                limits.processes.is_some(),
                &[(Layer::ProcessGroup, Hold::Kernel), (Layer::ResourceLimits, counted)],
            ),
            disk: if layers.has(Layer::Root) || (layers.has(Layer::Landlock) && !writes_to_disk) {
                Hold::Kernel
            } else {
                held(true, &[(Layer::ResourceLimits, Hold::EachProcess)])
            },
            cores: held(!limits.cores.is_empty(), &[(Layer::CoreGroup, Hold::Kernel)]),
        }
    }
}

/// What came of a run: how it ended, what it used, what held it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The level it ran at.
    pub level: Level,
    /// The layers that were in place.
    pub layers: Layers,
    /// How firmly its limits were held.
    pub holds: Holds,
    /// What it used.
    pub usage: Usage,
    /// How it ended.
    pub ended: Ended,
    /// Limits it ran into, whether or not they ended it: a refused `fork` ends nobody.
    pub reached: Vec<Limit>,
    /// What was not as strong as it should have been, for example Landlock on an old kernel.
    pub remarks: Vec<Remark>,
}

/// Something worth knowing beside the ending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remark {
    /// A layer was taken away on purpose; only proofs do that.
    Weakened(Layer),
    /// This old version of Landlock holds a part only.
    PartOfLandlock(u32),
    /// Without a control group: what of memory is not in the peak.
    NotCounted,
    /// An output that is not a plain file, or too large, was left behind.
    LeftBehind(String),
    /// There were more outputs than this.
    TooManyOutputs(usize),
}

impl Remark {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, Self::Weakened(layer)) => format!("weakened on purpose: without {}", layer.name()),
            (Language::Zh, Self::Weakened(layer)) => format!("有意削弱：去掉了 {}", layer.name()),
            (Language::En, Self::PartOfLandlock(version)) => {
                format!(
                    "Landlock version {version} holds a part only (truncating files or controlling devices is possible)"
                )
            }
            (Language::Zh, Self::PartOfLandlock(version)) => {
                format!("Landlock 版本 {version} 只能部分生效（可能截断文件或控制设备）")
            }
            (Language::En, Self::NotCounted) => {
                "memory not counted: the kernel's own records of files, mappings and threads".to_owned()
            }
            (Language::Zh, Self::NotCounted) => "未计入的内存：内核自身对文件、映射与线程的记录".to_owned(),
            (Language::En, Self::LeftBehind(name)) => {
                format!("{name} is not a plain file of allowed size and was left behind")
            }
            (Language::Zh, Self::LeftBehind(name)) => format!("{name} 不是普通文件或超出大小，未取出"),
            (Language::En, Self::TooManyOutputs(most)) => {
                format!("more than {most} outputs: the rest were left behind")
            }
            (Language::Zh, Self::TooManyOutputs(most)) => format!("输出文件超过 {most} 个，其余未取出"),
        }
    }
}
