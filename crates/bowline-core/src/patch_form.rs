//! The stored form of a patch: text where it is text, base64 where it is not, so that every byte comes back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bowline_edit::{Digest, Hunk, Patch};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Form {
    /// None where there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    after: String,
    hunks: Vec<HunkForm>,
}

#[derive(Serialize, Deserialize)]
struct HunkForm {
    at: usize,
    line: usize,
    lead: Bytes,
    old: Bytes,
    new: Bytes,
    trail: Bytes,
    /// Whether `old` stood nowhere else, and `new`.
    alone: (bool, bool),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Coded { base64: String },
}

impl Bytes {
    fn of(bytes: &[u8]) -> Bytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::Text(text.to_owned()),
            Err(_) => Bytes::Coded { base64: STANDARD.encode(bytes) },
        }
    }

    fn bytes(self) -> Result<Vec<u8>, base64::DecodeError> {
        match self {
            Bytes::Text(text) => Ok(text.into_bytes()),
            Bytes::Coded { base64 } => STANDARD.decode(base64),
        }
    }
}

impl From<&Patch> for Form {
    fn from(patch: &Patch) -> Form {
        let hunk = |hunk: &Hunk| HunkForm {
            at: hunk.at,
            line: hunk.line,
            lead: Bytes::of(&hunk.lead),
            old: Bytes::of(&hunk.old),
            new: Bytes::of(&hunk.new),
            trail: Bytes::of(&hunk.trail),
            alone: (hunk.old_is_alone, hunk.new_is_alone),
        };
        Form {
            before: patch.before.map(|digest| STANDARD.encode(digest.0)),
            after: STANDARD.encode(patch.after.0),
            hunks: patch.hunks.iter().map(hunk).collect(),
        }
    }
}

impl TryFrom<Form> for Patch {
    type Error = String;

    fn try_from(form: Form) -> Result<Patch, String> {
        let digest = |text: &String| {
            let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
            bytes.try_into().map(Digest).map_err(|_| "a hash has another length".to_owned())
        };
        let hunk = |form: HunkForm| {
            Ok(Hunk {
                at: form.at,
                line: form.line,
                lead: form.lead.bytes()?,
                old: form.old.bytes()?,
                new: form.new.bytes()?,
                trail: form.trail.bytes()?,
                old_is_alone: form.alone.0,
                new_is_alone: form.alone.1,
            })
        };
        let hunks: Result<Vec<Hunk>, base64::DecodeError> = form.hunks.into_iter().map(hunk).collect();
        Ok(Patch {
            before: form.before.as_ref().map(digest).transpose()?,
            after: digest(&form.after)?,
            hunks: hunks.map_err(|error| error.to_string())?,
        })
    }
}

/// For a field that may have none.
pub mod option {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{Form, Patch};

    pub fn serialize<S: Serializer>(patch: &Option<Patch>, to: S) -> Result<S::Ok, S::Error> {
        patch.as_ref().map(Form::from).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Patch>, D::Error> {
        let form: Option<Form> = Option::deserialize(from)?;
        form.map(Patch::try_from).transpose().map_err(D::Error::custom)
    }
}
