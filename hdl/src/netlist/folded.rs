//! Numbers of pipeline stages, where some are [folded](super::fold).

/// Stages of a pipeline whose logic is part of the stage before them. Stages are counted from 1, those after a folded one get lower numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded(u64);

impl Folded {
    /// Whether `stage` is folded.
    pub fn has(self, stage: u32) -> bool {
        self.0.checked_shr(stage).is_some_and(|stages| stages & 1 == 1)
    }

    /// These stages and `stage`.
    pub fn with(self, stage: u32) -> Self {
        Self(self.0 | Self::from_iter([stage]).0)
    }

    /// The number of `stage` among those that are left; for a folded one, that of the stage whose part it is.
    pub fn number(self, stage: u32) -> u32 {
        let up_to = u64::MAX >> (u64::BITS - 1 - stage.min(u64::BITS - 1));
        stage - (self.0 & up_to).count_ones()
    }
}

impl FromIterator<u32> for Folded {
    /// # Panics
    /// If a stage is 0, which has no registers, or above 63.
    fn from_iter<I: IntoIterator<Item = u32>>(stages: I) -> Self {
        let bit = |stage: u32| {
            assert!((1..u64::BITS).contains(&stage), "stage {stage} cannot be folded");
            1 << stage
        };
        Self(stages.into_iter().map(bit).fold(0, |all, bit| all | bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_after_folded_ones_get_lower_numbers() {
        let folded = Folded::from_iter([2, 3, 5]);
        assert_eq!([1, 2, 3, 4, 5, 6, 70].map(|stage| folded.number(stage)), [1, 1, 1, 2, 2, 3, 67]);
        assert_eq!(
            [0, 1, 2, 4, 5, 63, 64].map(|stage| folded.has(stage)),
            [false, false, true, false, true, false, false]
        );
        assert_eq!(Folded::default().number(63), 63);
    }
}
