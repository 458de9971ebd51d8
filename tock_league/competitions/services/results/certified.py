"""What a game's certificate says in the terms of results."""

from games.fold.cap_clock import REASON
from games.selectors.games import Certificate

from ...core.caps import Cap, score
from ...core.effective import Line


def is_tied(certified: Certificate) -> bool:
    """Return whether the game ended in a tie, as only one of a fixed number of rounds or under a time cap can."""
    return certified.reason in ("played", REASON) and len(set(certified.ranks)) == 1


def fact_of(certified: Certificate) -> str:
    """Return the scoring fact of the game's end; see the table of core.scoring."""
    if certified.reason == "no_show":
        return "double_forfeit" if len(set(certified.ranks)) == 1 else "no_show"
    if certified.reason == REASON:
        return "adjudicated"
    return "forfeit" if certified.reason.startswith("forfeit") else "played"


def lines_of(certified: Certificate, cap: Cap | None) -> list[Line]:
    """Return one line per position (the team's index at the table); margin: marbles for minus against, or levels.

    Under a time cap also what each team reached and scored, and the margin is between the scores.
    """
    best, alone = min(certified.ranks), certified.ranks.count(min(certified.ranks)) == 1
    nobody = fact_of(certified) == "double_forfeit"
    # What a team reached is told from the first deal on; nobody reached anything in a game that was not dealt.
    reached = certified.reached if cap is not None else ()
    scores = [
        score(cap, count, finished=certified.reason == "played" and rank == best) if cap is not None else 0
        for count, rank in zip(reached, certified.ranks, strict=False)
    ]
    numbers = scores or list(certified.score)
    total = sum(numbers)
    return [
        Line(
            position,
            "loss" if nobody or rank > best else "win" if alone else "tie",
            rank,
            0 if certified.reason == "no_show" else 2 * numbers[position] - total,
            scored=scores[position] if scores else None,
            counted=reached[position] if scores else None,
        )
        for position, rank in enumerate(certified.ranks)
    ]
