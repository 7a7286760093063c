//! One code point of many millions of digits goes through encoder and decoder in constant memory.
//!
//! A gigabyte of it, which takes about a minute:
//! `cargo test --release -p utfhdl-codec --test long -- --ignored`

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use utfhdl_codec::{Codec, ErrorKind, Event, OnError, Slot, Status, System};

/// Counts the bytes that are in use, and how many there have been at most.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all of it is left to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`, and all memory comes from the same allocator.
        unsafe { Heap.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The heap is counted for the whole program, so the tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// The most bytes that may be allocated while a code point of any size is coded.
const FLAT: usize = 100_000;

fn utf_inf_8() -> System {
    System::UtfInf8 { digits: 1 << 32 }
}

/// A limb whose value depends on its index.
fn limb(index: u32) -> u32 {
    index.wrapping_mul(0x9E37_79B9) | 1
}

/// Encodes a code point of `limbs` limbs, and passes the units on in pieces.
fn encode(limbs: u32, mut take: impl FnMut(&[u32])) {
    let mut encoder = utf_inf_8().encoder(OnError::Strict);
    let mut room = [0; 1024];
    for index in 0..=limbs {
        let slot = if index == 0 { Slot::Head(limbs) } else { Slot::Limb(limb(index)) };
        let progress = encoder.encode(&[slot], &mut room, index == limbs);
        assert_eq!((progress.read, progress.status), (1, Status::Finished));
        take(&room[..progress.written]);
    }
}

/// Sends a code point of about `trailing` trailing bytes through encoder and decoder, then replaces its last byte.
fn there_and_back(trailing: u64) {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let limbs = u32::try_from(trailing * 6 / 32).expect("as many as a head can count");
    let mut decoder = utf_inf_8().decoder();
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);

    let (mut units, mut next) = (0_u64, 0);
    let mut last = None;
    let mut see = |event: Event| {
        let expected = if next == 0 { Slot::Head(limbs) } else { Slot::Limb(limb(next)) };
        assert_eq!((event.offset, event.what), (0, expected));
        next += 1;
        last = Some(event.length);
    };
    encode(limbs, |mut piece| {
        units += piece.len() as u64;
        while let Some(event) = decoder.next(&mut piece, false) {
            see(event);
        }
    });
    assert_eq!((next, last), (limbs + 1, Some(units)));
    assert_eq!(decoder.next(&mut &[0_u16; 0][..], true), None);

    // The second run has an A in place of the last byte.
    let (mut seen, mut error) = (0_u64, None);
    encode(limbs, |piece| {
        seen += piece.len() as u64;
        let mut piece = if seen == units { &piece[..piece.len() - 1] } else { piece };
        while let Some(event) = decoder.next(&mut piece, false) {
            assert!(matches!(event.what, Slot::Head(_) | Slot::Limb(_)));
        }
        if seen == units {
            error = decoder.next(&mut &[0x41_u16][..], false);
        }
    });
    let truncated = Event { offset: 0, length: units - 1, what: Slot::Error(ErrorKind::Truncated) };
    assert_eq!(error, Some(truncated));

    let peak = PEAK.load(Ordering::Relaxed) - before;
    assert!(peak < FLAT, "{peak} bytes for {units} units");
}

#[test]
fn sixteen_megabytes_of_trailing_bytes() {
    there_and_back(16 << 20);
}

#[test]
#[ignore = "takes some seconds; run it with --ignored"]
fn a_gigabyte_of_trailing_bytes() {
    // A build for debugging takes four times as long, so that it gets a sixteenth.
    there_and_back(if cfg!(debug_assertions) { 1 << 26 } else { 1 << 30 });
}
