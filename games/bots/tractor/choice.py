"""The choice of a bot, by phase and level."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots.tractor import club, novice
from games.bots.tractor.sight import Cards, Roll, order_of, rules_of, sight
from games.engine.tractor import notation, plays
from games.engine.tractor.plays import of, size
from games.engine.tractor.rules import RANKS

LEVELS = ("novice", "club")
# The number of trumps that a pair of jokers must be worth: without a suit there are only four.
NO_TRUMP = 5.0


def choose(view: Mapping[str, Any], legal: Sequence[str], *, level: str, roll: Roll) -> str:
    """Return a line for the seat whose view this is: one of `legal`, or another legal one (not everything that may be
    buried, thrown or followed with is a candidate).

    `view`: that seat's JSON view; `legal`: its candidates; `level`: one of LEVELS; `roll(n)`: returns a random number
    0..n-1. In phase `draw`, where nobody must act, the result may be empty: nothing to show yet. Raises ValueError for
    an unknown level or when there is no play.
    """
    if level not in LEVELS:
        raise ValueError(f"no level {level!r}; there are {', '.join(LEVELS)}")
    if not legal:
        raise ValueError("no play to choose from")
    phase = view["phase"]
    if phase in ("draw", "show"):
        return _speak(view, legal, level, roll)
    at = sight(view)
    if phase == "bury":
        cards = club.bury(at) if level == "club" else novice.bury(at)
        return plays.bury(*plays.masks(cards)).text
    if len(legal) == 1:
        return legal[0]
    offered = [notation.read(line) for line in legal]
    laid = club.choose(at, offered, roll) if level == "club" else novice.choose(at, offered, roll)
    return plays.play(*laid).text


def _speak(view: Mapping[str, Any], legal: Sequence[str], level: str, roll: Roll) -> str:
    shows = [line for line in legal if line.startswith("show ")]
    waits = "" if view["phase"] == "draw" else next((line for line in legal if line.startswith("pass ")), legal[0])
    if not shows:
        return waits
    if level == "novice":
        return novice.show(shows, roll)
    hand = of(*view["hand"])
    weighed = [(line, cards, _trumps(view, hand, cards)) for line in shows for cards in [_shown(line)]]
    return club.show(weighed, size(*hand)) or waits


def _shown(line: str) -> Cards:
    return of(*line.partition(": ")[2].split(" "))


def _trumps(view: Mapping[str, Any], hand: Cards, shown: Cards) -> float:
    """Return how many trumps the hand would have after a show; high ones count more."""
    rules = rules_of(view)
    rank = view["ranks"][view.get("declarers", 0)]
    text = plays.texts(*shown)[0]
    trump = {"rank": rank} if text in ("RJ", "BJ") else {"rank": rank, "suit": text[-1]}
    if rank not in RANKS:
        return 0.0
    held = order_of(rules, trump)
    trumps = plays.numbers(hand[0] & held.trumps, hand[1] & held.trumps)
    high = sum(0.5 for k in trumps if held.levels[k] >= 12)
    return len(trumps) + high + (NO_TRUMP if "suit" not in trump else 0.0)
