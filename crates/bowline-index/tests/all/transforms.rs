//! What must hold for all renames, rewrites, removals and additions: no panic on any bytes, nothing outside of what is said
//! changes, what parsed before parses after, and a rename back gives every byte back.

use bowline_index::{
    Helpers, Mentions, Place, RenameRefused, SourceFile, add_after, bash_only, check, expose, imports,
    missing_imports, places, remove, rename, rewrite, to_plain_shell, uses,
};
use proptest::prelude::*;

const PATHS: [&str; 12] =
    ["a.sh", "a.c", "a.go", "a.java", "a.js", "a.lua", "a.php", "a.py", "a.rb", "src/a.rs", "a.ts", "a.cpp"];

/// Lines of which files in three languages are made, with one name that means many things.
const PYTHON: [&str; 14] = [
    "def load(path):\n    return path\n",
    "def other(load):\n    return load(1)\n",
    "class Shop:\n    def load(self):\n        return load(self.load(load=1))\n",
    "load(1)\n",
    "x = [load(y) for y in shop.load]\n",
    "__all__ = ['load', 'other']\n",
    "from shop import load\n",
    "import shop\n",
    "from shop import load as read\n",
    "def third():\n    load = 1\n    return load\n",
    "# load\n",
    "print(f\"{load} load\")\n",
    "LIMIT = load\n",
    "@load\ndef fourth():\n    global LIMIT\n    LIMIT = 2\n",
];
const SCRIPT: [&str; 12] = [
    "export function load(path) { return path; }\n",
    "function other(load) { return load(1); }\n",
    "class Shop { load() { return load(this.load({ load })); } }\n",
    "load(1);\n",
    "const x = { load, y: load, load: 1 };\n",
    "export { load };\n",
    "import { load } from './shop';\n",
    "const shop = require('./shop');\n",
    "const { load } = require('./shop');\n",
    "if (x) { const load = 1; load; }\n",
    "shop.load(`${load} load`); // load\n",
    "module.exports = { load };\n",
];
const RUST: [&str; 12] = [
    "pub fn load(path: &str) -> u32 { 1 }\n",
    "fn other(load: u32) -> u32 { load }\n",
    "struct Shop { load: u32 }\n",
    "impl Shop { fn get(&self) -> u32 { load(\"\") + self.load + Shop { load: 1 }.load } }\n",
    "use crate::shop::load;\n",
    "mod shop;\n",
    "fn third() { let load = 1; println!(\"{load} {}\", load); }\n",
    "fn fourth() { shop::load(\"a\"); crate::shop::load(\"b\"); assert!(load(\"c\") > 1); }\n",
    "mod tests { use super::*; fn run() { load(\"d\"); } }\n",
    "// load\n",
    "enum Day { load, Other }\n",
    "const LIMIT: u32 = 3;\n",
];

/// Two files of a language: the one is the module that the other imports.
fn projects() -> impl Strategy<Value = [(&'static str, String); 2]> {
    let file = |pieces: &'static [&'static str]| {
        prop::collection::vec(prop::sample::select(pieces), 0..8).prop_map(|pieces| pieces.concat())
    };
    prop_oneof![
        (file(&PYTHON), file(&PYTHON)).prop_map(|(one, other)| [("shop.py", one), ("main.py", other)]),
        (file(&SCRIPT), file(&SCRIPT)).prop_map(|(one, other)| [("shop.js", one), ("main.js", other)]),
        (file(&RUST), file(&RUST)).prop_map(|(one, other)| [("src/shop.rs", one), ("src/main.rs", other)]),
    ]
}

