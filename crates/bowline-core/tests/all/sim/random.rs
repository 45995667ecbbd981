//! A small generator of numbers (splitmix64): the same seed gives the same session on every machine.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        // Seeds that are neighbours begin far apart.
        Random(seed.wrapping_mul(0xd129_0d3b_3b9b_5b01).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, and without, `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Both ends included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1).max(1) as u64) as i64
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// One of the values, by their weights.
    pub(crate) fn weighted<T: Copy>(&mut self, values: &[(u32, T)]) -> T {
        let total: u32 = values.iter().map(|(weight, _)| weight).sum();
        let mut at = (self.next() % u64::from(total)) as u32;
        for (weight, value) in values {
            if at < *weight {
                return *value;
            }
            at -= weight;
        }
        values[0].1
    }
}
