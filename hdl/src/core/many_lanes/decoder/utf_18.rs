//! UTF-18, seed 003 §4: pairs of nonets, the high one first.
//!
//! The division into pairs depends on one bit: a high nonet is open before the beat. There is a position for each pair that a beat can
//! hold, with a choice between two units for each nonet. Slots have no gaps between them, unless errors are dropped.
//!
//! ```text
//!  beat        a b c d      place 0   place 1   place 2
//!  open = 0                 a b       c d       -
//!  open = 1, x before       x a       b c       d .        d is open for the next beat
//! ```

use std::sync::Arc;

use super::front::{Build, Front, Spread};
use super::offsets::Offsets;
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::lanes::{At, Beat, Lanes, history, section};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module};

/// The kinds of error there are.
const KINDS: [ErrorKind; 2] = [ErrorKind::Truncated, ErrorKind::Surrogate];
/// Bits of a code point, and of a nonet.
const CODE_BITS: u32 = 20;
const NONET: u32 = 9;

/// The high nonet of surrogates, without its last two bits.
const HIGH_OF_SURROGATES: u64 = 0xd800 >> 11;

/// Decodes a beat up to the slots of its pairs.
pub(super) fn decode<'m>(on_error: ErrorMode, build: Build, beat: &Beat<'m>) -> Front<'m> {
    let drops = on_error == ErrorMode::Drop;
    let layout = Layout::new(CODE_BITS, if drops { &[] } else { &KINDS }, false).of(build);
    let m = beat.builder();
    section(m, beat.stage() + 1, "the beat");
    let nonets = Lanes::new("nonet", beat.units.iter().copied()).at(beat.stage() + 1);
    let held = beat.held("nonet_valid").at(beat.stage() + 1);
    let before = history(beat, &nonets, &[NONET])[0];
    let at = before.stage();
    section(m, at - 1, "whether a high nonet is before the beat");
    let is_odd = held.packed().map(|lanes| lanes.parity()).called("is_odd").at(at);
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    let registers = valid.registers();
    let state = registers.state("open_reg", 1).note("a high nonet is before the beat").carried(at);
    let open = At::new(registers, state.q, at);
    registers.load(state, valid.mux((open ^ is_odd) & !last, open).signal());
    // Places are of pairs, and so are positions.
    let offsets = Offsets::of(beat, build.positions).map(|offsets| {
        let count = offsets.count.at(at);
        let after = (count + open.zext(count.width())).named("nonets_with_open");
        let count = after.bits(1..count.width()).called("pair_count");
        Offsets { count, shift: 1, ..offsets }
    });
    let (nonets, held) = (nonets.at(at), held.at(at));

    section(m, at, "the pairs");
    let places = beat.lanes() / 2 + 1;
    let farthest = if drops { places - 1 } else { 0 };
    let spread = Spread::new(build, places, farthest, move |place| place.min(farthest));
    let ends_at = at + 1;
    let made_at = spread.counted(ends_at);
    let module = pair(m, &layout, [at, made_at]);
    // A nonet before the beat, the nonets of the beat, and a nonet after the beat, each with a bit that says that it is present.
    let nonet = |index: usize| match index.checked_sub(1) {
        None => (before, open),
        Some(lane) if lane < nonets.len() => (nonets[lane], held[lane]),
        Some(_) => (open.lit(NONET, 0), open.lit(1, 0)),
    };
    let pairs: Vec<InstanceHandle> = (0..places)
        .map(|place| {
            let registers = beat.units[place.min(beat.lanes() - 1)].registers();
            let pair = m.instance(&format!("pair_{place}"), &module).input("advance", registers.enable);
            for (name, index) in ["first", "second", "third"].into_iter().zip(2 * place..) {
                let (nonet, valid) = nonet(index);
                pair.input(name, nonet.signal()).input(&format!("{name}_valid"), valid.signal());
            }
            if !drops {
                pair.input("frame_ends", last.signal());
            }
            pair.input("begins_with_first", open.signal())
        })
        .collect();
    let of_pairs = |port: &str, stage: u32| {
        let of = |(place, pair): (usize, &InstanceHandle<'m>)| {
            let registers = beat.units[place.min(beat.lanes() - 1)].registers();
            At::new(registers, pair.output(port), stage)
        };
        Lanes::new(port, pairs.iter().enumerate().map(of))
    };
    Front {
        first: None,
        ends: of_pairs("ends", ends_at),
        slots: of_pairs("slot", made_at + 1),
        last: last.at(ends_at),
        valid: valid.at(ends_at),
        layout,
        spread,
        offsets,
    }
}

/// The module of a pair, for instances in `core`, of nonets that are valid in stage `at`. The slot is made in stage `made_at`.
fn pair(core: &Builder, layout: &Layout, [at, made_at]: [u32; 2]) -> Arc<Module> {
    let m = core.below("pair", "A pair of nonets, of three neighbours, and its slot.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group(format!("Stage {}", m.folded().number(at)));
    let input = |name: &str, bits: u32, note: &str| At::new(stage, m.input(name, bits, note), at);
    let [first, second, third] = ["first", "second", "third"]
        .map(|name| (input(name, NONET, "a nonet"), input(&format!("{name}_valid"), 1, "there is one")));
    let begins_with_first = input("begins_with_first", 1, "the pair is the first two, not the last two");
    section(&m, at, "the pair");
    let high_valid = begins_with_first.mux(first.1, second.1).named("high_valid");
    let low_valid = begins_with_first.mux(second.1, third.1).named("low_valid");
    let high = begins_with_first.mux(first.0, second.0).registered("high");
    let low = begins_with_first.mux(second.0, third.0).registered("low");
    let (is_pair, truncated) = if layout.has_errors() {
        let frame_ends = input("frame_ends", 1, "the beat ends the frame");
        let is_pair = high_valid & (low_valid | frame_ends);
        (is_pair, Some((!low_valid).registered("is_truncated")))
    } else {
        (high_valid & low_valid, None)
    };
    let is_pair = is_pair.registered("is_pair");

    section(&m, at + 1, "the code point");
    let surrogate = high.bits(2..NONET).is(HIGH_OF_SURROGATES).named("is_surrogate");
    let plane_14 = high.bits(7..NONET).map(|bits| bits.all()).named("plane_14");
    let plane_14 = plane_14.note("values from 30000 on are U+E0000 and up");
    let above = [plane_14, plane_14, high.bit(8), high.bit(7) & !plane_14, high.bits(0..7)];
    let code_point = At::concat(above.into_iter().chain([low]));
    m.port_group(format!("Stage {}", m.folded().number(at + 1)));
    let slot = match truncated {
        Some(truncated) => {
            m.output("ends", is_pair.signal(), "there is a slot");
            let kinds = Kinds::new(stage, layout);
            let kind = || truncated.mux(kinds.code(ErrorKind::Truncated), kinds.code(ErrorKind::Surrogate));
            let error = (truncated | surrogate).named("is_error");
            let data = layout.data_or_error(code_point, error, kind);
            layout.slot(SlotTag { error: Some(error), part: None }, data)
        }
        None => {
            m.output("ends", (is_pair & !surrogate).signal(), "there is a slot");
            code_point
        }
    };
    m.port_group(format!("Stage {}", m.folded().number(made_at + 1)));
    m.output("slot", slot.called("slot").at(made_at + 1).signal(), "the slot of the pair");
    m.built()
}
