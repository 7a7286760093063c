//! The systems as the cores know them. The software codec and the hardware have a type each, since they share nothing.

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
