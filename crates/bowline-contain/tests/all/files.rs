//! What each profile can read and write.

use std::fs;
use std::os::unix::fs::symlink;

use bowline_contain::{CellError, CellSpec, Profile, Status, git_folders};

use crate::scene::{Scene, exists, helper, mounts};

/// A line that a shell runs, and whether it succeeds under `read` and under `build`.
const TABLE: [(&str, bool, bool); 30] = [
    // The project.
    ("cat $P/file", true, true),
    ("echo x > $P/new", false, true),
    ("echo x >> $P/file", false, true),
    ("mkdir $P/folder && rmdir $P/folder", false, true),
    ("ln -s file $P/link && rm $P/link", false, true),
    ("chmod 600 $P/file", false, true),
    ("touch $P/file", false, true),
    ("mv $P/file $P/moved && mv $P/moved $P/file", false, true),
    ("echo x > $P/deep/er/file", false, true),
    // Git's own, also nested ones.
    ("cat $P/.git/config", true, true),
    ("echo x > $P/.git/config", false, false),
    ("echo x > $P/.git/hooks/post-commit", false, false),
    ("mv $P/.git $P/other", false, false),
    ("rm -r $P/.git", false, false),
    ("echo x > $P/vendor/lib/.git/config", false, false),
    ("echo x > $P/module/.git", false, false),
    // The folder around one may move, and what is protected goes with it.
    ("mv $P/vendor $P/v; echo x > $P/v/lib/.git/config; s=$?; mv $P/v $P/vendor; exit $s", false, false),
    // The rest of the system.
    ("cat /etc/passwd", true, true),
    ("cat $T/home/notes", true, true),
    ("echo x > $T/home/new", false, false),
    ("echo x > /etc/new-file", false, false),
    ("echo x > /new-file", false, false),
    ("ln $T/home/notes $P/hard", false, false),
    ("echo x > /dev/sda", false, false),
    // What is the cell's own.
    ("echo x > /dev/null && cat /dev/zero | head -c 3", true, true),
    ("echo x > /tmp/new && echo x > /var/tmp/new && echo x > /dev/shm/new", true, true),
    ("test -z \"$(ls /run | grep -v '^systemd$')\"", true, true),
    // Caches that were named, inside of a folder that was not.
    ("cat $T/home/.cache/tool/entry", true, true),
    ("echo x > $T/home/.cache/tool/entry", false, true),
    ("echo x > $T/home/.cache/other", false, false),
];

fn furnished() -> Scene {
    let scene = Scene::new();
    for (name, text) in [
        ("project/file", "text\n"),
        ("project/deep/er/file", ""),
        ("project/.git/config", "[core]\n"),
        ("project/.git/hooks/sample", ""),
        ("project/vendor/lib/.git/config", "[core]\n"),
        ("project/module/.git", "gitdir: ../.git/modules/module\n"),
        ("home/notes", "notes\n"),
        ("home/.cache/tool/entry", ""),
        ("home/.cache/other", ""),
    ] {
        scene.write(name, text);
    }
    scene.with(|scene, spec| {
        let found = git_folders(&scene.path("project"), 1000);
        assert_eq!(found.paths.len(), 3);
        spec.writable(scene.path("home/.cache/tool")).writable("/no/such/cache").protected_all(found.paths)
    })
}

