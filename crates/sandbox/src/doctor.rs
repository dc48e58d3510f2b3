//! What a person should know about this machine, line by line, with the remedy.

use games::{Language, Phrase};
use serde::Serialize;

use crate::layers::Level;
use crate::machine::{Machine, OLDEST_KERNEL, WHOLE_LANDLOCK};

/// How good news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// As it should be.
    Good,
    /// Less than there could be.
    Weak,
    /// Not there.
    Missing,
}

/// One fact about the machine.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// What it is about, for programs.
    pub subject: &'static str,
    /// How good it is.
    pub mark: Mark,
    /// What it is about, for people.
    pub title: Phrase,
    /// What was found, in English and Chinese.
    pub found: [String; 2],
    /// What to do about it, if anything can be done.
    pub remedy: Option<Phrase>,
}

impl Line {
    /// What was found.
    #[must_use]
    pub fn found(&self, language: Language) -> &str {
        let [en, zh] = &self.found;
        if language == Language::Zh { zh } else { en }
    }
}

/// Everything about the machine.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// The strongest level that works here.
    pub strongest: Level,
    /// Each fact.
    pub lines: Vec<Line>,
}

const DELEGATE: Phrase = Phrase::new(
    "run boyi as root, or in a control group of its own: systemd-run --user --scope -p Delegate=yes boyi …",
    "以 root 身份运行，或让 boyi 拥有自己的控制组：systemd-run --user --scope -p Delegate=yes boyi …",
);
const USER_NAMESPACES: Phrase = Phrase::new(
    "allow unprivileged user namespaces: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu) or kernel.unprivileged_userns_clone=1 (Debian); in a container, run it with them allowed",
    "允许普通用户使用用户命名空间：sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0（Ubuntu）或 kernel.unprivileged_userns_clone=1（Debian）；在容器中则需在启动容器时放行",
);
const LANDLOCK: Phrase = Phrase::new(
    "use Linux 5.13 or newer with Landlock switched on (kernel command line: lsm=landlock,…)",
    "使用 Linux 5.13 或更新的内核并启用 Landlock（内核启动参数 lsm=landlock,…）",
);
const PRESSURE: Phrase = Phrase::new(
    "use cgroup v2 and switch pressure figures on (kernel command line: psi=1); without them a busy machine cannot be told from a slow engine",
    "使用 cgroup v2 并启用压力统计（内核启动参数 psi=1）；否则无法区分机器繁忙与引擎过慢",
);
const SECCOMP: Phrase =
    Phrase::new("use a kernel with CONFIG_SECCOMP_FILTER", "使用启用了 CONFIG_SECCOMP_FILTER 的内核");
const KERNEL: Phrase =
    Phrase::new("use Linux 5.12 or newer for levels A and B", "级别 A、B 需要 Linux 5.12 或更新的内核");
const CORES: Phrase = Phrase::new(
    "enable the cpuset controller; without it an engine can leave the core it was given",
    "启用 cpuset 控制器；否则引擎可以离开分配给它的核心",
);

impl Machine {
    /// What a person should know about this machine.
    #[must_use]
    pub fn diagnose(&self) -> Diagnosis {
        let lines = [
            self.kernel_line(),
            self.user_line(),
            self.groups_line(),
            self.cores_line(),
            self.stall_line(),
            self.pause_line(),
            self.landlock_line(),
            self.seccomp_line(),
        ];
        let levels = self.levels.iter().map(|(level, tried)| {
            let (mark, found) = match tried {
                Ok(()) => (Mark::Good, ["works".to_owned(), "可用".to_owned()]),
                Err(error) => (Mark::Missing, [error.say(Language::En), error.say(Language::Zh)]),
            };
            let remedy = tried.is_err().then_some(match level {
                Level::A => DELEGATE,
                Level::B => USER_NAMESPACES,
                _ => LANDLOCK,
            });
            let subject = match level {
                Level::A => "level-a",
                Level::B => "level-b",
                _ => "level-c",
            };
            let title = match level {
                Level::A => Phrase::new("level A, full", "级别 A（完整）"),
                Level::B => Phrase::new("level B, rootless", "级别 B（无特权）"),
                _ => Phrase::new("level C, lite", "级别 C（轻量）"),
            };
            Line { subject, mark, title, found, remedy }
        });
        Diagnosis { strongest: self.strongest(), lines: lines.into_iter().chain(levels).collect() }
    }

