//! Every example and every table row of the seeds, in the notation of the seed, both ways, through the reference and through
//! the cores. Each test is named for its
//! section; a module is a seed or another document.

// The text forms of units and code points that the tests of the codec use.
#[path = "../../../codec/tests/common/mod.rs"]
mod codec_texts;

mod checked;
mod pairs_of_three;
mod rfc_2781;
mod seed_000_utf_inf_8;
mod seed_001_barber;
mod seed_002_recode;
mod seed_003_rfc_4042;
mod seed_004_corrected_utf_8;
mod unicode_chapter_3;
mod utr_16;
