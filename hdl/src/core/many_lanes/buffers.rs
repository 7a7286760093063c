//! Buffers of beats: those of the output of a core, and those between two parts of it. A few neighbouring lanes share a buffer, so that the net that enables its registers is short.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use crate::stream::Fields;

/// Lanes that share a buffer: the net that says whether a beat is taken decides over each of their bits.
pub(super) const LANES_OF_BUFFER: usize = 4;

/// The beginning of the names of fields that the buffers of the output give.
pub(super) const OUTPUT: &str = "output";

/// A signal with its name.
pub(super) type Field<'m> = (&'static str, Signal<'m>);

/// The beat that the buffers offer: fields in the order in which they went in.
pub(super) struct Buffered<'m> {
    pub(super) tvalid: Signal<'m>,
    /// The fields of the whole beat.
    pub(super) of_beat: Vec<Signal<'m>>,
    /// The beat is the first of two; in buffers that split beats.
    pub(super) is_first: Option<Signal<'m>>,
    /// The fields of each lane.
    pub(super) lanes: Vec<Vec<Signal<'m>>>,
}

/// Buffers a beat in instances `name` of `block`, of [`LANES_OF_BUFFER`] lanes each. The first of them has the fields `of_beat`, too. Names of fields
/// that come out begin with `prefix`. `connect` connects the other inputs of the buffer whose first lane is given; `offers` gives the signal that says whether the first buffer offers a beat.
pub(super) fn buffered<'m>(
    m: &'m Builder,
    (name, prefix, block): (&str, &str, &dyn Fn(u32) -> Arc<Module>),
    of_beat: &[Field<'m>],
    lanes: &[Vec<Field<'m>>],
    connect: impl Fn(InstanceHandle<'m>, usize),
    offers: impl Fn(InstanceHandle<'m>) -> Signal<'m>,
) -> Buffered<'m> {
    let (mut tvalid, mut of_beat_out, mut out) = (None, Vec::new(), Vec::new());
    let mut blocks = BTreeMap::new();
    for (index, of_lanes) in lanes.chunks(LANES_OF_BUFFER).enumerate() {
        let of_beat = if index == 0 { of_beat } else { &[] };
        let fields = of_beat.iter().chain(of_lanes.iter().rev().flatten());
        let payload = m.concat(fields.map(|&(_, signal)| signal));
        let name = if lanes.len() <= LANES_OF_BUFFER { name.to_owned() } else { format!("{name}_{index}") };
        let module = blocks.entry(payload.width()).or_insert_with(|| block(payload.width()));
        let first_lane = index * LANES_OF_BUFFER;
        let buffer = m.instance(&name, module).lane(first_lane);
        connect(buffer.input("s_payload", payload), first_lane);
        let mut fields = Fields::of(buffer.output("m_payload").named(&format!("{name}_beat")));
        of_beat_out
            .extend(of_beat.iter().map(|&(name, signal)| fields.next(signal, &format!("{prefix}_{name}"))));
        tvalid = tvalid.or_else(|| Some(offers(buffer).named(&format!("{prefix}_valid"))));
        let of_lane = |(lane, of_lane): (usize, &Vec<Field<'m>>)| -> Vec<Signal<'m>> {
            let next = |&(name, signal): &Field<'m>| fields.next(signal, &format!("{prefix}_{name}_{lane}"));
            of_lane.iter().map(next).collect()
        };
        let taken: Vec<_> = (first_lane..).zip(of_lanes).collect();
        let taken: Vec<_> = taken.into_iter().rev().map(of_lane).collect();
        out.extend(taken.into_iter().rev());
    }
    Buffered { tvalid: tvalid.expect("there are lanes"), of_beat: of_beat_out, is_first: None, lanes: out }
}
