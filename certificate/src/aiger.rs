//! Circuits in AIGER files (Biere, Heljanko and Wieringa, "AIGER 1.9 And Beyond", 2011), in the binary form.

/// A circuit. Variables are numbered from 1 on: inputs, latches, ANDs. A literal is twice a variable, plus one if complemented; 0 is
/// the constant 0, and 1 the constant 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// The number of inputs.
    pub inputs: u32,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The literals of the outputs.
    pub outputs: Vec<u32>,
    /// The literals that must never be 1.
    pub bad: Vec<u32>,
    /// The literals that are 1 in all cycles that matter.
    pub constraints: Vec<u32>,
    /// The operands of each AND, whose variables are less than its own.
    pub ands: Vec<[u32; 2]>,
}

/// A latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The literal of its next value.
    pub next: u32,
    /// The first value.
    pub start: Start,
}

/// The first value of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Always 0.
    Low,
    /// Always 1.
    High,
    /// 0 or 1.
    Any,
}

/// Why a file cannot be read: a sentence with the place in the file, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {byte}: {what}")]
pub struct ReadError {
    /// Bytes before the place.
    pub byte: usize,
    /// The fault, and what was expected.
    pub what: String,
}

impl Circuit {
    /// Reads a file. Names and comments are passed over.
    ///
    /// # Errors
    /// If the file is not in the binary form, is cut short, or has fairness or justice properties.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut reader = Reader { bytes, at: 0 };
        let head = reader.line()?;
        let mut words = head.split(' ');
        if words.next() != Some("aig") {
            return Err(reader.error("expected a binary AIGER file, which begins with \"aig\""));
        }
        let counts: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        let counts = counts.filter(|counts| (5..=9).contains(&counts.len()));
        let Some(counts) = counts else {
            return Err(reader.error("expected \"aig M I L O A\" and up to four more numbers"));
        };
        let count = |index: usize| counts.get(index).copied().unwrap_or(0);
        let [variables, inputs, latches, outputs, ands] = [0, 1, 2, 3, 4].map(count);
        if inputs.checked_add(latches).and_then(|sum| sum.checked_add(ands)) != Some(variables)
            || variables >= 1 << 31
        {
            return Err(reader.error("M is not the sum of I, L and A"));
        }
        if count(7) > 0 || count(8) > 0 {
            return Err(reader.error("justice and fairness properties are not supported"));
        }
        let latches = (0..latches).map(|latch| reader.latch(variables, 2 * (1 + inputs + latch)));
        let latches = latches.collect::<Result<_, _>>()?;
        let mut literals =
            |count: u32| (0..count).map(|_| reader.literal(variables)).collect::<Result<Vec<_>, _>>();
        let (outputs, bad, constraints) = (literals(outputs)?, literals(count(5))?, literals(count(6))?);
        let first = variables - ands + 1;
        let ands =
            (first..first + ands).map(|variable| reader.and(2 * variable)).collect::<Result<_, _>>()?;
        Ok(Self { inputs, latches, outputs, bad, constraints, ands })
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn error(&self, what: &str) -> ReadError {
        ReadError { byte: self.at, what: what.to_owned() }
    }