    fn kernel_line(&self) -> Line {
        let (major, minor) = OLDEST_KERNEL;
        let old = self.kernel_is_old();
        let found = if old {
            [
                format!("Linux {}, older than {major}.{minor}", self.kernel),
                format!("Linux {}，低于 {major}.{minor}", self.kernel),
            ]
        } else {
            [format!("Linux {}", self.kernel), format!("Linux {}", self.kernel)]
        };
        let title = Phrase::new("kernel", "内核");
        Line { subject: "kernel", mark: mark(!old, Mark::Missing), title, found, remedy: old.then_some(KERNEL) }
    }

    fn user_line(&self) -> Line {
        let found = if self.root {
            ["root: each program gets a user of its own", "root：每个程序使用各自独立的用户"]
        } else {
            [
                "an ordinary user: programs run as this user, in a user namespace",
                "普通用户：程序以此用户身份在用户命名空间中运行",
            ]
        };
        let title = Phrase::new("user", "用户");
        Line { subject: "user", mark: Mark::Good, title, found: found.map(str::to_owned), remedy: None }
    }

    fn groups_line(&self) -> Line {
        let found = match &self.groups {
            Ok(layout) => {
                let name = layout.name();
                [
                    format!("{name}: memory and processes are counted together"),
                    format!("{name}：可对全部进程合计内存与进程数"),
                ]
            }
            Err((reason, place)) => [format!("{} ({place})", reason.en), format!("{}（{place}）", reason.zh)],
        };
        let good = self.groups.is_ok();
        let title = Phrase::new("control groups", "控制组");
        Line {
            subject: "control-groups",
            mark: mark(good, Mark::Missing),
            title,
            found,
            remedy: (!good).then_some(DELEGATE),
        }
    }

    fn cores_line(&self) -> Line {
        let found = if self.pins_cores {
            ["a program can be held on its cores", "可将程序限定在指定核心上"]
        } else {
            ["a program cannot be held on its cores", "无法将程序限定在指定核心上"]
        };
        let title = Phrase::new("core pinning", "核心绑定");
        let remedy = (!self.pins_cores).then_some(if self.groups.is_ok() { CORES } else { DELEGATE });
        Line {
            subject: "cores",
            mark: mark(self.pins_cores, Mark::Weak),
            title,
            found: found.map(str::to_owned),
            remedy,
        }
    }

    fn stall_line(&self) -> Line {
        let found = if self.stall {
            ["stall is measured: a busy machine is not charged to the engine", "可测量等待时间：机器繁忙不计入引擎用时"]
        } else {
            ["stall is not measured", "无法测量等待时间"]
        };
        let title = Phrase::new("fair clock", "公平计时");
        let remedy = (!self.stall).then_some(if self.groups.is_ok() { PRESSURE } else { DELEGATE });
        Line { subject: "stall", mark: mark(self.stall, Mark::Weak), title, found: found.map(str::to_owned), remedy }
    }

    fn pause_line(&self) -> Line {
        let found = if self.pauses {
            [
                "a control group holds an engine still on its opponent's time, in a sandbox and without one",
                "控制组可让引擎在对方时间停住，有无沙箱均可",
            ]
        } else {
            [
                "signals only: an engine that undoes them on its opponent's time is found out and loses",
                "只能用信号：引擎若在对方时间自行解除，会被发现并判负",
            ]
        };
        let title = Phrase::new("pauses", "暂停引擎");
        let remedy = (!self.pauses).then_some(DELEGATE);
        Line { subject: "pauses", mark: mark(self.pauses, Mark::Weak), title, found: found.map(str::to_owned), remedy }
    }

    fn landlock_line(&self) -> Line {
        let (mark, found) = match self.landlock {
            None => (Mark::Missing, ["not there".to_owned(), "不可用".to_owned()]),
            Some(version) if version < WHOLE_LANDLOCK => {
                (Mark::Weak, [format!("version {version}: enforced in part"), format!("版本 {version}：只能部分生效")])
            }
            Some(version) => (Mark::Good, [format!("version {version}"), format!("版本 {version}")]),
        };
        let remedy = (mark != Mark::Good).then_some(LANDLOCK);
        Line { subject: "landlock", mark, title: Phrase::same("Landlock"), found, remedy }
    }

    fn seccomp_line(&self) -> Line {
        let found = if self.seccomp { ["there", "可用"] } else { ["not there", "不可用"] };
        let remedy = (!self.seccomp).then_some(SECCOMP);
        let mark = mark(self.seccomp, Mark::Missing);
        Line { subject: "seccomp", mark, title: Phrase::same("seccomp"), found: found.map(str::to_owned), remedy }
    }
}

fn mark(good: bool, otherwise: Mark) -> Mark {
    if good { Mark::Good } else { otherwise }
}
