//! What a command may do, in three steps. Which command gets which profile is the caller's decision, not ours.

use std::fmt;

/// What a command may do.
///
/// ```
/// use bowline_contain::Profile;
/// assert_eq!(Profile::Build.to_string(), "build");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Reads what is not hidden, writes only the temporary folders of the cell, and has no network.
    Read,
    /// Reads the same, also writes the cell's writable folders, and has a loopback network shared with the cell's other
    /// commands.
    Build,
    /// Everything its user may do. The command still belongs to the cell and ends with it.
    Open,
}

impl Profile {
    pub(crate) const ALL: [Profile; 3] = [Profile::Read, Profile::Build, Profile::Open];

    pub(crate) fn code(self) -> u8 {
        match self {
            Profile::Read => 0,
            Profile::Build => 1,
            Profile::Open => 2,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.code() == code)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Profile::Read => "read",
            Profile::Build => "build",
            Profile::Open => "open",
        })
    }
}
