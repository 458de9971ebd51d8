"""A person at a table page, and four input methods: clicking, tapping, dragging, and the keyboard alone.

All actions use the controls of the page: a play that is not offered cannot be made. The page's state is read from the
page itself (`tockTable` of table.js).
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tests.servers.browser import Visitor, come_true

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 20.0
OWN = ("hand", "legal", "laid", "touched")  # `touched` is public, but two pages may differ by one touch
SWAP = re.compile(r"(t\d+)x(t\d+)")


def until(page: "Page", expression: str, what: str, *, seconds: float = PATIENCE) -> Any:
    """Return the first true value of a JavaScript expression. Raises AssertionError after `seconds`."""
    value = come_true(page, expression, seconds)
    assert value, f"{what}: not so after {seconds} s; heading: {page.title()}"
    return value


@dataclass(frozen=True)
class Leg:
    """The part of a play for one marble: `to` is empty where the notation does not give it (coming out)."""

    marble: str
    to: str


@dataclass(frozen=True)
class Play:
    """A line of notation as three steps on the page: card, marbles, targets."""

    text: str
    card: str
    kind: str
    legs: tuple[Leg, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Play":
        """Read a line."""
        first, *rest = text.split()
        if first in ("give", "burn"):
            return cls(text, rest[0], first)
        if rest == ["skip"]:
            return cls(text, first, "skip")
        if rest == ["out"]:
            return cls(text, first, "out", (Leg("r", ""),))
        if swap := SWAP.fullmatch(rest[0]):
            return cls(text, first, "swap", (Leg(*swap.groups()),))
        legs = tuple(Leg(*word.split("-")) for word in rest)
        return cls(text, first, "split" if len(legs) > 1 else "forward", legs)


class Hand(Protocol):
    """An input method. `mark` chooses a card, which binds nothing; `press` presses the button of a key, `t:t30-t39`."""

    def mark(self, seat: "Seat", card: str) -> None: ...

    def hand_over(self, seat: "Seat", card: str) -> None: ...

    def press(self, seat: "Seat", key: str) -> None: ...

    def move(self, seat: "Seat", leg: Leg) -> None: ...


@dataclass
class Seat:
    """A player in front of the table page; `done` counts the plays by kind."""

    visitor: Visitor
    number: int
    hand: Hand
    done: Counter[str] = field(default_factory=Counter)
    pages: list[str] = field(default_factory=list)

    @property
    def page(self) -> "Page":
        return self.visitor.page

    def enter(self, path: str) -> None:
        """Open the table page and store its text as received."""
        answer = self.page.goto(self.visitor.base + path)
        assert answer is not None
        self.pages.append(answer.text())
        self.until("tockTable.link.state.joined", "the table's line stands")

    def until(self, expression: str, what: str, **more: Any) -> Any:
        """Wait on this page; see `until`."""
        return until(self.page, expression, f"seat {self.number}, {what}", **more)

    def view(self) -> dict[str, Any]:
        """Return the view that the page shows."""
        return dict(self.page.evaluate("tockTable.view"))

    def public(self) -> dict[str, Any]:
        """Return the part of the page's view that everybody sees."""
        return {key: value for key, value in self.view().items() if key not in OWN}

    def settled(self, decision: str = "") -> dict[str, Any]:
        """Wait until all received events are shown and `decision` is the current one; return the view."""
        wanted = f" && tockTable.view.decision === '{decision}'" if decision else ""
        seen = "tockTable.waiting === 0 && tockTable.link.held.view === tockTable.view"
        self.until(f"{seen}{wanted}", f"the page shows {decision or 'what came in'}")
        return self.view()

    def settled_after(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the page shows a view for which `true` holds; return it."""
        end = time.monotonic() + PATIENCE
        while not true(view := self.settled()):
            assert time.monotonic() < end, f"seat {self.number} still sees {view['phase']} {view['decision']}"
            self.page.wait_for_timeout(15)
        return view

    def bodies(self) -> list[str]:
        """Return the frames that this table's addresses sent over HTTP; the page itself is in `pages`."""
        found = [answer for answer in self.visitor.responses if "/api/tables/" in answer.url]
        return [answer.text() for answer in found]

    def asked(self) -> dict[str, Any]:
        """Wait until it is this player's decision; return the view."""
        self.until("tockTable.mayChoose && tockTable.view.legal?.length > 0 && !tockTable.sent", "its turn")
        return self.view()

    def offered(self, leg: Leg, where: str, *, marble: bool = False) -> str:
        """Wait until a leg's target can be pressed in a group of the page; return its key.

        `marble`: or else the marble, where several marbles or several places could be meant.
        """
        wanted = [f"t:{leg.marble}-{leg.to}"] + [f"m:{leg.marble}"] * marble
        nodes = (
            f"[...document.querySelectorAll('{where} :is(button, [role=button])[data-key]')].map(n => n.dataset.key)"
        )
        fits = "key === want || (want.endsWith('-') && key.startsWith(want))"
        found = f"(() => {{ const keys = {nodes}; for (const want of {json.dumps(wanted)})"
        found += f" for (const key of keys) if ({fits}) return key; return ''; }})()"
        return str(self.until(found, f"offers {wanted}"))

    def ready(self) -> None:
        """Press "I am ready"; the page says it by itself in practice and when a casual table begins."""
        if self.page.evaluate("tockTable.boot.kind") == "match":
            self.until("document.querySelector('#choices [data-key=ready]')", "asks whether it is ready")
            self.hand.press(self, "ready")
        self.until(f"tockTable.view.phase !== 'seating' || tockTable.view.ready[{self.number}]", "is ready")

    def play(self, text: str) -> None:
        """Make a play that the page offers, through the page, and wait until it has been answered."""
        play, before = Play.of(text), self.page.evaluate("tockTable.view.decision")
        if play.kind in ("give", "burn"):
            self.hand.hand_over(self, play.card)
        else:
            if self.page.evaluate("tockTable.choice.card") != play.card:
                self.hand.mark(self, play.card)
            if play.kind == "skip":
                self.until("document.querySelector('#choices [data-key=skip]')", "offers the sacrifice of the ten")
                self.hand.press(self, "skip")
            for leg in play.legs:
                self.hand.move(self, leg)
            if play.kind == "split":
                self.until("document.querySelector('#choices [data-key=confirm]')", "asks for the release")
                self.hand.press(self, "confirm")
        over = "tockTable.view.given?.[{0}] || tockTable.view.decision !== '{1}' || tockTable.view.phase === 'over'"
        self.until(f"tockTable.sent === 0 && ({over.format(self.number, before)})", f"{text} is played")
        self.done[play.kind] += 1

    def box(self, where: str) -> tuple[float, float]:
        """Return the centre of an element on the screen, scrolled into view."""
        spot = (
            f"(() => {{ const node = document.querySelector({json.dumps(where)}); if (!node) return null;"
            " node.scrollIntoView({block: 'nearest'}); const r = node.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        x, y = self.until(spot, f"shows {where}")
        return float(x), float(y)


def card_at(card: str) -> str:
    """Return the selector of a card of the hand."""
    return f'#hand button[data-card="{card}"]:not([aria-disabled])'


def on_board(key: str) -> str:
    """Return the selector of a marble or target of the board."""
    return f'#board [data-key="{key}"]'


def press_leg(hand: Hand, seat: Seat, leg: Leg) -> None:
    """Press the button of a leg; that of its marble before it, where that has several ways to go."""
    key = seat.offered(leg, "#choices", marble=True)
    hand.press(seat, key)
    if key.startswith("m:"):
        hand.press(seat, seat.offered(leg, "#choices"))


class Clicks:
    """A mouse: a click for a card, then marbles and targets on the board."""

    def mark(self, seat: Seat, card: str) -> None:
        """Click the card."""
        seat.page.locator(card_at(card)).first.click()

    def hand_over(self, seat: Seat, card: str) -> None:
        """Click the card, then the button that burns or gives it."""
        self.mark(seat, card)
        seat.page.locator("#choices [data-key=main]").click()

    def press(self, seat: Seat, key: str) -> None:
        """Click a button under the board."""
        seat.page.locator(f'#choices [data-key="{key}"]').click()

    def move(self, seat: Seat, leg: Leg) -> None:
        """Click the target; the marble before it, where the target alone does not tell which one goes."""
        key = seat.offered(leg, "#board", marble=True)
        seat.page.mouse.click(*seat.box(on_board(key)))
        if key.startswith("m:"):
            seat.page.mouse.click(*seat.box(on_board(seat.offered(leg, "#board"))))


class Taps:
    """A touch screen: a tap for a card, then the buttons of plays, or of marbles and targets."""

    def mark(self, seat: Seat, card: str) -> None:
        """Tap the card."""
        seat.page.locator(card_at(card)).first.tap()
        seat.until(f"tockTable.choice.card === '{card}'", f"{card} is marked")

    def hand_over(self, seat: Seat, card: str) -> None:
        """Tap the card twice."""
        self.mark(seat, card)
        seat.page.locator(card_at(card)).first.tap()

    def press(self, seat: Seat, key: str) -> None:
        """Tap a button under the board."""
        seat.page.locator(f'#choices [data-key="{key}"]').tap()

    def move(self, seat: Seat, leg: Leg) -> None:
        """Tap the play's button, or the marble's and then the target's."""
        press_leg(self, seat, leg)


class Drags:
    """A mouse that drags: the card to the board, which lays it, and the marble to its target."""

    def mark(self, seat: Seat, card: str) -> None:
        """Drag the card onto the board: it is laid, and binds where touches do."""
        self._carry(seat, card_at(card), lambda: seat.box("#board svg"))

    hand_over = mark

    def press(self, seat: Seat, key: str) -> None:
        """Click a button under the board, which needs no dragging."""
        seat.page.locator(f'#choices [data-key="{key}"]').click()

    def move(self, seat: Seat, leg: Leg) -> None:
        """Drag the marble; its targets appear as soon as it is picked up."""
        marble = on_board(f"m:{leg.marble}")
        seat.until(
            f"document.querySelector('{marble}')?.getAttribute('role') === 'button'", "lets the marble be picked up"
        )
        self._carry(seat, marble, lambda: seat.box(on_board(seat.offered(leg, "#board"))))

    @staticmethod
    def _carry(seat: Seat, what: str, where: Callable[[], tuple[float, float]]) -> None:
        mouse, (x, y) = seat.page.mouse, seat.box(what)
        mouse.move(x, y)
        mouse.down()
        mouse.move(x, y - 12)  # far enough to be a drag
        mouse.move(*where(), steps=3)
        mouse.up()


class Keyboard:
    """The keyboard alone: arrows move, Enter marks, picks up and releases."""

    FOCUS = (
        "(() => { const n = document.activeElement; return n && document.getElementById('table').contains(n) ?"
        " {card: n.dataset.card ?? '', key: n.dataset.key ?? '', group: n.closest('#hand, #choices, #board')?.id ?? ''}"
        " : {card: '', key: '', group: ''}; })()"
    )
    GROUPS = ("hand", "choices", "board")

    def mark(self, seat: Seat, card: str) -> None:
        """Move to the card and mark it."""
        self._walk(seat, "hand", "card", card)
        seat.page.keyboard.press("Enter")
        seat.until(f"tockTable.choice.card === '{card}'", f"{card} is marked")

    def hand_over(self, seat: Seat, card: str) -> None:
        """Mark the card, and press Enter on it once more."""
        self.mark(seat, card)
        self._walk(seat, "hand", "card", card)
        seat.page.keyboard.press("Enter")

    def press(self, seat: Seat, key: str) -> None:
        """Move to a button under the board and press it."""
        self._walk(seat, "choices", "key", key)
        seat.page.keyboard.press("Enter")

    def move(self, seat: Seat, leg: Leg) -> None:
        """Move to the play's button, or to the marble's and then to the target's."""
        press_leg(self, seat, leg)

    def _walk(self, seat: Seat, group: str, name: str, wanted: str) -> None:
        """Press arrows until the wanted element has the focus, as a person does who sees the focus."""
        path = []
        for _ in range(40):
            here = seat.page.evaluate(self.FOCUS)
            path.append(here)
            if here["group"] == group and here[name] == wanted:
                return
            if here["group"] == group:
                seat.page.keyboard.press("ArrowRight")
            elif not here["group"] or self.GROUPS.index(here["group"]) > self.GROUPS.index(group):
                seat.page.keyboard.press("ArrowDown")
            else:
                seat.page.keyboard.press("ArrowUp")
        raise AssertionError(f"the keyboard does not reach {wanted} in {group}: {path}")
