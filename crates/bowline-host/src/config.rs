//! Settings: the user's file, the project's file, and what holds of both together.
//!
//! An empty configuration works. Flags and variables are the program's and beat what stands here; a project's value beats
//! the user's, except that lists of rules are joined: a project cannot take back what its user refuses. What always holds:
//! of a file nobody trusted, only what chooses among the user's own things or takes something away counts.

mod checkpoints;
mod file;
mod models;
pub mod schema;
mod show;
mod write;

use std::path::Path;

use bowline_core::servers::ServerKind;
use bowline_core::turn::CheckRuns;

pub use checkpoints::CheckpointSettings;
pub use file::{ConfigError, Place, Setting, Source, Value};
pub use models::{ModelSettings, ModelTables};
pub use show::{Counts, Shown, shown};
pub use write::{Owner, SetError, set};

use schema::Needs;

/// The name of either file.
pub const FILE_NAME: &str = "bowline.toml";

/// Whether the user trusts the project's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    Yes,
    No,
}

/// Both files as they were read.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub user: Option<Source>,
    pub project: Option<Source>,
}

impl Files {
    /// The user's file (which must be there if it was named) and that of the project.
    pub fn read(user: &Path, named: Option<&Path>, root: &Path) -> Result<Files, ConfigError> {
        let own = named.unwrap_or(user);
        let found = Source::read(own)?;
        if let (None, Some(named)) = (&found, named) {
            let why = "there is no such file. Name another with --config, or omit --config".to_owned();
            return Err(ConfigError::Unreadable { file: named.display().to_string(), why });
        }
        let path = root.join(FILE_NAME);
        // Who works on bowline's own folder has one file, not two.
        let is_same = |path: &Path| {
            path.canonicalize().is_ok_and(|path| own.canonicalize().is_ok_and(|own| own == path))
        };
        let project = if is_same(&path) { None } else { Source::read(&path)? };
        Ok(Files { user: found, project })
    }

    /// What of the project's file counts only when it is trusted.
    pub fn in_need_of_trust(&self) -> Vec<&Setting> {
        let settings = self.project.iter().flat_map(|source| &source.settings);
        settings.filter(|setting| setting.key.needs == Needs::Trust).collect()
    }
}

/// What holds.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The user's.
    pub model: Option<SetModel>,
    /// The project's: a wish, for what the user has.
    pub project_model: Option<SetModel>,
    pub servers: Vec<ConfiguredServer>,
    pub models: ModelTables,
    pub permissions: Permissions,
    pub checks: Checks,
    pub edit: EditSettings,
    pub checkpoints: CheckpointSettings,
    pub sandbox: SandboxMode,
}

/// Whether commands that nobody approved run in a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// As far as this system enforces it.
    #[default]
    Auto,
    Off,
}

/// A model's name, and where it was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetModel {
    pub name: String,
    pub place: Place,
}

/// A server of the configuration, asked beside those that are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredServer {
    /// The word before the slash in its models' full names.
    pub name: String,
    pub base_url: String,
    /// Guessed from its answers where it is not set.
    pub kind: Option<ServerKind>,
    pub key_variable: Option<String>,
    pub place: Place,
}

/// Rules as they were written, the user's before the project's. What they mean is not decided here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permissions {
    /// The user's own: such commands are approved.
    pub allow: Vec<String>,
    /// The project's: such commands need no approval, and run sandboxed.
    pub allow_sandboxed: Vec<String>,
    pub ask: Vec<String>,
    pub deny: Vec<String>,
}

/// Commands that check the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    pub test: Option<String>,
    pub build: Option<String>,
    pub lint: Option<String>,
    /// When the program runs the check itself.
    pub runs: Option<CheckRuns>,
    pub time_s: Option<i64>,
    /// Further texts of a place while the check is red.
    pub samples: Option<i64>,
}

impl Checks {
    /// The command that checks a turn.
    pub fn command(&self) -> Option<&String> {
        self.test.as_ref().or(self.build.as_ref()).or(self.lint.as_ref())
    }
}

/// How edits are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EditSettings {
    pub mode: EditMode,
    /// Where it is not set, the model's calling mode decides.
    pub broken: Option<BrokenEdit>,
}

/// What is done about an edit after which a file no longer parses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenEdit {
    /// It is made, and the model is told.
    Report,
    /// It is not made.
    Refuse,
}

/// How sure the place of an edit has to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EditMode {
    #[default]
    Careful,
    Lenient,
}