    fn line(&mut self) -> Result<&'b str, ReadError> {
        let rest = &self.bytes[self.at..];
        let end = rest
            .iter()
            .position(|byte| *byte == b'\n')
            .ok_or_else(|| self.error("the file ends in a line"))?;
        let text = std::str::from_utf8(&rest[..end]).map_err(|_| self.error("expected numbers"))?;
        self.at += end + 1;
        Ok(text)
    }

    fn number(&self, text: &str, variables: u32) -> Result<u32, ReadError> {
        let literal = text.parse().ok().filter(|literal: &u32| literal / 2 <= variables);
        literal.ok_or_else(|| self.error(&format!("{text:?} is no literal of the file")))
    }

    fn literal(&mut self, variables: u32) -> Result<u32, ReadError> {
        let text = self.line()?;
        self.number(text, variables)
    }

    /// Reads the line of the latch with this literal.
    fn latch(&mut self, variables: u32, own: u32) -> Result<Latch, ReadError> {
        let text = self.line()?;
        let (next, start) = text.split_once(' ').unwrap_or((text, "0"));
        let start = match start {
            "0" => Start::Low,
            "1" => Start::High,
            other if other.parse() == Ok(own) => Start::Any,
            other => return Err(self.error(&format!("{other:?} is no first value: it can be 0, 1 or {own}"))),
        };
        Ok(Latch { next: self.number(next, variables)?, start })
    }

    /// Reads the operands of the AND with this literal, as differences.
    fn and(&mut self, own: u32) -> Result<[u32; 2], ReadError> {
        let high = own.checked_sub(self.difference()?).filter(|high| *high < own);
        let high = high.ok_or_else(|| self.error("an AND reads itself, or what comes after it"))?;
        let low = high
            .checked_sub(self.difference()?)
            .ok_or_else(|| self.error("an AND reads a literal below 0"))?;
        Ok([high, low])
    }

    /// Reads a number in sevens of bits, the lowest first.
    fn difference(&mut self) -> Result<u32, ReadError> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.error("the file ends in the ANDs"))?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| self.error("a difference is above 2^32"));
            }
        }
        Err(self.error("a difference has more than five bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the format's document: a toggle flip-flop with enable and reset, outputs Q and not Q.
    #[test]
    fn the_flip_flop_of_the_document_is_read() {
        let file = b"aig 7 2 1 2 4\n14\n6\n7\n\x02\x04\x03\x04\x01\x02\x02\x08";
        let circuit = Circuit::read(file).unwrap();
        assert_eq!(circuit.inputs, 2);
        assert_eq!(circuit.latches, [Latch { next: 14, start: Start::Low }]);
        assert_eq!(circuit.outputs, [6, 7]);
        assert_eq!(circuit.ands, [[6, 2], [7, 3], [11, 9], [12, 4]]);
    }

    #[test]
    fn first_values_are_read() {
        let circuit = Circuit::read(b"aig 3 0 3 0 0 1 1\n2 0\n4 1\n7 6\n2\n5\n").unwrap();
        let starts: Vec<Start> = circuit.latches.iter().map(|latch| latch.start).collect();
        assert_eq!(starts, [Start::Low, Start::High, Start::Any]);
        assert_eq!((circuit.bad, circuit.constraints), (vec![2], vec![5]));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (file, error) in [
            (&b"aag 0 0 0 0 0\n"[..], "byte 14: expected a binary AIGER file, which begins with \"aig\""),
            (b"aig 0 0 0", "byte 0: the file ends in a line"),
            (b"aig 1 0 1\n", "byte 10: expected \"aig M I L O A\" and up to four more numbers"),
            (b"aig 2 1 0 0 0\n", "byte 14: M is not the sum of I, L and A"),
            (b"aig 1 1 0 1 0\n4\n", "byte 16: \"4\" is no literal of the file"),
            (b"aig 1 0 1 0 0\n2 3\n", "byte 18: \"3\" is no first value: it can be 0, 1 or 2"),
            (b"aig 1 1 0 0 0 0 0 1\n", "byte 20: justice and fairness properties are not supported"),
            (b"aig 2 1 0 0 1\n\x00\x01", "byte 15: an AND reads itself, or what comes after it"),
            (b"aig 2 1 0 0 1\n\x02\x03", "byte 16: an AND reads a literal below 0"),
            (b"aig 2 1 0 0 1\n\x02", "byte 15: the file ends in the ANDs"),
            (b"aig 2 1 0 0 1\n\xff\xff\xff\xff\xff\x01", "byte 19: a difference has more than five bytes"),
        ] {
            assert_eq!(Circuit::read(file).unwrap_err().to_string(), error);
        }
    }
}
