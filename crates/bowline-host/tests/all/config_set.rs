//! One value changed in a file: what stays, what is refused, and who may read it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use bowline_host::config::{Owner, set};

/// A file with this text after these changes; the first one that is refused stands for it.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bowline.toml");
    std::fs::write(&file, text).unwrap();
    for (key, value) in changes {
        if let Err(error) = set(&file, Owner::User, key, value) {
            let now = std::fs::read_to_string(&file).unwrap();
            assert_eq!(now, text, "refused, and changed all the same");
            return error.to_string().replace(file.to_str().unwrap(), "FILE");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something is left beside it");
    std::fs::read_to_string(&file).unwrap()
}

#[test]
fn comments_and_order_stay() {
    let text = "# Mine.\nmodel = \"a\" # the small one\n\n[checks] # what to run\ntest = 'make test'\n";
    let due = "# Mine.\nmodel = \"b\" # the small one\n\n[checks] # what to run\ntest = 'make test'\nlint = \"make lint\"\n";
    assert_eq!(changed(text, &[("model", "b"), ("checks.lint", "make lint")]), due);
}

#[test]
fn every_sort_of_value() {
    let changes = [
        ("model", "ollama/qwen3:8b"),
        ("servers.box.base_url", "http://10.0.0.5:8080/v1"),
        ("servers.box.kind", "vllm"),
        ("models.qwen2.5*.context", "32768"),
        ("models.\"qwen2.5*\".temperature", "0.2"),
        ("permissions.allow", "[\"cargo *\", \"git diff*\"]"),
        ("permissions.deny", "sudo *"),
        ("edit.mode", "lenient"),
    ];
    let due = r#"model = "ollama/qwen3:8b"

[servers.box]
base_url = "http://10.0.0.5:8080/v1"
kind = "vllm"

[models."qwen2.5*"]
context = 32768
temperature = 0.2

[permissions]
allow = ["cargo *", "git diff*"]
deny = ["sudo *"]

[edit]
mode = "lenient"
"#;
    assert_eq!(changed("", &changes), due);
    assert_eq!(
        changed("servers = { a = { base_url = \"http://a\" } }\n", &[("servers.a.base_url", "http://b")]),
        "servers = { a = { base_url = \"http://b\" } }\n"
    );
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let refused = |key: &str, value: &str| changed("model = \"a\"\n", &[(key, value)]);
    assert_eq!(refused("modle", "b"), "there is no setting modle. Did you mean model?");
    assert_eq!(
        refused("servers.box.baseurl", "b"),
        "there is no setting servers.box.baseurl. Did you mean servers.box.base_url?"
    );
    assert_eq!(
        refused("permissions", "b"),
        "permissions holds several settings: allow, ask, deny. Set one of them"
    );
    assert!(refused("models.a.context", "big").contains("a whole number from 256"));
    assert!(refused("models.a.context", "1").contains("the number 1"));
    assert!(refused("edit.mode", "wild").contains("one of \"careful\", \"lenient\""));
    assert!(refused("permissions.allow", "[1]").contains("a list of texts"));
    assert!(refused("servers.box.kind", "vllm").contains("an address"));
    assert!(refused("model", "").contains("can't be empty"));
    assert!(
        changed("model = [\n", &[("model", "b")]).contains("FILE:1:"),
        "a broken file is not mended by chance"
    );
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_new_file_is_private_and_an_old_one_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config/bowline/bowline.toml");
    set(&file, Owner::User, "model", "a").unwrap();
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    set(&link, Owner::User, "model", "b").unwrap();
    assert_eq!(mode(&file), 0o640);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "model = \"b\"\n");
}
