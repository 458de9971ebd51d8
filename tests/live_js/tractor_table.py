"""A fake table of Tractor with the real rules: the engine's position behind the socket of one seat's page."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from games.bots import tractor as bots
from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.errors import EngineError
from games.engine.game import SPECTATOR
from games.engine.tractor.game import GAME
from games.engine.tractor.rules import DECK

from .harness import CLOCKS, FakeTable, boot, snap

RULES = "tractor/1"
NAMES = ["Martine Gélinas", "Mei Zhang", "Thanh Nguyen", "Pierre Savard"]
TEMPLATE = "games/table_tractor.html"


def step(p: Any, dice: random.Random) -> Any:
    """Return the position after one more play: random chance plays, and the seats play as the club bot does."""
    if p.phase == "deck":
        deck = [TEXTS[k] for k in DECK]
        dice.shuffle(deck)
        return GAME.apply(p, GAME.parse_play(p, "deck " + " ".join(deck)))
    if p.phase == "draw":
        for seat in range(4):
            seen = GAME.view(p, seat)
            line = bots.choose(seen, seen["legal"], level="club", roll=lambda n: 0) if seen.get("legal") else ""
            if line and not line.startswith("pass"):
                return GAME.apply(p, GAME.parse_play(p, line), seat)
        return GAME.apply(p, GAME.parse_play(p, "draw 4"))
    seat = p.waiting()[0] if p.phase == "show" else p.turn
    seen = GAME.view(p, seat)
    return GAME.apply(p, GAME.parse_play(p, bots.choose(seen, seen["legal"], level="club", roll=lambda n: 0)), seat)


def found(wanted: Callable[[Any], bool], *, seed: int = 1, plays: int = 6000) -> Any:
    """Return the first position of club bots' games for which `wanted` is true."""
    dice = random.Random(seed)
    p = GAME.new(registry.rules(RULES), dealer=0)
    for _ in range(plays):
        if wanted(p):
            return p
        p = GAME.new(registry.rules(RULES), dealer=0) if p.phase == "over" else step(p, dice)
    raise AssertionError("no such position came up")


def seen(p: Any, seat: int | None) -> dict[str, Any]:
    """Return a viewer's view of the table."""
    view = {"game": "g7q2", "decision": "0.412", **GAME.view(p, SPECTATOR if seat is None else seat)}
    view.pop("gone", None)
    if p.phase == "over":
        outcome = GAME.outcome(p)
        assert outcome is not None
        view["result"] = {"ranks": list(outcome.ranks), "reason": "played"}
    return view


class EngineTable(FakeTable):
    """Accepts from the page's seat what the engine accepts; other seats play only when the test lets them."""

    def __init__(self, p: Any, *, seat: int | None = 0) -> None:
        super().__init__(seen(p, seat), seat=seat)
        self.p = p

    def obey(self, frame: dict[str, Any]) -> Iterator[dict[str, Any]]:
        kind, args = frame["kind"], frame["args"]
        lines = {"show": "show {seat}: {cards}", "pass": "pass {seat}", "bury": "bury {cards}", "play": "{play}"}
        line = lines[kind].format(seat=self.seat, **args)
        try:
            events = [self.played(line)]
        except EngineError as refused:
            head = {"t": "nak", "id": frame["id"], "code": "illegal", "why": refused.code, "retry": False}
            yield head | {"seq": self.seq}
            return
        yield {"t": "ack", "id": frame["id"], "seq": self.seq}
        yield from events

    def played(self, line: str, seat: int | None = None) -> dict[str, Any]:
        """Play a line of a seat, the page's own by default, and return its frame. Raises EngineError."""
        seat = self.seat if seat is None else seat
        play = GAME.parse_play(self.p, line, seat)
        after = GAME.apply(self.p, play, seat)
        fx, self.p = GAME.fx(self.p, play, seat), after
        decision = {"decision": f"0.{self.seq + 1}"}
        frame = self.event("play", {"seat": seat, "play": play.text}, seen(after, self.seat) | decision, fx)
        frame["list"][0]["d"]["seat"] = seat
        return frame

    def others(self, count: int = 3) -> None:
        """Let other seats play, as the club bot does, and send the frames to the page."""
        for _ in range(count):
            view = GAME.view(self.p, self.p.turn)
            line = bots.choose(view, view["legal"], level="club", roll=lambda n: 0)
            self.say(self.played(line, self.p.turn))


def page_boot(p: Any, *, seat: int | None = 0, **more: Any) -> dict[str, Any]:
    """Return the page's boot data."""
    view = seen(p, seat)
    data = boot(view, seat=seat, touch=False, family="tractor", names=NAMES)
    clocks = {**CLOCKS, "run": p.turn}
    return data | {"snap": snap(view, seat=seat, clocks=clocks), "rules_name": "Tractor"} | more


def _pair_follow(p: Any) -> bool:
    return bool(
        p.phase == "play" and p.turn == 0 and p.trick and p.lead.size == 2 and p.lead.pairs == 1
        and (p.two[0] & p.order.masks[p.lead.suit])
        and (p.one[0] & p.order.masks[p.lead.suit]).bit_count() > 2
        and p.one[0] & ~p.order.masks[p.lead.suit]
    )  # fmt: skip


def _throw_fails(p: Any) -> bool:
    return bool(failing(p)) if p.phase == "play" and p.turn == 0 and not p.trick else False


def failing(p: Any) -> str:
    """Return a line that throws all cards of a suit and fails, if there is one."""
    from games.engine.tractor.plays import texts

    for mask in p.order.masks:
        one, two = p.one[0] & mask, p.two[0] & mask
        if one.bit_count() < 2:
            continue
        line = "play " + " ".join(texts(one, two))
        if any(fact[0] == "failed" for fact in GAME.fx(p, GAME.parse_play(p, line), 0)):
            return line
    return ""


SITUATIONS: dict[str, Callable[[Any], bool]] = {
    "draw": lambda p: p.phase == "draw" and len(p.stock) == 36 and p.show is not None,
    "show": lambda p: p.phase == "show" and not p.passed & 1,
    "bury": lambda p: p.phase == "bury" and p.turn == 0,
    "lead": lambda p: p.phase == "play" and p.turn == 0 and not p.trick and p.last is not None,
    "pair": _pair_follow,
    "throw": _throw_fails,
    "last": lambda p: p.phase == "play" and p.turn == 0 and len(p.trick) == 3,
    "ended": lambda p: p.phase == "deck" and p.round == 2,
    "second": lambda p: p.phase == "draw" and p.round == 2 and len(p.stock) == 60,
    "over": lambda p: p.phase == "over",
}


@cache
def situation(name: str) -> Any:
    """Return the position of this name; do not change it."""
    return found(SITUATIONS[name], plays=60_000)
