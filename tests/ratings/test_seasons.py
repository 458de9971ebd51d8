"""The end of a season: the ranks of one moment are frozen exactly, survive kills and corrections, and show on pages."""

from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from ratings import selectors, services, tasks
from ratings.models import Ladder, LadderSeason, RatedResult, Rating, SeasonSnapshot
from ratings.selectors import seasons as reads
from ratings.services import audit
from ratings.services import seasons as ending
from tests.accounts.signing import a_boss, a_player, sign_in
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.common import clock, outbox
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.people import erasure, export, parts

from .announced import Finished
from .board_world import LADDER, play_season
from .test_board_reads import a_ladder

pytestmark = pytest.mark.both_databases


def ended(name: str = "Automne 2026", family: str = "shawinigan") -> LadderSeason:
    """End a season in the name of the site, and let the worker do its part."""
    services.end_season(by=SITE, family=family, name=name)
    for row in outbox.waiting(ending.TASK):
        with mock.patch.object(tasks.clock, "pause", return_value=None):
            tasks.freeze_season(outbox_id=row.pk, **row.body)
    return LadderSeason.objects.get(name=name)


def test_the_board_of_the_moment_is_frozen_with_shared_ranks_and_names(at: clock.Frozen) -> None:
    ladder = a_ladder(60)
    Rating.objects.filter(generation=ladder.generation, on_global=False).update(eligible_until=None)
    board = selectors.board(ladder.key, "player", limit=100)
    found = ended(family="tock")
    frozen = reads.frozen(ladder, found.slug, "player", limit=100)
    assert [(row.rank, row.subject_id, row.score, row.margin, row.games, row.name) for row in frozen.rows] == [
        (row.rank, row.subject_id, row.score, row.interval, row.games, row.name) for row in board.rows
    ]
    assert len({row.rank for row in frozen.rows}) < len(frozen.rows)  # some are shared
    assert RatedResult.objects.filter(ladder=ladder, kind="season", source=f"season:{found.slug}").count() == 1
    keys, after = [], ""
    while page := reads.frozen(ladder, found.slug, "player", after=after, limit=7):
        keys += [row.subject_id for row in page.rows]
        if page.before:
            back = reads.frozen(ladder, found.slug, "player", after=page.before, limit=7)
            assert back.rows[-1].subject_id == keys[-len(page.rows) - 1]
        if not (after := page.after):
            break
    assert keys == [row.subject_id for row in board.rows]


def test_a_worker_that_is_killed_goes_on_and_a_second_run_adds_nothing(at: clock.Frozen) -> None:
    ladder = a_ladder(40)
    [found] = services.end_season(by=SITE, family="tock", name="Hiver")
    with mock.patch.object(ending, "names_of", side_effect=[KeyError]), pytest.raises(KeyError):
        services.freeze(found.pk)
    count = SeasonSnapshot.objects.count()
    with pytest.raises(NotThere):
        reads.season(ladder, found.slug)
    assert reads.seasons(ladder) == []
    Rating.objects.filter(generation=ladder.generation).update(score_milli=0)  # what happens later counts no more
    with mock.patch.object(ending, "PART", 10):
        assert services.freeze(found.pk)
        assert services.freeze(found.pk)
    rows = SeasonSnapshot.objects.filter(season=found)
    assert (rows.count(), rows.filter(margin__isnull=True).count(), rows.filter(score_milli=0).count()) == (count, 0, 0)
    assert RatedResult.objects.filter(kind="season").count() == 1


def test_the_uncertainty_grows_and_a_later_correction_changes_no_snapshot(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    play_season(at, people, finished, rounds=24)
    found = ended()
    ladder = Ladder.objects.get(key=LADDER)
    before = list(SeasonSnapshot.objects.order_by("pk").values_list())
    assert {row[2] for row in before} >= {"team"}
    first = RatedResult.objects.filter(ladder=ladder, kind="result").earliest("completed_at")
    services.revise(ladder=ladder, source=first.source, ranks=first.ranks[::-1], reason="ruling", ruling="000001")
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key=LADDER).resting is not None:
        pass
    tasks.rebuild_ladder(ladder_key=LADDER)
    assert list(SeasonSnapshot.objects.order_by("pk").values_list()) == before
    assert list(audit.differences()) == []
    widened = Rating.objects.get(generation__state="live", subject=before[0][4])
    assert widened.sigma > SeasonSnapshot.objects.get(pk=before[0][0]).sigma
    place = reads.places_of(before[0][4])[0]
    assert (place.season, place.rank) == (found, before[0][3])


