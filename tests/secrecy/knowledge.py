"""Which cards a viewer may know after each row of a game; from the tracker, without views."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.cards import TEXTS
from games.fold import Row, Setup, Step, opening, steps

from .tracker import Tracker, words


@dataclass(frozen=True)
class May:
    """What may be known after a row: by everybody, and by each seat besides."""

    everybody: frozenset[str]
    seats: tuple[frozenset[str], ...]

    def of(self, seat: int | None) -> frozenset[str]:
        """Return the cards that the viewer may know; None: no seat."""
        return self.everybody if seat is None else self.everybody | self.seats[seat]


def knowledge(setup: Setup, rows: Sequence[Row]) -> list[May]:
    """Return by seq what may be known after that row; index 0 is before the first."""
    nobody = (frozenset[str](),) * setup.seats
    found, tracker = [May(frozenset(), nobody)], Tracker(setup.seats, setup.teams)
    for step in steps(opening(setup), rows):
        if words(step.row)[:1] == ["deck"]:
            tracker = Tracker(setup.seats, setup.teams)
        if tracker.deck or words(step.row)[:1] == ["deck"]:
            tracker.follow([step])
        deck = tracker.deck
        everybody = {deck[place] for place in tracker.public} | _besides(step)
        seats = [
            {deck[place] for place, seats in tracker.known.items() if seat in seats} for seat in range(setup.seats)
        ]
        found.append(May(frozenset(everybody), tuple(map(frozenset, seats))))
    return found


def _besides(step: Step) -> set[str]:
    """Return what everybody knows that is not of this deck: the draw for the first dealer, and what was buried in the
    round before.
    """
    cards = {card for _, card in step.row.body["cards"]} if step.row.code == "draw" else set()
    previous = getattr(step.after.position, "previous", None)
    if previous is not None:
        one, two = previous.buried
        cards |= {text for number, text in enumerate(TEXTS) if (one | two) >> number & 1}
    return cards
