//! The tests of the package, in one program: it links a whole runtime of
//! WebAssembly, once.

mod agent;
mod conform;
mod fault;
mod module;
mod package;
mod thread;
mod typed;
mod vectors;

use std::path::{Path, PathBuf};

/// A path of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
