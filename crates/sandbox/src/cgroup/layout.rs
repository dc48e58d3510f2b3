//! Which control groups this machine has, and where ours may be made.

use std::path::{Path, PathBuf};

use games::Phrase;

use super::{PREFIX, put};

/// A version of the control group file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

/// How control groups are laid out here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    One,
    Two,
    /// Controllers of version 1 beside a tree of version 2 that has none of them, but whose `cpu.stat`, `cpu.pressure`
    /// and `cgroup.kill` work.
    Mixed,
}

impl Layout {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::One => "v1",
            Self::Two => "v2",
            Self::Mixed => "v1 + v2",
        }
    }
}

/// The folders under which groups are made: ours in each hierarchy, so that limits set on us hold for what we start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) layout: Layout,
    pub(crate) memory: Option<PathBuf>,
    pub(crate) processes: Option<PathBuf>,
    pub(crate) cores: Option<PathBuf>,
    /// Version 1: where processor time is counted, if the tree of version 2 is missing.
    pub(crate) processor: Option<PathBuf>,
    /// Version 1: where processes are frozen, if the tree of version 2 is missing.
    pub(crate) freezer: Option<PathBuf>,
    /// The tree of version 2.
    pub(crate) unified: Option<PathBuf>,
    /// The tops of all these hierarchies, where leftovers are looked for.
    pub(crate) tops: Vec<PathBuf>,
}

/// Why there are no control groups for us.
pub(crate) type Missing = (Phrase, String);

/// A mounted hierarchy, and our own folder in it.
pub(super) struct Hierarchy {
    pub(super) version: Version,
    controllers: Vec<String>,
    top: PathBuf,
    own: PathBuf,
}

