//! BLIF as Yosys writes it, and one cycle of such a netlist as an AIGER file.
//!
//! The file is read gate by gate; nothing is simplified.

use std::collections::{HashMap, HashSet};

use utfhdl_sim::aig::{Aiger, NEXT, Named};

const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// The error that Yosys wrote something unreadable, with the words in question.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// The name of the constant 0, as Yosys has it.
pub const FALSE_NAME: &str = "$false";

/// A table of a signal: rows of `0`, `1` and `-`, one character an input, and the value that the rows are for.
#[derive(Debug, Default)]
struct Table<'t> {
    inputs: Vec<&'t str>,
    rows: Vec<&'t str>,
    value: bool,
}

/// A register: its next value, and its asynchronous reset, if any.
#[derive(Debug)]
struct Register<'t> {
    loads: &'t str,
    reset: Option<Reset<'t>>,
}

#[derive(Debug)]
struct Reset<'t> {
    port: &'t str,
    active: bool,
    value: bool,
}

/// A netlist.
#[derive(Debug, Default)]
pub struct Blif<'t> {
    inputs: Vec<&'t str>,
    outputs: Vec<&'t str>,
    tables: HashMap<&'t str, Table<'t>>,
    registers: HashMap<&'t str, Register<'t>>,
}

fn wrong(what: impl Into<String>) -> Unreadable {
    Unreadable(what.into())
}

