"""The HTTP twins: same bodies and codes as the socket, no caching, a guest at a practice table."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.fold import merge, view_hash
from games.models import Game, Table
from games.services import bots
from tock_league.accounts.models import User
from tock_league.common.transactions import writing


@pytest.fixture
def signed_in(sat_table: Any) -> Any:
    """Return a client signed in as the player of a seat of `sat_table`."""

    def sign_in(seat: int) -> Client:
        player = sat_table.players[seat]
        if player.user is None:
            with writing():
                player.user = User.objects.create(email=f"seat{seat}@example.org")
                player.save()
        client = Client()
        client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
        return client

    return sign_in


def post(client: Client, table: Table, **body: Any) -> Any:
    return client.post(f"/api/tables/{table.slug}/commands", json.dumps(body), content_type="application/json")


def command(turn: str, kind: str, **args: str) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "turn": turn, "kind": kind, "args": args}


def test_a_seat_gets_ready_over_http_and_reads_it_back(sat_table: Any, signed_in: Any) -> None:
    client = signed_in(1)
    body = command("0.1", "ready")
    answer = post(client, sat_table.table, **body)
    assert answer.status_code == 200
    assert answer.json() == {"t": "ack", "id": body["id"], "seq": 2}
    assert answer.headers["Cache-Control"] == "no-store"
    assert post(client, sat_table.table, **body).json() == {"t": "ack", "id": body["id"], "seq": 2, "dup": True}
    snap = client.get(f"/api/tables/{sat_table.table.slug}/snap").json()
    assert snap["view"]["ready"] == [False, True, False, False]
    assert snap["you"] == {"seat": 1, "role": "seat", "powers": ["play", "phrase", "resign", "dispute"]}
    assert snap["hash"] == view_hash(snap["view"])


def test_a_refusal_is_a_nak_with_its_code(sat_table: Any, signed_in: Any) -> None:
    body = command("0.1", "play", play="9C t0-t9")
    answer = post(signed_in(0), sat_table.table, **body)
    assert answer.status_code == 409
    assert answer.json() == {
        "t": "nak",
        "id": body["id"],
        "code": "frozen",
        "why": "not_dealt",
        "retry": False,
        "seq": 1,
    }


def test_a_visitor_has_no_seat(sat_table: Any) -> None:
    answer = post(Client(), sat_table.table, **command("0.1", "ready"))
    assert (answer.status_code, answer.json()["code"]) == (403, "auth")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", "frame"),
        (b"[]", "frame"),
        (b'{"id":1}', "kind"),
        (b'{"id":"x","turn":"0.1","kind":"ready"}', "id"),
        (b'{"id":"5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01","turn":"0.1","kind":"fly"}', "kind"),
        (b'{"id":"5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01","turn":"0.1","kind":"ready","seat":2}', "seat"),
        (b'{"id":"5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01","turn":"0.1","kind":"burn","args":{"card":"ZZ"}}', "card"),
        (b'{"id":"5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01","turn":"0.1","kind":"touch","args":{}}', "args"),
        (b'{"id":NaN}', "frame"),
        (b"[" * 3000, "frame"),
    ],
)
def test_a_bad_body_is_refused_with_its_field_and_rule(sat_table: Any, signed_in: Any, body: bytes, field: str) -> None:
    path = f"/api/tables/{sat_table.table.slug}/commands"
    answer = signed_in(0).post(path, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad_frame"
    assert answer.json()["error"]["field"] == field
    assert answer.json()["error"]["message"]


def test_a_body_that_is_too_large_is_refused(sat_table: Any, signed_in: Any) -> None:
    path = f"/api/tables/{sat_table.table.slug}/commands"
    assert signed_in(0).post(path, b" " * 5000, content_type="application/json").status_code == 413


def test_a_foreign_page_cannot_post(sat_table: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    assert post(client, sat_table.table, **command("0.1", "ready")).status_code == 403


def test_events_follow_the_view_held(sat_table: Any, signed_in: Any) -> None:
    client, path = signed_in(0), f"/api/tables/{sat_table.table.slug}/events"
    held = client.get(f"/api/tables/{sat_table.table.slug}/snap").json()
    sat_table.all_ready()
    sat_table.exchange()
    got = client.get(f"{path}?epoch=0&since={held['seq']}").json()
    assert got["t"] == "ev"
    assert got["from"] == held["seq"] + 1
    assert [event["seq"] for event in got["list"]] == list(range(held["seq"] + 1, sat_table.game.last_seq + 1))
    view = held["view"]
    for event in got["list"]:
        view = merge(view, event["set"])
    assert view_hash(view) == got["hash"]
    assert client.get(f"/api/tables/{sat_table.table.slug}/snap").json()["view"] == view
    beat = client.get(f"{path}?epoch=0&since={sat_table.game.last_seq}&wait=0").json()
    assert (beat["t"], beat["seq"], beat["hash"]) == ("hb", sat_table.game.last_seq, got["hash"])
    assert client.get(f"{path}?epoch=0&since=99999").json()["t"] == "snap"
    assert client.get(f"{path}?epoch=1&since=3").json()["t"] == "snap"
    assert client.get(f"{path}?since=-1").json()["error"]["field"] == "since"


def test_unknown_tables_and_games_are_not_found(client: Client, transactional_db: Any) -> None:
    for path in ("/api/tables/nothere/snap", "/api/tables/nothere/events", "/api/games/nothere/record"):
        assert client.get(path).status_code == 404
    assert post(client, Table(slug="nothere"), **command("0.1", "ready")).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_guest_plays_three_bots_from_the_seat_of_the_session_only() -> None:
    guest, stranger = Client(), Client()
    answer = guest.post(reverse("games:practice"))
    assert answer.status_code == 302
    table = Table.objects.get()
    assert answer.headers["Location"] == f"/tables/{table.slug}/"
    assert post(stranger, table, **command("0.1", "ready")).status_code == 403
    assert post(guest, table, **command("0.1", "ready")).status_code == 200
    bots.act_due()
    for _ in range(40):
        snap = guest.get(f"/api/tables/{table.slug}/snap").json()
        if legal := snap["view"].get("legal"):
            assert snap["you"]["seat"] == 0
            answer = post(guest, table, **command(snap["view"]["decision"], "play", play=legal[0]))
            assert answer.status_code == 200, answer.json()
        else:
            bots.act_due()
    game = Game.objects.get()
    plays = [row.body["seat"] for row in store.load(game.pk) if row.code == "play" and "seat" in row.body]
    assert set(plays) == {0, 1, 2, 3}
    seen = stranger.get(f"/api/tables/{table.slug}/snap").json()
    assert seen["you"]["role"] == "spectator"
    assert "hand" not in seen["view"]
    assert snap["clocks"] == {}


@pytest.mark.django_db(transaction=True)
def test_the_record_is_open_to_all_only_when_the_game_is_over(sat_table: Any, signed_in: Any) -> None:
    sat_table.all_ready()
    sat_table.exchange()
    path = f"/api/games/{sat_table.game.slug}/record"
    own, visitor = signed_in(2), Client()
    assert own.get(f"{path}?as=seat:2").status_code == 200
    for client, point in ((own, "seat:1"), (own, "all"), (visitor, "seat:2"), (visitor, "all")):
        assert client.get(f"{path}?as={point}").status_code == 403
    assert visitor.get(f"{path}?as=nobody").status_code == 400
    assert visitor.get(f"{path}?as=seat:9").status_code == 400
    assert visitor.get(f"{path}.jsonl").status_code == 403
    frames = visitor.get(f"{path}?as=spectator").json()["frames"]
    assert all("hand" not in json.dumps(frame) for frame in frames)

    sat_table.play_on()
    for point in ("seat:0", "seat:3", "spectator", "all"):
        frames = visitor.get(f"{path}?as={point}").json()["frames"]
        assert frames[0]["t"] == "snap"
        view = frames[0]["view"]
        for frame in frames[1:]:
            for event in frame["list"]:
                view = merge(view, event["set"])
            assert view_hash(view) == frame["hash"]
        assert view["result"]["reason"] == "played"
        assert ("hands" in view) == (point == "all")
    lines = [json.loads(line) for line in visitor.get(f"{path}.jsonl").content.decode().splitlines()]
    game = Game.objects.get()
    assert len(lines) == game.last_seq + 1
    assert lines[-1]["chain"] == game.chain


def test_the_table_page_carries_the_first_view_of_its_seat(sat_table: Any, signed_in: Any) -> None:
    sat_table.all_ready()
    page = signed_in(3).get(reverse("games:table", kwargs={"slug": sat_table.table.slug}))
    assert page.status_code == 200
    boot = page.context["boot"]
    assert (boot["seat"], boot["role"], boot["snap"]["you"]["seat"]) == (3, "seat", 3)
    assert len(boot["snap"]["view"]["hand"]) == 5
    assert page.headers["Cache-Control"] == "no-store"
    visitor = Client().get(reverse("games:table", kwargs={"slug": sat_table.table.slug}))
    assert visitor.context["boot"]["role"] == "spectator"
    assert "hand" not in visitor.context["boot"]["snap"]["view"]
    assert Client().get("/tables/nothere/").status_code == 404
