//! Lists the data of the specification that the crate compiles in: schemas, dialects and formats, as they stand. `data` leads to
//! them in the repository, and holds them in the package.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("data");
    println!("cargo:rustc-check-cfg=cfg(in_repository)");
    if root.join("../../../../spec/use/rust.md").exists() {
        println!("cargo:rustc-cfg=in_repository");
    }
    let mut text = String::new();
    let schemas =
        ["payload", "capability", "event", "extraction", "turn", "interface", "formats"].map(|each| format!("schemas/{each}"));
    for (name, folders) in [
        ("SCHEMAS", &schemas[..]),
        ("DIALECTS", &["dialects".to_owned()]),
        ("FORMATS", &["formats".to_owned()]),
        ("INTERFACES", &["interfaces".to_owned()]),
    ] {
        let _ = writeln!(text, "pub(crate) const {name}: &[&str] = &[");
        for folder in folders {
            for file in files(&root.join(folder))? {
                let _ = writeln!(text, "    include_str!({:?}),", file.display().to_string());
            }
        }
        text.push_str("];\n");
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("data.rs"), text)
}

/// The JSON files of a folder, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize()?;
        if path.extension().is_some_and(|each| each == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
