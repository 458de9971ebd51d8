"""A person's own tables and practice games: by login, or by the key of a guest's session, and nobody else's."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import Game, Seating, Table
from games.permissions import GUEST_KEY, NOBODY, Person
from games.selectors import own
from games.services import bots, play, tables
from tests.competitions.world import a_signed_up_player
from tock_league.accounts.models import Player
from tock_league.common import clock

pytestmark = pytest.mark.django_db
GUEST = Person(guest_key="a" * 32)
ENGLISH = {"accept-language": "en"}
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def opened(person: Person = GUEST, *, begun: bool = True, rules: str = "shawinigan/1") -> Game:
    """Return the game of a new practice table of `person`."""
    player = Player.objects.get(pk=person.player_id) if person.player_id else None
    game = tables.open_practice(player=player, guest_key=person.guest_key, rules=rules).games.get()
    return begin(game, person) if begun else game


def begin(game: Game, person: Person) -> Game:
    """Let bots and person sit down, and the cards be dealt."""
    while bots.act_due():
        pass
    send(game, person, "ready")
    game.refresh_from_db()
    assert game.state == Game.State.PLAYING
    return game


def send(game: Game, person: Person, kind: str) -> None:
    answer = play.submit(
        game_id=game.pk, seat=0, command_id=f"{kind}-{game.pk}", turn="0.0", kind=kind, args={}, by=person
    )
    assert not answer.code, answer


def finished(person: Person = GUEST, **more: Any) -> Game:
    game = opened(person, **more)
    send(game, person, "resign")
    game.refresh_from_db()
    return game


@pytest.fixture
def martine() -> Player:
    return a_signed_up_player("martine@example.org")


def test_a_running_table_says_whether_the_seats_are_taken_and_whose_turn_it_is(frozen_clock: clock.Frozen) -> None:
    game = opened(begun=False)
    assert [(one.slug, one.waiting, one.turn) for one in own.running(GUEST)] == [(game.table.slug, True, False)]
    begin(game, GUEST)
    for turn, expected in ((0, True), (1, False), (None, False)):
        Game.objects.filter(pk=game.pk).update(turn=turn)
        assert [(one.waiting, one.turn) for one in own.running(GUEST)] == [(False, expected)]
    Game.objects.filter(pk=game.pk).update(turn=0, frozen=True)
    assert not own.running(GUEST)[0].turn


def test_the_table_that_waits_for_the_person_comes_first(frozen_clock: clock.Frozen) -> None:
    first, second = opened(), opened()
    Game.objects.filter(pk=first.pk).update(turn=0)
    Game.objects.filter(pk=second.pk).update(turn=1)
    assert [one.slug for one in own.running(GUEST)] == [first.table.slug, second.table.slug]


def test_nobody_sees_the_tables_of_another_person(martine: Player) -> None:
    opened(), finished()
    me = Person(player_id=martine.pk)
    opened(me), finished(me)
    for person in (NOBODY, Person(guest_key="b" * 32), Person(player_id=martine.pk + 1)):
        assert own.running(person) == own.casual_games(person) == own.casual_figures(person) == []
        assert own.casual_count(person) == 0
    for person in (me, GUEST):
        assert (len(own.running(person)), own.casual_count(person)) == (1, 2)
    both = Person(player_id=martine.pk, guest_key=GUEST.guest_key)
    assert (len(own.running(both)), own.casual_count(both)) == (2, 4)


def test_a_bot_that_plays_for_a_person_has_no_tables_for_that_person(martine: Player) -> None:
    me = Person(player_id=martine.pk)
    game = opened(me)
    Seating.objects.filter(table=game.table, seat=0).update(bot="club")
    assert own.running(me) == []


def test_a_game_that_was_left_is_announced_for_a_week_and_an_unbegun_one_for_a_day(frozen_clock: clock.Frozen) -> None:
    begun, unbegun = opened(), opened(begun=False)
    Game.objects.update(updated_at=clock.now())
    frozen_clock.advance(days=1, seconds=1)
    assert [one.slug for one in own.running(GUEST)] == [begun.table.slug]
    frozen_clock.advance(days=6)
    assert own.running(GUEST) == []
    assert [one.slug for one in own.casual_games(GUEST)] == [begun.slug]  # to play on
    Table.objects.filter(pk=unbegun.table_id).update(kind=Table.Kind.MATCH)
    assert [one.slug for one in own.running(GUEST)] == [unbegun.table.slug]


def test_casual_games_are_listed_running_ones_first_with_their_results(frozen_clock: clock.Frozen) -> None:
    lost = finished()
    frozen_clock.advance(seconds=60)
    won, running = finished(rules="tock/1"), opened()
    opened(begun=False)
    Game.objects.filter(pk=won.pk).update(ranks=[0, 1])
    games = own.casual_games(GUEST)
    assert [(one.slug, one.over, one.outcome) for one in games] == [
        (running.slug, False, ""), (won.slug, True, "win"), (lost.slug, True, "loss"),
    ]  # fmt: skip
    assert [one.slug for one in own.casual_games(GUEST, offset=1, limit=1)] == [won.slug]
    finished()
    figures = own.casual_figures(GUEST)
    assert [(one.games, one.won) for one in figures] == [(2, 0), (1, 1)]


@pytest.mark.parametrize(
    ("ranks", "team", "expected"),
    [([0, 1], 0, "win"), ([0, 1], 1, "loss"), ([0, 0], 1, "tie"), ([1, 0, 1], 0, "loss"), (None, 0, ""), ([], 0, "")],
)
def test_a_game_is_won_by_the_team_that_alone_is_best(ranks: list[int] | None, team: int, expected: str) -> None:
    assert own.outcome(ranks, team) == expected


def test_each_selector_takes_one_query_for_one_table_and_for_thirty(
    martine: Player, django_assert_num_queries: Callable[..., Any]
) -> None:
    me = Person(player_id=martine.pk)
    game = finished(me)
    for count in (1, 30):
        while Table.objects.count() < count:
            table = Table.objects.get(pk=game.table_id)
            table.pk, table.slug, table.state = None, f"copy{Table.objects.count()}", Table.State.PLAYING
            table.save()
            Seating.objects.create(table=table, seat=0, player=martine)
            Game.objects.create(
                table=table, number=1, slug=f"copy{Table.objects.count()}", rules=game.rules, month=game.month,
                state=Game.State.PLAYING, started_at=game.started_at,
            )  # fmt: skip
        for ask in (own.running, own.casual_games, own.casual_figures, own.casual_count):
            with django_assert_num_queries(1):
                ask(me)
    assert len(own.running(me)) == own.SHOWN
    with django_assert_num_queries(0):
        own.running(NOBODY)


# --- in the header of every page -------------------------------------------------------------------------------------


def test_a_guest_finds_the_table_again_from_every_page_for_thirty_days(
    client: Client, frozen_clock: clock.Frozen
) -> None:
    address = client.post(reverse("games:practice")).url
    game = Game.objects.get()
    person = Person(guest_key=client.session[GUEST_KEY])
    begin(game, person)
    for page in ("/", reverse("pages:tonight"), reverse("clubs:list"), reverse("account_login"), "/nowhere/"):
        assert f'href="{address}"' in client.get(page, headers=ENGLISH).content.decode(), page
    frozen_clock.advance(days=20)
    client.post(reverse("games:practice"))  # the session is kept from the last table on
    frozen_clock.advance(seconds=settings.GUEST_SESSION_S - 60)
    assert game.table.slug in client.get(reverse("pages:my_games")).content.decode()
    frozen_clock.advance(seconds=120)
    assert game.table.slug not in client.get(reverse("pages:my_games")).content.decode()
    assert f'href="{address}"' not in Client().get("/").content.decode()


def test_several_tables_are_a_menu_and_the_turn_is_said(client: Client, martine: Player) -> None:
    me = Person(player_id=martine.pk)
    first, second = opened(me), opened(me)
    Game.objects.filter(pk=first.pk).update(turn=0)
    client.force_login(martine.user, backend=BACKEND)
    page = client.get(reverse("clubs:list"), headers=ENGLISH).content.decode()
    menu = page[page.index("tables-menu") : page.index("</details>")]
    assert menu.index(first.table.slug) < menu.index(second.table.slug)
    assert menu.count('<span class="tag warn">') == 1
    assert "2 tables" in menu


def test_at_a_table_only_the_others_are_shown(client: Client, martine: Player) -> None:
    me = Person(player_id=martine.pk)
    first, second = opened(me), opened(me)
    client.force_login(martine.user, backend=BACKEND)
    page = client.get(reverse("games:table", args=[first.table.slug])).content.decode()
    header = page[page.index("<header") : page.index("</header>")]
    assert f'href="{reverse("games:table", args=[second.table.slug])}"' in header
    assert first.table.slug not in header


def test_the_header_costs_a_player_one_query_and_a_visitor_none(
    client: Client, martine: Player, django_assert_num_queries: Callable[..., Any]
) -> None:
    address = reverse("pages:privacy")
    client.get(address)  # fills what the process keeps
    # 1 the newest restore drill, which the page names
    with django_assert_num_queries(1):
        client.get(address)
    client.force_login(martine.user, backend=BACKEND)
    client.get(address)
    # 1 the drill; 1 session, 1 user, 1 player; 1 running tables; 1 new notices
    with django_assert_num_queries(6):
        client.get(address)
    opened(Person(player_id=martine.pk)), opened(Person(player_id=martine.pk))
    with django_assert_num_queries(6):
        client.get(address)
