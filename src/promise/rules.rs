//! The timing rules of docs/interface.md. For each rule there are two traces drawn by hand: the first keeps the rule, and
//! the second, hardly different, breaks it.
//!
//! The traces were drawn from the text of the contract, not from the behaviour of a core. They are judged twice: here by the
//! [`Schedule`] alone, and in co-simulation by all its checks.

use utfhdl_hdl::core::{CoreSpec, ErrorMode, Role};

use super::drawn::Drawn;
use super::{Beat, Item, Made, Reference, Schedule, Timing};

/// A rule of the contract.
pub(crate) struct Rule {
    /// The rule.
    pub(crate) says: &'static str,
    /// The core, as on the command line, with `--lanes`, `--pack` and `--on-error` where they matter.
    pub(crate) core: &'static str,
    /// The latency of that core.
    pub(crate) latency: u32,
    /// Traces that keep the rule.
    pub(crate) kept: &'static [&'static str],
    /// Traces that break it.
    pub(crate) broken: &'static [&'static str],
}

impl Rule {
    /// The specification of the core.
    pub(crate) fn spec(&self) -> CoreSpec {
        let mut words = self.core.split(' ');
        let mut word = || words.next().expect("a word");
        let system = |text: &str| text.parse().expect("a system");
        let from = system(word());
        let role = match word() {
            "decoder" => Role::Decoder,
            "encoder" => Role::Encoder,
            other => Role::Transcoder { to: system(other.strip_prefix("transcoder:").expect("a role")) },
        };
        let mut spec = CoreSpec::new(from, role);
        while let Some(option) = words.next() {
            let value = words.next().expect("a value");
            match option {
                "--lanes" => spec.lanes = value.parse().expect("a number"),
                "--pack" => spec.pack = value.parse().expect("a packing"),
                "--on-error" => spec.on_error = value.parse().expect("a treatment of errors"),
                _ => panic!("option {option}"),
            }
        }
        assert!(spec.on_error != ErrorMode::Flag || role == Role::Decoder);
        spec
    }
}

