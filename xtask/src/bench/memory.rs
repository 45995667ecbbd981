//! How much memory a program and its children have had at most, from `/proc`. Elsewhere than on Linux there is no figure.

use std::fs::read_to_string;

/// How deep children of children are followed.
const DEPTH_MAX: usize = 8;

/// The sum over a process and its descendants of the most each has had resident, in KiB; 0 when it is gone.
pub(crate) fn peak_kib(process: u32) -> u64 {
    tree(process, DEPTH_MAX)
}

fn tree(process: u32, depth: usize) -> u64 {
    let own = read_to_string(format!("/proc/{process}/status")).map_or(0, |status| high_water_kib(&status));
    if depth == 0 {
        return own;
    }
    let children = children(process).into_iter().map(|child| tree(child, depth - 1));
    own + children.sum::<u64>()
}

fn children(process: u32) -> Vec<u32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let listings = tasks.flatten().filter_map(|task| read_to_string(task.path().join("children")).ok());
    listings.flat_map(|listing| numbers(&listing)).collect()
}

fn numbers(listing: &str) -> Vec<u32> {
    listing.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn high_water_kib(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_kib() {
        assert_eq!(high_water_kib("Name:\tcat\nVmPeak:\t 9000 kB\nVmHWM:\t    1820 kB\n"), 1820);
        assert_eq!(high_water_kib("Name:\tzombie\n"), 0);
    }
}
