//! The configuring run of cmake.

use super::super::Subkind;
use super::super::log::Log;
use super::super::report::Report;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let at = log.position(|line| line.starts_with("CMake Error"))?;
    let first = log.lines.get(at)?;
    let below = log.between(at + 1, at + 12);
    let said = below.iter().map(|line| line.trim()).skip_while(|line| line.is_empty());
    let said = said.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let head = first.trim_start_matches("CMake Error").trim_start_matches(" at ").trim_start_matches(": ");
    let message =
        if said.is_empty() { head.to_owned() } else { format!("{} {said}", head.trim_end_matches(':')) };
    let is_missing = ["Could not find", "could not find", "find_package", "Could NOT find"]
        .iter()
        .any(|sign| message.contains(sign));
    let is_compiler =
        below.iter().any(|line| line.contains("CMAKE_C_COMPILER") || line.contains("CMAKE_CXX_COMPILER"));
    let subkind = match () {
        () if is_compiler => Subkind::MissingTool,
        () if is_missing => Subkind::MissingDependency,
        () => Subkind::Config,
    };
    Some(Report::tooling(Some(subkind), "cmake", &message))
}
