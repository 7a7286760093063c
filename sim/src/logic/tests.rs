//! Each pass by itself on logic made by hand, compared with the expected result.

use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

use super::*;

/// Two inputs of 8 bits, cut from words of the record.
fn inputs(logic: &mut Logic) -> [Id; 2] {
    [0, 1].map(|word| {
        let word = logic.input(word);
        logic.and_mask(word, 0xff)
    })
}

fn bit(logic: &mut Logic, id: Id, index: u32) -> Id {
    let moved = logic.shr(id, index);
    logic.and_mask(moved, 1)
}

#[test]
fn what_is_computed_twice_is_one_value() {
    let logic = &mut Logic::default();
    let [a, b] = inputs(logic);
    assert_eq!(logic.and(a, b), logic.and(b, a));
    assert_eq!(logic.lt(a, b), logic.lt(a, b));
    assert_ne!(logic.lt(a, b), logic.lt(b, a));
}

#[test]
fn constants_are_folded() {
    let logic = &mut Logic::default();
    let [five, three] = [5, 3].map(|value| logic.constant(value));
    let sum = logic.add(five, three);
    assert_eq!(logic.op(sum), Op::Const(8));
    let less = logic.lt(three, five);
    assert_eq!(logic.op(less), Op::Const(1));
    let [a, _] = inputs(logic);
    assert_eq!(logic.mux(less, a, five), a);
    // No value of 8 bits is 256, and all are below it.
    let beyond = logic.constant(0x100);
    let (equal, below) = (logic.eq(a, beyond), logic.lt(a, beyond));
    assert_eq!((logic.op(equal), logic.op(below)), (Op::Const(0), Op::Const(1)));
}

#[test]
fn a_slice_of_a_concatenation_is_its_part() {
    let logic = &mut Logic::default();
    let [a, b] = inputs(logic);
    let upper = logic.shl(a, 8);
    let whole = logic.or(upper, b);
    let high = logic.shr(whole, 8);
    assert_eq!(high, a);
    assert_eq!(logic.and_mask(whole, 0xff), b);
    // And the other way: parts side by side are the whole.
    let (low, high) = (logic.and_mask(a, 0x0f), logic.shr(a, 4));
    let high = logic.shl(high, 4);
    assert_eq!(logic.or(high, low), a);
}

#[test]
fn identities_of_one_bit_are_known() {
    let logic = &mut Logic::default();
    let [a, b] = inputs(logic);
    let (x, y) = (bit(logic, a, 3), bit(logic, b, 0));
    let not_x = logic.not(x);
    let (zero, one) = (logic.constant(0), logic.constant(1));
    assert_eq!(logic.and(x, not_x), zero);
    assert_eq!(logic.or(x, not_x), one);
    let both = logic.and(x, y);
    assert_eq!(logic.or(x, both), x);
    let either = logic.or(not_x, y);
    assert_eq!(logic.and(x, either), both);
    assert_eq!(logic.mux(x, y, zero), both);
    assert_eq!(logic.mux(x, one, y), logic.or(x, y));
    assert_eq!(logic.eq(x, one), x);
    let (equal, greater) = (logic.eq(a, b), logic.lt(b, a));
    let (differ, at_most) = (logic.not(equal), logic.not(greater));
    assert_eq!((logic.op(differ), logic.op(at_most)), (Op::Ne(a, b), Op::Le(a, b)));
}

#[test]
fn a_comparison_of_a_field_needs_no_shift() {
    let logic = &mut Logic::default();
    let word = logic.input(0);
    let field = logic.shr(word, 6);
    let field = logic.and_mask(field, 3);
    let two = logic.constant(2);
    let test = logic.eq(field, two);
    let in_place = logic.and_mask(word, 0xc0);
    assert!(matches!(logic.op(test), Op::Eq(a, b) if a == in_place && logic.op(b) == Op::Const(0x80)));
}

#[test]
fn a_choice_between_near_constants_is_arithmetic() {
    let logic = &mut Logic::default();
    let [a, _] = inputs(logic);
    let select = bit(logic, a, 0);
    let [five, four] = [5, 4].map(|value| logic.constant(value));
    let chosen = logic.mux(select, five, four);
    assert!(matches!(logic.op(chosen), Op::Xor(bit, _) if bit == select));
}

/// A design of one module.
fn design(build: impl FnOnce(&Builder)) -> Design {
    let m = Builder::new("sample", "For a test.");
    build(&m);
    Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncHigh }
}

fn logic(build: impl FnOnce(&Builder)) -> Logic {
    let design = design(build);
    Logic::new(&design, &Flat::new(&design), &Layout::new(&design))
}

fn count(logic: &Logic, is_counted: impl Fn(Op) -> bool) -> usize {
    logic.values().iter().filter(|value| is_counted(value.op)).count()
}

