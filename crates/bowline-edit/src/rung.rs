//! The steps of the ladder, and how far up a caller wants to go.

/// The step of the ladder that found a place; the stricter is the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rung {
    /// Equal, line endings and a byte order mark aside.
    Exact,
    /// Whole lines that are equal but for white space.
    Space,
    /// Equal but for characters that look alike: quotes, dashes, spaces, zero-width and composed ones.
    Unicode,
    /// Equal once what models add on the way is taken off: line numbers, a code fence, escapes, other quotes.
    Artefact,
    /// Alike, and alike enough.
    Similar,
}

impl Rung {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Rung::Exact => "exact",
            Rung::Space => "white space",
            Rung::Unicode => "Unicode",
            Rung::Artefact => "cleaned",
            Rung::Similar => "similar",
        }
    }
}

/// How much a caller forgives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The exact rung alone.
    Exact,
    /// All rungs; a similar place only where nothing speaks against it.
    #[default]
    Careful,
    /// All rungs; the most similar place of at least 0.66 wins, whatever the difference is.
    Lenient,
}
