//! Dependencies point down: which crate of the workspace may see which, and what the crates without I/O must not even
//! reach through others. Development dependencies are left out: tests may look up.

use super::Finding;
use super::tree::Tree;
use crate::metadata::{Metadata, Package};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which crates of the workspace a crate may depend on.
enum May {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

const LAYERS: [(&str, May); 7] = [
    ("bowline-edit", May::Only(&[])),
    ("bowline-core", May::Only(&["bowline-edit"])),
    ("bowline-checkpoint", May::Only(&[])),
    ("bowline-contain", May::Only(&[])),
    ("bowline-index", May::Only(&[])),
    ("bowline-script", May::Only(&[])),
    ("bowline-host", May::AllBut(&["bowline", "bowline-script", "xtask"])),
];

/// Crates that decide and do nothing: no I/O may come in through a dependency either.
const PURE: [&str; 2] = ["bowline-core", "bowline-edit"];

/// Packages, by how their names begin, that bring I/O, a runtime or a long build.
const HEAVY: [&str; 14] = [
    "aws-lc",
    "axum",
    "async-std",
    "hyper",
    "libsqlite3",
    "mio",
    "openssl",
    "reqwest",
    "ring",
    "rustls",
    "smol",
    "sqlx",
    "tokio",
    "tree-sitter",
];

pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in metadata.members() {
        let manifest = metadata.manifest_of(package);
        for (dependency, what) in upward(package).into_iter().chain(heavy(package, metadata)) {
            let line = tree.line_of(&manifest, |line| line.starts_with(&dependency));
            findings.push(Finding::new(manifest.clone(), line, what));
        }
    }
    findings
}

/// Dependencies inside the workspace that point the wrong way, each with what to say.
fn upward(package: &Package) -> Vec<(String, String)> {
    let Some((_, may)) = LAYERS.iter().find(|(name, _)| *name == package.name) else {
        return Vec::new();
    };
    let inside = package.dependencies.iter().filter(|own| own.path.is_some() && !own.is_development());
    inside
        .filter(|dependency| !permits(may, &dependency.name))
        .map(|dependency| {
            let name = dependency.name.clone();
            let what = format!("{} must not depend on {name}; move what it needs down", package.name);
            (name, what)
        })
        .collect()
}

fn permits(may: &May, name: &str) -> bool {
    match may {
        May::Only(names) => names.contains(&name),
        May::AllBut(names) => !names.contains(&name),
    }
}

/// Heavy packages that a pure crate reaches, each with the first step of the way there and what to say.
fn heavy(package: &Package, metadata: &Metadata) -> Vec<(String, String)> {
    if !PURE.contains(&package.name.as_str()) {
        return Vec::new();
    }
    let ways = ways_from(&package.id, metadata);
    let reached = ways.iter().filter(|way| way.last().is_some_and(|name| is_heavy(name)));
    reached
        .filter_map(|way| {
            let first = way.first()?;
            let what = format!("{} reaches {}; it has no I/O, do without", package.name, way.join(" → "));
            Some(((*first).to_owned(), what))
        })
        .collect()
}

fn is_heavy(name: &str) -> bool {
    HEAVY
        .iter()
        .any(|heavy| name == *heavy || name.strip_prefix(heavy).is_some_and(|rest| rest.starts_with('-')))
}

/// The shortest way to each package that is shipped with the one of that id, as names, without itself.
fn ways_from<'metadata>(id: &str, metadata: &'metadata Metadata) -> Vec<Vec<&'metadata str>> {
    let names = metadata.by_id();
    let edges: BTreeMap<&str, _> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), &node.deps)).collect();
    let mut seen = BTreeSet::from([id]);
    let mut waiting = VecDeque::from([(id, Vec::new())]);
    let mut ways = Vec::new();
    while let Some((from, way)) = waiting.pop_front() {
        for edge in edges.get(from).into_iter().flat_map(|deps| deps.iter()).filter(|edge| edge.is_shipped())
        {
            let Some(package) = names.get(edge.pkg.as_str()) else { continue };
            if seen.insert(&package.id) {
                let longer: Vec<&str> = way.iter().copied().chain([package.name.as_str()]).collect();
                ways.push(longer.clone());
                waiting.push_back((&package.id, longer));
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_is_a_family_of_names() {
        let table = [
            ("tokio", true),
            ("tokio-util", true),
            ("sqlx-core", true),
            ("tree-sitter-rust", true),
            ("libsqlite3-sys", true),
            ("mio", true),
            ("miow", false),
            ("string", false),
            ("strsim", false),
        ];
        for (name, expected) in table {
            assert_eq!(is_heavy(name), expected, "{name}");
        }
    }

    #[test]
    fn a_heavy_package_is_found_through_others_but_not_through_tests() {
        let metadata: Metadata = serde_json::from_value(serde_json::json!({
            "workspace_members": ["core"], "workspace_root": "/repo",
            "packages": [
                { "id": "core", "name": "bowline-core", "version": "0.1.0", "manifest_path": "/repo/core/Cargo.toml",
                  "targets": [], "dependencies": [
                    { "name": "middle" },
                    { "name": "bowline-host", "path": "/repo/host" },
                    { "name": "bowline-script", "kind": "dev", "path": "/repo/script" } ] },
                { "id": "middle", "name": "middle", "version": "1.0.0", "manifest_path": "", "targets": [], "dependencies": [] },
                { "id": "tokio", "name": "tokio", "version": "1.0.0", "manifest_path": "", "targets": [], "dependencies": [] },
                { "id": "sqlx", "name": "sqlx", "version": "1.0.0", "manifest_path": "", "targets": [], "dependencies": [] }
            ],
            "resolve": { "nodes": [
                { "id": "core", "deps": [
                    { "pkg": "middle", "dep_kinds": [{ "kind": null }] },
                    { "pkg": "sqlx", "dep_kinds": [{ "kind": "dev" }] } ] },
                { "id": "middle", "deps": [{ "pkg": "tokio", "dep_kinds": [{ "kind": "build" }] }] }
            ] }
        }))
        .unwrap();
        let tree = Tree::of(&[(
            "core/Cargo.toml",
            "[dependencies]\nmiddle = \"1\"\nbowline-host.workspace = true\n",
        )]);
        let found: Vec<String> = check(&tree, &metadata).iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "core/Cargo.toml:3: bowline-core must not depend on bowline-host; move what it needs down",
                "core/Cargo.toml:2: bowline-core reaches middle → tokio; it has no I/O, do without",
            ]
        );
    }
}
