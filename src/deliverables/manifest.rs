//! The manifest of a core: a description for tools, as JSON.

use serde::Serialize;
use utfhdl_hdl::core::{
    Access, BitField, Bus, Core, Register, Role, SlotKind, Storage, TextOptions, registers, status_fields,
};
use utfhdl_hdl::netlist::ScheduledStage;

use super::port_list::{PortEntry, port_list};

/// The manifest of `core`, whose Verilog has these options.
pub fn manifest(core: &Core, text: &TextOptions) -> String {
    serde_json::to_string_pretty(&Manifest::new(core, text)).expect("a manifest has names for keys") + "\n"
}

/// The description of a generated module for tools.
#[derive(Serialize)]
struct Manifest {
    module: String,
    generator: &'static str,
    version: &'static str,
    command: String,
    license: &'static str,
    system: String,
    role: String,
    lanes: u32,
    /// Lanes of the output, where it has others than the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes_out: Option<u32>,
    unit_bits: u32,
    /// Cycles.
    latency: u32,
    options: Options,
    ports: Vec<PortEntry>,
    stages: Vec<StageEntry>,
    /// The marks of a validator: the bits of a lane of `m_axis_tuser`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<ListedField>,
    /// The values of a slot's `tuser`, or of the kinds that a validator tells; none for a transcoder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<ListedKind>,
    /// The fields of a status: the bits of `status_tdata`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    status: Vec<ListedField>,
    /// The registers that software reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    registers: Vec<ListedRegister>,
}

/// A register.
#[derive(Serialize)]
struct ListedRegister {
    name: String,
    /// In bytes.
    address: u32,
    access: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u32>,
    meaning: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<ListedField>,
}

impl From<Register> for ListedRegister {
    fn from(Register { name, address, access, constant, meaning, fields }: Register) -> Self {
        let access = match access {
            Access::Read => "read",
            Access::ReadReleases => "read-clears",
            Access::Write => "write",
        };
        let fields = fields.into_iter().map(ListedField::from).collect();
        Self { name, address, access, value: constant, meaning, fields }
    }
}

/// A pipeline stage.
#[derive(Serialize)]
struct StageEntry {
    /// The instance whose stages are numbered on their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    stage: u32,
    work: Vec<String>,
    registers: u32,
    bits: u32,
}

impl From<ScheduledStage> for StageEntry {
    fn from(ScheduledStage { part, stage, work, registers, bits }: ScheduledStage) -> Self {
        Self { part, stage, work, registers, bits }
    }
}

/// A mark in the lane of a validator, or a field of a status.
#[derive(Serialize)]
struct ListedField {
    name: &'static str,
    /// The lowest bit in the lane or the status, and the number of bits.
    low: u32,
    bits: u32,
    meaning: &'static str,
}

impl From<BitField> for ListedField {
    fn from(BitField { name, low, bits, meaning }: BitField) -> Self {
        Self { name, low, bits, meaning }
    }
}

/// A value, or range of values, of `tuser`.
#[derive(Serialize)]
struct ListedKind {
    code: u8,
    /// The last one of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_code: Option<u8>,
    name: &'static str,
    meaning: &'static str,
}

impl From<SlotKind> for ListedKind {
    fn from(kind: SlotKind) -> Self {
        let (code, last) = kind.codes.into_inner();
        Self { code, last_code: (last > code).then_some(last), name: kind.name, meaning: kind.meaning }
    }
}

#[derive(Serialize)]
struct Options {
    reset: String,
    /// None in a validator.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_error: Option<String>,
    axis: String,
    /// The slots, where they are short.
    #[serde(skip_serializing_if = "Option::is_none")]
    bus: Option<String>,
    /// The steps that share a stage, in cores of several lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pack: Option<String>,
    /// Bits of the position, line and column of a slot, in cores that have them.
    #[serde(skip_serializing_if = "is_zero")]
    position: u32,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    column: u32,
    /// A stream with a status for each frame.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    status: bool,
    /// The bus of the registers, in cores that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<String>,
    /// The bus of the table, in cores whose table is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_port: Option<String>,
    /// How a stall of the output reaches the input, where no stage stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    stall: Option<String>,
    /// The form of the memory, in cores that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    /// Bits of the user's, in cores that have them.
    #[serde(skip_serializing_if = "is_zero")]
    tid: u32,
    #[serde(skip_serializing_if = "is_zero")]
    tdest: u32,
    #[serde(skip_serializing_if = "is_zero")]
    tuser: u32,
    /// Streams whose beats come in any order, by TID, in cores that have them.
    #[serde(skip_serializing_if = "is_zero")]
    streams: u32,
}

/// Whether a number is left out of the manifest.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Manifest {
    fn new(core: &Core, text: &TextOptions) -> Self {
        let spec = core.spec;
        let of_tables = (spec.tables != Storage::default()).then_some(spec.tables);
        let memory = spec.stall.memory().or(of_tables);
        let verdict = if let Role::Validator(verdict) = spec.role { Some(verdict) } else { None };
        Self {
            module: core.design.top.name().to_owned(),
            generator: "utfhdl",
            version: env!("CARGO_PKG_VERSION"),
            command: core.command() + &text.to_string(),
            license: "MIT OR Apache-2.0",
            system: spec.system.to_string(),
            role: spec.role.to_string(),
            lanes: spec.lanes,
            lanes_out: Some(spec.lanes_out()).filter(|&lanes| lanes != spec.lanes),
            unit_bits: spec.system.port_bits(),
            latency: core.latency,
            options: Options {
                reset: spec.reset.to_string(),
                on_error: verdict.is_none().then(|| spec.on_error.to_string()),
                axis: spec.axis.to_string(),
                bus: (spec.bus != Bus::default()).then(|| spec.bus.to_string()),
                pipeline: (spec.lanes > 1).then(|| spec.pipeline.to_string()),
                pack: (spec.lanes > 1).then(|| spec.pack.to_string()),
                position: spec.position,
                line: spec.line,
                column: spec.column,
                status: spec.status,
                registers: spec.registers.is_there().then(|| spec.registers.to_string()),
                table_port: spec.table_port.is_there().then(|| spec.table_port.to_string()),
                stall: spec.stall.memory().map(|_| spec.stall.to_string()),
                memory: memory.map(|storage| storage.to_string()),
                tid: spec.passengers.tid,
                tdest: spec.passengers.tdest,
                tuser: spec.passengers.tuser,
                streams: spec.streams,
            },
            ports: port_list(core),
            stages: core.design.top.schedule().into_iter().map(StageEntry::from).collect(),
            marks: verdict
                .map_or(Vec::new(), |verdict| verdict.fields().into_iter().map(ListedField::from).collect()),
            kinds: core.slot_kinds().into_iter().map(ListedKind::from).collect(),
            status: if spec.status {
                status_fields().into_iter().map(ListedField::from).collect()
            } else {
                vec![]
            },
            registers: if spec.registers.is_there() {
                registers(&spec).into_iter().map(ListedRegister::from).collect()
            } else {
                vec![]
            },
        }
    }
}
