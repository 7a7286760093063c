//! Names and their widths, as declarations have them.

/// The declaration of a name of `width` bits: `[7:0] data`, or `valid` for a single bit.
pub fn ranged(name: &str, width: u32) -> String {
    match range(width) {
        range if range.is_empty() => name.to_owned(),
        range => format!("{range} {name}"),
    }
}

/// The range of `width` bits, empty for one bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}
