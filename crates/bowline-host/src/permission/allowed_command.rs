//! A command that may run, with the profile that holds it.
//!
//! Nothing starts a command for a model without one of these. The rules make it, or somebody's approval does.

use bowline_core::policy::Profile;

/// A shell line that may run, and what holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedCommand {
    line: String,
    profile: Profile,
}

impl AllowedCommand {
    /// One that somebody approved as it stands.
    pub fn approved(line: &str) -> AllowedCommand {
        AllowedCommand { line: line.to_owned(), profile: Profile::Open }
    }

    /// One that nobody approved, held like this.
    pub fn held(line: &str, profile: Profile) -> AllowedCommand {
        AllowedCommand { line: line.to_owned(), profile }
    }

    pub fn line(&self) -> &str {
        &self.line
    }

    pub fn profile(&self) -> Profile {
        self.profile
    }
}
