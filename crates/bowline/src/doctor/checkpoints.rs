//! The checkpoint store of this folder: whether it can be used, how large it is, and how long what is in it stays.

use bowline_checkpoint::Failure;
use bowline_host::home::Home;
use bowline_host::restore::Tree;
use serde_json::json;

use super::Scene;
use super::finding::{Finding, Level};
use super::home::{megabytes, unwritable};

const CHECK: &str = "checkpoints";

pub(super) async fn checkpoints(scene: &Scene, git: Level) -> Vec<Finding> {
    let (Ok(home), Ok(project), Ok(settings)) = (&scene.home, &scene.project, &scene.settings) else {
        return Vec::new();
    };
    let set = settings.config.checkpoints;
    if !set.enabled {
        let what = "checkpoints are off: what commands do can't be undone";
        return vec![Finding::warning(CHECK, what, "bowline config set checkpoints.enabled true")];
    }
    if git != Level::Ok {
        let what = "no turn can be undone as a whole: checkpoints need git 2.30 or newer";
        return vec![Finding::warning(CHECK, what, "install it; bowline changes reverts edits without it")];
    }
    if let Some(folder) = unwritable(&home.checkpoints()) {
        let what = format!("{} is not writable: no turn can be undone", folder.display());
        return vec![Finding::warning(CHECK, what, "make it writable")];
    }
    if !home.checkpoints().exists() {
        return vec![Finding::ok(CHECK, "the first turn that writes takes one")];
    }
    let looked = look(home, project.root.clone(), set.store(home.forbidden())).await;
    vec![looked.unwrap_or_else(|failure| {
        Finding::warning(CHECK, failure.to_string(), "bowline checkpoint take shows whether one can be taken")
    })]
}

async fn look(
    home: &Home,
    root: std::path::PathBuf,
    settings: bowline_checkpoint::Settings,
) -> Result<Finding, Failure> {
    let tree = Tree::open(&home.checkpoints(), &root, settings).await?;
    let health = tree.ask(bowline_checkpoint::Store::health).await?;
    let (folder, count) = (tree.folder(), tree.count().await?);
    let figures = json!({ "bytes": health.bytes, "checkpoints": count });
    let what = format!("{count} kept for this folder · {}", megabytes(health.bytes));
    Ok(match health.trouble {
        None if count == 0 => Finding::ok(CHECK, "the first turn that writes takes one"),
        None => Finding::ok(CHECK, what),
        Some(trouble) => {
            let next =
                format!("move {} away: new ones are taken then, the old ones are lost", folder.display());
            Finding::warning(CHECK, format!("{what} · damaged: {trouble}"), next)
        }
    }
    .with(figures))
}
