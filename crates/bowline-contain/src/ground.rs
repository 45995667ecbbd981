//! What a cell stands on: which namespaces its helper has, if any. The owner says what to try, the helper what came of it.

use crate::wire::{Malformed, Reader, Writer};

/// What the commands of a helper stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Namespaces of its own.
    Namespaces { user: UserNamespace, network: Network },
    /// No namespaces; only what a process can give up by itself.
    Plain,
    /// No confinement at all: commands that were approved.
    Open,
}

/// Whose rights the mounts are made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserNamespace {
    Own,
    /// Root needs none, and would lose access to other users' files in one.
    Hosts,
}

/// Whether the cell has a network of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Network {
    Own,
    /// The system's limit on network namespaces is reached.
    Hosts,
}

const WORDS: [(&str, Ground); 6] = [
    ("namespaces", Ground::Namespaces { user: UserNamespace::Own, network: Network::Own }),
    ("namespaces-root", Ground::Namespaces { user: UserNamespace::Hosts, network: Network::Own }),
    ("namespaces-no-network", Ground::Namespaces { user: UserNamespace::Own, network: Network::Hosts }),
    (
        "namespaces-root-no-network",
        Ground::Namespaces { user: UserNamespace::Hosts, network: Network::Hosts },
    ),
    ("plain", Ground::Plain),
    ("open", Ground::Open),
];

impl Ground {
    /// The word for it on the helper's command line.
    pub(crate) fn word(self) -> &'static str {
        WORDS.iter().find(|(_, ground)| *ground == self).map_or("plain", |(word, _)| word)
    }

    pub(crate) fn from_word(word: &str) -> Option<Ground> {
        WORDS.iter().find(|(known, _)| *known == word).map(|(_, ground)| *ground)
    }

    pub(crate) fn has_namespaces(self) -> bool {
        matches!(self, Ground::Namespaces { .. })
    }
}

/// What the helper found when it had set itself up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) ground: Ground,
    /// Whether `/proc` shows only the cell.
    pub(crate) own_proc: bool,
    /// The version of Landlock in force; 0 without.
    pub(crate) landlock_abi: u8,
    /// Whether filters for this processor are known.
    pub(crate) seccomp: bool,
}

impl Facts {
    pub(crate) fn write(self, writer: &mut Writer) {
        writer.bytes(self.ground.word().as_bytes());
        writer.byte(u8::from(self.own_proc)).byte(self.landlock_abi).byte(u8::from(self.seccomp));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Facts, Malformed> {
        let word = std::str::from_utf8(reader.bytes()?).map_err(|_| Malformed)?;
        Ok(Facts {
            ground: Ground::from_word(word).ok_or(Malformed)?,
            own_proc: reader.flag()?,
            landlock_abi: reader.byte()?,
            seccomp: reader.flag()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ground_has_its_word() {
        for (word, ground) in WORDS {
            assert_eq!(ground.word(), word);
            assert_eq!(Ground::from_word(word), Some(ground));
        }
    }
}
