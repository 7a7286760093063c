//! UTF-∞-8, as seed 000 defines it: code points of any number of hexadecimal digits, up to a limit.
//!
//! Sequences of up to seven octets are those of a [prefix system](super::prefix). After FF, a code point is never held as a whole: the machine keeps the
//! bits of one limb, and up to four bits of the next limb, which come in the same octet.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::machine::Reads;
use super::prefix::{Group, Prefix, row};
use super::{HEAD, INVALID, LENGTH, LIMB, LIMB_BITS, Machine, OVERLONG, Slot, State, Step, TRUNCATED, Unit};

/// §3.2 and §3.3.
const UP_TO_FE: Prefix = Prefix {
    alone: 0x7F,
    rows: &[
        row(0xC0, 5, 1, 0x80, 0x7FF),
        row(0xE0, 4, 2, 0x800, 0xFFFF),
        row(0xF0, 3, 3, 0x1_0000, 0x1F_FFFF),
        row(0xF8, 2, 4, 0x20_0000, 0x3FF_FFFF),
        row(0xFC, 1, 5, 0x400_0000, 0x7FFF_FFFF),
        row(0xFE, 0, 6, 0x8000_0000, 0xF_FFFF_FFFF),
    ],
    trailing: (0x80, BITS),
    gap: None,
};

/// Bits of the code point in a trailing octet.
const BITS: u32 = 6;
/// The first octet of the longer sequences.
const FF: u64 = 0xFF;
/// The octet of a header before its digits, of which there is one less than digits.
const B4: u64 = 0xB4;
/// The digits of a code point whose header says zero.
const LEAST_DIGITS: u64 = 18;

/// Bits that are kept of the code point: those of FE, of a limb and the four after it, and those above 2^36 in thirteen octets.
const KEPT_BITS: u32 = 36;
/// Bits of a number of octets, or of digits of a header, that are to come.
const LEFT_BITS: u32 = 4;
/// Bits of the number of bits that a limb lacks, its zero nybbles included.
const LACK_BITS: u32 = 6;

/// Bits of a number of limbs up to three.
const FEW_BITS: u32 = 2;

/// The number of phases. One of their bits is 1 in an open sequence of FF.
const PHASES: u32 = 5;

/// The most digits of the cores whose registers hold something else than those of the machine, so that a checker finds proofs for counters of few bits only.
pub(super) const FEW_DIGITS: u64 = 48;

/// The machine of the system with code points of up to `digits` digits.
pub(super) fn machine(digits: u64) -> Machine {
    let layout = Layout::new(digits);
    let open_bits = UP_TO_FE.open_bits() + PHASES;
    let machine = Machine::reading(open_bits + Group::BITS, layout.value_bits(), Reads::UtfInf8(digits));
    machine.with_groups(open_bits).with_slots_of_any_length()
}

/// The numbers that a limit sets.
#[derive(Clone, Copy)]
struct Layout {
    /// The greatest NME, §3.5.3.
    most: u64,
    /// The digits of that.
    count: u32,
    /// Bits of NME / 8.
    eights_bits: u32,
}

impl Layout {
    fn new(digits: u64) -> Self {
        let most = digits - LEAST_DIGITS;
        let count = (u64::BITS - most.leading_zeros()).div_ceil(4).max(1);
        Self { most, count, eights_bits: (most / 8).max(1).ilog2() + 1 }
    }

    fn value_bits(self) -> u32 {
        KEPT_BITS + LEFT_BITS + 4 * self.count + 3 + self.eights_bits + FEW_BITS + 2 + LACK_BITS + 3
    }
}

