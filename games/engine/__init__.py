"""The rules of the games as pure functions: no Django, no I/O, no clock, no randomness (docs/architecture.md)."""
