//! The windows of SCSU, §6.

/// How many code points a window has: those of the octets 80..FF.
pub(super) const SIZE: u32 = 0x80;

/// The first code points of the static windows, which octets below 80 are quoted from: table 4.
pub(super) const STATIC: [u32; 8] = [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];

/// The first code points of the dynamic windows at the start of a stream: table 5.
pub(super) const INITIAL: [u32; 8] = [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];

/// The windows of the index octets from F9 on, which begin where an alphabet does: table 3.
const SPECIAL: [u32; 7] = [0x00C0, 0x0250, 0x0370, 0x0530, 0x3040, 0x30A0, 0xFF60];

/// The index octet of the first of them.
const FIRST_SPECIAL: u8 = 0xF9;

/// The first code point with an extended window.
const EXTENDED: u32 = 0x1_0000;

/// The difference between the indices below and above the ideographs and syllables that have no window.
const GAP: u32 = 0xAC00;

/// Whether the window from `start` on has a code point.
pub(super) fn has(start: u32, code_point: u32) -> bool {
    (start..start + SIZE).contains(&code_point)
}

/// The first code point of the window with this index octet: table 3. `None` if the octet is reserved.
pub(super) fn of_index(index: u8) -> Option<u32> {
    match index {
        0x01..=0x67 => Some(u32::from(index) * SIZE),
        0x68..=0xA7 => Some(u32::from(index) * SIZE + GAP),
        FIRST_SPECIAL.. => Some(SPECIAL[usize::from(index - FIRST_SPECIAL)]),
        _ => None,
    }
}

/// The index octet of a window that has a code point; `None` if no window of one index octet has it.
pub(super) fn index_of(code_point: u32) -> Option<u8> {
    if let Some(index) = SPECIAL.iter().position(|&start| has(start, code_point)) {
        return Some(FIRST_SPECIAL + index as u8);
    }
    match code_point {
        0x80..=0x33FF => Some((code_point / SIZE) as u8),
        0xE000..=0xFFFF => Some(((code_point - GAP) / SIZE) as u8),
        _ => None,
    }
}

/// The window's number and the first code point that the two octets after an extended tag mean, §6.1.3.
pub(super) fn of_extended(high: u8, low: u8) -> (u8, u32) {
    let index = u32::from(high & 0x1F) << 8 | u32::from(low);
    (high >> 5, EXTENDED + index * SIZE)
}

/// The two octets after an extended tag that place window `number` on a code point of U+10000 or more.
pub(super) fn extended_of(number: u8, code_point: u32) -> [u8; 2] {
    let index = (code_point - EXTENDED) / SIZE;
    [number << 5 | (index >> 8) as u8, index as u8]
}
