//! Rules of encoders of several lanes.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
];
