"""Check-in at the desk: by team, by name with a filter, by the code of a badge; badges of other events."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import CheckIn, CompetitionRole
from tock_league.competitions.selectors.entries import arrivals
from tock_league.competitions.services.entries import checkin, registration

from .test_registration import players, with_substitute
from .tournament_desk import address, captain_of, partner_of, text
from .world import a_player, a_team, a_tournament

pytestmark = pytest.mark.django_db
SITE_ADDRESS = "https://tock.example.org"


@pytest.fixture
def cup(hand, club):
    """A tournament of three teams whose check-in is open."""
    made = a_tournament(3, state="open", check_in=True, club=club)
    hand.advance(minutes=30)
    return made


def an_office(made, player, name="referee"):
    CompetitionRole.objects.create(competition=made, player=player, name=name, since=clock.now())
    return player


def badge(made, player):
    return SITE_ADDRESS + address("here", made.slug, player.slug)


def test_one_press_checks_a_team_in_and_a_second_one_changes_nothing(cup):
    entry = cup.entries.first()
    for _press in range(2):
        assert checkin.check_in_team(by=SITE, entry=entry).state == "checked_in"
    assert CheckIn.objects.filter(entry=entry).count() == 2


def test_a_team_is_its_starters_without_its_substitutes(cup):
    team = a_team("Les Draveurs")
    substitute = with_substitute(team, a_player("Rose"))
    entry = registration.register(by=SITE, competition=cup, team=team, substitutes=[substitute])
    checkin.check_in_team(by=SITE, entry=entry)
    assert set(CheckIn.objects.values_list("player", flat=True)) == {player.pk for player in players(team)[:2]}


def test_whole_teams_are_checked_in_by_their_captain_and_the_desk(cup, organiser):
    entry, other, last = cup.entries.all()
    for nobody in (None, a_player("Réjean"), partner_of(entry), captain_of(other)):
        with pytest.raises(NotAllowed):
            checkin.check_in_team(by=nobody, entry=entry)
    assert not CheckIn.objects.exists()
    checkin.check_in_team(by=captain_of(entry), entry=entry)
    checkin.check_in_team(by=an_office(cup, a_player("Sylvie Doucet")), entry=other)
    checkin.check_in_team(by=organiser, entry=last)
    assert set(cup.entries.values_list("state", flat=True)) == {"checked_in"}


def test_nobody_of_a_team_is_checked_in_when_the_check_in_is_over_or_the_roster_empty(cup, hand):
    entry = cup.entries.first()
    captain = captain_of(entry)
    entry.roster.update(left=clock.now())
    with pytest.raises(Refused) as refused:
        checkin.check_in_team(by=SITE, entry=entry)
    assert refused.value.code == "roster_empty"
    entry.roster.update(left=None)
    hand.advance(minutes=60)
    with pytest.raises(Conflict) as refused:
        checkin.check_in_team(by=captain, entry=entry)
    assert refused.value.code == "check_in_over"
    assert not CheckIn.objects.exists()


@pytest.mark.parametrize(
    ("words", "found"), [("", 3), ("equipe 02", 1), ("ÉQUIPE", 3), ("b 03", 1), ("shawinigan 01", 1), ("Zoé", 0)]
)
def test_the_list_is_filtered_by_names_without_accents(words, found, cup):
    assert len(arrivals.arrivals(cup, words)) == found


def test_a_press_leads_back_to_the_team_in_the_same_filtered_list_which_keeps_its_order(sign_in, organiser, cup):
    client = sign_in(organiser)
    here = address("check_in_list", cup.slug)
    before = [view.entry.slug for view in client.get(here).context["views"]]
    page = client.get(here, {"q": "équipe"})
    entry = cup.entries.get(slug=before[1])
    back = f"{here}?q=%C3%A9quipe#e-{entry.slug}"
    assert f'value="{back}"' in text(page)
    assert client.post(address("check_in_team", entry.slug), {"next": back})["Location"] == back
    after = client.get(here)
    assert [view.entry.slug for view in after.context["views"]] == before
    assert (after.context["here"], after.context["all"]) == (1, 3)
    assert len(client.get(here, {"show": "missing"}).context["views"]) == 2


def test_a_scanned_badge_finds_its_team_and_one_of_another_event_says_so(sign_in, organiser, cup):
    other = a_tournament(2, state="open", check_in=True)
    client = sign_in(organiser)
    here = address("check_in_list", cup.slug)
    entry = cup.entries.all()[1]
    page = client.get(here, {"q": badge(cup, captain_of(entry))})
    assert [view.entry.slug for view in page.context["views"]] == [entry.slug]
    strange = client.get(here, {"q": badge(other, captain_of(other.entries.first()))})
    assert strange.context["views"] == []
    assert other.name in strange.context["told"]
    for wrong in (badge(cup, a_player("Réjean")), SITE_ADDRESS + "/competitions/nowhere/here/abc/"):
        assert client.get(here, {"q": wrong}).context["told"]


def test_the_code_of_a_badge_checks_in_the_team_for_the_desk_in_one_press(sign_in, organiser, cup):
    entry = cup.entries.first()
    link = address("here", cup.slug, partner_of(entry).slug)
    client = sign_in(organiser)
    page = client.get(link)
    assert not CheckIn.objects.exists()  # reading the page changes nothing
    assert address("check_in_team", entry.slug) in text(page)
    assert client.post(address("check_in_team", entry.slug), {"next": link})["Location"] == link
    assert address("check_in_team", entry.slug) not in text(client.get(link))


def test_the_code_confirms_the_own_presence_and_leads_others_to_the_players_page(sign_in, client, cup):
    entry = cup.entries.first()
    captain, partner = captain_of(entry), partner_of(entry)
    link = address("here", cup.slug, partner.slug)
    page = sign_in(partner).get(link)
    assert page.context["may"]
    assert address("check_in_team", entry.slug) not in text(page)
    assert sign_in(partner).get(address("poster", cup.slug))["Location"] == link
    client.post(address("check_in", entry.slug), {"player": partner.slug, "here": "yes", "next": link})
    assert CheckIn.objects.get().player == partner
    for reader in (captain, a_player("Réjean")):
        assert sign_in(reader).get(link)["Location"] == f"/players/{partner.slug}/"
    client.logout()
    assert client.get(link)["Location"] == f"/players/{partner.slug}/"
    assert client.get(address("here", cup.slug, "nobody")).status_code == 404


def test_a_badge_of_an_event_that_is_over_leads_the_desk_to_the_one_that_is_open(sign_in, organiser, cup, hand):
    old = a_tournament(2, state="open", check_in=True)
    player = captain_of(cup.entries.first())
    client = sign_in(organiser)
    page = client.get(address("here", old.slug, player.slug))
    assert page.context["view"] is None
    assert address("here", cup.slug, player.slug) in text(page)


@pytest.mark.parametrize("minutes", [-10, 70])
def test_the_list_says_when_nobody_can_be_checked_in(minutes, sign_in, hand, club):
    made = a_tournament(2, state="open", check_in=True, club=club)
    hand.advance(minutes=30 + minutes)
    referee = an_office(made, a_player("Sylvie Doucet"))
    page = sign_in(referee).get(address("check_in_list", made.slug))
    assert str(page.context["closed"]) in text(page)
    assert page.context["views"] == []


def test_only_the_desk_reads_the_list(sign_in, client, cup):
    here = address("check_in_list", cup.slug)
    assert client.get(here).status_code == 302
    assert sign_in(captain_of(cup.entries.first())).get(here).status_code == 403
