"""Screens and announcements: made, changed, shown, removed; what a wall shows in each state of an event."""

from typing import Any

import pytest
from django.test import Client

from tests.competitions.world import a_plan, a_player, a_tournament, decide, play_on, under_way
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.competitions.models import Competition, Entry
from tock_league.feed.models import FeedEvent
from tock_league.hall.models import Announcement, Screen
from tock_league.hall.names import EVERYTHING
from tock_league.hall.selectors import rounds
from tock_league.hall.services import announcing, clocks, screens

from .conftest import serving

pytestmark = pytest.mark.django_db


def wall(event: Competition, number: int = 0, **query: str) -> Any:
    path = f"/competitions/{event.slug}/wall/" + (f"{number}/" if number else "")
    return Client().get(path, {"lang": "en", **query})


def views(event: Competition, number: int = 0) -> list[str]:
    return [turn.view for turn in wall(event, number).context["turns"]]


def add(event: Competition, name: str = "Entrée", **values: Any) -> Screen:
    chosen = {"by": SITE, "turns": [("standings", 20), ("names", 10)], "theme": "light"}
    return screens.add(competition=event, name=name, **{**chosen, **values})


def test_a_screen_shows_what_was_chosen_and_what_the_desk_holds(swiss: Competition) -> None:
    first, second = add(swiss), add(swiss, "Cuisine", turns=[("results", 9)])
    assert (first.number, second.number, add(swiss).number) == (1, 2, 1)  # a second press adds none
    assert views(swiss, 1) == ["standings", "names"]
    screens.show(by=SITE, competition=swiss, number=1, view="tables")
    assert views(swiss, 1) == ["tables"]
    screens.show(by=SITE, competition=swiss, number=1, view="said")  # there is nothing to say: the turns go on
    assert views(swiss, 1) == ["standings", "names"]
    screens.change(by=SITE, competition=swiss, number=1, name="Porte", turns=[("follow", 30)], theme="dark")
    screens.show(by=SITE, competition=swiss, number=1, view="")
    assert views(swiss, 1) == ["follow"]
    assert views(swiss, 2) == ["follow"]  # no result yet: never blank
    screens.remove(by=SITE, competition=swiss, number=2)
    assert views(swiss, 2) == ["names", "tables", "standings", "follow"]  # of everything
    assert FeedEvent.objects.filter(kind="screen.changed", subject="1").count() == 5


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"turns": []}, "turns"),
        ({"turns": [("names", 10), ("names", 10)]}, "turns"),
        ({"turns": [("poem", 10)]}, "turns"),
        ({"turns": [("names", 4)]}, "turns"),
        ({"turns": [("names", 121)]}, "turns"),
        ({"theme": "pink"}, "theme"),
    ],
)
def test_a_bad_screen_is_refused_by_field(swiss: Competition, values: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as caught:
        add(swiss, **values)
    assert caught.value.field == field
    assert not Screen.objects.exists()


def test_there_is_an_end_of_screens_and_unknown_ones_are_not_there(swiss: Competition) -> None:
    for number in range(screens.MOST):
        add(swiss, f"Écran {number}")
    with pytest.raises(Refused, match="screens"):
        add(swiss, "De trop")
    with pytest.raises(NotThere):
        screens.show(by=SITE, competition=swiss, number=99, view="")
    with pytest.raises(Refused):
        screens.show(by=SITE, competition=swiss, number=1, view="poem")


def test_only_organisers_set_the_hall_up(swiss: Competition) -> None:
    add(swiss, by=serving(swiss, "organiser"))
    for person in (serving(swiss, "referee"), a_player("Réjean Lampron"), None):
        for deed in (
            lambda by: add(swiss, "Autre", by=by),
            lambda by: screens.show(by=by, competition=swiss, number=1, view="names"),
            lambda by: screens.remove(by=by, competition=swiss, number=1),
            lambda by: announcing.announce(by=by, competition=swiss, text="Pause"),
            lambda by: announcing.end(by=by, competition=swiss),
        ):
            with pytest.raises(NotAllowed):
                deed(person)
    assert (Screen.objects.count(), Announcement.objects.count()) == (1, 0)


def test_a_sentence_replaces_the_last_one_and_ends(swiss: Competition) -> None:
    for text in ("Le souper est servi.", "  La ronde 2\ncommence. ", "La ronde 2 commence."):
        announcing.announce(by=SITE, competition=swiss, text=text)
    assert Announcement.objects.count() == 1  # what was said before is not kept
    page = wall(swiss).content.decode()
    assert "La ronde 2 commence." in page
    assert "souper" not in page
    assert "said" in views(swiss)
    announcing.end(by=SITE, competition=swiss)
    announcing.end(by=SITE, competition=swiss)
    assert "La ronde 2" not in wall(swiss).content.decode()
    assert FeedEvent.objects.filter(kind="announcement.changed").count() == 3
    for text in ("", "x" * 161, "<b>Gras</b>"):
        with pytest.raises(Refused) as caught:
            announcing.announce(by=SITE, competition=swiss, text=text)
        assert caught.value.field == "text"


def test_every_state_of_an_event_has_a_wall(hand: clock.Frozen) -> None:
    event = a_tournament(3, state="open", plan=a_plan("swiss", rounds=3))
    assert views(event) == ["follow"]
    event = a_tournament(5, plan=a_plan("swiss", rounds=3))
    clocks.start(by=SITE, competition=event, minutes=40, call="stop", seen=0)
    shown = wall(event)
    assert [turn.view for turn in shown.context["turns"]] == ["names", "tables", "clock", "standings", "follow"]
    lines = [(line.name, line.table, line.note) for line in shown.context["shown"].names]
    assert [name for name, _table, _note in lines] == [f"Équipe {number:02}" for number in range(1, 6)]
    assert [line[1:] for line in lines if line[2]] == [("", "bye")]
    decide(under_way(event)[0], 0)
    assert "results" in views(event)
    done = a_tournament(4, state="finished")
    assert set(views(done)) == {"bracket", "results", "follow", "names", "tables"}
    assert wall(a_tournament(0, state="draft")).status_code == 404
    assert wall(event, theme="light").content.decode().count('class="dark"') == 0
    assert len(EVERYTHING) == 8


def test_a_rehearsal_has_a_wall_for_its_organisers_alone(swiss: Competition) -> None:
    Competition.objects.filter(pk=swiss.pk).update(is_rehearsal=True)
    assert wall(swiss).status_code == 404
    client = Client()
    client.force_login(serving(swiss, "organiser").user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = client.get(f"/competitions/{swiss.slug}/wall/").content.decode()
    assert 'data-feed=""' in page  # it has no live feed: the page asks again and again


def test_a_bracket_comes_in_pages_of_four_matches_from_the_round_under_way_on(hand: clock.Frozen) -> None:
    def pages(event: Competition) -> list[list[int]]:
        return [[len(column.nodes) for column in part.columns] for part in rounds.shown(event, None).bracket]

    assert pages(a_tournament(16, plan=a_plan("knockout", third_place=True))) == [[4, 2, 1], [4, 2, 1], [2, 2]]
    event = a_tournament(8, plan=a_plan("knockout", third_place=True))
    assert pages(event) == [[4, 2, 2]]  # the last two: final and third place
    play_on(event, matches=4)
    assert pages(event) == [[2, 2]]
    play_on(event)
    assert pages(event) == [[4, 2, 2]]


def test_a_wall_takes_as_many_queries_for_many_teams_as_for_few(
    hand: clock.Frozen, django_assert_max_num_queries: Any
) -> None:
    for teams in (4, 12):
        event = a_tournament(teams, plan=a_plan("swiss", rounds=3))
        wall(event)
        with django_assert_max_num_queries(26):
            assert wall(event).status_code == 200


def test_no_wall_asks_another_site(swiss: Competition) -> None:
    clocks.start(by=SITE, competition=swiss, minutes=40, call="stop", seen=0)
    page = wall(swiss)
    text = page.content.decode()
    assert [part for part in text.split('"') if part.startswith(("http://", "https://", "//"))] == []
    assert "noindex" in text
    assert not page.cookies
    assert Entry.objects.filter(competition=swiss).first().team.name in text