#[test]
fn bits_of_the_state_that_stay_zero_are_found() {
    // A counter that goes 1, 2, 4, 1 through its lower bits; the upper five stay 0.
    let logic = logic(|m| {
        let ring = m.reg("ring", 8).reset(1);
        let low = ring.q.bits(0..3);
        ring.next(m.concat([low.bits(0..2), low.bit(2)]).zext(8));
        m.output("any", ring.q.any(), "");
        m.output("upper", ring.q.bits(3..8), "");
    });
    assert_eq!(logic.state[0].ones, 7);
    assert_eq!(logic.state[0].reset, Some(1));
}

#[test]
fn a_counter_that_needs_many_rounds_keeps_its_bits() {
    let logic = logic(|m| {
        let count = m.reg("count", 64).reset(0);
        count.next(count.q + m.lit(64, 1));
        m.output("q", count.q, "");
    });
    assert_eq!(logic.state[0].ones, u64::MAX);
}

#[test]
fn what_nobody_reads_is_not_computed() {
    let logic = logic(|m| {
        let (a, b) = (m.input("a", 16, ""), m.input("b", 16, ""));
        // Cut off by the slices: the product of the upper bits, and the comparison.
        let sum = (a + b).named("sum");
        let never = a.lt(b) & m.lit(1, 0);
        m.output("low", sum.bits(0..4), "");
        m.output("high", sum.bits(4..16) & never.repeat(12), "");
    });
    assert_eq!(count(&logic, |op| matches!(op, Op::Lt(..))), 0);
    assert_eq!(logic.ones(logic.outputs[0]), 0xf, "four bits of the sum and twelve zeros");
}

#[test]
fn masks_that_clear_what_nobody_looks_at_go() {
    // Only the lowest bit of the sum is looked at: neither operand needs its mask of 7 bits.
    let logic = logic(|m| {
        let (a, b) = (m.input("a", 7, ""), m.input("b", 7, ""));
        let sum = (a + b).named("sum");
        m.output("lowest", sum.bit(0), "");
        m.output("rest", sum.bits(1..7) & m.lit(6, 0), "");
    });
    assert_eq!(count(&logic, |op| matches!(op, Op::And(..))), 1, "{:?}", logic.values());
}

/// Only the lowest of the sum's three bits is wanted, so its operands lose their masks. The mask of the sum then has
/// more bits to clear than before.
#[test]
fn a_mask_stays_where_what_it_clears_is_only_zero_because_of_another() {
    let design = design(|m| {
        let (wide, looked_at) = (m.reg("wide", 9).reset(0x30), m.reg("looked_at", 9).reset(0x1d1));
        wide.next(m.lit(9, 0));
        looked_at.next(m.input("next", 1, "").zext(9));
        let low = wide.q.bits(0..3);
        m.output("y", looked_at.q & (low + low).zext(9), "");
        m.output("rest", wide.q, "");
    });
    let layout = Layout::new(&design);
    let logic = Logic::new(&design, &Flat::new(&design), &layout);
    let mut evaluator = Evaluator::new(&logic);
    evaluator.cycle(&[1]);
    let (record, y) = (evaluator.cycle(&[0]), layout.output("y").expect("a port"));
    assert_eq!(y.get(&record), 0, "0 + 0 in three bits");
}

#[test]
fn every_register_is_kept_for_probes() {
    let logic = logic(|m| {
        let (a, held) = (m.input("a", 8, ""), m.reg("held", 8));
        held.next(a);
        m.output("y", a ^ (held.q & m.lit(8, 0)), "");
    });
    assert_eq!(logic.state.len(), 1);
    assert_ne!(logic.op(logic.state[0].next), Op::State(0), "it loads");
}

#[test]
fn a_signal_of_several_words_has_as_many_values() {
    let logic = logic(|m| {
        let (a, b) = (m.input("a", 130, ""), m.input("b", 130, ""));
        m.output("y", a + b, "");
    });
    // A sum a word, and one to add the carry in all but the lowest.
    assert_eq!(count(&logic, |op| matches!(op, Op::Add(..))), 5);
    assert_eq!(logic.ones(logic.outputs[2]), 3, "of the third word two bits");
}

#[test]
fn operands_stand_before_what_reads_them() {
    let logic = logic(|m| {
        let (a, by) = (m.input("a", 100, ""), m.input("by", 9, ""));
        let held = m.reg("held", 100).reset(3);
        held.next_when(by.any(), (held.q << by) - a);
        m.output("y", held.q >> by, "");
    });
    for (id, value) in (0..).map(Id).zip(logic.values()) {
        assert!(value.op.operands().all(|operand| operand < id), "{value:?}");
    }
}