#[test]
fn what_each_profile_reads_and_writes() {
    let scene = furnished();
    let cell = scene.cell();
    let mut wrong = Vec::new();
    for (line, read, build) in TABLE {
        for (profile, expected) in [(Profile::Read, read), (Profile::Build, build)] {
            let ran = scene.run(&cell, profile, &format!("( {line} ) 2>&1"));
            if (ran.status == Status::Exited(0)) != expected {
                wrong.push(format!("{line} under {profile}: {ran:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(scene.read("project/.git/config").as_deref(), Some("[core]\n"));
    assert_eq!(scene.read("project/vendor/lib/.git/config").as_deref(), Some("[core]\n"));
    assert!(!exists(&scene.path("home/new")));
}

/// Ways to the contents of a file, or of what is in a folder, that is to be hidden.
const WAYS: [&str; 12] = [
    "cat $S",
    "cat < $S",
    "cp $S /tmp/copy && cat /tmp/copy",
    "cat $S/*",
    "ls $S",
    "ln $S /tmp/hard && cat /tmp/hard",
    "ln $S $P/hard && cat $P/hard",
    "cat /proc/self/root$S",
    "cat /proc/1/root$S",
    "cat /proc/$PPID/root$S",
    "mv $S $P/moved && cat $P/moved",
    "cd \"$(dirname $S)\" && cat \"./$(basename $S)\" \"./$(basename $S)\"/*",
];

fn assert_hidden(scene: &Scene, hidden: &[&str]) {
    let cell = scene.cell();
    for path in hidden {
        for profile in [Profile::Read, Profile::Build] {
            for way in WAYS {
                let line = format!("S={}; {way}", scene.path(path).display());
                let ran = scene.run(&cell, profile, &line);
                assert!(!ran.text.contains("secret"), "{way} of {path} under {profile}: {ran:?}");
            }
            let line = format!("echo x >> {}", scene.path(path).display());
            let ran = scene.run(&cell, profile, &line);
            assert_ne!(ran.status, Status::Exited(0), "{path} was written");
        }
    }
}

#[test]
fn secrets_in_the_project_and_beside_it_are_covered() {
    let scene = Scene::new();
    for name in ["project/.env", "project/keys/a.pem", "home/.ssh/id_key"] {
        scene.write(name, "secret\n");
    }
    symlink("keys/a.pem", scene.path("project/linked")).unwrap();
    let scene = scene.with(|scene, spec| {
        let spec = spec.hidden(scene.path("project/.env")).hidden(scene.path("project/linked"));
        spec.hidden(scene.path("home/.ssh")).hidden(scene.path("home/.gnupg"))
    });
    assert_hidden(&scene, &["project/.env", "project/keys/a.pem", "home/.ssh", "home/.ssh/id_key"]);
    // The link was named, and what it leads to is hidden. What is beside that is not.
    let cell = scene.cell();
    assert_eq!(scene.run(&cell, Profile::Build, "cat linked 2>/dev/null").text, "");
    let ran = scene.run(&cell, Profile::Build, "echo x > keys/b && cat keys/b");
    assert_eq!((ran.status, ran.text.as_str()), (Status::Exited(0), "x\n"));
}

#[test]
fn covers_come_last_also_where_the_project_is_the_home_folder() {
    let scene = Scene::new();
    for name in ["home/.ssh/key", "home/.cargo/credentials.toml", "home/work/.env", "home/.cache/token"] {
        scene.write(name, "secret\n");
    }
    let names =
        ["home/.ssh", "home/.ssh/key", "home/.cargo/credentials.toml", "home/work/.env", "home/.cache/token"];
    let scene = scene.with(|scene, spec| {
        // Writable folders inside writable ones, and secrets in each.
        let writable = ["home", "home/.cargo", "home/.cache"].map(|name| scene.path(name));
        let spec = writable.into_iter().fold(spec, CellSpec::writable);
        names.iter().fold(spec, |spec, name| spec.hidden(scene.path(name)))
    });
    assert_hidden(&scene, &names);
}

#[test]
fn a_hidden_folder_with_something_writable_in_it_is_refused() {
    let scene = Scene::new().with(|scene, spec| spec.hidden(scene.path("")));
    let error = bowline_contain::Cell::start(&helper(), &scene.spec).unwrap_err();
    assert!(matches!(error, CellError::HiddenAndWritable { .. }), "{error}");
}

#[test]
fn temporary_folders_are_the_cells_own_and_shared_by_its_commands() {
    let outside = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    let scene = Scene::new();
    let (one, other) = (scene.cell(), scene.cell());
    let line = format!("ls {}", outside.path().display());
    assert_ne!(scene.run(&one, Profile::Build, &line).status, Status::Exited(0));
    assert_eq!(scene.run(&one, Profile::Build, "echo kept > /tmp/a").status, Status::Exited(0));
    assert_eq!(scene.run(&one, Profile::Read, "cat /tmp/a; rm /tmp/a").text, "kept\n");
    assert_eq!(scene.run(&one, Profile::Build, "echo kept > /tmp/a").status, Status::Exited(0));
    assert_ne!(scene.run(&other, Profile::Build, "cat /tmp/a").status, Status::Exited(0));
}

#[test]
fn what_is_shown_below_tmp_is_read_only() {
    let shown = tempfile::tempdir_in("/tmp").unwrap();
    fs::write(shown.path().join("file"), "shown\n").unwrap();
    fs::create_dir(shown.path().join("inside")).unwrap();
    let scene = Scene::new();
    let scene = scene.with(|_, spec| spec.visible(shown.path()).writable(shown.path().join("inside")));
    let cell = scene.cell();
    let folder = shown.path().display();
    assert_eq!(scene.run(&cell, Profile::Build, &format!("cat {folder}/file")).text, "shown\n");
    assert_ne!(
        scene.run(&cell, Profile::Build, &format!("echo x > {folder}/file")).status,
        Status::Exited(0)
    );
    let line = format!("echo x > {folder}/inside/new");
    assert_ne!(scene.run(&cell, Profile::Read, &line).status, Status::Exited(0));
    assert_eq!(scene.run(&cell, Profile::Build, &line).status, Status::Exited(0));
}

#[test]
fn a_link_put_in_the_way_leads_nowhere() {
    let scene = Scene::new();
    scene.write("home/target/file", "outside\n");
    symlink(scene.path("home/target"), scene.path("project/out")).unwrap();
    let cell = scene.cell();
    let ran =
        scene.run(&cell, Profile::Build, "echo x > out/file; echo x > out/new; echo x > ../home/target/file");
    assert_ne!(ran.status, Status::Exited(0));
    assert_eq!(scene.read("home/target/file").as_deref(), Some("outside\n"));
    assert_eq!(scene.read("home/target/new"), None);
}

#[test]
fn every_mount_that_can_be_written_is_the_cells_own_or_named() {
    let scene = Scene::new();
    let cell = scene.cell();
    let listing = scene.run(&cell, Profile::Build, "cat /proc/self/mountinfo").text;
    let own = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/pts"];
    let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
    let mut last = std::collections::BTreeMap::new();
    for line in listing.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        last.insert(fields[4], fields[5].split(',').any(|option| option == "rw"));
    }
    let project = scene.path("project");
    for (path, _) in last.iter().filter(|(_, writable)| **writable) {
        let known = own.contains(path) || devices.contains(path) || std::path::Path::new(path) == project;
        // What lies below a mount of the cell's own can no longer be reached.
        let covered = own.iter().chain(&["/dev", "/proc"]).any(|own| path.starts_with(&format!("{own}/")));
        assert!(known || covered, "{path} can be written\n{listing}");
    }
    // And nothing of it is seen outside.
    assert!(!mounts("self").contains_key(project.to_str().unwrap()));
}

#[test]
fn a_project_below_tmp_is_where_it_was() {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let project = folder.path().join("project");
    for (name, text) in [(".git/config", "[core]\n"), (".env", "secret\n"), ("file", "text\n")] {
        let path = project.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let scene = Scene::new()
        .with(|_, spec| spec.writable(&project).protected(project.join(".git")).hidden(project.join(".env")));
    let cell = scene.cell();
    let table = [
        ("cat file", true, true),
        ("echo text > file", false, true),
        ("echo x > .git/config", false, false),
        ("echo x > .env", false, false),
        ("echo x > ../beside", true, true),
    ];
    for (line, read, build) in table {
        for (profile, expected) in [(Profile::Read, read), (Profile::Build, build)] {
            let ran = scene.run(&cell, profile, &format!("cd {} && {line}", project.display()));
            assert_eq!(ran.status == Status::Exited(0), expected, "{line} under {profile}: {ran:?}");
        }
    }
    assert_eq!(fs::read_to_string(project.join(".git/config")).unwrap(), "[core]\n");
    // What is beside it is the cell's own.
    assert!(!exists(&folder.path().join("beside")));
}
