//! Rules of validators. The marks of a unit follow a colon: 1 is `cut`, 2 is `bad`.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        says: "units go out `latency` cycles after they came, a beat a cycle, whatever they are",
        core: "utf-8 validator",
        latency: 3,
        kept: &[
            "s_axis  E2   82   AC|  .    .    .
             m_axis  .    .    .    E2   82   AC|",
            "s_axis  E2   .    82   AC|  .    .    .
             m_axis  .    .    .    E2   .    82   AC|",
        ],
        broken: &[
            "s_axis  E2   82   AC|  .    .
             m_axis  .    .    .    E2   .
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  E2   82   AC|
             m_axis  .    .    E2
             fails   .    .    m_axis_tvalid",
            "s_axis  E2   82   AC|  .
             m_axis  .    .    .    E3
             fails   .    .    .    m_axis_tdata",
        ],
    },
    Rule {
        says: "`cut` is at the unit that makes the error of the sequence before certain, `bad` at a unit that ends an error",
        core: "utf-8 validator",
        latency: 3,
        kept: &[
            "s_axis  E2   82   41|  .    .    .
             m_axis  .    .    .    E2   82   41:1|",
            "s_axis  E2   FF   80   41|  .    .    .
             m_axis  .    .    .    E2   FF:3 80:2 41|",
            "s_axis  41   E2|  .    .    .
             m_axis  .    .    .    41   E2:2|",
            "s_axis  E2|  82|  .    .    .
             m_axis  .    .    .    E2:2| 82:2|",
        ],
        broken: &[
            "s_axis  E2   82   41|  .    .
             m_axis  .    .    .    E2   82:2
             fails   .    .    .    .    m_axis_tuser",
            "s_axis  E2   82   41|  .    .    .
             m_axis  .    .    .    E2   82   41|
             fails   .    .    .    .    .    m_axis_tuser",
            "s_axis  41   E2|  .    .    .
             m_axis  .    .    .    41   E2|
             fails   .    .    .    .    m_axis_tuser",
        ],
    },
    Rule {
        says: "a beat without units goes out only if it ends its frame",
        core: "utf-8 validator",
        latency: 3,
        kept: &["s_axis  41   _    42   _|  .    .    .
                 m_axis  .    .    .    41   .    42   _|"],
        broken: &[
            "s_axis  41   _    42   _|  .
             m_axis  .    .    .    41   _|
             fails   .    .    .    .    m_axis_tvalid",
            "s_axis  41   _    42   _|  .    .
             m_axis  .    .    .    41   .    42|
             fails   .    .    .    .    .    m_axis_tlast",
        ],
    },
    Rule {
        says: "beats of several lanes stay as they are",
        core: "utf-8 validator --lanes 4",
        latency: 2,
        kept: &["s_axis  41+E2  82+AC+42+80  41|  .    .
                 m_axis  .      .            41+E2 82+AC+42+80:2 41|"],
        broken: &["s_axis  41+E2  82+AC+42+80  41|    .
                   m_axis  .      .            41+E2  82+AC+42+80:2|
                   fails   .      .            .      m_axis_tlast"],
    },
    Rule {
        says: "a validator refuses input only after a wait of its output",
        core: "utf-8 validator",
        latency: 2,
        kept: &["s_axis         41   42   43   44   =    45|  .    .
                 s_axis_tready  1    1    1    0    1    1    1    1
                 m_axis         .    .    41   =    42   43   44   45|
                 m_axis_tready  1    1    0    1    1    1    1    1"],
        broken: &["s_axis         41   42
                   s_axis_tready  1    0
                   m_axis         .    .
                   fails          .    s_axis_tready"],
    },
];
