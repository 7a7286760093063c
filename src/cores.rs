//! Conversion between the systems of the software codec and those of the cores. Both have a type for systems, since they share
//! nothing.

use utfhdl_hdl::core::{ByteOrder as CoreByteOrder, System as CoreSystem, Utf8Bom as CoreUtf8Bom};

use utfhdl_codec::{ByteOrder, HunkWidth, System, Utf8Bom, Utf9Max};

/// The system of the core that is to do what the reference does.
pub fn core_system(system: System) -> CoreSystem {
    match system {
        System::Utf8 => CoreSystem::Utf8,
        System::Utf8Rfc2279 => CoreSystem::Utf8Rfc2279,
        System::Utf8EightByte => CoreSystem::Utf8EightByte,
        System::Utf8SixtyFiveBit => CoreSystem::Utf8SixtyFiveBit,
        System::Hunk(width) => CoreSystem::Hunk(width.bits().into()),
        System::UtfInf8 { digits } => CoreSystem::UtfInf8 { digits },
        System::Utf9 { max } => CoreSystem::Utf9 { max: max.code_point() },
        System::Utf18 => CoreSystem::Utf18,
        System::CorrectedUtf8 { document } => CoreSystem::CorrectedUtf8 { document },
        System::Utf8Bom { bom } => {
            let bom = match bom {
                Utf8Bom::Strip => CoreUtf8Bom::Strip,
                Utf8Bom::Add => CoreUtf8Bom::Add,
            };
            CoreSystem::Utf8Bom { bom }
        }
        System::Utf16 => CoreSystem::Utf16,
        System::Utf16Octets { order, bom } => CoreSystem::Utf16Octets { order: core_order(order), bom },
        System::Utf32 => CoreSystem::Utf32,
        System::Utf32Octets { order, bom } => CoreSystem::Utf32Octets { order: core_order(order), bom },
        System::Cesu8 => CoreSystem::Cesu8,
        System::Mutf8 => CoreSystem::Mutf8,
        System::Wtf8 => CoreSystem::Wtf8,
        System::Latin1 => CoreSystem::Latin1,
        System::Ascii => CoreSystem::Ascii,
    }
}

fn core_order(order: ByteOrder) -> CoreByteOrder {
    match order {
        ByteOrder::Big => CoreByteOrder::Big,
        ByteOrder::Little => CoreByteOrder::Little,
    }
}

fn reference_order(order: CoreByteOrder) -> ByteOrder {
    match order {
        CoreByteOrder::Big => ByteOrder::Big,
        CoreByteOrder::Little => ByteOrder::Little,
    }
}

/// The system that a core is measured with.
///
/// # Panics
/// If the options are none that a core can have.
pub fn reference_system(system: CoreSystem) -> System {
    match system {
        CoreSystem::Utf8 => System::Utf8,
        CoreSystem::Utf8Rfc2279 => System::Utf8Rfc2279,
        CoreSystem::Utf8EightByte => System::Utf8EightByte,
        CoreSystem::Utf8SixtyFiveBit => System::Utf8SixtyFiveBit,
        CoreSystem::Hunk(width) => {
            let width = u8::try_from(width).ok().and_then(HunkWidth::new);
            System::Hunk(width.expect("a hunk has 1 to 9 bits"))
        }
        CoreSystem::UtfInf8 { digits } => System::UtfInf8 { digits },
        CoreSystem::Utf9 { max } => {
            let max = [Utf9Max::Unicode, Utf9Max::Ucs4].into_iter().find(|known| known.code_point() == max);
            System::Utf9 { max: max.expect("utf-9 has one of two limits") }
        }
        CoreSystem::Utf18 => System::Utf18,
        CoreSystem::CorrectedUtf8 { document } => System::CorrectedUtf8 { document },
        CoreSystem::Utf8Bom { bom } => {
            let bom = match bom {
                CoreUtf8Bom::Strip => Utf8Bom::Strip,
                CoreUtf8Bom::Add => Utf8Bom::Add,
            };
            System::Utf8Bom { bom }
        }
        CoreSystem::Utf16 => System::Utf16,
        CoreSystem::Utf16Octets { order, bom } => System::Utf16Octets { order: reference_order(order), bom },
        CoreSystem::Utf32 => System::Utf32,
        CoreSystem::Utf32Octets { order, bom } => System::Utf32Octets { order: reference_order(order), bom },
        CoreSystem::Cesu8 => System::Cesu8,
        CoreSystem::Mutf8 => System::Mutf8,
        CoreSystem::Wtf8 => System::Wtf8,
        CoreSystem::Latin1 => System::Latin1,
        CoreSystem::Ascii => System::Ascii,
    }
}

/// The names and aliases of systems that are nearest to `name`: none if all are more than two typing errors away.
pub fn nearest_names(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase().replace('_', "-");
    let all =
        System::all().flat_map(|system| [system.name()].into_iter().chain(system.aliases().iter().copied()));
    let distances: Vec<_> = all.map(|known| (strsim::damerau_levenshtein(&name, known), known)).collect();
    let least = distances.iter().map(|&(distance, _)| distance).min().filter(|&least| least <= 2);
    distances.into_iter().filter(|&(distance, _)| Some(distance) == least).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_know_the_same_systems_under_the_same_names() {
        let names = System::all().map(|system| (system.name(), u32::from(system.unit_bits())));
        let core_names = CoreSystem::all().map(|system| (system.name(), system.unit_bits()));
        assert!(names.eq(core_names));
        for system in CoreSystem::variants() {
            assert_eq!(core_system(reference_system(system)), system);
            assert_eq!(reference_system(system).to_string(), system.to_string());
        }
    }
}
