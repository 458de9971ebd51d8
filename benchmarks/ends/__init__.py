"""Many games that end at once, and what becomes of their results: for benchmarks/settling.py."""
