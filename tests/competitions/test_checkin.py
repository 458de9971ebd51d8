"""Check-in: both partners, or a substitute in the place of one, until the deadline; late entries are dropped with a
reason."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import CheckIn, Entry
from tock_league.competitions.services.entries import checkin, registration
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, roles

from .test_registration import players, with_substitute
from .world import a_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


def here(entry, count=2):
    for player in players(entry.team)[:count]:
        entry = checkin.check_in(by=player, entry=entry, player=player)
    return entry


@pytest.fixture
def cup(hand):
    """A tournament with open entries; check-in opens in half an hour and closes in an hour and a half."""
    return a_tournament(3, state="open", check_in=True)


def test_both_partners_check_in_themselves(cup, hand):
    entry = cup.entries.first()
    hand.advance(minutes=30)
    assert here(entry, 1).state == "accepted"
    assert here(entry, 1).state == "accepted"  # the same player twice counts as one player
    assert here(entry).state == "checked_in"
    assert here(entry).state == "checked_in"
    assert CheckIn.objects.filter(entry=entry).count() == 2


def test_it_opens_and_closes_at_its_times(cup, hand):
    entry = cup.entries.first()
    captain = players(entry.team)[0]
    with pytest.raises(Conflict) as error:
        checkin.check_in(by=captain, entry=entry, player=captain)
    assert error.value.code == "check_in_early"
    hand.advance(minutes=90)
    with pytest.raises(Conflict) as error:
        checkin.check_in(by=captain, entry=entry, player=captain)
    assert error.value.code == "check_in_over"
    assert not CheckIn.objects.exists()


def test_nobody_checks_in_others_but_captain_organiser_and_referee(cup, hand):
    hand.advance(minutes=30)
    entry = cup.entries.first()
    captain, partner = players(entry.team)
    with pytest.raises(NotAllowed):
        checkin.check_in(by=partner, entry=entry, player=captain)
    with pytest.raises(NotAllowed):
        checkin.check_in(by=a_player("Passant"), entry=entry, player=captain)
    with pytest.raises(Refused) as error:
        checkin.check_in(by=SITE, entry=entry, player=a_player("Passante"))
    assert (error.value.code, error.value.field) == ("not_on_roster", "player")
    referee = a_player("Arbitre Un")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    checkin.check_in(by=referee, entry=entry, player=captain)
    assert checkin.check_in(by=captain, entry=entry, player=partner).state == "checked_in"


def test_late_ones_are_dropped_with_a_reason_and_whoever_waits_and_is_here_moves_up(hand):
    cup = a_tournament(5, state="open", check_in=True, size=3)
    entries = list(cup.entries.order_by("pk"))
    assert [entry.state for entry in entries] == ["accepted"] * 3 + ["waitlisted"] * 2
    hand.advance(minutes=30)
    here(entries[0])
    here(entries[1], 1)
    assert here(entries[4]).state == "waitlisted"
    hand.advance(minutes=60)
    assert checkin.close_due() == 2  # entries close, then check-in
    assert checkin.close_due() == 0
    states = [(entry.state, entry.reason) for entry in cup.entries.order_by("pk")]
    assert states == [
        ("checked_in", ""),
        ("dropped", "@late_one"),
        ("dropped", "@late"),
        ("refused", "@no_place"),
        ("checked_in", ""),
    ]
    assert all(entry.why for entry in cup.entries.filter(state__in=("dropped", "refused")))
    cup.refresh_from_db()
    assert cup.state == "closed"
    assert [entry.seed for entry in Entry.objects.filter(state="checked_in")] == [None, None]


def test_the_organiser_lets_a_late_team_in_until_the_draw(cup, hand):
    hand.advance(minutes=30)
    first, second, third = cup.entries.order_by("pk")
    here(first)
    here(second)
    assert [entry.pk for entry in checkin.close(by=SITE, competition=cup)] == [third.pk]
    assert checkin.close(by=SITE, competition=cup) == []
    captain, partner = players(third.team)
    with pytest.raises(Conflict):
        checkin.check_in(by=captain, entry=third, player=captain)
    checkin.check_in(by=SITE, entry=third, player=captain)
    assert checkin.check_in(by=SITE, entry=third, player=partner).state == "checked_in"
    draw.draw(by=SITE, competition=cup)
    with pytest.raises(Conflict) as error:
        checkin.undo(by=SITE, entry=third, player=partner)
    assert error.value.code == "drawn"


def test_a_substitute_who_is_here_plays_for_a_starter_who_is_not(cup, hand):
    team = a_team("Draveurs")
    spare = with_substitute(team, a_player("Remplaçante Une"))
    entry = registration.register(by=SITE, competition=cup, team=team, substitutes=[spare])
    captain, partner, _spare = players(team)
    hand.advance(minutes=30)
    checkin.check_in(by=captain, entry=entry, player=captain)
    assert checkin.check_in(by=spare, entry=entry, player=spare).state == "checked_in"
    checkin.close(by=SITE, competition=cup)
    now = {spot.player: (spot.role, spot.slot) for spot in entry.roster.filter(left__isnull=True)}
    assert now == {captain: ("starter", 1), spare: ("starter", 2), partner: ("substitute", 1)}
    assert entry.roster.filter(left__isnull=False).count() == 2  # the earlier spells stay on record


def test_taking_a_check_in_back_and_losing_it_by_leaving(cup, hand):
    hand.advance(minutes=30)
    entry = here(cup.entries.first())
    captain, partner = players(entry.team)
    assert checkin.undo(by=partner, entry=entry, player=partner).state == "accepted"
    assert checkin.undo(by=partner, entry=entry, player=partner).state == "accepted"
    assert here(entry).state == "checked_in"
    registration.withdraw_before_draw(by=captain, entry=entry)
    assert not CheckIn.objects.filter(entry=entry).exists()
    with pytest.raises(Refused) as error:
        checkin.check_in(by=captain, entry=entry, player=captain)
    assert error.value.code == "not_on_roster"


def test_where_there_is_no_check_in_nobody_checks_in(hand):
    cup = a_tournament(2, state="open")
    entry = cup.entries.first()
    captain = players(entry.team)[0]
    for action in (
        lambda: checkin.check_in(by=captain, entry=entry, player=captain),
        lambda: checkin.close(by=SITE, competition=cup),
    ):
        with pytest.raises(Conflict) as error:
            action()
        assert error.value.code == "no_check_in"


def test_the_draw_waits_for_the_check_in(cup, hand):
    hand.advance(minutes=30)
    lifecycle.advance(by=SITE, competition=cup, to="closed")
    with pytest.raises(Conflict) as error:
        draw.draw(by=SITE, competition=cup)
    assert error.value.code == "check_in_open"
    for entry in cup.entries.all():
        here(entry)
    assert draw.draw(by=SITE, competition=cup)
