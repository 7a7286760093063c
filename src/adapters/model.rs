//! The beats that an adapter owes for those that came in, as docs/interface.md says.

use std::collections::VecDeque;

use utfhdl_hdl::core::adapters::{AdapterKind, AdapterSpec, Fifo, Whole};

use super::beat::Beat;

/// A beat that is owed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owed {
    /// The beat.
    pub beat: Beat,
    /// The cycle in which the beat was taken that completes it.
    pub since: u64,
}

/// The model of an adapter.
#[derive(Clone, Debug)]
pub struct Model {
    spec: AdapterSpec,
    /// The beats that are owed, in order.
    pub owed: VecDeque<Owed>,
    /// Of a FIFO of whole frames, the beats of the frame that is not whole.
    open: Vec<Beat>,
    /// Of a converter to more lanes, and of a compactor, the lanes that are gathered.
    lanes: Vec<Option<u64>>,
    /// Of a compactor, the first cycle in which the next beat can enter: a frame that ended with a beat more takes a cycle more.
    free: u64,
    /// Cycles in which the adapter may keep its source waiting, though its output is taken.
    pub allowed: u64,
    /// At some beat of the open frame, a FIFO that drops was as full as its memory.
    was_full: bool,
    /// A frame ended in the cycle before, and the adapter says now whether the frame was dropped.
    ended: Option<u64>,
    /// Frames that were dropped.
    pub dropped: u64,
}

impl Model {
    /// The model of an adapter that holds nothing.
    pub fn new(spec: AdapterSpec) -> Self {
        Self {
            spec,
            owed: VecDeque::new(),
            open: vec![],
            lanes: vec![],
            free: 0,
            allowed: 0,
            was_full: false,
            ended: None,
            dropped: 0,
        }
    }

    /// Forgets all but the count of frames that were dropped.
    pub fn reset(&mut self) {
        *self = Self { dropped: self.dropped, allowed: self.allowed, ..Self::new(self.spec) };
    }

    /// Whether nothing is owed, and nothing is to be said of a frame.
    pub fn is_settled(&self) -> bool {
        self.owed.is_empty() && self.ended.is_none()
    }

    /// Takes a beat in `cycle`.
    pub fn take(&mut self, beat: &Beat, cycle: u64) {
        match self.spec.kind {
            AdapterKind::Fifo(Fifo { whole: None, .. }) => self.owe(beat.clone(), cycle),
            AdapterKind::Fifo(Fifo { depth, .. }) => {
                self.was_full |= self.owed.len() + self.open.len() >= depth as usize;
                self.open.push(beat.clone());
                self.ended = beat.last.then_some(cycle);
            }
            AdapterKind::Width { to_lanes } if to_lanes > self.spec.lanes => {
                self.gather(beat, to_lanes as usize, cycle)
            }
            AdapterKind::Compactor => self.compact(beat, cycle),
            AdapterKind::Width { to_lanes } => self.split(beat, to_lanes as usize, cycle),
        }
    }

    /// Settles the frame that ended in the cycle before, by what the adapter says of it.
    ///
    /// # Errors
    /// What is wrong with that.
    pub fn settle(&mut self, dropped: bool) -> Result<(), String> {
        let Some(cycle) = self.ended.take() else {
            return if dropped { Err("dropped is 1, and no frame has ended".to_owned()) } else { Ok(()) };
        };
        let (frame, was_full) = (std::mem::take(&mut self.open), std::mem::take(&mut self.was_full));
        let AdapterKind::Fifo(Fifo { depth, whole, .. }) = self.spec.kind else { return Ok(()) };
        let has_no_room = match whole {
            Some(Whole::Drops) => was_full,
            _ => frame.len() > depth as usize,
        };
        // A FIFO that drops need not be full where there are as many beats as its memory has: two are in registers.
        let must_drop = frame.len() > depth as usize + 2;
        if dropped && !has_no_room {
            return Err(format!("a frame of {} beats was dropped, for which there is room", frame.len()));
        }
        if !dropped && (must_drop || has_no_room && whole == Some(Whole::Waits)) {
            return Err(format!(
                "a frame of {} beats was not dropped, for which there is no room",
                frame.len()
            ));
        }
        if dropped {
            self.dropped += 1;
        } else {
            frame.into_iter().for_each(|beat| self.owe(beat, cycle));
        }
        Ok(())
    }

    fn owe(&mut self, beat: Beat, since: u64) {
        self.owed.push_back(Owed { beat, since });
    }

