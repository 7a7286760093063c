//! Loops in the vector instructions that the processor has.
//!
//! A program is compiled for all processors of its kind, and those of 64 bits have vector registers of 16 octets at least. Most have
//! registers twice as wide, for which the hottest loops are compiled a second time.

/// Whether the processor has the features that [`widely`] compiles loops for.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn is_wide() -> bool {
    use std::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("popcnt")
}

/// Defines a function that does what another one does, in the widest vector registers of the processor. The other one is to be inlined.
macro_rules! widely {
    ($(#[$doc:meta])* $visible:vis fn $name:ident = $work:ident $(<$($of:ident: $bound:ident),*>)?
        ($($argument:ident: $type:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[inline]
        $visible fn $name $(<$($of: $bound),*>)? ($($argument: $type),*) -> $result {
            #[inline(never)]
            fn narrow $(<$($of: $bound),*>)? ($($argument: $type),*) -> $result {
                $work $(::<$($of),*>)? ($($argument),*)
            }
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            if $crate::bulk::wide::is_wide() {
                #[target_feature(enable = "avx2,bmi1,popcnt")]
                #[inline(never)]
                fn wide $(<$($of: $bound),*>)? ($($argument: $type),*) -> $result {
                    $work $(::<$($of),*>)? ($($argument),*)
                }
                // SAFETY: the processor has the features.
                return unsafe { wide $(::<$($of),*>)? ($($argument),*) };
            }
            narrow $(::<$($of),*>)? ($($argument),*)
        }
    };
}
pub(super) use widely;
