//! Decoding and encoding for the tests of this folder: by the reference and by the cores, which have to agree.

use std::cell::RefCell;
use std::collections::HashMap;
use std::slice;

use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::{ErrorKind, Gather, Refused, System, Whole, WholeEvent};
use utfhdl_hdl::core::{CoreSpec, Role};

use super::codec_texts::{self, slots};
use crate::common::hardware::{Frame, Rig, core};

thread_local! {
    static RIGS: RefCell<HashMap<(System, Role), Rig>> = RefCell::new(HashMap::new());
}

/// Sends a frame through a core, and returns the frame that comes out.
fn through_core(system: System, role: Role, items: impl IntoIterator<Item = impl Into<Item>>) -> Frame {
    let spec = CoreSpec::new(system, role);
    let items: Vec<Item> = items.into_iter().map(Into::into).collect();
    RIGS.with_borrow_mut(|rigs| {
        let rig = rigs.entry((system, role)).or_insert_with(|| Rig::new(EngineKind::Native, &core(spec)));
        rig.frame(&items)
    })
}

pub fn events(system: System, units: &[u32]) -> Vec<WholeEvent> {
    let events = codec_texts::events(system, units);
    let wholes: Vec<Whole> = events.iter().map(|event| event.what.clone()).collect();
    let mut gather = Gather::with_limit(1 << 20);
    let found = through_core(system, Role::Decoder, units.iter().copied()).items.into_iter();
    let found =
        found.map(|item| gather.push(item.slot().expect("a slot")).expect("limbs behind their heads"));
    assert_eq!(found.flatten().collect::<Vec<_>>(), wholes, "the {system} decoder, of {units:X?}");
    events
}

pub fn wholes(system: System, units: &[u32]) -> Vec<Whole> {
    events(system, units).into_iter().map(|event| event.what).collect()
}

pub fn encode(system: System, wholes: &[Whole]) -> Result<Vec<u32>, Refused> {
    let encoded = codec_texts::encode(system, wholes);
    let found = through_core(system, Role::Encoder, slots(wholes));
    match &encoded {
        Ok(units) => {
            let items = units.iter().map(|&unit| unit.into()).collect();
            let expected = Frame { items, amiss: false };
            assert_eq!(found, expected, "the {system} encoder, of {wholes:X?}");
        }
        Err(_) => {
            assert!(found.amiss, "the {system} encoder does not report {wholes:X?}")
        }
    }
    encoded
}

/// Checks that the units decode to the code point, and the code point encodes to the units.
#[track_caller]
pub fn both_ways(system: System, units: &[u32], code_point: &Whole) {
    assert_eq!(wholes(system, units), slice::from_ref(code_point), "{system} decodes {units:X?}");
    assert_eq!(
        encode(system, slice::from_ref(code_point)).as_deref(),
        Ok(units),
        "{system} encodes {code_point:X?}"
    );
}

/// Checks that the units decode to the text, and the text encodes to the units.
#[track_caller]
pub fn texts_both_ways(name: &str, units: &[u32], text: &[u32]) {
    let system = codec_texts::system(name);
    let text: Vec<Whole> = text.iter().copied().map(Whole::CodePoint).collect();
    assert_eq!(wholes(system, units), text, "{name} decodes {units:X?}");
    assert_eq!(encode(system, &text).as_deref(), Ok(units), "{name} encodes {text:X?}");
}

/// The stream has no code points, and its first error is of this kind.
#[track_caller]
pub fn only_errors(system: System, units: &[u32], first: ErrorKind) {
    let wholes = wholes(system, units);
    assert!(
        wholes.iter().all(|whole| matches!(whole, Whole::Error(_))),
        "{system}: {units:X?} are {wholes:X?}"
    );
    assert_eq!(wholes[0], Whole::Error(first), "{system}: {units:X?}");
}

/// The system does not have this code point.
#[track_caller]
pub fn unencodable(system: System, code_point: &Whole) {
    let refused = encode(system, slice::from_ref(code_point)).map_err(|refused| refused.kind);
    assert_eq!(refused, Err(ErrorKind::Unencodable), "{system}: {code_point:X?}");
}
