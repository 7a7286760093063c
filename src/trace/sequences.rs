//! The sequences of a run: the units, or slots, of each code point and error.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use utfhdl_codec::{Slot, Whole};
use utfhdl_hdl::core::{Bus, Core, Role};

use super::recorder::{Moved, Place, Recorded};
use crate::explain::{Explanation, Meaning, Rule};
use crate::printable::printable;
use crate::promise::{Carries, Item, Ports, marks_in_words};

/// Units of a sequence that are shown.
const UNITS_SHOWN: usize = 24;

/// The kind of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A code point.
    CodePoint,
    /// A mark in front of the text.
    Mark,
    /// An error.
    Error,
}

/// The units, or slots, of a code point or an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The number of the frame, and of the sequence's first item in it.
    pub frame: usize,
    /// The number of the first item in its frame.
    pub offset: u64,
    /// Items.
    pub length: u64,
    /// The items as they are written.
    pub items: String,
    /// The kind.
    pub kind: Kind,
    /// `U+20AC`, or the kind of error.
    pub name: String,
    /// The character, if there is one that can be shown.
    pub character: String,
    /// The rule that is broken, if the sequence is an error.
    pub reason: String,
    /// The cycles in which its first and its last item are taken, counted from the first shown.
    pub taken: Option<(u32, u32)>,
    /// The cycles in which the first and the last item that comes of it are taken.
    pub given: Option<(u32, u32)>,
}

impl Sequence {
    /// A character for the sequence: its own, or a substitute for one that cannot be shown.
    pub fn glyph(&self) -> &str {
        match (self.kind, self.character.as_str()) {
            (Kind::Error, _) => "\u{fffd}",
            (_, "") => "·",
            (_, character) if character.trim().is_empty() => "␣",
            (_, character) => character,
        }
    }
}

/// The sequences of what was recorded, and where they go in and come out.
pub(super) struct Found {
    pub(super) sequences: Vec<Sequence>,
    /// The sequence of each lane, for each cycle.
    pub(super) offered: Vec<Vec<Option<u32>>>,
    pub(super) given: Vec<Vec<Option<u32>>>,
}

impl Found {
    pub(super) fn new(core: &Core, recorded: &Recorded) -> Self {
        let mut sequences = Vec::new();
        for (index, items) in recorded.frames.iter().enumerate() {
            let frame = recorded.first_frame + index;
            match core.spec.role {
                Role::Encoder => of_slots(core, frame, items, &mut sequences),
                Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => {
                    of_units(core, frame, items, &mut sequences)
                }
            }
        }
        let find = |place: &Option<Place>| -> Option<u32> {
            let place = (*place)?;
            let behind = sequences.partition_point(|sequence: &Sequence| {
                (Place { frame: sequence.frame, offset: sequence.offset }) <= place
            });
            let at = behind.checked_sub(1)?;
            let sequence = &sequences[at];
            let is_in = sequence.frame == place.frame && place.offset < sequence.offset + sequence.length;
            is_in.then_some(at as u32)
        };
        let all = |moved: &Moved| moved.iter().map(find).collect::<Vec<_>>();
        let offered: Vec<_> = recorded.each.iter().map(|cycle| all(&cycle.offered)).collect();
        let given: Vec<_> = recorded.each.iter().map(|cycle| all(&cycle.given)).collect();
        let ports = Ports::new(core);
        for cycle in 0..recorded.cycles() {
            let (input, output) = (recorded.input(cycle), recorded.output(cycle));
            let note = |moves: bool, lanes: &[Option<u32>], cycles: &mut dyn FnMut(u32)| {
                lanes.iter().flatten().filter(|_| moves).for_each(|sequence| cycles(*sequence));
            };
            let extend = |span: &mut Option<(u32, u32)>| {
                *span = Some((span.map_or(cycle as u32, |(first, _)| first), cycle as u32));
            };
            note(ports.takes(output), &offered[cycle], &mut |at| extend(&mut sequences[at as usize].taken));
            note(ports.sink_takes(input), &given[cycle], &mut |at| extend(&mut sequences[at as usize].given));
        }
        // Sequences that came before the first cycle, or are not taken by the last, are left out.
        Self { sequences, offered, given }.seen_only()
    }

    /// Leaves out the sequences that no cycle shows, and orders the others as they come in: first those that came before the first cycle. Frames of
    /// several streams come in any order.
    fn seen_only(mut self) -> Self {
        let came_in: BTreeSet<u32> = self.offered.iter().flatten().flatten().copied().collect();
        let went_out: BTreeSet<u32> = self.given.iter().flatten().flatten().copied().collect();
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let before = went_out.difference(&came_in);
        for &sequence in before.chain(self.offered.iter().flatten().flatten()) {
            let next = numbers.len() as u32;
            numbers.entry(sequence).or_insert(next);
        }
        for sequence in self.offered.iter_mut().chain(&mut self.given).flatten().flatten() {
            *sequence = numbers[sequence];
        }
        let numbered = (0..).zip(self.sequences).filter_map(|(old, one)| Some((*numbers.get(&old)?, one)));
        let in_order: BTreeMap<u32, Sequence> = numbered.collect();
        Self { sequences: in_order.into_values().collect(), ..self }
    }
}

