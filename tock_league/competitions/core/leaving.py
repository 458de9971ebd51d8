"""The results of an entry's matches when it withdraws or is disqualified during a competition.

| where | policy | matches without result | matches that were played |
| --- | --- | --- | --- |
| everybody meets everybody | expunge_before_half, under half of them played | void | void |
| the same | the same, half or more played; forfeit_rest | the opponent wins | stand |
| rounds paired from results | keep_all: not paired again | the opponent wins | stand |
| a bracket | the opponent advances by a walk-over, now or as soon as it is known | the opponent wins | stand |

If the opponent has left too, nobody wins. Page: docs/tournaments.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from . import registry

POLICIES = ("expunge_before_half", "forfeit_rest")
HOWS = ("withdrawal", "disqualification")


@dataclass(frozen=True)
class LeaversMatch:
    """A match of the entry that leaves."""

    match: int
    format: str  # key of the registry
    group: int
    position: int  # of the entry
    state: str  # open, decided or void
    played: bool = False  # whether it was decided by play
    opponent: str = "in"  # `in`, `out` (left the competition) or `unknown` (a seat of a bracket that is still empty)


@dataclass(frozen=True)
class Award:
    """A result to be written."""

    match: int
    fact: str  # see core.scoring
    winner: int | None  # a position, None for nobody


def awards(meetings: Sequence[LeaversMatch], how: str, *, policy: str = "expunge_before_half") -> tuple[Award, ...]:
    """Return the results to be written when an entry leaves, in the order of `meetings`.

    `how`: withdrawal or disqualification. Raises ValueError for an unknown `how` or `policy`.
    """
    if how not in HOWS or policy not in POLICIES:
        raise ValueError(f"{how!r} or {policy!r} is not known")
    expunged = {group for group in {meeting.group for meeting in meetings} if _expunged(meetings, group, policy)}
    made = []
    for meeting in meetings:
        if meeting.state == "void":
            continue
        if meeting.group in expunged:
            made.append(Award(meeting.match, "void", None))
        elif meeting.state == "open" and meeting.opponent != "unknown":
            gone = meeting.opponent == "out"
            made.append(Award(meeting.match, "double_forfeit" if gone else how, None if gone else 1 - meeting.position))
    return tuple(made)


def _expunged(meetings: Sequence[LeaversMatch], group: int, policy: str) -> bool:
    """Return whether the entry's results in a group are expunged: it played less than half of its matches there."""
    own = [meeting for meeting in meetings if meeting.group == group]
    if policy != "expunge_before_half" or not registry.format_of(own[0].format).all_meet:
        return False
    return 2 * sum(meeting.played for meeting in own) < len(own)
