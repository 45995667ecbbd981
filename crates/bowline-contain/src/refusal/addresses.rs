//! Addresses in what a program printed: hosts that it named near an error, ports that it tried.

/// What stands before a host's name, in lower case.
const BEFORE: [&str; 12] = [
    "could not resolve host: ",
    "could not resolve hostname ",
    "unable to resolve host address ",
    "temporary failure resolving ",
    "eai_again ",
    "enotfound ",
    "enetunreach ",
    "lookup ",
    "failed to connect to ",
    "connecting to ",
    "connect to ",
    "host=",
];
const EDGES: [char; 13] = ['\'', '"', '`', '(', ')', '[', ']', ',', ';', ':', '<', '>', '‘'];

/// The first host that is named in a line, then in those around it.
pub(super) fn named(lines: &[&str], number: usize, beside: usize) -> Option<String> {
    let own = lines.get(number).into_iter();
    let above = (1..=beside).filter_map(|back| lines.get(number.checked_sub(back)?));
    let below = (1..=beside).filter_map(|ahead| lines.get(number + ahead));
    own.chain(above).chain(below).find_map(|line| in_line(line))
}

fn in_line(line: &str) -> Option<String> {
    if let Some((_, after)) = line.split_once("://") {
        let end = after.find(|character: char| "/'\"`)>, ".contains(character)).unwrap_or(after.len());
        return after.get(..end).map(|host| host.trim_matches(EDGES).to_owned()).filter(|host| is_host(host));
    }
    let lower = line.to_ascii_lowercase();
    BEFORE.iter().find_map(|before| {
        let after = line.get(lower.find(before)? + before.len()..)?;
        let host = after.split_whitespace().next()?.trim_matches(EDGES);
        is_host(host).then(|| host.to_owned())
    })
}

fn is_host(word: &str) -> bool {
    let fits = |character: char| character.is_alphanumeric() || ".-_:@".contains(character);
    (word.contains('.') || word.contains(':')) && word.chars().all(fits)
}

/// The port of a refused connection: `127.0.0.1:5432`, `[::1]:5432`, `port 5432`.
pub(super) fn port(line: &str) -> Option<u16> {
    let mut words = line.split_whitespace().map(|word| word.trim_matches(EDGES));
    let mut after_port = false;
    words.find_map(|word| {
        let number = if after_port {
            word
        } else {
            word.rsplit_once(':').map_or("", |(host, port)| if is_local(host) { port } else { "" })
        };
        after_port = word.eq_ignore_ascii_case("port");
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

fn is_local(host: &str) -> bool {
    let host = host.trim_matches(EDGES);
    ["localhost", "127.0.0.1", "::1", "[::1", "0.0.0.0"].iter().any(|local| host.ends_with(local))
}

/// Whether something listens on this port, by the kernel's list of this process's network.
pub(crate) fn listens_outside(port: u16) -> bool {
    ["/proc/self/net/tcp", "/proc/self/net/tcp6"].iter().any(|path| {
        let listing = std::fs::read_to_string(path).unwrap_or_default();
        listing.lines().skip(1).any(|line| listening_port(line) == Some(port))
    })
}

/// `0: 0100007F:1538 00000000:0000 0A …`: the state 0A is that of a server.
fn listening_port(line: &str) -> Option<u16> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (_, port) = fields.next()?.rsplit_once(':')?;
    let state = fields.nth(1)?;
    (state == "0A").then(|| u16::from_str_radix(port, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_read_from_the_kernels_listing() {
        let server = "   0: 0100007F:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000  101";
        assert_eq!(listening_port(server), Some(0x1538));
        assert_eq!(listening_port(&server.replace(" 0A ", " 01 ")), None);
    }
}
