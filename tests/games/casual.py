"""People for the tests of casual tables, and what they do."""

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Game, Seating, Table
from games.permissions import NOBODY, Person
from games.selectors import casual as reader
from games.services import bots, casual, play
from tests.competitions.world import a_signed_up_player
from tock_league.common.errors import Refused

GUESTS = [Person(guest_key=letter * 32) for letter in "abcdefgh"]
ANA, BEA, CLO, DAN = GUESTS[:4]
NAMES = dict(zip(GUESTS, ("Ana", "Béa", "Clo", "Dan", "Eve", "Fay", "Gus", "Hal"), strict=True))


def opened(by: Person = ANA, **more: Any) -> str:
    name = NAMES.get(by, "")
    return casual.open_table(by=by, name=name, **more).code


def sit(code: str, seat: int, by: Person) -> None:
    casual.sit(code, seat, by=by, name=NAMES.get(by, ""))


def refusal(act: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code, caught.value.field


def table_of(code: str) -> Table:
    return Table.objects.get(casual__code=code)


def seats(code: str) -> list[str]:
    """Return what each seat shows: a name, "bot", or "-"."""
    found = reader.room(code, NOBODY)
    assert found is not None
    return [seat.name or ("bot" if seat.bot else "-") for seat in found.seats]


def full(*more: Person, **options: Any) -> str:
    code = opened(**options)
    for seat, by in enumerate((BEA, CLO, DAN, *more), start=1):
        sit(code, seat, by)
    return code


def begun(code: str, by: Person = ANA, **more: Any) -> Game:
    casual.begin(code, by=by, **more)
    game = table_of(code).games.order_by("-number")[0]
    while bots.act_due():
        pass
    for seating in Seating.objects.filter(table=game.table, bot=""):
        person = Person(player_id=seating.player_id, guest_key=seating.guest_key)
        answer = send(game, seating.seat, person, "ready")
        assert not answer.code, answer
    game.refresh_from_db()
    assert game.state == Game.State.PLAYING
    return game


def send(game: Game, seat: int, by: Person, kind: str, turn: str = "0.0") -> play.Answer:
    return play.submit(
        game_id=game.pk, seat=seat, command_id=f"{kind}-{game.pk}-{seat}", turn=turn, kind=kind, args={}, by=by
    )


def player(name: str) -> Person:
    return Person(player_id=a_signed_up_player(f"{name}@example.org").pk)


def full_by_others(**more: Any) -> str:
    code = opened(by=GUESTS[4], **more)
    for seat, by in enumerate(GUESTS[5:8], start=1):
        sit(code, seat, by)
    return code
