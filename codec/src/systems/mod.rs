//! The systems, one file each: the grammar that decodes, and the function that encodes, written after the document that
//! defines the system.

pub(crate) mod auto;
pub(crate) mod bocu_1;
pub(crate) mod cesu_8;
pub(crate) mod corrected_utf_8;
pub(crate) mod hunk;
pub(crate) mod i8_forms;
pub(crate) mod multi_octet;
pub(crate) mod octets;
pub(crate) mod one_octet;
pub(crate) mod opening;
pub(crate) mod prefix;
pub(crate) mod scsu;
pub(crate) mod table;
pub(crate) mod ucs_2;
pub(crate) mod utf_1;
pub(crate) mod utf_16;
pub(crate) mod utf_18;
pub(crate) mod utf_32;
pub(crate) mod utf_7;
pub(crate) mod utf_8;
pub(crate) mod utf_8_65bit;
pub(crate) mod utf_8_8byte;
pub(crate) mod utf_8_rfc2279;
pub(crate) mod utf_9;
pub(crate) mod utf_ebcdic;
pub(crate) mod utf_ebcdic_i8;
pub(crate) mod utf_inf_8;
pub(crate) mod wtf_8;
