//! Rules of decoders of one lane.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
];
