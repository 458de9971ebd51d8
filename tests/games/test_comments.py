"""Comments at the plays of a finished game: who writes, reads and deletes them, and what is refused."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games import people
from games.models import Game, PlayComment
from games.selectors import alternatives, plays
from games.selectors import comments as reader
from games.services import comments
from tests.accounts.signing import a_player
from tests.games.conftest import Sat
from tock_league.accounts.models import BirthYear, Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, give_role
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.persons import Leaving, Person
from tock_league.common.transactions import writing

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def a_play(game: Game, number: int = 6) -> int:
    return plays.by_seats(game.pk)[number]


def written(over: Sat, seat: int = 1, text: str = "I should have kept the king.", **more: Any) -> PlayComment:
    return comments.write(
        by=over.players[seat], game=over.game, seq=more.pop("seq", a_play(over.game)), text=text, **more
    )


def stranger(name: str = "Océane") -> Player:
    with writing():
        return create_player(display_name=name)


def test_a_player_of_the_game_writes_and_everybody_who_sees_the_replay_reads(over: Sat, client: Client) -> None:
    seq = a_play(over.game)
    line = next(line for line in alternatives.of_play(over.game, seq))
    written(over, 1, "  Two\n lines  & “signs” ", line=line)
    address = client.get(reverse("games:replay", args=[over.game.slug])).context["boot"]["comments"]
    found = client.get(address).json()
    [one] = found["comments"]
    assert found["may_write"] is False
    assert {key: one[key] for key in ("seq", "name", "seat", "text", "line", "removable")} == {
        "seq": seq, "name": "Gilles", "seat": 1, "text": "Two lines & “signs”", "line": line, "removable": False,
    }  # fmt: skip


def test_nobody_else_writes(over: Sat) -> None:
    admin = stranger("Chantal")
    give_role(player=admin, name="administrator", by=SITE)
    for other in (stranger(), admin):
        with pytest.raises(NotAllowed):
            comments.write(by=other, game=over.game, seq=a_play(over.game), text="Good.")
    assert not PlayComment.objects.exists()


def test_nothing_is_written_while_the_match_goes_on(open_table: Any) -> None:
    """After the first of three games the partners play on: a comment could tell something."""
    sat = open_table(best_of=3)
    sat.begin()
    first = sat.game
    sat.play_on(6)
    with pytest.raises(Conflict, match="running"):
        comments.write(by=sat.players[0], game=first, seq=a_play(first, 0), text="Look!")
    assert not sat.send(min(sat.state.to_act), "resign").code
    first.refresh_from_db()
    assert first.state == "over"
    with pytest.raises(Conflict, match="running"):
        comments.write(by=sat.players[0], game=first, seq=a_play(first, 0), text="Look!")
    assert reader.may_write(first, sat.players[0]) is False
    with pytest.raises(NotAllowed):
        alternatives.of_play(sat.game, 1)


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"text": " \n "}, "blank", "text"),
    ({"text": "x" * 501}, "too_long", "text"),
    ({"text": "<script>alert(1)</script>"}, "markup", "text"),
    ({"text": "turn\u202eed round"}, "control_characters", "text"),
    ({"seq": 1}, "no_play", "seq"),
    ({"seq": 99_999}, "no_play", "seq"),
    ({"line": "KS out and in"}, "no_alternative", "line"),
    ({"line": "x" * 400}, "no_alternative", "line"),
]


def test_bad_input_is_refused_by_field_and_rule(over: Sat) -> None:
    for wrong, code, field in WRONG:
        with pytest.raises(Refused) as refused:
            written(over, **wrong)
        assert (refused.value.code, refused.value.field) == (code, field)
    assert not PlayComment.objects.exists()


def test_flooding_ends(over: Sat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comments, "PER_GAME", 2)
    mine = [written(over), written(over)]
    with pytest.raises(Refused, match="too_many"):
        written(over)
    written(over, seat=2)  # another one is not counted for it
    comments.remove(by=over.players[1], comment=mine[0])
    monkeypatch.setattr(comments, "PER_DAY", 2)
    cache.clear()
    comments.remove(by=over.players[1], comment=mine[1])
    written(over), written(over)
    monkeypatch.setattr(comments, "PER_GAME", 9)
    with pytest.raises(Refused) as refused:
        written(over)
    assert (refused.value.code, refused.value.status) == ("too_many_today", 429)


def test_a_child_writes_with_the_consent_of_a_guardian_only(over: Sat) -> None:
    BirthYear.objects.create(player=over.players[1], year=clock.now().year - 9, told_at=clock.now())
    with pytest.raises(Refused, match="consent_missing"):
        written(over)


def test_the_writer_and_the_staff_of_the_writers_club_delete(over: Sat) -> None:
    author, officer, other = over.players[1], stranger("Lise"), stranger("Yvon")
    club = clubs.found_club(by=officer, name="Club de tock", town="Shawinigan")
    clubs.join(by=author, club=club)
    for by in (other, over.players[0]):
        with pytest.raises(NotAllowed):
            comments.remove(by=by, comment=written(over))
    assert [one["removable"] for one in reader.of_game(over.game, officer)] == [True, True]
    for by in (author, officer):
        comments.remove(by=by, comment=PlayComment.objects.first())  # type: ignore[arg-type]
    assert not PlayComment.objects.exists()


def test_an_erased_account_takes_its_comments_along_and_its_name_out_of_those_of_others(over: Sat) -> None:
    written(over, 1, "My own words.")
    kept = written(over, 2, "Gilles played that well.")
    with writing():
        people.forget(Leaving(Person(player=over.players[1]), "Joueur 8F3", clock.now()))
    assert list(PlayComment.objects.values_list("pk", "text")) == [(kept.pk, "Joueur 8F3 played that well.")]


def test_by_http_a_player_writes_and_deletes_and_bad_bodies_are_refused(over: Sat, client: Client) -> None:
    login = a_player("Maud", "maud@example.org").user
    Player.objects.filter(user=login).update(user=None)
    Player.objects.filter(pk=over.players[3].pk).update(user=login)
    address, seq = reverse("games:comments", args=[over.game.slug]), a_play(over.game)

    def post(body: Any, to: str = address) -> Any:
        text = body if isinstance(body, str) else json.dumps(body)
        return client.post(to, text, content_type="application/json", headers=ENGLISH)

    assert post({"seq": seq, "text": "Hello"}).status_code == 403
    client.force_login(login)
    for wrong, status, field in (
        ("{", 400, "text"),
        ("[" * 3000, 400, "text"),
        ([], 400, "text"),
        ({"seq": True, "text": "x"}, 400, "seq"),
        ({"seq": seq, "text": None}, 400, "text"),
        ({"seq": seq, "text": "x", "line": 3}, 400, "line"),
        ({"seq": seq, "text": "x", "by": 1}, 400, "text"),
        ({"seq": seq, "text": "x" * 5000}, 413, "text"),
        ({"seq": seq, "text": "<b>x</b>"}, 422, "text"),
    ):
        answer = post(wrong)
        assert (answer.status_code, answer.json()["error"]["field"]) == (status, field), wrong
    [one] = post({"seq": seq, "text": "I had <3 good cards"}).json()["comments"]
    assert one["removable"] is True
    remove = reverse("games:remove_comment", args=[over.game.slug, one["id"]])
    assert post("", remove).json() == {"comments": [], "may_write": True}
    assert post("", remove).status_code == 404


def test_what_else_could_be_played_is_told_for_finished_games(over: Sat, client: Client) -> None:
    address = reverse("games:alternatives", args=[over.game.slug])
    seq = a_play(over.game)
    found = client.get(address, {"seq": seq}).json()
    row = next(
        row for row in __import__("games.selectors.replays", fromlist=["rows"]).rows(over.game) if row.seq == seq
    )
    assert row.body["play"] in found["plays"]
    assert client.get(address, {"seq": 1}).json()["plays"] == []
    for bad in ("", "x", "-1", "9" * 30, "²"):
        assert client.get(address, {"seq": bad}).status_code == 400
