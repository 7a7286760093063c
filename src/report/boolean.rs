//! The Boolean functions of liberty files: `(!(A B))`, `(A*B)'`, `!A | !B`.

/// The values of `function` for all inputs in turn, the first of `names` the least significant. `None` if it cannot be understood.
pub(super) fn truth_table(function: &str, names: &[&str]) -> Option<Vec<bool>> {
    (0..1 << names.len())
        .map(|values: usize| {
            let mut rest = Rest { text: function.trim(), names, values };
            let value = rest.or()?;
            rest.text.is_empty().then_some(value)
        })
        .collect()
}

/// The unread rest of a function.
struct Rest<'a> {
    text: &'a str,
    names: &'a [&'a str],
    /// The value of each name, a bit each.
    values: usize,
}

impl Rest<'_> {
    fn take(&mut self, symbols: &[char]) -> bool {
        let rest = self.text.trim_start().strip_prefix(symbols);
        self.text = rest.unwrap_or(self.text.trim_start()).trim_start();
        rest.is_some()
    }

    fn or(&mut self) -> Option<bool> {
        let mut value = self.and()?;
        while self.take(&['|', '+']) {
            value |= self.and()?;
        }
        Some(value)
    }

    /// An AND has a sign, or none at all.
    fn and(&mut self) -> Option<bool> {
        let mut value = self.exclusive_or()?;
        while self.take(&['&', '*'])
            || self.text.starts_with(|next: char| is_name(next) || "(!".contains(next))
        {
            value &= self.exclusive_or()?;
        }
        Some(value)
    }

    fn exclusive_or(&mut self) -> Option<bool> {
        let mut value = self.term()?;
        while self.take(&['^']) {
            value ^= self.term()?;
        }
        Some(value)
    }

    fn term(&mut self) -> Option<bool> {
        if self.take(&['!']) {
            return self.term().map(|value| !value);
        }
        let mut value = if self.take(&['(']) {
            let value = self.or()?;
            self.take(&[')']).then_some(value)?
        } else {
            let end = self.text.find(|next: char| !is_name(next)).unwrap_or(self.text.len());
            let (name, rest) = self.text.split_at(end);
            self.text = rest.trim_start();
            let place = self.names.iter().position(|known| *known == name)?;
            self.values >> place & 1 == 1
        };
        while self.take(&['\'']) {
            value = !value;
        }
        Some(value)
    }
}

fn is_name(symbol: char) -> bool {
    symbol.is_alphanumeric() || "_[]".contains(symbol)
}

#[cfg(test)]
mod tests {
    use super::truth_table;

    #[test]
    fn a_nand_is_written_in_many_ways() {
        for function in ["(!(A B))", "(A*B)'", "!(A & B)", "!A | !B", "(!A) | (!B)", "A' + B'", "!((A)(B))"] {
            let table = truth_table(function, &["A", "B"]).unwrap();
            assert_eq!(table, [true, true, true, false], "{function}");
        }
    }

    #[test]
    fn operators_bind_as_the_format_says() {
        assert_eq!(truth_table("A | B & !C", &["A", "B", "C"]).unwrap().iter().filter(|v| **v).count(), 5);
        assert_eq!(truth_table("A ^ B", &["A", "B"]).unwrap(), [false, true, true, false]);
        assert_eq!(truth_table("A^B C", &["A", "B", "C"]).unwrap().iter().filter(|v| **v).count(), 2);
    }

    #[test]
    fn what_is_no_function_of_the_inputs_has_no_table() {
        for function in ["IQ", "(A", "A B)", "", "A &"] {
            assert_eq!(truth_table(function, &["A", "B"]), None, "{function}");
        }
    }
}