/// The lines of a text without one name.
fn without(text: &str, name: &str) -> Vec<String> {
    text.lines().map(|line| line.replace(name, "_")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_rename_changes_only_the_name_and_can_be_undone(files in projects(), index in any::<prop::sample::Index>()) {
        let sources = [
            SourceFile { path: files[0].0, content: files[0].1.as_bytes() },
            SourceFile { path: files[1].0, content: files[1].1.as_bytes() },
        ];
        let found = places(sources[0].path, sources[0].content);
        prop_assume!(!found.is_empty());
        let place = index.get(&found);
        let Ok(renamed) = rename(&sources, (sources[0].path, place), "fresh_name", Mentions::Certain) else { return Ok(()) };
        let mut after = files.clone();
        for changed in &renamed.files {
            let file = after.iter_mut().find(|(path, _)| *path == changed.path).unwrap();
            let before = file.1.clone();
            file.1 = String::from_utf8(changed.content.clone()).unwrap();
            let is_written_out = file.1.contains(": fresh_name") || file.1.contains("fresh_name: ");
            prop_assert!(
                is_written_out || without(&before, &place.name) == without(&file.1.replace("fresh_name", &place.name), &place.name)
            );
            prop_assert_eq!(check(changed.path.as_str(), before.as_bytes(), &changed.content), None);
        }
        let sources = [
            SourceFile { path: after[0].0, content: after[0].1.as_bytes() },
            SourceFile { path: after[1].0, content: after[1].1.as_bytes() },
        ];
        let again = places(sources[0].path, sources[0].content);
        let same = |other: &&Place| other.name == "fresh_name" && other.kind == place.kind;
        let place_after = again.iter().find(same).expect("the definition has the new name");
        match rename(&sources, (sources[0].path, place_after), &place.name, Mentions::Certain) {
            Ok(back) => {
                for changed in back.files {
                    let before = &files.iter().find(|(path, _)| *path == changed.path).unwrap().1;
                    let is_written_out = before.contains("{ load }") || before.contains("{ load,");
                    prop_assert!(is_written_out || changed.content == before.as_bytes());
                }
            }
            Err(refused) => prop_assert!(matches!(refused, RenameRefused::Taken { .. }), "{refused}"),
        }
    }

    #[test]
    fn a_removal_takes_only_lines_away(
        files in projects(),
        index in any::<prop::sample::Index>(),
        helpers in prop::sample::select(vec![Helpers::Kept, Helpers::Removed]),
    ) {
        let sources = [
            SourceFile { path: files[0].0, content: files[0].1.as_bytes() },
            SourceFile { path: files[1].0, content: files[1].1.as_bytes() },
        ];
        let found = places(sources[0].path, sources[0].content);
        prop_assume!(!found.is_empty());
        let place = index.get(&found);
        let Ok(removed) = remove(&sources, &[(sources[0].path, place)], helpers) else { return Ok(()) };
        for changed in removed.files {
            let before = &files.iter().find(|(path, _)| *path == changed.path).unwrap().1;
            prop_assert!(changed.content.len() < before.len());
            prop_assert_eq!(check(changed.path.as_str(), before.as_bytes(), &changed.content), None);
            let mut rest = before.bytes();
            prop_assert!(changed.content.iter().all(|byte| rest.any(|other| other == *byte)));
        }
    }

    #[test]
    fn a_rewrite_keeps_everything_else(
        files in projects(),
        index in any::<prop::sample::Index>(),
        pieces in prop::collection::vec(prop::sample::select(&PYTHON[..]), 0..4),
    ) {
        let (path, content) = &files[0];
        let found = places(path, content.as_bytes());
        prop_assume!(!found.is_empty());
        let place = index.get(&found);
        for text in [pieces.concat(), files[1].1.clone()] {
            if let Ok(rewritten) = rewrite(path, content.as_bytes(), place, &text) {
                prop_assert_eq!(check(path, content.as_bytes(), &rewritten.content), None);
                let now = places(path, &rewritten.content);
                prop_assert!(now.iter().any(|other| other.path() == place.path()) || !place.kind.is_definition());
                let outside = |other: &&Place| {
                    other.kind.is_definition()
                        && (other.bytes.end <= place.bytes.start || place.bytes.end <= other.bytes.start)
                };
                for other in found.iter().filter(outside) {
                    prop_assert!(now.iter().any(|now| now.path() == other.path()), "{}", other.path());
                }
            }
            if let Ok(added) = add_after(path, content.as_bytes(), Some(place), &text) {
                prop_assert_eq!(check(path, content.as_bytes(), &added.content), None);
                let mut rest = added.content.iter();
                prop_assert!(content.bytes().all(|byte| rest.any(|other| *other == byte)));
            }
        }
    }

    #[test]
    fn any_bytes_are_an_answer(
        path in prop::sample::select(&PATHS[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        text in ".{0,80}",
    ) {
        let _ = imports(path, &bytes);
        let _ = uses(path, &bytes, "a");
        let _ = missing_imports(path, &bytes, &[("a", "b.py"), ("b", "src/b.rs")]);
        let _ = (expose(path, &bytes, "a"), bash_only(path, &bytes), to_plain_shell(path, &bytes));
        let _ = add_after(path, &bytes, None, &text);
        let files = [SourceFile { path, content: &bytes }];
        for place in places(path, &bytes) {
            let _ = rename(&files, (path, &place), "fresh_name", Mentions::Certain);
            let _ = remove(&files, &[(path, &place)], Helpers::Removed);
            let _ = rewrite(path, &bytes, &place, &text);
            let _ = add_after(path, &bytes, Some(&place), &text);
        }
    }
}

/// A place of another content is refused and does no harm.
#[test]
fn a_place_of_another_file_is_no_harm() {
    let long = b"def load():\n    pass\n\n\ndef save():\n    pass\n";
    let short = b"x = 1\n";
    for place in places("a.py", long) {
        let files = [SourceFile { path: "a.py", content: short }];
        assert!(rename(&files, ("a.py", &place), "fresh_name", Mentions::Certain).is_err());
        assert!(remove(&files, &[("a.py", &place)], Helpers::Kept).is_err());
        assert!(rewrite("a.py", short, &place, "def load():\n    return 1\n").is_err());
        let _ = add_after("a.py", short, Some(&place), "def more():\n    return 1\n");
    }
}
