"""Teams enter a tournament: partners confirm, rosters are exclusive, and the waiting list moves up."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Entry, RosterSpot
from tock_league.competitions.services.entries import answering, registration
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle

from .world import a_club, a_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


def players(team):
    return [spell.player for spell in team.spells.filter(left__isnull=True).order_by("slot")]


def with_substitute(team, player, slot=3):
    TeamPlayer.objects.create(team=team, player=player, slot=slot, joined=clock.now())
    return player


@pytest.fixture
def cup(hand):
    return a_tournament(0, state="open", size=2)


def test_a_captain_registers_and_the_partner_confirms(cup):
    team = a_team("Draveurs")
    captain, partner = players(team)
    entry = registration.register(by=captain, competition=cup, team=team)
    assert entry.state == "pending"
    assert [spot.confirmed_at is not None for spot in entry.roster.order_by("slot")] == [True, False]
    assert registration.confirm(by=captain, entry=entry).state == "pending"  # he has confirmed already
    assert registration.confirm(by=partner, entry=entry).state == "accepted"
    assert registration.confirm(by=partner, entry=entry).state == "accepted"


def test_a_stranger_neither_registers_nor_confirms(cup):
    team, stranger = a_team("Draveurs"), a_player("Félix Marchand")
    with pytest.raises(NotAllowed):
        registration.register(by=stranger, competition=cup, team=team)
    with pytest.raises(NotAllowed):
        registration.register(by=None, competition=cup, team=team)
    with pytest.raises(NotAllowed):
        registration.register(by=players(team)[1], competition=cup, team=team)  # the captain confirms for him
    entry = registration.register(by=players(team)[0], competition=cup, team=team)
    with pytest.raises(NotAllowed):
        registration.confirm(by=stranger, entry=entry)
    assert RosterSpot.objects.filter(entry=entry, confirmed_at__isnull=False).count() == 1


def test_a_second_roster_is_refused_and_the_refusal_names_the_remedy(cup):
    first, second = a_team("Draveurs"), a_team("Pieux")
    shared = players(first)[1]
    spell = second.spells.get(slot=2)
    spell.player = shared
    spell.save()
    registration.register(by=players(first)[0], competition=cup, team=first)
    with pytest.raises(Refused) as error:
        registration.register(by=players(second)[0], competition=cup, team=second)
    assert (error.value.code, error.value.field) == ("I07", "team")
    assert shared.display_name in str(error.value.sentence)
    assert not Entry.objects.filter(team=second).exists()


def test_a_team_of_one_a_dissolved_team_and_a_second_entry_are_refused(cup):
    alone = clubs.found_team(by=a_player("Seule Ici"), name="Solo")
    captain = players(alone)[0]
    with pytest.raises(Refused) as error:
        registration.register(by=captain, competition=cup, team=alone)
    assert (error.value.code, error.value.field) == ("team_size", "team")
    team = a_team("Draveurs")
    registration.register(by=SITE, competition=cup, team=team)
    with pytest.raises(Refused) as error:
        registration.register(by=SITE, competition=cup, team=team)
    assert error.value.code == "I06"
    gone = a_team("Partis")
    gone.dissolved_at = clock.now()
    gone.save()
    with pytest.raises(Refused) as error:
        registration.register(by=SITE, competition=cup, team=gone)
    assert error.value.code == "team_dissolved"


def test_up_to_two_substitutes_of_the_team(cup):
    team = a_team("Draveurs")
    one = with_substitute(team, a_player("Premier Remplaçant"), 3)
    two = with_substitute(team, a_player("Second Remplaçant"), 4)
    captain = players(team)[0]
    for wrong, code in (
        ([a_player("Passant")], "not_a_substitute"),
        ([one, one], "substitutes"),
        ([one, two, captain], "substitutes"),
        ([captain], "not_a_substitute"),
    ):
        with pytest.raises(Refused) as error:
            registration.register(by=captain, competition=cup, team=team, substitutes=wrong)
        assert (error.value.code, error.value.field) == (code, "substitutes")
    entry = registration.register(by=captain, competition=cup, team=team, substitutes=[one, two])
    roles = [(spot.role, spot.slot) for spot in entry.roster.order_by("role", "slot")]
    assert roles == [("starter", 1), ("starter", 2), ("substitute", 1), ("substitute", 2)]
    assert registration.refuse(by=one, entry=entry).state == "pending"  # a substitute only leaves
    assert entry.roster.filter(left__isnull=True).count() == 3


def test_the_waiting_list_moves_up_in_order(cup, hand):
    made = [registration.register(by=SITE, competition=cup, team=a_team(f"Équipe {n}")) for n in range(4)]
    assert [entry.state for entry in made] == ["accepted", "accepted", "waitlisted", "waitlisted"]
    registration.withdraw_before_draw(by=players(made[0].team)[0], entry=made[0], reason="Malade")
    states = [Entry.objects.get(pk=entry.pk).state for entry in made]
    assert states == ["withdrawn", "accepted", "accepted", "waitlisted"]
    hand.advance(minutes=1)
    again = registration.register(by=SITE, competition=cup, team=made[0].team)  # comes back at the end of the list
    assert (again.pk, again.state) == (made[0].pk, "waitlisted")
    registration.refuse(by=SITE, entry=made[1], reason="Forfait annoncé")
    states = [Entry.objects.get(pk=entry.pk).state for entry in made]
    assert states == ["waitlisted", "refused", "accepted", "accepted"]
    assert registration.admit(by=SITE, entry=again).state == "accepted"  # the organiser adds places


def test_withdrawing_twice_changes_nothing_and_sets_the_players_free(cup):
    entry = registration.register(by=SITE, competition=cup, team=a_team("Draveurs"))
    registration.withdraw_before_draw(by=SITE, entry=entry)
    changed = Entry.objects.get(pk=entry.pk).updated_at
    registration.withdraw_before_draw(by=SITE, entry=entry)
    assert Entry.objects.get(pk=entry.pk).updated_at == changed
    assert not RosterSpot.objects.filter(entry=entry, left__isnull=True).exists()


def test_the_entry_is_refused_when_a_partner_declines(cup):
    team = a_team("Draveurs")
    captain, partner = players(team)
    entry = registration.register(by=captain, competition=cup, team=team)
    refused = registration.refuse(by=partner, entry=entry)
    assert (refused.state, refused.reason) == ("refused", "@declined")
    assert refused.why not in ("", "@declined")
    with pytest.raises(Conflict) as error:
        registration.admit(by=SITE, entry=entry)
    assert error.value.details == {"state": "refused", "allowed": ["pending"]}


def test_only_who_is_on_the_roster_answers(cup):
    team = a_team("Draveurs")
    captain, partner = players(team)
    entry = registration.register(by=captain, competition=cup, team=team)
    for accept in (True, False):
        with pytest.raises(Refused) as error:
            answering.answer(by=a_player("Passant"), entry=entry, accept=accept)
        assert (error.value.code, error.value.status) == ("not_on_roster", 403)
    assert answering.answer(by=partner, entry=entry, accept=True).state == "accepted"
    assert answering.answer(by=captain, entry=entry, accept=False).state == "refused"


def test_an_organiser_refuses_with_a_reason_only(cup):
    entry = registration.register(by=SITE, competition=cup, team=a_team("Draveurs"))
    with pytest.raises(Refused) as error:
        registration.refuse(by=SITE, entry=entry)
    assert error.value.code == "reason_missing"
    for reason, code in (("<b>non</b>", "markup"), ("x" * 201, "reason_length"), ("a\x00b", "control_characters")):
        with pytest.raises(Refused) as error:
            registration.refuse(by=SITE, entry=entry, reason=reason)
        assert (error.value.code, error.value.field) == (code, "reason")
    with pytest.raises(NotAllowed):
        registration.refuse(by=a_player("Passant"), entry=entry, reason="non")
    assert Entry.objects.get(pk=entry.pk).state == "accepted"


def test_entries_close_at_their_time_and_unconfirmed_ones_are_refused(hand):
    cup = a_tournament(2, state="open", check_in=True)
    team = a_team("Draveurs")
    entry = registration.register(by=players(team)[0], competition=cup, team=team)
    hand.advance(hours=1, minutes=30)
    late = a_team("En retard")
    with pytest.raises(Conflict) as error:
        registration.register(by=players(late)[0], competition=cup, team=late)
    assert error.value.code == "entries_closed"
    lifecycle.advance(by=SITE, competition=cup, to="closed")
    entry.refresh_from_db()
    assert (entry.state, entry.reason) == ("refused", "@silent")
    with pytest.raises(NotAllowed):  # the refused roster is released
        registration.confirm(by=players(team)[1], entry=entry)
    assert registration.register(by=SITE, competition=cup, team=late).state == "accepted"  # still possible at the desk


@pytest.mark.parametrize("state", ["draft", "published", "closed", "running", "finished", "cancelled"])
def test_captains_register_only_while_entries_are_open(hand, state):
    cup = a_tournament(2, state=state if state in ("draft", "closed", "running", "finished") else "draft")
    if state == "published":
        lifecycle.advance(by=SITE, competition=cup, to="published")
    if state == "cancelled":
        lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="Inondation")
    team = a_team("Draveurs")
    with pytest.raises(Conflict) as error:
        registration.register(by=players(team)[0], competition=cup, team=team)
    assert error.value.code in ("entries_closed", "drawn")
    assert not Entry.objects.filter(team=team).exists()


def test_after_the_draw_entries_do_not_change_this_way(hand):
    cup = a_tournament(2, state="closed")
    entry = cup.entries.first()
    draw.draw(by=SITE, competition=cup)
    for action in (
        lambda: registration.withdraw_before_draw(by=SITE, entry=entry),
        lambda: registration.refuse(by=SITE, entry=entry, reason="non"),
        lambda: registration.admit(by=SITE, entry=entry),
        lambda: registration.register(by=SITE, competition=cup, team=a_team("Draveurs")),
    ):
        with pytest.raises(Conflict) as error:
            action()
        assert error.value.code == "drawn"


def test_a_club_officer_enters_the_clubs_teams_and_both_players_confirm(hand):
    cup, club = a_tournament(0, state="open"), a_club()
    officer, team = a_player("Dirigeante Deux"), a_team("Draveurs", club=club)
    clubs.join(by=officer, club=club)
    clubs.give_role(by=SITE, club=club, player=officer, name="officer")
    entry = registration.register(by=officer, competition=cup, team=team)
    captain, partner = players(team)
    assert registration.confirm(by=captain, entry=entry).state == "pending"
    assert registration.confirm(by=partner, entry=entry).state == "accepted"
