//! RFC 2781, *UTF-16, an encoding of ISO 10646*, §5: the four examples of the phrase `*=Ra`, in which `*` is the hieroglyph
//! of Ra with the character value 0x12345.

use utfhdl_codec::Whole;

use super::checked::{texts_both_ways, wholes};
use super::codec_texts::{hex, system};

const PHRASE: [u32; 4] = [0x1_2345, 0x3D, 0x52, 0x61];

#[test]
fn labelled_with_utf_16be_without_a_bom() {
    texts_both_ways("utf-16be", &hex("D8 08 DF 45 00 3D 00 52 00 61"), &PHRASE);
}

#[test]
fn labelled_with_utf_16le_without_a_bom() {
    texts_both_ways("utf-16le", &hex("08 D8 45 DF 3D 00 52 00 61 00"), &PHRASE);
}

#[test]
fn labelled_with_utf_16_with_a_bom() {
    for units in ["FE FF D8 08 DF 45 00 3D 00 52 00 61", "FF FE 08 D8 45 DF 3D 00 52 00 61 00"] {
        assert_eq!(wholes(system("utf-16,bom=on"), &hex(units)), PHRASE.map(Whole::CodePoint));
    }
    texts_both_ways("utf-16be,bom=on", &hex("FE FF D8 08 DF 45 00 3D 00 52 00 61"), &PHRASE);
    texts_both_ways("utf-16le,bom=on", &hex("FF FE 08 D8 45 DF 3D 00 52 00 61 00"), &PHRASE);
}
