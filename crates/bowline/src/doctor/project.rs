//! The folder a turn would work in: a repository or not, with a commit or not, and whether it can be written.

use std::path::Path;

use bowline_host::project::ProjectKind;

use super::Scene;
use super::finding::{Finding, Level};
use super::tool::output;

const CHECK: &str = "project";

pub(super) async fn project(scene: &Scene, git: Level) -> Vec<Finding> {
    let project = match &scene.project {
        Ok(project) => project,
        Err(error) => return vec![Finding::failure(CHECK, error)],
    };
    let shown = project.root.display();
    let mut findings = Vec::new();
    if project.check_writable().is_err() {
        let what = format!("{shown} is not writable");
        findings.push(Finding::problem(CHECK, what, "make it writable, or run with --read-only"));
    }
    findings.push(match (project.kind, git) {
        (ProjectKind::Folder, _) => Finding::ok(CHECK, format!("{shown}, a folder without git")),
        (ProjectKind::Git, Level::Ok) => repository(&project.root).await,
        (ProjectKind::Git, _) => Finding::ok(CHECK, format!("{shown}, a git repository")),
    });
    findings
}

async fn repository(root: &Path) -> Finding {
    let shown = root.display();
    let inside = match output("git", &["rev-parse", "--is-inside-work-tree"], root).await {
        Ok(inside) => inside,
        Err(error) => {
            return Finding::warning(
                CHECK,
                format!("git does not answer in {shown} ({error})"),
                "try git status there",
            );
        }
    };
    if !inside.status.success() {
        let why = String::from_utf8_lossy(&inside.stderr);
        let why = why.lines().next().unwrap_or_default();
        return Finding::warning(
            CHECK,
            format!("git refuses to work in {shown}: {why}"),
            "git status there says what to do",
        );
    }
    let head = output("git", &["rev-parse", "--verify", "--quiet", "HEAD"], root).await;
    if head.is_ok_and(|head| head.status.success()) {
        Finding::ok(CHECK, format!("{shown}, a git repository"))
    } else {
        Finding::ok(CHECK, format!("{shown}, a git repository without a commit yet"))
    }
}
