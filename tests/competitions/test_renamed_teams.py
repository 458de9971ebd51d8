"""A team that gets another name keeps, in the events that had begun, the name under which it played (decision 65)."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common.errors import Refused
from tock_league.competitions.models import Entry
from tock_league.competitions.selectors.rankings.kept import shown
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.entries import naming, registration
from tock_league.exports import results

from .world import a_club, a_league, a_signed_up_player, a_team, a_tournament, first_match, play_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(hand):
    return a_league(2, club=a_club())


def captain_of(team):
    return team.spells.get(slot=1).player


def test_results_keep_the_name_that_was_played_under_and_later_events_have_the_new_one(league):
    play_match(first_match(league), winner=0)
    entry = league.entries.select_related("team").get(seed=1)
    old, captain = entry.team.name, captain_of(entry.team)
    ahead = a_tournament(0, state="open")
    waiting = registration.register(by=SITE, competition=ahead, team=entry.team)
    for name in ("Les Comètes", "Les Étoiles"):
        team = clubs.rename_team(by=captain, team=Team.objects.get(pk=entry.team_id), name=name)
    assert str(team) == "Les Étoiles"
    assert str(Entry.objects.get(pk=entry.pk)) == old
    assert str(Entry.objects.get(pk=waiting.pk)) == "Les Étoiles"
    assert old in {line.name for line in shown.tables(league, kept(league))[0].lines}
    assert old in matches.match_view(first_match(league).slug, None).title
    assert competitions.entry_names([entry.slug]) == {entry.slug: old}
    assert old in {one["name"] for one in results.of(league)["entries"]}


def test_an_administrator_corrects_a_name_everywhere_but_that_of_the_own_team(league):
    entry = league.entries.select_related("team").get(seed=1)
    old, captain = entry.team.name, captain_of(entry.team)
    clubs.rename_team(by=captain, team=entry.team, name="Gros mots")
    boss = a_signed_up_player("boss@example.org", "Aline Boss")
    give_role(player=boss, name="administrator", by=SITE)
    clubs.rename_team(by=boss, team=entry.team, name="Équipe sans nom")
    assert str(Entry.objects.get(pk=entry.pk)) == "Équipe sans nom"
    give_role(player=captain, name="administrator", by=SITE)
    clubs.rename_team(by=captain, team=entry.team, name=old)
    assert str(Entry.objects.get(pk=entry.pk)) == "Équipe sans nom"


def test_a_name_that_is_kept_in_an_event_is_not_free_there(hand):
    cup = a_tournament(4)
    team = cup.entries.first().team
    old = team.name
    clubs.rename_team(by=captain_of(team), team=team, name="Les Comètes")
    with pytest.raises(Refused) as error:
        naming.no_entry_alike(cup, a_team(old))
    assert error.value.code == "name_confusable"
