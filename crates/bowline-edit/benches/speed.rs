//! How long an edit takes: hits, misses, and how both grow with the file. `cargo bench -p bowline-edit`.
//!
//! What is shown: an exact hit takes little more than the search of memory that it stands on (`memory` beside `hit`), a miss
//! on 20,000 lines takes milliseconds, and the throughput of each stays the same from a thousand lines to a million.

use bowline_edit::{Edit, Mode, apply_with, locate_with};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memchr::memmem;

const LINES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const NEEDLE_LINES: usize = 60;

fn main() {
    divan::main();
}

/// A line of code that stands in the file once.
fn line(number: usize) -> String {
    match number % 10 {
        0 => format!("fn step_{number}(state: &mut State) -> Result<usize, Error> {{\n"),
        9 => "}\n".to_owned(),
        kind => format!("    let part_{kind} = state.take({number}).unwrap_or({});\n", number / 7),
    }
}

fn file(lines: usize) -> String {
    (0..lines).map(line).collect()
}

/// The lines of the file from here on.
fn needle(from: usize) -> String {
    (from..from + NEEDLE_LINES).map(line).collect()
}

/// Lines as the file might have them, and has not.
fn absent() -> String {
    let other = |number: usize| match number % 10 {
        0 => format!("fn other_{number}(scene: &Scene) -> Option<String> {{\n"),
        9 => "}\n".to_owned(),
        kind => format!("    let word_{kind} = scene.words().nth({number}).map(str::to_owned);\n"),
    };
    (0..NEEDLE_LINES).map(other).collect()
}

/// Everything an edit that is nowhere costs, the words of the refusal too.
fn refused(content: &str, old: &str, mode: Mode) -> usize {
    let edit = Edit::one(black_box(old), "replaced\n");
    apply_with(Some(black_box(content.as_bytes())), &[edit], mode)
        .map_or_else(|no| no.to_string().len(), |_| 0)
}

/// A file of 20,000 lines and a needle of 60.
mod twenty_thousand_lines {
    use super::*;

    const LINES: usize = 20_000;

    #[divan::bench(args = [Mode::Exact, Mode::Careful, Mode::Lenient])]
    fn miss(bencher: Bencher, mode: &Mode) {
        let (content, old) = (file(LINES), absent());
        bencher.bench_local(|| refused(&content, &old, *mode));
    }

    #[divan::bench]
    fn a_typo(bencher: Bencher) {
        let (content, old) = (file(LINES), needle(LINES - 1_000).replacen("unwrap_or", "unwarp_or", 1));
        let found = move || locate_with(black_box(content.as_bytes()), black_box(&old), Mode::Careful);
        bencher.bench_local(found);
    }

    #[divan::bench]
    fn indented_otherwise(bencher: Bencher) {
        let (content, old) = (file(LINES), needle(LINES - 1_000).replace("    ", "\t"));
        let edit = Edit::one(&old, "replaced\n");
        bencher.bench_local(|| apply_with(Some(black_box(content.as_bytes())), &[edit], Mode::Careful));
    }
}

/// From a thousand lines to a million.
mod growth {
    use super::*;

    /// The search of memory alone, for comparison.
    #[divan::bench(args = LINES, sample_count = 20)]
    fn a_memory(bencher: Bencher, lines: usize) {
        let (content, old) = (file(lines), needle(lines - NEEDLE_LINES));
        bencher
            .counter(BytesCount::of_str(&content))
            .bench_local(|| memmem::find(black_box(content.as_bytes()), black_box(old.as_bytes())));
    }

    #[divan::bench(args = LINES, sample_count = 20)]
    fn b_hit(bencher: Bencher, lines: usize) {
        let (content, old) = (file(lines), needle(lines - NEEDLE_LINES));
        bencher
            .counter(BytesCount::of_str(&content))
            .bench_local(|| locate_with(black_box(content.as_bytes()), black_box(&old), Mode::Careful));
    }

    #[divan::bench(args = LINES, sample_count = 20)]
    fn c_hit_applied(bencher: Bencher, lines: usize) {
        let (content, old) = (file(lines), needle(lines - NEEDLE_LINES));
        let edit = Edit::one(&old, "replaced\n");
        bencher
            .counter(BytesCount::of_str(&content))
            .bench_local(|| apply_with(Some(black_box(content.as_bytes())), &[edit], Mode::Careful));
    }

    #[divan::bench(args = LINES, sample_count = 10)]
    fn d_miss(bencher: Bencher, lines: usize) {
        let (content, old) = (file(lines), absent());
        bencher.counter(BytesCount::of_str(&content)).bench_local(|| refused(&content, &old, Mode::Careful));
    }
}

/// What a search by windows is slow with: 200 lines that are the same, of 2,000 characters each.
mod identical_lines {
    use super::*;

    fn content() -> String {
        format!("{}\n", "ab, ".repeat(500)).repeat(200)
    }

    #[divan::bench(args = [Mode::Careful, Mode::Lenient])]
    fn many(bencher: Bencher, mode: &Mode) {
        let (content, old) = (content(), format!("{}\n", "ab, ".repeat(500)).repeat(20));
        bencher.bench_local(|| refused(&content, &old, *mode));
    }

    #[divan::bench(args = [Mode::Careful, Mode::Lenient])]
    fn many_with_a_typo(bencher: Bencher, mode: &Mode) {
        let (content, old) = (content(), format!("{}x\n", "ab, ".repeat(499)).repeat(20));
        bencher.bench_local(|| refused(&content, &old, *mode));
    }
}
