"""Casual tables in the hands of people who leave, press again, guess and pry."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import people
from games.models import Game, Seating, Table
from games.permissions import Person
from games.selectors import comments, own
from games.selectors import tables as table_reader
from games.services import casual, clocks
from tests.games.casual import (
    ANA,
    BEA,
    CLO,
    DAN,
    GUESTS,
    begun,
    full,
    opened,
    player,
    refusal,
    seats,
    send,
    sit,
    table_of,
)
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.persons import Person as PersonalData

pytestmark = pytest.mark.django_db
RATED: dict[str, Any] = {"rated": True, "pace": "fast", "touch": True}


def rated() -> tuple[str, list[Person]]:
    people = [player(name) for name in ("ana", "bea", "clo", "dan")]
    code = opened(by=people[0], **RATED)
    for seat, by in enumerate(people[1:], start=1):
        sit(code, seat, by)
    return code, people


def after(**span: float) -> Any:
    return clock.frozen(clock.now() + timedelta(**span))


# --- rated games that people leave


def test_a_rated_game_whose_people_do_not_come_binds_nobody_for_ever() -> None:
    code, people = rated()
    casual.begin(code, by=people[0])
    game = Game.objects.get()
    for seat in (0, 1, 2):
        assert not send(game, seat, people[seat], "ready").code
    with after(minutes=11):
        clocks.claim_due([game.pk])
    game.refresh_from_db()
    assert (game.state, game.reason, game.ranks) == ("over", "no_show", [0, 1])
    assert (game.rated, game.unrated_reason) == (False, "no_show")
    assert table_of(code).state == Table.State.FINISHED
    casual.stand(code, by=people[0])


def test_a_rated_rematch_to_which_nobody_comes_ends_too() -> None:
    code, people = rated()
    game = begun(code, by=people[0])
    send(game, 0, people[0], "resign")
    with after(hours=1):
        casual.again(code, by=people[0])
        again = Game.objects.latest("pk")
        assert clocks.claim_due([again.pk]) == 0
        with after(minutes=11):
            assert clocks.claim_due([again.pk]) == 1
    assert table_of(code).state == Table.State.CLOSED


def test_a_rated_game_that_its_people_leave_ends_by_the_clock() -> None:
    code, people = rated()
    game = begun(code, by=people[0])
    for _ in range(60):
        game.refresh_from_db()
        if game.state == Game.State.OVER:
            break
        assert game.due_at is not None
        with clock.frozen(game.due_at + timedelta(seconds=1)):
            clocks.claim_due([game.pk])
    assert (game.state, game.reason) == ("over", "forfeit_timeouts")
    assert table_of(code).state == Table.State.FINISHED


def test_an_unrated_clock_forfeits_no_game() -> None:
    game = begun(full(pace="fast"))
    for _ in range(60):
        game.refresh_from_db()
        if game.due_at is None:
            break
        with clock.frozen(game.due_at + timedelta(seconds=1)):
            clocks.claim_due([game.pk])
    assert game.state == Game.State.PLAYING


# --- a person's own games


def test_a_persons_results_stay_those_of_the_seat_that_was_played() -> None:
    code = full()
    game = begun(code)
    send(game, 0, ANA, "resign")  # Béa and Dan win
    assert [one.outcome for one in own.casual_games(BEA)] == ["win"]
    casual.again(code, by=ANA, seats="sides")
    assert [one.outcome for one in own.casual_games(BEA)] == ["win"]
    assert [one.outcome for one in own.casual_games(ANA)] == ["loss"]
    assert [figure.won for figure in own.casual_figures(BEA)] == [1]


def test_who_stands_up_keeps_the_game_and_who_sits_down_later_does_not_get_it() -> None:
    code = full()
    send(begun(code), 0, ANA, "resign")
    casual.stand(code, by=DAN)
    sit(code, 3, GUESTS[4])
    assert own.casual_count(DAN) == 1
    assert own.casual_count(GUESTS[4]) == 0


def test_the_pages_of_a_game_name_those_who_played_it() -> None:
    code = opened()
    sit(code, 2, BEA)
    game = begun(code, fill=True)
    sit(code, 1, CLO)
    casual.leave(code, by=CLO)
    assert names(game) == ["Ana", "", "Béa", ""]
    send(game, 0, ANA, "resign")
    game.refresh_from_db()
    casual.again(code, by=ANA, seats="sides")
    assert names(game) == ["Ana", "", "Béa", ""]  # Clo's name went with the seat
    end = Client(headers={"accept-language": "en"}).get(reverse("pages:game_end", args=[game.slug]))
    replay = Client(headers={"accept-language": "en"}).get(reverse("games:replay", args=[game.slug]))
    assert end.context["who"]["names"] == replay.context["boot"]["names"] == ["Ana", "", "Béa", ""]
    assert [bool(bot) for bot in replay.context["boot"]["bots"]] == [False, False, False, True]


def test_the_export_of_a_person_holds_the_games_that_were_played() -> None:
    ana, bea = player("ana"), player("bea")
    code = opened(by=ana)
    game = begun(code, by=ana, fill=True)
    send(game, 0, ana, "resign")
    casual.stand(code, by=ana)
    sit(code, 0, bea)
    for who, found in ((ana, [game.pk]), (bea, [])):
        asked = PersonalData(None, Player.objects.get(pk=who.player_id))
        assert [one.pk for one in people.finished_games(asked)] == found


def names(game: Game) -> list[str]:
    return [seat.name for seat in table_reader.players_of(game)]


def test_an_empty_seat_moves_no_name_to_another() -> None:
    code = full()
    game = begun(code)
    send(game, 0, ANA, "resign")
    casual.stand(code, by=BEA)
    assert [seat.name for seat in table_reader.seats_of(game.table_id)] == ["Ana", "", "Clo", "Dan"]
    boot = Client(headers={"accept-language": "en"}).get(reverse("games:table", args=[game.table.slug])).context["boot"]
    assert boot["names"] == ["Ana", "", "Clo", "Dan"]


# --- three seats


def test_a_rematch_gives_nobody_a_fourth_seat() -> None:
    codes = []
    for _ in range(2):
        code = opened()
        sit(code, 2, BEA)
        send(begun(code, fill=True), 0, ANA, "resign")
        codes.append(code)
    more = [opened() for _ in range(3)]
    assert refusal(lambda: casual.again(codes[0], by=ANA))[0] == "three_seats"
    assert refusal(lambda: casual.begin(codes[0], by=ANA))[0] == "three_seats"
    casual.again(codes[0], by=BEA)  # Ana's seat is free again: she sits at three others
    assert (seats(codes[0])[0], table_of(codes[0]).state) == ("-", Table.State.OPEN)
    casual.stand(more[0], by=ANA)
    casual.again(codes[1], by=ANA)
    assert Game.objects.filter(table__casual__code=codes[1]).count() == 2


def test_the_last_seat_of_a_quick_table_begins_the_game_however_it_is_taken() -> None:
    code = casual.quick_seat(by=ANA, name="Ana").code
    for seat, by in ((1, BEA), (2, CLO), (1, BEA), (3, DAN)):
        assert not Game.objects.exists()
        sit(code, seat, by)
    assert Game.objects.get().state == Game.State.SEATING


# --- pages


def guest(by: Person) -> Client:
    client = Client(headers={"accept-language": "en"})
    session = client.session
    session["table_guest"] = by.guest_key
    session.save()
    return client


def test_a_refusal_leaves_a_page_that_can_be_loaded_again() -> None:
    code = full()
    client = guest(GUESTS[4])
    room = reverse("games:room", args=[code])
    for deed in ("sit", "begin", "again"):
        assert client.get(reverse("games:room_deed", args=[code, deed])).url == room
    assert client.get(reverse("games:quick_seat")).url == reverse("pages:play")


def test_codes_cannot_be_guessed_by_deeds_or_after_the_limit() -> None:
    code = opened()
    client = Client(headers={"accept-language": "en"})
    with clock.frozen(clock.now()):
        found = [client.post(reverse("games:room_deed", args=[f"zzz{n:03}", "begin"])).status_code for n in range(61)]
        assert found[-2:] == [404, 429]
        assert client.get(reverse("games:join"), {"code": code}).status_code == 429
        assert client.get(reverse("games:room", args=[code])).status_code == 429
        assert client.post(reverse("games:room_deed", args=[code, "begin"])).status_code == 429
        assert guest(ANA).get(reverse("games:room", args=[code])).status_code == 200  # who sits there knows it


def test_a_name_that_is_kept_is_no_longer_than_names_are() -> None:
    code = opened()
    client = guest(ANA)
    client.post(reverse("games:room_deed", args=[code, "sit"]), {"seat": "1", "name": "x" * 100_000})
    assert len(client.session["table_guest_name"]) <= 20


@pytest.mark.both_databases
@pytest.mark.parametrize("value", ["9" * 30, "\0", "²", "-1", "\ud800".encode("utf-8", "replace").decode()])
def test_filters_and_codes_that_are_none_match_nothing(value: str) -> None:
    client = Client(headers={"accept-language": "en"})
    for name in ("rules", "seats", "rated", "touch"):
        assert client.get(reverse("pages:play"), {name: value}).status_code == 200
    assert client.get(reverse("games:join"), {"code": value}).status_code == 404
    host = guest(ANA)
    assert host.post(reverse("games:room_deed", args=[opened(), "invite"]), {"player": value}).status_code == 422
    for field in ("seat", "player", "rules", "name"):
        answer = client.post(reverse("games:room_deed", args=[opened(by=BEA), "invite"]), {field: value})
        assert answer.status_code in (403, 422)
        assert client.post(reverse("games:quick_seat"), {"name": "Ana"} | {field: value}).status_code in (302, 422)
        Seating.objects.all().delete()


# --- tables for those who play


@pytest.mark.django_db(transaction=True)
def test_a_finished_game_of_a_closed_circle_is_seen_by_those_who_played_it() -> None:
    code = full(seated_only=True)
    game = begun(code)
    send(game, 0, ANA, "resign")
    casual.stand(code, by=DAN)
    sit(code, 3, GUESTS[4])
    for who, status in ((ANA, 200), (DAN, 200), (GUESTS[4], 404), (GUESTS[5], 404)):
        client = guest(who)
        for name in ("replay", "record", "export", "analysis"):
            assert (name, client.get(reverse(f"games:{name}", args=[game.slug])).status_code) == (name, status)
        assert client.get(reverse("pages:game_end", args=[game.slug])).status_code == status


def test_comments_are_for_those_who_played_that_game() -> None:
    ana, bea = player("ana"), player("bea")
    code = casual.open_table(by=ana).code
    sit(code, 1, CLO)
    sit(code, 2, DAN)
    sit(code, 3, GUESTS[4])
    game = begun(code, by=ana)
    send(game, 0, ana, "resign")
    game.refresh_from_db()
    casual.stand(code, by=ana)
    casual.sit(code, 0, by=bea)
    found = {by.player_id: comments.may_write(game, Player.objects.get(pk=by.player_id)) for by in (ana, bea)}
    assert found == {ana.player_id: True, bea.player_id: False}
