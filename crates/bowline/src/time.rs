//! Times as people write and read them.

use std::time::Duration;

/// `90s`, `20m`, `2h`, or seconds alone.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const SECONDS_MAX: u64 = 7 * 24 * 3600;
    let text = text.trim();
    let (number, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err("write it as 90s, 20m or 2h".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "write it as 90s, 20m or 2h".to_owned())?;
    match number.saturating_mul(factor) {
        0 => Err("it must be longer than zero".to_owned()),
        seconds if seconds > SECONDS_MAX => Err("it can be a week at most".to_owned()),
        seconds => Ok(Duration::from_secs(seconds)),
    }
}

/// `4:12`, `1:04:12`.
pub(crate) fn clock(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// `just now`, `5 minutes ago`, `3 days ago`.
pub(crate) fn ago(ms: i64) -> String {
    let minutes = ms.max(0) / 60_000;
    let (count, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, seconds) in [("90s", Some(90)), ("20m", Some(1200)), ("2h", Some(7200)), ("45", Some(45))]
        {
            assert_eq!(parse_duration(text).ok().map(|d| d.as_secs()), seconds, "{text}");
        }
        for text in ["", "m", "1.5h", "20 minutes", "-3s", "0s", "999999999h", "99999999999999999999s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks() {
        assert_eq!(clock(252_400), "4:12");
        assert_eq!(clock(3_852_000), "1:04:12");
        assert_eq!(clock(-5), "0:00");
        assert_eq!(ago(61_000), "1 minute ago");
        assert_eq!(ago(3 * 86_400_000), "3 days ago");
    }
}
