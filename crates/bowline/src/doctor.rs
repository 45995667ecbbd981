//! `bowline doctor`: whether a turn can run here, and what to do where it can't. It makes and mends nothing; a database of
//! an earlier version is brought up to date, as by every command.
//!
//! A check is one function that takes the [`Scene`] and gives its findings; a new one is a function and a line in
//! [`examine`]. Exit code 0 if a turn can run, whatever the warnings; 5 without a model; 1 for another problem.

mod checkpoints;
mod configuration;
mod database;
mod finding;
mod guards;
mod home;
mod leftovers;
mod model;
mod project;
mod sandbox;
mod tool;

use bowline_host::clock::Clock;
use bowline_host::home::{Home, NoHome};
use bowline_host::project::{NoProject, Project};
use bowline_host::servers::Search;
use bowline_host::store::{Location, OpenError, Store};

use crate::args::{Configuration, Doctor};
use crate::exit::{Exit, Refusal};
use crate::output::print_line;
use crate::paint::Paint;
use crate::print::json_line;
use crate::settings::Settings;
use crate::trust::Asking;

use finding::{Finding, Level};

/// What there is to look at.
struct Scene {
    home: Result<Home, NoHome>,
    project: Result<Project, NoProject>,
    /// None where none was made yet: to open a database is to make it.
    store: Option<Result<Store, OpenError>>,
    /// What the configuration says, or why it can't be read.
    settings: Result<Settings, Refusal>,
    search: Search,
    now_ms: i64,
}

impl Scene {
    async fn look(args: &Doctor) -> Scene {
        let home = Home::find(|name| std::env::var_os(name));
        let store = match home.as_ref().map(|home| &home.database) {
            Ok(Location::Sqlite(path)) if !path.exists() => None,
            Ok(location) => Some(Store::open(location).await),
            Err(_) => None,
        };
        let settings = Settings::load(&Configuration::default(), &args.folder, Asking::Nobody).await;
        let mut search = args.server.search(None);
        if let Ok(settings) = &settings {
            settings.fill(&mut search);
        }
        Scene {
            home,
            project: Project::find(&args.folder),
            store,
            settings,
            search,
            now_ms: Clock::start().now_ms(),
        }
    }

    /// The database, if it opened.
    fn store(&self) -> Option<&Store> {
        self.store.as_ref()?.as_ref().ok()
    }
}

pub(crate) async fn doctor(args: Doctor) -> Exit {
    let scene = Scene::look(&args).await;
    let findings = examine(&scene).await;
    let paint = Paint::new(&std::io::stdout(), args.is_plain);
    for finding in &findings {
        if args.is_json {
            json_line(&finding.json());
        } else {
            finding.lines(paint).iter().for_each(|line| print_line(line));
        }
    }
    let exit = exit(&findings);
    if !args.is_json {
        print_line(&format!("\n{}", verdict(&findings, exit)));
    }
    exit
}

/// Every check, in the order a turn meets what they look at.
async fn examine(scene: &Scene) -> Vec<Finding> {
    let mut findings = vec![Finding::ok("bowline", format!("version {}", env!("CARGO_PKG_VERSION")))];
    findings.extend(home::folders(scene));
    findings.extend(configuration::configuration(scene));
    findings.extend(database::database(scene).await);
    let git = tool::git().await;
    findings.extend(project::project(scene, git.level()).await);
    findings.extend(checkpoints::checkpoints(scene, git.level()).await);
    findings.push(git);
    findings.push(tool::sh().await);
    findings.extend(sandbox::sandbox(scene).await);
    findings.extend(model::models(scene).await);
    findings.extend(guards::false_alarms(scene).await);
    findings.extend(leftovers::open_turns(scene).await);
    findings.extend(leftovers::temporary_files(scene));
    findings.extend(leftovers::worktrees(scene).await);
    findings
}

/// The first of 5, 1, 0.
fn exit(findings: &[Finding]) -> Exit {
    let has = |exit: Exit| findings.iter().any(|finding| finding.level() == Level::Problem(exit));
    match (has(Exit::NoModel), has(Exit::Failed)) {
        (true, _) => Exit::NoModel,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Done,
    }
}

fn verdict(findings: &[Finding], exit: Exit) -> String {
    let count = |word: &str, is_counted: fn(Level) -> bool| {
        let count = findings.iter().filter(|finding| is_counted(finding.level())).count();
        format!("{count} {word}{}", if count == 1 { "" } else { "s" })
    };
    let warnings = count("warning", |level| level == Level::Warning);
    if exit == Exit::Done {
        return format!("a turn can run here · {warnings}");
    }
    let problems = count("problem", |level| matches!(level, Level::Problem(_)));
    format!("no turn can run here · {problems} · {warnings}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_that_of_the_worst() {
        let ok = || Finding::ok("a", "fine");
        let warning = || Finding::warning("b", "so so", "look");
        let problem = || Finding::problem("c", "broken", "mend it");
        let no_model = || Finding::no_model("model", "none", "start one");
        assert_eq!(exit(&[ok(), warning()]), Exit::Done);
        assert_eq!(exit(&[ok(), problem()]), Exit::Failed);
        assert_eq!(exit(&[problem(), no_model(), warning()]), Exit::NoModel);
        let findings = [warning(), problem(), no_model()];
        assert_eq!(verdict(&findings, Exit::NoModel), "no turn can run here · 2 problems · 1 warning");
        assert_eq!(verdict(&[ok()], Exit::Done), "a turn can run here · 0 warnings");
    }
}