impl Base {
    /// Finds the groups of this process and checks that new ones can be made there. Changes nothing.
    pub(crate) fn find() -> Result<Self, Missing> {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        Self::among(&hierarchies(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup")))
    }

    /// Finds where groups can be made that only make their processes stand still. That takes no controller, so it can
    /// be had in many places where the limits cannot: in a session of systemd's, beside other programs.
    pub(crate) fn for_pauses() -> Option<Self> {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        Self::for_pauses_among(&hierarchies(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup")))
    }

    pub(super) fn for_pauses_among(all: &[Hierarchy]) -> Option<Self> {
        let writable = |name: &str| {
            let mut found = all.iter().filter(|hierarchy| hierarchy.version == Version::One);
            let found = found.find(|hierarchy| hierarchy.controllers.iter().any(|controller| controller == name))?;
            is_writable(&found.own).then(|| found.own.clone())
        };
        let unified = all.iter().find(|hierarchy| hierarchy.version == Version::Two).and_then(divisible);
        let freezer = writable("freezer").filter(|_| unified.is_none());
        if unified.is_none() && freezer.is_none() {
            return None;
        }
        Some(Self {
            layout: if unified.is_some() { Layout::Mixed } else { Layout::One },
            memory: None,
            processes: None,
            cores: None,
            processor: freezer.as_ref().and_then(|_| writable("cpuacct")),
            tops: [&unified, &freezer].into_iter().flatten().cloned().collect(),
            freezer,
            unified,
        })
    }

    fn among(all: &[Hierarchy]) -> Result<Self, Missing> {
        let unified = all.iter().find(|hierarchy| hierarchy.version == Version::Two);
        let first = |name: &str| {
            let found = all.iter().filter(|hierarchy| hierarchy.version == Version::One);
            found.into_iter().find(|hierarchy| hierarchy.controllers.iter().any(|controller| controller == name))
        };
        let mut tops: Vec<PathBuf> = all.iter().map(|hierarchy| hierarchy.top.clone()).collect();
        tops.dedup();
        if let (Some(memory), Some(processes)) = (first("memory"), first("pids")) {
            let own =
                |name: &str| first(name).filter(|hierarchy| is_writable(&hierarchy.own)).map(|found| found.own.clone());
            for hierarchy in [memory, processes] {
                check_writable(&hierarchy.own)?;
            }
            let unified =
                unified.filter(|hierarchy| is_writable(&hierarchy.own)).map(|hierarchy| hierarchy.own.clone());
            return Ok(Self {
                layout: if unified.is_some() { Layout::Mixed } else { Layout::One },
                memory: Some(memory.own.clone()),
                processes: Some(processes.own.clone()),
                cores: own("cpuset"),
                processor: own("cpuacct").filter(|_| unified.is_none()),
                freezer: own("freezer").filter(|_| unified.is_none()),
                unified,
                tops,
            });
        }
        let unified = unified.ok_or((
            Phrase::new("no control groups are mounted", "没有挂载控制组（cgroup）"),
            "/sys/fs/cgroup".to_owned(),
        ))?;
        let base = base_of_version_two(unified)?;
        let has = |name: &str| words(&base.join("cgroup.controllers")).iter().any(|word| word == name);
        if !has("memory") || !has("pids") {
            return Err((
                Phrase::new("the control group has no memory and pids controllers", "控制组缺少 memory 和 pids 控制器"),
                base.display().to_string(),
            ));
        }
        Ok(Self {
            layout: Layout::Two,
            memory: Some(base.clone()),
            processes: Some(base.clone()),
            cores: has("cpuset").then(|| base.clone()),
            processor: None,
            freezer: None,
            unified: Some(base),
            tops,
        })
    }

    /// Makes ready what version 2 needs: its groups hold either processes or groups, so we step aside into a group of
    /// our own.
    pub(crate) fn prepare(&self) -> std::io::Result<()> {
        let Some(base) = self.unified.as_ref().filter(|_| self.layout == Layout::Two) else { return Ok(()) };
        let wanted = if self.cores.is_some() { "+memory +pids +cpuset" } else { "+memory +pids" };
        let enabled = words(&base.join("cgroup.subtree_control"));
        if ["memory", "pids"].iter().all(|name| enabled.iter().any(|word| word == name)) {
            return Ok(());
        }
        if !base.exists() {
            std::fs::create_dir(base)?;
        }
        if put(base, "cgroup.subtree_control", wanted).is_ok() {
            return Ok(());
        }
        let aside = base.join(format!("{}{ASIDE}", super::owner_name(std::process::id())));
        std::fs::create_dir_all(&aside)?;
        for process in words(&base.join("cgroup.procs")) {
            put(&aside, "cgroup.procs", &process)?;
        }
        put(base, "cgroup.subtree_control", wanted)
    }
}

/// The end of the name of the group into which we stepped aside.
pub(super) const ASIDE: &str = "-host";

/// Whether this is a group into which we stepped aside.
fn stepped_aside(own: &Path) -> bool {
    let name = own.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(ASIDE))
}

/// Where groups of version 2 can be made: in our own group if nobody else's processes are in it, or, for root, at the
/// top.
fn base_of_version_two(hierarchy: &Hierarchy) -> Result<PathBuf, Missing> {
    let own = &hierarchy.own;
    if stepped_aside(own)
        && let Some(parent) = own.parent()
    {
        check_writable(parent)?;
        return Ok(parent.to_owned());
    }
    // Only the machine's own top may hold processes beside groups; it has no `cgroup.type`.
    let is_top = !own.join("cgroup.type").exists();
    if is_writable(own) && (is_top || all_ours(own)) {
        return Ok(own.clone());
    }
    if rustix::process::geteuid().is_root()
        && is_writable(&hierarchy.top)
        && !hierarchy.top.join("cgroup.type").exists()
    {
        return Ok(hierarchy.top.clone());
    }
    check_writable(own)?;
    Err((
        Phrase::new(
            "other programs run in our control group, so it cannot be divided",
            "本进程所在的控制组里还有其他程序，无法再划分",
        ),
        own.display().to_string(),
    ))
}

/// Where groups without controllers can be made. Our own group may hold processes beside them as long as it hands no
/// controller down.
fn divisible(hierarchy: &Hierarchy) -> Option<PathBuf> {
    let own = &hierarchy.own;
    let plain = words(&own.join("cgroup.subtree_control")).is_empty()
        && words(&own.join("cgroup.type")).first().is_none_or(|kind| kind == "domain")
        && own.join("cgroup.freeze").exists();
    // The top of all has no `cgroup.freeze` of its own; what is made in it has.
    let top = rustix::process::geteuid().is_root() && !own.join("cgroup.type").exists();
    let (plain, top) = if stepped_aside(own) { (false, false) } else { (plain, top) };
    if (plain || top) && is_writable(own) { Some(own.clone()) } else { base_of_version_two(hierarchy).ok() }
}

/// Whether every process of a group is this one or was started by it.
fn all_ours(folder: &Path) -> bool {
    let own = std::process::id();
    words(&folder.join("cgroup.procs")).iter().filter_map(|word| word.parse().ok()).all(|process| {
        let mut ancestor: u32 = process;
        while ancestor > 1 && ancestor != own {
            let Some(parent) = parent_of(ancestor) else { break };
            ancestor = parent;
        }
        ancestor == own
    })
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn words(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn is_writable(folder: &Path) -> bool {
    use rustix::fs::Access;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        && rustix::fs::access(folder.join("cgroup.procs"), Access::WRITE_OK).is_ok()
}

fn check_writable(folder: &Path) -> Result<(), Missing> {
    if is_writable(folder) {
        return Ok(());
    }
    Err((
        Phrase::new("the control group is not ours to write in", "没有写入所在控制组的权限"),
        folder.display().to_string(),
    ))
}

/// The hierarchies that are mounted, from `/proc/self/mountinfo` and `/proc/self/cgroup`.
pub(super) fn hierarchies(mounts: &str, own: &str) -> Vec<Hierarchy> {
    let mut found = Vec::new();
    for line in mounts.lines() {
        let Some((place, kind)) = line.split_once(" - ") else { continue };
        let place: Vec<&str> = place.split(' ').collect();
        let kind: Vec<&str> = kind.split(' ').collect();
        let (Some(&shown), Some(&top), Some(&kind_name), Some(&options)) =
            (place.get(3), place.get(4), kind.first(), kind.get(2))
        else {
            continue;
        };
        let version = match kind_name {
            "cgroup" => Version::One,
            "cgroup2" => Version::Two,
            _ => continue,
        };
        let options: Vec<String> = options.split(',').map(str::to_owned).collect();
        let path = own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (number, names, path) = (fields.next()?, fields.next()?, fields.next()?);
            let ours = match version {
                Version::Two => number == "0" && names.is_empty(),
                Version::One => {
                    !names.is_empty() && names.split(',').all(|name| options.iter().any(|option| option == name))
                }
            };
            ours.then_some(path)
        });
        let Some(path) = path else { continue };
        // A container sees its own part of the tree as the whole.
        let inside = path.strip_prefix(shown.trim_end_matches('/')).unwrap_or("").trim_start_matches('/');
        let top = PathBuf::from(top);
        let own = if inside.is_empty() { top.clone() } else { top.join(inside) };
        found.push(Hierarchy { version, controllers: options, top, own });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = "\
30 23 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
31 30 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd
34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw";
    const MIXED_OWN: &str = "4:memory:/jobs/17\n2:cpu,cpuacct:/\n1:name=systemd:/x\n0::/";

    fn places(mounts: &str, own: &str) -> Vec<(Version, String)> {
        let place = |hierarchy: Hierarchy| (hierarchy.version, hierarchy.own.display().to_string());
        hierarchies(mounts, own).into_iter().map(place).collect()
    }

    #[test]
    fn a_mixed_layout_is_read() {
        use Version::{One, Two};
        let expected = [
            (One, "/sys/fs/cgroup/memory/jobs/17"),
            (One, "/sys/fs/cgroup/cpu,cpuacct"),
            (One, "/sys/fs/cgroup/systemd/x"),
            (Two, "/sys/fs/cgroup/unified"),
        ];
        assert_eq!(places(MIXED, MIXED_OWN), expected.map(|(version, path)| (version, path.to_owned())));
    }

    #[test]
    fn version_two_alone_is_read() {
        let mounts = "29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
        let own = "0::/user.slice/user-1000.slice/session-2.scope";
        let expected = "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope".to_owned();
        assert_eq!(places(mounts, own), [(Version::Two, expected)]);
    }

    #[test]
    fn a_container_sees_its_part_as_the_whole() {
        let mounts = "29 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw";
        assert_eq!(places(mounts, "0::/docker/abc"), [(Version::Two, "/sys/fs/cgroup".to_owned())]);
    }
}