/// An item as documents write it.
pub(super) fn written(carries: Carries, item: Item) -> String {
    match (carries, item.slot()) {
        (Carries::Marked { bits, verdict }, _) => {
            written(Carries::Units(bits), item) + &marks_in_words(verdict, item.user)
        }
        (Carries::Units(9), _) => format!("{:03o}", item.data),
        (Carries::Units(bits), _) => format!("{:0width$X}", item.data, width = bits.div_ceil(4)),
        (Carries::Slots(_), Some(Slot::CodePoint(_))) => format!("{:04X}", item.data),
        (Carries::Slots(_), Some(Slot::Error(kind))) => kind.name().to_owned(),
        (Carries::Slots(_), Some(Slot::Head(limbs))) => format!("head of {limbs}"),
        (Carries::Slots(_), Some(Slot::Limb(limb))) => format!("{limb:08X}"),
        (Carries::Slots(_), None) => format!("tuser {}", item.user),
    }
}

fn items_written(carries: Carries, items: &[Item]) -> String {
    let shown = items.iter().take(UNITS_SHOWN).map(|item| written(carries, *item));
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if items.len() > UNITS_SHOWN {
        text.push_str(" …");
    }
    text
}

fn of_units(core: &Core, frame: usize, items: &[Item], sequences: &mut Vec<Sequence>) {
    let system = core.spec.system;
    let carries = Carries::Units(core.spec.system.unit_bits() as usize);
    let units: Vec<u32> = items.iter().map(|item| item.unit()).collect();
    for sequence in Explanation::new(system, &units).sequences {
        let (offset, length) = (sequence.offset, sequence.units.len());
        let (kind, name, character, reason) = match &sequence.what {
            Meaning::CodePoint(whole) => {
                let (name, character) = named(whole);
                (Kind::CodePoint, name, character, String::new())
            }
            Meaning::Mark => (Kind::Mark, "mark".to_owned(), String::new(), String::new()),
            // Units that end a run.
            Meaning::Change => (Kind::Mark, "no text".to_owned(), String::new(), String::new()),
            Meaning::Error(kind, rule) => {
                (Kind::Error, kind.name().to_owned(), String::new(), rule.to_string())
            }
        };
        sequences.push(Sequence {
            frame,
            offset: offset as u64,
            length: length as u64,
            items: items_written(carries, &items[offset..offset + length]),
            kind,
            name,
            character,
            reason,
            taken: None,
            given: None,
        });
    }
}

fn of_slots(core: &Core, frame: usize, items: &[Item], sequences: &mut Vec<Sequence>) {
    let system = core.spec.system;
    let mut offset = 0;
    while offset < items.len() {
        let limbs = match items[offset].slot() {
            Some(Slot::Head(limbs)) => limbs as usize,
            _ => 0,
        };
        let is_limb = |item: &&Item| matches!(item.slot(), Some(Slot::Limb(_)));
        let length = 1 + items[offset + 1..].iter().take(limbs).take_while(is_limb).count();
        let group = &items[offset..offset + length];
        let slots: Option<Vec<Slot>> = group.iter().map(|item| item.slot()).collect();
        let (kind, name, character, reason) = match slots.as_deref() {
            Some([Slot::CodePoint(code_point)]) => {
                let (name, character) = named(&Whole::CodePoint(*code_point));
                (Kind::CodePoint, name, character, String::new())
            }
            Some([Slot::Error(kind)]) => {
                let rule = Rule::of(system, *kind).to_string();
                (Kind::Error, kind.name().to_owned(), String::new(), rule)
            }
            Some([Slot::Head(_), ..]) if length == limbs + 1 => {
                let digits = group[1..].iter().map(|limb| format!("{:08X}", limb.data)).collect::<String>();
                let name = format!("U+{}", digits.trim_start_matches('0'));
                (Kind::CodePoint, name, String::new(), String::new())
            }
            _ => {
                let reason =
                    "limbs without their head, a head without its limbs, or a tuser that means no slot";
                (Kind::Error, "no slot".to_owned(), String::new(), reason.to_owned())
            }
        };
        sequences.push(Sequence {
            frame,
            offset: offset as u64,
            length: length as u64,
            items: items_written(Carries::Slots(Bus::Long), group),
            kind,
            name,
            character,
            reason,
            taken: None,
            given: None,
        });
        offset += length;
    }
}

/// `U+20AC`, and the character.
fn named(whole: &Whole) -> (String, String) {
    match whole {
        Whole::CodePoint(code_point) => {
            (format!("U+{code_point:04X}"), printable(*code_point).map(String::from).unwrap_or_default())
        }
        Whole::Long(value) => (format!("U+{value:X}"), String::new()),
        Whole::TooLong { digits } => (format!("U+… ({digits} digits)"), String::new()),
        Whole::Error(kind) => (kind.name().to_owned(), String::new()),
    }
}
