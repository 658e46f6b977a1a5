//! Compiles shaders as Bevy does, but without Bevy, and checks the result as a driver does, but without one.
//!
//! Bevy's own modules are read from the sources that Cargo has fetched.

use super::{MODULES, SHARED, shared};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Expression, Module, ScalarKind, SourceLocation, Span, TypeInner};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use wesl::error::ResolveError;
use wesl::resolver::Resolver;
use wesl::sourcemap::SourceMap;
use wesl::syntax::{ModulePath, PathOrigin};
use wesl::{CompileOptions, CompileResult};

/// A name that shaders test with `@if`, and for numbers also read from `constants`.
pub type Definition<'a> = (&'a str, Option<u32>);

/// Compiles a module of this crate to WGSL. The error says what is wrong, in which file and line.
pub fn compile_module(name: &str, definitions: &[Definition]) -> Result<String, String> {
    compile(ModulePath::new(PathOrigin::Package(CRATE.into()), vec![name.into()]), "", definitions)
}

/// Compiles the text of a shader that belongs to a game or to a test.
pub fn compile_text(text: &str, definitions: &[Definition]) -> Result<String, String> {
    compile(ModulePath::new(PathOrigin::Absolute, vec!["shader".into()]), text, definitions)
}

const CRATE: &str = env!("CARGO_PKG_NAME");

fn compile(main: ModulePath, text: &str, definitions: &[Definition]) -> Result<String, String> {
    // As `ShaderCache` of Bevy sets them.
    let mut options = CompileOptions { visibility: false, ..CompileOptions::default() };
    let mut constants = String::new();
    for &(name, number) in definitions {
        options.features.flags.insert(name.to_owned(), true.into());
        if let Some(number) = number {
            constants += &format!("const {name} = {number};\n");
        }
    }
    let compiled = wesl::compile(&main, &options, &Modules { text, constants })
        .map_err(|error| error.diagnostic().render_plain())?;
    let wgsl = compiled.to_string();
    let explain = |location: Option<SourceLocation>, message: String| {
        position(&main, &compiled, &wgsl, location).unwrap_or_default() + &message
    };
    let module = naga::front::wgsl::parse_str(&wgsl)
        .map_err(|error| explain(error.location(&wgsl), error.emit_to_string(&wgsl)))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| explain(error.location(&wgsl), error.emit_to_string(&wgsl)))?;
    match select_without_webgl(&module, &info) {
        Some(span) => Err(explain(Some(span.location(&wgsl)), "WebGL 2 can't select parts of integers".to_owned())),
        None => Ok(wgsl),
    }
}

/// A `select` by a vector of conditions between vectors of anything but floats. It is valid, but naga writes for it a `mix` that GLSL
/// of WebGL 2 does not have.
fn select_without_webgl(module: &Module, info: &ModuleInfo) -> Option<Span> {
    let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entries = module.entry_points.iter().enumerate();
    let entries = entries.map(|(number, entry)| (&entry.function, info.get_entry_point(number)));
    functions.chain(entries).find_map(|(function, info)| {
        let is_wrong = |expression: &Expression| {
            let Expression::Select { condition, accept, .. } = *expression else { return false };
            let [condition, accept] = [condition, accept].map(|part| info[part].ty.inner_with(&module.types));
            matches!(condition, TypeInner::Vector { .. })
                && accept.scalar().is_none_or(|scalar| scalar.kind != ScalarKind::Float)
        };
        let mut all = function.expressions.iter();
        all.find(|(_, expression)| is_wrong(expression)).map(|(handle, _)| function.expressions.get_span(handle))
    })
}

/// The file and the line of the declaration that has `location` in the compiled text.
fn position(
    main: &ModulePath,
    compiled: &CompileResult,
    wgsl: &str,
    location: Option<SourceLocation>,
) -> Option<String> {
    let before = wgsl.lines().take(location?.line_number as usize);
    let declaration = before.filter(|line| line.starts_with(char::is_alphabetic)).last()?;
    let mut words = declaration.split(|c: char| !c.is_alphanumeric() && c != '_');
    let (kind, name) = (words.next()?, words.next()?);
    let map = compiled.sourcemap.as_ref()?;
    // Names of the main module are as they were.
    let (path, name) = map.item(name).map_or((main, name), |item| (&item.path, &item.name));
    let line = map.source(path)?.lines().position(|line| line.contains(&format!("{kind} {name}")))? + 1;
    Some(format!("{}:{line}: in `{name}`\n", map.display_name(path)?))
}

/// Finds modules by their path.
struct Modules<'a> {
    /// The shader of a game or a test.
    text: &'a str,
    /// The module `constants`.
    constants: String,
}

impl Modules<'_> {
    /// The file of a module, for messages and for Bevy's modules.
    fn file(path: &ModulePath) -> Option<PathBuf> {
        let PathOrigin::Package(package) = &path.origin else { return Some("shader.wesl".into()) };
        let folder = if package == CRATE {
            Path::new("src/render/shaders").to_owned()
        } else {
            sources().get(package)?.join("src")
        };
        Some(folder.join(path.components.join("/")).with_extension("wesl"))
    }
}

impl Resolver for Modules<'_> {
    fn resolve_source(&self, path: &ModulePath) -> Result<Cow<'_, str>, ResolveError> {
        let path = self.canonical_path(path);
        let missing = |why: String| ResolveError::ModuleNotFound(path.clone(), why);
        match (&path.origin, path.components.as_slice()) {
            (PathOrigin::Absolute, _) => Ok(Cow::Borrowed(self.text)),
            (PathOrigin::Package(package), []) if package == "constants" => Ok(Cow::Borrowed(&self.constants)),
            (PathOrigin::Package(package), [name]) if package == CRATE && name == SHARED => Ok(Cow::Owned(shared())),
            (PathOrigin::Package(package), [name]) if package == CRATE => {
                let module = MODULES.iter().find(|(module, _)| module == name);
                module.map(|(_, text)| Cow::Borrowed(*text)).ok_or_else(|| missing("this crate has none".into()))
            }
            _ => {
                let file = Self::file(&path).ok_or_else(|| missing("Cargo has fetched no such crate".into()))?;
                std::fs::read_to_string(&file)
                    .map(Cow::Owned)
                    .map_err(|error| missing(format!("{}: {error}", file.display())))
            }
        }
    }

    fn display_name(&self, path: &ModulePath) -> Option<String> {
        Some(Self::file(&self.canonical_path(path))?.display().to_string())
    }

    /// Modules that other crates import may be named by where they were imported from, such as `bevy_pbr/bevy_render`.
    fn canonical_path(&self, path: &ModulePath) -> ModulePath {
        let mut path = path.clone();
        if let PathOrigin::Package(package) = &mut path.origin
            && let Some((_, last)) = package.rsplit_once('/')
        {
            *package = last.to_owned();
        }
        path
    }
}

/// The folder of every crate that this one is built with, by name.
fn sources() -> &'static HashMap<String, PathBuf> {
    static SOURCES: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let found = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--filter-platform", "host-tuple"])
            .output()
            .expect("Cargo runs");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let found: serde_json::Value = serde_json::from_slice(&found.stdout).expect("`cargo metadata` writes JSON");
        let packages = found["packages"].as_array().expect("`cargo metadata` lists packages");
        let folder = |package: &serde_json::Value| {
            let manifest = Path::new(package["manifest_path"].as_str()?);
            Some((package["name"].as_str()?.to_owned(), manifest.parent()?.to_owned()))
        };
        packages.iter().filter_map(folder).collect()
    })
}
