//! Runs the parts of a campaign on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::inputs::Inputs;
use super::part::{Part, Parts};
use super::setup::Campaign;
use super::worker::Worker;

/// The most inputs of a part of an exhaustive campaign.
const EXHAUSTIVE_PART: u64 = 1 << 22;
/// The most inputs of a part of a random campaign.
const RANDOM_PART: u64 = 1 << 17;

impl Campaign {
    /// Runs the inputs of `ranges` on `threads` threads, or as many as the system gives. A range begins with a multiple of
    /// 512. Finished parts go to `taker`, in no order: each is a whole number of [chunks](Inputs::chunk) that took about a
    /// quarter of a second. The result of a chunk does not depend on how inputs are cut into parts.
    ///
    /// After a failure no further range is begun; ranges under way are finished, so the failure of the lowest input is found.
    /// After `stop` chunks under way are dropped.
    ///
    /// # Errors
    /// The first error of `taker`, which ends the run.
    ///
    /// # Panics
    /// If the system gives no thread at all.
    pub fn run<E>(
        &self,
        ranges: &[Range<u64>],
        threads: usize,
        stop: &AtomicBool,
        mut taker: impl FnMut(Part) -> Result<(), E>,
    ) -> Result<(), E> {
        let size = match self.inputs {
            Inputs::Exhaustive { .. } => EXHAUSTIVE_PART,
            Inputs::Random { .. } => RANDOM_PART,
        };
        let parts = Mutex::new(Parts::new(ranges, size));
        let has_failed = AtomicBool::new(false);
        let next = || {
            let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
            parts.next().filter(|_| !has_failed.load(Ordering::Relaxed))
        };
        // More threads than parts have nothing to do.
        let threads = Parts::new(ranges, size).take(threads).count();
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(threads);
            for index in 0..threads {
                let (sender, next, has_failed) = (sender.clone(), &next, &has_failed);
                let work = move || {
                    let mut worker = Worker::new(self);
                    while let Some(mut left) = next() {
                        while !left.is_empty() {
                            let Some(part) = worker.run(left.clone(), stop) else { return };
                            left.start = part.first + part.inputs;
                            if part.failure.is_some() {
                                has_failed.store(true, Ordering::Relaxed);
                                left.start = left.end;
                            }
                            // The receiver is gone if it could not go on.
                            if sender.send(part).is_err() {
                                return;
                            }
                        }
                    }
                };
                let spawned = thread::Builder::new().spawn_scoped(scope, work);
                if let Err(error) = spawned {
                    assert!(index > 0, "the system gives no thread: {error}");
                    break;
                }
            }
            drop(sender);
            receiver.into_iter().try_for_each(&mut taker)
        })
    }
}