/// Eight parts. A part holds a byte of the input if its own bit of `keep` and the bit that the part before kept allow it.
fn eight_parts(m: &Builder) {
    let (data, keep) = (m.input("data", 64, ""), m.input("keep", 64, ""));
    let parts = || (0..8_u32).map(|part| (part, data.bits(8 * part..8 * part + 8), keep.bit(8 * part)));
    let kept: Vec<_> = parts()
        .map(|(part, ..)| m.reg(&format!("part_{part}_kept_reg"), 1).reset(0).in_lane(part as usize))
        .collect();
    let held: Vec<_> =
        parts().map(|(part, ..)| m.reg(&format!("part_{part}_held_reg"), 8).in_lane(part as usize)).collect();
    for (part, unit, keep) in parts() {
        let index = part as usize;
        let before = index.checked_sub(1).map_or(m.lit(1, 1), |before| kept[before].q);
        kept[index].next(keep & before);
        held[index].next(unit & (keep & before).repeat(8));
        m.output(&format!("held_{part}"), held[index].q, "");
    }
    m.output("others", m.concat([keep, kept[7].q]), "");
}

#[test]
fn registers_of_like_parts_share_a_word() {
    let design = design(eight_parts);
    let (flat, layout) = (Flat::new(&design), Layout::new(&design));
    let packed = Packed::new(Logic::new(&design, &flat, &layout), &flat);
    assert_eq!(packed.logic.state.len(), 2, "{:?}", packed.logic.state);
    assert_eq!(packed.logic.state[0].ones, 0x0101_0101_0101_0101);
    assert_eq!(packed.logic.state[0].reset, Some(0));
    assert_eq!(packed.logic.state[1].reset, None);
    // The bits of the input, those of the parts before, and one conjunction of both; nothing is done for each part.
    let next = packed.logic.op(packed.logic.state[0].next);
    assert!(matches!(next, Op::And(..)), "{next:?}");
    assert!(packed.logic.values().len() < 30, "{:?}", packed.logic.values());
}

#[test]
fn a_state_that_is_packed_can_be_unpacked() {
    let design = design(eight_parts);
    let (flat, layout) = (Flat::new(&design), Layout::new(&design));
    let packed = Packed::new(Logic::new(&design, &flat, &layout), &flat);
    let plain: Vec<u64> = (0..8).map(|part| part % 2).chain(0xf1..0xf9).collect();
    assert_eq!(packed.plain_words(), plain.len());
    let (mut words, mut again) = (vec![0; 2], vec![0; plain.len()]);
    packed.pack(&plain, &mut words);
    assert_eq!(words, [0x0100_0100_0100_0100, 0xf8f7_f6f5_f4f3_f2f1]);
    packed.unpack(&words, &mut again);
    assert_eq!(again, plain);
}

#[test]
fn parts_that_run_through_each_other_are_computed_one_by_one() {
    // Each part holds the parity of its own bit and the bits of all parts before: no row can be computed before itself.
    let design = design(|m| {
        let (data, held) = (m.input("data", 64, ""), |part: u32| {
            m.reg(&format!("part_{part}_held_reg"), 1).in_lane(part as usize)
        });
        let mut parity = m.lit(1, 0);
        for part in 0..8 {
            let own = data.bit(8 * part);
            parity = parity ^ own;
            let held = held(part);
            held.next(parity & own);
            m.output(&format!("held_{part}"), held.q, "");
        }
        m.output("inputs", data, "");
    });
    let (flat, layout) = (Flat::new(&design), Layout::new(&design));
    let plain = Logic::new(&design, &flat, &layout);
    let packed = Packed::new(plain.clone(), &flat);
    let (mut of_plain, mut of_packed) = (Evaluator::new(&plain), Evaluator::new(&packed.logic));
    let mut record = vec![0; layout.input_words];
    let data = layout.input("data").expect("a port");
    for round in 0..200_u64 {
        data.set(&mut record, round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert_eq!(of_plain.cycle(&record), of_packed.cycle(&record));
    }
}

#[test]
fn what_depends_on_few_bits_is_looked_up() {
    let plain = logic(|m| {
        let (unit, other) = (m.input("unit", 8, ""), m.input("other", 8, ""));
        let bounds = [(0x80, 0), (0xc2, 5), (0xe0, 2), (0xf0, 6), (0xf5, 1)];
        let classes = bounds.into_iter().rev();
        let class = classes
            .fold(m.lit(3, 7), |class, (bound, below)| unit.lt(m.lit(8, bound)).mux(m.lit(3, below), class));
        m.output("kind", class, "");
        m.output("both", unit & other, "");
    });
    let with_table = plain.clone().tabulate();
    assert_eq!(count(&with_table, |op| matches!(op, Op::Lookup(..))), 1);
    assert!(with_table.values().len() < plain.values().len());
    let [mut plain, mut with_table] = [&plain, &with_table].map(Evaluator::new);
    for word in 0..0x1_0000_u64 {
        assert_eq!(plain.cycle(&[word]), with_table.cycle(&[word]), "{word:#x}");
    }
}
