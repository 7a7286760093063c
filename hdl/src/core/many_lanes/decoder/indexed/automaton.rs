//! The state before each octet: which octets of an open sequence come before it.
//!
//! Each octet takes a state to a state. What the octets of a beat do together is found by a scan of such functions, and the state before the
//! beat is the only loop.
//!
//! ```text
//!  octets of gb18030      81 30 84 31   41 B0 A1 42
//!  state before the beat  start
//!  state before each      start, lead, two, three,   start, start, lead, start
//! ```

use std::array;

use crate::core::MultiOctet;
use crate::core::lanes::scan::scan;
use crate::core::lanes::{At, Beat, Lanes, section};
use crate::core::shared::octet_class::{Class, has_four};

/// The codes of states. After a lead, of any set; after a lead and a digit, or in `euc-jp` after 8F; after a lead, a digit and a lead, or in
/// `euc-jp` after 8F and a lead.
pub(in crate::core::many_lanes) const LEAD: u64 = 1;
pub(in crate::core::many_lanes) const TWO: u64 = 2;
pub(in crate::core::many_lanes) const THREE: u64 = 3;

/// The lead of three octets in `euc-jp`.
const LEAD_OF_THREE: u64 = 0x8f;

/// States of a set with long sequences, and of any other set.
const STATES: usize = 4;
const STATES_OF_PAIRS: usize = 2;

/// Bits of a state.
pub(in crate::core::many_lanes) fn state_bits(set: MultiOctet) -> u32 {
    if has_three(set) { 2 } else { 1 }
}

/// Whether a set has sequences of three octets or four.
pub(in crate::core::many_lanes) fn has_three(set: MultiOctet) -> bool {
    has_four(set) || set == MultiOctet::EucJp
}

/// The state after an octet, by the state before it: from the start on, from a lead on, and from two octets on. After three, it is the start.
pub(in crate::core::many_lanes) fn moves<'m>(
    set: MultiOctet,
    unit: At<'m>,
    class: &Class<'m>,
) -> Vec<At<'m>> {
    let now = |signal| At::new(unit.registers(), signal, unit.stage());
    let no = unit.lit(1, 0);
    let is_lead = now(class.is_lead);
    match set {
        MultiOctet::Gbk | MultiOctet::Gb18030 => {
            let is_digit = now(class.is_digit);
            vec![At::concat([no, is_lead]), At::concat([is_digit, no]), At::concat([is_lead, is_lead])]
        }
        MultiOctet::EucJp => {
            let leads_three = unit.is(LEAD_OF_THREE).named("leads_three");
            let is_trail = now(class.is_trail);
            let from_start = At::concat([leads_three, is_lead & !leads_three]);
            vec![from_start, unit.lit(2, 0), At::concat([is_trail, is_trail])]
        }
        MultiOctet::ShiftJis | MultiOctet::EucKr | MultiOctet::Big5 => vec![is_lead],
    }
}

/// The state before each lane, in registers after the scan. `moves`: for each lane those of its octet; `held`: it has one.
pub(in crate::core::many_lanes) fn states<'m>(
    set: MultiOctet,
    beat: &Beat<'m>,
    moves: &[Lanes<'m>],
    held: &Lanes<'m>,
) -> (At<'m>, Lanes<'m>) {
    match has_three(set) {
        true => states_of::<STATES>(beat, moves, held),
        false => states_of::<STATES_OF_PAIRS>(beat, moves, held),
    }
}

/// The entry of `state` among those of all states.
fn entry<'m, const N: usize>(state: At<'m>, of: [At<'m>; N]) -> At<'m> {
    let all = (0..state.width()).fold(of.to_vec(), |all, bit| {
        all.chunks(2).map(|pair| state.bit(bit).mux(pair[1], pair[0])).collect()
    });
    all[0]
}

/// The state before the beat, and before each lane.
fn states_of<'m, const N: usize>(
    beat: &Beat<'m>,
    moves: &[Lanes<'m>],
    held: &Lanes<'m>,
) -> (At<'m>, Lanes<'m>) {
    let bits = N.ilog2();
    let names = ["from_start", "from_lead", "from_two", "from_three"];
    let of_lane = |lane: usize| {
        array::from_fn(|state| {
            let to = moves.get(state).map(|of| of[lane].masked(held[lane]));
            let stays = (state > 0).then(|| held[lane].lit(bits, state as u64).masked(!held[lane]));
            match (to, stays) {
                (Some(to), Some(stays)) => (to | stays).named(&format!("{}_of_lane_{lane}", names[state])),
                (to, stays) => {
                    to.or(stays).expect("a state").named(&format!("{}_of_lane_{lane}", names[state]))
                }
            }
        })
    };
    let units: Vec<[At<'m>; N]> = (0..held.len()).map(of_lane).collect();
    let fields = array::from_fn(|state| names[state]);
    let found =
        scan("state", fields, units, |_, below: [At<'m>; N], own| below.map(|state| entry(state, own)));
    let at = found[0][0].stage();
    let m = beat.builder();
    section(m, at, "the state before each octet");
    let registers = beat.valid.registers();
    let register =
        registers.state("state_reg", bits).note("octets of an open sequence that are before the beat");
    let register = register.carried(at);
    let before = At::new(registers, register.q, at);
    let after: Vec<At> = found
        .iter()
        .enumerate()
        .map(|(lane, &of)| entry(before, of).on(of[0].registers()).named(&format!("state_after_lane_{lane}")))
        .collect();
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    let end = after[after.len() - 1];
    registers.load(register, valid.mux(end.masked(!last), before).signal());
    let states = [before].into_iter().chain(after[..after.len() - 1].iter().copied());
    let states = states.zip(held.iter()).map(|(state, held)| state.on(held.registers()));
    let states = Lanes::new("state_before", states).at(at + 1);
    (before.called("state_before_beat").at(at + 1), states)
}
