"""A person at Tractor's table, and four input methods: a mouse, a touch screen, the keyboard alone, notation typed.

All actions use the controls of the page; the page's state is read from the page itself (`tockTable`).
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.servers.browser import Visitor

from .seats import Seat
from .tractor_round import Act

OWN = ("hand", "legal", "talon", "buried")
# A point at which a card of the hand can be pressed: cards overlap, so another card may cover the centre.
OPEN_SPOT = """(() => {{
  const node = document.querySelector({0});
  if (!node) return null;
  node.scrollIntoView({{block: 'center'}});
  const r = node.getBoundingClientRect();
  for (const y of [0.5, 0.25, 0.75]) for (let x = 4; x < r.width; x += 4) {{
    const at = [r.x + x, r.y + r.height * y];
    if (node.contains(document.elementFromPoint(...at))) return at;
  }}
  return null;
}})()"""


class Way(Protocol):
    """An input method: pressing a button under the hand, and laying cards with the button of that key."""

    def press(self, seat: "TractorSeat", key: str) -> None: ...

    def lay(self, seat: "TractorSeat", word: str, cards: list[str]) -> None: ...


@dataclass
class TractorSeat(Seat):
    """A player in front of Tractor's table; `done` counts the acts by kind."""

    visitor: Visitor
    number: int
    hand: Any
    done: Counter[str] = field(default_factory=Counter)

    def public(self) -> dict[str, Any]:
        """Return the part of the page's view that everybody sees."""
        return {key: value for key, value in self.view().items() if key not in OWN}

    def offered(self, line: str) -> None:
        """Wait until the page offers this line."""
        listed = f"tockTable.view.legal?.includes({json.dumps(line)})"
        self.until(f"tockTable.mayChoose && {listed}", f"may answer {line}")

    def do(self, act: Act) -> None:
        """Do an act through the page, and wait until the page shows its result."""
        if act.kind in ("show", "pass"):
            self.offered(act.line)
            self.hand.press(self, f"show:{' '.join(act.cards)}" if act.kind == "show" else "pass")
            done = (
                self.shown(act)
                if act.kind == "show"
                else f"(tockTable.view.passed ?? [{act.seat}]).includes({act.seat})"
            )
        else:
            view = self.asked()
            self.hand.lay(self, act.kind, act.cards)
            done = f"tockTable.view.decision !== '{view['decision']}' || tockTable.view.phase === 'over'"
        refused = "document.getElementById('refused')?.hidden === false"
        self.until(f"tockTable.sent === 0 && ({done} || {refused})", f"{act.line} is done")
        assert self.page.evaluate(done), f"seat {self.number}, {act.line}: {self.text('#refused')}"
        self.done[act.kind] += 1

    @staticmethod
    def shown(act: Act) -> str:
        """Return the expression that is true once this show is the standing one, or has named trumps."""
        return f"tockTable.view.show?.seat === {act.seat} && tockTable.view.show.cards.length === {len(act.cards)}"

    def spot(self, where: str) -> tuple[float, float]:
        """Return a point at which an element can be pressed, scrolled into view."""
        x, y = self.until(OPEN_SPOT.format(json.dumps(where)), f"{where} can be met")
        return float(x), float(y)

    def text(self, where: str) -> str:
        """Return the text of a part of the page, with single spaces."""
        return " ".join(self.page.locator(where).inner_text().split())


def copies(cards: list[str]) -> list[tuple[str, int]]:
    """Return the cards with the number of each copy, by which the page distinguishes equal cards."""
    seen = Counter[str]()
    found = []
    for card in cards:
        found.append((card, seen[card]))
        seen[card] += 1
    return found


def button_of(card: str, copy: int) -> str:
    """Return the selector of a card of the hand."""
    return f'#hand button[data-card="{card}"][data-copy="{copy}"]'


def chosen(seat: TractorSeat, card: str, copy: int) -> None:
    """Wait until the card is raised in the hand."""
    where = json.dumps(button_of(card, copy))
    seat.until(f"document.querySelector({where})?.getAttribute('aria-pressed') === 'true'", f"{card} is chosen")


