//! The module in host/rust, as a child of the benchmark. It is started with the
//! files of the module and of the echo guest.

#[path = "../../../child.rs"]
mod child;

use std::env;

use turncontext::Module;

fn main() -> child::Result<()> {
    let open = |file: Option<String>| -> child::Result<Module> {
        Ok(Module::options().open_file(file.ok_or("no file")?)?)
    };
    let mut files = env::args().skip(1);
    let (module, echo) = (open(files.next())?, open(files.next())?);
    child::serve(&|request| Ok(module.call("merge", request)?), &|request| {
        Ok(echo.call("merge", request)?)
    })
}
