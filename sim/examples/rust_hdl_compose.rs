//! A generated decoder and a block in rust-hdl's own style, side by side in one rust-hdl design.
//!
//! The netlist of the decoder becomes a block with typed signals by `netlist_block!`. Downstream, a `LogicBlock` with an
//! `#[hdl_gen]` kernel counts code points and errors, and is not ready in every fourth cycle. rust-hdl simulates both,
//! dumps its waves and writes the Verilog of the whole.
//!
//! ```text
//! cargo run --release -p utfhdl-sim --example rust_hdl_compose [target/rust_hdl_compose.vcd]
//! ```

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use rust_hdl::prelude::*;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_sim::netlist_block;
use utfhdl_sim::rust_hdl::NetlistBlock;

netlist_block! {
    /// The UTF-8 decoder of one octet a cycle.
    struct Utf8Decoder {
        pub clk: Signal<In, Clock>,
        pub rst: Signal<In, Bit>,
        pub s_axis_tdata: Signal<In, Bits<8>>,
        pub s_axis_tkeep: Signal<In, Bit>,
        pub s_axis_tvalid: Signal<In, Bit>,
        pub s_axis_tready: Signal<Out, Bit>,
        pub s_axis_tlast: Signal<In, Bit>,
        pub m_axis_tdata: Signal<Out, Bits<32>>,
        pub m_axis_tkeep: Signal<Out, Bit>,
        pub m_axis_tuser: Signal<Out, Bits<4>>,
        pub m_axis_tvalid: Signal<Out, Bit>,
        pub m_axis_tready: Signal<In, Bit>,
        pub m_axis_tlast: Signal<Out, Bit>,
    }
}

/// Counts slots that hold a code point, slots that hold an error, and frames.
#[derive(LogicBlock, Default)]
struct SlotCounter {
    pub clk: Signal<In, Clock>,
    pub keep: Signal<In, Bit>,
    pub user: Signal<In, Bits<4>>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub code_points: Signal<Out, Bits<16>>,
    pub errors: Signal<Out, Bits<16>>,
    pub frames: Signal<Out, Bits<16>>,
    phase: DFF<Bits<2>>,
    code_point_count: DFF<Bits<16>>,
    error_count: DFF<Bits<16>>,
    frame_count: DFF<Bits<16>>,
}

impl Logic for SlotCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, phase, code_point_count, error_count, frame_count);
        self.phase.d.next = self.phase.q.val() + 1;
        self.ready.next = self.phase.q.val().any();
        if self.valid.val() & self.ready.val() {
            if self.keep.val() {
                if self.user.val().any() {
                    self.error_count.d.next = self.error_count.q.val() + 1;
                } else {
                    self.code_point_count.d.next = self.code_point_count.q.val() + 1;
                }
            }
            if self.last.val() {
                self.frame_count.d.next = self.frame_count.q.val() + 1;
            }
        }
        self.code_points.next = self.code_point_count.q.val();
        self.errors.next = self.error_count.q.val();
        self.frames.next = self.frame_count.q.val();
    }
}

/// The whole design: octets in, counts out.
#[derive(LogicBlock)]
struct TextMeter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub octet: Signal<In, Bits<8>>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub code_points: Signal<Out, Bits<16>>,
    pub errors: Signal<Out, Bits<16>>,
    pub frames: Signal<Out, Bits<16>>,
    decoder: Utf8Decoder,
    counter: SlotCounter,
}

impl TextMeter {
    fn new() -> anyhow::Result<Self> {
        let core = Core::new(CoreSpec::new(System::Utf8, Role::Decoder))?;
        Ok(Self {
            clk: Default::default(),
            rst: Default::default(),
            octet: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            ready: Default::default(),
            code_points: Default::default(),
            errors: Default::default(),
            frames: Default::default(),
            decoder: Utf8Decoder::new(NetlistBlock::new(&core.design, core.verilog()))?,
            counter: Default::default(),
        })
    }
}

