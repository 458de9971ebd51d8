"""Refusals at tables of four and eight seats, by role, seat and notation; a refusal never changes the record."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.fold import SPECTATOR, Viewer, view
from games.models import Game, Table
from games.permissions import BOT, NOBODY, Person
from games.services import referee, tables
from tests.competitions.world import a_signed_up_player

from .conftest import Sat
from .every_table import fix_deals, open_game, people, play_whole

pytestmark = pytest.mark.django_db
EIGHT = ("tock/1", 8, 4, False)


@pytest.fixture(autouse=True)
def the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_deals(monkeypatch)


@pytest.fixture
def eight() -> Sat:
    """Eight people at a table of four pairs, dealt and exchanged."""
    players = people(8)
    sat = Sat(open_game(EIGHT, players).table, players)
    sat.all_ready()
    sat.exchange()
    return sat


def test_nobody_acts_from_the_seat_of_another(eight: Sat) -> None:
    turn = min(eight.state.to_act)
    line = view(eight.state, Viewer(turn))["legal"][0]
    seq = eight.game.last_seq
    others = [eight.person(seat) for seat in range(8) if seat != turn]
    for by in (*others, NOBODY, BOT, Person(guest_key="x"), Person(player_id=0)):
        assert eight.send(turn, "play", by=by, play=line).code == "seat_lost"
    for seat in range(8):
        if seat != turn:
            assert eight.send(seat, "play", play=line).code == "not_your_turn"
    for seat in (8, -1, 99):
        assert eight.send(seat, "play", by=eight.person(0), play=line).code == "seat_lost"
    assert eight.game.last_seq == seq


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("throw", None),
        ("KD t7-x7", None),
        ("KD x7-t25", None),
        ("JK out", None),
        ("7C t1-t2 t3-t4 t5-t6 t7-t8 t9-t10", None),
        ("deck " + "AS " * 40, "chance"),
        ("blind AS", "chance"),
        ("give AS", "no_exchange"),
        ("burn ZZ", None),
        ("KD t144-t157", None),
        ("9C h1-h5", None),
        ("", None),
        ("\u2028", None),
    ],
)
def test_a_line_that_is_not_legal_is_refused(eight: Sat, line: str, why: str | None) -> None:
    seat = min(eight.state.to_act)
    seq, chain = eight.game.last_seq, eight.game.chain
    answer = eight.send(seat, "play", play=line)
    assert answer.code == "illegal"
    assert why in (None, answer.why)
    assert (eight.game.last_seq, eight.game.chain) == (seq, chain)


def test_a_seat_that_has_finished_plays_no_more() -> None:
    players = people(4)
    sat = Sat(open_game(("tock/1", 4, 4, True), players).table, players)
    play_whole(sat.game, stop=140)
    while not view(sat.state, SPECTATOR).get("finished"):
        play_whole(sat.game, stop=20)
    (home, *_rest) = view(sat.state, SPECTATOR)["finished"]
    seq = sat.game.last_seq
    for kind, args in (("play", {"play": "burn 2S"}), ("play", {"play": "AS out"}), ("burn", {"card": "2S"})):
        assert sat.send(home, kind, **args).code == "not_your_turn"
    assert sat.send(home, "touch", card="2S").code == "not_your_turn"
    assert sat.send(home, "resign").why == "finished"
    assert sat.game.last_seq == seq
    assert view(sat.state, Viewer(home))["hand"] == []
    assert "legal" not in view(sat.state, Viewer(home))


def test_a_repeated_click_and_a_second_click_in_the_same_turn_change_nothing(eight: Sat) -> None:
    turn, decision = min(eight.state.to_act), eight.state.decision_id
    legal = view(eight.state, Viewer(turn))["legal"]
    one = str(uuid.uuid4())
    first = eight.send(turn, "play", id=one, turn=decision, play=legal[0])
    again = eight.send(turn, "play", id=one, turn=decision, play=legal[0])
    other = eight.send(turn, "play", turn=decision, play=legal[-1])
    assert (first.code, again.dup, again.seq) == ("", True, first.seq)
    assert other.code == "stale_turn"
    assert eight.send(turn, "play", id=one, turn=decision, play="throw").code == "id_reused"


@pytest.mark.django_db(transaction=True)  # the views read in their own threads
class TestByRole:
    @pytest.fixture
    def practice(self) -> Table:
        return tables.open_practice(guest_key="the guest", rules="tock/1", seats=8, teams=8, full_ranking=True)

    def post(self, client: Client, table: Table, kind: str, **args: str) -> Any:
        body = {"id": str(uuid.uuid4()), "turn": "0.1", "kind": kind, "args": args}
        return client.post(
            reverse("games:commands", args=[table.slug]), json.dumps(body), content_type="application/json"
        )

    def guest(self, key: str) -> Client:
        client = Client()
        session = client.session
        session["table_guest"] = key
        session.save()
        return client

    def test_only_the_holder_of_the_seat_may_send_commands(self, practice: Table) -> None:
        signed_in = Client()
        player = a_signed_up_player("sylvie@example.org", "Sylvie")
        signed_in.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
        for client in (Client(), signed_in, self.guest("another guest")):
            answer = self.post(client, practice, "ready")
            assert (answer.status_code, answer.json()["code"]) == (403, "auth")
        assert self.post(self.guest("the guest"), practice, "ready").json()["t"] == "ack"

    def test_at_eight_seats_a_hand_is_shown_to_its_holder_alone(self, eight: Sat) -> None:
        judging = a_signed_up_player("rosalie@example.org", "Rosalie")
        referee.appoint(table_id=eight.table.pk, roles=[(judging.pk, "referee")])
        slug, game = eight.table.slug, eight.game.slug
        visitor = Client()
        boot = visitor.get(reverse("games:table", args=[slug])).context["boot"]
        assert (boot["role"], boot["seat"]) == ("spectator", None)
        assert "hand" not in boot["snap"]["view"]
        judge = Client()
        judge.force_login(judging.user, backend="allauth.account.auth_backends.AuthenticationBackend")
        boot = judge.get(reverse("games:table", args=[slug])).context["boot"]
        assert (boot["role"], boot["seat"]) == ("referee", None)
        assert "hand" not in boot["snap"]["view"]
        for client, own in ((visitor, 403), (judge, 200)):
            for point, status in (
                ("seat:7", 403),
                ("seat:8", 400),
                ("seat:-1", 400),
                ("seat:٣", 400),
                ("referee", own),
                ("all", 403),
            ):
                answer = client.get(reverse("games:record", args=[game]), {"as": point})
                assert answer.status_code == status, point
                if status == 200:
                    assert all(
                        "hand" not in item["set"] for frame in answer.json()["frames"][1:] for item in frame["list"]
                    )
            assert client.get(reverse("games:export", args=[game])).status_code == 403

    def test_after_the_end_anybody_may_replay_from_any_seat(self, eight: Sat) -> None:
        play_whole(eight.game)
        game = Game.objects.get(pk=eight.game.pk)
        frames = Client().get(reverse("games:record", args=[game.slug]), {"as": "seat:7"}).json()["frames"]
        assert frames[-1]["list"][0]["seq"] == game.last_seq
        held: set[str] = set()
        for frame in frames[1:]:
            held |= set(frame["list"][0]["set"].get("hand") or ())
        assert held
