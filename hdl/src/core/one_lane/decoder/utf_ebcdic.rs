//! The decoder of UTF-EBCDIC, Unicode Technical Report #16: a table in front of the decoder of I8.

use super::prefix::PrefixDecoder;
use super::slots::UnitSlots;
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::octet_table::OctetTable;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::core::{Max, System, Table};
use crate::netlist::Builder;

/// The first octet of I8 that is no code point by itself.
const FIRST_OF_SEQUENCES: u32 = 0xa0;
/// The octets of the two line ends, each with its code point. Code page 1047 has them the other way round.
const LINE_ENDS: [(usize, u32); 2] = [(0x15, 0x0a), (0x25, 0x85)];

/// The decoder.
pub(super) struct UtfEbcdicDecoder {
    of_i8: PrefixDecoder,
}

impl UtfEbcdicDecoder {
    /// The decoder of code points up to `max`.
    pub(super) fn new(max: Max) -> Self {
        Self { of_i8: PrefixDecoder::of(System::UtfEbcdicI8 { max }) }
    }
}

impl TwoStageDecoder for UtfEbcdicDecoder {
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        self.of_i8.kinds(style)
    }

    fn code_bits(&self) -> u32 {
        self.of_i8.code_bits()
    }

    fn stages(&self) -> u32 {
        1 + self.of_i8.stages()
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        m.stage_section(1, "the octet of I8, by the table of UTF-EBCDIC");
        let stage = pace.units();
        let octet = beat.unit.lookup(&octets_of_i8(), OCTET).named("octet_of_i8");
        let beat = OneUnitBeat {
            unit: stage.data("octet_of_i8_reg", octet),
            unit_valid: stage.flag("octet_valid_reg", beat.unit_valid),
            frame_ends: stage.flag("octet_ends_reg", beat.frame_ends),
            ..beat
        };
        m.after_stages(1);
        let slots = self.of_i8.unit_slots(m, beat, tags, pace);
        m.after_stages(0);
        slots
    }
}

/// The octet of I8 of each octet of EBCDIC: the code point that code page 1047 has for it, if that is a code point by itself in I8; the
/// others in their order.
fn octets_of_i8() -> [u64; 1 << OCTET] {
    let page = Table::named("ebcdic-1047").expect("the set comes with the package");
    let mut code_points = [u32::MAX; 1 << OCTET];
    for (octet, code_point) in OctetTable::of(page).pairs() {
        code_points[octet as usize] = code_point;
    }
    for (octet, code_point) in LINE_ENDS {
        code_points[octet] = code_point;
    }
    let mut others = u64::from(FIRST_OF_SEQUENCES)..;
    code_points.map(|code_point| match code_point {
        0..FIRST_OF_SEQUENCES => code_point.into(),
        _ => others.next().expect("the range has no end"),
    })
}
