"""The rules as arithmetic: no Django, no I/O, no clock, no randomness (docs/architecture.md)."""
