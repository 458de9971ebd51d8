"""Casual tables and play through the API: who may read and do what, for every endpoint; and what each does."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Seating, Table
from games.permissions import Person
from games.services import casual
from tests.accounts.signing import a_player
from tock_league.accounts import bot_accounts
from tock_league.accounts.models import Player

from .calling import a_token, caller, code, fits

pytestmark = pytest.mark.django_db
READ = {"tables-list", "tables-detail", "play-state", "play-events", "asyncapi"}
SIGNED_IN = {"own-tables-list"}
WRITTEN = {
    "tables-quick", "tables-sit", "tables-stand", "tables-free", "tables-put-bot", "tables-remove-bot", "tables-begin",
    "tables-leave", "tables-again", "play-commands",
}  # fmt: skip
TABLES = READ | SIGNED_IN | WRITTEN
LIST, ROOM = "/api/v1/tables", "/api/v1/tables/{code}"
DEEDS = ("sit", "stand", "free", "put-bot", "remove-bot", "begin", "leave", "again")
KEYS = count()
BODY: dict[str, Any] = {"seat": 1, "fill": True, "rules": "shawinigan/1"}
KINDS = {"sit": "seat", "free": "seat", "put-bot": "seat", "remove-bot": "seat", "begin": "fill", "quick": "rules"}


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def martine() -> Player:
    return a_player("Martine Gélinas", "martine@example.org")


@pytest.fixture
def gilles() -> Player:
    return a_player("Gilles Trudel", "gilles@example.org")


class Caller:
    """A client that sends a new key with each deed, and judges each answer by the document."""

    def __init__(self, player: Player | None, scopes: tuple[str, ...] = ("read", "play")) -> None:
        self.client: Client = caller(player, scopes)

    def get(self, code: str = "") -> Any:
        answer = self.client.get(f"{LIST}/{code}" if code else LIST)
        fits(answer, ROOM if code else LIST)
        return answer

    def do(self, deed: str, code: str = "", body: Any = None) -> Any:
        place = "/".join(filter(None, (LIST, code, deed)))
        shown = "/".join(filter(None, (ROOM if code else LIST, deed)))
        kind = KINDS.get(deed, "")
        body = body if body is not None else {kind: BODY[kind]} if kind else {}
        headers = {"idempotency-key": f"key-{next(KEYS):08}"}
        answer = self.client.post(place, body, "application/json", headers=headers)
        fits(answer, shown, "post")
        return answer


def test_everybody_reads_and_only_a_token_that_may_play_writes(martine: Player, gilles: Player) -> None:
    opened = casual.open_table(by=Person(player_id=martine.pk), listed=True).code
    visitor, reads, plays = Caller(None), Caller(gilles, ("read",)), Caller(gilles)
    for who in (visitor, reads, plays):
        assert [one["code"] for one in who.get().json()["results"]] == [opened]
        assert who.get(opened).json()["my_seat"] is None
    assert code(visitor.client.get("/api/v1/me/tables")) == "not_authenticated"
    for deed in (*DEEDS, "quick", ""):
        at = opened if deed in DEEDS else ""
        assert code(visitor.do(deed, at)) == "not_authenticated", deed
        assert code(reads.do(deed, at)) == "token_scope", deed
    assert Seating.objects.count() == 1
    for deed in ("begin", "put-bot", "remove-bot", "free", "leave", "again"):
        assert code(plays.do(deed, opened)) == "not_allowed", deed
    assert plays.do("stand", opened).status_code == 200  # who does not sit has nothing to leave


def test_people_meet_play_and_leave_as_on_the_pages(martine: Player, gilles: Player) -> None:
    one, other = Caller(martine), Caller(gilles)
    made = one.do("", body={"rules": "shawinigan/1", "listed": True, "pace": "fast"})
    assert made.status_code == 201
    room = made.json()
    at = room["code"]
    assert (room["my_seat"], room["timed"], room["state"]) == (0, True, "waiting")
    assert other.do("sit", at, {"seat": 2}).json()["my_seat"] == 2
    assert other.do("sit", at, {"seat": 1}).json()["my_seat"] == 1
    assert code(other.do("sit", at, {"seat": 0})) == "taken"
    assert code(other.do("sit", at, {"seat": 7})) == "no_seat"
    assert code(other.do("begin", at, {})) == "empty_seats"
    assert other.do("put-bot", at, {"seat": 2}).json()["seats"][2]["is_bot"]
    assert not other.do("remove-bot", at, {"seat": 2}).json()["seats"][2]["is_bot"]
    assert code(one.do("free", at, {"seat": 1})) == "not_away"
    begun = one.do("begin", at, {"fill": True}).json()
    assert (begun["state"], begun["game"]) == ("playing", Game.objects.get().slug)
    assert [(t["code"], t["table"], t["kind"]) for t in one.client.get("/api/v1/me/tables").json()["results"]] == [
        (at, begun["table"], "casual")
    ]
    assert code(other.do("stand", at)) == "running"
    assert other.do("leave", at).json()["my_seat"] is None
    Game.objects.update(state=Game.State.OVER)
    Table.objects.update(state=Table.State.FINISHED)
    assert one.do("again", at, {"seats": "sides"}).json()["my_seat"] == 1
    assert one.do("stand", Caller(gilles).do("quick").json()["code"]).status_code == 200


def test_a_repeated_deed_opens_one_table(martine: Player) -> None:
    client = caller(martine)
    sent = [client.post(LIST, {}, "application/json", headers={"idempotency-key": "one-table-1"}) for _ in range(2)]
    assert sent[0].json() == sent[1].json()
    assert Table.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": 3}, "seats"),
        ({"rules": "nothing/1"}, "rules"),
        ({"pace": "never"}, "pace"),
        ({"rated": True}, "pace"),
        ({"level": "random"}, "level"),
        ({"seats": "four"}, "seats"),
        ({"rules": "x" * 61}, "rules"),
        ({"rounds": 5}, "rounds"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_field(martine: Player, body: Any, field: str) -> None:
    answer = Caller(martine).do("", body=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["field"] == field
    assert not Table.objects.exists()


def test_what_is_for_its_players_alone_tells_others_no_table(martine: Player, gilles: Player) -> None:
    at = Caller(martine).do("", body={"seated_only": True}).json()["code"]
    assert Caller(martine).get(at).json()["table"]
    assert Caller(gilles).get(at).json()["table"] == ""
    assert Caller(gilles).get().json()["results"] == []


def test_codes_cannot_be_guessed(martine: Player) -> None:
    client = Caller(None)
    answers = [client.get(f"aaa{number}") for number in range(62)]
    assert {code(answer) for answer in answers[:60]} == {"not_found"}
    assert code(answers[61]) == "rate"


def test_a_bot_account_sits_where_bots_may_and_says_what_it_is(martine: Player) -> None:
    bot = bot_accounts.make(by=martine, name="Tocard").player
    at = Caller(martine).do("", body={"listed": True}).json()["code"]
    room = Caller(bot).do("sit", at, {"seat": 2}).json()
    assert (room["seats"][2]["name"], room["seats"][2]["is_bot"]) == ("Tocard (bot)", True)
    rated = Caller(martine).do("", body={"rated": True, "pace": "normal", "touch": True}).json()["code"]
    assert code(Caller(bot).do("sit", rated, {"seat": 2})) == "rated_bot"
    listed = caller(bot).get("/api/v1/me").json()
    assert listed["player"]["name"] == "Tocard (bot)"


def test_lists_cost_as_many_queries_whatever_their_length(martine: Player, gilles: Player) -> None:
    client = caller(gilles)
    client.get("/api/v1/me")  # the use of the token is written once

    def counted(address: str) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        return len(answer.json()["results"]), len(queries)

    def more(number: int) -> None:
        for n in range(number):
            opened = casual.open_table(by=Person(guest_key=f"{n:032}"), name=f"Invité {n}", listed=True)
            Seating.objects.create(table=opened.table, seat=1, player=gilles)

    more(2)
    few = counted(LIST), counted("/api/v1/me/tables")
    more(8)
    many = counted(LIST), counted("/api/v1/me/tables")
    assert [rows for rows, _ in few] == [2, 2]
    assert [rows for rows, _ in many] == [10, 10]
    assert [queries for _, queries in many] == [queries for _, queries in few]


def test_a_token_is_told_apart_from_the_session(martine: Player) -> None:
    """A browser that is signed in and shows no CSRF token opens no table."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(a_token(martine).token.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.post(LIST, {}, "application/json", headers={"idempotency-key": "one-table-1"})
    assert code(answer) == "csrf"
