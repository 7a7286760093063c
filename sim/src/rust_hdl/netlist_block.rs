//! The macro that declares a netlist as a block with signals whose widths are types.

/// Declares a struct of rust-hdl's signals as a block that runs a netlist and is used like any other `LogicBlock`.
///
/// Signals are matched with ports by name. The clock is a `Signal<In, Clock>` called `clk`, the reset a `Signal<In,
/// Bit>` called `rst` or `rst_n`; every other signal is a `Signal` of `Bit` or `Bits` with the port's direction and
/// width. The struct gets a function `new` that takes a [`NetlistBlock`](crate::rust_hdl::NetlistBlock). `new` fails
/// with a [`PortError`](crate::rust_hdl::PortError) if a port has no signal, or a signal no port.
///
/// ```
/// use rust_hdl::prelude::*;
/// use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};
/// use utfhdl_sim::netlist_block;
/// use utfhdl_sim::rust_hdl::NetlistBlock;
///
/// netlist_block! {
///     /// Adds.
///     pub struct Adder {
///         pub a: Signal<In, Bits<8>>,
///         pub b: Signal<In, Bits<8>>,
///         pub sum: Signal<Out, Bits<8>>,
///     }
/// }
///
/// let m = Builder::new("adder", "Adds.");
/// let (a, b) = (m.input("a", 8, ""), m.input("b", 8, ""));
/// m.output("sum", a + b, "");
/// let design = Design { top: m.built(), reset: ResetStyle::default() };
///
/// let mut adder = Adder::new(NetlistBlock::new(&design, ""))?;
/// adder.a.next = 200.into();
/// adder.b.next = 100.into();
/// assert!(simulate(&mut adder, 10));
/// assert_eq!(adder.sum.val(), 44);
/// # Ok::<(), utfhdl_sim::rust_hdl::PortError>(())
/// ```
#[macro_export]
macro_rules! netlist_block {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$signal_meta:meta])* $signal_vis:vis $signal:ident : $type:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$signal_meta])* $signal_vis $signal: $type,)*
            netlist: $crate::rust_hdl::Adapter,
        }

        impl $name {
            /// The block that runs `netlist`.
            ///
            /// # Errors
            /// If its ports are not the signals declared.
            $vis fn new(
                netlist: $crate::rust_hdl::NetlistBlock,
            ) -> Result<Self, $crate::rust_hdl::PortError> {
                let declared =
                    [$((stringify!($signal), <$type as $crate::rust_hdl::TypedPort>::KIND)),*];
                Ok(Self {
                    netlist: $crate::rust_hdl::Adapter::new(netlist, &declared)?,
                    $($signal: Default::default(),)*
                })
            }
        }

        impl $crate::rust_hdl::core::logic::Logic for $name {
            fn update(&mut self) {
                use $crate::rust_hdl::TypedPort;
                let mut ports = 0..;
                $(self.$signal.drive(&mut self.netlist, ports.next().expect("every signal has a port"));)*
                self.netlist.update();
                let mut ports = 0..;
                $(self.$signal.sample(&self.netlist, ports.next().expect("every signal has a port"));)*
            }

            fn connect(&mut self) {
                $($crate::rust_hdl::TypedPort::connect_output(&mut self.$signal);)*
            }

            fn hdl(&self) -> $crate::rust_hdl::core::ast::Verilog {
                self.netlist.block().hdl()
            }
        }

        impl $crate::rust_hdl::core::block::Block for $name {
            fn connect_all(&mut self) {
                use $crate::rust_hdl::core::logic::Logic;
                self.connect();
            }

            fn update_all(&mut self) {
                use $crate::rust_hdl::core::logic::Logic;
                self.update();
                $(self.$signal.update_all();)*
            }

            fn has_changed(&self) -> bool {
                self.netlist.block().has_changed() $(|| self.$signal.has_changed())*
            }

            fn accept(&self, name: &str, probe: &mut dyn $crate::rust_hdl::core::probe::Probe) {
                probe.visit_start_scope(name, self);
                $(self.$signal.accept(stringify!($signal), probe);)*
                self.netlist.block().accept_inside(probe);
                probe.visit_end_scope(name, self);
            }
        }
    };
}
