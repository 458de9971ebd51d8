"""Queries of the journal: pages, exports, verification."""
