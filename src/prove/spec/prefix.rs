//! Prefix systems: the first unit of a sequence tells its length. A system is the table of its document, with a row for each length:
//! the first unit, the trailing units, and the code points that no shorter sequence has.
//!
//! After a unit, the code points that the sequence can still become are a range. The unit is refused, and its kind is that of the
//! error, where each of them is below the row (`overlong`), a surrogate, or above the row (`out-of-range`). Only the first two units
//! of a sequence can be refused in this way, since surrogates and the limits of rows are multiples of what the later units hold.
//!
//! A code point of 2^32 or more is a group of slots, a head and limbs, that go out while its sequence is read. In all systems here, the
//! number of limbs is known after the second unit, with which the head goes out.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{
    HEAD, INVALID, LIMB, LIMB_BITS, Machine, OUT_OF_RANGE, OVERLONG, SURROGATE, Slot, State, Step, TRUNCATED,
    UNEXPECTED, Unit, Written, any, is_within,
};

/// A row of the table.
pub(super) struct Row {
    /// The first unit, with zeros in the bits of the code point.
    pub(super) lead: u64,
    /// Bits of the code point in the first unit.
    pub(super) bits: u32,
    /// Number of trailing units.
    pub(super) trailing: u32,
    /// The first and the last code point of the row.
    pub(super) range: (u128, u128),
}

pub(super) const fn row(lead: u64, bits: u32, trailing: u32, first: u128, last: u128) -> Row {
    Row { lead, bits, trailing, range: (first, last) }
}

/// A system.
pub(super) struct Prefix {
    /// The last unit that is a sequence by itself: its own code point.
    pub(super) alone: u64,
    /// The longer sequences.
    pub(super) rows: &'static [Row],
    /// A trailing unit, with zeros in the bits of the code point, and the number of these bits.
    pub(super) trailing: (u64, u32),
    /// Code points of two units and more that the system does not have: a block whose size is a power of two.
    pub(super) gap: Option<(u64, u64)>,
}

/// Bits of the value, in a system of shorter code points.
pub(super) const VALUE_BITS: u32 = 31;

/// The slots of a code point that have gone out while its sequence is read, in a system whose code points can be groups of slots.
#[derive(Clone, Copy)]
pub(super) struct Group<'m> {
    /// The head has gone out.
    pub(super) is_open: Signal<'m>,
    /// The first limb was whole with the head, and goes out with the next unit.
    pub(super) is_late: Signal<'m>,
    /// The head says three limbs, and otherwise two.
    pub(super) of_three: Signal<'m>,
}

impl<'m> Group<'m> {
    /// Bits of a position that hold a group.
    pub(super) const BITS: u32 = 3;

    pub(super) fn of(bits: Signal<'m>) -> Self {
        let [is_open, is_late, of_three] = [0, 1, 2].map(|bit| bits.bit(bit));
        Self { is_open, is_late, of_three }
    }

    pub(super) fn bits(self, m: &'m Builder) -> Signal<'m> {
        m.concat([self.of_three, self.is_late, self.is_open])
    }
}

/// A head or a limb before the last that goes out with a unit, and the group after the unit.
struct Part<'m> {
    slot: Slot<'m>,
    next: Group<'m>,
}

/// The low bits of a unit below its marker, in `width` bits.
fn data<'m>(m: &'m Builder, unit: Signal<'m>, bits: u32, width: u32) -> Signal<'m> {
    if bits == 0 { m.lit(width, 0) } else { unit.bits(0..bits).zext(width) }
}

impl Prefix {
    /// Bits of the position that say whether a sequence is open: one for each row, its first unit has been read; above them the number of
    /// units to come after the second.
    pub(super) const fn open_bits(&self) -> u32 {
        self.rows.len() as u32 + self.count_bits()
    }

    /// Bits of the position: above those of an open sequence, those of a [`Group`].
    pub(super) const fn position_bits(&self) -> u32 {
        self.open_bits() + if self.has_groups() { Group::BITS } else { 0 }
    }

    /// Bits of the number of units that are to come after the second.
    const fn count_bits(&self) -> u32 {
        if self.most_units() > 9 { 4 } else { 3 }
    }

    /// Bits of the value.
    pub(super) const fn value_bits(&self) -> u32 {
        let (mut most, mut at) = (VALUE_BITS, 0);
        while at < self.rows.len() {
            let bits = self.rows[at].bits + self.rows[at].trailing * self.trailing.1;
            most = if bits > most { bits } else { most };
            at += 1;
        }
        most
    }

    /// Whether code points can be groups of slots.
    pub(super) const fn has_groups(&self) -> bool {
        self.value_bits() > LIMB_BITS
    }

