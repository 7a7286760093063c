//! Rules of transcoders of one lane.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
];
