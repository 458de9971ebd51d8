"""What a game's certificate says in the terms of results."""

from games.selectors.games import Certificate

from ...core.effective import Line


def is_tied(certified: Certificate) -> bool:
    """Return whether the game was played to a tie, as only one of a fixed number of rounds can be."""
    return certified.reason == "played" and len(set(certified.ranks)) == 1


def fact_of(certified: Certificate) -> str:
    """Return the scoring fact of the game's end; see the table of core.scoring."""
    if certified.reason == "no_show":
        return "double_forfeit" if len(set(certified.ranks)) == 1 else "no_show"
    return "forfeit" if certified.reason.startswith("forfeit") else "played"


def lines_of(certified: Certificate) -> list[Line]:
    """Return one line per position (the team's index at the table); margin: marbles for minus against, or levels."""
    best, alone = min(certified.ranks), certified.ranks.count(min(certified.ranks)) == 1
    nobody = fact_of(certified) == "double_forfeit"
    total = sum(certified.score)
    return [
        Line(
            position,
            "loss" if nobody or rank > best else "win" if alone else "tie",
            rank,
            0 if certified.reason == "no_show" else 2 * certified.score[position] - total,
        )
        for position, rank in enumerate(certified.ranks)
    ]
