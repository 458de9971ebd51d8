"""A substitute takes a starter's place: by the captain until the draw, then by organisers and referees."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.services.entries import registration, rosters
from tock_league.competitions.services.rounds import draw, publishing
from tock_league.competitions.services.seasons import lifecycle, roles

from .test_registration import players, with_substitute
from .world import a_player, a_team, a_tournament, decide, under_way

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(hand):
    return a_tournament(3, state="open", on_paper=False)


@pytest.fixture
def entry(cup):
    team = a_team("Draveurs")
    spare = with_substitute(team, a_player("Remplaçante Une"))
    return registration.register(by=SITE, competition=cup, team=team, substitutes=[spare])


def starting(entry):
    return [spot.player for spot in entry.roster.filter(left__isnull=True, role="starter").order_by("slot")]


def test_the_captain_changes_the_line_up_until_the_draw(cup, entry):
    captain, partner, spare = players(entry.team)
    with pytest.raises(NotAllowed):
        rosters.substitute(by=partner, entry=entry, leaves=partner, comes=spare)
    rosters.substitute(by=captain, entry=entry, leaves=partner, comes=spare)
    assert starting(entry) == [captain, spare]
    assert entry.roster.count() == 5  # both earlier spells stay on record
    lifecycle.advance(by=SITE, competition=cup, to="closed")
    draw.draw(by=SITE, competition=cup)
    with pytest.raises(NotAllowed):
        rosters.substitute(by=captain, entry=entry, leaves=spare, comes=partner)
    referee = a_player("Arbitre Trois")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    rosters.substitute(by=referee, entry=entry, leaves=spare, comes=partner)
    assert starting(entry) == [captain, partner]


def test_only_a_starter_leaves_and_only_a_substitute_comes(entry):
    captain, partner, spare = players(entry.team)
    for leaves, comes, code, field in (
        (spare, spare, "not_a_starter", "leaves"),
        (a_player("Passant"), spare, "not_a_starter", "leaves"),
        (partner, captain, "not_a_substitute", "comes"),
        (partner, a_player("Passante"), "not_a_substitute", "comes"),
    ):
        with pytest.raises(Refused) as error:
            rosters.substitute(by=SITE, entry=entry, leaves=leaves, comes=comes)
        assert (error.value.code, error.value.field) == (code, field)
    assert starting(entry) == [captain, partner]


def test_nobody_is_changed_at_an_open_table_and_the_next_one_seats_the_substitute(cup, entry, hand):
    captain, partner, spare = players(entry.team)
    lifecycle.advance(by=SITE, competition=cup, to="closed")
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    hand.advance(hours=2)
    publishing.open_due_tables()
    with pytest.raises(Conflict) as error:
        rosters.substitute(by=SITE, entry=entry, leaves=partner, comes=spare)
    assert error.value.code == "at_table"
    mine = next(match for match in under_way(cup) if match.side_rows.filter(entry=entry).exists())
    other = next(match for match in under_way(cup) if match != mine)
    decide(mine, mine.side_rows.get(entry=entry).position)
    rosters.substitute(by=SITE, entry=entry, leaves=partner, comes=spare)  # between two matches
    decide(other, 0)
    following = next(match for match in under_way(cup) if match.side_rows.filter(entry=entry).exists())
    seated = {seating.player for seating in following.table.seatings.all()}
    assert {captain, spare} <= seated
    assert partner not in seated


def test_a_withdrawn_team_cannot_substitute(entry):
    _captain, partner, spare = players(entry.team)
    registration.withdraw_before_draw(by=SITE, entry=entry)
    with pytest.raises(Conflict) as error:
        rosters.substitute(by=SITE, entry=entry, leaves=partner, comes=spare)
    assert error.value.code == "entry_state"
