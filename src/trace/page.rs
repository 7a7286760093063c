//! The trace as a page for a browser: one file, which loads nothing.
//!
//! The page holds the run as base64 of a zlib stream: the length of a JSON text, the text, and then for each row the starts of the cells
//! (as differences), the values and the colours, all in words of 32 bits, low byte first.

use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::{Value, json};

use super::{Base, Group, Kind, Row, Sequence, Trace};
use crate::page;

const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
/// The modules of the page, those that others import first.
const MODULES: [&str; 3] =
    [include_str!("page/draw.js"), include_str!("page/viewer.js"), include_str!("page/start.js")];

/// A module as part of a script that has all modules in one: without imports and exports.
fn in_line(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
}

/// How hard the run is compressed: more makes pages little smaller, and takes much longer.
const LEVEL: u8 = 6;

impl Trace {
    /// The trace as an HTML page. `command` is the one that made the run.
    pub fn page(&self, command: &str) -> String {
        let run = page::base64(&compress_to_vec_zlib(&self.words(command), LEVEL));
        let body = format!(
            "{BODY}<script id=\"run\" type=\"application/octet-stream\">{run}</script>\n<script>\n\"use strict\";\n{}</script>\n",
            MODULES.map(in_line).concat(),
        );
        page::page(&format!("{}, cycle by cycle", self.module), STYLE, &body)
    }

    /// The groups as a page has them: the ports first, which stay in sight.
    fn of_page(&self) -> impl Iterator<Item = &Group> {
        let is_inside = |group: &&Group| group.rows.iter().all(|row| row.is_register);
        self.groups.iter().filter(move |group| !is_inside(group)).chain(self.groups.iter().filter(is_inside))
    }

    /// The trace as the viewer of a page parses it. `command` is the one that made the run.
    pub fn words(&self, command: &str) -> Vec<u8> {
        let mut text = self.description(command).to_string();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        let mut add = |words: &mut dyn Iterator<Item = u32>| {
            words.for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        };
        for row in self.of_page().flat_map(|group| group.rows.iter().chain(&group.lanes)) {
            let mut before = 0;
            add(&mut row.cells.starts.iter().map(|start| start - std::mem::replace(&mut before, *start)));
            add(&mut row.cells.values.iter().copied());
            add(&mut row.cells.colours.iter().copied());
        }
        bytes
    }

    fn description(&self, command: &str) -> Value {
        let row = |row: &Row| {
            json!({
                "name": row.name,
                "note": row.note,
                "width": row.width,
                "base": match row.base {
                    Base::Wave => "wave",
                    Base::Hexadecimal => "hexadecimal",
                    Base::Octal => "octal",
                    Base::Slots => "slots",
                    Base::Text => "text",
                },
                "labels": row.labels.as_ref().map(|labels| &labels.values),
                "lane": row.is_lane,
                "register": row.is_register,
                "colored": row.has_sequences(),
                "cells": row.cells.starts.len(),
                "words": row.cells.words,
            })
        };
        let group = |group: &Group| {
            let rows: Vec<Value> = group.rows.iter().map(row).collect();
            json!({ "title": group.title, "rows": rows, "lanes": group.lanes.as_ref().map(row) })
        };
        let sequence = |sequence: &Sequence| {
            json!([
                sequence.frame,
                sequence.offset,
                sequence.length,
                sequence.items,
                match sequence.kind {
                    Kind::CodePoint => 0,
                    Kind::Mark => 1,
                    Kind::Error => 2,
                },
                sequence.name,
                sequence.character,
                sequence.reason,
                sequence.taken,
                sequence.given,
            ])
        };
        let failure = self.failure.as_ref().map(|wrong| {
            json!({ "cycle": wrong.cycle, "port": wrong.port, "text": wrong.text, "sides": wrong.sides })
        });
        json!({
            "module": self.module,
            "command": command,
            "latency": self.latency,
            "lanes": self.lanes,
            "first": self.first,
            "cycles": self.cycles,
            "waits": page::base64(&self.waits),
            "groups": self.of_page().map(group).collect::<Vec<_>>(),
            "sequences": self.sequences.iter().map(sequence).collect::<Vec<_>>(),
            "mixes": self.mixes,
            "failure": failure,
        })
    }
}
