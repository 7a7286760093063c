//! UTF-∞-8, seed 000: the short forms are those of a prefix system; behind FF stand thirteen bytes in all, or a length header
//! and as many storage bytes as it says.
//!
//! ```text
//!   short   00..FE   prefix system
//!   FF ─> second ─┬─ 80..9F ──> thirteen (11 more)
//!                 ├─ A0..AF ───────────────────────────────┐
//!                 └─ B4 ──> before (B4 ...) ─> length (Ax) ─┴─> storage (until the last limb)
//! ```
//!
//! Whatever the form, trailing units shift six bits into one register, and slots are cut out of it: a limb is complete with 0,
//! 2 or 4 bits left over. So no code point is ever held whole.

mod header;
mod judged;
mod limbs;
mod misfit;
mod storage;
mod thirteen;
mod unit;

use super::prefix::{Class, Part, classify, narrow};
use super::slots::{SlotRegister, slots};
use super::{OneUnitBeat, kinds_told};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::Forms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::core::spec::ErrorMode;
use crate::netlist::Builder;
use header::Header;
use judged::{Cut, Judged, Parts, State};
use limbs::Limbs;
use misfit::Misfit;
use storage::Storage;
use thirteen::Thirteen;
use unit::{Six, Unit};

/// Bits of a trailing unit.
const SIX: u32 = 6;
/// Bits that are kept: a limb, and up to four bits left over.
const GATHERED_BITS: u32 = SLOT_DATA_BITS + 4;
/// Bits of the number of trailing units still to come, 11 at most.
const MISSING_BITS: u32 = 4;
/// Trailing units of FE.
const AFTER_FE: u64 = 6;

/// Stages 1 to 4, for code points of up to `digits` digits; gives their number too.
pub(super) fn decode<'m>(
    m: &'m Builder,
    digits: u64,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> (SlotRegister<'m>, u32) {
    let leads = Leads::new(Forms::hunks(8, 7), ErrorKind::Truncated).with_openers();
    let mut kinds = kinds_told(&leads, style);
    kinds.push(ErrorKind::Overlong);
    kinds.push(ErrorKind::Invalid);
    if style != TagStyle::Codes(ErrorMode::Drop) {
        kinds.push(ErrorKind::Length);
    }
    kinds.sort_by_key(|kind| kind.code());
    kinds.dedup();
    let tags = Tags::new(m, style, &kinds, true);
    let class = classify(m, &leads, beat, &tags, pace);
    let six = Six::new(m, beat, class, pace.units());
    let stage2 = Stage2::new(m, &leads, class, six, digits, &tags);
    let judged = Judged::new(m, class, &stage2.state, stage2.parts, pace.slots());
    let made = judged.made(m, &leads, &tags);
    let plain = pace.slots().data("slot_is_plain_reg", !judged.counted);
    let slot = slots(m, made, SLOT_DATA_BITS, pace.slots());
    m.section("Stage 4: a head behind a length header holds the number of limbs");
    let data = slot.data.expect("slots have data");
    let data = plain.mux(data, stage2.limbs.count(m, plain, pace.slots()));
    (slot.register(data, pace.slots(), "counted"), 4)
}

/// Stage 2.
struct Stage2<'m> {
    state: State<'m>,
    parts: Parts<'m>,
    limbs: Limbs<'m>,
}

