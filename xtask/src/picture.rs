//! `cargo xtask picture`: the terminal of the README, drawn from what the real program shows.
//!
//! The chat is played on a pseudo terminal with a scripted model (`docs/pictures/chat.scenario`), an emulator holds what a
//! person would see, and its cells become an SVG, once for a light page and once for a dark one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use bowline_script::{ActKind, Scenario, Server};

use crate::command::{Profile, built_bowline, output_of, root};
use crate::pty::Terminal;

const FOLDER: &str = "docs/pictures";
const COLUMNS: u16 = 96;
const LINES: u16 = 46;
const CELL_WIDTH: f32 = 8.4;
const CELL_HEIGHT: f32 = 18.0;
const MARGIN: f32 = 14.0;

/// Ground, text, then the colours 1 to 6: red, green, yellow, blue, magenta, cyan.
struct Palette {
    name: &'static str,
    ground: &'static str,
    text: &'static str,
    colours: [&'static str; 6],
}

const PALETTES: [Palette; 2] = [
    Palette {
        name: "dark",
        ground: "#16181d",
        text: "#d8dae0",
        colours: ["#f07178", "#8bc77a", "#e2b55c", "#7aa5f0", "#c792ea", "#5fc4cc"],
    },
    Palette {
        name: "light",
        ground: "#fbfbf9",
        text: "#24272e",
        colours: ["#b3261e", "#1f7a2e", "#8a5a00", "#1f5fbf", "#8434a8", "#0b7285"],
    },
];

pub(crate) fn run() -> Result<()> {
    let bowline = built_bowline(Profile::Dev)?;
    let text = fs::read_to_string(root().join(FOLDER).join("chat.scenario"))?;
    let scenario = Scenario::parse(&text).context("the scenario cannot be played")?;
    let task = scenario.acts.iter().find_map(|act| match &act.kind {
        ActKind::Task(task) => Some(task.clone()),
        _ => None,
    });
    let task = task.context("the scenario has no task")?;
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let project = folder.path().join("notes");
    for file in &scenario.files {
        let place = project.join(&file.path);
        fs::create_dir_all(place.parent().unwrap_or(&project))?;
        fs::write(place, &file.bytes)?;
    }
    output_of(Command::new("git").args(["init", "--quiet"]).current_dir(&project))?;
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let server = runtime.block_on(Server::start(scenario.server, scenario.replies))?;
    let mut command = Command::new(bowline);
    command.args(["--base-url", &server.base_url()]).current_dir(&project);
    command.env("BOWLINE_HOME", folder.path().join("home")).env_remove("NO_COLOR");
    let mut terminal = Terminal::start(command, COLUMNS, LINES)?;
    terminal.until("Ctrl-D leaves")?;
    terminal.press(&format!("{task}\r"))?;
    terminal.until("[y]es")?;
    terminal.settle(Duration::from_millis(300));
    for palette in PALETTES {
        let svg = draw(terminal.parser.screen(), &palette, folder.path());
        fs::write(root().join(FOLDER).join(format!("chat-{}.svg", palette.name)), svg)?;
    }
    println!("drawn: {FOLDER}/chat-dark.svg and chat-light.svg");
    Ok(())
}

/// A run of cells that look alike.
struct Run {
    column: u16,
    text: String,
    style: String,
}

fn draw(screen: &vt100::Screen, palette: &Palette, folder: &Path) -> String {
    let (lines, columns) = screen.size();
    let used = (0..lines.get()).rev().find(|row| !text_of(screen, *row).trim().is_empty()).unwrap_or(0) + 1;
    let width = MARGIN * 2.0 + CELL_WIDTH * f32::from(columns.get());
    let height = MARGIN * 2.0 + CELL_HEIGHT * f32::from(used);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"bowline at work in a terminal\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" fill=\"{}\" xml:space=\"preserve\">\n",
        palette.ground, palette.text
    );
    let folder = folder.display().to_string();
    for row in 0..used {
        let y = MARGIN + CELL_HEIGHT * (f32::from(row) + 0.75);
        for run in runs(screen, row, palette) {
            let x = MARGIN + CELL_WIDTH * f32::from(run.column);
            let text = escaped(&run.text.replace(&folder, "~"));
            // Writing into a string cannot fail.
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{}>{text}</text>", run.style);
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn text_of(screen: &vt100::Screen, row: u16) -> String {
    let (_, columns) = screen.size();
    (0..columns.get()).filter_map(|column| screen.cell(row, column)).map(vt100::Cell::contents).collect()
}

fn runs(screen: &vt100::Screen, row: u16, palette: &Palette) -> Vec<Run> {
    let (_, columns) = screen.size();
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..columns.get() {
        let Some(cell) = screen.cell(row, column) else { continue };
        if cell.is_wide_continuation() {
            continue;
        }
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let style = style(cell, palette);
        match runs.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => runs.push(Run { column, text: text.to_owned(), style }),
        }
    }
    for run in &mut runs {
        run.text.truncate(run.text.trim_end().len());
    }
    runs.retain(|run| !run.text.is_empty());
    runs
}

fn style(cell: &vt100::Cell, palette: &Palette) -> String {
    let mut style = String::new();
    if let vt100::Color::Idx(colour @ 1..=6) = cell.fgcolor()
        && let Some(colour) = palette.colours.get(usize::from(colour) - 1)
    {
        let _ = write!(style, " fill=\"{colour}\"");
    }
    if cell.bold() {
        style.push_str(" font-weight=\"bold\"");
    }
    if cell.dim() {
        style.push_str(" opacity=\"0.65\"");
    }
    if cell.italic() {
        style.push_str(" font-style=\"italic\"");
    }
    if cell.underline() {
        style.push_str(" text-decoration=\"underline\"");
    }
    style
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
