"""The demo's small tournament for teams of three: six seats, another rule set, results on paper, its own ladder."""

from django.test import Client
from django.urls import reverse

from ratings import services as ratings
from ratings.models import RatedResult, Rating
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match
from tock_league.demo import load, trios
from tock_league.demo.league import competition_of
from tock_league.demo.names import DEMO_PLAYER

from .conftest import NOW

LADDER = "tock:2"


def the_trios() -> Competition:
    found = competition_of(trios.TRIOS)
    assert found is not None
    return found


def test_four_teams_of_three_have_played_for_the_podium(league: clock.Frozen) -> None:
    cup = the_trios()
    assert (cup.state, cup.rules, cup.seats, cup.on_paper) == ("finished", "tock/1", 6, True)
    assert [team.spells.count() for team in Team.objects.filter(size=3)] == [3, 3, 3, 3]
    ranks = {str(entry): entry.final_rank for entry in cup.entries.select_related("team")}
    assert ranks == {"Les Trois Pieux": 2, "Trois fois rien": 3, "Le trio du rocher": 1, "Une de trop": 4}
    assert all(match.decided_at < NOW for match in Match.objects.filter(competition=cup))


def test_papers_opened_a_ladder_where_players_started_as_the_league_knows_them(league: clock.Frozen) -> None:
    log = RatedResult.objects.filter(ladder__key=LADDER)
    assert log.filter(kind="seed").count() == 12
    games = log.filter(kind="result")
    assert games.count() == 4
    assert all([len(side) for side in row.sides] == [3, 3] for row in games)
    stored, replayed = ratings.verify(ladder_key=LADDER)
    assert stored == replayed
    live = Rating.objects.filter(generation__state="live", generation__ladder__key=LADDER)
    assert live.filter(kind="team", subject__size=3).count() == 4


def test_its_pages_say_the_rules_and_the_table(league: clock.Frozen) -> None:
    client = Client()
    cup = the_trios()
    page = client.get(reverse("competitions:regulations", args=[cup.slug])).content.decode()
    assert reverse("pages:rules", args=["tock-1"]) in page
    for address in (
        reverse("competitions:competition", args=[cup.slug]),
        reverse("ratings:ladder", args=["tock", 2]),
        reverse("pages:player", args=[DEMO_PLAYER.slug]),
    ):
        assert "Trois fois rien" in client.get(address).content.decode()


def test_another_start_does_not_write_it_again(league: clock.Frozen) -> None:
    before = (Team.objects.count(), Competition.objects.count(), RatedResult.objects.count())
    load.prepare(NOW)
    assert (Team.objects.count(), Competition.objects.count(), RatedResult.objects.count()) == before
