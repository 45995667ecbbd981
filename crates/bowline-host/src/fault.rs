//! Places where a process can be made to die, so that tests see what the next one makes of it. Not in released builds.

/// `BOWLINE_FAULT` names the place at which this process kills itself, as `kill -9` would.
pub const VARIABLE: &str = "BOWLINE_FAULT";

/// Goes on, but where this place is named.
pub fn point(place: &str) {
    #[cfg(debug_assertions)]
    if std::env::var(VARIABLE).is_ok_and(|named| named == place) {
        // What can't be killed goes on, and the test that waits for its death fails.
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    #[cfg(not(debug_assertions))]
    let _ = place;
}