/// The state of a sequence of FF; without meaning outside of one.
#[derive(Clone, Copy)]
struct Long<'m> {
    /// Octets, or digits of the header, that are to come; after B4, the digits.
    left: Signal<'m>,
    /// NME, as far as it was read, and its remainder modulo three.
    nme: Signal<'m>,
    rest: Signal<'m>,
    /// The header is as long as that of the greatest NME, and has the same digits up to here.
    is_most: Signal<'m>,
    /// The limbs of eight digits that were to come before the last octet: NME / 8, and those of the other 18 to 25 digits. The limb before these has one digit at least.
    eights: Signal<'m>,
    few: Signal<'m>,
    /// The octet is of the limb before those.
    is_before: Signal<'m>,
    /// The last octet has the last bit of a limb of eight digits.
    has_ended: Signal<'m>,
    /// The bits that the next limb lacks.
    lacks: Signal<'m>,
    /// The next octet is the first or the second after the header; the code point has eighteen digits.
    is_first: Signal<'m>,
    is_second: Signal<'m>,
    has_18: Signal<'m>,
    /// The last bits that were read of the code point.
    kept: Signal<'m>,
}

impl<'m> Long<'m> {
    fn of(layout: Layout, value: Signal<'m>) -> Self {
        let mut low = 0;
        let mut take = |bits: u32| {
            low += bits;
            value.bits(low - bits..low)
        };
        Self {
            kept: take(KEPT_BITS),
            left: take(LEFT_BITS),
            nme: take(4 * layout.count),
            rest: take(2),
            is_most: take(1),
            eights: take(layout.eights_bits),
            few: take(FEW_BITS),
            is_before: take(1),
            has_ended: take(1),
            lacks: take(LACK_BITS),
            is_first: take(1),
            is_second: take(1),
            has_18: take(1),
        }
    }

    /// One of two.
    fn or(self, is_other: Signal<'m>, other: Self) -> Self {
        let mux = |a: Signal<'m>, b: Signal<'m>| is_other.mux(b, a);
        Self {
            left: mux(self.left, other.left),
            nme: mux(self.nme, other.nme),
            rest: mux(self.rest, other.rest),
            is_most: mux(self.is_most, other.is_most),
            eights: mux(self.eights, other.eights),
            few: mux(self.few, other.few),
            is_before: mux(self.is_before, other.is_before),
            has_ended: mux(self.has_ended, other.has_ended),
            lacks: mux(self.lacks, other.lacks),
            is_first: mux(self.is_first, other.is_first),
            is_second: mux(self.is_second, other.is_second),
            has_18: mux(self.has_18, other.has_18),
            kept: mux(self.kept, other.kept),
        }
    }

    fn bits(self, m: &'m Builder) -> Signal<'m> {
        let Self {
            left,
            nme,
            rest,
            is_most,
            eights,
            few,
            is_before,
            has_ended,
            lacks,
            is_first,
            is_second,
            has_18,
            kept,
        } = self;
        m.concat([
            has_18, is_second, is_first, lacks, has_ended, is_before, few, eights, is_most, rest, nme, left,
            kept,
        ])
    }
}

/// The part of a trailing octet in a sequence of FF.
#[derive(Clone, Copy)]
struct Octet<'m> {
    /// The kind of the error; 0 if the octet continues the sequence.
    kind: Signal<'m>,
    /// The sequence is whole.
    completes: Signal<'m>,
    /// A head or limb goes out, but not the last limb; its `tuser`, and its data.
    has_part: Signal<'m>,
    user: Signal<'m>,
    data: Signal<'m>,
    /// The head and the first limb were whole at once, and the limb goes out with the next octet.
    is_late: Signal<'m>,
    /// The phase and the state for the next octet.
    next: Signal<'m>,
    long: Long<'m>,
}

impl<'m> Octet<'m> {
    /// An octet that continues the sequence in a phase, and after which nothing else is known.
    fn new(m: &'m Builder, phase: Phase, long: Long<'m>) -> Self {
        let no = m.lit(1, 0);
        Self {
            kind: m.lit(4, 0),
            completes: no,
            has_part: no,
            user: m.lit(4, LIMB),
            data: m.lit(KEPT_BITS, 0),
            is_late: no,
            next: m.lit(PHASES, 1 << phase as u32),
            long,
        }
    }

