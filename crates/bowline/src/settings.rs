//! The configuration as a command needs it: both files read, and what holds of them here.

use std::path::Path;

use bowline_host::config::{Config, FILE_NAME, Files, Trust, schema};
use bowline_host::home::Home;
use bowline_host::project::Project;
use bowline_host::servers::Search;

use crate::args::Configuration;
use crate::exit::{Exit, Refusal};
use crate::paint::tame;
use crate::trust::{self, Asking};

pub(crate) struct Settings {
    pub(crate) home: Home,
    pub(crate) project: Project,
    pub(crate) files: Files,
    pub(crate) trust: Trust,
    pub(crate) config: Config,
}

impl Settings {
    /// Two small files are read, and none is made. Only a project's file in need of trust has the database looked into.
    pub(crate) async fn load(
        args: &Configuration,
        folder: &Path,
        asking: Asking,
    ) -> Result<Settings, Refusal> {
        let home =
            Home::find(|name| std::env::var_os(name)).map_err(|error| Refusal::new(Exit::Failed, error))?;
        let project = Project::find(folder).map_err(|error| Refusal::new(Exit::Usage, error))?;
        let files = Files::read(&home.config.join(FILE_NAME), args.file.as_deref(), &project.root)
            .map_err(|error| Refusal::new(Exit::Usage, error))?;
        let trust = trust::of(&files, &home, asking).await?;
        let config = Config::of(&files, trust);
        Ok(Settings { home, project, files, trust, config })
    }

    pub(crate) fn root(&self) -> String {
        self.project.root.to_string_lossy().into_owned()
    }

    /// What the user should know of the settings, a line each.
    pub(crate) fn notices(&self) -> Vec<String> {
        let words = "bowline: checkpoints are off (checkpoints.enabled): what commands do can't be undone";
        let off = (!self.config.checkpoints.enabled).then(|| words.to_owned());
        self.ignored().into_iter().chain(off).collect()
    }

    /// What of the project's file does not count, in one line.
    fn ignored(&self) -> Option<String> {
        let ignored = self.files.in_need_of_trust();
        if ignored.is_empty() || self.trust == Trust::Yes {
            return None;
        }
        let keys: Vec<String> = ignored.iter().map(|setting| schema::dotted(&setting.path)).collect();
        let keys = tame(&keys.join(", ")).replace('\n', " ");
        let words = format!("{FILE_NAME} is not trusted, so these settings are ignored: {keys}");
        Some(format!("bowline: {words}. bowline trust shows and trusts the file"))
    }

    /// Where servers and models are looked for, with what the configuration says of them.
    pub(crate) fn fill(&self, search: &mut Search) {
        search.config = self.config.clone();
        let variables = self.config.servers.iter().filter_map(|server| server.key_variable.as_ref());
        let set = |variable: &String| {
            let value = std::env::var(variable).ok().filter(|value| !value.is_empty())?;
            Some((variable.clone(), value))
        };
        search.keys = variables.filter_map(set).collect();
    }
}