impl Config {
    pub fn of(files: &Files, trust: Trust) -> Config {
        let mut config = Config::default();
        // The user's first: what comes later takes the place of it.
        for setting in files.user.iter().flat_map(|source| &source.settings) {
            config.set(setting);
        }
        let own_model = config.model.take();
        let own_allow = std::mem::take(&mut config.permissions.allow);
        let own_sandbox = config.sandbox;
        let counts = |setting: &&Setting| setting.key.needs == Needs::Nothing || trust == Trust::Yes;
        let project: Vec<&Setting> =
            files.project.iter().flat_map(|source| &source.settings).filter(counts).collect();
        // A server of the user's never gets another address with the user's key left beside it.
        let is_anew = |server: &ConfiguredServer| project.iter().any(|setting| is_of(setting, &server.name));
        config.servers.retain(|server| !is_anew(server));
        project.iter().for_each(|setting| config.set(setting));
        config.project_model = std::mem::replace(&mut config.model, own_model);
        config.permissions.allow_sandboxed = std::mem::replace(&mut config.permissions.allow, own_allow);
        if own_sandbox == SandboxMode::Auto {
            // A project can turn the sandbox on, and never off.
            config.sandbox = SandboxMode::Auto;
        }
        let own = files.user.as_ref().map(|source| source.settings.as_slice()).unwrap_or_default();
        config.models = ModelTables::of(&project, own);
        config
    }

    fn set(&mut self, setting: &Setting) {
        let path: Vec<&str> = setting.path.iter().map(String::as_str).collect();
        match (path.as_slice(), &setting.value) {
            (["model"], Value::Text(name)) => {
                self.model = Some(SetModel { name: name.clone(), place: setting.place.clone() });
            }
            (["servers", name, field], Value::Text(text)) => self.set_server(name, field, text, setting),
            (["permissions", list], Value::Texts(texts)) => {
                let Permissions { allow, ask, deny, .. } = &mut self.permissions;
                let list = match *list {
                    "allow" => allow,
                    "ask" => ask,
                    _ => deny,
                };
                list.extend(texts.iter().cloned());
            }
            (["checks", "run"], Value::Text(word)) => {
                self.checks.runs = Some(match word.as_str() {
                    "end" => CheckRuns::End,
                    "off" => CheckRuns::Off,
                    _ => CheckRuns::Auto,
                });
            }
            (["checks", "time_s"], Value::Count(seconds)) => self.checks.time_s = Some(*seconds),
            (["checks", "samples"], Value::Count(samples)) => self.checks.samples = Some(*samples),
            (["checks", which], Value::Text(command)) => {
                let Checks { test, build, lint, .. } = &mut self.checks;
                let check = match *which {
                    "test" => test,
                    "build" => build,
                    _ => lint,
                };
                *check = Some(command.clone());
            }
            (["edit", "mode"], Value::Text(mode)) => {
                self.edit.mode = if mode == "lenient" { EditMode::Lenient } else { EditMode::Careful };
            }
            (["edit", "broken"], Value::Text(word)) => {
                let broken = if word == "refuse" { BrokenEdit::Refuse } else { BrokenEdit::Report };
                self.edit.broken = Some(broken);
            }
            (["sandbox", "mode"], Value::Text(word)) => {
                self.sandbox = if word == "off" { SandboxMode::Off } else { SandboxMode::Auto };
            }
            (["checkpoints", word], value) => self.checkpoints.set(word, value),
            // Those of models are looked up by pattern.
            _ => {}
        }
    }

    fn set_server(&mut self, name: &str, field: &str, text: &str, setting: &Setting) {
        let known = self.servers.iter().position(|server| server.name == name);
        let at = known.unwrap_or_else(|| {
            self.servers.push(ConfiguredServer {
                name: name.to_owned(),
                base_url: String::new(),
                kind: None,
                key_variable: None,
                place: setting.place.clone(),
            });
            self.servers.len() - 1
        });
        let Some(server) = self.servers.get_mut(at) else { return };
        match field {
            "base_url" => server.base_url = text.trim_end_matches('/').to_owned(),
            "kind" => server.kind = ServerKind::ALL.into_iter().find(|kind| kind.word() == text),
            _ => server.key_variable = Some(text.to_owned()),
        }
    }
}

/// Whether a setting is one of this server.
fn is_of(setting: &Setting, server: &str) -> bool {
    matches!(setting.path.as_slice(), [table, name, ..] if table == "servers" && name == server)
}
