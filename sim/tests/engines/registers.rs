//! Registers and reset in every engine, each cycle worked out by hand.

use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_sim::Engine;

use crate::common::bench::Bench;
use crate::common::designs::registers;

fn check<E: Engine>(name: &str, engine: impl Fn(&Design) -> E) {
    for style in ResetStyle::ALL {
        let mut bench = Bench::new(engine(&Design { top: registers(), reset: style }));
        let mut cycle = |reset: bool, enable: u64, d: u64| {
            bench.cycle_with(&[
                (style.port(), u64::from(reset == style.active_level())),
                ("enable", enable),
                ("d", d),
            ]);
            ["plain_q", "enabled_q", "cleared_q", "both_q", "left_q", "right_q"].map(|q| bench.get(q)[0])
        };
        // Before the first edge, all are 0; an asynchronous reset acts at once.
        assert_eq!(cycle(false, 0, 0x11), [0, 0, 0, 0, 0, 0], "{name}, {style}");
        let now = if style.is_asynchronous() { [0xa5, 0x5a, 1, 2] } else { [0x11, 0, 0, 0] };
        assert_eq!(cycle(true, 1, 0x22), [0x11, 0, now[0], now[1], now[2], now[3]], "{name}, {style}");
        // A register without a reset value ignores reset: it loads when it is enabled.
        assert_eq!(cycle(false, 0, 0x33), [0x22, 0x22, 0xa5, 0x5a, 1, 2], "{name}, {style}");
        assert_eq!(cycle(false, 1, 0x44), [0x33, 0x22, 0x33, 0x5a, 2, 1], "{name}, {style}");
        assert_eq!(cycle(false, 0, 0x55), [0x44, 0x44, 0x44, 0x44, 1, 2], "{name}, {style}");
        assert_eq!(cycle(false, 0, 0x66), [0x55, 0x44, 0x55, 0x44, 2, 1], "{name}, {style}");
    }
}

in_every_engine!(check);
