//! An explanation as an HTML page.

use std::fmt::Write;

use crate::explain::{Meaning, Sequence, Use, Written};
use crate::page::{escaped, page as whole_page};
use utfhdl_codec::{System, Whole};

use super::table;

const STYLE: &str = include_str!("style.css");

/// The position of the sequences in a page.
const SEQUENCES: &str = "<!-- sequences -->";

/// The text of a page before the sequences, and after.
pub fn frame(system: System) -> (String, String) {
    let name = system.to_string();
    let body = format!(
        "<main>\n<h1>Units of {}</h1>\n<p><span class=\"length\">Length</span> and <span class=\"trailing\">trailing</span> \
         bits are structure, <span class=\"payload\">the others</span> are the code point.</p>\n{SEQUENCES}</main>\n",
        escaped(&name)
    );
    let page = whole_page(&format!("Units of {name}"), STYLE, &body);
    let (before, after) = page.split_once(SEQUENCES).expect("the body is in the page");
    (before.to_owned(), after.to_owned())
}

/// A sequence as a section.
pub fn sequence(sequence: &Sequence, bits: u32) -> String {
    let mut body = String::new();
    add_sequence(&mut body, sequence, bits);
    body
}

/// The units of a code point in other systems, as a section.
pub fn elsewhere(whole: &Whole, others: &(Vec<Written>, Vec<System>)) -> String {
    let mut body = String::new();
    add_elsewhere(&mut body, whole, others);
    body
}

fn add_sequence(body: &mut String, sequence: &Sequence, bits: u32) {
    let (class, title) = match &sequence.what {
        Meaning::CodePoint(whole) => ("", table::character(whole)),
        Meaning::Mark => ("", "a mark, which is no text".to_owned()),
        Meaning::Change => ("", "a change of the state, which is no text".to_owned()),
        Meaning::Error(kind, _) => (" class=\"error\"", format!("error {kind}")),
    };
    write!(
        body,
        "<section{class}>\n<h2>{}</h2>\n<table>\n<caption>from unit {} on</caption>\n<thead><tr><th scope=\"col\">unit</th>\
         <th scope=\"col\">bits</th></tr></thead>\n<tbody>\n",
        escaped(&title),
        sequence.offset
    )
    .expect("writing to a string");
    for (index, (unit, name)) in sequence.units.iter().zip(table::units(&sequence.units, bits)).enumerate() {
        let uses = sequence.uses.get(index).map_or(&[][..], Vec::as_slice);
        let runs = table::runs(*unit, bits, uses).into_iter().map(|(what, run)| match what {
            None => run,
            Some(Use::Payload) => format!("<span class=\"payload\">{run}</span>"),
            Some(Use::Length) => format!("<span class=\"length\" title=\"length\">{run}</span>"),
            Some(Use::Trailing) => format!("<span class=\"trailing\" title=\"trailing\">{run}</span>"),
        });
        let runs = runs.collect::<String>();
        writeln!(body, "<tr><th scope=\"row\">{name}</th><td>{runs}</td></tr>").expect("writing to a string");
    }
    body.push_str("</tbody>\n</table>\n");
    if sequence.left_out > 0 {
        writeln!(body, "<p>… and {} more units</p>", sequence.left_out).expect("writing to a string");
    }
    if let Meaning::Error(_, rule) = &sequence.what {
        writeln!(body, "<p>{}</p>", escaped(&rule.to_string())).expect("writing to a string");
    }
    body.push_str("</section>\n");
}

fn add_elsewhere(body: &mut String, whole: &Whole, (written, lacking): &(Vec<Written>, Vec<System>)) {
    let names = |systems: &[System]| {
        escaped(&systems.iter().map(|system| system.name()).collect::<Vec<_>>().join(", "))
    };
    write!(
        body,
        "<section>\n<h2>{} in other systems</h2>\n<table>\n<thead><tr><th scope=\"col\">units</th>\
         <th scope=\"col\">systems</th></tr></thead>\n<tbody>\n",
        escaped(&table::character(whole))
    )
    .expect("writing to a string");
    for Written { unit_bits, units, systems } in written {
        let units = table::units(units, *unit_bits).join(" ");
        writeln!(body, "<tr><td>{units}</td><td class=\"names\">{}</td></tr>", names(systems))
            .expect("writing to a string");
    }
    if !lacking.is_empty() {
        writeln!(body, "<tr><td>none</td><td class=\"names\">{}</td></tr>", names(lacking))
            .expect("writing to a string");
    }
    body.push_str("</tbody>\n</table>\n</section>\n");
}