impl<'t> Blif<'t> {
    /// Reads the text of one module without instances but flip-flops.
    pub fn read(text: &'t str) -> Result<Self, Unreadable> {
        let mut blif = Self::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                None | Some(".model" | ".end") => {}
                Some(comment) if comment.starts_with('#') => {}
                Some(".inputs") => blif.inputs.extend(words),
                Some(".outputs") => blif.outputs.extend(words),
                Some(".names") => {
                    let mut inputs: Vec<&str> = words.collect();
                    let output = inputs.pop().ok_or_else(|| wrong(line))?;
                    let mut table = Table { inputs, ..Table::default() };
                    while let Some(row) = lines.next_if(|next| next.starts_with(['0', '1', '-'])) {
                        table.add(row)?;
                    }
                    blif.tables.insert(output, table);
                }
                Some(".latch") => match words.collect::<Vec<_>>()[..] {
                    [loads, name, "re", "clk", _] => {
                        blif.registers.insert(name, Register { loads, reset: None });
                    }
                    _ => return Err(wrong(line)),
                },
                Some(".subckt") => blif.flip_flop(&words.collect::<Vec<_>>()).ok_or_else(|| wrong(line))?,
                Some(_) => return Err(wrong(line)),
            }
        }
        Ok(blif)
    }

    /// Reads a flip-flop. Yosys names one with an asynchronous reset `$_DFF_PN0_`: by its edge, the level of the reset, and the reset
    /// value. A library cell `$_DFFSR_PNN_` has a set and a reset, one of which must be tied inactive.
    fn flip_flop(&mut self, words: &[&'t str]) -> Option<()> {
        let (kind, ports) = words.split_first()?;
        let port = |name: &str| ports.iter().find_map(|port| port.strip_prefix(name)?.strip_prefix('='));
        let kind = kind.strip_suffix('_')?;
        let letters = kind.strip_prefix("$_DFF_").or_else(|| kind.strip_prefix("$_DFFSR_"))?;
        let [edge, first, second] = letters.as_bytes() else { return None };
        if (*edge, port("C")?) != (b'P', "clk") || !b"PN".contains(first) {
            return None;
        }
        let reset = |name: &str, active: u8, value: bool| {
            let (port, active) = (port(name)?, active == b'P');
            let is_never = port == if active { "$false" } else { "$true" };
            Some((!is_never).then_some(Reset { port, active, value }))
        };
        let reset = if kind.starts_with("$_DFFSR_") {
            if !b"PN".contains(second) {
                return None;
            }
            match (reset("S", *first, true)?, reset("R", *second, false)?) {
                (Some(_), Some(_)) => return None,
                (set, reset) => set.or(reset),
            }
        } else if b"01".contains(second) {
            reset("R", *first, *second == b'1')?
        } else {
            return None;
        };
        self.registers.insert(port("Q")?, Register { loads: port("D")?, reset });
        Some(())
    }

    /// The registers that correspond to no register of `netlist`.
    pub fn registers_beyond(&self, netlist: &Aiger) -> Vec<&'t str> {
        let known = netlist.inputs.iter().filter_map(|name| self.stands_for(name));
        let known: HashSet<&str> = known.map(|(register, _)| register).collect();
        self.registers.keys().copied().filter(|name| !known.contains(name)).collect()
    }

    /// The register here that corresponds to a register of the netlist, or the constant [`FALSE_NAME`], and whether its value is
    /// complemented. Synthesis chooses among the names of a wire, merges registers that load the same, complements some for their
    /// resets, and removes registers with only one value.
    pub fn stands_for(&self, name: &str) -> Option<(&'t str, bool)> {
        let of_register = self.registers.get_key_value(name).map(|(name, _)| *name);
        let mut name = of_register.or_else(|| self.tables.get_key_value(name).map(|(name, _)| *name))?;
        let mut is_complement = false;
        // A chain of tables that copy a signal is no longer than the number of tables.
        for _ in 0..=self.tables.len() {
            if self.registers.contains_key(name) {
                return Some((name, is_complement));
            }
            let table = self.tables.get(name)?;
            match (&table.inputs[..], &table.rows[..]) {
                ([], []) => return Some((FALSE_NAME, is_complement)),
                ([], [_]) => return Some((FALSE_NAME, is_complement ^ table.value)),
                ([of], [row]) => {
                    is_complement ^= match *row {
                        "1" => !table.value,
                        "0" => table.value,
                        _ => return None,
                    };
                    name = of;
                }
                _ => return None,
            }
        }
        None
    }

    /// One cycle, with the inputs and outputs of `netlist` in its order: ports and registers.
    ///
    /// # Errors
    /// If an output is missing, a signal has no driver, or there is a loop.
    pub fn one_cycle(&self, netlist: &Aiger) -> Result<Aiger, Unreadable> {
        let mut inputs: HashMap<&str, u32> = HashMap::new();
        for (name, variable) in netlist.inputs.iter().zip(1..) {
            // The first of several registers that synthesis merged gives the input for all of them.
            let (register, is_complement) = self.stands_for(name).unwrap_or((name, false));
            inputs.entry(register).or_insert(2 * variable + u32::from(is_complement));
        }
        let first = 2 * (netlist.inputs.len() as u32 + 1);
        let mut gates = Gates { blif: self, inputs, literals: HashMap::new(), ands: Vec::new(), first };
        let mut outputs = Vec::new();
        for Named { name, .. } in &netlist.outputs {
            let literal = match name.strip_suffix(NEXT) {
                Some(register) => gates.loaded(register)?,
                None => gates.literal(name)?,
            };
            outputs.push(Named { name: name.clone(), literal });
        }
        Ok(Aiger { inputs: netlist.inputs.clone(), outputs, ands: gates.ands, ..Aiger::default() })
    }
}

impl<'t> Table<'t> {
    fn add(&mut self, row: &'t str) -> Result<(), Unreadable> {
        let (row, value) = match row.split_once(' ') {
            Some((row, value)) => (row, value),
            None => ("", row),
        };
        if row.len() != self.inputs.len() || !["0", "1"].contains(&value) {
            return Err(wrong(row));
        }
        self.value = value == "1";
        self.rows.push(row);
        Ok(())
    }
}

/// The ANDs of a netlist, as they are made.
struct Gates<'b, 't> {
    blif: &'b Blif<'t>,
    inputs: HashMap<&'b str, u32>,
    /// The literals of finished signals.
    literals: HashMap<&'b str, u32>,
    ands: Vec<(u32, u32)>,
    /// The literal of the first AND.
    first: u32,
}

