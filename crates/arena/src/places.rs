//! How many of something each address has at once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// So many places for each address.
pub(crate) struct Places {
    most: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// A place of an address, free again when dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    address: IpAddr,
}

impl Places {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    /// One more for an address; `None` when it has as many as it may.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.get(&address).copied().unwrap_or_default();
        if count >= self.most {
            return None;
        }
        taken.insert(address, count + 1);
        Some(Place { places: Arc::clone(self), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

/// What counts as one address: a whole IPv6 network does, for one host has all of it.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> 64))),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_places_and_nobody_elses() {
        let places = Places::new(2);
        let [here, there] = ["10.0.0.1", "2001:db8::1"].map(|text| text.parse().expect("an address"));
        let first = places.take(here).expect("a place");
        let _second = places.take(here).expect("a place");
        assert!(places.take(here).is_none(), "a third one");
        drop(places.take(there).expect("a place of another"));
        drop(first);
        drop(places.take(here).expect("the place that is free again"));
        assert_eq!(places.taken.lock().expect("a list").len(), 1, "addresses are kept for ever");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address_and_an_ipv4_in_it_is_itself() {
        let read = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(read("2001:db8:1:2::1"), read("2001:db8:1:2:ffff::"));
        assert_ne!(read("2001:db8:1:2::1"), read("2001:db8:1:3::1"));
        assert_eq!(read("::ffff:10.0.0.1"), read("10.0.0.1"));
    }
}
