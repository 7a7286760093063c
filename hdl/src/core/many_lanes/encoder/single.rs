//! Systems in which every code point is a unit, or a word of octets: Latin-1, ASCII,
//! character sets by table, UCS-2 and UTF-32.

use super::shape::{Fit, Shape, some_bits};
use super::words::{OCTET, octet, octets};
use crate::core::ByteOrder;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::core::shared::octet_table::Octet;
use crate::core::shared::single::Words;
use crate::netlist::{Builder, Signal};

/// The words of a system.
pub(super) struct Single(pub(super) Words);

impl Single {
    /// How words become octets; `None` if units are code points.
    fn order(&self) -> Option<ByteOrder> {
        self.0.octets.map(|(order, _)| order)
    }
}

impl Shape for Single {
    fn unit_bits(&self) -> u32 {
        if self.order().is_some() { OCTET } else { self.0.bits }
    }

    fn most_units(&self) -> usize {
        self.0.units() as usize
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        let code_point = self.0.replacement();
        (code_point, self.order().map_or(vec![code_point], |order| octets(order, code_point, self.0.bits)))
    }

    fn code_bits(&self) -> u32 {
        self.0.code_bits()
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let code_bits = self.code_bits().min(data.width());
        let code = data.bits(0..code_bits);
        let too_wide = some_bits(data, code_bits..data.width());
        if let Some(table) = self.0.table() {
            let [page, position] = table.in_page(code);
            let of_page = |name: &str, signal| (name.to_owned(), signal);
            return [of_page("page", page), of_page("position", position)]
                .into_iter()
                .chain(too_wide)
                .collect();
        }
        let past = past_last(code, self.0.last.into()).map(|past| ("past_last".to_owned(), past));
        let surrogate = self.0.has_surrogates().then(|| ("surrogate".to_owned(), surrogate(code)));
        too_wide.into_iter().chain(past).chain(surrogate).collect()
    }

    fn is_by_table(&self) -> bool {
        self.0.table.is_some()
    }

    fn looked_up<'m>(&self, m: &'m Builder, tests: &[Signal<'m>]) -> Option<(Fit<'m>, Signal<'m>)> {
        let table = self.0.table()?;
        let [page, position, ref too_wide @ ..] = *tests else { unreachable!("those are the tests") };
        let Octet { octet, is_mapped } = table.octet(m.concat([page, position]));
        Some((Fit { unfit: any_of(too_wide.iter().copied().chain([!is_mapped])), longer: vec![] }, octet))
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        Fit { unfit: any_of(tests.iter().copied()), longer: vec![None; self.most_units() - 1] }
    }

    fn unit<'m>(&self, _: &'m Builder, code: Signal<'m>, number: usize, _: &[Signal<'m>]) -> Signal<'m> {
        match self.order() {
            Some(order) => octet(order, code.zext(self.0.bits), number),
            None => code.zext(self.0.bits),
        }
    }
}
