//! Characters that pictures, waves and terminals can show.

/// Code points that have no visible form of their own, or change the form or the order of their neighbours: controls (category
/// Cc), separators of lines and paragraphs (Zl, Zp), marks of annotations, private use, and those with the property
/// Default_Ignorable_Code_Point (The Unicode Standard, §5.21; DerivedCoreProperties.txt), direction marks among them.
const HIDDEN: [(u32, u32); 22] = [
    (0x00, 0x1f),
    (0x7f, 0x9f),
    (0xad, 0xad),
    (0x034f, 0x034f),
    (0x061c, 0x061c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xd800, 0xf8ff),
    (0xfdd0, 0xfdef),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0x1_bca0, 0x1_bca3),
    (0x1_d173, 0x1_d17a),
    (0xe_0000, 0xe_0fff),
    (0xf_0000, 0x10_ffff),
];

/// The character of a code point, if it has one that can be shown.
pub fn printable(code_point: u32) -> Option<char> {
    let is_noncharacter = code_point & 0xfffe == 0xfffe;
    let is_hidden = HIDDEN.iter().any(|(first, last)| (*first..=*last).contains(&code_point));
    char::from_u32(code_point).filter(|_| !is_hidden && !is_noncharacter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_symbols_and_spaces_are_shown_and_nothing_that_has_no_form() {
        for shown in ['a', ' ', '\u{a0}', 'é', '€', '東', '\u{301}', '\u{fffd}', '\u{fffc}', '😀'] {
            assert_eq!(printable(shown.into()), Some(shown));
        }
        // Controls, soft hyphen, a direction mark, a line separator, noncharacters, surrogates, private use, beyond Unicode.
        for hidden in [
            0,
            0x1b,
            0x7f,
            0x9b,
            0xad,
            0x202e,
            0x2028,
            0xfdd0,
            0xfdef,
            0xfffe,
            0xffff,
            0x1_fffe,
            0x10_ffff,
            0xd800,
            0xdfff,
            0xe000,
            0xfeff,
            0xe_0001,
            0x11_0000,
            u32::MAX,
        ] {
            assert_eq!(printable(hidden), None, "{hidden:X}");
        }
    }
}