    /// The group in a position.
    fn group<'m>(&self, position: Signal<'m>) -> Group<'m> {
        Group::of(position.bits(self.open_bits()..position.width()))
    }

    /// The units of the longest sequence.
    const fn most_units(&self) -> usize {
        let (mut most, mut at) = (1, 0);
        while at < self.rows.len() {
            let units = 1 + self.rows[at].trailing as usize;
            most = if units > most { units } else { most };
            at += 1;
        }
        most
    }

    /// The machine of a system; `step` calls [`step`](Self::step) of the same system.
    pub(super) const fn machine(
        &self,
        step: for<'m> fn(&'m Builder, State<'m>, &Unit<'m>) -> Step<'m>,
    ) -> Machine {
        let machine = Machine::new(self.position_bits(), self.value_bits(), step);
        let machine = if self.has_groups() { machine.with_groups(self.open_bits()) } else { machine };
        machine.with_slots_of(self.most_units())
    }

    /// The kind of error of the sequences of a row that begin with the bits of `code`, of which `missing` more are to come; 0 for none.
    fn refused<'m>(&self, m: &'m Builder, row: &Row, code: Signal<'m>, missing: u32) -> Signal<'m> {
        let most = (1 << code.width()) - 1;
        let (first, last) = ((row.range.0 >> missing) as u64, (row.range.1 >> missing) as u64);
        let kind = |kind: u64, first: u64, last: u64| {
            (first <= last).then(|| m.lit(4, kind).when(code.within(first, last)))
        };
        let overlong = (first > 0).then(|| kind(OVERLONG, 0, most.min(first - 1))).flatten();
        let is_in_row = |gap: &(u64, u64)| row.range.0 <= gap.0.into() && row.range.1 >= gap.1.into();
        let gap = self.gap.filter(|gap| is_in_row(gap) && (gap.1 - gap.0 + 1) >> missing > 0);
        let surrogate = gap.and_then(|gap| kind(SURROGATE, gap.0 >> missing, most.min(gap.1 >> missing)));
        let past = kind(OUT_OF_RANGE, last + 1, most);
        any([Some(m.lit(4, 0)), overlong, surrogate, past].into_iter().flatten())
    }

    /// Reads a unit.
    pub(super) fn step<'m>(&self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
        let State { position, value } = state;
        let bits = unit.bits;
        let (marker, data_bits) = self.trailing;
        let is_trailing = bits.within(marker, marker + (1 << data_bits) - 1);
        let (rows, count_bits, value_bits) = (self.rows.len() as u32, self.count_bits(), self.value_bits());
        let count = position.bits(rows..rows + count_bits);
        let was_open = position.bits(0..self.open_bits()).any();

        // The unit as a trailing one: the second of a row, or a later one.
        let longer = m.concat([value.bits(0..value_bits - data_bits), data(m, bits, data_bits, data_bits)]);
        let (mut fits, mut left) = (count.any() & is_trailing, count - m.lit(count_bits, 1));
        let mut refused = m.lit(4, 0);
        for (row, index) in self.rows.iter().zip(0..) {
            let is_second = position.bit(index);
            let code = longer.bits(0..row.bits + data_bits);
            let kind = self.refused(m, row, code, data_bits * (row.trailing - 1)).when(is_second);
            refused = refused | kind;
            fits = fits | is_second & is_trailing & !kind.any();
            left = is_second.mux(m.lit(count_bits, u64::from(row.trailing - 1)), left);
        }
        let completes = fits & !left.any();
        let cuts = unit.is_there & was_open & !fits;
        let part = self.has_groups().then(|| self.part(m, position, longer, fits, left));

        // The unit as the first one.
        let alone = bits.within(0, self.alone);
        let (mut opened, mut first, mut no_lead) = (Vec::new(), m.lit(value_bits, 0), m.lit(4, 0));
        let mut is_lead = alone;
        for row in self.rows {
            let is_row = bits.within(row.lead, row.lead + (1 << row.bits) - 1);
            let code = data(m, bits, row.bits, row.bits.max(1));
            let kind = self.refused(m, row, code, data_bits * row.trailing).when(is_row);
            opened.push(is_row & !kind.any() & !fits);
            first = first | data(m, bits, row.bits, value_bits).when(is_row);
            no_lead = no_lead | kind;
            is_lead = is_lead | is_row;
        }
        let other = is_trailing.mux(m.lit(4, UNEXPECTED), m.lit(4, INVALID));
        let no_lead = is_lead.mux(no_lead, other);
        let next_group = part.as_ref().map(|part| part.next.bits(m).when(fits & !completes));
        let next_open = [left.when(fits)].into_iter().chain(opened.into_iter().rev());
        let whole = Slot {
            is_there: unit.is_there & (completes | !fits & (alone | no_lead.any())),
            user: no_lead.when(!fits),
            value: fits.mux(longer, bits.zext(value_bits)),
        };
        Step {
            cut: Slot { is_there: cuts, user: is_trailing.mux(refused, m.lit(4, TRUNCATED)), value },
            own: match part {
                Some(Part { slot, .. }) => {
                    let is_last_limb = completes & self.group(position).is_open;
                    Slot {
                        is_there: whole.is_there | unit.is_there & slot.is_there,
                        user: slot.is_there.mux(slot.user, whole.user | m.lit(4, LIMB).when(is_last_limb)),
                        value: slot.is_there.mux(slot.value, whole.value),
                    }
                }
                None => whole,
            },
            next: State {
                position: m.concat(next_group.into_iter().chain(next_open)),
                value: fits.mux(longer, first),
            },
        }
    }

    /// The head or limb that goes out with a trailing unit that `fits`, and after which `left` units are to come. `longer` are the bits of the code point that are known.
    fn part<'m>(
        &self,
        m: &'m Builder,
        position: Signal<'m>,
        longer: Signal<'m>,
        fits: Signal<'m>,
        left: Signal<'m>,
    ) -> Part<'m> {
        let (data_bits, value_bits) = (self.trailing.1, self.value_bits());
        // The code point, with zeros in the bits that are to come.
        let shifted = |units: u32| {
            let missing = units * data_bits;
            m.concat([longer.bits(0..value_bits - missing), m.lit(missing, 0)])
        };
        let most_left = self.most_units() as u32 - 2;
        let code_point = any((1..=most_left).map(|units| shifted(units).when(left.is(units.into()))));
        // A limb by its number; the last limb has number 0.
        let limb = |number: u32| {
            let low = number * LIMB_BITS;
            code_point.bits(low.min(value_bits)..value_bits.min(low + LIMB_BITS))
        };
        // The number of units that are to come when all bits of a limb are known.
        let left_after = |number: u32| u64::from(number * LIMB_BITS / data_bits);
        let is_second = position.bits(0..self.rows.len() as u32).any();
        let may_have_three = value_bits > 2 * LIMB_BITS;
        let has_three = if may_have_three { limb(2).any() } else { m.lit(1, 0) };
        let is_head = fits & is_second & (has_three | limb(1).any());
        let number = m.lit(2, 2) | has_three.zext(2);

        let group = self.group(position);
        let known = |number: u32| left.within(0, left_after(number));
        let is_limb_2 = group.of_three & group.is_late;
        let is_limb_1 = !group.of_three & group.is_late | !group.is_late & left.is(left_after(1));
        let is_limb = fits & group.is_open & (is_limb_1 | is_limb_2);
        let data = |signal: Signal<'m>| signal.zext(value_bits);
        let (first_is_known, limb) = if may_have_three {
            (has_three.mux(known(2), known(1)), is_limb_2.mux(data(limb(2)), data(limb(1))))
        } else {
            (known(1), data(limb(1)))
        };
        Part {
            slot: Slot {
                is_there: is_head | is_limb,
                user: is_head.mux(m.lit(4, HEAD), m.lit(4, LIMB)),
                value: is_head.mux(data(number), limb),
            },
            next: Group {
                is_open: is_head | group.is_open,
                is_late: is_head & first_is_known,
                of_three: is_head.mux(has_three, group.of_three),
            },
        }
    }

    /// Writes a code point that the system has.
    pub(super) fn write<'m>(&self, m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
        let (marker, data_bits) = self.trailing;
        let width = self.unit_bits();
        let unit = |marker: u64, low: u32, bits: u32| {
            m.lit(width, marker)
                | if bits == 0 { m.lit(width, 0) } else { code_point.bits(low..low + bits).zext(width) }
        };
        let within = |row: &Row| {
            let (first, last) = row.range;
            // No code point takes a row that adds none.
            if first <= last { is_within(m, code_point, (first, last)) } else { m.lit(1, 0) }
        };
        let is_in: Vec<Signal<'m>> = self.rows.iter().map(within).collect();
        let longest = self.rows.iter().map(|row| row.trailing).max().unwrap_or(0);
        // `after` is the number of units that follow.
        let units = (0..=longest).rev().map(|after| {
            let rows = || self.rows.iter().zip(&is_in);
            let is_lead = rows().filter(|(row, _)| row.trailing == after);
            let leads = is_lead.map(|(row, &is_in)| unit(row.lead, data_bits * after, row.bits).when(is_in));
            let has_more: Vec<Signal<'m>> =
                rows().filter(|(row, _)| row.trailing > after).map(|(_, &is_in)| is_in).collect();
            let trailing =
                has_more.iter().map(|&is_in| unit(marker, data_bits * after, data_bits).when(is_in));
            let alone = (after == 0).then(|| unit(0, 0, width).when(!any(is_in.iter().copied())));
            let is_there = match after {
                0 => m.lit(1, 1),
                _ => any(rows().filter(|(row, _)| row.trailing >= after).map(|(_, &is_in)| is_in)),
            };
            Written { is_there, bits: any(leads.chain(trailing).chain(alone)) }
        });
        units.collect()
    }

    /// Bits of a unit: those of the marker of a trailing unit, whose uppermost bit is 1.
    fn unit_bits(&self) -> u32 {
        self.trailing.0.ilog2() + 1
    }
}
