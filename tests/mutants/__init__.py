"""Mutation testing of the pure rooms: do the tests notice a change of the arithmetic? See `python -m tests.mutants --help`."""
