//! What the viewers are told.
