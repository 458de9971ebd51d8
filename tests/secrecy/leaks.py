"""Leaks made on purpose: a hidden card in a frame, a size, an order, a hash, a header, a page. Each must be found."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from django.http import HttpResponse

from games.families.tock.table import Tock
from games.families.tractor.table import Tractor
from games.fold import Sight, TableState, Viewer
from games.live import consumer, http, projection
from games.models import DealSecret, Game
from games.selectors import replays
from games.selectors import tables as table_reader
from games.services import play
from games.services.requests import Nak, Request

from .play import Kind
from .tracker import hands

TOCK, TRACTOR = Kind("shawinigan/1", 4, 2), Kind("tractor/1", 4, 2)

WITHIN = 12  # seeds of one pair each


@dataclass(frozen=True)
class Leak:
    """A leak, and the table at which it is looked for."""

    name: str
    planted: Callable[[], AbstractContextManager[Any]]
    kind: Kind = TOCK


def told_by(state: TableState) -> int:
    """Return a number that depends on every hand and on the cards to come, and on nothing that is public."""
    position = state.position
    if position is None:
        return 0
    stock = [*position.stock, *getattr(position, "talon", ())]
    held = "".join("".join(hand) for hand in hands(position))
    return sum(map(ord, held)) * 31 + sum(place * card for place, card in enumerate(stock))


def order_told_by(state: TableState) -> bool:
    """Return whether the first seat holds a low card: many viewers must not know that."""
    return bool(told_by(state) % 2)


@contextmanager
def card_in_a_line() -> Iterator[None]:
    """A gift and a deck are told as they are."""
    with mock.patch.object(Tock, "line", lambda family, row, viewer, setup: row.body["play"]):
        yield


@contextmanager
def card_in_a_view() -> Iterator[None]:
    """The public view has a number made of the hands."""
    real = Tock.public
    with mock.patch.object(Tock, "public", lambda family, state: real(family, state) | {"n": told_by(state)}):
        yield


@contextmanager
def size_of_a_frame() -> Iterator[None]:
    """A frame is longer when some card is held: spaces at its end."""
    real = projection.ev_text

    def ev_text(shown: Any, viewer: Viewer, *, now: int) -> str:
        return real(shown, viewer, now=now) + " " * (told_by(shown[-1].after.state) % 3)

    with mock.patch.object(projection, "ev_text", ev_text):
        yield


@contextmanager
def order_of_a_view() -> Iterator[None]:
    """The keys of the public view are turned round when some card is held."""
    real = Tock.public

    def public(family: Tock, state: TableState) -> dict[str, Any]:
        seen = real(family, state)
        return dict(reversed(seen.items())) if order_told_by(state) else seen

    with mock.patch.object(Tock, "public", public):
        yield


@contextmanager
def hash_of_the_state() -> Iterator[None]:
    """The hash of a view is taken over more than the view."""
    real = Sight.mark
    with mock.patch.object(Sight, "mark", lambda sight, viewer: f"{real(sight, viewer)[:8]}{told_by(sight.state):08x}"):
        yield


@contextmanager
def one_frame_too_many() -> Iterator[None]:
    """A socket gets an empty frame when some card is held."""
    real = consumer.TableConsumer._send

    async def send(socket: Any, text: str) -> None:
        await real(socket, text)
        private = socket.feed.private if socket.feed is not None else None
        if private is not None and order_told_by(private.state):
            await real(socket, "{}")

    with mock.patch.object(consumer.TableConsumer, "_send", send):
        yield


@contextmanager
def text_of_a_refusal() -> Iterator[None]:
    """A refusal tells more than the rule."""
    real = play._check_turn

    def check(state: TableState, command: Request, now: int) -> None:
        try:
            real(state, command, now)
        except Nak as nak:
            raise Nak(nak.code, f"{nak.why}_{told_by(state)}", retry=nak.retry) from None

    with mock.patch.object(play, "_check_turn", check):
        yield


@contextmanager
def header_of_an_answer() -> Iterator[None]:
    """An answer has a tag that is made of the chain over the rows."""
    real = http._snap

    def snap(request: Any, slug: str) -> HttpResponse:
        answer = real(request, slug)
        answer["ETag"] = Game.objects.latest("pk").chain
        return answer

    with mock.patch.object(http, "_snap", snap):
        yield


@contextmanager
def seed_in_a_page() -> Iterator[None]:
    """A page has a piece of the seeds of decks to come."""
    real = table_reader.boot

    def boot(table: Any, game: Game, viewer: Viewer, seats: Any) -> dict[str, Any]:
        secret = bytes(DealSecret.objects.get(game=game).seeds)
        return real(table, game, viewer, seats) | {"tag": secret[-4:].hex()}

    with mock.patch.object(table_reader, "boot", boot):
        yield


@contextmanager
def record_for_everybody() -> Iterator[None]:
    """The record of a running game is given as it will be at the end."""
    real = replays.viewer_for

    def open_to_all(game: Game, point: str, person: Any) -> Viewer:
        return Viewer(everything=True) if point == "spectator" else real(game, point, person)

    with mock.patch.object(replays, "viewer_for", open_to_all):
        yield


@contextmanager
def clock_of_who_has_few_plays() -> Iterator[None]:
    """A seat with few plays has less time."""
    real = Tock.running

    def running(family: Tock, state: TableState, clocks: Any, settings: Any, at: int) -> Any:
        found = real(family, state, clocks, settings, at)
        if state.phase != "play" or found.run is None:
            return found
        return replace(found, due=found.due - 1000 + len(state.legal(found.run)))

    with mock.patch.object(Tock, "running", running):
        yield


@contextmanager
def talon_in_a_view() -> Iterator[None]:
    """The public view of Tractor has the points of the talon and of what was buried."""
    real = Tractor.public

    def public(family: Tractor, state: TableState) -> dict[str, Any]:
        position = state.position
        return real(family, state) | {"points": [sum(position.talon) % 97, position.buried[0] % 97]}

    with mock.patch.object(Tractor, "public", public):
        yield


@contextmanager
def plays_of_others() -> Iterator[None]:
    """The public view of Tractor tells how many plays the seat to act has."""
    real = Tractor.public

    def public(family: Tractor, state: TableState) -> dict[str, Any]:
        return real(family, state) | {"n": len(state.legal(min(state.may_act))) if state.may_act else 0}

    with mock.patch.object(Tractor, "public", public):
        yield


@contextmanager
def order_of_a_hand() -> Iterator[None]:
    """What a seat has drawn is told to all by the order of the counts."""
    real = Tractor.public

    def public(family: Tractor, state: TableState) -> dict[str, Any]:
        seen = real(family, state)
        return dict(reversed(seen.items())) if order_told_by(state) else seen

    with mock.patch.object(Tractor, "public", public):
        yield


ALL = (
    Leak("a gift in a line", card_in_a_line),
    Leak("cards in the view", card_in_a_view),
    Leak("the size of a frame", size_of_a_frame),
    Leak("the order of a view", order_of_a_view),
    Leak("the hash of the state", hash_of_the_state),
    Leak("one frame too many", one_frame_too_many),
    Leak("the text of a refusal", text_of_a_refusal),
    Leak("a header", header_of_an_answer),
    Leak("a seed in a page", seed_in_a_page),
    Leak("the record for everybody", record_for_everybody),
    Leak("the clock of who has few plays", clock_of_who_has_few_plays),
    Leak("the talon in the view", talon_in_a_view, TRACTOR),
    Leak("the number of plays", plays_of_others, TRACTOR),
    Leak("the order of a view of Tractor", order_of_a_hand, TRACTOR),
)
