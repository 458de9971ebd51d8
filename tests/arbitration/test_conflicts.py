"""A referee with a conflict of interest on each ground is refused at the lease, at the signature and on a panel."""

from datetime import timedelta

import pytest

from tests.competitions.world import a_club, a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.conflicts import GROUNDS
from tock_league.arbitration.models import Case, FamilyTie, Lease, Recusal
from tock_league.arbitration.selectors.cases import case_files
from tock_league.arbitration.selectors.referees import conflicts
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.referees import leases, outsiders, recusals, ties
from tock_league.arbitration.services.rulings import signing
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.competitions.models import Competition, CompetitionRole, Match
from tock_league.competitions.services.seasons import roles

from .world import World, a_world, fresh, related


def refused(by: Player, case: Case) -> str:
    """Try to take the case and return the ground of the refusal, which must be recorded as a recusal."""
    with pytest.raises(Refused) as found:
        leases.take(by=by, case=case)
    assert (found.value.code, found.value.field, found.value.status) == ("conflict", "referee", 403)
    assert str(found.value.sentence)
    assert not Lease.objects.filter(case=case, referee=by, ended_at__isnull=True).exists()
    assert Recusal.objects.filter(case=case, person=by).exists()
    return str(found.value.details["ground"])


def referee_of(world: World, player: Player) -> Player:
    roles.give(by=SITE, competition=world.competition, player=player, name="referee")
    return player


def test_a_player_of_that_match_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    assert refused(referee_of(world, world.players[0]), case) == "party"
    assert refused(referee_of(world, world.players[3]), case) == "party"


def test_a_member_of_the_club_of_one_side_only_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    club, other = a_club("Club des Chutes"), a_club("Club du Portage")
    clubs.join(by=world.players[0], club=club, player=world.players[0])
    clubs.join(by=world.referees[0], club=club, player=world.referees[0])
    assert refused(world.referees[0], case) == "club"
    clubs.join(by=world.players[1], club=other, player=world.players[1])
    assert refused(world.referees[0], case) == "club"


def test_a_clubmate_of_both_sides_may_referee(world: World) -> None:
    case = world.heard(world.dispute())
    club = a_club("Club des Chutes")
    for player in (world.players[0], world.players[1], world.referees[0]):
        clubs.join(by=player, club=club, player=player)
    assert leases.take(by=world.referees[0], case=case).referee == world.referees[0]


def test_the_referee_who_ruled_the_case_under_appeal_is_in_conflict(world: World) -> None:
    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="rule", text="La règle 8 dit autre chose.")
    case = fresh(case)
    assert conflicts.grounds(world.head, case) == ("author",)
    hearing.form_panel(by=world.organiser, case=case)
    assert not case.panel.filter(member=world.head).exists()


def test_a_relative_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    related(world.players[2], world.referees[0])
    assert refused(world.referees[0], case) == "family"
    ties.end(by=world.players[2], tie=FamilyTie.objects.get())
    assert conflicts.grounds(world.referees[0], fresh(case)) == ()


def test_a_partner_in_another_team_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    clubs.form_team(by=SITE, name="Les Vieux Pieux", players=[world.players[3], world.referees[0]])
    assert refused(world.referees[0], case) == "partner"


def test_a_player_of_the_same_competition_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    other = world.competition.matches.exclude(pk=world.match.pk).filter(round__number=1).first()
    spot = other.side_rows.first().entry.roster.first()
    assert refused(referee_of(world, spot.player), case) == "affected"
    Competition.objects.filter(pk=world.competition.pk).update(state=Competition.State.FINISHED)
    assert conflicts.grounds(spot.player, fresh(case)) == ()


def test_an_opponent_in_a_final_of_the_last_thirty_days_is_in_conflict(world: World) -> None:
    other = a_world()
    finalist = other.played() and other.players[0]
    case = _case_with(world, other.players[1])
    Match.objects.filter(pk=other.match.pk).update(label="final")
    Competition.objects.filter(pk=other.competition.pk).update(state=Competition.State.FINISHED)
    assert refused(referee_of(world, finalist), case) == "final"