impl<'b, 't> Gates<'b, 't> {
    /// The literal of the value that a register loads.
    fn loaded(&mut self, name: &str) -> Result<u32, Unreadable> {
        let blif = self.blif;
        let (name, is_complement) =
            blif.stands_for(name).ok_or_else(|| wrong(format!("no register {name}")))?;
        let loads = match blif.registers.get(name) {
            Some(register) => {
                let loads = self.literal(register.loads)?;
                self.with_reset(loads, register)?
            }
            None => FALSE,
        };
        Ok(loads ^ u32::from(is_complement))
    }

    /// The literal of a signal. Operands are finished first: a stack holds the signals that wait for operands.
    fn literal(&mut self, name: &'b str) -> Result<u32, Unreadable> {
        let (mut waiting, mut open) = (vec![(name, false)], HashSet::new());
        while let Some((name, has_operands)) = waiting.pop() {
            if self.literals.contains_key(name) {
                continue;
            }
            if has_operands {
                let literal = self.made(name)?;
                self.literals.insert(name, literal);
                continue;
            }
            if !open.insert(name) {
                return Err(wrong(format!("a loop through {name}")));
            }
            waiting.push((name, true));
            waiting.extend(self.operands(name)?.into_iter().map(|operand| (operand, false)));
        }
        Ok(self.literals[name])
    }

