//! The rows of the status of frames.

use utfhdl_hdl::core::status_fields;

use super::cells::Cells;
use super::ports::slot_labels;
use super::recorder::Recorded;
use super::{Base, Group, Row};
use crate::promise::Ports;

/// The handshake and a row for each field, while a status is offered; `None` for a core without a status.
pub(super) fn group(ports: &Ports, recorded: &Recorded) -> Option<Group> {
    let mut handshake = [Cells::new(1), Cells::new(1)];
    let mut fields: Vec<Cells> = status_fields().iter().map(|field| Cells::new(field.bits)).collect();
    let mut stream = ports.status_tid().map(|port| (port, Cells::new(port.width)));
    let mut is_new = true;
    for cycle in 0..recorded.cycles() {
        let is_taken = ports.takes_status(recorded.input(cycle))?;
        let status = ports.status_fields(recorded.output(cycle));
        for (cells, value) in handshake.iter_mut().zip([status.is_some(), is_taken]) {
            cells.push(cycle, &[value.into()], Cells::PLAIN, false);
        }
        let colour = if status.is_some() { Cells::PLAIN } else { Cells::IDLE };
        for (at, cells) in fields.iter_mut().enumerate() {
            let value = status.as_ref().map_or(0, |values| values[at]);
            cells.push(cycle, &[value as u32], colour, is_new);
        }
        if let Some((port, cells)) = &mut stream {
            let value = status.as_ref().map_or(0, |_| port.get(recorded.output(cycle)));
            cells.push(cycle, &[value as u32], colour, is_new);
        }
        is_new = status.is_none() || is_taken;
    }
    let row = |name: String, note: &str, width: u32, base: Base, cells: Cells| Row {
        name,
        note: note.to_owned(),
        width,
        base,
        labels: None,
        is_lane: false,
        is_register: false,
        cells,
    };
    let of_handshake = [("tvalid", "a status is offered"), ("tready", "the status is taken")]
        .into_iter()
        .zip(handshake)
        .map(|((port, note), cells)| row(format!("status_{port}"), note, 1, Base::Wave, cells));
    let of_fields = status_fields().into_iter().zip(fields).map(|(field, cells)| {
        let name = format!("status_tdata {}", field.name);
        let labels = (field.name == "kind").then(slot_labels);
        Row { labels, ..row(name, field.meaning, field.bits, Base::Hexadecimal, cells) }
    });
    let of_stream = stream.map(|(port, cells)| {
        row(port.name.clone(), "the stream of the frame", port.width, Base::Hexadecimal, cells)
    });
    let rows = of_handshake.chain(of_stream).chain(of_fields).collect();
    Some(Group { title: "Status".to_owned(), rows, lanes: None })
}
