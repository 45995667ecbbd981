//! Every value with where it comes from, for `bowline config show`.

use super::schema::Needs;
use super::{Files, Setting, Trust, Value};

/// A value of a file, and whether it counts.
#[derive(Debug, Clone)]
pub struct Shown {
    pub setting: Setting,
    pub from: From,
    pub counts: Counts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    User,
    Project,
}

impl From {
    pub fn word(self) -> &'static str {
        match self {
            From::User => "user",
            From::Project => "project",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    Yes,
    /// The user did not trust the file.
    Untrusted,
    /// The project's value takes its place.
    Beaten,
}

/// All values of both files, the project's first.
pub fn shown(files: &Files, trust: Trust) -> Vec<Shown> {
    let counts = |setting: &Setting| match setting.key.needs == Needs::Nothing || trust == Trust::Yes {
        true => Counts::Yes,
        false => Counts::Untrusted,
    };
    let settings = |source: &Option<super::Source>| {
        source.as_ref().map(|source| source.settings.clone()).unwrap_or_default()
    };
    let mut all: Vec<Shown> = settings(&files.project)
        .into_iter()
        .map(|setting| Shown {
            counts: if loosens(&setting) { Counts::Beaten } else { counts(&setting) },
            setting,
            from: From::Project,
        })
        .collect();
    let project: Vec<Setting> =
        all.iter().filter(|shown| shown.counts == Counts::Yes).map(|shown| shown.setting.clone()).collect();
    for setting in settings(&files.user) {
        let is_beaten = project.iter().any(|other| beats(other, &setting));
        let counts = if is_beaten { Counts::Beaten } else { Counts::Yes };
        all.push(Shown { setting, from: From::User, counts });
    }
    all
}

/// Whether a project's file must not say it: it can turn the sandbox on, and never off.
fn loosens(setting: &Setting) -> bool {
    setting.path == ["sandbox", "mode"] && setting.value == Value::Text("off".to_owned())
}

/// Lists are joined; a server is taken as a whole; of models each value may be another pattern's.
fn beats(project: &Setting, user: &Setting) -> bool {
    match project.path.first().map(String::as_str) {
        Some("permissions") => false,
        Some("servers") => project.path[..2] == user.path[..2.min(user.path.len())],
        _ => project.path == user.path,
    }
}

impl Value {
    /// As TOML.
    pub fn toml(&self) -> String {
        match self {
            Value::Text(text) => quoted(text),
            Value::Count(number) => number.to_string(),
            Value::Number(number) => format!("{number:?}"),
            Value::Switch(is_on) => is_on.to_string(),
            Value::Texts(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                format!("[{}]", texts.join(", "))
            }
        }
    }

    pub fn json(&self) -> serde_json::Value {
        match self {
            Value::Text(text) => text.as_str().into(),
            Value::Count(number) => (*number).into(),
            Value::Number(number) => (*number).into(),
            Value::Switch(is_on) => (*is_on).into(),
            Value::Texts(texts) => texts.clone().into(),
        }
    }
}

/// A basic string: JSON's escapes are TOML's too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
