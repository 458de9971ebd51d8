"""Who may know which card of a deck: the cards by their places in the deck, followed through hands, gifts and plays.

Nothing here uses the views of the engine or of the table. The sources are the rulebook (what is laid is public, a gift
is known to two, a talon to the starter) and the raw position.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.engine.cards import TEXTS
from games.fold import Step

CARDS_FROM = {"give": 1, "burn": 1, "blind": 1, "deck": 1, "play": 1, "bury": 1, "show": 2}
TALON = 8


def words(row: Any) -> list[str]:
    """Return the words of a play's line; an empty list for an act."""
    return str(row.body["play"]).split(" ") if row.kind == "play" else []


def named(row: Any) -> list[str]:
    """Return the cards that a play's line names, in its order."""
    line = words(row)
    if not line or line[0] in ("draw", "pass", "throw"):
        return []
    return line[CARDS_FROM[line[0]] :] if line[0] in CARDS_FROM else line[:1]


def hands(position: Any) -> list[list[str]]:
    """Return the hands of a raw position of either family."""
    if hasattr(position, "one"):
        return [position.hand(seat) for seat in range(position.seats)]
    return [[TEXTS[card] for card in hand] for hand in position.hands]


@dataclass
class Tracker:
    """The places of one deck: in which hand each is, which are public, and which seats know them.

    Two cards of the same rank and suit cannot be told apart, so any of their places may be taken for a play.
    """

    seats: int
    teams: int
    deck: list[str] = field(default_factory=list)
    held: list[list[int]] = field(default_factory=list)  # by seat
    undrawn: list[int] = field(default_factory=list)  # the next one first
    talon: list[int] = field(default_factory=list)
    public: set[int] = field(default_factory=set)
    known: dict[int, set[int]] = field(default_factory=dict)  # by place, the seats
    rewritten: dict[int, list[int]] = field(default_factory=dict)  # by seq of a row with hidden cards, their places
    sealed: dict[int, int] = field(default_factory=dict)
    _incoming: list[tuple[int, int]] = field(default_factory=list)  # gifts on their way: seat, place
    _kept: dict[int, tuple[list[list[int]], list[int]]] = field(default_factory=dict)  # after each row

    def follow(self, found: Sequence[Step]) -> "Tracker":
        """Follow the steps, the first of which is the deck's own row."""
        for step in found:
            self._step(step)
        return self

    def hidden_from(self, seat: int | None) -> list[int]:
        """Return the places that the seat may not know; None: what nobody but the holders may know."""
        return [
            place
            for place in range(len(self.deck))
            if place not in self.public and (seat is None or seat not in self.known.get(place, ()))
        ]

    def _step(self, step: Step) -> None:
        row, line = step.row, words(step.row)
        word, seat = (line[0] if line else ""), row.body.get("seat")
        if self._incoming and word != "give":
            for receiver, place in self._incoming:
                self.held[receiver].append(place)
            self._incoming.clear()
        if word == "deck":
            self._begin(named(row))
        elif word in ("show", "touch"):
            self._publish(seat if word == "touch" else int(line[1][:-1]), named(row), out=False)
        elif word == "give":
            self._give(row)
        elif word == "bury":
            self.rewritten[row.seq] = [self._take(seat, card, secret=True) for card in named(row)]
        elif word == "throw":
            self.public.update(self.held[seat])
            self.held[seat] = []
        elif word == "play":
            self._lay(step, seat)
        elif word not in ("", "draw", "pass"):
            self._publish(seat, named(row), out=True)
        elif row.code == "touch" and "card" in row.body:
            self._publish(seat, [row.body["card"]], out=False)
        elif row.code == "give_sealed":
            place = self._find(seat, row.body["card"], secret=True)
            self.sealed[seat] = place
            self.rewritten[row.seq] = [place]
        elif row.code == "rewind":
            held, undrawn = self._kept[row.body["to"]]
            self.held, self.undrawn = [list(each) for each in held], list(undrawn)
        self._gain(step)
        self._kept[row.seq] = [list(each) for each in self.held], list(self.undrawn)

    def _begin(self, deck: list[str]) -> None:
        self.deck, self.held = deck, [[] for _ in range(self.seats)]
        self.undrawn = list(range(len(deck)))

    def _find(self, seat: int, card: str, *, secret: bool) -> int:
        """Return a place of that card in the seat's hand, a secret one or a public one first."""
        found = [place for place in self.held[seat] if self.deck[place] == card]
        return min(found, key=lambda place: (place in self.public) == secret)

    def _take(self, seat: int, card: str, *, secret: bool) -> int:
        place = self._find(seat, card, secret=secret)
        self.held[seat].remove(place)
        return place

    def _publish(self, seat: int, cards: Sequence[str], *, out: bool) -> None:
        left = []
        for card in cards:
            place = self._take(seat, card, secret=False)
            self.public.add(place)
            left.append(place)
        if not out:
            self.held[seat] += left

    def _give(self, row: Any) -> None:
        giver = row.body["seat"]
        place = self.sealed.pop(giver)
        self.held[giver].remove(place)
        receiver = (giver + self.teams) % self.seats
        self.known.setdefault(place, set()).update((giver, receiver))
        self._incoming.append((receiver, place))
        self.rewritten[row.seq] = [place]

    def _lay(self, step: Step, seat: int) -> None:
        """Lay cards in a trick; of a throw that failed all are public, and some go back."""
        before, after = (Counter(hands(state.position)[seat]) for state in (step.before, step.after))
        cards = named(step.row)
        self._publish(seat, cards, out=False)
        for card in (before - after).elements():
            self.held[seat].remove(self._find(seat, card, secret=False))

    def _gain(self, step: Step) -> None:
        """Give the seats the cards that they have drawn, dealt to them or taken from the talon."""
        position = step.after.position
        if position is None or not self.deck:
            return
        for seat in getattr(position, "finished", ()):
            self.held[seat] = []  # who plays alone and has finished lays the rest aside, unseen
        if not any(hands(position)):  # the deal is over; a stock that is left is not dealt, and is gone
            assert not any(self.held), "the tracker is wrong"
            return
        tricks = hasattr(position, "one")
        left = len(position.stock) + (TALON if tricks else 0)
        many = max(0, len(self.undrawn) - left)
        drawn, self.undrawn = self.undrawn[:many], self.undrawn[many:]
        for place, seat in zip(drawn, self._order(step, many), strict=True):
            self._get(seat, [place])
        if tricks and position.phase == "bury" and self.undrawn:
            self.public.update(self.undrawn[: len(position.turned)])
            self._get(position.starter, self.undrawn)
            self.undrawn = []
        if not drawn:
            return
        for seat, hand in enumerate(hands(position)):
            assert sorted(self.deck[place] for place in self.held[seat]) == sorted(hand), "the tracker is wrong"

    def _order(self, step: Step, many: int) -> list[int]:
        """Return the seats that get the next cards, in order: one card at a time, from the dealer's left, or from the
        seat that draws first; one card is that of a joker.
        """
        position = step.after.position
        if hasattr(position, "one"):
            return [(position.drawer + i) % self.seats for i in range(many)]
        if many == 1:
            return [step.row.body["seat"]]
        order = [(position.dealer + i) % self.seats for i in range(1, self.seats + 1)]
        order = [seat for seat in order if seat not in position.finished]
        return [order[i % len(order)] for i in range(many)]

    def _get(self, seat: int, places: Sequence[int]) -> None:
        self.held[seat] += places
        for place in places:
            self.known.setdefault(place, set()).add(seat)
