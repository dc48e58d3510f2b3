//! The cheapest perfect matching of a graph: everybody gets exactly one partner at the least total cost.
//!
//! Edmonds' blossom algorithm in its primal-dual form, for dense graphs. Every vertex carries a price, every blossom
//! (an odd cycle shrunk to a point) a surcharge; an edge is tight when the prices of its ends add up to what it is
//! worth. Alternating trees grow along tight edges from all unmatched vertices at once; when no tight edge helps,
//! prices change by the largest amount that keeps all of them fair. About n³ steps.

/// The partner of each vertex in a cheapest perfect matching, or `None` if there is no perfect matching.
///
/// `cost` tells what joining two vertices costs, `None` if they must not be joined; it must be symmetric. Costs up to
/// 10³⁶ are safe.
pub(super) fn cheapest_perfect_matching(
    vertices: usize,
    cost: impl Fn(usize, usize) -> Option<i128>,
) -> Option<Vec<usize>> {
    if !vertices.is_multiple_of(2) {
        return None;
    }
    let mut search = Search::new(vertices, cost);
    for _ in 0..vertices / 2 {
        search.augment_once()?;
    }
    search.mate.into_iter().collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    /// At an even distance from its root: may be joined to anything along a tight edge.
    Even,
    /// At an odd distance.
    Odd,
}

/// What happens when prices have changed as far as they may.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// A tight edge from an even vertex to a node in no tree.
    Grow(usize, usize),
    /// A tight edge between two even nodes.
    Join(usize, usize),
    /// An odd blossom without surcharge.
    Expand(usize),
}

/// Nodes are vertices (below `vertices`) and blossoms (from there on); a node without parent is on top.
struct Search {
    vertices: usize,
    /// Twice the worth of each edge, the worth being the negated cost.
    worth: Vec<Option<i128>>,
    /// Prices of vertices, then surcharges of blossoms.
    price: Vec<i128>,
    mate: Vec<Option<usize>>,
    /// The node on top that holds each vertex.
    top: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// The vertex of each node that is matched outside it, or not at all.
    base: Vec<usize>,
    /// A blossom's nodes around its cycle, the one with the base first.
    children: Vec<Vec<usize>>,
    /// The edge from each child to the next, as vertices.
    links: Vec<Vec<(usize, usize)>>,
    label: Vec<Label>,
    /// The edge from its tree parent by which a node was labelled; none at a root.
    entry: Vec<Option<(usize, usize)>>,
    /// For each vertex, the even vertex whose edge to it has the least slack.
    nearest: Vec<Option<usize>>,
    unused: Vec<usize>,
}

impl Search {
    fn new(vertices: usize, cost: impl Fn(usize, usize) -> Option<i128>) -> Self {
        let nodes = 2 * vertices;
        let edge = |index: usize| {
            let (from, to) = (index / vertices, index % vertices);
            if from == to { None } else { cost(from, to).map(|cost| -2 * cost) }
        };
        let worth: Vec<Option<i128>> = (0..vertices * vertices).map(edge).collect();
        // Equal even prices at the start keep every later change of price a whole number.
        let highest = worth.iter().flatten().copied().max().unwrap_or(0) / 2;
        let mut price = vec![0; nodes];
        price[..vertices].fill(highest);
        Self {
            vertices,
            worth,
            price,
            mate: vec![None; vertices],
            top: (0..vertices).collect(),
            parent: vec![None; nodes],
            base: (0..nodes).collect(),
            children: vec![Vec::new(); nodes],
            links: vec![Vec::new(); nodes],
            label: vec![Label::Free; nodes],
            entry: vec![None; nodes],
            nearest: vec![None; vertices],
            unused: (vertices..nodes).rev().collect(),
        }
    }

    /// How far an edge between different top nodes is from tight; `None` if there is no such edge.
    fn slack(&self, from: usize, to: usize) -> Option<i128> {
        Some(self.price[from] + self.price[to] - self.worth[from * self.vertices + to]?)
    }

    fn tops(&self) -> Vec<usize> {
        let mut tops: Vec<usize> = self.top.clone();
        tops.sort_unstable();
        tops.dedup();
        tops
    }

