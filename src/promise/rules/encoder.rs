//! Rules of encoders of one lane.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
];
