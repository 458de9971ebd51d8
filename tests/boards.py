"""Positions for tests in a short notation: the places of marbles and the hands.

    at(marbles="0: t0* t12 h4 / 2: t40", hands="0: 9C KS / 1: 2S", turn=0)

A star marks a fresh marble. Marbles that are not named are in reserve. Seats that are not named hold one low card each,
so that the turn goes round. The stock is the rest of the cards, so that every position could occur.
"""

from typing import Any

from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.game import Outcome
from games.engine.tock.game import GAME
from games.engine.tock.position import Position

RULES = "shawinigan/1"
IDLE = ("2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S")


def _by_seat(text: str) -> dict[int, list[str]]:
    parts = (part.partition(":") for part in text.split("/") if part.strip())
    return {int(seat): words.split() for seat, _, words in parts}


def deck_of(rules: str = RULES, seats: int = 4) -> list[str]:
    """Return the cards of a rule set's deck, unshuffled."""
    return [TEXTS[card] for card in registry.rules(rules).deck(seats)]  # type: ignore[attr-defined]


def json_at(
    *,
    marbles: str = "",
    hands: str = "",
    turn: int = 0,
    rules: str = RULES,
    seats: int = 4,
    teams: int = 2,
    **others: Any,
) -> dict[str, Any]:
    """Return the position as JSON; `others` are further keys of a position (phase, deal, dealer, penalties ...)."""
    places, fresh = [], []
    named = _by_seat(marbles)
    for seat in range(seats):
        words = named.get(seat, [])
        if any(word.endswith("*") for word in words):
            fresh.append(seat)
        places.append(sorted([*(word.rstrip("*") for word in words), *["r"] * (4 - len(words))]))
    held = _by_seat(hands)
    used = [card for cards in held.values() for card in cards]
    idle = (card for card in IDLE if card not in used)
    all_hands = [held[seat] if seat in held else [next(idle)] for seat in range(seats)]
    left = deck_of(rules, seats)
    for cards in all_hands:
        for card in cards:
            left.remove(card)
    return {
        "rules": rules, "seats": seats, "teams": teams, "dealer": seats - 1, "deal": 2, "turn": turn, "phase": "play",
        "hands": all_hands, "stock": left[::-1], "marbles": places, "fresh": fresh, **others,
    }  # fmt: skip


def at(**described: Any) -> Position:
    """Return the position that the arguments of `json_at` describe."""
    return GAME.from_json(json_at(**described))


def lines(p: Position) -> list[str]:
    """Return the plays of the seat to act as text."""
    return [play.text for play in GAME.legal_plays(p)]


def after(p: Position, *plays: str) -> Position:
    """Return the position after these lines."""
    for line in plays:
        p = GAME.apply(p, GAME.parse_play(p, line))
    return p


def marbles(p: Position) -> str:
    """Return the places of all marbles on the track and in heavens, in the notation of `at`."""
    seats = []
    for seat in range(p.seats):
        fresh = seat in p.fresh()
        start = p.board.names[p.board.starts[seat]]
        words = [name + ("*" if fresh and name == start else "") for name in p.marbles(seat) if name != "r"]
        if words:
            seats.append(f"{seat}: {' '.join(words)}")
    return " / ".join(seats)


def new(dealer: int = 0, *, rules: str = RULES, seats: int = 4, teams: int = 2, full_ranking: bool = False) -> Position:
    """Return a new game, in phase `deck`."""
    found: Any = registry.rules(rules)
    return GAME.new(found, seats=seats, teams=teams, dealer=dealer, full_ranking=full_ranking)


def outcome(p: Position) -> Outcome | None:
    """Return the outcome of a position."""
    return GAME.outcome(p)