    /// The user's bits go out with the end of the frame.
    fn ending(beat: &Beat, lanes: Vec<Option<u64>>, last: bool) -> Beat {
        Beat { lanes, last, tuser: if last { beat.tuser } else { 0 }, ..beat.clone() }
    }

    fn gather(&mut self, beat: &Beat, lanes: usize, cycle: u64) {
        if !beat.is_empty() {
            self.lanes.extend(&beat.lanes);
        }
        if self.lanes.len() == lanes || beat.last {
            let mut gathered = std::mem::take(&mut self.lanes);
            gathered.resize(lanes, None);
            self.owe(Self::ending(beat, gathered, beat.last), cycle);
        }
    }

    fn compact(&mut self, beat: &Beat, cycle: u64) {
        let full = beat.lanes.len();
        self.lanes.extend(beat.lanes.iter().filter(|lane| lane.is_some()));
        let since = cycle.max(self.free);
        self.free = since + 1;
        let makes_full = self.lanes.len() >= full;
        if makes_full {
            let rest = self.lanes.split_off(full);
            let lanes = std::mem::replace(&mut self.lanes, rest);
            self.owe(Self::ending(beat, lanes, beat.last && self.lanes.is_empty()), since);
        }
        if beat.last && !(makes_full && self.lanes.is_empty()) {
            let mut rest = std::mem::take(&mut self.lanes);
            rest.resize(full, None);
            let since = since + u64::from(makes_full);
            (self.free, self.allowed) = (since + 1, self.allowed + u64::from(makes_full));
            self.owe(Self::ending(beat, rest, true), since);
        }
    }

    fn split(&mut self, beat: &Beat, lanes: usize, cycle: u64) {
        let mut parts: Vec<Vec<Option<u64>>> = beat.lanes.chunks(lanes).map(<[_]>::to_vec).collect();
        parts.retain(|part| part.iter().any(Option::is_some));
        if parts.is_empty() && beat.last {
            parts.push(vec![None; lanes]);
        }
        let count = parts.len();
        self.allowed += (count as u64).saturating_sub(1);
        for (index, part) in parts.into_iter().enumerate() {
            self.owe(Self::ending(beat, part, beat.last && index + 1 == count), cycle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(text: &str) -> Beat {
        let lanes = text.trim_end_matches('|').split('+');
        let lane = |lane: &str| u64::from_str_radix(lane, 16).ok();
        Beat { lanes: lanes.map(lane).collect(), last: text.ends_with('|'), ..Beat::default() }
    }

    fn given(kind: AdapterKind, lanes: u32, beats: &str) -> String {
        let mut model = Model::new(AdapterSpec::new(kind, lanes));
        for (cycle, text) in (0..).zip(beats.split(' ')) {
            model.take(&beat(text), cycle);
            model.settle(false).unwrap();
        }
        let texts = model.owed.iter().map(|owed| format!("{}@{}", owed.beat, owed.since));
        texts.collect::<Vec<_>>().join(" ")
    }

    /// Drawn from docs/interface.md by hand.
    #[test]
    fn the_model_is_the_page() {
        let up = |beats| given(AdapterKind::Width { to_lanes: 4 }, 2, beats);
        assert_eq!(up("41+42 43+44 45+-|"), "41+42+43+44@1 45+-+-+-|@2");
        assert_eq!(up("41+- -+- -+44| -+-|"), "41+-+-+44|@2 -+-+-+-|@3");
        let down = |beats| given(AdapterKind::Width { to_lanes: 2 }, 4, beats);
        assert_eq!(down("41+42+43+44 45+-+-+-|"), "41+42@0 43+44@0 45+-|@1");
        assert_eq!(down("-+-+-+44 -+-+-+- -+-+-+-|"), "-+44@0 -+-|@2");
        let compact = |beats| given(AdapterKind::Compactor, 4, beats);
        assert_eq!(compact("-+41+-+42 43+-+-+44|"), "41+42+43+44|@1");
        assert_eq!(compact("41+42+43+- 44+-+45+-| 46+47+48+49|"), "41+42+43+44@1 45+-+-+-|@2 46+47+48+49|@3");
        assert_eq!(compact("-+-+-+- -+-+-+-| 41+42+43+44 -+-+-+-|"), "-+-+-+-|@1 41+42+43+44@2 -+-+-+-|@3");
        let whole = AdapterKind::Fifo(Fifo { whole: Some(Whole::Waits), ..Fifo::default() });
        assert_eq!(given(whole, 1, "41 42| 43"), "41@1 42|@1");
    }
}
