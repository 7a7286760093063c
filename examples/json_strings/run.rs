//! Runs the design on text, in any engine.

use utfhdl_sim::{Engine, EngineError};

use super::strings::LANES;

/// A code point and its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The code point.
    pub code_point: u32,
    /// See [`mark`](super::strings::mark).
    pub marks: u64,
}

/// The output for one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The code points.
    pub code_points: Vec<Marked>,
    /// Whether the text ends within a string literal.
    pub is_open: bool,
}

/// Which sides stall in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stall {
    /// The source offers nothing.
    pub source: bool,
    /// The sink takes nothing.
    pub sink: bool,
}

/// Runs texts through the design, each as a frame, after a cycle of reset.
///
/// # Errors
/// If the engine fails.
pub fn run(
    engine: &mut dyn Engine,
    texts: &[&[u8]],
    mut stall: impl FnMut() -> Stall,
) -> Result<Vec<Found>, EngineError> {
    let layout = engine.layout().clone();
    let input = |name: &str| layout.input(name).expect("an input of the design").clone();
    let output = |name: &str| layout.output(name).expect("an output of the design").clone();
    let (s_data, s_keep, s_last) = (input("s_axis_tdata"), input("s_axis_tkeep"), input("s_axis_tlast"));
    let (s_valid, s_ready) = (input("s_axis_tvalid"), output("s_axis_tready"));
    let (m_data, m_keep, m_user) = (output("m_axis_tdata"), output("m_axis_tkeep"), output("m_axis_tuser"));
    let (m_valid, m_ready, m_last) =
        (output("m_axis_tvalid"), input("m_axis_tready"), output("m_axis_tlast"));
    let open = output("open");

    let (mut inputs, mut outputs) = (vec![0; layout.input_words], vec![0; layout.output_words]);
    input("rst").set(&mut inputs, 1);
    engine.run(&inputs, &mut outputs)?;
    input("rst").set(&mut inputs, 0);

    let mut beats = texts.iter().flat_map(|text| {
        let parts = if text.is_empty() { vec![*text] } else { text.chunks(LANES as usize).collect() };
        let count = parts.len();
        parts.into_iter().enumerate().map(move |(index, part)| (part, index + 1 == count))
    });
    let mut beat = beats.next();
    let mut found = Vec::new();
    let mut code_points = Vec::new();
    while found.len() < texts.len() {
        let now = stall();
        // An offered beat stays until it is taken.
        let offers = beat.is_some() && (!now.source || s_valid.get(&inputs) == 1);
        if let Some((octets, is_last)) = beat {
            let data = octets.iter().rev().fold(0, |data, octet| data << 8 | u64::from(*octet));
            s_data.set(&mut inputs, data);
            s_keep.set(&mut inputs, (1 << octets.len()) - 1);
            s_last.set(&mut inputs, u64::from(is_last));
        }
        s_valid.set(&mut inputs, u64::from(offers));
        m_ready.set(&mut inputs, u64::from(!now.sink));
        engine.run(&inputs, &mut outputs)?;

        if offers && s_ready.get(&outputs) == 1 {
            beat = beats.next();
            s_valid.set(&mut inputs, 0);
        }
        if m_valid.get(&outputs) == 1 && !now.sink {
            let (data, users) = (m_data.value(&outputs), m_user.get(&outputs));
            for lane in (0..LANES).filter(|lane| m_keep.get(&outputs) >> lane & 1 == 1) {
                let code_point = (data[lane as usize / 2] >> (lane % 2 * 32)) as u32;
                code_points.push(Marked { code_point, marks: users >> (4 * lane) & 15 });
            }
            if m_last.get(&outputs) == 1 {
                let code_points = std::mem::take(&mut code_points);
                found.push(Found { code_points, is_open: open.get(&outputs) == 1 });
            }
        }
    }
    Ok(found)
}
