//! RFC 2152.

use utfhdl_codec::ErrorKind::{Invalid, Surrogate, Truncated};
use utfhdl_codec::{Codec, OnError, Slot};

use super::{both_ways, error, events, point, read, system, written};

/// The examples of the RFC.
#[test]
fn the_examples() {
    both_ways("utf-7", "A\u{2262}\u{391}.", b"A+ImIDkQ.");
    both_ways("utf-7", "Hi Mom -\u{263A}-!", b"Hi Mom -+Jjo--!");
    both_ways("utf-7", "\u{65E5}\u{672C}\u{8A9E}", b"+ZeVnLIqe-");
    both_ways("utf-7", "Item 3 is \u{A3}1.", b"Item 3 is +AKM-1.");
}

/// "The sequence +- stands for +"; rule 2 and rule 3.
#[test]
fn plus_and_the_characters_that_are_not_direct() {
    both_ways("utf-7", "1+1", b"1+-1");
    both_ways("utf-7", "~\\", b"+AH4AXA-");
    both_ways("utf-7", "\u{1F600}", b"+2D3eAA-");
    both_ways("utf-7", "\0\t\r\n ", b"+AAA\t\r\n ");
    both_ways("utf-7", "€+", b"+IKwAKw-");
    both_ways("utf-7", "€-", b"+IKw--");
    // A run can hold any character, and two runs can follow each other.
    assert_eq!(read("utf-7", b"+AEEAQg-+AEM-D"), "ABCD");
    // Rule 2: "the sequence may be terminated by any character which is not in set B".
    assert_eq!(read("utf-7", b"+IKw!"), "€!");
}

/// Set O as the option says: "optional direct characters".
#[test]
fn set_o() {
    let set_o = "!\"#$%&*;<=>@[]^_`{|}";
    both_ways("utf-7", set_o, set_o.as_bytes());
    let encoded = written("utf-7,set-o=base64", set_o);
    assert!(encoded.starts_with(b"+ACEAIg"));
    assert_eq!(read("utf-7,set-o=base64", &encoded), set_o);
    assert_eq!(read("utf-7,set-o=base64", set_o.as_bytes()), set_o);
}

#[test]
fn sequences_and_their_units() {
    let (a, b) = (point('a'), point('b'));
    events("utf-7", b"+AGE-b", &[(4, a), (2, b)]);
    // Nothing follows the end of the run.
    events("utf-7", b"b+AGE-", &[(1, b), (4, a)]);
    // The second run has no character.
    events("utf-7", b"+AGE-+-", &[(4, a), (3, point('+'))]);
    // The third digit holds bits of both.
    events("utf-7", b"+4QDhAOEA-", &[(3, point('\u{E100}')), (3, point('\u{E100}')), (3, point('\u{E100}'))]);
}

/// "If such discarded bits are non-zero the sequence is ill-formed."
#[test]
fn bits_at_the_end_of_a_run() {
    let a = point('a');
    events("utf-7", b"+AGF-x", &[(3, a), (1, error(Invalid)), (2, point('x'))]);
    events("utf-7", b"+AGF!", &[(3, a), (1, error(Invalid)), (1, point('!'))]);
    events("utf-7", b"+AGF", &[(3, a), (1, error(Invalid))]);
    // Bits that are zero are dropped, however many.
    events("utf-7", b"+AGEAA-x", &[(4, a), (4, point('x'))]);
    events("utf-7", b"+AGEA", &[(4, a)]);
    events("utf-7", b"+AGEB-x", &[(4, a), (1, error(Truncated)), (2, point('x'))]);
    events("utf-7", b"+AGFA", &[(3, a), (2, error(Truncated))]);
    events("utf-7", b"+B", &[(2, error(Truncated))]);
}

/// "a "+" followed immediately by any character other than members of set B or "-" is an ill-formed sequence"
#[test]
fn a_plus_alone() {
    events("utf-7", b"+!", &[(1, error(Truncated)), (1, point('!'))]);
    events("utf-7", b"a+", &[(1, point('a')), (1, error(Truncated))]);
    events("utf-7", b"+\xFF", &[(1, error(Truncated)), (1, error(Invalid))]);
}

#[test]
fn surrogates_stand_in_pairs_of_one_run() {
    let lone = error(Surrogate);
    let a = point('a');
    events("utf-7", b"+2AAAYQ-", &[(4, lone), (3, a)]);
    events("utf-7", b"+2AHcAQ-", &[(7, point('\u{10401}'))]);
    events("utf-7", b"+3AAAYQ-", &[(4, lone), (3, a)]);
    events("utf-7", b"+2AA-+3AA-", &[(4, lone), (5, lone)]);
    events("utf-7", b"+2AA", &[(4, lone)]);
    // The third digit begins the next unit of UTF-16, too.
    events("utf-7", b"+2ABAYQ-", &[(3, lone), (4, point('\u{4061}'))]);
    events("utf-7", b"+2ADYAQ-x", &[(3, lone), (4, lone), (2, point('x'))]);
}

#[test]
fn octets_that_are_no_characters() {
    events("utf-7", b"~\\\x01\x80", &[(1, error(Invalid)); 4]);
    events("utf-7", b"+AGE-~", &[(4, point('a')), (2, error(Invalid))]);
    events("utf-7", b"+AGE~", &[(4, point('a')), (1, error(Invalid))]);
}

/// An error in the text does not end a run.
#[test]
fn replacements_are_part_of_a_run() {
    let slots = [point('é'), error(Truncated), Slot::CodePoint(0xD800), point('é')];
    let replaced: Vec<u8> = system("utf-7").encode(&slots, OnError::Replace).unwrap();
    assert_eq!(replaced, written("utf-7", "é\u{FFFD}\u{FFFD}é"));
    let dropped: Vec<u8> = system("utf-7").encode(&slots, OnError::Drop).unwrap();
    assert_eq!(dropped, written("utf-7", "éé"));
}
