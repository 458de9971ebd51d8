"""Whether a game of a match moves ratings, from the same versions and effects that make the result.

| what stands | in the rating log |
| --- | --- |
| the game as it was recorded | as recorded |
| a ruling gave it to another side | rated with the corrected winner |
| a penalty forfeited it, or a ruling took it out of the ratings | unrated |
| the game or the match is void, or the game is played again | void |

A forfeit or a decision on the whole match leaves its completed games as they were. Nothing here makes an unplayed game
rated: what the table recorded as unrated stays so. The games of a paper that counts are treated like those of a table
(`of_papers`). See docs/tournaments.md, "Results on paper and the ratings".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .effective import Ledger, PlainEffect, Slot, Version, ledger_of


@dataclass(frozen=True)
class Verdict:
    """What the rating log should say of a game: `kind` result or void; `winner` a position, None: as recorded."""

    kind: str
    winner: int | None = None
    rated: bool = True
    reason: str = ""


AS_RECORDED = Verdict("result")
PAPER = "paper"  # the reason of a rated game that came on paper


def verdicts(
    versions: Sequence[Version], effects: Iterable[PlainEffect], *, sides: int = 2, best_of: int = 1
) -> dict[int, Verdict]:
    """Return, for each version that records one game, what the rating log should say of that game; keys: version numbers."""
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
    """A played game of a paper that counts and stands: game `number`, on the paper of `version`.

    `order`: the number of the effect that had it played again, None for the first time. It is what tells two games of the
    same number apart. `winner`: the position on the paper; `last`: how many games the paper has.
    """

    version: int
    number: int
    order: int | None
    winner: int
    last: int
    verdict: Verdict


def of_papers(
    versions: Sequence[Version], effects: Iterable[PlainEffect], *, sides: int = 2, best_of: int = 1
) -> list[PaperGame]:
    """Return the games on paper that stand, by number. A verdict names the winner always: a later paper may differ."""
    papers = {version.number: version for version in versions if version.sheet and version.game is None}
    if not papers:
        return []
    known = tuple(effects)
    ledger: Ledger = ledger_of(versions, known, sides=sides, best_of=best_of)
    out = _left_out(known)
    found = []
    for number, slot in sorted(ledger.games.items()):
        paper = papers.get(slot.version)
        lines = paper.sheet[number - 1] if paper is not None else ()
        winner = next((line.position for line in lines if line.outcome == "win"), None)
        if paper is None or winner is None:
            continue
        verdict = _verdict(slot, number in out)
        if verdict.winner is None:
            verdict = replace(verdict, winner=winner, reason=verdict.reason or PAPER)
        found.append(PaperGame(paper.number, number, _order(known, paper, number), winner, len(paper.sheet), verdict))
    return found


def _verdict(slot: Slot, left_out: bool) -> Verdict:
    if slot.ruled == "forfeit_game":
        return Verdict("result", rated=False, reason="penalty_forfeit")
    if left_out:
        return Verdict("result", rated=False, reason="ruling")
    return Verdict("result", slot.winner) if slot.ruled == "result" else AS_RECORDED


def _left_out(effects: Iterable[PlainEffect]) -> set[int]:
    """Return the games that the last ruling on them took out of the ratings."""
    out = {}
    for effect in sorted(effects, key=lambda effect: effect.seq):
        if effect.kind == "rating" and effect.game is not None:
            out[effect.game] = effect.amount == 0
    return {game for game, left in out.items() if left}


def _order(effects: Iterable[PlainEffect], paper: Version, number: int) -> int | None:
    """The newest order in force, older than the paper, that had this game played again."""
    orders = [
        effect.seq
        for effect in effects
        if effect.kind == "replay" and effect.after < paper.number and effect.game in (None, number)
    ]
    return max(orders, default=None)
