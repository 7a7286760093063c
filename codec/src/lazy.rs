//! Tables that are made when they are first used, without the standard library.

use alloc::boxed::Box;
use core::ops::Deref;

use once_cell::race::OnceBox;

/// A value that is made when it is first used, and then has one address.
pub(crate) struct Lazy<T> {
    made: OnceBox<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    pub(crate) const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy { made: OnceBox::new(), make }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.made.get_or_init(|| Box::new((self.make)()))
    }
}
