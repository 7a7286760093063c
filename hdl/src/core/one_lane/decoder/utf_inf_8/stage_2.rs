//! Stage 2: the sequence of the unit, and the heads and limbs that go out with the unit.

use super::breach::Breach;
use super::format::{GATHERED_BITS, LeftOver, MISSING_BITS, TRAILING_BITS, TRAILING_OF_FE};
use super::header::Header;
use super::limb_count::LimbCount;
use super::stage_3::{PartsDue, SequenceState};
use super::storage::Storage;
use super::thirteen::Thirteen;
use super::unit::{BlockUnit, SixBits};
use crate::core::one_lane::decoder::prefix::{Restriction, SequencePart, UnitClass};
use crate::core::shared::leads::Leads;
use crate::core::shared::tags::Tags;
use crate::netlist::{Builder, Signal};

/// The results of stage 2 for the unit.
pub(super) struct Stage2<'m> {
    pub(super) state: SequenceState<'m>,
    pub(super) parts: PartsDue<'m>,
    pub(super) limbs: LimbCount<'m>,
}

impl<'m> Stage2<'m> {
    pub(super) fn new(
        m: &'m Builder,
        leads: &Leads,
        class: UnitClass<'m>,
        six: SixBits<'m>,
        digits: u64,
        tags: &Tags<'m>,
    ) -> Self {
        m.stage_section(2, "the open sequence");
        let part = class.part.expect("there are sequences");
        let payload = class.payload.expect("octets have bits below their markers");
        let load = part.stage.enable;
        let begun =
            m.reg("begun_reg", 1).reset(0).note("a sequence is open, if the unit before had no fault");
        let breach = Breach::new(m, tags);
        let open = (begun.q & !breach.any())
            .named("open")
            .note("a sequence is open; else the rest of its registers mean nothing");
        let opener = part.opener.expect("FF opens");
        let second = part.stage.data("second_reg", opener).note("the unit comes after FF");
        let unit = BlockUnit { load, trailing: part.trailing, second, six };
        let missing =
            m.reg("missing_reg", MISSING_BITS).note("trailing units still to come, if there is no header");
        let gathered = m.reg("gathered_reg", GATHERED_BITS).note("bits of the code point so far");

        let excluded = Restriction::new(m, leads, part, load).excludes(six.bits).named("excluded");
        let excluded = excluded.note("the lead does not allow this unit as the next one");
        let thirteen = Thirteen::new(m, unit, missing.q);
        let header = Header::new(m, unit, opener, digits, tags.drops_errors());
        let storage = Storage::new(m, unit, &header);
        let limbs = LimbCount::new(m, unit, &header, &storage, digits);

        m.stage_section(2, "whether the unit continues the sequence");
        let short = m.reg("short_reg", 1).note("the open sequence has up to seven octets");
        short.next_when(load, part.lead | short.q & part.trailing);
        let trails = (open & part.trailing)
            .named("trails")
            .note("the unit continues the sequence, if it has no fault");
        let overlong = excluded | thirteen.overlong | header.overlong | storage.overlong;
        breach.drive(load, part.trailing, overlong, &header, &storage);
        let one_left = part.trailing & missing.q.is(2) & (short.q | thirteen.inside);
        let counted = part.stage.data("last_counted_reg", part.lead.mux(part.follow.is(1), one_left));
        let counted = counted.note("the unit is the last of those that are counted");
        let last_missing = (counted | limbs.last).named("last_missing");
        let opens = (part.lead | opener).named("opens");
        begun.next_when(load, (opens | trails & !last_missing) & !class.frame_ends);
        let follow = part.follow.zext(MISSING_BITS);
        let eleven = m.lit(MISSING_BITS, 11);
        let less = missing.q - m.lit(MISSING_BITS, 1);
        missing.next_when(load, part.lead.mux(follow, second.mux(eleven, less)));
        // Units of a header hold no bits of the code point, and a unit that is a code point alone has no bits above it.
        let above = gathered.q.bits(0..GATHERED_BITS - TRAILING_BITS).when(trails);
        let alone = payload.bit(TRAILING_BITS).zext(GATHERED_BITS - TRAILING_BITS);
        let bits = six.bits.when(!(header.takes & part.trailing));
        gathered.next_when(load, m.concat([above | alone, bits]));

        let state = SequenceState {
            open,
            missing: missing.q,
            gathered: gathered.q,
            trails,
            breach,
            last_missing,
            opens,
        };
        let parts = parts_due(m, trails, unit, part, &thirteen, &header, &limbs);
        Self { state, parts, limbs }
    }
}

/// The head or limb that goes out with the unit, if the unit `trails` and has no fault.
fn parts_due<'m>(
    m: &'m Builder,
    trails: Signal<'m>,
    unit: BlockUnit<'m>,
    part: SequencePart<'m>,
    thirteen: &Thirteen<'m>,
    header: &Header<'m>,
    limbs: &LimbCount<'m>,
) -> PartsDue<'m> {
    m.section("Heads and limbs, if the unit continues the sequence");
    let stage = m.stage(unit.load);
    // FE is followed by 36 bits; four of them are above the last limb.
    let behind_fe = stage.data("behind_fe_reg", part.lead & part.follow.is(TRAILING_OF_FE));
    let behind_fe = behind_fe.note("the first unit after FE");
    let fe_head = behind_fe & (unit.six.top | unit.six.middle);
    let fe_head = fe_head.named("fe_head").note("after FE, the code point is 2^32 or more");
    let fe_limb =
        stage.data("fe_limb_reg", fe_head & unit.trailing).note("the first limb after FE has to go out");

    let head = (fe_head | thirteen.head | header.ends).named("head");
    let head_sent = m.reg("head_sent_reg", 1).note("the head went out before this unit");
    head_sent.next_when(unit.load, trails & head | head_sent.q & unit.trailing);
    let small_limb =
        (fe_limb | thirteen.late_limb).named("small_limb").note("a limb goes out that waited for its head");
    let limb = (small_limb | thirteen.limb | limbs.complete & !limbs.last).named("limb_due");

    let left = |left_over: LeftOver| m.lit(2, left_over as u64);
    let of_thirteen = thirteen
        .four_left
        .mux(left(LeftOver::FourBits), thirteen.two_left.mux(left(LeftOver::TwoBits), left(LeftOver::None)));
    let of_limb = limbs.complete.mux(limbs.left_over, of_thirteen);
    // A trailing unit that does not continue a sequence is an error, so the data of its slot does not matter.
    let left_over =
        (head | small_limb).mux(left(LeftOver::Small), of_limb).when(part.trailing).named("left_over");
    PartsDue {
        head,
        limb,
        head_sent: head_sent.q,
        left_over,
        small_limb,
        of_fe: fe_limb,
        three: thirteen.three,
        counted: header.ends,
    }
}
