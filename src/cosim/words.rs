//! Beats in words, for the texts of waves: whole beats and, in cores of several lanes, each lane.
//!
//! | text | for example |
//! | --- | --- |
//! | `units_in`, `slots_out`, `slots_expected` | a beat: `C3 A9`, `U+00E9 é error overlong end` |
//! | `text_in`, `text_out`, `text_expected` | slots of several lanes, a character each: `Zürich` |
//! | `s_axis_lane_3`, `m_axis_lane_3` | a lane of several: `é U+00E9`, `overlong`; empty where the lane is idle |

use std::fmt::{Result, Write};

use utfhdl_codec::Slot;
use utfhdl_sim::wave::{WaveItem, WavePlan};

use super::observer::Seen;
use crate::printable::printable;
use crate::promise::{Beat, Carries, Item, Ports, marks_in_words};

/// The beats of a cycle: the input beat that is taken, the output beat that is offered, and the output beat that is expected.
const SIDES: [&str; 3] = ["in", "out", "expected"];

/// The texts of waves, with the words of a cycle.
pub(super) struct Words {
    carries: [Carries; 3],
    texts: Vec<Text>,
}

/// A text, and which of the [`SIDES`] it shows in what form.
struct Text {
    name: String,
    side: usize,
    form: Form,
    /// Whether viewers show it at first.
    is_shown: bool,
    words: String,
}

#[derive(Clone, Copy)]
enum Form {
    /// All lanes, in words.
    Beat,
    /// All lanes, a character each.
    Characters,
    /// One lane.
    Lane(usize),
}

impl Words {
    pub(super) fn new(ports: &Ports) -> Self {
        let carries = [ports.carries_in(), ports.carries_out(), ports.carries_out()];
        let lanes = [ports.lanes_in, ports.lanes_out];
        let is_wide = lanes.into_iter().any(|lanes| lanes > 1);
        let mut texts = Vec::new();
        let mut add = |name: String, side, form, is_shown| {
            texts.push(Text { name, side, form, is_shown, words: String::new() });
        };
        for (side, name) in SIDES.into_iter().enumerate() {
            let (item, has_characters) = match carries[side] {
                Carries::Slots(_) => ("slots", is_wide),
                Carries::Units(_) | Carries::Marked { .. } => ("units", false),
            };
            // A taken beat of units is shown lane by lane.
            let is_shown = !is_wide || side > 0 && !has_characters;
            add(format!("{item}_{name}"), side, Form::Beat, is_shown);
            if has_characters {
                add(format!("text_{name}"), side, Form::Characters, true);
            }
        }
        for (side, prefix) in ["s_axis", "m_axis"].into_iter().enumerate().filter(|_| is_wide) {
            for lane in 0..lanes[side] {
                add(format!("{prefix}_lane_{lane}"), side, Form::Lane(lane), true);
            }
        }
        Self { carries, texts }
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.texts.iter().map(|text| text.name.as_str()).collect()
    }

    /// Takes the texts out of a plan that are in the dump only.
    pub(super) fn keep_shown(&self, plan: &mut WavePlan) {
        let is_hidden = |path: &str| {
            let mut hidden = self.texts.iter().filter(|text| !text.is_shown);
            hidden.any(|text| path.strip_prefix("tb.") == Some(&text.name))
        };
        for group in &mut plan.groups {
            group.items.retain(|item| !matches!(item, WaveItem::Signal(path) if is_hidden(path)));
        }
        plan.groups.retain(|group| !group.items.is_empty());
    }

