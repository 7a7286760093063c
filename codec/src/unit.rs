//! The types that units are held in.

/// A type that holds a unit of the encoded side: `u8` for systems of up to eight bits a unit, `u16` for all but `utf-32`, and
/// `u32` for all.
///
/// To every decoder, a unit that has bits above the width of the system is `invalid`. To an encoder, a code point with a unit
/// that the type has no room for is `unencodable`.
pub trait Unit: Copy + Default + Ord + Into<u32> + Arithmetic {}

impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

/// The arithmetic that the codec needs on a type of units.
pub trait Arithmetic: Sized {
    /// The greatest value.
    const MOST: u32;

    /// The unit with as many low bits of `bits` as the type has.
    fn of_low_bits(bits: u32) -> Self;

    /// The units as octets, if that is what they are.
    fn octets(units: &[Self]) -> Option<&[u8]>;

    /// The units as octets to be written, if that is what they are.
    fn octets_mut(units: &mut [Self]) -> Option<&mut [u8]>;

    /// The unit minus `other`, modulo 2^bits: a unit below `other` gives a large distance.
    fn distance_from(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    ($unit:ty, $octets:expr, $octets_mut:expr) => {
        impl Arithmetic for $unit {
            const MOST: u32 = <$unit>::MAX as u32;

            #[inline(always)]
            fn of_low_bits(bits: u32) -> $unit {
                bits as $unit
            }

            #[inline(always)]
            fn octets(units: &[$unit]) -> Option<&[u8]> {
                $octets(units)
            }

            #[inline(always)]
            fn octets_mut(units: &mut [$unit]) -> Option<&mut [u8]> {
                $octets_mut(units)
            }

            #[inline(always)]
            fn distance_from(self, other: $unit) -> $unit {
                self.wrapping_sub(other)
            }
        }
    };
}

arithmetic!(u8, Some, Some);
arithmetic!(u16, no_octets, no_octets_mut);
arithmetic!(u32, no_octets, no_octets_mut);

fn no_octets<U>(_units: &[U]) -> Option<&[u8]> {
    None
}

fn no_octets_mut<U>(_units: &mut [U]) -> Option<&mut [u8]> {
    None
}
