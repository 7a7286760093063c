//! Code points of any size as one value: groups of heads and limbs put together.

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;
use thiserror::Error;

use crate::{ErrorKind, Slot};

/// A code point of any size, or an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whole {
    /// A code point below 2^32.
    CodePoint(u32),
    /// A code point of 2^32 or more.
    Long(BigUint),
    /// A code point past the limit of the [`Gather`]. Only its number of hexadecimal digits is known.
    TooLong {
        /// The number of its hexadecimal digits, without leading zeros.
        digits: u64,
    },
    /// An ill-formed sequence.
    Error(ErrorKind),
}

impl Whole {
    /// The slots of the code point or the error. The digits of [`Whole::TooLong`] are not known, so that it is an
    /// `unencodable` error.
    pub fn slots(&self) -> Vec<Slot> {
        match self {
            &Whole::CodePoint(code_point) => vec![Slot::CodePoint(code_point)],
            &Whole::Error(kind) => vec![Slot::Error(kind)],
            Whole::TooLong { .. } => vec![Slot::Error(ErrorKind::Unencodable)],
            Whole::Long(value) => slots_of(value),
        }
    }
}

/// A number below 2^32 becomes [`Whole::CodePoint`], so that equal code points are equal values.
impl From<BigUint> for Whole {
    fn from(value: BigUint) -> Whole {
        u32::try_from(&value).map_or(Whole::Long(value), Whole::CodePoint)
    }
}

fn slots_of(value: &BigUint) -> Vec<Slot> {
    let limbs = value.to_u32_digits();
    match limbs[..] {
        [] => vec![Slot::CodePoint(0)],
        [code_point] => vec![Slot::CodePoint(code_point)],
        _ => {
            let head = u32::try_from(limbs.len()).map_or(Slot::Error(ErrorKind::Unencodable), Slot::Head);
            [head].into_iter().chain(limbs.into_iter().rev().map(Slot::Limb)).collect()
        }
    }
}

/// An [`Event`](crate::Event) of a whole sequence, whatever the size of its code point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WholeEvent {
    /// Offset of the sequence's first unit, in units from the start of the stream.
    pub offset: u64,
    /// How many units the sequence has.
    pub length: u64,
    /// The code point of any size, or the error, that the sequence decodes to.
    pub what: Whole,
}

/// Puts heads and limbs together to code points, and holds code points of up to a number of digits.
#[derive(Clone, Debug)]
pub struct Gather {
    limit: u64,
    /// The limbs of the current group, most significant first; empty if the code point is past the limit.
    limbs: Vec<u32>,
    /// How many limbs of the group are still to come; 0 between groups.
    missing: u32,
    /// How many digits the code point has, which the first limb tells.
    digits: u64,
    fresh: bool,
}

/// Slots in an order that the rules for groups forbid. No decoder of this package makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BrokenGroup {
    /// A limb outside a group.
    #[error("a limb without a head")]
    StrayLimb,
    /// A head that announces fewer than two limbs.
    #[error("a head of fewer than two limbs")]
    ShortHead,
    /// A first limb of zero.
    #[error("a group that starts with a zero limb")]
    ZeroLimb,
    /// A code point or a head where a limb is expected.
    #[error("a group of limbs that is cut short")]
    Cut,
}

impl Gather {
    /// Whether no limbs are still to come.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn is_between_groups(&self) -> bool {
        self.missing == 0
    }

    /// Gathers code points of up to `limit` hexadecimal digits.
    pub fn with_limit(limit: u64) -> Gather {
        Gather { limit, limbs: Vec::new(), missing: 0, digits: 0, fresh: false }
    }

    /// Takes the next slot, and gives the code point or the error that the slot completes.
    ///
    /// # Errors
    ///
    /// [`BrokenGroup`] says what is wrong with the slot. The slot and the limbs before it are dropped.
    pub fn push(&mut self, slot: Slot) -> Result<Option<Whole>, BrokenGroup> {
        match slot {
            Slot::Error(kind) => {
                self.drop_group();
                Ok(Some(Whole::Error(kind)))
            }
            Slot::Limb(limb) => self.limb(limb),
            _ if self.missing > 0 => {
                self.drop_group();
                Err(BrokenGroup::Cut)
            }
            Slot::CodePoint(code_point) => Ok(Some(Whole::CodePoint(code_point))),
            Slot::Head(0 | 1) => Err(BrokenGroup::ShortHead),
            Slot::Head(limbs) => {
                self.missing = limbs;
                self.fresh = true;
                Ok(None)
            }
        }
    }

    fn limb(&mut self, limb: u32) -> Result<Option<Whole>, BrokenGroup> {
        if self.missing == 0 {
            return Err(BrokenGroup::StrayLimb);
        }
        if self.fresh {
            if limb == 0 {
                self.drop_group();
                return Err(BrokenGroup::ZeroLimb);
            }
            self.fresh = false;
            self.digits = u64::from(self.missing) * 8 - u64::from(limb.leading_zeros() / 4);
        }
        if self.digits <= self.limit {
            self.limbs.push(limb);
        }
        self.missing -= 1;
        Ok((self.missing == 0).then(|| self.whole()))
    }

    fn whole(&mut self) -> Whole {
        if self.digits > self.limit {
            return Whole::TooLong { digits: self.digits };
        }
        self.limbs.reverse();
        let value = BigUint::from_slice(&self.limbs);
        self.limbs.clear();
        Whole::Long(value)
    }

    fn drop_group(&mut self) {
        self.limbs.clear();
        self.missing = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(limit: u64, slots: &[Slot]) -> Result<Vec<Whole>, BrokenGroup> {
        let mut gather = Gather::with_limit(limit);
        let whole: Result<Vec<_>, _> = slots.iter().map(|&slot| gather.push(slot)).collect();
        Ok(whole?.into_iter().flatten().collect())
    }

    #[test]
    fn limbs_are_put_together_most_significant_first() {
        let slots = [Slot::Head(2), Slot::Limb(0x12), Slot::Limb(0x3456_789A), Slot::CodePoint(0x41)];
        let long = BigUint::from(0x12_3456_789A_u64);
        assert_eq!(gather(10, &slots), Ok(vec![Whole::Long(long), Whole::CodePoint(0x41)]));
        assert_eq!(gather(9, &slots), Ok(vec![Whole::TooLong { digits: 10 }, Whole::CodePoint(0x41)]));
    }

    #[test]
    fn an_error_in_place_of_a_limb_takes_the_group_back() {
        let error = Slot::Error(ErrorKind::Truncated);
        let slots = [Slot::Head(2), Slot::Limb(1), error, Slot::Head(2), Slot::Limb(2), Slot::Limb(3)];
        let long = BigUint::from(0x2_0000_0003_u64);
        assert_eq!(gather(9, &slots), Ok(vec![Whole::Error(ErrorKind::Truncated), Whole::Long(long)]));
    }

    #[test]
    fn broken_groups_are_told_by_name() {
        assert_eq!(gather(9, &[Slot::Limb(1)]), Err(BrokenGroup::StrayLimb));
        assert_eq!(gather(9, &[Slot::Head(1)]), Err(BrokenGroup::ShortHead));
        assert_eq!(gather(9, &[Slot::Head(2), Slot::Limb(0)]), Err(BrokenGroup::ZeroLimb));
        assert_eq!(gather(9, &[Slot::Head(2), Slot::CodePoint(1)]), Err(BrokenGroup::Cut));
        assert_eq!(gather(9, &[Slot::Head(2), Slot::Limb(1), Slot::Head(2)]), Err(BrokenGroup::Cut));
    }
}
