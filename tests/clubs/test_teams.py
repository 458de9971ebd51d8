"""Teams: creating, inviting by name and by link, slots, leaving, dissolving; services and constraints of the
database."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.clubs import selectors, services
from tock_league.clubs.models import Team, TeamInvitation, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused

pytestmark = pytest.mark.django_db


def a_player(name="Océane Trudel"):
    return create_player(display_name=name)


@pytest.fixture
def captain():
    return a_player("Martine Gélinas")


@pytest.fixture
def team(captain):
    return services.found_team(by=captain, name="Draveurs")


def names(team):
    roster = selectors.roster(team)
    return [p.display_name.split()[0] for p in roster.starters], [p.display_name.split()[0] for p in roster.substitutes]


def in_team(team, slot, name):
    player = a_player(name)
    services.answer(
        by=player,
        invitation=services.invite(by=team.spells.get(slot=1, left=None).player, team=team, player=player, slot=slot),
        accept=True,
    )
    return player


def refusal(act, kind=Refused):
    with pytest.raises(kind) as error:
        act()
    assert str(error.value.sentence)
    return error.value.code


def test_a_new_team_has_its_founder_as_captain_and_only_member(team, captain):
    assert names(team) == (["Martine"], [])
    assert team.club is None


def test_a_team_of_a_club_is_founded_by_its_members_only(captain):
    club = services.found_club(by=SITE, name="Les Pieux", town="Grand-Mère")
    with pytest.raises(NotAllowed):
        services.found_team(by=captain, name="Draveurs", club=club)
    services.join(by=captain, club=club)
    assert services.found_team(by=captain, name="Draveurs", club=club).club == club
    assert refusal(lambda: services.found_team(by=captain, name="Draveurs", club=club)) == "team_name_in_club"


@pytest.mark.both_databases
def test_two_clicks_found_one_team(team, captain):
    assert refusal(lambda: services.found_team(by=captain, name="Draveurs")) == "team_name_taken"
    assert Team.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("<script>alert(1)</script>", "markup"),
        ("</b>Draveurs", "markup"),
        ("Dra\x07veurs", "control_characters"),
        ("Dra\u202eveurs", "control_characters"),
        ("D", "min_length"),
        ("   ", "blank"),
        ("D" * 1_000_000, "max_length"),
    ],
)
def test_an_invalid_name_is_refused_and_nothing_is_written(name, code, captain, team):
    assert refusal(lambda: services.found_team(by=captain, name=name)) == code
    assert refusal(lambda: services.rename_team(by=captain, team=team, name=name)) == code
    assert [made.name for made in Team.objects.all()] == ["Draveurs"]


def test_a_heart_in_a_name_is_not_an_html_tag(captain):
    assert services.found_team(by=captain, name="Tock <3").name == "Tock <3"


@pytest.mark.both_databases
def test_an_invited_player_sees_it_and_accepts(team, captain):
    partner = a_player()
    invitation = services.invite(by=captain, team=team, player=partner, slot=2)
    assert list(selectors.invitations_of(partner)) == [invitation]
    services.answer(by=partner, invitation=invitation, accept=True)
    assert names(team) == (["Martine", "Océane"], [])
    assert not selectors.invitations_of(partner).exists()


def test_declining_leaves_the_place_free_for_the_next_invitation(team, captain):
    partner = a_player()
    services.answer(by=partner, invitation=services.invite(by=captain, team=team, player=partner, slot=2), accept=False)
    assert names(team) == (["Martine"], [])
    services.invite(by=captain, team=team, player=partner, slot=2)


@pytest.mark.both_databases
def test_a_link_serves_once_and_its_secret_is_not_in_the_database(team, captain):
    invitation, token = services.invite_by_link(by=captain, team=team, slot=2)
    row = TeamInvitation.objects.filter(pk=invitation.pk).values().get()
    assert token not in str(row)
    assert len(row["token_hash"]) == 64
    first, second = a_player("Océane"), a_player("Réjean")
    services.answer_link(by=first, token=token, accept=True)
    for person in (first, second):
        assert refusal(lambda person=person: services.answer_link(by=person, token=token, accept=True), Conflict) == (
            "invitation_used"
        )
    assert names(team) == (["Martine", "Océane"], [])


def test_an_unknown_link_leads_nowhere(captain):
    with pytest.raises(NotThere):
        services.answer_link(by=captain, token="x" * 32, accept=True)


def test_nobody_invites_themselves(team, captain):
    assert refusal(lambda: services.invite(by=captain, team=team, player=captain, slot=2)) == "self_invited"
    _, token = services.invite_by_link(by=captain, team=team, slot=2)
    assert refusal(lambda: services.answer_link(by=captain, token=token, accept=True)) == "self_invited"


def test_a_place_is_offered_once_and_a_player_invited_once(team, captain):
    one, other = a_player("Océane"), a_player("Réjean")
    services.invite(by=captain, team=team, player=one, slot=2)
    again = [
        lambda: services.invite(by=captain, team=team, player=other, slot=2),
        lambda: services.invite_by_link(by=captain, team=team, slot=2),
        lambda: services.invite(by=captain, team=team, player=one, slot=3),
    ]
    assert [refusal(act) for act in again] == ["second_invitation"] * 3
    assert TeamInvitation.objects.count() == 1


def test_an_invitation_ends_with_its_time_and_the_place_may_be_offered_again(frozen_clock):
    captain, partner = a_player("Martine"), a_player("Océane")
    team = services.found_team(by=captain, name="Draveurs")
    invitation = services.invite(by=captain, team=team, player=partner, slot=2)
    _, token = services.invite_by_link(by=captain, team=team, slot=3)
    frozen_clock.advance(days=7)
    late = [
        lambda: services.answer(by=partner, invitation=invitation, accept=True),
        lambda: services.answer_link(by=partner, token=token, accept=True),
    ]
    assert [refusal(act, Conflict) for act in late] == ["invitation_expired"] * 2
    assert not selectors.invitations_of(partner).exists()
    services.invite(by=captain, team=team, player=partner, slot=2)
    invitation.refresh_from_db()
    assert invitation.state == "expired"


def test_a_revoked_invitation_cannot_be_used(team, captain):
    invitation, token = services.invite_by_link(by=captain, team=team, slot=2)
    with pytest.raises(NotAllowed):
        services.revoke(by=a_player("Réjean"), invitation=invitation)
    for _ in range(2):
        assert services.revoke(by=captain, invitation=invitation).state == "revoked"
    assert refusal(lambda: services.answer_link(by=a_player(), token=token, accept=True), Conflict) == (
        "invitation_revoked"
    )


def test_an_answered_invitation_is_not_taken_back(team, captain):
    partner = a_player()
    invitation = services.invite(by=captain, team=team, player=partner, slot=2)
    services.answer(by=partner, invitation=invitation, accept=True)
    assert refusal(lambda: services.revoke(by=captain, invitation=invitation), Conflict) == "invitation_used"


def test_a_strangers_invitation_is_not_answered(team, captain):
    invitation = services.invite(by=captain, team=team, player=a_player("Océane"), slot=2)
    for person in (a_player("Réjean"), captain, None):
        for accept in (True, False):
            with pytest.raises(NotAllowed):
                services.answer(by=person, invitation=invitation, accept=accept)
    invitation.refresh_from_db()
    assert invitation.state == "open"


def test_only_the_captain_or_an_officer_of_the_club_invites(team, captain):
    partner = in_team(team, 2, "Océane")
    for person in (partner, a_player("Réjean"), None):
        with pytest.raises(NotAllowed):
            services.invite(by=person, team=team, player=a_player("Yvon"), slot=3)
        with pytest.raises(NotAllowed):
            services.invite_by_link(by=person, team=team, slot=3)


def test_two_substitutes_at_most(team, captain):
    in_team(team, 2, "Océane"), in_team(team, 3, "Réjean"), in_team(team, 4, "Yvon")
    assert names(team) == (["Martine", "Océane"], ["Réjean", "Yvon"])
    marc = a_player("Marc")
    codes = [
        refusal(lambda slot=slot: services.invite(by=captain, team=team, player=marc, slot=slot)) for slot in range(6)
    ]
    assert codes == ["place_unknown", "place_unknown", "place_taken", "place_taken", "place_taken", "place_unknown"]


def test_a_player_of_the_team_is_not_invited_again_nor_by_a_link(team, captain):
    partner = in_team(team, 2, "Océane")
    assert refusal(lambda: services.invite(by=captain, team=team, player=partner, slot=3)) == "already_in_team"
    _, token = services.invite_by_link(by=captain, team=team, slot=3)
    assert refusal(lambda: services.answer_link(by=partner, token=token, accept=True)) == "already_in_team"


@pytest.mark.both_databases
def test_places_are_exchanged_and_the_history_remembers(frozen_clock):
    captain = a_player("Martine")
    team = services.found_team(by=captain, name="Draveurs")
    partner, substitute = in_team(team, 2, "Océane"), in_team(team, 3, "Réjean")
    frozen_clock.advance(days=3)
    services.set_place(by=captain, team=team, player=substitute, slot=2)
    assert names(team) == (["Martine", "Réjean"], ["Océane"])
    services.set_place(by=captain, team=team, player=substitute, slot=1)
    assert names(team) == (["Réjean", "Martine"], ["Océane"])
    with pytest.raises(NotAllowed):
        services.set_place(by=captain, team=team, player=captain, slot=1)
    rows = [(s.player_id, s.slot, s.left is None) for s in selectors.history(team)]
    assert (partner.pk, 2, False) in rows
    assert (partner.pk, 3, True) in rows


def test_a_team_is_never_without_its_captain(team, captain):
    assert refusal(lambda: services.set_place(by=captain, team=team, player=captain, slot=2)) == "captain_needed"
    partner = in_team(team, 2, "Océane")
    services.leave_team(by=captain, team=team)
    assert names(team) == (["Océane"], [])
    assert team.spells.get(left=None, slot=1).player == partner
    assert refusal(lambda: services.leave_team(by=captain, team=team), Conflict) == "not_in_team"


@pytest.mark.both_databases
def test_the_last_one_to_leave_dissolves_the_team_and_its_name_is_free(captain):
    club = services.found_club(by=captain, name="Les Pieux", town="Grand-Mère")
    team = services.found_team(by=captain, name="Draveurs", club=club)
    _, token = services.invite_by_link(by=captain, team=team, slot=2)
    services.leave_team(by=captain, team=team)
    team.refresh_from_db()
    assert team.dissolved_at is not None
    assert refusal(lambda: services.answer_link(by=a_player(), token=token, accept=True), Conflict) == "team_dissolved"
    for act in (
        lambda: services.dissolve(by=captain, team=team),
        lambda: services.invite_by_link(by=captain, team=team, slot=2),
        lambda: services.rename_team(by=captain, team=team, name="Autre"),
    ):
        assert refusal(act, Conflict) == "team_dissolved"
    assert services.found_team(by=captain, name="Draveurs", club=club).pk != team.pk
    assert [row.left is not None for row in selectors.history(team)] == [True]


def test_only_the_captain_dissolves_renames_and_removes(team, captain):
    partner = in_team(team, 2, "Océane")
    for act in (
        lambda: services.dissolve(by=partner, team=team),
        lambda: services.rename_team(by=partner, team=team, name="Autre"),
        lambda: services.remove_player(by=partner, team=team, player=captain),
    ):
        with pytest.raises(NotAllowed):
            act()
    services.remove_player(by=captain, team=team, player=partner)
    assert names(team) == (["Martine"], [])


@pytest.mark.both_databases
def test_a_place_that_was_taken_meanwhile_is_reported(team, captain):
    late = a_player("Réjean")
    invitation = services.invite(by=captain, team=team, player=late, slot=2)
    substitute = in_team(team, 3, "Yvon")
    services.set_place(by=captain, team=team, player=substitute, slot=2)
    assert refusal(lambda: services.answer(by=late, invitation=invitation, accept=True), Conflict) == "place_taken"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "values",
    [
        {"slot": 2, "player": "other", "token_hash": None},  # a second open invitation to the slot
        {"slot": 3, "player": "same", "token_hash": None},  # a second open invitation to the player
        {"slot": 3, "player": None, "token_hash": None},  # neither name nor link
        {"slot": 3, "player": "other", "token_hash": "f" * 64},  # both
        {"slot": 1, "player": "other", "token_hash": None},  # the captain's slot
        {"slot": 3, "player": "other", "token_hash": None, "state": "lost"},
        {"slot": 3, "player": "other", "token_hash": None, "state": "accepted"},  # closed without a date
        {"slot": 3, "player": "other", "token_hash": None, "life": -1},
    ],
)
def test_the_database_itself_holds_the_rules_of_invitations(values, team, captain):
    same, other = a_player("Océane"), a_player("Réjean")
    services.invite(by=captain, team=team, player=same, slot=2)
    player = {"same": same, "other": other, None: None}[values["player"]]
    now = clock.now()
    row = TeamInvitation(
        team=team,
        slot=values["slot"],
        player=player,
        token_hash=values["token_hash"],
        state=values.get("state", "open"),
        sent_at=now,
        expires_at=now + timedelta(days=values.get("life", 1)),
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamInvitation.objects.bulk_create([row])


@pytest.mark.both_databases
def test_the_database_lets_a_neighbouring_invitation_pass(team, captain):
    services.invite(by=captain, team=team, player=a_player("Océane"), slot=2)
    now = clock.now()
    row = TeamInvitation(team=team, slot=3, player=a_player("Réjean"), sent_at=now, expires_at=now + timedelta(days=1))
    TeamInvitation.objects.bulk_create([row])
    assert TeamPlayer.objects.filter(team=team).count() == 1
    assert TeamInvitation.objects.count() == 2
