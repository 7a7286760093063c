//! Literals, with their size and in the base in which they are easiest to read.

use crate::netlist::{Bits, Pattern};

/// The use of a literal, which decides its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Counted with: an operand of a sum, or a shift's amount.
    Count,
    /// Masked with, or combined with bit by bit.
    Mask,
    /// Compared with a few selected bits, of which every one is shown.
    Selected,
    /// Anything else: compared with, assigned, concatenated.
    Value,
}

/// Widest literal of which every bit is shown.
pub(super) const SHOWN_BITS: u32 = 8;

/// Widest signal that is rather a number than bits of data.
const NUMBER_BITS: u32 = 7;

/// The literal for `value`: one bit in binary, counts in decimal, masks in hexadecimal, and other values in whichever is
/// easier to read.
pub(super) fn literal(value: &Bits, used: Use) -> String {
    let width = value.width();
    let decimal = match (used, value.to_u64()) {
        _ if width == 1 || (used == Use::Selected && width <= SHOWN_BITS) => return binary(value),
        (_, None) => None,
        (Use::Mask, Some(value)) => (value == 0).then_some(value),
        (Use::Count, Some(value)) => (width <= NUMBER_BITS || value < 256).then_some(value),
        (Use::Selected | Use::Value, Some(value)) => (width <= NUMBER_BITS || value < 10).then_some(value),
    };
    match decimal {
        Some(decimal) => format!("{width}'d{decimal}"),
        None => format!("{width}'h{}", hexadecimal(value, used)),
    }
}

/// Uppercase digits; leading zeros belong to a mask only.
fn hexadecimal(value: &Bits, used: Use) -> String {
    let digits = format!("{value:x}").to_uppercase();
    match used {
        Use::Mask => digits,
        _ => digits.trim_start_matches('0').to_owned(),
    }
}

/// A literal of which every bit is shown.
fn binary(value: &Bits) -> String {
    format!("{}'b{}", value.width(), Pattern::exact(value.clone()))
}

/// A label of a case: a number, or a pattern with `?` for each open bit.
pub(super) fn label(pattern: &Pattern) -> String {
    match pattern.is_exact() {
        true => literal(pattern.value(), Use::Value),
        false => format!("{}'b{}", pattern.width(), pattern.to_string().replace('x', "?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_use_decides_the_base() {
        let texts = |width, value| {
            [Use::Count, Use::Mask, Use::Selected, Use::Value]
                .map(|used| literal(&Bits::new(width, value), used))
        };
        assert_eq!(texts(1, 1), ["1'b1"; 4]);
        assert_eq!(texts(5, 12), ["5'd12", "5'h0C", "5'b01100", "5'd12"]);
        assert_eq!(texts(8, 0xed), ["8'd237", "8'hED", "8'b11101101", "8'hED"]);
        assert_eq!(literal(&Bits::new(16, 0x800), Use::Count), "16'h800");
        assert_eq!(texts(21, 3), ["21'd3", "21'h000003", "21'd3", "21'd3"]);
        assert_eq!(texts(21, 0xfffd), ["21'hFFFD", "21'h00FFFD", "21'hFFFD", "21'hFFFD"]);
        assert_eq!(literal(&Bits::zero(70), Use::Mask), "70'd0");
        assert_eq!(literal(&Bits::from_words(70, &[0xa, 1]), Use::Count), "70'h1000000000000000A");
    }

    #[test]
    fn labels_with_open_bits_are_patterns() {
        assert_eq!(label(&Pattern::new("110xxxxx")), "8'b110?????");
        assert_eq!(label(&Pattern::new("11000000")), "8'hC0");
        assert_eq!(label(&Pattern::new("101")), "3'd5");
    }
}
