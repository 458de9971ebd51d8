"""The faults that a verifier reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that does not hold: `code` for programs, `text` in English for the log and the referee."""

    code: str
    text: str
