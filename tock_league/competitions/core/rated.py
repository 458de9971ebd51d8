"""Whether a game of a match is rated: derived from the same versions and effects as the result.

| the game | in the rating log |
| --- | --- |
| stands as it was recorded | as recorded |
| a ruling changed its winner | rated with the corrected winner |
| was ended by a time cap before a side had finished | unrated |
| was forfeited by a penalty, or a ruling took it out of the ratings | unrated |
| is void, or its match is, or it is played again | void |

A forfeit or a decision on the whole match does not change its completed games. A game that the table recorded as
unrated stays unrated. The games of a paper that counts are treated like those of a table (`of_papers`). See
docs/tournaments.md, "Results on paper and the ratings".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .effective import Ledger, PlainEffect, Slot, Version, ledger_of


@dataclass(frozen=True)
class Verdict:
    """The content of the rating log for a game."""

    kind: str  # result or void
    winner: int | None = None  # a position; None for the recorded winner
    rated: bool = True
    reason: str = ""  # a code; "" for the recorded one


AS_RECORDED = Verdict("result")
TIMED = "by_time"  # the reason of a game that a time cap ended
PAPER = "paper"  # the reason of a rated game that came on paper


def verdicts(
    versions: Sequence[Version], effects: Iterable[PlainEffect], *, sides: int = 2, best_of: int = 1
) -> dict[int, Verdict]:
    """Return, by version number, the verdict on the game of each version that records one game."""
    known = tuple(effects)
    games = ledger_of(versions, known, sides=sides, best_of=best_of).games
    out = _left_out(known)
    standing = {slot.version: (number, slot) for number, slot in games.items() if slot.version}
    found: dict[int, Verdict] = {}
    for version in versions:
        if version.game is None or version.fact == "void":
            continue
        if version.number not in standing:
            found[version.number] = Verdict("void", rated=False, reason="voided")
            continue
        number, slot = standing[version.number]
        found[version.number] = _verdict(slot, number in out)
    return found


@dataclass(frozen=True)
class PaperGame:
    """A played game on a paper result that counts."""

    version: int  # the number of the paper's version; 0 where a correction brought it
    number: int  # of the game on the paper, from 1
    order: int | None  # the `seq` of the effect that ordered its replay, None for none; distinguishes equal numbers
    winner: int  # position on the paper
    last: int  # number of games on the paper
    verdict: Verdict
    effect: int = 0  # the `seq` of the correction that brought the paper


def of_papers(
    versions: Sequence[Version], effects: Iterable[PlainEffect], *, sides: int = 2, best_of: int = 1
) -> list[PaperGame]:
    """Return the games on papers that stand, by number.

    Their verdicts always have a winner, because a later paper may have another one.
    """
    known = tuple(effects)
    papers = {(version.number, 0): version.sheet for version in versions if version.sheet and version.game is None}
    papers |= {(0, effect.seq): effect.sheet for effect in known if effect.kind == "paper"}
    if not papers:
        return []
    ledger: Ledger = ledger_of(versions, known, sides=sides, best_of=best_of)
    out = _left_out(known)
    found = []
    for number, slot in sorted(ledger.games.items()):
        sheet = papers.get((slot.version, slot.effect), ())
        lines = sheet[number - 1] if sheet else ()
        winner = next((line.position for line in lines if line.outcome == "win"), None)
        if winner is None:
            continue
        verdict = _verdict(slot, number in out)
        if verdict.winner is None:
            verdict = replace(verdict, winner=winner, reason=verdict.reason or PAPER)
        order = _order(known, slot, number)
        found.append(PaperGame(slot.version, number, order, winner, len(sheet), verdict, slot.effect))
    return found


def _verdict(slot: Slot, left_out: bool) -> Verdict:
    if slot.ruled == "forfeit_game":
        return Verdict("result", rated=False, reason="penalty_forfeit")
    if left_out:
        return Verdict("result", rated=False, reason="ruling")
    if slot.fact == "adjudicated" and not slot.ruled:
        return Verdict("result", rated=False, reason=TIMED)
    return Verdict("result", slot.winner) if slot.ruled == "result" else AS_RECORDED


def _left_out(effects: Iterable[PlainEffect]) -> set[int]:
    """Return the games that the last ruling on them took out of the ratings."""
    out = {}
    for effect in sorted(effects, key=lambda effect: effect.seq):
        if effect.kind == "rating" and effect.game is not None:
            out[effect.game] = effect.amount == 0
    return {game for game, left in out.items() if left}


def _order(effects: Iterable[PlainEffect], slot: Slot, number: int) -> int | None:
    """Return the `seq` of the newest effect before the paper that ordered the replay of this game, else None."""
    orders = [
        effect.seq
        for effect in effects
        if effect.kind == "replay"
        and (effect.seq < slot.effect if slot.effect else effect.after < slot.version)
        and effect.game in (None, number)
    ]
    return max(orders, default=None)
