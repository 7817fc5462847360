//! A native merge, as a child of the benchmark. Its echo is a copy of the
//! request.

#[path = "../../../child.rs"]
mod child;
mod merge;

fn main() -> child::Result<()> {
    child::serve(&|request| Ok(merge::merge(request)?), &|request| {
        Ok(request.to_vec())
    })
}
