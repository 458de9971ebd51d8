"""Links of the journal: canonical text and hashes, without Django."""
