//! The systems of the software codec and of the cores. Each has a type of its own for them, since they share nothing; here one is
//! found for the other.

use utfhdl_hdl::core::System as CoreSystem;

use utfhdl_codec::{HunkWidth, System, Utf9Max};

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
        other => unreachable!("the cores of {other} come with the hardware's System"),
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
            System::Utf9 { max: max.expect("one of two limits") }
        }
        CoreSystem::Utf18 => System::Utf18,
        CoreSystem::CorrectedUtf8 { document } => System::CorrectedUtf8 { document },
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
