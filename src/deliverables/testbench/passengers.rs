//! The lines of the bench about TID, TDEST and the user's bits of TUSER. All of them are the number of the frame, counted from 0:
//! on the input that of the frame under way, and on the output that of the frame that is due.

use utfhdl_hdl::core;

use super::Package;

/// Bits of a port `tuser` below the user's; 0 without such bits.
pub fn own_user_bits(package: &Package, side: &str) -> u32 {
    let spec = package.core.spec;
    let width = package.width(&format!("{side}_tuser"));
    let (own_in, own_out) = spec.own_user_bits();
    match side {
        _ if spec.passengers.tuser == 0 => width,
        "s_axis" => own_in,
        _ => own_out,
    }
}

/// The passengers of a core.
pub struct Passengers {
    of: core::Passengers,
    /// The user's bits are of every beat.
    of_beats: bool,
    /// Bits of TUSER below the user's on the input.
    own_in: u32,
    /// Bits above the user's, which only strict ports have.
    padding_in: u32,
    padding_out: u32,
}

impl Passengers {
    pub fn new(package: &Package) -> Self {
        let of = package.core.spec.passengers;
        let padding = |side: &str| match of.tuser {
            0 => 0,
            bits => package.width(&format!("{side}_tuser")) - own_user_bits(package, side) - bits,
        };
        let own_in = own_user_bits(package, "s_axis");
        let of_beats = package.core.spec.has_user_of_beats();
        Self { of, of_beats, own_in, padding_in: padding("s_axis"), padding_out: padding("m_axis") }
    }

    /// Bits of the number of a frame.
    fn number_bits(&self) -> u32 {
        self.of.tid.max(self.of.tdest).max(self.of.tuser)
    }

    /// TID and TDEST, if the core has them.
    fn of_frame(&self) -> impl Iterator<Item = (&'static str, u32)> {
        [("tid", self.of.tid), ("tdest", self.of.tdest)].into_iter().filter(|&(_, bits)| bits > 0)
    }

    pub fn declarations(&self) -> String {
        if self.of.is_empty() {
            return String::new();
        }
        let bits = self.number_bits();
        let mut text = format!(
            "\n    // TID, TDEST and the user's bits of TUSER: the number of the frame, on both sides.\n    \
             reg  [{high}:0] number_in = {bits}'d0;\n    reg  [{high}:0] number_out;\n",
            high = bits - 1
        );
        for (name, bits) in self.of_frame() {
            text += &format!("    wire [{}:0] m_axis_{name};\n", bits - 1);
        }
        if self.of.tuser > 0 {
            text += &format!("    wire [{}:0] m_user;\n", self.of.tuser + self.padding_out - 1);
        }
        text + &format!(
            "\n    always @(posedge clk)\n        if (s_axis_tvalid && s_axis_tready && s_axis_tlast)\n            \
             number_in <= number_in + {bits}'d1;\n"
        )
    }

    /// The connections of the input.
    pub fn inputs(&self) -> String {
        let own = (self.own_in > 0).then(|| "s_axis_tuser".to_owned());
        let user = (self.of.tuser > 0).then(|| {
            let number = format!("number_in[{}:0]", self.of.tuser - 1);
            // On the other beats it is wrong, where only the last counts.
            if self.of_beats { number } else { format!("s_axis_tlast ? {number} : ~{number}") }
        });
        let padding = (self.padding_in > 0).then(|| format!("{}'d0", self.padding_in));
        let parts: Vec<String> = [padding, user, own].into_iter().flatten().collect();
        let mut text = match &parts[..] {
            [] => String::new(),
            [only] => format!("        .s_axis_tuser  ({only}),\n"),
            _ => format!("        .s_axis_tuser  ({{{}}}),\n", parts.join(", ")),
        };
        for (name, bits) in self.of_frame() {
            text += &format!("        .s_axis_{name:6} (number_in[{}:0]),\n", bits - 1);
        }
        text
    }

    /// The connections of the output.
    pub fn outputs(&self) -> String {
        let user = if self.of.tuser > 0 { "{m_user, m_axis_tuser}" } else { "m_axis_tuser" };
        let mut text = format!("        .m_axis_tuser  ({user}),\n");
        for (name, _) in self.of_frame() {
            text += &format!("        .m_axis_{name:6} (m_axis_{name}),\n");
        }
        text
    }

    pub fn checks(&self) -> String {
        if self.of.is_empty() {
            return String::new();
        }
        let check = |port: &str, due: &str| {
            format!(
                "            if (!failed && {port} !== {due}) begin\n                fail;\n                \
                 $display(\"{port} is %h, expected %h\", {port}, {due});\n            end\n"
            )
        };
        let number = match self.number_bits() {
            bits @ 0..=32 => format!("frames[{}:0]", bits - 1),
            bits => format!("{{{}'d0, frames}}", bits - 32),
        };
        let mut text = format!("            number_out = {number};\n");
        for (name, bits) in self.of_frame() {
            text += &check(&format!("m_axis_{name}"), &format!("number_out[{}:0]", bits - 1));
        }
        if self.of.tuser > 0 {
            let number = format!("number_out[{}:0]", self.of.tuser - 1);
            let due = match self.of_beats {
                true => number,
                false => format!("(m_axis_tlast ? {number} : {}'d0)", self.of.tuser),
            };
            let due = if self.padding_out > 0 { format!("{{{}'d0, {due}}}", self.padding_out) } else { due };
            text += &check("m_user", &due);
        }
        text
    }
}
