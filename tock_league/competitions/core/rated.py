"""Whether a game of a match moves ratings, from the same versions and effects that make the result.

| what stands | in the rating log |
| --- | --- |
| the game as it was recorded | as recorded |
| a ruling gave it to another side | rated with the corrected winner |
| a penalty forfeited it, or a ruling took it out of the ratings | unrated |
| the game or the match is void, or the game is played again | void |

A forfeit or a decision on the whole match leaves its completed games as they were. Nothing here makes an unplayed game
rated: what the table recorded as unrated stays so. Source: competitions design, section 6; ratings design, section 4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .effective import Effect, Version, ledger_of


@dataclass(frozen=True)
class Verdict:
    """What the rating log should say of a game: `kind` result or void; `winner` a position, None: as recorded."""

    kind: str
    winner: int | None = None
    rated: bool = True
    reason: str = ""


AS_RECORDED = Verdict("result")


def verdicts(
    versions: Sequence[Version], effects: Iterable[Effect], *, sides: int = 2, best_of: int = 1
) -> dict[int, Verdict]:
    """Answer, for each version that records one game, what the rating log should say of that game; keys: version numbers."""
    known = tuple(effects)
    games = ledger_of(versions, known, sides=sides, best_of=best_of).games
    out = {}
    for effect in sorted(known, key=lambda effect: effect.seq):
        if effect.kind == "rating" and effect.game is not None:
            out[effect.game] = effect.amount == 0
    standing = {slot.version: (number, slot) for number, slot in games.items() if slot.version}
    found: dict[int, Verdict] = {}
    for version in versions:
        if version.game is None or version.fact == "void":
            continue
        if version.number not in standing:
            found[version.number] = Verdict("void", rated=False, reason="voided")
            continue
        number, slot = standing[version.number]
        if slot.ruled == "forfeit_game":
            found[version.number] = Verdict("result", rated=False, reason="penalty_forfeit")
        elif out.get(number):
            found[version.number] = Verdict("result", rated=False, reason="ruling")
        elif slot.ruled == "result":
            found[version.number] = Verdict("result", slot.winner)
        else:
            found[version.number] = AS_RECORDED
    return found
