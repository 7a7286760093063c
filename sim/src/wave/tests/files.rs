//! The places of the files, and errors of places that cannot hold them.

use std::fs;

use super::*;

fn create(path: &Path) -> Result<WaveWriter, WaveError> {
    let layout = Layout::new(&design());
    let source = WaveSource { layout: &layout, engines: &ENGINES, scope: None, texts: &TEXTS, globs: &[] };
    WaveWriter::create(path, WaveFormat::Vcd, &source, &WavePlan::new(&source))
}

fn refusal(path: &Path) -> String {
    let before = fs::metadata(path).map(|found| found.len()).ok();
    let error = create(path).err().expect("a refusal").to_string();
    assert_eq!(fs::metadata(path).map(|found| found.len()).ok(), before, "what is there stays as it is");
    assert!(error.contains(&path.display().to_string()), "{error}");
    error
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn a_finished_dump_is_three_files_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("run.gtkw"), "an old one").expect("a file");
    let (files, _) = dump(&folder.path().join("run.vcd"), 0..3);
    assert_eq!(names(folder.path()), ["run.gtkw", "run.sucl", "run.vcd"]);
    let expected = ["run.vcd", "run.gtkw", "run.sucl"].map(|name| folder.path().join(name));
    assert_eq!([files.dump, files.gtkw.clone(), files.sucl], expected);
    assert!(fs::read_to_string(files.gtkw).expect("text").contains("run.vcd"), "the old one is replaced");
}

#[test]
fn a_dump_of_another_name_keeps_it() {
    let folder = tempfile::tempdir().expect("a folder");
    dump(&folder.path().join("waves.gtkw"), 0..3);
    assert_eq!(names(folder.path()), ["waves.gtkw", "waves.gtkw.gtkw", "waves.gtkw.sucl"]);
}

#[test]
fn an_unfinished_dump_leaves_nothing_and_touches_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.vcd");
    fs::write(&path, "an old one").expect("a file");
    drop(create(&path).expect("a writable path"));
    assert_eq!(names(folder.path()), ["run.vcd"]);
    assert_eq!(fs::read_to_string(path).expect("text"), "an old one");
}

#[cfg(unix)]
#[test]
fn others_may_read_the_files_as_they_may_any_new_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("plain");
    fs::write(&plain, "").expect("a file");
    let (files, _) = dump(&folder.path().join("run.vcd"), 0..3);
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!([&files.dump, &files.gtkw, &files.sucl].map(|path| mode(path)), [mode(&plain); 3]);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = refusal(&folder.path().join("none/run.vcd"));
    let missing = folder.path().join("none");
    assert!(
        error.ends_with(&format!("can't be written: there is no folder {}", missing.display())),
        "{error}"
    );
}

#[test]
fn a_file_in_place_of_the_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "").expect("a file");
    assert!(refusal(&folder.path().join("file/run.vcd")).contains("there is no folder"));
}

#[test]
fn a_folder_in_place_of_any_of_the_files_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("run.vcd")).expect("a folder");
    assert!(refusal(&folder.path().join("run.vcd")).ends_with("it is a folder"));
    fs::create_dir(folder.path().join("other.sucl")).expect("a folder");
    let error = create(&folder.path().join("other.vcd")).err().expect("a refusal").to_string();
    assert!(error.contains("other.sucl can't be written: it is a folder"), "{error}");
}

#[test]
fn a_protected_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.vcd");
    fs::write(&path, "").expect("a file");
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("rights");
    assert!(refusal(&path).ends_with("it is write-protected"));
}

#[cfg(unix)]
#[test]
fn a_device_is_refused() {
    assert!(refusal(Path::new("/dev/null")).ends_with("it is not a regular file"));
}

#[test]
fn a_plan_with_an_unknown_signal_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::new(&design());
    let source = WaveSource { layout: &layout, engines: &ENGINES, scope: None, texts: &TEXTS, globs: &[] };
    let mut plan = WavePlan::new(&source);
    plan.groups[0].items.push(WaveItem::Signal("tb.nothing".into()));
    let error = WaveWriter::create(&folder.path().join("run.vcd"), WaveFormat::Vcd, &source, &plan)
        .err()
        .expect("a refusal");
    assert_eq!(error.to_string(), "group `text` of the wave plan: there is no signal `tb.nothing`");
}
