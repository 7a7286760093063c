//! Rules of transcoders of several lanes.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
        // h2 1 0 is 2^32.
        says: "a transcoder from `utf-inf-8` to a system with code points of 2^32 or more takes a beat for as many cycles as output beats are \
               made of it, one at least; items may be a cycle late",
        core: "utf-inf-8 transcoder:utf-8-8byte --lanes 4",
        latency: 3,
        kept: &[
            "s_axis  41+42+43+44  45+46+47+48|  .  .            .
             m_axis  .            .             .  41+42+43+44  45+46+47+48|",
            "s_axis  41+42+43+44  45+46+47+48|  .  .  .            .
             m_axis  .            .             .  .  41+42+43+44  45+46+47+48|",
            "s_axis  FE+84+80+80  80+80+80+41|  .  .  .            .
             m_axis  .            .             .  .  FE+84+80+80  80+80+80+41|",
        ],
        broken: &[
            "s_axis  41+42+43+44  45+46+47+48|  .  .  .
             m_axis  .            .             .  .  .
             fails   .            .             .  .  m_axis_tvalid",
        ],
    },
    Rule {
        says: "a transcoder from `utf-inf-8` to itself takes a beat that makes heads or limbs for a cycle for each slot",
        core: "utf-inf-8 transcoder:utf-inf-8 --lanes 4",
        latency: 3,
        kept: &[
            "s_axis  41+42+43+44  45+46+47+48|  .  .            .
             m_axis  .            .             .  41+42+43+44  45+46+47+48|",
            "s_axis  FE+84+80+80  80+80+80+41|  .  .  .  .            .
             m_axis  .            .             .  .  .  FE+84+80+80  80+80+80+41|",
        ],
        broken: &[
            "s_axis  FE+84+80+80  80+80+80+41|  .  .  .  .  .
             m_axis  .            .             .  .  .  .  .
             fails   .            .             .  .  .  .  m_axis_tvalid",
        ],
    },
    Rule {
        says: "a transcoder from `utf-inf-8` to a system with code points of 2^32 or more that drops errors ends a frame after its slots if the \
               last of these is an error",
        core: "utf-inf-8 transcoder:utf-8-8byte --lanes 2 --on-error drop",
        latency: 3,
        kept: &[
            // Units that are left over carry the end.
            "s_axis  41+80|  .  .  .    .
             m_axis  .       .  .  .    41|!",
            // No units are left over: FF is cut, and 80 is an error.
            "s_axis  41+FF  42+80|  .  .  .      .    .
             m_axis  .      .       .  .  41+42  .    _|!",
            "s_axis  41+42  80|  .  .      .  .
             m_axis  .      .    .  41+42  .  _|!",
        ],
        broken: &["s_axis  41+FF  42+80|  .  .  .
                   m_axis  .      .       .  .  41+42|!
                   fails   .      .       .  .  m_axis_tlast"],
    },
    Rule {
        says: "a transcoder of several lanes from a set of several octets that drops errors ends a frame after its slots if the last of these is an \
               error",
        core: "euc-kr transcoder:utf-8 --lanes 2 --on-error drop",
        latency: 3,
        kept: &[
            "s_axis  41+42|  .  .  .
             m_axis  .       .  .  41+42|",
            "s_axis  41+42  FF|  .  .      .  .
             m_axis  .      .    .  41+42  .  _|!",
        ],
        broken: &["s_axis  41+42|  .  .  .
                   m_axis  .       .  .  41+42
                   fails   .       .  .  m_axis_tlast"],
    },
    Rule {
        says: "a transcoder of several lanes from a set of several octets that drops errors ends every frame after its slots if the other system does \
               not have all code points",
        core: "euc-kr transcoder:ascii --lanes 2 --on-error drop",
        latency: 3,
        kept: &[
            "s_axis  41+42|  .  .  .      .
             m_axis  .       .  .  41+42  _|",
            "s_axis  41+42  43|  .  .      .
             m_axis  .      .    .  41+42  43|",
        ],
        broken: &["s_axis  41+42|  .  .  .
                   m_axis  .       .  .  41+42|
                   fails   .       .  .  m_axis_tlast"],
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
