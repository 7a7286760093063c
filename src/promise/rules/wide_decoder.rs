//! Rules of decoders of several lanes, by beats and dense.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
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
];