class Mouse:
    """Clicks on cards and buttons."""

    def press(self, seat: TractorSeat, key: str) -> None:
        """Click a button under the hand."""
        seat.page.locator(f'#choices [data-key="{key}"]').click()

    def lay(self, seat: TractorSeat, word: str, cards: list[str]) -> None:
        """Click each card, then the button."""
        for card, copy in copies(cards):
            seat.page.mouse.click(*seat.spot(button_of(card, copy)))
            chosen(seat, card, copy)
        self.press(seat, "go")


class Thumb:
    """Taps on a telephone."""

    def press(self, seat: TractorSeat, key: str) -> None:
        """Tap a button under the hand."""
        seat.page.locator(f'#choices [data-key="{key}"]').tap()

    def lay(self, seat: TractorSeat, word: str, cards: list[str]) -> None:
        """Tap each card, then the button."""
        for card, copy in copies(cards):
            seat.page.touchscreen.tap(*seat.spot(button_of(card, copy)))
            chosen(seat, card, copy)
        self.press(seat, "go")


class Notation:
    """A line written into the field beside the table, with Enter."""

    def press(self, seat: TractorSeat, key: str) -> None:
        """Write a show or a pass; click where there is no notation."""
        word, _, cards = key.partition(":")
        if word in ("show", "pass"):
            self.write(seat, f"{word} {cards}".strip())
        else:
            seat.page.locator(f'#choices [data-key="{key}"]').click()

    def lay(self, seat: TractorSeat, word: str, cards: list[str]) -> None:
        """Write the line as the record will have it."""
        self.write(seat, f"{word} {' '.join(cards)}")

    def write(self, seat: TractorSeat, line: str) -> None:
        """Write any line and send it."""
        field = seat.page.locator("#cmd")
        field.fill(line)
        field.press("Enter")


class Keys:
    """The keyboard alone: arrows move between groups and cards, Enter chooses."""

    # Groups of buttons from the bottom of the page to its top, and the position of the focus.
    HERE = """(() => {
      const n = document.activeElement, GROUPS = '#choices, #hand .tractor-group';
      const name = (group) => group?.dataset.suit ?? group?.id ?? '';
      const groups = [...document.querySelectorAll(GROUPS)].map(name).reverse();
      const {card = '', copy = -1, key = ''} = n?.dataset ?? {};
      return {groups, group: name(n?.closest(GROUPS)), card, copy: Number(copy), key};
    })()"""

    def press(self, seat: TractorSeat, key: str) -> None:
        """Move to a button under the hand and press it."""
        self._walk(seat, lambda here: here["key"] == key, "choices")
        seat.page.keyboard.press("Enter")

    def lay(self, seat: TractorSeat, word: str, cards: list[str]) -> None:
        """Move to each card and choose it, then to the button."""
        for card, copy in copies(cards):
            group = seat.page.evaluate(
                f"document.querySelector({json.dumps(button_of(card, copy))}).closest('.tractor-group').dataset.suit"
            )
            self._walk(seat, lambda here, one=(card, copy): (here["card"], here["copy"]) == one, group)
            seat.page.keyboard.press("Enter")
            chosen(seat, card, copy)
        self.press(seat, "go")

    @staticmethod
    def _walk(seat: TractorSeat, there: Any, group: str) -> None:
        """Press arrows until the wanted element has the focus, as a person does who sees the focus."""
        path = []
        for _ in range(80):
            here = seat.page.evaluate(Keys.HERE)
            path.append((here["group"], here["card"], here["key"]))
            if there(here):
                return
            if here["group"] == group:
                seat.page.keyboard.press("ArrowRight")
            elif here["group"] and here["groups"].index(here["group"]) < here["groups"].index(group):
                seat.page.keyboard.press("ArrowUp")
            else:
                seat.page.keyboard.press("ArrowDown")
        raise AssertionError(f"the keyboard does not reach {group}: {path}")
