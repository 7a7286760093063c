//! Streaming hardware that decodes and encodes text, and the proof that it does.
