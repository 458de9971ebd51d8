"""What becomes of an entry's matches when it withdraws or is disqualified in the middle of a competition.

| where | policy | matches without result | matches that were played |
| --- | --- | --- | --- |
| everybody meets everybody | expunge_before_half, under half of them played | void | void |
| the same | the same, half or more played; forfeit_rest | the opponent wins | stand |
| rounds paired as it goes | keep_all: not paired again | the opponent wins | stand |
| a bracket | the opponent walks over, now or when he comes | the opponent wins | stand |

Where the opponent has left too, nobody wins. Page: docs/tournaments.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from . import registry

POLICIES = ("expunge_before_half", "forfeit_rest")
HOWS = ("withdrawal", "disqualification")


@dataclass(frozen=True)
class LeaversMatch:
    """A match of the entry. `state`: open, decided or void; `played`: it was decided by play; `position`: the entry's own.

    `opponent`: `in`, `out` (left the competition) or `unknown` (a bracket's seat that is still empty).
    """

    match: int
    format: str
    group: int
    position: int
    state: str
    played: bool = False
    opponent: str = "in"


@dataclass(frozen=True)
class Award:
    """A result to be written: `fact` of core.scoring, `winner` a position or None for nobody."""

    match: int
    fact: str
    winner: int | None


def awards(meetings: Sequence[LeaversMatch], how: str, *, policy: str = "expunge_before_half") -> tuple[Award, ...]:
    """Return what is written when an entry leaves: `how` is withdrawal or disqualification; in the order of `meetings`.

    Raises ValueError for an unknown `how` or `policy`.
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
    """Return whether the entry's results in a group fall: it played less than half of its matches there."""
    own = [meeting for meeting in meetings if meeting.group == group]
    if policy != "expunge_before_half" or not registry.format_of(own[0].format).all_meet:
        return False
    return 2 * sum(meeting.played for meeting in own) < len(own)
