//! Where people reach this server: what is printed beside their one-time codes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::error::ApiError;
use super::Who;
use crate::settings::Settings;

/// The kernel's list of routes, the machine's own addresses among them.
const ROUTES: &str = "/proc/net/fib_trie";

/// Where people reach this server.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Addresses {
    /// What its operator said with `--public-url`.
    public: Option<String>,
    /// Its addresses in the networks it is in, the likeliest first.
    network: Vec<String>,
    /// Whether it listens to this machine only, so that nobody else reaches it.
    local_only: bool,
}

/// Where people reach this server (staff).
#[utoipa::path(get, path = "/api/addresses", tag = "accounts",
    responses((status = 200, body = Addresses), (status = 401, description = "not signed in"),
        (status = 403, description = "not staff")))]
pub(crate) async fn addresses(State(app): State<Arc<App>>, who: Who) -> Result<Json<Addresses>, ApiError> {
    who.staff(&app)?;
    Ok(Json(of(&app.settings, &own_addresses())))
}

fn of(settings: &Settings, own: &[Ipv4Addr]) -> Addresses {
    let public = settings.public_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    let (ip, port) = (settings.listen.ip(), settings.listen.port());
    let named = |ip: IpAddr| match port {
        80 => format!("http://{}", host(ip)),
        _ => format!("http://{}:{port}", host(ip)),
    };
    let network = match ip {
        ip if ip.is_loopback() => Vec::new(),
        ip if ip.is_unspecified() => own.iter().map(|&own| named(own.into())).collect(),
        ip => vec![named(ip)],
    };
    Addresses { local_only: ip.is_loopback() && public.is_none(), public, network }
}

fn host(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// The machine's own addresses: the one it would go out with first, then those of private networks.
fn own_addresses() -> Vec<Ipv4Addr> {
    let mut own = read_routes(&std::fs::read_to_string(ROUTES).unwrap_or_default());
    // Nothing is sent: this only asks which way it would go.
    let outward = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok().and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        socket.local_addr().ok()
    });
    if let Some(SocketAddr::V4(outward)) = outward.filter(|address| !address.ip().is_loopback()) {
        own.push(*outward.ip());
        own.sort_by_key(|ip| ip != outward.ip());
        own.dedup();
    }
    own
}

/// The addresses of this machine in the kernel's list, each once: `|-- ADDRESS` and below it `/32 host LOCAL`.
fn read_routes(text: &str) -> Vec<Ipv4Addr> {
    let (mut found, mut last): (Vec<Ipv4Addr>, Option<Ipv4Addr>) = (Vec::new(), None);
    for line in text.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse().ok();
        } else if line == "/32 host LOCAL" {
            let reachable = last.filter(|ip| !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified());
            found.extend(reachable.filter(|ip| !found.contains(ip)));
        }
    }
    found.sort_by_key(|ip| (!ip.is_private(), *ip));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIE: &str = "Main:
          +-- 0.0.0.0/0 3 0 5
             |-- 0.0.0.0
                /0 universe UNICAST
                |-- 127.0.0.1
                   /32 host LOCAL
             |-- 192.168.1.0
                /24 link UNICAST
             |-- 192.168.1.7
                /32 host LOCAL
             |-- 192.168.1.255
                /32 link BROADCAST
             |-- 100.64.3.2
                /32 host LOCAL
        Local:
             |-- 192.168.1.7
                /32 host LOCAL
             |-- 169.254.9.9
                /32 host LOCAL";

    #[test]
    fn the_machine_s_own_addresses_are_read() {
        let own = read_routes(TRIE);
        assert_eq!(own, [Ipv4Addr::new(192, 168, 1, 7), Ipv4Addr::new(100, 64, 3, 2)]);
        assert!(read_routes("").is_empty());
    }

    #[test]
    fn nobody_is_sent_to_an_address_that_is_only_this_machine_s() {
        let own = [Ipv4Addr::new(192, 168, 1, 7)];
        let at = |listen: &str, public: Option<&str>| {
            let mut settings = Settings::new(listen.parse().unwrap(), "x".into());
            settings.public_url = public.map(str::to_owned);
            of(&settings, &own)
        };
        let known = |network: &[&str]| network.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(at("0.0.0.0:8080", None).network, known(&["http://192.168.1.7:8080"]));
        assert_eq!(at("[::]:80", None).network, known(&["http://192.168.1.7"]));
        assert_eq!(at("10.0.0.3:8080", None).network, known(&["http://10.0.0.3:8080"]));
        let local = at("127.0.0.1:8080", None);
        assert_eq!((local.network.len(), local.local_only), (0, true));
        let proxied = at("127.0.0.1:8080", Some("https://games.example/"));
        assert_eq!((proxied.public.as_deref(), proxied.local_only), (Some("https://games.example"), false));
        assert!(own_addresses().iter().all(|ip| !ip.is_loopback()));
    }
}