impl Logic for TextMeter {
    #[hdl_gen]
    fn update(&mut self) {
        self.decoder.clk.next = self.clk.val();
        self.decoder.rst.next = self.rst.val();
        self.decoder.s_axis_tdata.next = self.octet.val();
        self.decoder.s_axis_tkeep.next = true;
        self.decoder.s_axis_tvalid.next = self.valid.val();
        self.decoder.s_axis_tlast.next = self.last.val();
        self.ready.next = self.decoder.s_axis_tready.val();

        self.counter.clk.next = self.clk.val();
        self.counter.keep.next = self.decoder.m_axis_tkeep.val();
        self.counter.user.next = self.decoder.m_axis_tuser.val();
        self.counter.valid.next = self.decoder.m_axis_tvalid.val();
        self.counter.last.next = self.decoder.m_axis_tlast.val();
        self.decoder.m_axis_tready.next = self.counter.ready.val();

        self.code_points.next = self.counter.code_points.val();
        self.errors.next = self.counter.errors.val();
        self.frames.next = self.counter.frames.val();
    }
}

/// Several scripts, and octets that are no UTF-8 at all.
fn text() -> Vec<u8> {
    let mut text = "Grüße, κόσμε, Привет, नमस्ते, こんにちは, 🎉🏳️‍🌈. ".repeat(20).into_bytes();
    text.extend(b"\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82 \xf0\x9f");
    text
}

/// The number of code points and of replaced errors in `text`, by the standard library.
fn expected(text: &[u8]) -> (u64, u64) {
    let decoded = String::from_utf8_lossy(text);
    let errors = decoded.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    ((decoded.chars().count() - errors) as u64, errors as u64)
}

/// Sends `text` as one frame, an octet whenever the decoder is ready, and waits until it has been counted.
fn send_and_check(mut bench: Sim<TextMeter>, text: &[u8]) -> Result<(), SimError> {
    let mut x = bench.init()?;
    x.rst.next = true;
    wait_clock_cycles!(bench, clk, x, 2);
    x.rst.next = false;
    for (index, &octet) in text.iter().enumerate() {
        x.octet.next = u64::from(octet).into();
        x.valid.next = true;
        x.last.next = index + 1 == text.len();
        loop {
            wait_clock_false!(bench, clk, x);
            let taken = x.ready.val();
            wait_clock_true!(bench, clk, x);
            if taken {
                break;
            }
        }
    }
    x.valid.next = false;
    x = bench.watch(|x: &TextMeter| x.frames.val() == 1, x)?;
    let (code_points, errors) = expected(text);
    let (counted, wrong) = (x.code_points.val().to_u16(), x.errors.val().to_u16());
    println!("{} octets: {counted} code points, {wrong} errors", text.len());
    sim_assert_eq!(bench, x.code_points.val(), code_points, x);
    sim_assert_eq!(bench, x.errors.val(), errors, x);
    bench.done(x)
}

/// Simulates the design, writes its waves to `waves` and its Verilog beside them.
fn compose(waves: &Path) -> anyhow::Result<()> {
    let mut simulation = Simulation::new();
    const HALF_PERIOD: u64 = 5 * sim_time::ONE_NANOSECOND;
    simulation.add_clock(HALF_PERIOD, |x: &mut Box<TextMeter>| x.clk.next = !x.clk.val());
    simulation.add_testbench(|bench: Sim<TextMeter>| send_and_check(bench, &text()));
    let file = BufWriter::new(File::create(waves)?);
    let finished = simulation.run_traced(Box::new(TextMeter::new()?), sim_time::ONE_MILLISECOND, file);
    finished.map_err(|error| anyhow::anyhow!("the simulation failed: {error:?}"))?;

    let mut top = TextMeter::new()?;
    top.connect_all();
    let verilog = waves.with_extension("v");
    fs::write(&verilog, generate_verilog(&top))?;
    println!("waves in {}, Verilog in {}", waves.display(), verilog.display());
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let waves = std::env::args().nth(1).unwrap_or_else(|| "target/rust_hdl_compose.vcd".to_owned());
    let waves = Path::new(&waves);
    if let Some(folder) = waves.parent() {
        fs::create_dir_all(folder)?;
    }
    compose(waves)
}

#[test]
fn the_counts_are_right() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    compose(&folder.path().join("compose.vcd")).expect("the testbench is content");
}
