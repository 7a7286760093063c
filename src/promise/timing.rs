//! The facts about a core that its timing depends on.

use utfhdl_hdl::core::{Auto, Choose, Core, CoreSpec, EndApart, Packing, Role, Stall, System, is_long};

/// The facts about a core that its timing depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The role of the core.
    pub role: Role,
    /// The lanes of a beat, on either side.
    pub lanes: usize,
    /// Cycles from the beat that makes an item certain to the beat that holds that item.
    pub latency: u64,
    /// Whether stages of a transcoder of one lane can stop while it takes beats: while withheld slots go out, or octets that were held back, or where the layer of a
    /// status has a buffer before the core.
    pub hides_stops: bool,
    /// Whether an encoder of one lane looks code points up in stages that stop together, as the decode stages of a transcoder do.
    pub looks_up: bool,
    /// Whether slots of a transcoder of several lanes can wait for the next beat: octets of sets of several can make more slots certain than
    /// there are lanes.
    pub slots_wait: bool,
    /// The cycles by which slots that are carried can delay items in a transcoder of several lanes that is a decoder and an encoder in series; `None` of
    /// other cores.
    pub in_series: Option<u64>,
    /// Cycles after reset in which the core takes no beat, since it clears the states of its streams.
    pub sweep: u64,
    /// Whether slots of several streams go out, all those of a beat together.
    pub of_streams: bool,
    /// Whether the stages never stop, with a FIFO at their end: a slot that is carried has a beat of its own where no beat follows at once, though the output
    /// waits.
    pub never_stops: bool,
    /// How the core fills its output beats. Encoders are always dense.
    pub packing: Packing,
}

impl Timing {
    /// The timing of a core of this specification and latency.
    pub fn new(spec: CoreSpec, latency: u32) -> Self {
        let CoreSpec { role, lanes, status, .. } = spec;
        Self {
            role,
            lanes: lanes as usize,
            latency: latency.into(),
            hides_stops: withholds(spec) || chooses_by_mark(spec.system).is_some() || status,
            looks_up: matches!(spec.system, System::MultiOctet(_)) && role == Role::Encoder,
            slots_wait: spec.system.has_multi_octet(),
            in_series: is_in_series(spec).then(|| {
                let most_carried: usize =
                    if spec.system.has_multi_octet() { MOST_CARRIED_OF_SETS } else { 1 };
                // Octets that were held back go through the decoder in a beat of their own, which can leave slots to the next, too.
                let held = usize::from(chooses_by_mark(spec.system).is_some());
                let beats = most_carried.div_ceil(lanes as usize) + held;
                (beats * cycles_of_slot(spec).unwrap_or(1)) as u64
            }),
            sweep: 0,
            of_streams: spec.has_slots_of_streams(),
            never_stops: spec.stall != Stall::Enable,
            packing: if role.has_encoder() { Packing::Dense } else { spec.pack },
        }
    }
}

impl From<&Core> for Timing {
    fn from(core: &Core) -> Self {
        Self { sweep: core.sweep.into(), ..Self::new(core.spec, core.latency) }
    }
}

/// The most slots that a decoder of sets of several octets carries. Four octets of gb18030 can be four slots, and the beat has a lane for the last one.
const MOST_CARRIED_OF_SETS: usize = 3;

/// Whether a transcoder is a decoder and an encoder in series, and a slot that the decoder carries can delay items. The slots then make fewer units than they
/// take lanes: code points have several slots, or errors of sets of several octets are dropped.
fn is_in_series(spec: CoreSpec) -> bool {
    match (spec.role, spec.system) {
        (Role::Transcoder { to }, System::UtfInf8 { .. }) => is_long(to),
        _ => spec.end_apart() != EndApart::Never,
    }
}

/// How many cycles a slot takes in an encoder of `utf-inf-8` of several lanes, where slots go one by one. A transcoder from `utf-inf-8` to itself has
/// such an encoder.
pub fn cycles_of_slot(spec: CoreSpec) -> Option<usize> {
    let is_endless = |system| matches!(system, System::UtfInf8 { .. });
    let goes_one_by_one = match spec.role {
        Role::Encoder => is_endless(spec.system),
        Role::Transcoder { to } => is_endless(spec.system) && is_endless(to),
        Role::Decoder | Role::Validator(_) => false,
    };
    (goes_one_by_one && spec.lanes > 1).then_some(if spec.lanes < 4 { 2 } else { 1 })
}

/// The list of systems among which the byte order mark of each frame chooses. Octets that may be of a mark are held back, and then go on one a cycle.
pub fn chooses_by_mark(system: System) -> Option<Auto> {
    match system {
        System::Auto(auto) if auto.choose() == Choose::Mark => Some(auto),
        _ => None,
    }
}

/// Whether a core of this specification withholds slots while a frame may still open with the magic number of a document.
pub fn withholds(spec: CoreSpec) -> bool {
    spec.lanes == 1 && reads_documents(spec)
}

/// Whether a core of this specification decodes documents. With several lanes it holds octets back while they may be of the magic number.
pub fn reads_documents(spec: CoreSpec) -> bool {
    let decodes = matches!(spec.role, Role::Decoder | Role::Transcoder { .. });
    matches!(spec.system, System::CorrectedUtf8 { document: true, .. }) && decodes
}