impl<'m> Stage2<'m> {
    fn new(
        m: &'m Builder,
        leads: &Leads,
        class: Class<'m>,
        six: Six<'m>,
        digits: u64,
        tags: &Tags<'m>,
    ) -> Self {
        m.section("Stage 2: the sequence that the unit stands in");
        let part = class.part.expect("there are sequences");
        let payload = class.payload.expect("octets have bits below their markers");
        let load = part.stage.enable;
        let begun =
            m.reg("begun_reg", 1).reset(0).note("in a sequence, if nothing was wrong with the unit before");
        let misfit = Misfit::new(m, tags);
        let open = (begun.q & !misfit.any())
            .named("open")
            .note("in a sequence; what follows means nothing elsewhere");
        let second = m.reg("second_reg", 1).note("behind FF");
        let opener = part.opener.expect("FF opens");
        second.next_when(load, opener);
        let unit = Unit { load, trailing: part.trailing, second: second.q, six };
        let missing = m
            .reg("missing_reg", MISSING_BITS)
            .note("trailing units still to come, of short forms and thirteen");
        let gathered = m.reg("gathered_reg", GATHERED_BITS).note("bits of the code point");

        let short_misfit = narrow(m, leads, part, load).misfit(six.bits).named("short_misfit");
        let thirteen = Thirteen::new(m, unit, missing.q);
        let header = Header::new(m, unit, opener, digits, tags.drops_errors());
        let storage = Storage::new(m, unit, &header);
        let limbs = Limbs::new(m, unit, &header, &storage, digits);

        m.section("Stage 2: how the unit goes on");
        let short = m.reg("short_reg", 1).note("in a sequence of up to seven bytes");
        short.next_when(load, part.lead | short.q & part.trailing);
        let goes_on = (open & part.trailing).named("goes_on").note("if nothing is wrong");
        let overlong = short_misfit | thirteen.overlong | header.overlong | storage.overlong;
        misfit.drive(load, part.trailing, overlong, &header, &storage);
        let counted = m.reg("last_counted_reg", 1).note("of those, this is the last");
        let one_left = part.trailing & missing.q.is(2) & (short.q | thirteen.inside);
        counted.next_when(load, part.lead.mux(part.follow.is(1), one_left));
        let last_missing = (counted.q | limbs.last).named("last_missing");
        let opens = (part.lead | opener).named("opens");
        begun.next_when(load, (opens | goes_on & !last_missing) & !class.frame_ends);
        let follow = part.follow.zext(MISSING_BITS);
        let eleven = m.lit(MISSING_BITS, 11);
        let less = missing.q - m.lit(MISSING_BITS, 1);
        missing.next_when(load, part.lead.mux(follow, second.q.mux(eleven, less)));
        // Nothing of a header is a bit of the code point, and units alone have no bits above them.
        let above = gathered.q.bits(0..GATHERED_BITS - SIX).when(goes_on);
        let alone = payload.bit(SIX).zext(GATHERED_BITS - SIX);
        let bits = six.bits.when(!(header.takes & part.trailing));
        gathered.next_when(load, m.concat([above | alone, bits]));

        let state =
            State { open, missing: missing.q, gathered: gathered.q, goes_on, misfit, last_missing, opens };
        let parts = parts(m, &state, unit, part, &thirteen, &header, &limbs);
        Self { state, parts, limbs }
    }
}

/// Heads and limbs that go out before a sequence is whole, if the unit goes on with it.
fn parts<'m>(
    m: &'m Builder,
    state: &State<'m>,
    unit: Unit<'m>,
    part: Part<'m>,
    thirteen: &Thirteen<'m>,
    header: &Header<'m>,
    limbs: &Limbs<'m>,
) -> Parts<'m> {
    m.section("Heads and limbs, if the unit goes on");
    let goes_on = state.goes_on;
    let load = unit.load;
    // Behind FE: 36 bits, of which four are above the last limb.
    let after_fe = m.reg("after_fe_reg", 1).note("the first unit behind FE");
    after_fe.next_when(load, part.lead & part.follow.is(AFTER_FE));
    let fe_head = after_fe.q & (unit.six.top | unit.six.middle);
    let fe_head = fe_head.named("fe_head").note("behind FE: 2^32 or more");
    let fe_limb = m.reg("fe_limb_reg", 1).note("its first limb has to go out");
    fe_limb.next_when(load, fe_head & unit.trailing);

    let head = (fe_head | thirteen.head | header.ends).named("head");
    let told = m.reg("told_reg", 1).note("the head went out");
    told.next_when(load, goes_on & head | told.q & unit.trailing);
    let small_limb =
        (fe_limb.q | thirteen.late_limb).named("small_limb").note("a limb that waited for its head");
    let limb = (small_limb | thirteen.limb | limbs.complete & !limbs.last).named("limb_due");

    let cut = |cut: Cut| m.lit(2, cut as u64);
    let of_thirteen =
        thirteen.by_four.mux(cut(Cut::Four), thirteen.by_two.mux(cut(Cut::Two), cut(Cut::None)));
    let of_limb = limbs.complete.mux(limbs.cut, of_thirteen);
    // A trailing unit that does not go on is an error: what it would hold does not matter.
    let cut = (head | small_limb).mux(cut(Cut::Small), of_limb).when(part.trailing).named("cut_by");
    Parts {
        head,
        limb,
        told: told.q,
        cut,
        small_limb,
        of_fe: fe_limb.q,
        three: thirteen.three,
        counted: header.ends,
    }
}