    /// One of two octets.
    fn or(self, is_other: Signal<'m>, other: Self) -> Self {
        let mux = |a: Signal<'m>, b: Signal<'m>| is_other.mux(b, a);
        Self {
            kind: mux(self.kind, other.kind),
            completes: mux(self.completes, other.completes),
            has_part: mux(self.has_part, other.has_part),
            user: mux(self.user, other.user),
            data: mux(self.data, other.data),
            is_late: mux(self.is_late, other.is_late),
            next: mux(self.next, other.next),
            long: self.long.or(is_other, other.long),
        }
    }
}

/// The part that the next octet has in a sequence of FF.
#[derive(Clone, Copy)]
enum Phase {
    /// The octet after FF.
    Second,
    /// An octet after a B4.
    Before,
    /// An octet after a digit of the header.
    Digit,
    /// One of the eleven octets after 80 to 9F.
    Thirteen,
    /// An octet after the header.
    Storage,
}

/// The lowest of `kinds` whose condition holds.
fn kind<'m>(m: &'m Builder, kinds: &[(Signal<'m>, u64)]) -> Signal<'m> {
    kinds.iter().rev().fold(m.lit(4, 0), |other, &(is, kind)| is.mux(m.lit(4, kind), other))
}

/// The state after FF, and an octet.
#[derive(Clone, Copy)]
struct Reader<'m> {
    m: &'m Builder,
    layout: Layout,
    /// The phase, a bit each.
    phase: Signal<'m>,
    long: Long<'m>,
    group: Group<'m>,
    /// The lower six bits of the octet.
    six: Signal<'m>,
    /// The bits that are kept, and those of the octet.
    longer: Signal<'m>,
}

impl<'m> Reader<'m> {
    fn is(self, phase: Phase) -> Signal<'m> {
        self.phase.bit(phase as u32)
    }

    /// The part of the trailing octet in the open sequence.
    fn octet(self) -> Octet<'m> {
        let begins_thirteen = self.is(Phase::Second) & !self.six.bit(BITS - 1);
        let is_thirteen = begins_thirteen | self.is(Phase::Thirteen);
        self.header().or(is_thirteen, self.thirteen()).or(self.is(Phase::Storage), self.storage())
    }

    /// §3.5.2 to §3.5.5.
    fn header(self) -> Octet<'m> {
        let Self { m, layout: Layout { most, count, eights_bits }, long, six, .. } = self;
        let is_second = self.is(Phase::Second);
        let at_start = is_second | self.is(Phase::Before);
        let left = is_second.mux(m.lit(LEFT_BITS, 1), long.left);
        let b4 = Octet::new(m, Phase::Before, Long { left: left + m.lit(LEFT_BITS, 1), ..long });
        let has_most = left.is(count.into());
        let b4 = Octet { kind: kind(m, &[(!at_start, INVALID), (has_most, LENGTH)]), ..b4 };

        let value = six.bits(0..4);
        let nme = m.concat([long.nme.when(!at_start), value]).bits(0..4 * count);
        let rest = m.concat([long.rest.when(!at_start), value]);
        // Sixteen is one more than a multiple of three.
        let rest =
            rest.case_of((0..64).map(|both| ([both], m.lit(2, (both / 16 + both % 16) % 3))), m.lit(2, 0));
        let left = left - m.lit(LEFT_BITS, 1);
        // In a header of as many digits as the greatest NME, the first digit that differs decides.
        let of_most = |place: u32| most >> (4 * place) & 0xF;
        let most =
            left.case_of((0..count).map(|place| ([place.into()], m.lit(4, of_most(place)))), m.lit(4, 0));
        let was_most = at_start.mux(has_most, long.is_most);
        let (is_most, is_more) = (was_most & value.eq(most), was_most & most.lt(value));
        let is_overlong = self.is(Phase::Before) & !value.any();
        let ends = !left.any();
        // NUD is eighteen more than NME: eight digits for each limb of NME / 8, and 18 to 25 others, of two or three limbs of eight digits and one of fewer or as many.
        let eights = m.concat([m.lit(3, 0), nme]).bits(3..3 + eights_bits);
        let few = m.lit(FEW_BITS, 2) + nme.bits(0..3).all().zext(FEW_BITS);
        let of_first = (nme.bits(0..3) + m.lit(3, (LEAST_DIGITS - 1) % 8)).zext(4) + m.lit(4, 1);
        // The zero nybbles before the digits.
        let pad = m.concat([rest.is(1), rest.is(2)]);
        let digit = Octet {
            kind: kind(m, &[(is_overlong, OVERLONG), (is_more, LENGTH)]),
            has_part: ends,
            user: m.lit(4, HEAD),
            data: m.concat([m.lit(1, 0), few.zext(3) + m.lit(3, 1), eights.zext(LIMB_BITS)]),
            next: ends
                .mux(m.lit(PHASES, 1 << Phase::Storage as u32), m.lit(PHASES, 1 << Phase::Digit as u32)),
            ..Octet::new(
                m,
                Phase::Digit,
                Long {
                    left,
                    nme,
                    rest,
                    is_most,
                    eights,
                    few,
                    is_before: m.lit(1, 1),
                    has_ended: m.lit(1, 0),
                    lacks: m.concat([of_first + pad.zext(4), m.lit(2, 0)]),
                    is_first: m.lit(1, 1),
                    is_second: m.lit(1, 0),
                    has_18: is_second & !value.any(),
                    kept: m.lit(KEPT_BITS, 0),
                },
            )
        };
        let other = Octet { kind: m.lit(4, INVALID), ..digit };
        other.or(six.bits(4..6).is(0b10), digit).or(six.is(B4 & 0x3F), b4)
    }

    /// §3.4.
    fn thirteen(self) -> Octet<'m> {
        let Self { m, long, group, six, longer, .. } = self;
        let is_second = self.is(Phase::Second);
        let left = is_second.mux(m.lit(LEFT_BITS, 11), long.left - m.lit(LEFT_BITS, 1));
        // The octet has the bits from bit `low` of the code point on.
        let brings = |low: u64| left.is(low / u64::from(BITS));
        let bits = |first: u32, last: u32| longer.bits(first..last + 1).zext(KEPT_BITS);

        let is_third = left.is(10);
        let has_three = is_third.mux(six.bits(4..6).any(), six.any());
        let is_head = !group.is_open & (is_second & has_three | is_third);
        // The first of three limbs, bits 64 to 70, is whole with the third octet. If the head goes out with that octet, only bits 64 and 65 can be 1,
        // and the limb goes out with the next octet.
        let top = is_third & group.is_open;
        let middle = brings(32);
        let number = m.concat([m.lit(1, 1), has_three]).zext(KEPT_BITS);
        let data = bits(4, 10).when(top) | bits(10, 11).when(group.is_late) | bits(2, 33).when(middle);
        let is_overlong = brings(36) & !longer.any();
        Octet {
            kind: kind(m, &[(is_overlong, OVERLONG)]),
            completes: !left.any(),
            has_part: is_head | top | group.is_late | middle,
            user: is_head.mux(m.lit(4, HEAD), m.lit(4, LIMB)),
            data: is_head.mux(number, data),
            is_late: is_head & is_third & has_three,
            ..Octet::new(m, Phase::Thirteen, Long { left, kept: longer, ..long })
        }
    }

    /// §3.5.6 and §3.5.7.
    fn storage(self) -> Octet<'m> {
        let Self { m, layout, long, six, longer, .. } = self;
        let Long {
            rest, eights, few, is_before, has_ended, lacks, is_first, is_second, has_18, kept, ..
        } = long;
        let (no_pad, one, two) = (rest.is(0), rest.is(2), rest.is(1));
        let [nybble, low, all] = [six.bits(2..6).any(), six.bits(0..4).any(), six.any()];
        let is_invalid = is_first & (one & nybble | two & all) | is_second & two & six.bits(4..6).any();
        let has_digit = is_first & (no_pad & has_18.mux(six.bit(5), nybble) | one | two)
            | is_second & (no_pad | one & (kept.bits(0..2).any() | six.bits(4..6).any()) | two & low);
        let is_overlong = (is_first | is_second) & !is_invalid & !has_digit;

        let lit = |value: u64| m.lit(LACK_BITS, value);
        let ends_limb = lacks.within(0, BITS.into());
        let bits = |over: u32| longer.bits(over..over + LIMB_BITS).zext(KEPT_BITS);
        let data = lacks.is(6).mux(bits(0), lacks.is(4).mux(bits(2), bits(4)));
        let has_eights = eights.any();
        let eights = eights - (has_ended & has_eights).zext(layout.eights_bits);
        let few = few - (has_ended & !has_eights).zext(FEW_BITS);
        let ends_eight = ends_limb & !is_before;
        let completes = ends_eight & !eights.any() & few.is(1);
        Octet {
            kind: kind(m, &[(is_overlong, OVERLONG), (is_invalid, INVALID)]),
            completes,
            has_part: ends_limb & !completes,
            data,
            ..Octet::new(
                m,
                Phase::Storage,
                Long {
                    // The bits of the octet that are left over belong to the next limb.
                    lacks: ends_limb.mux(lacks + lit(u64::from(LIMB_BITS - BITS)), lacks - lit(BITS.into())),
                    eights,
                    few,
                    is_before: is_before & !ends_limb,
                    has_ended: ends_eight,
                    is_first: m.lit(1, 0),
                    is_second: is_first,
                    kept: longer,
                    ..long
                },
            )
        }
    }
}

