//! A number that counts up, as text.

/// The decimal digits of a number. They are cheap to move on by a little, which is what offsets do from line to line.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    value: u64,
    /// How many digits there are.
    count: usize,
    /// The last eight digits as ASCII, the last one in the low byte. They are in a register, not in an array: to write one
    /// byte of an array and read all of them right after makes a processor wait.
    low: u64,
    /// The digits before those, from the first on.
    high: [u8; MOST_HIGH],
}

/// Digits in `low`.
const LOW: usize = 8;

/// Digits that a number has at most before `low`.
const MOST_HIGH: usize = 12;

impl Decimal {
    pub(super) fn zero() -> Decimal {
        Decimal { value: 0, count: 1, low: u64::from_be_bytes([b'0'; LOW]), high: [b'0'; MOST_HIGH] }
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
        self.low += more;
        let mut digit = 0;
        while (self.low >> (8 * digit)) as u8 > b'9' {
            if digit + 1 == LOW {
                return self.convert();
            }
            // Ten less here, one more in front.
            self.low += (0x100 - 10) << (8 * digit);
            digit += 1;
        }
        self.count = self.count.max(digit + 1);
    }

    /// Writes all digits anew.
    #[cold]
    fn convert(&mut self) {
        let mut digits = [b'0'; MOST_HIGH + LOW];
        let mut rest = self.value;
        let mut start = digits.len();
        while rest > 0 || start == digits.len() {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.count = digits.len() - start;
        let (high, low) = digits.split_at(MOST_HIGH);
        self.low = low.iter().fold(0, |low, &digit| low << 8 | u64::from(digit));
        for (to, &from) in self.high.iter_mut().zip(high.iter().skip(start)) {
            *to = from;
        }
    }

    /// Writes the digits to the front of `room`, and returns their number. The contents of `room` after them have no
    /// meaning.
    #[inline(always)]
    pub(super) fn write(&self, room: &mut [u8; MOST_HIGH + LOW]) -> usize {
        let (start, shift) = (self.count.saturating_sub(LOW), LOW.saturating_sub(self.count));
        if start > 0 {
            room[..MOST_HIGH].copy_from_slice(&self.high);
        }
        room[start..start + LOW].copy_from_slice(&(self.low << (8 * shift)).to_be_bytes());
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_are_printed_as() {
        let counted = (0..1_200).chain((999_900..1_000_100).step_by(3)).chain(99_999_980..100_000_030);
        let large =
            [u64::MAX - 12, u64::MAX - 5, u64::MAX, 0, 9, 10, 7, 1 << 32, (1 << 32) + 9, 99, 108, 108];
        let mut number = Decimal::zero();
        for value in counted.chain(large) {
            number.set(value);
            let mut room = [0; MOST_HIGH + LOW];
            let count = number.write(&mut room);
            assert_eq!(str::from_utf8(&room[..count]), Ok(&*value.to_string()));
        }
    }
}