def test_only_an_administrator_ends_a_season_and_each_name_once(at: clock.Frozen, people: list[Player]) -> None:
    ladder = a_ladder(3)
    with pytest.raises(NotAllowed):
        services.end_season(by=people[0], family="tock", name="Automne")
    for name, family, field in (("", "tock", "name"), ("x" * 61, "tock", "name"), ("Automne", "go", "family")):
        with pytest.raises(Refused) as refusal:
            services.end_season(by=SITE, family=family, name=name)
        assert refusal.value.field == field
    services.end_season(by=SITE, family="tock", name="Été 2026")
    with pytest.raises(Refused, match="season_ended"):
        services.end_season(by=SITE, family="tock", name="Ete 2026")
    assert LadderSeason.objects.get().ladder == ladder


@pytest.mark.parametrize("key", ["x", "1", "1.x", "9999999999.1", f"1.{10**30}", "before:", "before:a.b"])
def test_a_key_that_is_made_up_is_refused(key: str, at: clock.Frozen) -> None:
    ladder = a_ladder(3)
    found = ended(family="tock")
    with pytest.raises(Refused) as refusal:
        reads.frozen(ladder, found.slug, "player", after=key)
    assert refusal.value.status == 404


def test_the_pages_of_a_season_show_the_names_of_then_and_say_that_it_is_final(
    at: clock.Frozen, client: Client
) -> None:
    client.cookies["django_language"] = "en"
    ladder = a_ladder(60)
    found = ended("Automne", family="tock")
    first = reads.frozen(ladder, found.slug, "player").rows[0]
    Player.objects.filter(slug=first.players[0].slug).update(display_name="Somebody Else", page_for="everybody")
    page = client.get(reverse("ratings:season_players", args=["tock", 2, found.slug]))
    text = page.content.decode()
    assert page.status_code == 200
    assert first.name in text
    assert "Somebody Else" not in text
    assert "These ranks are final." in text
    assert (
        reverse("ratings:season_players", args=["tock", 2, found.slug])
        in client.get(reverse("ratings:players", args=["tock", 2])).content.decode()
    )
    profile = client.get(reverse("pages:player", args=[first.players[0].slug])).content.decode()
    assert "Final places" in profile
    file = client.get(reverse("exports:season", args=["tock", 2, found.slug, "players", "csv"])).content.decode()
    assert first.name in file
    assert client.get(reverse("ratings:season", args=["tock", 2, "other"])).status_code == 404
    assert client.get(reverse("ratings:season", args=["tock", 2, found.slug])).status_code == 200  # no pair had a rank


def test_an_administrator_ends_a_season_by_the_page_and_others_are_refused(at: clock.Frozen, client: Client) -> None:
    a_ladder(3)
    page = reverse("ratings:end_season")
    sign_in(client, a_player("Océane Trudel", "oceane@example.org").user)
    assert client.get(page).status_code == 403
    client.logout()
    sign_in(client, a_boss().user)
    assert client.post(page, {"family": "tock", "name": "Automne"}).status_code == 422  # not ticked
    assert client.post(page, {"family": "tock", "name": "Automne", "sure": "on"}).status_code == 302
    assert LadderSeason.objects.get().name == "Automne"


def test_a_snapshot_keeps_the_pseudonym_of_somebody_who_is_erased(at: clock.Frozen, people: list[Player]) -> None:
    ladder = a_ladder(4)
    found = ended(family="tock")
    row = SeasonSnapshot.objects.filter(season=found)[0]
    player = row.subject.members.get()
    Player.objects.filter(pk=player.pk).update(display_name="Renamed Since")  # the snapshot has the name of before
    person = parts.person_of(player=Player.objects.get(pk=player.pk))
    assert [one["rank"] for one in export.data_of(person)["season_places"]] == [row.rank]
    done = erasure.erase(person)
    [shown] = [one for one in reads.frozen(ladder, found.slug, "player").rows if one.subject_id == row.subject_id]
    assert (shown.name, shown.rank) == (done.pseudonym, row.rank)
