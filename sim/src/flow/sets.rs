//! Sets of marks, one for each of some bits. Most are empty, and the marks of one are close to each other: a set is stored as the
//! words from the first that has a mark to the last.

use std::ops::Range;

/// The words of a set that are stored: `count` words of 64 marks, the first of which is the word `first` of the set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// The place of the first word in the data.
    start: u32,
    first: u16,
    count: u16,
}

impl Span {
    pub(super) fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The places of its words in the data.
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }

    /// The place of a word in the data, if it is stored.
    fn place(self, word: u16) -> Option<usize> {
        let at = word.wrapping_sub(self.first);
        (at < self.count).then_some(self.start as usize + at as usize)
    }

    /// The words that are stored of both: their places in the data of each.
    pub(super) fn common(self, other: Self) -> impl Iterator<Item = (u16, usize, usize)> {
        let (first, end) = (self.first.max(other.first), self.end().min(other.end()));
        let place = |of: Self, word: u16| of.start as usize + (word - of.first) as usize;
        (first..end).map(move |word| (word, place(self, word), place(other, word)))
    }

    fn end(self) -> u16 {
        self.first + self.count
    }

    /// The words from the first of either to the last of either.
    fn joined(self, other: Self) -> Range<u16> {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other.first..other.end(),
            (_, true) => self.first..self.end(),
            _ => self.first.min(other.first)..self.end().max(other.end()),
        }
    }
}

/// A set of marks for each of some bits. Sets are added in the order of the bits, and so are their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    spans: Vec<Span>,
    data: Vec<u64>,
}

impl Sets {
    /// Empty sets of `bits` bits.
    pub(super) fn empty(bits: usize) -> Self {
        Self { spans: vec![Span::default(); bits], data: Vec::new() }
    }

    /// Removes all bits.
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.data.clear();
    }

    pub(super) fn span(&self, bit: usize) -> Span {
        self.spans[bit]
    }

    /// The words of all sets.
    pub(super) fn data(&self) -> &[u64] {
        &self.data
    }

    /// A word of a set.
    pub(super) fn word(&self, span: Span, word: u16) -> u64 {
        span.place(word).map_or(0, |place| self.data[place])
    }

    /// The marks of a bit.
    pub(super) fn marks(&self, bit: usize) -> impl Iterator<Item = u32> {
        let span = self.spans[bit];
        self.data[span.range()].iter().zip(u32::from(span.first)..).flat_map(|(word, at)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let mark = (rest != 0).then(|| at * 64 + rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(mark)
            })
        })
    }

    /// Whether two bits have the same marks.
    pub(super) fn are_same(&self, bit: usize, other: usize) -> bool {
        let (of, as_other) = (self.spans[bit], self.spans[other]);
        (of.is_empty() && as_other.is_empty())
            || of.first == as_other.first && self.data[of.range()] == self.data[as_other.range()]
    }

    /// Whether a bit has a mark; if so, the place of its word in the data.
    pub(super) fn place_of(&self, bit: usize, mark: u32) -> Option<usize> {
        let place = self.spans[bit].place((mark / 64) as u16)?;
        (self.data[place] >> (mark % 64) & 1 == 1).then_some(place)
    }

    /// Takes a mark from all bits.
    pub(super) fn forget(&mut self, mark: u32) {
        let (word, mask) = ((mark / 64) as u16, !(1 << (mark % 64)));
        for span in &mut self.spans {
            if let Some(place) = span.place(word) {
                self.data[place] &= mask;
                *span = trimmed(*span, &self.data);
            }
        }
    }

    /// Adds an empty set.
    pub(super) fn push_empty(&mut self) {
        self.spans.push(Span::default());
    }

    /// Adds a set with these words, from the word `first` on.
    pub(super) fn push(&mut self, first: u16, words: impl IntoIterator<Item = u64>) {
        let start = self.data.len();
        self.data.extend(words);
        self.close(start, first);
    }

    /// Adds the set of a bit of others.
    pub(super) fn push_from(&mut self, others: &Self, bit: usize) {
        let span = others.spans[bit];
        if span.is_empty() {
            return self.push_empty();
        }
        self.spans.push(Span { start: self.data.len() as u32, ..span });
        self.data.extend_from_slice(&others.data[span.range()]);
    }

    /// Adds a set whose words have the places of a span in other data.
    pub(super) fn push_part(&mut self, span: Span, data: &[u64]) {
        let start = self.data.len();
        self.data.extend_from_slice(&data[span.range()]);
        self.close(start, span.first);
    }

    /// Adds the intersection of the sets `a` and `b`, and the members of each that its mask lets through.
    pub(super) fn push_join(&mut self, (a, through_a): (usize, u64), (b, through_b): (usize, u64)) {
        let (of_a, of_b) = (self.spans[a], self.spans[b]);
        if of_a.is_empty() && of_b.is_empty() {
            return self.push_empty();
        }
        let (start, words) = (self.data.len(), of_a.joined(of_b));
        let first = words.start;
        if words.len() == 1 {
            let word_of = |span: Span| if span.is_empty() { 0 } else { self.data[span.start as usize] };
            let (a, b) = (word_of(of_a), word_of(of_b));
            let joined = a & b | a & through_a | b & through_b;
            let count = u16::from(joined != 0);
            self.spans.push(Span { start: start as u32, first, count });
            return self.data.extend((joined != 0).then_some(joined));
        }
        for word in words {
            let (a, b) = (self.word(of_a, word), self.word(of_b, word));
            self.data.push(a & b | a & through_a | b & through_b);
        }
        self.close(start, first);
    }

    /// Makes the words from `start` on the last set.
    fn close(&mut self, start: usize, first: u16) {
        let span = Span { start: start as u32, first, count: (self.data.len() - start) as u16 };
        self.spans.push(trimmed(span, &self.data));
    }
}

/// A span without the words at its ends that have no mark.
fn trimmed(mut span: Span, data: &[u64]) -> Span {
    while !span.is_empty() && data[span.start as usize] == 0 {
        span = Span { start: span.start + 1, first: span.first + 1, count: span.count - 1 };
    }
    while !span.is_empty() && data[span.range().end - 1] == 0 {
        span.count -= 1;
    }
    span
}
