//! The packaged crate works in an empty folder: its module is inside, and the
//! README's example runs as it is written.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repository;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Runs cargo as a person would: what it sets for a test run would make it
/// build dependencies again.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    for (name, _) in env::vars() {
        if name.starts_with("CARGO_") && name != "CARGO_HOME" {
            command.env_remove(name);
        }
    }
    let output = command
        .args(arguments)
        .args(["--offline", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The folder that this test was built in.
fn target() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.ancestors().nth(3).unwrap().to_owned()
}

/// The code block of the README behind the marker of that name.
fn example(name: &str) -> String {
    let readme = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let (_, rest) = readme
        .split_once(&format!("<!-- example:{name} -->\n```"))
        .unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let (code, _) = rest.split_once("```").unwrap();
    code.to_owned()
}

/// A part of this crate's Cargo.toml, from a heading to the next.
fn section(manifest: &str, heading: &str) -> String {
    let (_, rest) = manifest.split_once(&format!("\n{heading}\n")).unwrap();
    rest.split("\n[").next().unwrap().to_owned()
}

/// GitHub shows it too, which does not resolve the names of items.
#[test]
fn the_readme_links_nothing_that_only_rustdoc_finds() {
    let readme = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    for (at, _) in readme.match_indices("`]") {
        let rest = &readme[at..];
        assert!(rest.starts_with("`]("), "{}", rest.lines().next().unwrap());
    }
}

#[test]
fn in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    cargo(
        Path::new(CRATE),
        &["package", "--no-verify", "--allow-dirty", "--locked"],
    );
    let name = concat!("turncontext-", env!("CARGO_PKG_VERSION"));
    let archive = target().join(format!("package/{name}.crate"));
    let unpacked = Command::new("tar")
        .arg("xzf")
        .arg(archive)
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(unpacked.success());

    let package = folder.path().join(name);
    let inside = fs::read(package.join("turncontext.wasm")).unwrap();
    assert_eq!(
        inside,
        fs::read(repository("build/turncontext.wasm")).unwrap()
    );
    let license = fs::read_to_string(package.join("LICENSE")).unwrap();
    assert!(license.contains("Apache License"));
    let others = fs::read_to_string(package.join("THIRD_PARTY_LICENSES")).unwrap();
    assert!(others.contains("The Go Authors"));

    // A project with the same dependencies and the same profile as the tests
    // have, so that the SDK is not compiled once more.
    let manifest = fs::read_to_string(Path::new(CRATE).join("Cargo.toml")).unwrap();
    let project = folder.path().join("project");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::copy(package.join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    fs::write(project.join("src/main.rs"), example("rust")).unwrap();
    let text = format!(
        "[package]\nname = \"project\"\nedition = \"2024\"\n\
         [dependencies]\nturncontext = {{ path = \"../{name}\" }}\n{}\n\
         [profile.dev]\n{}\n[profile.dev.package.\"*\"]\n{}",
        section(&manifest, "[dev-dependencies]"),
        section(&manifest, "[profile.dev]"),
        section(&manifest, "[profile.dev.package.\"*\"]"),
    );
    fs::write(project.join("Cargo.toml"), text).unwrap();
    assert_eq!(cargo(&project, &["run"]), example("output"));
}