    fn vertices_of(&self, node: usize) -> Vec<usize> {
        let mut open = vec![node];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if node < self.vertices {
                found.push(node);
            } else {
                open.extend(&self.children[node]);
            }
        }
        found
    }

    /// Matches one more pair of vertices; `None` if that is impossible.
    fn augment_once(&mut self) -> Option<()> {
        self.label.fill(Label::Free);
        self.entry.fill(None);
        self.nearest.fill(None);
        for node in self.tops() {
            if self.mate[self.base[node]].is_none() {
                self.make_even(node, None);
            }
        }
        loop {
            let (event, change) = self.next_event()?;
            self.change_prices(change);
            match event {
                Event::Grow(from, to) => self.grow(from, to),
                Event::Expand(blossom) => self.expand(blossom),
                Event::Join(from, to) => match self.common_ancestor(from, to) {
                    Some(ancestor) => self.shrink(ancestor, from, to),
                    None => {
                        self.augment(from, to);
                        self.augment(to, from);
                        self.dissolve_free_blossoms();
                        return Some(());
                    }
                },
            }
        }
    }

    /// The event reached by the smallest change of prices, and that change.
    fn next_event(&mut self) -> Option<(Event, i128)> {
        let mut best: Option<(Event, i128)> = None;
        let mut offer = |event: Event, change: i128| {
            if best.is_none_or(|(_, least)| change < least) {
                best = Some((event, change));
            }
        };
        for vertex in 0..self.vertices {
            let label = self.label[self.top[vertex]];
            if label == Label::Odd {
                continue;
            }
            // Shrinking may have put the nearest even vertex into the same blossom; only then is it sought anew.
            if label == Label::Even && self.nearest[vertex].is_some_and(|near| self.top[near] == self.top[vertex]) {
                self.nearest[vertex] = self.find_nearest(vertex);
            }
            let Some(near) = self.nearest[vertex] else { continue };
            let Some(slack) = self.slack(near, vertex) else { continue };
            match label {
                Label::Even => offer(Event::Join(near, vertex), slack / 2),
                _ => offer(Event::Grow(near, vertex), slack),
            }
        }
        for node in self.vertices..self.parent.len() {
            if self.label[node] == Label::Odd && self.parent[node].is_none() && !self.children[node].is_empty() {
                offer(Event::Expand(node), self.price[node] / 2);
            }
        }
        best
    }

    fn find_nearest(&self, vertex: usize) -> Option<usize> {
        let outside =
            |other: &usize| self.top[*other] != self.top[vertex] && self.label[self.top[*other]] == Label::Even;
        let with_slack =
            (0..self.vertices).filter(outside).filter_map(|other| Some((self.slack(other, vertex)?, other)));
        with_slack.min().map(|(_, other)| other)
    }

    fn change_prices(&mut self, change: i128) {
        for vertex in 0..self.vertices {
            match self.label[self.top[vertex]] {
                Label::Even => self.price[vertex] -= change,
                Label::Odd => self.price[vertex] += change,
                Label::Free => {}
            }
        }
        for node in self.vertices..self.parent.len() {
            if self.parent[node].is_none() && !self.children[node].is_empty() {
                match self.label[node] {
                    Label::Even => self.price[node] += 2 * change,
                    Label::Odd => self.price[node] -= 2 * change,
                    Label::Free => {}
                }
            }
        }
    }

    fn make_even(&mut self, node: usize, entry: Option<(usize, usize)>) {
        self.label[node] = Label::Even;
        self.entry[node] = entry;
        for vertex in self.vertices_of(node) {
            self.announce(vertex);
        }
    }

    /// Tells all others that this vertex became even.
    fn announce(&mut self, vertex: usize) {
        for other in 0..self.vertices {
            if self.top[other] == self.top[vertex] {
                continue;
            }
            let Some(slack) = self.slack(vertex, other) else { continue };
            let known = self.nearest[other].filter(|near| self.top[*near] != self.top[other]);
            if known.and_then(|near| self.slack(near, other)).is_none_or(|least| slack < least) {
                self.nearest[other] = Some(vertex);
            }
        }
    }

    /// Takes a matched node into a tree, and its partner behind it.
    fn grow(&mut self, from: usize, to: usize) {
        let node = self.top[to];
        self.label[node] = Label::Odd;
        self.entry[node] = Some((from, to));
        let base = self.base[node];
        if let Some(partner) = self.mate[base] {
            self.make_even(self.top[partner], Some((base, partner)));
        }
    }

    fn tree_parent(&self, node: usize) -> Option<usize> {
        self.entry[node].map(|(from, _)| self.top[from])
    }

    fn path_to_root(&self, vertex: usize) -> Vec<usize> {
        std::iter::successors(Some(self.top[vertex]), |&node| self.tree_parent(node)).collect()
    }

    fn common_ancestor(&self, one: usize, other: usize) -> Option<usize> {
        let path = self.path_to_root(one);
        self.path_to_root(other).into_iter().find(|node| path.contains(node))
    }

    /// Makes the odd cycle closed by an edge between two even nodes of one tree a single even node.
    fn shrink(&mut self, ancestor: usize, from: usize, to: usize) {
        let Some(blossom) = self.unused.pop() else { return };
        let branch = |vertex: usize| -> Vec<usize> {
            self.path_to_root(vertex).into_iter().take_while(|&node| node != ancestor).collect()
        };
        let (mut down, up) = (branch(from), branch(to));
        down.reverse();
        let mut links: Vec<(usize, usize)> = down.iter().filter_map(|&node| self.entry[node]).collect();
        links.push((from, to));
        links.extend(up.iter().filter_map(|&node| self.entry[node]).map(|(above, below)| (below, above)));
        let children: Vec<usize> = std::iter::once(ancestor).chain(down).chain(up).collect();

        self.base[blossom] = self.base[ancestor];
        self.label[blossom] = Label::Even;
        self.entry[blossom] = self.entry[ancestor];
        self.price[blossom] = 0;
        self.parent[blossom] = None;
        let mut newly_even = Vec::new();
        for &child in &children {
            self.parent[child] = Some(blossom);
            let inside = self.vertices_of(child);
            inside.iter().for_each(|&vertex| self.top[vertex] = blossom);
            if self.label[child] == Label::Odd {
                newly_even.extend(inside);
            }
        }
        self.children[blossom] = children;
        self.links[blossom] = links;
        for vertex in newly_even {
            self.announce(vertex);
        }
    }

    /// Takes a blossom apart and puts its children on top.
    fn release(&mut self, blossom: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
        let children = std::mem::take(&mut self.children[blossom]);
        let links = std::mem::take(&mut self.links[blossom]);
        for &child in &children {
            self.parent[child] = None;
            self.label[child] = Label::Free;
            self.entry[child] = None;
            for vertex in self.vertices_of(child) {
                self.top[vertex] = child;
            }
        }
        self.label[blossom] = Label::Free;
        self.unused.push(blossom);
        (children, links)
    }

    /// Replaces an odd blossom in its tree by the part of its cycle that leads from its entry to its base.
    fn expand(&mut self, blossom: usize) {
        let entry = self.entry[blossom];
        let Some((_, entered)) = entry else { return };
        let (children, links) = self.release(blossom);
        let length = children.len();
        let Some(mut position) = children.iter().position(|&child| child == self.top[entered]) else { return };
        self.label[children[position]] = Label::Odd;
        self.entry[children[position]] = entry;
        // Children 1 and 2, 3 and 4, … are matched: from an even position the matched neighbour is the one before,
        // from an odd position the one after, and that way has an even length to the base.
        let forward = position % 2 == 1;
        let mut label = Label::Even;
        while position != 0 {
            let (next, (from, to)) = if forward {
                ((position + 1) % length, links[position])
            } else {
                let (before, after) = links[position - 1];
                (position - 1, (after, before))
            };
            let node = children[next];
            if label == Label::Even {
                self.make_even(node, Some((from, to)));
                label = Label::Odd;
            } else {
                self.label[node] = Label::Odd;
                self.entry[node] = Some((from, to));
                label = Label::Even;
            }
            position = next;
        }
    }

    /// Swaps matched and unmatched edges from an even node to its root, so that `vertex` is free to take `partner`.
    fn augment(&mut self, vertex: usize, partner: usize) {
        let (mut vertex, mut partner) = (vertex, partner);
        loop {
            let even = self.top[vertex];
            self.set_base(even, vertex);
            self.mate[vertex] = Some(partner);
            let Some((above, _)) = self.entry[even] else { return };
            let odd = self.top[above];
            let Some((next, entered)) = self.entry[odd] else { return };
            self.set_base(odd, entered);
            self.mate[entered] = Some(next);
            (vertex, partner) = (next, entered);
        }
    }

    /// Rearranges the matching inside a node so that `vertex` is the one to be matched outside.
    fn set_base(&mut self, node: usize, vertex: usize) {
        if node < self.vertices {
            return;
        }
        let mut child = vertex;
        while let Some(parent) = self.parent[child].filter(|&parent| parent != node) {
            child = parent;
        }
        let children = self.children[node].clone();
        let links = self.links[node].clone();
        let length = children.len();
        let Some(position) = children.iter().position(|&other| other == child) else { return };
        self.set_base(child, vertex);
        let start = if position % 2 == 0 { 0 } else { position + 1 };
        let end = if position % 2 == 0 { position } else { length };
        for index in (start..end).step_by(2) {
            let (from, to) = links[index];
            self.set_base(children[index], from);
            self.set_base(children[(index + 1) % length], to);
            self.mate[from] = Some(to);
            self.mate[to] = Some(from);
        }
        self.children[node].rotate_left(position);
        self.links[node].rotate_left(position);
        self.base[node] = vertex;
    }

    /// Blossoms without surcharge only slow the next search down.
    fn dissolve_free_blossoms(&mut self) {
        let mut open = self.tops();
        while let Some(node) = open.pop() {
            if node >= self.vertices && self.price[node] == 0 {
                open.extend(self.release(node).0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least cost by trying everything.
    fn brute_force(free: &mut Vec<usize>, cost: &dyn Fn(usize, usize) -> Option<i128>) -> Option<i128> {
        let Some(one) = free.pop() else { return Some(0) };
        let mut best = None;
        for index in 0..free.len() {
            let other = free.swap_remove(index);
            if let Some(here) = cost(one, other)
                && let Some(rest) = brute_force(free, cost)
            {
                best = Some(best.map_or(here + rest, |best: i128| best.min(here + rest)));
            }
            free.push(other);
            let last = free.len() - 1;
            free.swap(index, last);
        }
        free.push(one);
        best
    }

    fn check(vertices: usize, costs: &[i128], missing_from: i128) -> Result<(), TestCaseError> {
        let cost = |one: usize, other: usize| {
            let value = costs[one.min(other) * 12 + one.max(other)];
            (value < missing_from).then_some(value)
        };
        let expected = brute_force(&mut (0..vertices).collect(), &cost);
        let found = cheapest_perfect_matching(vertices, cost);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            for (vertex, &partner) in found.iter().enumerate() {
                prop_assert_eq!(found[partner], vertex);
                prop_assert_ne!(partner, vertex);
            }
            let total = (0..vertices).filter(|&v| v < found[v]).map(|v| cost(v, found[v]).unwrap()).sum::<i128>();
            prop_assert_eq!(total, expected);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn as_cheap_as_trying_everything(
            half in 0_usize..=5,
            costs in prop::collection::vec(0_i128..100, 144),
            missing_from in 5_i128..=100,
        ) {
            check(2 * half, &costs, missing_from)?;
        }

        /// Few different costs and few edges: many ties, many odd cycles.
        #[test]
        fn as_cheap_among_ties(
            half in 2_usize..=5,
            costs in prop::collection::vec(-2_i128..7, 144),
            missing_from in 0_i128..=5,
        ) {
            check(2 * half, &costs, missing_from)?;
        }
    }

    #[test]
    fn odd_or_impossible_has_no_matching() {
        assert_eq!(cheapest_perfect_matching(3, |_, _| Some(1)), None);
        // Two triangles.
        assert_eq!(cheapest_perfect_matching(6, |a, b| (a / 3 == b / 3).then_some(1)), None);
        assert_eq!(cheapest_perfect_matching(0, |_, _| None), Some(Vec::new()));
    }
}