/// Reads an octet.
pub(super) fn step<'m>(m: &'m Builder, digits: u64, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let layout = Layout::new(digits);
    let (short_bits, open_bits) = (UP_TO_FE.open_bits(), UP_TO_FE.open_bits() + PHASES);
    let State { position, value } = state;
    let (short, phase) = (position.bits(0..short_bits), position.bits(short_bits..open_bits));
    let group = position.bits(open_bits..position.width());
    let kept = value.bits(0..KEPT_BITS);
    let inner = UP_TO_FE.step(m, State { position: m.concat([group, short]), value: kept }, unit);

    let six = unit.bits.bits(0..BITS);
    let longer = m.concat([kept.bits(0..KEPT_BITS - BITS), six]);
    let (long, group) = (Long::of(layout, value), Group::of(group));
    let octet = Reader { m, layout, phase, long, group, six, longer }.octet();
    let is_trailing = unit.bits.within(0x80, 0xBF);
    let is_open = phase.any();
    let fits = is_open & is_trailing & !octet.kind.any();
    let opens = unit.bits.is(FF);

    let goes_on = fits & !octet.completes;
    let is_head = octet.has_part & octet.user.is(HEAD);
    let of_long = Group { is_open: group.is_open | is_head, is_late: octet.is_late, of_three: m.lit(1, 0) };
    let inner_position = inner.next.position;
    let next_group = goes_on.mux(of_long.bits(m), inner_position.bits(short_bits..inner_position.width()));
    let next_phase = octet.next.when(goes_on) | m.lit(PHASES, 1 << Phase::Second as u32).when(opens);
    let start = Long { kept: inner.next.value.when(!opens), ..long };
    Step {
        cut: Slot {
            is_there: inner.cut.is_there | unit.is_there & is_open & !fits,
            user: is_open.mux(is_trailing.mux(octet.kind, m.lit(4, TRUNCATED)), inner.cut.user),
            value: inner.cut.value,
        },
        own: Slot {
            is_there: fits
                .mux(unit.is_there & (octet.has_part | octet.completes), inner.own.is_there & !opens),
            user: fits.mux(octet.completes.mux(m.lit(4, LIMB), octet.user), inner.own.user),
            value: fits.mux(octet.completes.mux(longer, octet.data), inner.own.value),
        },
        next: State {
            position: m.concat([next_group, next_phase, inner_position.bits(0..short_bits)]),
            value: goes_on.mux(octet.long.bits(m), start.bits(m)),
        },
    }
}