def _case_with(world: World, player: Player) -> Case:
    """A case in which `player` sits in seat 1."""
    world.open()
    world.match.table.seatings.filter(seat=1).update(player=player)
    return world.heard(world.dispute(by=player))


def test_an_opponent_in_another_open_case_is_in_conflict(world: World) -> None:
    other = a_world()
    other.dispute()
    opponent = other.players[0]
    case = _case_with(world, other.players[1])
    assert refused(referee_of(world, opponent), case) == "open_case"


def test_a_referee_who_stepped_aside_is_in_conflict(world: World) -> None:
    case = world.heard(world.dispute())
    leases.take(by=world.referees[0], case=case)
    recusals.recuse(by=world.referees[0], case=case, reason="C’est mon voisin.")
    assert fresh(case).state == "filed"
    assert refused(world.referees[0], fresh(case)) == "recused"


def test_every_ground_has_a_sentence() -> None:
    assert set(conflicts.SENTENCES) == set(GROUNDS)


def test_a_conflict_that_arises_under_the_lease_blocks_the_signature(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    decision = world.against(case)
    shown = signing.preview(by=world.head, case=case, decision=decision)
    related(world.players[0], world.head)
    with pytest.raises(Refused) as found:
        signing.sign(by=world.head, case=case, decision=decision, preview_digest=shown.digest)
    assert found.value.code == "conflict"
    assert fresh(case).state == "hearing"


def test_the_desk_says_why_a_case_is_not_for_its_reader(world: World) -> None:
    world.heard(world.dispute())
    related(world.players[0], world.referees[0])
    (row,) = case_files.queue(world.competition, world.referees[0])
    assert not row.may_take
    assert str(row.conflict)


def test_an_outsider_is_named_when_nobody_is_left_and_the_case_says_so(world: World) -> None:
    case = world.heard(world.dispute())
    stranger = a_player("Lise Caron")
    with pytest.raises(Refused) as left:
        outsiders.name_outsider(by=world.organiser, case=case, player=stranger, reason="Tous sont du même club.")
    assert left.value.code == "referee_left"
    for referee in [*world.referees, world.head]:
        related(world.players[0], referee)
    with pytest.raises(NotAllowed):
        outsiders.name_outsider(by=world.head, case=case, player=stranger, reason="Tous sont parents.")
    with pytest.raises(Refused) as party:
        outsiders.name_outsider(by=world.organiser, case=case, player=world.players[1], reason="Il est là.")
    assert party.value.code == "conflict"
    assert "name_outsider" in case_files.case_file(case, world.organiser).may
    role = outsiders.name_outsider(by=world.organiser, case=case, player=stranger, reason="Tous sont parents.")
    assert role.outsider
    assert fresh(case).outsider
    assert case.events.filter(type="outsider_named").exists()
    leases.take(by=stranger, case=fresh(case))
    ruling = world.rule(fresh(case), world.against(case), by=stranger)
    assert ruling.author == stranger
    assert CompetitionRole.objects.get(player=stranger).outsider


def test_a_final_long_ago_is_no_conflict(world: World) -> None:
    other = a_world()
    other.played()
    Match.objects.filter(pk=other.match.pk).update(label="final", decided_at=clock.now() - timedelta(days=31))
    Competition.objects.filter(pk=other.competition.pk).update(state=Competition.State.FINISHED)
    case = _case_with(world, other.players[1])
    assert conflicts.grounds(other.players[0], case) == ()


def test_only_referees_take_a_case(world: World) -> None:
    from tock_league.accounts.services import give_role

    case = world.heard(world.dispute())
    administrator = a_player("Lise Caron")
    give_role(player=administrator, name="administrator", by=SITE)
    for person in (administrator, world.organiser, a_player(), SITE, None):
        with pytest.raises(NotAllowed):
            leases.take(by=person, case=case)


def test_a_referee_of_the_whole_site_takes_cases_everywhere(world: World) -> None:
    from tock_league.accounts.services import give_role

    case = world.heard(world.dispute())
    roving = a_player("Lise Caron")
    give_role(player=roving, name="referee", by=SITE)
    assert leases.take(by=roving, case=case).referee == roving
