"""The faults that a verifier reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that does not hold."""

    code: str  # for programs
    text: str  # in English, for the log and the referee
