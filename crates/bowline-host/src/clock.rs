//! The one clock: milliseconds since 1970 that never go back.
//!
//! It reads the wall clock once and goes on with a monotonic one, so that a clock that jumps neither ends a wait early
//! nor makes it endless. That one counts the time the machine sleeps, which `Instant` does not: a turn that slept through
//! a night would renew its lease until yesterday, and the next process would take it away.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

#[cfg(target_os = "linux")]
const STEADY: ClockId = ClockId::Boottime;
/// Elsewhere this one goes on while the machine sleeps.
#[cfg(not(target_os = "linux"))]
const STEADY: ClockId = ClockId::Monotonic;

#[derive(Debug, Clone, Copy)]
pub struct Clock {
    wall_ms: i64,
    started_ms: i64,
}

impl Clock {
    pub fn start() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { wall_ms: milliseconds(wall), started_ms: steady_ms() }
    }

    pub fn now_ms(&self) -> i64 {
        self.wall_ms.saturating_add(steady_ms() - self.started_ms)
    }

    /// The moment of this clock's `at_ms`; now, if that is past.
    pub fn instant(&self, at_ms: i64) -> Instant {
        let wait = u64::try_from(at_ms - self.now_ms()).unwrap_or(0);
        Instant::now() + Duration::from_millis(wait)
    }
}

fn steady_ms() -> i64 {
    let now = clock_gettime(STEADY);
    now.tv_sec.saturating_mul(1000).saturating_add(now.tv_nsec / 1_000_000)
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
