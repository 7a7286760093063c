//! Unicode Technical Report #16.

use utfhdl_codec::ErrorKind::{OutOfRange, Overlong, Surrogate, Truncated, Unexpected};
use utfhdl_codec::{Codec, OnError, Slot, System};

use super::{both_ways, error, events, octets, point, system};

/// §4.3: the signature.
#[test]
fn the_signature() {
    both_ways("utf-ebcdic", "\u{FEFF}", &octets("DD 73 66 73"));
}

/// Letters, digits and line ends are as in IBM's code page 1047 on z/OS.
#[test]
fn what_is_invariant_in_ebcdic() {
    both_ways("utf-ebcdic", "Hello, 12\n", &octets("C8 85 93 93 96 6B 40 F1 F2 15"));
    both_ways("utf-ebcdic", "[]{}\\^\u{85}", &octets("AD BD C0 D0 E0 5F 25"));
    both_ways("utf-ebcdic", "\u{9F}\u{A0}", &octets("FF 80 41"));
}

/// §3.3: "the mapping is one to one", and octets of longer sequences keep their order.
#[test]
fn octets_of_longer_sequences_keep_their_order() {
    let i8: System = system("utf-ebcdic-i8,max=7fffffff");
    let mut of_i8 = vec![None; 0x100];
    for shift in 0..31 {
        for low in 0..0x40 {
            let slots = [Slot::CodePoint((1 << shift) + (low << (shift.max(6) - 6)))];
            let (Ok(one), Ok(other)) = (
                i8.encode::<_, u8>(&slots, OnError::Strict),
                system("utf-ebcdic,max=7fffffff").encode::<_, u8>(&slots, OnError::Strict),
            ) else {
                continue;
            };
            assert_eq!(one.len(), other.len());
            for (one, other) in one.into_iter().zip(other) {
                let known = of_i8[usize::from(one)].get_or_insert(other);
                assert_eq!(*known, other, "{one:X}");
            }
        }
    }
    let others: Vec<u8> = of_i8[0xA0..].iter().flatten().copied().collect();
    assert!(others.len() > 80 && others.is_sorted(), "{others:X?}");
}

/// The kinds of I8, on the octets of EBCDIC: A0 is 41, C5 is 8B, F1 is DD, B6 is 63, F9 is EE, FA is EF.
#[test]
fn errors() {
    let a = point('a');
    events("utf-ebcdic", &octets("41 81"), &[(1, error(Unexpected)), (1, a)]);
    events("utf-ebcdic", &octets("8B 81"), &[(1, error(Truncated)), (1, a)]);
    events("utf-ebcdic", &octets("74 81"), &[(1, error(Overlong)), (1, a)]);
    events("utf-ebcdic", &octets("DD 65"), &[(1, error(Surrogate)), (1, error(Unexpected))]);
    events("utf-ebcdic", &octets("EF"), &[(1, error(OutOfRange))]);
}
