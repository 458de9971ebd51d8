"""Tables for tests: positions described in a few words, decks that deal given hands, lines applied one after another."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from games.engine import registry
from games.engine.cards import NUMBER
from games.engine.errors import EngineError
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from games.engine.tractor.rules import TractorRules

from . import reference

RULES: Any = registry.rules("tractor/1")


def cards(text: str) -> list[str]:
    """Return the cards of a text: `AS KS`, or `2xAS KS` for two equal ones."""
    found = []
    for word in text.split():
        many, _, card = word.rpartition("x")
        found += [card] * int(many or 1)
    return found


def new(rules: TractorRules = RULES, **options: Any) -> Position:
    """Return a new game."""
    return GAME.new(rules, **options)


def after(p: Position, *lines: str) -> Position:
    """Return the position after some lines, all of which must be legal."""
    for line in lines:
        p = GAME.apply(p, GAME.parse_play(p, line))
    return p


def refused(p: Position, line: str, seat: int | None = None) -> str:
    """Return the code with which a line is refused, and check that nothing has changed."""
    before = GAME.to_json(p)
    with pytest.raises(EngineError) as caught:
        GAME.apply(p, GAME.parse_play(p, line), seat)
    assert GAME.to_json(p) == before
    assert caught.value.sentence
    return caught.value.code


def rest(*taken: Sequence[str]) -> list[str]:
    """Return what is left of the 108 cards, cheap cards first."""
    left = Counter(reference.DECK) - Counter(card for cards in taken for card in cards)
    plain = [card for card in left.elements()]
    assert len(plain) + sum(map(len, taken)) == 108, "a card is there three times"
    return sorted(plain, key=lambda card: (reference.points([card]), NUMBER[card]))


def deck(*hands: str, talon: str = "", drawer: int = 0) -> str:
    """Return a deck line that deals hands beginning with these cards to seats 0, 1, .., and this talon; the other hands
    get the rest.
    """
    given = [cards(hand) for hand in hands] + [[] for _ in range(4 - len(hands))]
    last = cards(talon)
    left = rest(*given, last)
    full = [hand + [left.pop() for _ in range(25 - len(hand))] for hand in given]
    last += [left.pop() for _ in range(8 - len(last))]
    order = [full[(drawer + i) % 4][turn] for turn in range(25) for i in range(4)]
    return " ".join(["deck", *order, *last])


DRAWN = ["draw 4"] * 25
PASSED = [f"pass {seat}" for seat in range(4)]


def at(
    trump: str,
    *hands: str,
    leader: int = 0,
    trick: Sequence[str] = (),
    buried: str = "",
    declarers: int = 0,
    starter: int | None = None,
    ranks: tuple[str, str] | None = None,
    captured: int | None = None,
    rules: TractorRules = RULES,
    **others: Any,
) -> Position:
    """Return a position of phase `play` in round two.

    `trump`: `2H`, or `7` for no trump; its rank is the declarers' rank. `hands`: of seats 0 to 3, all of one size
    together with the current trick. `trick`: plays so far, from the leader on. `buried`: some of the eight, filled up
    with cards without points. `captured`: the opponents' points, out of those gone (all by default).
    """
    rank, suit = (trump[:-1], trump[-1]) if trump[-1] in "CDHS" else (trump, None)
    starter = declarers if starter is None else starter
    held, laid, under = [cards(hand) for hand in hands], [cards(play) for play in trick], cards(buried)
    gone = rest(*held, *laid, under)
    under, gone = under + gone[: 8 - len(under)], gone[8 - len(under) :]
    data: dict[str, Any] = {
        "rules": rules.id, "seats": 4, "teams": 2, "phase": "play", "round": 2, "drawer": starter, "starter": starter,
        "declarers": declarers, "leader": leader, "turn": (leader + len(laid)) % 4, "hands": held, "stock": [], "talon": [],
        "buried": under, "trick": laid, "gone": gone, "paid": [0, 0],
        "trump": {"rank": rank} | ({"suit": suit} if suit else {}),
    }  # fmt: skip
    ranks = ranks or ((rank, "2") if declarers == 0 else ("2", rank))
    data["ranks"] = list(ranks)
    total = reference.points(gone)
    mine = total if captured is None else captured
    data["captured"] = [total - mine, mine] if declarers == 0 else [mine, total - mine]
    # The show that named trumps: a card of the rank that is gone or buried, else one turned in the talon.
    data["show"] = {"seat": starter, "cards": [rank + suit] if suit else ["RJ", "RJ"]}
    if gone:
        plays = [[card] for card in gone[-4:]]
        won = reference.trick((rank, suit), plays)
        data["last"] = {
            "leader": (leader - won) % 4, "plays": plays, "winner": leader,
            "points": reference.points([card for play in plays for card in play]),
        }  # fmt: skip
    data["previous"] = previous(declarers, starter, ranks)
    return GAME.from_json(data | others)


def previous(declarers: int, starter: int, ranks: tuple[str, str]) -> dict[str, Any]:
    """Return an earlier round that made `starter` start: the other team declared and only lost the deal, at 80 points."""
    old = (starter - 1) % 4
    return {
        "round": 1, "declarers": 1 - declarers, "starter": old, "trump": {"rank": ranks[1 - declarers], "suit": "S"},
        "buried": cards("3C 3D 4C 4D 6C 6D 7C 7D"), "captured": [80, 120] if declarers == 0 else [120, 80], "talon": 0,
        "paid": [0, 0], "total": 80, "gains": [0, 0], "ranks": list(ranks),
    }  # fmt: skip


def json_of(p: Position, **changes: Any) -> dict[str, Any]:
    """Return a position's JSON with some keys changed; None removes a key."""
    data = GAME.to_json(p) | changes
    return {key: value for key, value in data.items() if value is not None}
