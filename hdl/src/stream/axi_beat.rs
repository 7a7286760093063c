//! AXI4-Streams between instances of cores, and between cores and logic of one's own.

use crate::netlist::{Direction, InstanceHandle, Signal};

/// A beat on an AXI4-Stream: every signal of the stream but `tready`, which comes from the other side.
///
/// ```
/// use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
/// use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};
/// use utfhdl_hdl::stream::AxiBeat;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let decoder = Core::new(CoreSpec::new(System::Utf8, Role::Decoder))?.design.part();
/// let encoder = Core::new(CoreSpec::new(System::Utf16, Role::Encoder))?.design.part();
/// let m = Builder::new("to_utf_16", "Frames of UTF-8 to UTF-16, without what is ill-formed.");
/// let (decode, encode) = (m.instance("decode", &decoder), m.instance("encode", &encoder));
///
/// let octet = AxiBeat {
///     tdata: m.input("octet", 8, "the octet"),
///     tkeep: m.lit(1, 1),
///     tuser: None,
///     tvalid: m.input("octet_valid", 1, "an octet is offered"),
///     tlast: m.input("octet_last", 1, "the octet ends its frame"),
/// };
/// m.output("octet_ready", octet.offer_to(decode), "the octet is taken");
///
/// // Between the cores, a beat with an error becomes an empty one, which still may end the frame.
/// let slot = AxiBeat::offered_by(decode);
/// let is_error = slot.tuser.expect("slots have tuser").any();
/// let ready = AxiBeat { tkeep: slot.tkeep & !is_error, ..slot }.offer_to(encode);
/// decode.input("m_axis_tready", ready);
///
/// encode.input("m_axis_tready", m.input("unit_ready", 1, "the unit is taken"));
/// m.output("unit", encode.output("m_axis_tdata"), "the unit");
/// m.output("unit_keep", encode.output("m_axis_tkeep"), "there is a unit");
/// m.output("unit_valid", encode.output("m_axis_tvalid"), "a unit, or the end of a frame, is offered");
/// m.output("unit_last", encode.output("m_axis_tlast"), "the frame ends");
///
/// let design = Design { top: m.finish()?, reset: ResetStyle::SyncHigh };
/// assert!(design.modules().iter().any(|module| module.name() == "utf_8_decoder_x1"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct AxiBeat<'m> {
    /// The items of all lanes.
    pub tdata: Signal<'m>,
    /// Which lanes hold an item.
    pub tkeep: Signal<'m>,
    /// The kinds of the items. An input stream of units has no `tuser`.
    pub tuser: Option<Signal<'m>>,
    /// A beat is offered.
    pub tvalid: Signal<'m>,
    /// The beat ends its frame.
    pub tlast: Signal<'m>,
}

impl<'m> AxiBeat<'m> {
    /// The beat that an instance offers on its ports `m_axis`. Connect its `m_axis_tready`.
    ///
    /// # Panics
    /// If the instance lacks one of the ports.
    #[track_caller]
    pub fn offered_by(source: InstanceHandle<'m>) -> Self {
        Self {
            tdata: source.output("m_axis_tdata"),
            tkeep: source.output("m_axis_tkeep"),
            tuser: Some(source.output("m_axis_tuser")),
            tvalid: source.output("m_axis_tvalid"),
            tlast: source.output("m_axis_tlast"),
        }
    }

    /// Offers the beat to an instance, on its ports `s_axis`; returns the `s_axis_tready` of the instance. A `tuser` that the
    /// instance has no port for is not connected.
    ///
    /// # Panics
    /// If the instance lacks another of the ports, or a width differs, or the instance needs a `tuser` and there is none.
    #[track_caller]
    pub fn offer_to(self, sink: InstanceHandle<'m>) -> Signal<'m> {
        sink.input("s_axis_tdata", self.tdata)
            .input("s_axis_tkeep", self.tkeep)
            .input("s_axis_tvalid", self.tvalid)
            .input("s_axis_tlast", self.tlast);
        let module = sink.module();
        let takes_users = module
            .ports()
            .iter()
            .any(|port| port.direction == Direction::Input && port.name == "s_axis_tuser");
        if takes_users {
            let Some(tuser) = self.tuser else {
                panic!("module `{}` needs the tuser of what is offered to it", module.name())
            };
            sink.input("s_axis_tuser", tuser);
        }
        sink.output("s_axis_tready")
    }
}
