"""Pages of casual tables: the form, the room as each person sees it, deeds, codes, and "Play"."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import CasualTable, Game, Seating, Table
from games.services import casual
from tests.competitions.world import a_signed_up_player
from tests.documents import squeezed
from tests.games.casual import ANA, BEA, CLO, DAN, begun, full, opened, seats, send
from tock_league.common import clock

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def get(client: Client, address: str, **more: Any) -> Any:
    return client.get(address, headers=ENGLISH, **more)


def post(client: Client, address: str, **fields: str) -> Any:
    return client.post(address, fields, headers=ENGLISH)


def do(client: Client, code: str, deed: str, **fields: str) -> Any:
    return post(client, reverse("games:room_deed", args=[code, deed]), **fields)


def text(answer: Any) -> str:
    return squeezed(answer.content.decode())


def test_an_empty_form_opens_an_unrated_table_of_the_site_s_main_game(client: Client) -> None:
    answer = post(client, reverse("games:casual_new"), name="Ana")
    table = Table.objects.get()
    assert answer.url == reverse("games:room", args=[table.casual.code])
    assert (table.kind, table.rules, table.seats, table.touch, table.rated) == (
        "casual",
        "shawinigan/1",
        4,
        False,
        False,
    )
    assert (table.clocks, table.seated_only, table.casual.listed) == (None, False, False)
    page = text(get(client, answer.url))
    assert table.casual.code.upper() in page
    assert "Ana" in page
    # The name is kept: the next table does not ask for it again.
    assert 'value="Ana"' in text(get(client, reverse("games:casual_new")))


def test_every_choice_of_the_form_reaches_the_table(client: Client) -> None:
    client.force_login(a_signed_up_player("ana@example.org").user, backend=BACKEND)
    fields = {"rules": "toc/1", "table": "4-2", "pace": "slow", "touch": "on", "rated": "on", "watch": "nobody",
              "level": "novice", "rounds": "0"}  # fmt: skip
    assert post(client, reverse("games:casual_new"), **fields).status_code == 302
    table = Table.objects.get()
    assert (table.rules, table.rated, table.seated_only, table.casual.listed) == ("toc/1", True, True, False)
    assert (table.clocks["bank_s"], table.casual.level) == (900, "novice")
    assert post(client, reverse("games:casual_new"), **(fields | {"watch": "all"})).status_code == 302
    table = Table.objects.latest("pk")
    assert (table.seated_only, table.casual.listed) == (False, True)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "<script>"}, "name"),
        ({"pace": "brisk"}, "pace"),
        ({"rules": "chess/1"}, "rules"),
        ({"watch": "spies"}, "watch"),
        ({"level": "genius"}, "level"),
        ({"rules": "tractor/1", "table": "8-2"}, "table"),
    ],
)
def test_a_wrong_choice_is_named_at_its_field_and_opens_nothing(
    client: Client, fields: dict[str, str], field: str
) -> None:
    answer = post(client, reverse("games:casual_new"), **({"name": "Ana"} | fields))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Table.objects.exists()
    assert "<script>" not in answer.content.decode().partition("<main")[2].partition("</main")[0].replace("&lt;", "")


def test_a_guest_cannot_ask_for_a_rated_table(client: Client) -> None:
    assert (
        post(client, reverse("games:casual_new"), name="Ana", rated="on", pace="normal", touch="on").status_code == 302
    )
    assert not Table.objects.get().rated


def test_people_sit_by_the_link_and_see_who_is_there() -> None:
    host, friend = Client(), Client()
    code = CasualTable.objects.get(table__slug=_opened_by(host)).code
    page = text(get(friend, reverse("games:room", args=[code])))
    assert "Sit here" in page
    assert "Begin" not in page
    assert do(friend, code, "sit", seat="2", name="Béa").status_code == 302
    assert seats(code) == ["Ana", "-", "Béa", "-"]
    answer = do(Client(), code, "sit", seat="2", name="Clo")
    assert answer.status_code == 409
    assert "Somebody else sits there" in text(answer)
    answer = do(Client(), code, "sit", seat="1", name="ANA")
    assert answer.status_code == 422
    assert "has that name" in text(answer)
    assert 'value="ANA"' in text(answer)  # nothing that was typed is lost
    answer = do(host, code, "begin", fill="on")
    assert answer.url == reverse("games:table", args=[Table.objects.get().slug])
    # The other page goes to the table by itself; for somebody else the room offers the bots' seats, and to watch.
    assert f'data-go="{answer.url}"' in text(get(friend, reverse("games:room", args=[code])))
    page = text(get(Client(), reverse("games:room", args=[code])))
    assert "data-go" not in page
    assert page.count("Sit here") == 2
    assert answer.url in page
    assert get(host, answer.url).context["boot"]["kind"] == "casual"


def _opened_by(client: Client, **fields: str) -> str:
    post(client, reverse("games:casual_new"), **({"name": "Ana"} | fields))
    return Table.objects.latest("pk").slug


def test_a_table_without_a_game_leads_to_its_room(client: Client) -> None:
    slug = _opened_by(client)
    answer = get(client, reverse("games:table", args=[slug]))
    assert answer.url == reverse("games:room", args=[CasualTable.objects.get().code])
    assert get(client, reverse("games:snap", args=[slug])).status_code == 404
    assert get(client, "/").context["running_tables"][0].slug == slug


def test_a_code_is_typed_in_any_way_and_an_unknown_one_is_said(client: Client) -> None:
    code = opened()
    answer = get(client, reverse("games:join"), data={"code": f" {code[:3].upper()} {code[3:]} "})
    assert answer.url == reverse("games:room", args=[code])
    answer = get(client, reverse("games:join"), data={"code": "zzzzzz"})
    assert answer.status_code == 404
    assert "No table has this code" in text(answer)
    assert get(client, reverse("games:room", args=["zzzzzz"])).status_code == 404
    assert do(client, "zzzzzz", "sit", seat="0", name="Ana").status_code == 404
    assert do(client, code, "dance").status_code == 404


def test_codes_that_are_guessed_and_tables_opened_in_a_loop_are_bounded(client: Client) -> None:
    with clock.frozen(clock.now()):
        answers = [get(client, reverse("games:join"), data={"code": f"zzzz{number:02d}"}) for number in range(61)]
        assert [answer.status_code for answer in answers[-2:]] == [404, 429]
        answers = [post(Client(), reverse("games:casual_new"), name=f"Ana {number}") for number in range(31)]
    assert [answer.status_code for answer in answers[-2:]] == [302, 429]
    assert Table.objects.count() == 30


def test_every_deed_of_a_stranger_is_refused_and_changes_nothing(client: Client) -> None:
    code = full()
    before = seats(code)
    for deed in ("free", "bot", "no-bot", "begin", "leave", "again"):
        answer = do(client, code, deed, seat="1", fill="on")
        assert (deed, answer.status_code) == (deed, 403)
        assert "Only those who sit at this table" in text(answer)
    assert do(client, code, "stand").status_code == 302  # there is nothing to stand up from
    assert (seats(code), Game.objects.count()) == (before, 0)
    for value in ("", "-1", "9", "two", "1" * 20, "²"):
        assert do(client, code, "sit", seat=value, name="Eve").status_code == 422


@pytest.mark.django_db(transaction=True)
def test_the_table_for_its_seats_only_is_not_there_for_others(client: Client) -> None:
    game = begun(full(seated_only=True))
    send_end(game)
    for name, slug in (
        ("table", game.table.slug), ("snap", game.table.slug), ("events", game.table.slug), ("replay", game.slug),
        ("record", game.slug), ("export", game.slug), ("analysis", game.slug),
    ):  # fmt: skip
        assert (name, get(client, reverse(f"games:{name}", args=[slug])).status_code) == (name, 404)
    session = client.session
    session["table_guest"] = ANA.guest_key
    session.save()
    for name, slug in (
        ("table", game.table.slug),
        ("snap", game.table.slug),
        ("replay", game.slug),
        ("record", game.slug),
    ):
        assert (name, get(client, reverse(f"games:{name}", args=[slug])).status_code) == (name, 200)


def send_end(game: Game) -> None:
    assert not send(game, 0, ANA, "resign").code
    game.refresh_from_db()


def test_after_the_game_those_who_sit_are_offered_a_rematch(client: Client) -> None:
    code = full()
    game = begun(code)
    send_end(game)
    for who, offered in ((ANA, True), (None, False)):
        visitor = Client()
        if who is not None:
            session = visitor.session
            session["table_guest"] = who.guest_key
            session.save()
        page = text(get(visitor, reverse("games:room", args=[code])))
        assert ("Rematch, sides changed" in page) == offered
        assert reverse("games:replay", args=[game.slug]) in page
        boot = get(visitor, reverse("games:table", args=[game.table.slug])).context["boot"]
        assert bool(boot["again"]) == offered
        assert boot["back"] == reverse("games:room", args=[code])


def test_play_lists_the_ways_open_tables_and_games(client: Client) -> None:
    page = text(get(client, reverse("pages:play")))
    assert "No table waits at the moment" in page
    code = opened(listed=True)
    casual.quick_seat(by=BEA, name="Béa")
    begun(watched(), by=CLO)
    page = text(get(client, reverse("pages:play")))
    assert reverse("games:room", args=[code]) in page
    assert "3 of 4 seats free" in page
    assert page.count("watch-board") == 1
    page = text(get(client, reverse("pages:play"), data={"rules": "toc/1"}))
    assert reverse("games:room", args=[code]) not in page


def watched() -> str:
    code = opened(by=CLO, listed=True)
    casual.sit(code, 2, by=DAN, name="Dan")
    for seat in (1, 3):
        casual.put_bot(code, seat, by=CLO)
    return code


def test_quick_seat_asks_a_guest_for_a_name_and_seats_a_member(client: Client) -> None:
    answer = post(client, reverse("games:quick_seat"), rules="shawinigan/1")
    assert answer.status_code == 422
    assert "Give a name" in text(answer)
    assert not Table.objects.exists()
    assert post(client, reverse("games:quick_seat"), rules="chess/9", name="Ana").status_code == 422
    answer = post(client, reverse("games:quick_seat"), rules="shawinigan/1", name="Ana")
    assert answer.url == reverse("games:room", args=[CasualTable.objects.get().code])
    member = Client()
    member.force_login(a_signed_up_player("bea@example.org").user, backend=BACKEND)
    assert post(member, reverse("games:quick_seat"), rules="shawinigan/1").url == answer.url


def test_the_room_notes_that_its_people_are_there(client: Client) -> None:
    code = CasualTable.objects.get(table__slug=_opened_by(client)).code
    later = clock.now() + timedelta(minutes=1)
    with clock.frozen(later):
        get(client, reverse("games:room", args=[code]))
    assert Seating.objects.get().seen_at == later
