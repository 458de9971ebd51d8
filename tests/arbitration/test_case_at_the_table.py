"""What the table and the players' record say of the referee who has, keeps or loses a case."""

import pytest
from django.urls import reverse

from games.fold import Viewer, view
from games.models import GameEvent, SeatView
from games.permissions import Person
from games.selectors import games, replays
from games.services import judge, referee
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import case_files
from tock_league.arbitration.selectors.cases.game_log import log_of
from tock_league.arbitration.services.referees import leases, recusals
from tock_league.common import clock
from tock_league.common.errors import NotAllowed
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .browsers import signed_in, to
from .world import World, a_world, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db, hand) -> World:
    return a_world()


@pytest.fixture
def held(world: World):
    """A game that waits; a referee has the case and sees the hand of seat 1."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire").code
    case = Case.objects.get()
    leases.take(by=world.referees[0], case=case)
    leases.view_seat(by=world.referees[0], case=case, seat=1)
    return sat, fresh(case)


def lose_the_role(world: World, case: Case) -> None:
    role = CompetitionRole.objects.get(player=world.referees[0], competition=world.competition)
    roles.end(by=SITE, role=role)


LEFT = {
    "escalated": lambda world, case: leases.escalate(by=world.referees[0], case=case, note="Je propose un forfait."),
    "released": lambda world, case: leases.release(by=world.referees[0], case=case),
    "stepped aside": lambda world, case: recusals.recuse(by=world.referees[0], case=case, reason="Un ami joue."),
    "lost the role": lose_the_role,
}


@pytest.mark.parametrize("how", LEFT)
def test_the_table_no_longer_says_that_a_referee_has_a_case_which_nobody_holds(world: World, held, how: str) -> None:
    sat, case = held
    assert view(sat.state, Viewer(seat=1))["frozen"]["held"] is True
    LEFT[how](world, case)
    frozen = view(sat.state, Viewer(seat=1))["frozen"]
    assert frozen["held"] is False
    assert frozen["until"] >= clock.now_ms() + sat.game.table.referee_wait_s * 1000
    assert not SeatView.objects.filter(game=sat.game, ended_at__isnull=True).exists()
    leases.take(by=world.head, case=fresh(case))
    assert view(sat.state, Viewer(seat=1))["frozen"]["held"] is True
    assert replays.faults(sat.game) == []
    assert [line.code for line in log_of(fresh(case), judges=True)][-3:] == ["seat_view", "free", "hold"]


def test_a_record_with_a_case_given_back_and_kept_longer_is_a_valid_one(world: World, held, hand) -> None:
    sat, case = held
    hand.advance(minutes=2)
    leases.renew(by=world.referees[0], case=case)
    leases.release(by=world.referees[0], case=case)
    leases.take(by=world.head, case=fresh(case))
    referee.resume(game_id=sat.game.pk, ref="the end")
    assert not sat.send(1, "resign").code
    rows = replays.rows(sat.game)
    assert [row.code for row in rows if row.code in ("hold", "free")] == ["hold", "hold", "free", "hold"]
    setup = replays.opening_state(sat.game).setup
    assert judge.judge(table=sat.table, setup=setup, rows=rows, now=clock.now_ms()).result is not None


def test_renewals_of_a_lease_are_told_once(world: World, held, hand) -> None:
    sat, case = held
    for _renewal in range(3):
        hand.advance(minutes=2)
        leases.renew(by=world.referees[0], case=case)
    party = case_files.case_file(fresh(case), world.players[0])
    assert [event.type for event in party.events].count("lease_renewed") == 1
    bodies = [bytes(entry.body) for entry in JournalEntry.objects.all()]
    assert sum(b'"lease.renewed"' in body for body in bodies) == 1
    assert [line.code for line in log_of(fresh(case), judges=True)].count("hold") == 1
    assert [row.body.get("again") for row in replays.rows(sat.game) if row.code == "hold"] == [None, True, True, True]
    assert sat.state.frozen.until == clock.now_ms() + 300_000


def test_the_referee_who_holds_the_case_sees_the_position_again_and_nobody_else(world: World, held) -> None:
    sat, case = held
    replay = reverse("games:replay", args=[sat.game.slug])
    address = f"{replay}?as=referee#{case.seq}"
    holder, other, party = world.referees[0], world.referees[1], world.players[1]
    pages = {who: signed_in(who).get(to("case", case.number)).content.decode() for who in (holder, other, party)}
    assert address in pages[holder]
    assert replay not in pages[other] + pages[party]
    boot = signed_in(holder).get(replay).context["boot"]
    assert boot["views"] == ["spectator", "referee"]
    assert "views" not in signed_in(party).get(replay).context["boot"]
    people = {who: Person(player_id=who.pk) for who in (holder, other, party)}
    shown = replays.viewer_for(sat.game, "referee", people[holder])
    assert games.shown_to(sat.game, shown, now=clock.now_ms()) == sat.game.last_seq > case.seq
    # Another referee of the event sees the table without delay, as on its page, and no hand.
    assert (shown.sees, replays.viewer_for(sat.game, "referee", people[other]).sees) == (1, None)
    with pytest.raises(NotAllowed):
        replays.viewer_for(sat.game, "referee", people[party])
    # When the game is over, everybody sees it.
    referee.resume(game_id=sat.game.pk, ref="the end")
    assert not sat.send(1, "resign").code
    assert f"{replay}#{case.seq}" in signed_in(party).get(to("case", case.number)).content.decode()


def test_the_course_of_play_is_as_before_when_a_lease_runs_out(world: World, held, hand) -> None:
    from games.services import clocks
    from tock_league.arbitration.services.cases import overdue

    sat, case = held
    hand.advance(minutes=6)
    overdue.sweep()
    clocks.claim_due()
    assert sat.state.frozen is None
    assert GameEvent.objects.get(game=sat.game, code="mark").body["why"] == "lapsed"
    assert fresh(case).events.filter(type="lease_expired").exists()
