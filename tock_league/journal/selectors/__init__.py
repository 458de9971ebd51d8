"""What is read of the journal: pages, exports, verification."""
