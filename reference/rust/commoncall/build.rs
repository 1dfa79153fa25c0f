//! Lists the data of the specification that the crate compiles in: schemas, dialects, formats and interfaces, as they stand. The
//! package holds them in `data`, which leads to them in the repository; where links are lost, they are found all the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The constants, each with a folder of `data` and where that stands in the repository.
const DATA: [(&str, &str, &str); 4] = [
    ("SCHEMAS", "schemas", "schemas/v1"),
    ("DIALECTS", "dialects", "spec/v1/dialects"),
    ("FORMATS", "formats", "spec/v1/formats"),
    ("INTERFACES", "interfaces", "spec/v1/interfaces"),
];

/// The schemas that the operations refer to.
const SCHEMAS: [&str; 7] = ["payload", "capability", "event", "extraction", "turn", "interface", "formats"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rustc-check-cfg=cfg(in_repository)");
    if root.join("../../../spec/use/rust.md").exists() {
        println!("cargo:rustc-cfg=in_repository");
    }
    let mut text = String::new();
    for (name, packaged, place) in DATA {
        let packaged = root.join("data").join(packaged);
        let folder = if packaged.is_dir() { packaged } else { root.join("../../..").join(place) };
        let folders = if name == "SCHEMAS" { SCHEMAS.iter().map(|each| folder.join(each)).collect() } else { vec![folder] };
        let _ = writeln!(text, "pub(crate) const {name}: &[&str] = &[");
        for folder in folders {
            for file in files(&folder)? {
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
