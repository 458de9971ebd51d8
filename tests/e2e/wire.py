"""Checks for leaks: every frame and every page that a browser received is compared with the true hands.

After a game its record is folded again, which gives the hands at each moment. The data sent to a viewer about that
moment may name the viewer's own cards and open cards, and no others. Any text in a frame that looks like a card counts
as one, so that a leak in an unexpected field is found too.
"""

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from games import store
from games.fold import Step, TableState, merge, opening, steps, view_hash
from games.models import Game

CARD = re.compile(r"(?<![0-9A-Za-z+/])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK|BJ|RJ)(?![0-9A-Za-z+/])")
BOOT = re.compile(r'<script id="boot" type="application/json">(.*?)</script>', re.DOTALL)
SHEETS = re.compile(r'<script id="sheets" type="application/json">.*?</script>', re.DOTALL)
DRAWN = re.compile(r' d="[^"]*"')  # SVG paths are full of letters and digits
HIDDEN_WORDS = ("give", "deck")  # plays whose cards only some viewers may read


def cards_in(value: Any) -> set[str]:
    """Return all texts that look like a card in a text or in a JSON value."""
    return set(CARD.findall(value if isinstance(value, str) else json.dumps(value)))


@dataclass
class Truth:
    """The true state after each row of a game."""

    slug: str
    teams: int
    seats: int
    states: list[TableState] = field(default_factory=list)
    steps: dict[int, Step] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game) -> Self:
        """Fold the whole record of `game`."""
        setup = store.setup_of(game)
        truth = cls(game.slug, setup.teams, setup.seats, [opening(setup)])
        for step in steps(truth.states[0], store.load(game.pk)):
            truth.steps[step.row.seq] = step
            truth.states.append(step.after)
        return truth

    def hands(self, seq: int) -> list[set[str]]:
        """Return the cards in each hand after row `seq`, including the card laid aside for the exchange."""
        state = self.states[seq]
        if state.position is None:
            return [set() for _ in range(self.seats)]
        return [set(hand) for hand in state.setup.engine.to_json(state.position)["hands"]]

    def open_at(self, seq: int, seat: int | None) -> set[str]:
        """Return the cards that the viewer may read in a view after row `seq`."""
        state = self.states[seq]
        shown = {state.pile, state.touch.card} - {"", None}
        return shown | (self.hands(seq)[seat] if seat is not None else set())

    def open_in(self, seq: int, seat: int | None) -> set[str]:
        """Return the cards that the viewer may read in the event of row `seq`."""
        row = self.steps[seq].row
        cards = self.open_at(seq - 1, seat) | self.open_at(seq, seat)
        if row.code == "draw":  # the draw for the first dealer is open, and its cards go back
            return cards | cards_in(dict(row.body))
        if row.code == "open":
            return cards
        if row.code != "play":
            return cards
        word, giver = row.body["play"].split(" ", 1)[0], row.body.get("seat")
        if word not in HIDDEN_WORDS:
            return cards | cards_in(row.body["play"])
        if word == "give" and seat is not None and seat in (giver, (giver + self.teams) % self.seats):
            return cards | cards_in(row.body["play"])
        return cards


@dataclass
class Reading:
    """The data that one browser received of one game, and the faults in it.

    `seat` None: a spectator. `secrets`: how many times a frame was compared with a hand with cards hidden from this
    viewer.
    """

    truth: Truth
    seat: int | None
    faults: list[str] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)
    seq: int = -1
    events: int = 0
    secrets: int = 0

    def frame(self, text: str) -> None:
        """Check one frame, from the socket or from an HTTP body."""
        found = json.loads(text)
        if found["t"] == "snap":
            self._snap(found)
        elif found["t"] == "ev":
            self._ev(found)
        elif cards_in(text):
            self.faults.append(f"a card in a {found['t']} frame: {text}")

    def page(self, body: str) -> None:
        """Check a table's page: the first view in its data, and no card anywhere else."""
        boot = BOOT.search(body)
        if boot is None:
            self.faults.append("a table's page without its data")
            return
        data = json.loads(html.unescape(boot[1]))
        snap = data.pop("snap")
        self.frame(json.dumps(snap))
        rest = DRAWN.sub("", body[: boot.start()]) + json.dumps(data) + DRAWN.sub("", body[boot.end() :])
        # The effect of each rank belongs to the rule set and is public; a joker's rank is written like the card.
        for sheet in SHEETS.findall(rest):
            self._only({"JK", "BJ", "RJ"}, sheet, "the rule set's sheet")
        self._only(set(), SHEETS.sub("", rest), "the page outside its first view")

    def _snap(self, frame: dict[str, Any]) -> None:
        if frame["view"]["game"] != self.truth.slug:
            return
        self._only(self.truth.open_at(frame["seq"], self.seat), frame, f"snap at {frame['seq']}")
        self._hidden(frame["seq"])
        self.view, self.seq = frame["view"], frame["seq"]
        self._hand_is_true()

    def _ev(self, frame: dict[str, Any]) -> None:
        for event in frame["list"]:
            self._only(self.truth.open_in(event["seq"], self.seat), event, f"event {event['seq']}")
            self._hidden(event["seq"])
            self.events += 1
            if event["seq"] == self.seq + 1:
                self.view, self.seq = merge(self.view, event.get("set", {})), event["seq"]
        self._only(set(), {key: part for key, part in frame.items() if key != "list"}, "an ev frame beside its events")
        if frame["list"] and frame["list"][-1]["seq"] == self.seq:
            if view_hash(self.view) != frame["hash"]:
                self.faults.append(f"the view after {self.seq} has another hash than the frame says")
            self._hand_is_true()

    def _only(self, allowed: set[str], part: Any, where: str) -> None:
        leaked = cards_in(part) - allowed
        if leaked:
            self.faults.append(f"{where} shows {sorted(leaked)} to {self.seat}: {json.dumps(part)[:600]}")

    def _hidden(self, seq: int) -> None:
        others = (hand for seat, hand in enumerate(self.truth.hands(seq)) if seat != self.seat)
        self.secrets += any(others)

    def _hand_is_true(self) -> None:
        if self.seat is None:
            if {"hand", "hands", "legal", "laid"} & set(self.view):
                self.faults.append(f"a spectator's view at {self.seq} has {sorted(self.view)}")
            return
        shown = set(self.view.get("hand", [])) | ({self.view["laid"]} if "laid" in self.view else set())
        if shown != self.truth.hands(self.seq)[self.seat]:
            self.faults.append(f"at {self.seq} the page of seat {self.seat} holds {shown}")


def read(truth: Truth, seat: int | None, *, pages: Iterable[str] = (), frames: Iterable[str] = ()) -> Reading:
    """Check all that a browser received of the game: pages first, then frames in their order."""
    reading = Reading(truth, seat)
    for page in pages:
        reading.page(page)
    for text in frames:
        reading.frame(text)
    return reading
