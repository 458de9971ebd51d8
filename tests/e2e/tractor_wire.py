"""Checks the frames of Tractor's table: as `wire`, with the rules for hands, talon, buried cards and stock."""

from collections import Counter
from typing import Any

from .wire import Reading, Truth, cards_in

OPEN = ("show", "turned", "trick", "last", "failed", "previous")  # keys of a position that are open to everybody
SECRET_LINES = ("deck", "bury")


class TractorTruth(Truth):
    """See `Truth`. Cards are compared by name: each exists twice, and the holder of one may read its name."""

    def position(self, seq: int) -> dict[str, Any]:
        """Return the whole position after row `seq`, {} before the first deal."""
        state = self.states[seq]
        return dict(state.setup.engine.to_json(state.position)) if state.position is not None else {}

    def hands(self, seq: int) -> list[set[str]]:
        hands = self.position(seq).get("hands") or [[] for _ in range(self.seats)]
        return [set(hand) for hand in hands]

    def counted(self, seq: int, seat: int) -> Counter[str]:
        """Return the hand, with repetitions."""
        hands = self.position(seq).get("hands") or [[] for _ in range(self.seats)]
        return Counter(hands[seat])

    def open_at(self, seq: int, seat: int | None) -> set[str]:
        found = self.position(seq)
        cards = cards_in({key: found[key] for key in OPEN if key in found})
        if seat is None:
            return cards
        cards |= self.hands(seq)[seat]
        if found.get("starter") == seat:
            cards |= cards_in([found.get("talon" if found["phase"] == "bury" else "buried", [])])
        return cards

    def open_in(self, seq: int, seat: int | None) -> set[str]:
        row = self.steps[seq].row
        cards = self.open_at(seq - 1, seat) | self.open_at(seq, seat)
        if row.code == "draw":  # the draw for the first seat is open, and those cards go back
            return cards | cards_in(dict(row.body))
        if row.code == "play" and (row.body["play"].split()[0] not in SECRET_LINES or row.body.get("seat") == seat):
            return cards | (cards_in(row.body["play"]) if "seat" in row.body else set())
        return cards


class TractorReading(Reading):
    """See `Reading`; a hand must contain each card as often as it really does."""

    truth: TractorTruth

    def _hand_is_true(self) -> None:
        if self.seat is None:
            super()._hand_is_true()
            return
        held = Counter(self.view.get("hand", []))
        if held != self.truth.counted(self.seq, self.seat):
            self.faults.append(f"at {self.seq} the page of seat {self.seat} holds {held}")


def read(truth: TractorTruth, seat: int | None, *, pages: Any = (), frames: Any = ()) -> TractorReading:
    """Check all that a browser received of the game: pages first, then frames in their order."""
    reading = TractorReading(truth, seat)
    for page in pages:
        reading.page(page)
    for text in frames:
        reading.frame(text)
    return reading