    /// The texts of a cycle; those that are not wanted are empty.
    pub(super) fn of(&mut self, ports: &Ports, seen: &Seen, is_wanted: impl Fn(usize) -> bool) -> Vec<&str> {
        let Self { carries, texts } = self;
        let outputs = seen.outputs[0];
        // The beat that goes out is shown as long as it is offered: the viewer shows beside it whether it is taken.
        let mut beats: [Option<Option<Beat>>; 3] = Default::default();
        let beat = |side: usize| match side {
            0 if ports.takes(outputs) => ports.offered(seen.inputs),
            0 => None,
            1 => ports.beat(outputs),
            _ => seen.expected.as_ref().map(|due| due.beat.clone()),
        };
        for (index, text) in texts.iter_mut().enumerate() {
            text.words.clear();
            if !is_wanted(index) {
                continue;
            }
            let side = text.side;
            if let Some(beat) = beats[side].get_or_insert_with(|| beat(side)) {
                let is_lossy = || match side {
                    0 => false,
                    1 => ports.amiss(outputs) == Some(true),
                    _ => {
                        seen.expected.as_ref().is_some_and(|due| due.amiss)
                            && matches!(carries[side], Carries::Units(_))
                    }
                };
                text.write(carries[side], beat, is_lossy).expect("writing to a string");
            }
        }
        texts.iter().map(|text| text.words.as_str()).collect()
    }
}

impl Text {
    /// Writes a beat. `is_lossy`: the frame ends with this beat, and a code point of the frame could not be written.
    fn write(&mut self, carries: Carries, beat: &Beat, is_lossy: impl Fn() -> bool) -> Result {
        let words = &mut self.words;
        match self.form {
            Form::Beat => {
                for item in &beat.items {
                    write_gap(words);
                    write_item(words, carries, *item)?;
                }
                for word in [beat.last.then_some("end"), is_lossy().then_some("amiss")].into_iter().flatten()
                {
                    write_gap(words);
                    words.push_str(word);
                }
            }
            Form::Characters => words.extend(beat.items.iter().map(|item| character(*item))),
            Form::Lane(lane) => {
                if let Some(item) = beat.items.get(lane) {
                    write_lane(words, carries, *item)?;
                }
            }
        }
        Ok(())
    }
}

fn write_gap(words: &mut String) {
    if !words.is_empty() {
        words.push(' ');
    }
}

/// Writes a unit as the documents print it, in octal if it is a nonet; a slot in a word or two: `U+20AC €`, `error overlong`.
fn write_item(words: &mut String, carries: Carries, item: Item) -> Result {
    match (carries, item.slot()) {
        (Carries::Units(9), _) => write!(words, "{:03o}", item.data),
        (Carries::Units(_), _) => write!(words, "{:02X}", item.data),
        (Carries::Marked { bits, verdict }, _) => {
            write_item(words, Carries::Units(bits), item)?;
            words.write_str(&marks_in_words(verdict, item.user))
        }
        (Carries::Slots(_), Some(Slot::CodePoint(code_point))) => {
            write!(words, "U+{code_point:04X}")?;
            match printable(code_point) {
                Some(character) => write!(words, " {character}"),
                None => Ok(()),
            }
        }
        (Carries::Slots(_), Some(Slot::Head(limbs))) => write!(words, "head of {limbs}"),
        (Carries::Slots(_), Some(Slot::Limb(limb))) => write!(words, "limb {limb:08X}"),
        (Carries::Slots(_), Some(Slot::Error(kind))) => write!(words, "error {kind}"),
        (Carries::Slots(_), None) => write!(words, "tuser {}", item.user),
    }
}

/// Writes an item as a narrow cell can show it, what matters first: `é U+00E9`, `overlong`.
fn write_lane(words: &mut String, carries: Carries, item: Item) -> Result {
    match item.slot().filter(|_| carries.is_slots()) {
        Some(Slot::CodePoint(code_point)) => {
            if let Some(character) = printable(code_point).filter(|character| !character.is_whitespace()) {
                write!(words, "{character} ")?;
            }
            write!(words, "U+{code_point:04X}")
        }
        Some(Slot::Error(kind)) => write!(words, "{kind}"),
        _ => write_item(words, carries, item),
    }
}

/// The character of a slot, or one in place of it.
fn character(item: Item) -> char {
    match item.slot() {
        Some(Slot::CodePoint(code_point)) => match printable(code_point) {
            Some(character) if character.is_whitespace() => '_',
            Some(character) => character,
            None => '·',
        },
        Some(Slot::Head(_)) => '#',
        Some(Slot::Limb(_)) => '=',
        Some(Slot::Error(_)) | None => char::REPLACEMENT_CHARACTER,
    }
}
