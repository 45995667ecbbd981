//! The one clock: milliseconds since 1970 that never go back.
//!
//! It reads the wall clock once and goes on with the monotonic one, so that a clock that jumps neither ends a wait early
//! nor makes it endless.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug, Clone, Copy)]
pub struct Clock {
    wall_ms: i64,
    started: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { wall_ms: milliseconds(wall), started: Instant::now() }
    }

    pub fn now_ms(&self) -> i64 {
        self.wall_ms.saturating_add(milliseconds(self.started.elapsed()))
    }

    /// The moment of this clock's `at_ms`; now, if that is past.
    pub fn instant(&self, at_ms: i64) -> Instant {
        let wait = u64::try_from(at_ms - self.now_ms()).unwrap_or(0);
        Instant::now() + Duration::from_millis(wait)
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
