//! What can stand between a program and the machine, and the four levels made of it.

use games::{Language, Phrase};
use serde::{Deserialize, Serialize};

/// One wall. Each stops something that no other does, and a test proves that by taking it away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Layer {
    /// A file system of its own: the system read-only, its folder, a bounded `/tmp`, nothing else.
    Root,
    /// A process namespace: it sees and signals only what it started, and all of that dies with it.
    Processes,
    /// A network namespace without any device, not even loopback.
    Network,
    /// System V shared memory and message queues of its own.
    Ipc,
    /// A host name of its own.
    HostName,
    /// A user namespace, which makes the namespaces above possible without root.
    User,
    /// A user id that owns nothing and that no other program has.
    Identity,
    /// No capabilities, and no way to gain any through setuid programs.
    Privileges,
    /// A control group that counts memory over all its processes.
    MemoryGroup,
    /// A control group that counts processes and threads.
    ProcessGroup,
    /// A control group that counts processor time and stall, killed children included.
    ProcessorGroup,
    /// A control group that holds it on its cores.
    CoreGroup,
    /// Landlock rules: files outside the view do not open.
    Landlock,
    /// A filter that refuses system calls no engine needs.
    Seccomp,
    /// Resource limits of each process: open files, file size, core dumps.
    ResourceLimits,
    /// The warden's clock, processor and memory watch.
    Watch,
    /// A control group in which it can be made to stand still: what a signal stops, a signal sets going again.
    PauseGroup,
}

impl Layer {
    /// All layers.
    pub const ALL: [Self; 17] = [
        Self::Root,
        Self::Processes,
        Self::Network,
        Self::Ipc,
        Self::HostName,
        Self::User,
        Self::Identity,
        Self::Privileges,
        Self::MemoryGroup,
        Self::ProcessGroup,
        Self::ProcessorGroup,
        Self::CoreGroup,
        Self::Landlock,
        Self::Seccomp,
        Self::ResourceLimits,
        Self::Watch,
        Self::PauseGroup,
    ];

    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Processes => "processes",
            Self::Network => "network",
            Self::Ipc => "ipc",
            Self::HostName => "host-name",
            Self::User => "user",
            Self::Identity => "identity",
            Self::Privileges => "privileges",
            Self::MemoryGroup => "memory-group",
            Self::ProcessGroup => "process-group",
            Self::ProcessorGroup => "processor-group",
            Self::CoreGroup => "core-group",
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
            Self::ResourceLimits => "resource-limits",
            Self::Watch => "watch",
            Self::PauseGroup => "pause-group",
        }
    }

    /// The layer of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// A set of layers.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Layers(u32);

impl Layers {
    /// No layer at all.
    pub const NONE: Self = Self(0);

    /// These layers.
    #[must_use]
    pub fn of(layers: &[Layer]) -> Self {
        layers.iter().fold(Self::NONE, |set, &layer| set.with(layer))
    }

    /// Whether a layer is in the set.
    #[must_use]
    pub const fn has(self, layer: Layer) -> bool {
        self.0 & (1 << layer as u8) != 0
    }

    /// The set and this layer.
    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | 1 << layer as u8)
    }

    /// The set without those layers.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The layers, in their order.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |&layer| self.has(layer))
    }
}

impl std::fmt::Debug for Layers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Layers {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Layers {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(&Vec::<Layer>::deserialize(deserializer)?))
    }
}

/// How much is enforced, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Everything: namespaces and control groups.
    A,
    /// Namespaces without control groups: memory is watched, not held by the kernel.
    B,
    /// Landlock and seccomp: one process, which sees the machine's processes and clocks but not its files.
    C,
    /// Nothing.
    D,
}

impl Level {
    /// All levels, strongest first.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Its name in both languages.
    #[must_use]
    pub const fn name(self) -> Phrase {
        match self {
            Self::A => Phrase::new("A (full)", "A（完整）"),
            Self::B => Phrase::new("B (rootless)", "B（无特权）"),
            Self::C => Phrase::new("C (lite)", "C（轻量）"),
            Self::D => Phrase::new("D (none)", "D（无沙箱）"),
        }
    }

    /// Its name in one language.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        self.name().text(language)
    }

    /// The layers of the level, for root or for an ordinary user, where the machine has what they need.
    #[must_use]
    pub(crate) fn layers(self, root: bool) -> Layers {
        use Layer::{
            CoreGroup, HostName, Identity, Ipc, Landlock, MemoryGroup, Network, PauseGroup, Privileges, ProcessGroup,
            Processes, ProcessorGroup, ResourceLimits, Root, Seccomp, User, Watch,
        };
        let always = Layers::of(&[Privileges, Seccomp, ResourceLimits, Watch, PauseGroup]);
        let spaces = [Root, Processes, Network, Ipc, HostName];
        let groups = [MemoryGroup, ProcessGroup, ProcessorGroup, CoreGroup];
        let base = match self {
            Self::A => spaces.into_iter().chain(groups).fold(always, Layers::with),
            Self::B => spaces.into_iter().fold(always, Layers::with).with(User),
            Self::C => always.with(Landlock),
            Self::D => Layers::NONE.with(Watch),
        };
        match (self, root) {
            (Self::D, _) => base,
            (_, true) => base.with(Identity),
            // Without root, a user namespace is what allows the others.
            (Self::A, false) => base.with(User),
            (_, false) => base,
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{self:?}")
    }
}

impl std::str::FromStr for Level {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "a" => Ok(Self::A),
            "b" => Ok(Self::B),
            "c" => Ok(Self::C),
            "d" | "none" => Ok(Self::D),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_own_name_and_place() {
        for (index, layer) in Layer::ALL.into_iter().enumerate() {
            assert_eq!(layer as usize, index);
            assert_eq!(Layer::named(layer.name()), Some(layer));
            assert_eq!(serde_json::to_value(layer).unwrap(), layer.name());
        }
    }

    #[test]
    fn a_stronger_level_holds_more() {
        let count = |level: Level| level.layers(false).iter().count();
        assert!(
            count(Level::A) > count(Level::B) && count(Level::B) > count(Level::C) && count(Level::C) > count(Level::D)
        );
        assert!(Level::A.layers(true).has(Layer::Identity) && !Level::A.layers(true).has(Layer::User));
    }
}
