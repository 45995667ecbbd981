//! The part of `cargo metadata` that tidy reads: the packages of the lock file and who depends on whom. Nothing is
//! resolved here; a lock file that does not fit the manifests is an error of cargo's own.

use crate::command::{cargo, output_of};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<String>,
    pub(crate) resolve: Resolve,
    pub(crate) workspace_root: String,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

/// A dependency as a manifest declares it.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
    /// The folder of a dependency inside the workspace.
    pub(crate) path: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) kind: Vec<String>,
}

#[derive(Deserialize)]
pub(crate) struct Resolve {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Deserialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) deps: Vec<Edge>,
}

#[derive(Deserialize)]
pub(crate) struct Edge {
    pub(crate) pkg: String,
    pub(crate) dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
pub(crate) struct EdgeKind {
    pub(crate) kind: Option<String>,
}

/// cargo's word for a dependency that only tests, examples and benches see.
const DEVELOPMENT: &str = "dev";

impl Dependency {
    pub(crate) fn is_development(&self) -> bool {
        self.kind.as_deref() == Some(DEVELOPMENT)
    }
}

impl Edge {
    /// Whether what is linked into users' programs, or builds it, goes along this edge.
    pub(crate) fn is_shipped(&self) -> bool {
        self.dep_kinds.iter().any(|edge| edge.kind.as_deref() != Some(DEVELOPMENT))
    }
}

impl Package {
    pub(crate) fn has_target(&self, kind: &str) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|own| own == kind))
    }
}

impl Metadata {
    pub(crate) fn read() -> Result<Self> {
        let text = output_of(&mut cargo(&["metadata", "--locked", "--format-version", "1"])).context(
            "the workspace cannot be read; if Cargo.lock is behind the manifests, `cargo check` renews it",
        )?;
        serde_json::from_str(&text).context("`cargo metadata` printed something unexpected")
    }

    /// The packages of the workspace, in the order of the manifest.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// The packages that come from elsewhere.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| !self.workspace_members.contains(&package.id))
    }

    pub(crate) fn by_id(&self) -> BTreeMap<&str, &Package> {
        self.packages.iter().map(|package| (package.id.as_str(), package)).collect()
    }

    /// A package's manifest as a path inside the repository.
    pub(crate) fn manifest_of(&self, package: &Package) -> String {
        let path = package.manifest_path.strip_prefix(&self.workspace_root).unwrap_or(&package.manifest_path);
        path.trim_start_matches('/').to_owned()
    }
}
