//! The sandbox: which of its layers hold on this system, and what follows for commands that nobody approved.

use bowline_host::config::SandboxMode;
use bowline_host::sandbox::{HeldFor, Helper, LayerState, Surroundings, report};

use super::Scene;
use super::finding::Finding;

const CHECK: &str = "sandbox";
const NEXT: &str = "docs/security.md says what is left to the rules";

pub(super) async fn sandbox(scene: &Scene) -> Vec<Finding> {
    let (Ok(home), Ok(project), Ok(settings)) = (&scene.home, &scene.project, &scene.settings) else {
        return Vec::new();
    };
    if settings.config.sandbox == SandboxMode::Off {
        let what = "it is off (sandbox.mode): only the rules stand between a command and your files";
        return vec![Finding::warning(CHECK, what, "bowline config set sandbox.mode auto")];
    }
    let surroundings = Surroundings::of(&project.root, home);
    let looking = tokio::task::spawn_blocking(move || report(&Helper::ThisProgram, &surroundings));
    let report = match looking.await.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(report) => report,
        Err(why) => {
            let what = format!("it can't be started, and no command runs without approval: {why}");
            return vec![Finding::warning(CHECK, what, "bowline run --no-sandbox does without it")];
        }
    };
    let commands = [
        ("commands that only read", report.reading),
        ("the project's own build and test commands", report.building),
    ];
    let held = commands.map(|(commands, held)| match held {
        HeldFor::Everything => Finding::ok(CHECK, format!("{commands} are held")),
        HeldFor::Contents => {
            let what = format!(
                "{commands} are held, but can see the names of hidden files and other programs' arguments"
            );
            Finding::warning(CHECK, what, NEXT)
        }
        HeldFor::Nothing => {
            Finding::warning(CHECK, format!("{commands} are not held: they run as any other"), NEXT)
        }
    });
    let is_whole = commands.iter().all(|(_, held)| *held == HeldFor::Everything);
    let layers = report.layers.into_iter().map(|(name, state)| match state {
        LayerState::Holds => Finding::ok(CHECK, format!("{name}: holds")),
        LayerState::Missing(why) if is_whole => {
            Finding::ok(CHECK, format!("{name}: not needed here ({why})"))
        }
        LayerState::Missing(why) => Finding::warning(CHECK, format!("{name}: missing ({why})"), NEXT),
    });
    held.into_iter().chain(layers).collect()
}
