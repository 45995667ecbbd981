//! The player as a simulation uses it: what it records, refuses and remembers.
