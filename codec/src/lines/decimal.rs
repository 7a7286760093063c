//! A number that counts up, as text.

/// Decimal digits of a number: cheap to move on by a little, which is what offsets do from line to line.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    value: u64,
    /// The digits are those from `start` to [`MOST`]. What is behind allows for copies of fixed length.
    digits: [u8; 2 * MOST],
    start: usize,
}

/// The most digits that a number has.
pub(super) const MOST: usize = 20;

impl Decimal {
    pub(super) fn zero() -> Decimal {
        Decimal { value: 0, digits: [b'0'; 2 * MOST], start: MOST - 1 }
    }

    /// Becomes `value`.
    #[inline]
    pub(super) fn set(&mut self, value: u64) {
        let more = value.wrapping_sub(self.value);
        let is_near = value >= self.value && more <= 9;
        self.value = value;
        if !is_near {
            return self.convert();
        }
        let last = self.digits[MOST - 1] + more as u8;
        self.digits[MOST - 1] = last;
        if last > b'9' {
            self.carry();
        }
    }

    /// Writes all digits anew.
    fn convert(&mut self) {
        let mut rest = self.value;
        self.start = MOST;
        loop {
            self.start -= 1;
            self.digits[self.start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                return;
            }
        }
    }

    /// Carries from the last digit, which is past 9.
    fn carry(&mut self) {
        self.digits[MOST - 1] -= 10;
        let mut index = MOST - 1;
        while index > self.start {
            index -= 1;
            if self.digits[index] < b'9' {
                self.digits[index] += 1;
                return;
            }
            self.digits[index] = b'0';
        }
        self.start -= 1;
        self.digits[self.start] = b'1';
    }

    /// The digits, and how many there are. What is behind has no meaning.
    #[inline]
    pub(super) fn digits(&self) -> (&[u8; MOST], usize) {
        let digits = self.digits[self.start..].first_chunk();
        (digits.expect("there are as many behind the digits"), MOST - self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &Decimal) -> String {
        let (digits, count) = number.digits();
        String::from_utf8(digits[..count].to_vec()).unwrap()
    }

    #[test]
    fn numbers_are_what_they_are_printed_as() {
        let mut number = Decimal::zero();
        assert_eq!(text(&number), "0");
        let counted = (0..1_200).chain((999_900..1_000_100).step_by(3));
        let large =
            [u64::MAX - 12, u64::MAX - 5, u64::MAX, 0, 9, 10, 7, 1 << 32, (1 << 32) + 9, 99, 108, 108];
        for value in counted.chain(large) {
            number.set(value);
            assert_eq!(text(&number), value.to_string());
        }
    }
}