/// All rules about time.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        says: "a slot comes `latency` cycles behind the unit that makes it certain, a unit a cycle",
        core: "utf-8 decoder",
        latency: 2,
        kept: &[
            "s_axis  41   42|  .    .
             m_axis  .    .    41   42|",
            "s_axis  E2   82   AC   41|  .    .
             m_axis  .    .    .    .    20AC 41|",
            "s_axis  41   .    .    42|  .    .
             m_axis  .    .    41   .    .    42|",
        ],
        broken: &[
            "s_axis  41   42|  .
             m_axis  .    .    .
             fails   .    .    m_axis_tvalid",
            "s_axis  41   42|
             m_axis  .    41
             fails   .    m_axis_tvalid",
            "s_axis  E2   82   AC   41|  .
             m_axis  .    .    .    .    .
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  E2   82   AC   41|
             m_axis  .    .    .    20AC
             fails   .    .    .    m_axis_tvalid",
            "s_axis  41   .    .    42|  .    .
             m_axis  .    .    41   .    .    .
             fails   .    .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "a sequence that is cut short is certain at the unit that cuts it, and that unit comes one beat later",
        core: "utf-8 decoder",
        latency: 2,
        kept: &[
            "s_axis  E2   82   41   42|  .    .    .
             m_axis  .    .    .    .    #2   41   42|",
            // A unit that makes no slot takes the delay away.
            "s_axis  E1   41   C3   A9|  .    .
             m_axis  .    .    .    #2   41   E9|",
            "s_axis  E1   41   E1   41|  .    .    .
             m_axis  .    .    .    #2   41   #2   41|",
        ],
        broken: &[
            "s_axis  E2   82   41   42|  .    .
             m_axis  .    .    .    .    #2   .
             fails   .    .    .    .    .    m_axis_tvalid",
            "s_axis  E2   82   41   42|
             m_axis  .    .    .    #2
             fails   .    .    .    m_axis_tvalid",
            "s_axis  E1   41   C3   A9|  .    .
             m_axis  .    .    .    #2   41   .
             fails   .    .    .    .    .    m_axis_tvalid",
            "s_axis  E1   41   E1   41|  .
             m_axis  .    .    .    #2   .
             fails   .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "a wait of the output delays everything behind it by that many cycles and no more",
        core: "utf-8 decoder",
        latency: 2,
        kept: &[
            "s_axis         41   42   43|  .    .    .
             m_axis         .    .    41   =    42   43|
             m_axis_tready  1    1    0    1    1    1",
            "s_axis         41   42   43|  .    .    .    .    .
             m_axis         .    .    41   =    =    42   =    43|
             m_axis_tready  1    1    0    0    1    0    1    1",
            // A beat that was taken while the output waited enters after the beat before it.
            "s_axis         41   42   E2   82   AC|  .    .    .
             m_axis         .    .    41   =    42   .    .    20AC|
             m_axis_tready  1    1    0    1    1    1    1    1",
        ],
        broken: &[
            "s_axis         41   42   43|  .    .
             m_axis         .    .    41   =    .
             m_axis_tready  1    1    0    1    1
             fails          .    .    .    .    m_axis_tvalid",
            "s_axis         41   42   43|  .    .    .    .    .
             m_axis         .    .    41   =    =    42   =    .
             m_axis_tready  1    1    0    0    1    0    1    1
             fails          .    .    .    .    .    .    .    m_axis_tvalid",
            "s_axis         41   42   E2   82   AC|  .    .    .
             m_axis         .    .    41   =    42   .    .    .
             m_axis_tready  1    1    0    1    1    1    1    1
             fails          .    .    .    .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "a decoder refuses input only behind a wait of its output, or while a beat has one slot more than lanes",
        core: "utf-8 decoder",
        latency: 2,
        kept: &[
            "s_axis         41   42   43   44   =    45|  .    .
             s_axis_tready  1    1    1    0    1    1    1    1
             m_axis         .    .    41   =    42   43   44   45|
             m_axis_tready  1    1    0    1    1    1    1    1",
            "s_axis         E1   41   42   =    43|  .    .
             s_axis_tready  1    1    0    1    1    1    1
             m_axis         .    .    .    #2   41   42   43|",
        ],
        broken: &[
            "s_axis         41   42
             s_axis_tready  1    0
             m_axis         .    .
             fails          .    s_axis_tready",
            // Also where no beat is offered: the core cannot know.
            "s_axis         41   .
             s_axis_tready  1    0
             m_axis         .    .
             fails          .    s_axis_tready",
            "s_axis         E1   41   42   =
             s_axis_tready  1    1    0    0
             m_axis         .    .    .    #2
             fails          .    .    .    s_axis_tready",
            // The wait is long past.
            "s_axis         41   42|  .    .    .    .    .    43|
             s_axis_tready  1    1    1    1    1    1    1    0
             m_axis         .    .    41   =    42|  .    .    .
             m_axis_tready  1    1    0    1    1    1    1    1
             fails          .    .    .    .    .    .    .    s_axis_tready",
        ],
    },
    Rule {
        says: "`tlast` is on the beat with the last slot that the last beat makes; a beat without slots goes out only where that \
               beat makes none",
        core: "utf-8 decoder",
        latency: 2,
        kept: &[
            "s_axis  41   42|  .    .
             m_axis  .    .    41   42|",
            "s_axis  41   _|   .    .
             m_axis  .    .    41   _|",
            "s_axis  _|   41|  .    .
             m_axis  .    .    _|   41|",
            "s_axis  41   C3|  .    .
             m_axis  .    .    41   #2|",
            "s_axis  41   C3   _|   .    .
             m_axis  .    .    41   .    #2|",
            "s_axis  _    41|  .    .
             m_axis  .    .    .    41|",
        ],
        broken: &[
            "s_axis  41   42|  .    .
             m_axis  .    .    41   42
             fails   .    .    .    m_axis_tlast",
            "s_axis  41   42|  .
             m_axis  .    .    41|
             fails   .    .    m_axis_tlast",
            "s_axis  41   _|   .
             m_axis  .    .    41|
             fails   .    .    m_axis_tlast",
            "s_axis  41   _|   .    .
             m_axis  .    .    41   .
             fails   .    .    .    m_axis_tvalid",
            "s_axis  41   C3   _|   .    .
             m_axis  .    .    41   .    #2
             fails   .    .    .    .    m_axis_tlast",
            "s_axis  41   C3   _|   .    .
             m_axis  .    .    41   .    _|
             fails   .    .    .    .    m_axis_tkeep",
            "s_axis  _    41|  .
             m_axis  .    .    _|
             fails   .    .    m_axis_tvalid",
            "s_axis  41   42|  .
             m_axis  .    .    _|
             fails   .    .    m_axis_tkeep",
        ],
    },
    Rule {
        says: "nothing of one frame leaks into the next",
        core: "utf-8 decoder",
        latency: 2,
        kept: &["s_axis  C3|  A9|  .    .
                 m_axis  .    .    #2|  #1|"],
        broken: &[
            "s_axis  C3|  A9|  .    .
             m_axis  .    .    #2|  E9|
             fails   .    .    .    m_axis_tuser",
            "s_axis  C3|  A9|  .
             m_axis  .    .    .
             fails   .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "a decoder that drops errors ends a frame that ends in an error with an empty beat",
        core: "utf-8 decoder --on-error drop",
        latency: 2,
        kept: &[
            "s_axis  41   FF|  .    .
             m_axis  .    .    41   _|",
            "s_axis  C3   41|  .    .
             m_axis  .    .    .    41|",
        ],
        broken: &[
            "s_axis  41   FF|  .
             m_axis  .    .    41|
             fails   .    .    m_axis_tlast",
            "s_axis  41   FF|  .    .
             m_axis  .    .    41   #6|
             fails   .    .    .    m_axis_tkeep",
            // A dropped error takes no time.
            "s_axis  C3   41|  .    .
             m_axis  .    .    .    .
             fails   .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        // FF 81 80 ... is 2^36: two limbs, which the first trailing unit shows; the second has bit 32.
        says: "a head comes with the first unit that leaves one number of limbs, a limb with the first that has its last bit",
        core: "utf-8-8byte decoder",
        latency: 2,
        kept: &["s_axis  FF   81   80   80   80   80   80   80|  .    .
                 m_axis  .    .    .    h2   l10  .    .    .    .    l0|"],
        broken: &[
            "s_axis  FF   81   80   80   80   80   80   80|  .    .
             m_axis  .    .    .    .    .    .    .    .    .    .
             fails   .    .    .    m_axis_tvalid",
            "s_axis  FF   81   80   80   80   80   80   80|  .    .
             m_axis  .    .    .    h2   .    .    .    .    .    .
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  FF   81   80   80   80   80   80   80|  .    .
             m_axis  .    .    h2   .    .    .    .    .    .    .
             fails   .    .    m_axis_tvalid",
        ],
    },
    Rule {
        // EF B7 9D ED B2 AE 00 0A is the magic number: U+10E7D, U+ED4E, U+0000 (which is an error) and U+000A.
        says: "a decoder of documents holds slots back while a frame may open with the magic number, then they go out one a \
               cycle; `s_axis_tready` may fall for up to four cycles, once a frame",
        core: "corrected-utf-8,document=on decoder",
        latency: 2,
        kept: &[
            "s_axis  EF   B7   9D   ED   B2   AE   00   0A   41   42|  .    .
             m_axis  .    .    .    .    .    .    .    .    .    .    41   42|",
            "s_axis  EF   B7   9D   41|  .    .      .
             m_axis  .    .    .    .    .    10E7D  41|",
            "s_axis         EF   B7   9D   ED   B2   AE   00   41   42   =    =    =    =    43|  .    .
             s_axis_tready  1    1    1    1    1    1    1    1    0    0    0    0    1    1    1    1
             m_axis         .    .    .    .    .    .    .    .    .   10E7D ED4E #9   41   .    42   43|",
        ],
        broken: &[
            "s_axis  EF   B7   9D   ED   B2   AE   00   0A   41   42|  .
             m_axis  .    .    .    .    .    .    .    .    .    .    .
             fails   .    .    .    .    .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  EF   B7   9D   41|  .
             m_axis  .    .    .    .    10E7D
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  EF   B7   9D   41|  .    .
             m_axis  .    .    .    .    .    .
             fails   .    .    .    .    .    m_axis_tvalid",
            "s_axis  EF   B7   9D   41|  .    .      .
             m_axis  .    .    .    .    .    10E7D  .
             fails   .    .    .    .    .    .      m_axis_tvalid",
            "s_axis         EF   B7   9D   ED   B2   AE   00   41   42   =    =    =    =
             s_axis_tready  1    1    1    1    1    1    1    1    0    0    0    0    0
             m_axis         .    .    .    .    .    .    .    .    .   10E7D ED4E #9   41
             fails          .    .    .    .    .    .    .    .    .    .    .    .    s_axis_tready",
            // Not while slots are still held back.
            "s_axis         EF   B7   9D   ED
             s_axis_tready  1    1    1    0
             m_axis         .    .    .    .
             fails          .    .    .    s_axis_tready",
            // This happens once a frame: after its opening a frame has no further cycles to spend.
            "s_axis         41   42   EF   B7   9D   41   42
             s_axis_tready  1    1    1    1    1    1    0
             m_axis         .    .    41   42   .    .    10E7D
             fails          .    .    .    .    .    .    s_axis_tready",
        ],
    },
    Rule {
        says: "an encoder's latency counts from the slot that completes a code point to its first unit; the others follow one a \
               cycle, and the units of the next slot follow these",
        core: "utf-8 encoder",
        latency: 3,
        kept: &[
            "s_axis  20AC 41|  .    .    .    .    .
             m_axis  .    .    .    E2   82   AC   41|",
            "s_axis  41   42   .    43|  .    .    .
             m_axis  .    .    .    41   42   .    43|",
        ],
        broken: &[
            "s_axis  20AC 41|  .    .
             m_axis  .    .    .    .
             fails   .    .    .    m_axis_tvalid",
            "s_axis  20AC 41|  .    .    .
             m_axis  .    .    .    E2   .
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  20AC 41|  .    .    .    .    .
             m_axis  .    .    .    E2   82   AC   .
             fails   .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  20AC 41|  .
             m_axis  .    .    E2
             fails   .    .    m_axis_tvalid",
        ],
    },
    Rule {
        // h2 10 0 is 2^36.
        says: "a group of limbs is certain with its last limb, and heads and limbs take no time",
        core: "utf-8-8byte encoder",
        latency: 3,
        kept: &["s_axis  80   h2   l10  l0   41|  .    .    .    .    .    .    .    .    .    .
                 m_axis  .    .    .    C2   80   .    FF   81   80   80   80   80   80   80   41|"],
        broken: &[
            "s_axis  80   h2   l10  l0   41|  .    .
             m_axis  .    .    .    C2   80   .    .
             fails   .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  80   h2   l10  l0   41|  .
             m_axis  .    .    .    C2   80   FF
             fails   .    .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "an encoder replaces what it cannot write, and says so with `tlast`; a slot that cuts a group is read on its own",
        core: "utf-8 encoder",
        latency: 3,
        kept: &[
            "s_axis  #1|  .    .    .    .    .
             m_axis  .    .    .    EF   BF   BD|!",
            "s_axis  h2   41|  .    .    .    .    .    .
             m_axis  .    .    .    .    EF   BF   BD   41|!",
            "s_axis  #1|  41|  .    .    .    .    .
             m_axis  .    .    .    EF   BF   BD|! 41|",
        ],
        broken: &[
            "s_axis  #1|  .    .    .    .    .
             m_axis  .    .    .    EF   BF   BD|
             fails   .    .    .    .    .    m_axis_tuser",
            "s_axis  h2   41|  .    .    .    .    .    .
             m_axis  .    .    .    .    EF   BF   BD   .
             fails   .    .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  h2   41|  .    .
             m_axis  .    .    .    EF
             fails   .    .    .    m_axis_tvalid",
            "s_axis  #1|  41|  .    .    .    .    .
             m_axis  .    .    .    EF   BF   BD|! 41|!
             fails   .    .    .    .    .    .    m_axis_tuser",
        ],
    },
    Rule {
        says: "an encoder that drops errors ends a frame that ends in one with an empty beat",
        core: "utf-8 encoder --on-error drop",
        latency: 3,
        kept: &["s_axis  41   #1|  .    .    .
                 m_axis  .    .    .    41   _|!"],
        broken: &[
            "s_axis  41   #1|  .    .
             m_axis  .    .    .    41|!
             fails   .    .    .    m_axis_tlast",
            "s_axis  41   #1|  .    .    .    .
             m_axis  .    .    .    41   .    .
             fails   .    .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "an encoder refuses input only while it has more units to write than slots came in",
        core: "utf-8 encoder",
        latency: 3,
        kept: &["s_axis         20AC 41   =    =    42|  .    .    .
                 s_axis_tready  1    0    0    1    1    1    1    1
                 m_axis         .    .    .    E2   82   AC   41   42|"],
        broken: &[
            "s_axis         41   42
             s_axis_tready  1    0
             m_axis         .    .
             fails          .    s_axis_tready",
            "s_axis         20AC 41   =    =    =
             s_axis_tready  1    0    0    1    0
             m_axis         .    .    .    E2   82
             fails          .    .    .    .    s_axis_tready",
        ],
    },
    Rule {
        // U+20AC is 440 254 in utf-9.
        says: "a transcoder's latency counts from the unit that makes a slot certain to the first unit of that slot",
        core: "utf-8 transcoder:utf-9",
        latency: 4,
        kept: &[
            "s_axis  E2   82   AC|  .    .    .    .    .
             m_axis  .    .    .    .    .    .    120  AC|",
            "s_axis  41   42|  .    .    .    .
             m_axis  .    .    .    .    41   42|",
        ],
        broken: &[
            "s_axis  E2   82   AC|  .    .    .    .
             m_axis  .    .    .    .    .    .    .
             fails   .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  E2   82   AC|  .    .    .    .    .
             m_axis  .    .    .    .    .    .    120  .
             fails   .    .    .    .    .    .    .    m_axis_tvalid",
            "s_axis  41   42|  .    .    .
             m_axis  .    .    .    .    .
             fails   .    .    .    .    m_axis_tvalid",
        ],
    },
    Rule {
        says: "a transcoder refuses input only while it has more units to write than units came in",
        core: "utf-9 transcoder:utf-8",
        latency: 4,
        kept: &[
            // 120 0AC is U+20AC, three octets of two nonets: one cycle more than units came in.
            "s_axis         120  AC   120  =    AC|  .    .    .    .    .    .
             s_axis_tready  1    1    0    1    1    1    1    1    1    1    1
             m_axis         .    .    .    .    .    E2   82   AC   E2   82   AC|",
        ],
        broken: &[
            "s_axis         41   42
             s_axis_tready  1    0
             m_axis         .    .
             fails          .    s_axis_tready",
            "s_axis         41|  .    .    .    .    .
             s_axis_tready  1    1    1    1    1    0
             m_axis         .    .    .    .    41|  .
             fails          .    .    .    .    .    s_axis_tready",
        ],
    },
    Rule {
        says: "a transcoder that drops errors ends a frame with an empty beat where its last unit makes no unit to write",
        core: "utf-8 transcoder:utf-9 --on-error drop",
        latency: 4,
        kept: &["s_axis  41   C3|  .    .    .    .
                 m_axis  .    .    .    .    41   _|!"],
        broken: &["s_axis  41   C3|  .    .    .
                   m_axis  .    .    .    .    41|!
                   fails   .    .    .    .    m_axis_tlast"],
    },
    Rule {
        // The example of the contract: two slots, then five.
        says: "a slot for which a beat has no room rides in the next, which may be one more than the frame had",
        core: "utf-8 decoder --lanes 4",
        latency: 2,
        kept: &[
            "s_axis  41+41+E1+80  41+41+41+41|  .      .            .
             m_axis  .            .             41+41  #2+41+41+41  41|",
            "s_axis  41+41+E1+80  41+41+41+42  43+44  _|     .      .
             m_axis  .            .            41+41  #2+41+41+41  42+43+44  _|",
            // No beat waits to be filled.
            "s_axis  41           42+43        44|    .      .
             m_axis  .            .            41     42+43  44|",
            // A slot that had a beat of its own at the frame's end delays the next frame by a beat.
            "s_axis         E1|  _|   41+42+43|  E1+80  41+42+43+44|  45|  =    46+47|  .    .    .    .
             s_axis_tready  1    1    1          1      1             0    1    1       1    1    1    1
             m_axis         .    .    #2|        _|     41+42+43|     .    #2+41+42+43  44|  45|  46+47|  .  .",
            // The slot may delay later beats in the core by a cycle, gaps included, and keep the source waiting for
            // that cycle.
            "s_axis         E1+80  41+42+43+44|  .  45|          46|  =  .  .    .
             s_axis_tready  1      1             1  1            0    1  1  1    1
             m_axis         .      .             .  #2+41+42+43  44|  .  45|  46|  .",
            // A carry, and then a beat that makes nothing but the frame's end.
            "s_axis  41+41+E1+80  41+41+41+41  _|     .            .   .
             m_axis  .            .            41+41  #2+41+41+41  41  _|",
        ],
        broken: &[
            "s_axis  41+41+E1+80  41+41+41+41|  .      .            .
             m_axis  .            .             41+41  #2+41+41+41  .
             fails   .            .             .      .            m_axis_tvalid",
            "s_axis  41+41+E1+80  41+41+41+41|  .      .
             m_axis  .            .             41+41  #2+41+41
             fails   .            .             .      m_axis_tvalid",
            "s_axis  41+41+E1+80  41+41+41+41|  .      .
             m_axis  .            .             41+41  #2+41+41+41|
             fails   .            .             .      m_axis_tlast",
            "s_axis  41           42+43        44|    .
             m_axis  .            .            41+42  .
             fails   .            .            m_axis_tvalid",
            "s_axis  41           42+43        44|    .
             m_axis  .            .            .      41+42+43
             fails   .            .            m_axis_tvalid",
            // Nothing of the next frame rides with the last slot of a frame.
            "s_axis  E1+80  41+42+43+44|  45|     .            .
             m_axis  .      .             .       #2+41+42+43  44+45|
             fails   .      .             .       .            m_axis_tkeep",
            "s_axis         41+42+43+44  45+46+47+48
             s_axis_tready  1            0
             m_axis         .            .
             fails          .            s_axis_tready",
            "s_axis         E1+80  41+42+43+44|  .  45|          46|  =
             s_axis_tready  1      1             1  1            0    0
             m_axis         .      .             .  #2+41+42+43  44|  .
             fails          .      .             .  .            .    s_axis_tready",
            "s_axis         E1+80  41+42+43+44|  .  45|          .    .  .
             s_axis_tready  1      1             1  1            0    1  1
             m_axis         .      .             .  #2+41+42+43  44|  .  .
             fails          .      .             .  .            .    .  m_axis_tvalid",
        ],
    },
    Rule {
        says: "the output beats of a dense decoder are full, but the last of a frame: slots wait for others or for `tlast`, and \
               latency counts from the slot that fills a beat",
        core: "utf-8 decoder --lanes 4 --pack dense",
        latency: 3,
        kept: &[
            "s_axis  41+42  43+44  45|  .    .            .
             m_axis  .      .      .    .    41+42+43+44  45|",
            "s_axis  41+42+43  E2+82  .  AC+44+45+46|  .  .  .              .
             m_axis  .         .      .  .             .  .  41+42+43+20AC  44+45+46|",
            // The end of a frame flushes what waits, on a beat that makes nothing, too.
            "s_axis  41+42  _|     .    .    .
             m_axis  .      .      .    .    41+42|",
            // If no unit waits, the end goes out in a beat of its own.
            "s_axis  41+42+43+44  _|   .    .            .
             m_axis  .            .    .    41+42+43+44  _|",
            // Units left over of a frame go out while the next frame begins,
            "s_axis  41+42+43  44+45|  46+47  48|  .            .    .
             m_axis  .         .       .      .    41+42+43+44  45|  46+47+48|",
            // and holds up a beat with which something goes out, too.
            "s_axis         41+42+43  44+45|  46|  47|  48|          =    .    .    .
             s_axis_tready  1         1       1    1    0            1    1    1    1
             m_axis         .         .       .    .    41+42+43+44  45|  46|  47|  48|",
            // The slot that has no room in its beat goes into the next one.
            "s_axis  41+42+E1+80  41+41+41+41  42|  .            .            .
             m_axis  .            .            .    .            41+42+#2+41  41+41+41+42|",
        ],
        broken: &[
            "s_axis  41+42  43+44  45|  .
             m_axis  .      .      .    41+42
             fails   .      .      .    m_axis_tvalid",
            "s_axis  41+42  43+44  45|  .    .
             m_axis  .      .      .    .    41+42
             fails   .      .      .    .    m_axis_tkeep",
            "s_axis  41+42  43+44  45|  .    .
             m_axis  .      .      .    .    .
             fails   .      .      .    .    m_axis_tvalid",
            "s_axis  41+42  _|     .    .    .
             m_axis  .      .      .    .    .
             fails   .      .      .    .    m_axis_tvalid",
            "s_axis         41+42+43+44  45+46+47+48
             s_axis_tready  1            0
             m_axis         .            .
             fails          .            s_axis_tready",
        ],
    },
    Rule {
        says: "the output beats of an encoder of several lanes are full, but the last of a frame: units wait for others or for \
               `tlast`, and latency counts from the slot that fills a beat",
        core: "utf-8 encoder --lanes 4",
        latency: 3,
        kept: &[
            "s_axis  41+42  43+44  45|  .    .            .
             m_axis  .      .      .    .    41+42+43+44  45|",
            "s_axis  41+42  .      .    43+44+45  .    .    46|           .  .  .
             m_axis  .      .      .    .         .    .    41+42+43+44   .  .  45+46|",
            // The end of a frame flushes what waits, on a beat that makes nothing, too.
            "s_axis  41+42  _|     .    .    .
             m_axis  .      .      .    .    41+42|",
            // If no unit waits, the end goes out in a beat of its own.
            "s_axis  41+42+43+44  _|   .    .            .
             m_axis  .            .    .    41+42+43+44  _|",
            // A beat that fills two output beats takes two cycles, in which the next one comes in.
            "s_axis  20AC+20AC+20AC+41  42|  .  43|          .            .          .
             m_axis  .                  .    .  E2+82+AC+E2  82+AC+E2+82  AC+41+42|  43|",
            // Units of one slot over two beats, and a second beat of slots that keeps both sides busy.
            "s_axis  20AC+20AC  41+42+43  20AC|  .            .            .
             m_axis  .          .         .      E2+82+AC+E2  82+AC+41+42  43+E2+82+AC|",
        ],
        broken: &[
            "s_axis  41+42  43+44  45|  .
             m_axis  .      .      .    41+42
             fails   .      .      .    m_axis_tvalid",
            "s_axis  41+42  43+44  45|  .    .
             m_axis  .      .      .    .    41+42
             fails   .      .      .    .    m_axis_tkeep",
            "s_axis  41+42  43+44  45|  .    .
             m_axis  .      .      .    .    .
             fails   .      .      .    .    m_axis_tvalid",
            "s_axis  41+42  _|     .    .    .
             m_axis  .      .      .    .    .
             fails   .      .      .    .    m_axis_tvalid",
            "s_axis  41+42+43+44  _|   .    .            .
             m_axis  .            .    .    41+42+43+44  .
             fails   .            .    .    .            m_axis_tvalid",
            "s_axis  20AC+20AC  41+42+43  20AC|  .            .
             m_axis  .          .         .      E2+82+AC+E2  .
             fails   .          .         .      .            m_axis_tvalid",
            "s_axis         41+42+43+44  45+46+47+48
             s_axis_tready  1            0
             m_axis         .            .
             fails          .            s_axis_tready",
        ],
    },
    Rule {
        // h2 1 0 is 2^32, of seven units; h3 7F 0 0 has thirteen.
        says: "an encoder of `utf-inf-8` of several lanes takes a beat with heads or limbs slot by slot, a slot a cycle, or for as \
               many cycles as output beats are made of the slot; a slot that writes nothing takes none of these",
        core: "utf-inf-8 encoder --lanes 4",
        latency: 3,
        kept: &[
            "s_axis  h2+l1+l0+41|  .  .  .  .  .            .
             m_axis  .             .  .  .  .  FE+84+80+80  80+80+80+41|",
            // Units are also written after a limb.
            "s_axis  h2+l1+l0  41+42+43+44|  .  .  .  .            .            .  .
             m_axis  .         .             .  .  .  FE+84+80+80  80+80+80+41  .  42+43+44|",
            "s_axis  h3+l7F+l0+l0  h2+l1+l0+41|  .  .  .  .  .            .            .            .            .            .
             m_axis  .             .             .  .  .  .  FF+9F+B0+80  80+80+80+80  80+80+80+80  80+FE+84+80  80+80+80+80  41|",
        ],
        broken: &[
            "s_axis  h2+l1+l0+41|  .  .  .  .  .
             m_axis  .             .  .  .  .  .
             fails   .             .  .  .  .  m_axis_tvalid",
            "s_axis  h2+l1+l0+41|  .  .  .  .  .            .
             m_axis  .             .  .  .  .  FE+84+80+80  .
             fails   .             .  .  .  .  .            m_axis_tvalid",
            "s_axis  h3+l7F+l0+l0  h2+l1+l0+41|  .  .  .  .  .            .            .            .
             m_axis  .             .             .  .  .  .  FF+9F+B0+80  80+80+80+80  80+80+80+80  .
             fails   .             .             .  .  .  .  .            .            .            m_axis_tvalid",
            "s_axis         41+42+43+44  45+46+47+48
             s_axis_tready  1            0
             m_axis         .            .
             fails          .            s_axis_tready",
        ],
    },
    Rule {
        says: "where errors are dropped, slots at the end of a frame that write nothing leave its end to the units of slots before \
               them in the same beat",
        core: "utf-inf-8 encoder --lanes 4 --on-error drop",
        latency: 3,
        kept: &[
            "s_axis  41+42+43  44+h2+l1|  .  .  .  .  .
             m_axis  .         .          .  .  .  .  41+42+43+44|!",
            "s_axis  41+42+43+44  h2+l1|  .            .  .
             m_axis  .            .       .            41+42+43+44  _|!",
        ],
        broken: &[
            "s_axis  41+42+43  44+h2+l1|  .  .  .
             m_axis  .         .          .  .  41+42+43+44
             fails   .         .          .  .  m_axis_tlast",
        ],
    },
    Rule {
        says: "a transcoder of several lanes takes a beat for as many cycles as that reaches into output beats, less one, and one at \
               least",
        core: "utf-8 transcoder:utf-8 --lanes 4",
        latency: 3,
        kept: &[
            // The second beat fills two output beats. The second of these goes out together with the third beat.
            "s_axis  41+42+43+E2  82+AC+44+45  46+47+48+49|  .  .            .            .
             m_axis  .            .            .             .  41+42+43+E2  82+AC+44+45  46+47+48+49|",
            // The second output beat goes out even if no input follows.
            "s_axis  41+42+43+E2  82+AC+44+45  .  .  .            .            46|  .  .  .
             m_axis  .            .            .  .  41+42+43+E2  82+AC+44+45  .    .  .  46|",
            // Units that end a frame are left over, too.
            "s_axis  41+42+43+C3  A9+44|  45+46|  47|  .            .    .      .
             m_axis  .            .       .       .    41+42+43+C3  A9+44|  45+46|  47|",
            // A beat without slots makes nothing.
            "s_axis  C3  A9+41+42+43  C3  A9|  .            .  .
             m_axis  .   .            .   .    C3+A9+41+42  .  43+C3+A9|",
            // Unreadable slots take three octets each; here one beat fills three output beats.
            "s_axis         FF+FF+FF+FF  41+42+43+44|  .  .            .            .            .
             m_axis         .            .             .  EF+BF+BD+EF  BF+BD+EF+BF  BD+EF+BF+BD  41+42+43+44|!",
            "s_axis  41+FF|  .  .  .
             m_axis  .       .  .  41+EF+BF+BD|!",
        ],
        broken: &[
            "s_axis  41+42+43+E2  82+AC+44+45  46+47+48+49|  .  .            .
             m_axis  .            .            .             .  41+42+43+E2  .
             fails   .            .            .             .  .            m_axis_tvalid",
            "s_axis  41+42+43+E2  82+AC+44+45  46+47+48+49|  .  .            .            .
             m_axis  .            .            .             .  41+42+43+E2  82+AC+44+45  .
             fails   .            .            .             .  .            .            m_axis_tvalid",
            "s_axis  41+42+43+E2  82+AC+44+45  .  .
             m_axis  .            .            .  41+42+43+E2
             fails   .            .            .  m_axis_tvalid",
            "s_axis         41+42+43+44  45+46+47+48
             s_axis_tready  1            0
             m_axis         .            .
             fails          .            s_axis_tready",
        ],
    },
    Rule {
        says: "a transcoder of several lanes that drops errors ends a frame with the units that are left over, if any are",
        core: "utf-8 transcoder:utf-9 --lanes 4 --on-error drop",
        latency: 3,
        kept: &[
            "s_axis  41+42  43+C3|  .  .  .
             m_axis  .      .       .  .  41+42+43|!",
            "s_axis  41+42+43+44  C3|  .  .            .
             m_axis  .            .    .  41+42+43+44  _|!",
        ],
        broken: &["s_axis  41+42  43+C3|  .  .  .
                   m_axis  .      .       .  .  41+42+43|
                   fails   .      .       .  .  m_axis_tuser"],
    },
];

/// An item owed, as the traces have it.
struct Expected {
    item: Option<Item>,
    last: bool,
    amiss: bool,
}

/// The schedule of a core with its reference.
struct Judge {
    reference: Reference,
    schedule: Schedule<Expected>,
    decodes: bool,
}

impl Judge {
    /// The cycle in which the trace breaks a rule, and the port at which that shows. The core has been idle for long before.
    fn judge(rule: &Rule, trace: &Drawn) -> Option<(usize, String)> {
        let spec = rule.spec();
        let mut judge = Self {
            reference: Reference::of_spec(spec),
            schedule: Schedule::new(Timing::new(spec, rule.latency), 0),
            decodes: spec.role == Role::Decoder,
        };
        let start = u64::from(rule.latency) + 2;
        for cycle in 0..start {
            judge.schedule.cycle(cycle, false, false).expect("the core is ready");
        }
        for (at, cycle) in trace.cycles.iter().enumerate() {
            let now = start + at as u64;
            if let Err(port) = judge.see(now, cycle) {
                return Some((at, port.to_owned()));
            }
            if let Some(beat) = cycle.input.as_ref().filter(|_| cycle.input_ready) {
                judge.take(now, beat);
            }
        }
        (!judge.schedule.is_empty()).then(|| (trace.cycles.len(), "m_axis_tvalid".to_owned()))
    }

    /// Judges the outputs of a cycle; the error is the port that breaks a rule.
    fn see(&mut self, now: u64, cycle: &super::drawn::Cycle) -> Result<(), &'static str> {
        let waits = cycle.output.is_some() && !cycle.output_ready;
        self.schedule.cycle(now, waits, !cycle.input_ready).map_err(|_| "s_axis_tready")?;
        if let Some(beat) = &cycle.output {
            self.schedule.check_certain(now).map_err(|_| "m_axis_tvalid")?;
            if waits {
                return Ok(());
            }
            self.compare(now, beat, cycle.amiss)?;
        }
        self.schedule.check_punctual().map_err(|_| "m_axis_tvalid")
    }

    fn compare(&mut self, now: u64, beat: &Beat, amiss: bool) -> Result<(), &'static str> {
        let mut end = None;
        for item in &beat.items {
            if end.is_some() {
                return Err("m_axis_tkeep");
            }
            self.schedule.check_certain(now).map_err(|_| "m_axis_tvalid")?;
            let expected = self.schedule.pop().expect("an item is certain");
            match expected.item {
                None => return Err("m_axis_tkeep"),
                Some(owed) if owed.user != item.user => return Err("m_axis_tuser"),
                Some(owed) if owed.data != item.data => return Err("m_axis_tdata"),
                Some(_) => end = expected.last.then_some(expected),
            }
        }
        if beat.items.is_empty() {
            end = self.schedule.pop().filter(|expected| expected.item.is_none());
            end.as_ref().ok_or("m_axis_tkeep")?;
        }
        if end.is_some() != beat.last {
            return Err("m_axis_tlast");
        }
        if !self.schedule.is_filled(beat.items.len(), beat.last) {
            return Err("m_axis_tkeep");
        }
        match end {
            Some(end) if end.amiss != amiss && !self.decodes => Err("m_axis_tuser"),
            _ => Ok(()),
        }
    }

    fn take(&mut self, now: u64, beat: &Beat) {
        let mut made = Vec::new();
        self.reference.take(&beat.items, beat.last, &mut made, &mut Default::default());
        self.schedule.beat(now);
        let expected = |item| Expected { item, last: false, amiss: false };
        for made in made {
            match made {
                Made::Slot => self.schedule.slot(),
                Made::Step => self.schedule.step(),
                Made::WithheldSlot => self.schedule.withheld_slot(),
                Made::Item(item, _) => self.schedule.owe(expected(Some(item))),
                Made::Dropped => self.schedule.dropped(),
                Made::BareEnd(_) => self.schedule.owe_bare_end(expected(None)),
            }
        }
        if beat.last {
            let end = self.schedule.last_mut().expect("a frame has an end");
            (end.last, end.amiss) = (true, self.reference.frame_is_amiss());
            self.schedule.frame_ends();
        }
    }
}

/// Judges all traces of all rules with `judge`, which returns the cycle and the port of a violation.
pub(crate) fn judge_all(judge: impl Fn(&Rule, &Drawn) -> Option<(usize, String)>) {
    let mut wrong = String::new();
    for rule in RULES {
        for (traces, are_broken) in [(rule.kept, false), (rule.broken, true)] {
            for text in traces {
                let trace = Drawn::read(text);
                assert_eq!(trace.fails.is_some(), are_broken, "{text}");
                let found = judge(rule, &trace);
                if found != trace.fails {
                    wrong += &format!("\n{}: {}\n{text}\nfound {found:?}\n", rule.core, rule.says);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_schedule_keeps_to_the_contract() {
    judge_all(Judge::judge);
}
