//! The octets that an encoder of a set of several octets writes for a code point, from the words of its tables.
//!
//! ```text
//!  page, word ─┬─> octets, length ────────────────────────> octets
//!              │
//!              └─> in gb18030, stage 6: pointer
//!                  stages 7, 8: digits, stage 9: sums ────> stage 10: four octets, or those of the word
//! ```

use super::code_points::OCTET;
use super::four_octets::{Digits, POINTER_BITS};
use super::inverse_tables::{CODE_BITS, IS_PAIR, InverseTables, Page, WORD_BITS, has_four};
use super::memory_look_up::{Found, TablePorts};
use crate::core::MultiOctet;
use crate::netlist::{Builder, Signal};

/// Bits of a code point that is ASCII.
pub(in crate::core) const ASCII_BITS: u32 = 7;

/// The pointer of U+10000, less 10000.
const PLANES: u64 = 189_000 - 0x1_0000;

/// The stage of the words, and that of four octets.
pub(in crate::core) const WORD_STAGE: u32 = 5;
const LAST_OF_FOUR: u32 = 10;

/// The stage in which the octets are known.
pub(in crate::core) fn last_stage(set: MultiOctet) -> u32 {
    if has_four(set) { LAST_OF_FOUR } else { WORD_STAGE }
}

/// The most octets of a code point.
pub(in crate::core) fn most_octets(set: MultiOctet) -> u32 {
    if has_four(set) { 4 } else { 2 }
}

/// Tests of a code point, in the stage of the words.
#[derive(Clone, Copy)]
pub(in crate::core) struct Tested<'m> {
    /// The code point; its low bits suffice in sets without four octets.
    pub(in crate::core) code: Signal<'m>,
    pub(in crate::core) is_ascii: Signal<'m>,
    /// It is in no plane of the tables.
    pub(in crate::core) is_beyond: Signal<'m>,
    /// The slot has more bits than any code point; `None` if it cannot.
    pub(in crate::core) too_wide: Option<Signal<'m>>,
}

impl<'m> Tested<'m> {
    /// Tests the `tdata` of a slot. `name` makes names of signals.
    pub(in crate::core) fn new(
        m: &'m Builder,
        tables: &InverseTables,
        data: Signal<'m>,
        name: impl Fn(&str) -> String,
    ) -> Self {
        let code = data.bits(0..CODE_BITS);
        let too_wide = (data.width() > CODE_BITS).then(|| {
            let above = data.bits(CODE_BITS..data.width()).any();
            above.named(&name("too_wide")).note("more bits than any code point")
        });
        let is_beyond = tables.is_beyond(m, code).named(&name("is_beyond"));
        Self {
            code,
            is_ascii: (!code.bits(ASCII_BITS..CODE_BITS).any()).named(&name("is_ascii")),
            is_beyond: is_beyond.note("in no plane of the tables"),
            too_wide,
        }
    }

    /// The result of `of` for each signal.
    pub(in crate::core) fn map(self, of: impl Fn(Signal<'m>) -> Signal<'m>) -> Self {
        let Self { code, is_ascii, is_beyond, too_wide } = self;
        Self { code: of(code), is_ascii: of(is_ascii), is_beyond: of(is_beyond), too_wide: too_wide.map(of) }
    }
}

/// The octets of a code point.
#[derive(Clone, Copy)]
pub(in crate::core) struct Octets<'m> {
    /// The octets, the last one in the low bits.
    pub(in crate::core) octets: Signal<'m>,
    /// The number of octets, less one.
    pub(in crate::core) start: Signal<'m>,
    /// The set does not have the code point.
    pub(in crate::core) unfit: Signal<'m>,
}

/// What the tables say of a code point.
struct InTables<'m> {
    page: Page<'m>,
    tested: Tested<'m>,
    /// The word, and whether there is one.
    word: Signal<'m>,
    is_word: Signal<'m>,
    /// The word, or an ASCII octet.
    octets: Signal<'m>,
}

impl<'m> InTables<'m> {
    /// The octets in a set of one and two octets. `name`: that of the signal that the set lacks the code point.
    fn short(self, name: &str) -> Octets<'m> {
        let Tested { is_ascii, is_beyond, too_wide, .. } = self.tested;
        let is_absent = (!(is_ascii | self.is_word) | is_beyond).named(name);
        Octets {
            octets: self.octets,
            start: self.octets.bit(IS_PAIR),
            unfit: too_wide.map_or(is_absent, |too_wide| is_absent | too_wide),
        }
    }
}