    /// The operands of a signal.
    fn operands(&self, name: &str) -> Result<Vec<&'b str>, Unreadable> {
        if let Some(register) = self.blif.registers.get(name) {
            return Ok(register.reset.iter().map(|reset| reset.port).collect());
        }
        if let Some(table) = self.blif.tables.get(name) {
            return Ok(table.inputs.clone());
        }
        match name {
            "$false" | "$true" => Ok(Vec::new()),
            _ if self.blif.inputs.contains(&name) && self.inputs.contains_key(name) => Ok(Vec::new()),
            _ => Err(wrong(format!("nothing drives {name}"))),
        }
    }

    /// The literal of a signal whose operands are done.
    fn made(&mut self, name: &str) -> Result<u32, Unreadable> {
        let blif = self.blif;
        if let Some(register) = blif.registers.get(name) {
            let held = self.inputs.get(name).copied();
            let held = held.ok_or_else(|| wrong(format!("the netlist has no register {name}")))?;
            return self.with_reset(held, register);
        }
        if let Some(table) = blif.tables.get(name) {
            return Ok(self.table(table));
        }
        Ok(match name {
            "$false" => FALSE,
            "$true" => TRUE,
            _ => self.inputs[name],
        })
    }

    /// A value, or under the asynchronous reset of a register its reset value.
    fn with_reset(&mut self, value: u32, register: &'b Register<'t>) -> Result<u32, Unreadable> {
        let Some(reset) = &register.reset else { return Ok(value) };
        let level = self.literal(reset.port)?;
        let active = if reset.active { level } else { level ^ 1 };
        // An AND with the complement of the reset, or an OR with it.
        Ok(if reset.value { self.and(value ^ 1, active ^ 1) ^ 1 } else { self.and(value, active ^ 1) })
    }

    fn table(&mut self, table: &Table<'t>) -> u32 {
        let mut none = TRUE;
        for row in &table.rows {
            let mut all = TRUE;
            for (input, value) in table.inputs.iter().zip(row.bytes()) {
                let literal = self.literals[input];
                match value {
                    b'1' => all = self.and(all, literal),
                    b'0' => all = self.and(all, literal ^ 1),
                    _ => {}
                }
            }
            none = self.and(none, all ^ 1);
        }
        // Without rows, the value is 0.
        if table.value {
            none ^ 1
        } else if table.rows.is_empty() {
            FALSE
        } else {
            none
        }
    }

    fn and(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (TRUE, other) | (other, TRUE) => other,
            _ => {
                self.ands.push((a, b));
                self.first + 2 * (self.ands.len() as u32 - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn netlist(inputs: &[&str], outputs: &[&str]) -> Aiger {
        let named = |name: &&str| Named { name: (*name).to_owned(), literal: 0 };
        Aiger {
            inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
            outputs: outputs.iter().map(named).collect(),
            ..Aiger::default()
        }
    }

    /// Tables of both values, constants, a register without and one with an asynchronous reset.
    #[test]
    fn a_netlist_is_read_as_it_stands() {
        let text = "# Generated\n.model m\n.inputs clk rst_n a b\n.outputs y z\n.names $false\n.names $true\n1\n\
                    .names a b x\n11 1\n00 1\n.names x y\n0 1\n.names p q $true z\n--0 0\n00- 0\n\
                    .latch x p re clk 2\n.subckt $_DFF_PN1_ C=clk D=a Q=q R=rst_n\n.end\n";
        let blif = Blif::read(text).unwrap();
        let like = netlist(&["rst_n", "a", "b", "p", "q"], &["y", "z", "p@next", "q@next"]);
        assert!(
            blif.registers_beyond(&like).is_empty()
                && blif.stands_for("q") == Some(("q", false))
                && blif.stands_for("x").is_none()
        );
        let cycle = blif.one_cycle(&like).unwrap();
        // Each of the 32 values of the five inputs is a run.
        let inputs: Vec<u64> = (0..5).map(|bit| (0..32).map(|run| (run >> bit & 1) << run).sum()).collect();
        let [rst_n, a, b, p, q] = inputs[..] else { unreachable!() };
        let shown = q | !rst_n;
        let expected = [a ^ b, p | shown, !(a ^ b), a | !rst_n];
        let found = cycle.run(&mut [], &inputs);
        let runs = u64::from(u32::MAX);
        assert_eq!(
            found.iter().map(|word| word & runs).collect::<Vec<_>>(),
            expected.map(|word| word & runs)
        );
    }

    /// Two registers of the netlist are one, which has a third name; and cells with a set and a reset.
    #[test]
    fn registers_are_found_by_all_of_their_names() {
        let text = ".model m\n.inputs clk rst_n a\n.outputs y\n.names $true\n1\n.names $false\n.names other p\n1 1\n\
                    .names p q\n1 1\n.names q n\n0 1\n.names q y\n1 1\n\
                    .subckt $_DFFSR_PNN_ C=clk D=a Q=other R=rst_n S=$true\n.end\n";
        let blif = Blif::read(text).unwrap();
        assert_eq!(
            ["p", "q", "n", "a"].map(|name| blif.stands_for(name)),
            [Some(("other", false)), Some(("other", false)), Some(("other", true)), None]
        );
        let like = netlist(&["rst_n", "a", "n", "p"], &["y", "n@next", "p@next"]);
        assert!(blif.registers_beyond(&like).is_empty());
        let cycle = blif.one_cycle(&like).unwrap();
        let inputs: Vec<u64> = (0..4).map(|bit| (0..16).map(|run| (run >> bit & 1) << run).sum()).collect();
        let [rst_n, a, n, _] = inputs[..] else { unreachable!() };
        let found: Vec<u64> =
            cycle.run(&mut [], &inputs).iter().map(|word| word & u64::from(u16::MAX)).collect();
        assert_eq!(found, [!n & rst_n, !(a & rst_n) & u64::from(u16::MAX), a & rst_n]);
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for (text, says) in [
            (".latch d q fe clk 2", "fe clk"),
            (".latch d q re other 2", "other"),
            (".subckt $_DFF_NN1_ C=clk D=a Q=q R=r", "$_DFF_NN1_"),
            (".subckt $_DFFSR_PNN_ C=clk D=a Q=q R=r S=s", "$_DFFSR_PNN_"),
            (".subckt adder A=a", "adder"),
            (".names a b y\n1 1", "1"),
            (".exdc", ".exdc"),
        ] {
            let Unreadable(error) = Blif::read(text).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
        for (text, says) in [
            (".outputs y", "nothing drives y"),
            (".outputs y\n.names y x\n1 1\n.names x y\n1 1", "a loop through"),
            (".outputs y\n.latch y q re clk 2\n.names q y\n1 1", "the netlist has no register q"),
        ] {
            let blif = Blif::read(text).unwrap();
            let Unreadable(error) = blif.one_cycle(&netlist(&[], &["y"])).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
