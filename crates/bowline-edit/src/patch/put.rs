//! The bytes that take the place of what was found, and all of them put in at once.

use std::borrow::Cow;
use std::ops::Range;

use super::seek::{Fit, Place, Seek};
use super::{Hunk, Stray, Way};
use crate::change::line_changes;
use crate::endings::{Ending, Equalised, bom_len};
use crate::ladder::Sheet;
use crate::merge::{Lined, Trust, merge};
use crate::page::is_blank;

/// Bytes of the file and what takes their place.
pub(super) struct Put {
    pub(super) hunk: usize,
    pub(super) span: Range<usize>,
    pub(super) bytes: Vec<u8>,
}

/// Makes the content, unless two of them are in each other's way.
pub(super) fn carry_out(now: &[u8], mut puts: Vec<Put>) -> Result<Vec<u8>, Stray> {
    puts.sort_by_key(|put| (put.span.start, put.span.end));
    let mut content = Vec::with_capacity(now.len());
    let mut from = 0;
    let mut last: Option<&Put> = None;
    for put in &puts {
        let is_beside = last.is_some_and(|last| last.span.start == put.span.start && last.hunk != put.hunk);
        if put.span.start < from || is_beside {
            return Err(Stray::Entangled { hunk: put.hunk });
        }
        content.extend_from_slice(&now[from..put.span.start]);
        content.extend_from_slice(&put.bytes);
        from = put.span.end;
        last = Some(put);
    }
    content.extend_from_slice(&now[from..]);
    Ok(content)
}

/// What a hunk comes to at its place.
pub(super) fn puts(
    now: &[u8],
    body: &Equalised<'_>,
    sheet: &Sheet<'_>,
    seek: &Seek<'_>,
    place: &Place,
) -> Result<Vec<Put>, Stray> {
    let page = &sheet.page;
    let span = body.original(page.start(place.lines.start))..body.original(page.start(place.lines.end));
    let put = |span: Range<usize>, bytes: Vec<u8>| Put { hunk: seek.index, span, bytes };
    match &place.fit {
        Fit::Same => {
            let bytes = own_bytes(now, &span, seek.hunk, seek.way)
                .unwrap_or_else(|| lines_there(now, &span, &seek.texts.to));
            Ok(vec![put(span, bytes)])
        }
        Fit::Bare => {
            let to = within_edges(&seek.texts.from, &seek.texts.to);
            let bytes = lines_there(now, &span, to);
            Ok(vec![put(span, bytes)])
        }
        Fit::Loose { context, pairs } => {
            let borrowed =
                |lines: Vec<&[u8]>| lines.into_iter().map(|line| Cow::Owned(line.to_vec())).collect();
            let first = pairs.iter().flatten().min().copied().unwrap_or(0);
            let last = pairs.iter().flatten().max().map_or(first, |last| last + 1);
            let lined = Lined {
                needle: borrowed(seek.texts.needle(*context)),
                replacement: borrowed(seek.texts.replacement(*context)),
                pairs: pairs.clone(),
                lines: first..last,
                ignored: (0, 0),
            };
            let conflict = |conflict| Stray::Conflict { hunk: seek.index, conflict };
            let out = merge(page, &lined, Trust::Both).map_err(conflict)?;
            let changes = line_changes(now, body, page, (&lined.lines, out), seek.index);
            Ok(changes.into_iter().map(|change| put(change.span, change.bytes)).collect())
        }
    }
}

/// The stored bytes as they are, where the file has the stored ones to the byte.
fn own_bytes(now: &[u8], span: &Range<usize>, hunk: &Hunk, way: Way) -> Option<Vec<u8>> {
    let bare = |text: &[u8]| text[if hunk.at == 0 { bom_len(text) } else { 0 }..].to_vec();
    let (from, to) = (bare(hunk.from(way).0), bare(hunk.to(way)));
    let is_inside = span.end < now.len();
    let is_open = !to.is_empty() && !to.ends_with(b"\n");
    let is_after_open = span.is_empty() && span.start > 0 && now[span.start - 1] != b'\n';
    (now[span.clone()] == from && !(is_inside && is_open) && !is_after_open).then_some(to)
}

/// Lines that end as those around them do, and as the file does where they are its last.
fn lines_there(now: &[u8], span: &Range<usize>, lines: &[&[u8]]) -> Vec<u8> {
    let ending = Ending::around(now, span).bytes();
    let mut bytes: Vec<u8> = lines.iter().flat_map(|line| [line, ending].concat()).collect();
    let is_open = span.end == now.len() && !now.is_empty() && !now.ends_with(b"\n");
    if is_open && bytes.ends_with(ending) {
        bytes.truncate(bytes.len() - ending.len());
        if span.is_empty() {
            bytes.splice(0..0, ending.iter().copied());
        }
    }
    bytes
}

/// What is to be put, without the blank lines at its ends that the text to be found has too: they stay as they are.
fn within_edges<'s, 'l>(from: &[&[u8]], to: &'s [&'l [u8]]) -> &'s [&'l [u8]] {
    let blank = |line: &&&[u8]| is_blank(line);
    let front = from.iter().take_while(blank).count().min(to.iter().take_while(blank).count());
    let rest = &to[front..];
    let back = from.iter().rev().take_while(blank).count().min(rest.iter().rev().take_while(blank).count());
    &rest[..rest.len() - back]
}