/// The octets of code points, in stage [`last_stage`], from what is known in stage [`WORD_STAGE`]. There are as many as `ports`, whose keys
/// are of stage 0.
pub(in crate::core) fn octets<'m>(
    m: &'m Builder,
    set: MultiOctet,
    pages: &[Page<'m>],
    words: &[Found<'m>],
    tested: &[Tested<'m>],
    ports: TablePorts<'m>,
) -> Vec<Octets<'m>> {
    let in_tables = |port: usize| {
        let (tested, Found { word, is }) = (tested[port], words[port]);
        let ascii = tested.code.bits(0..ASCII_BITS).zext(WORD_BITS);
        let octets = tested.is_ascii.mux(ascii, word).named(&ports.name("octets", port));
        InTables { page: pages[port], tested, word, is_word: is, octets }
    };
    let found = (0..ports.count).map(in_tables);
    match has_four(set) {
        false => found.enumerate().map(|(port, found)| found.short(&ports.name("is_absent", port))).collect(),
        true => with_four(m, found.collect(), ports),
    }
}

/// The stages of `gb18030`: a code point without a pair has four octets.
fn with_four<'m>(m: &'m Builder, found: Vec<InTables<'m>>, ports: TablePorts<'m>) -> Vec<Octets<'m>> {
    let register = |name: &str, stage: u32, port: usize, signal: Signal<'m>| match signal.is_constant() {
        true => signal,
        false => ports.register(&format!("{name}_{stage}"), stage, port, signal),
    };
    let delayed = |name: &str, port: usize, signal: Signal<'m>, last: u32| {
        (WORD_STAGE + 1..=last).fold(signal, |signal, stage| register(name, stage, port, signal))
    };
    let known = |(port, found): (usize, &InTables<'m>)| {
        let InTables { page, tested, word, is_word, octets } = *found;
        let Tested { code, is_ascii, is_beyond, too_wide } = tested;
        let named = |signal: Signal<'m>, name: &str| signal.named(&ports.name(name, port));
        let has_octets = named(!is_beyond & octets.bit(IS_PAIR) | is_ascii, "has_octets");
        let is_absent = named(!is_beyond & !is_ascii & !is_word, "is_absent");
        let past = named(code.bits(20..21) & code.bits(16..20).any(), "past_last");
        let unfit = named(is_absent | past, "not_in_set");
        let unfit = too_wide.map_or(unfit, |too_wide| unfit | too_wide);
        let before = page.pointer.expect("pages have pointers");
        let before =
            (3..=WORD_STAGE).fold(before, |before, stage| register("pointer_before", stage, port, before));
        let in_bmp = (before + word).zext(POINTER_BITS);
        let pointer = named(is_beyond.mux(code + m.lit(CODE_BITS, PLANES), in_bmp), "pointer");
        (pointer, unfit, has_octets, octets)
    };
    let known: Vec<_> = found.iter().enumerate().map(known).collect();

    m.stage_section(6, "the pointer of four octets");
    let pointers = ports.all(|port| delayed("pointer", port, known[port].0, 6));
    m.stage_section(7, "the digits of its upper and lower bits");
    let digits = Digits::read(m, &pointers, [ports.next(7), ports.next(8)]);
    m.stage_section(9, "the sums of the digits");
    let four = digits.into_iter().enumerate().map(|(port, digits)| {
        let name = |name: &str| ports.name(name, port);
        digits.sums(ports.next(9), name).octets(m, name)
    });
    let stored = four.zip(known).enumerate().map(|(port, (four, (_, unfit, has_octets, octets)))| {
        let [unfit, is_short, octets] = [("unfit", unfit), ("is_short", has_octets), ("octets", octets)]
            .map(|(name, signal)| delayed(name, port, signal, 9));
        let four = is_short.mux(octets.zext(4 * OCTET), four).named(&ports.name("stored", port));
        let start = is_short.mux(m.concat([m.lit(1, 0), octets.bit(IS_PAIR)]), m.lit(2, 3));
        (four, start.named(&ports.name("start_of_octets", port)), unfit)
    });
    let stored: Vec<_> = stored.collect();

    m.stage_section(LAST_OF_FOUR, "the octets");
    let last = |(port, (octets, start, unfit)): (usize, (Signal<'m>, Signal<'m>, Signal<'m>))| {
        let [octets, start, unfit] = [("stored", octets), ("start", start), ("unfit", unfit)]
            .map(|(name, signal)| register(name, LAST_OF_FOUR, port, signal));
        Octets { octets, start, unfit }
    };
    stored.into_iter().enumerate().map(last).collect()
}
