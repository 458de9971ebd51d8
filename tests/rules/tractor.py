"""Helpers for the tests of Tractor's rules page."""

from collections.abc import Sequence
from typing import Any

from games.engine import registry
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from tests.engine.tractor.asking import ask, trump
from tests.engine.tractor.tables import DRAWN, after, cards, deck, json_of
from tests.engine.tractor.tables import new as new_game

# Rank 7 with hearts as trumps: the example of the page.
SEVENS = "7H"


def new(rules: str, **options: Any) -> Position:
    """Return a new game under the rule set named."""
    found: Any = registry.rules(rules)
    return new_game(found, **options)


def drawn(rules: str, *hands: str, talon: str = "", drawer: int = 0) -> Position:
    """Return round one with every card drawn: seats 0, 1, .. have these among their 25."""
    return after(new(rules, dealer=drawer), deck(*hands, talon=talon, drawer=drawer), *DRAWN)


def later(rules: str, *hands: str, starter: int = 1, rank: str = "9", talon: str = "") -> Position:
    """Return round two with every card drawn: `starter` starts, with the team at `rank`."""
    ranks = ["2", "2"]
    ranks[starter % 2] = rank
    before = {
        "round": 1, "declarers": 1 - starter % 2, "starter": (starter - 1) % 4, "trump": {"rank": "2", "suit": "S"},
        "buried": cards("3C 3D 4C 4D 6C 6D 7C 7D"), "captured": [100, 100], "talon": 0, "paid": [0, 0], "total": 100,
        "gains": [0, 0], "ranks": ranks,
    }  # fmt: skip
    data = json_of(
        new(rules), round=2, ranks=ranks, drawer=starter, turn=starter, starter=starter, declarers=starter % 2,
        previous=before,
    )  # fmt: skip
    return after(GAME.from_json(data), deck(*hands, talon=talon, drawer=starter), *DRAWN)


def buried(p: Position) -> Position:
    """Return the position after the starter has buried the first eight cards of the hand."""
    return after(p, "bury " + " ".join(p.hand(p.turn)[:8]))


def order(trumps: str, a: str, b: str) -> str:
    """Return `>`, `<`, `=` or `incomparable` for two cards under trumps."""
    return str(ask("order", trump=trump(trumps), a=a, b=b)["order"])


def falls(trumps: str, ranked: Sequence[str]) -> bool:
    """Return whether each card beats every later one."""
    return all(order(trumps, a, b) == ">" for i, a in enumerate(ranked) for b in ranked[i + 1 :])


def parts(trumps: str, lead: str) -> list[str] | None:
    """Return the components of a lead, the longest first, each with its cards sorted; None if it mixes suits."""
    found = ask("components", trump=trump(trumps), cards=cards(lead))["components"]
    return None if found is None else [" ".join(sorted(part)) for part in found]


def is_tractor(trumps: str, lead: str) -> bool:
    """Return whether the cards are one tractor."""
    return bool(ask("components", trump=trump(trumps), cards=cards(lead))["is_tractor"])


def follows(trumps: str, lead: str, hand: str, play: str) -> str:
    """Return `OK`, or the rule that the play breaks."""
    return str(ask("follow", trump=trump(trumps), lead=cards(lead), hand=cards(hand), play=cards(play))["reason"])


def winner(trumps: str, *plays: str) -> int:
    """Return which of four plays, from the leader's on, wins the trick."""
    return int(ask("trick", trump=trump(trumps), plays=[cards(play) for play in plays])["winner"])


def throw(trumps: str, lead: str, *others: str) -> dict[str, Any]:
    """Return what becomes of a lead against the three other hands."""
    return ask("throw", trump=trump(trumps), lead=cards(lead), others=[cards(hand) for hand in others])


def score(points: int, **others: Any) -> dict[str, Any]:
    """Return the result of a round in which the opponents have collected this many points."""
    request = {
        "attacker_points": points, "last_trick_winner": "declarers", "last_trick_size": 1, "talon_points": 0,
        "ranks": {"declarers": "2", "attackers": "2"}, "starter": 0,
    } | others  # fmt: skip
    return ask("score", **request)


def played(p: Position) -> Position:
    """Return the position after everybody has played the whole hand, each seat at its turn."""
    for _ in range(4):
        p = after(p, f"play {' '.join(p.hand(p.turn))}")
    return p
