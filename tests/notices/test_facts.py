"""Which facts are told to whom: teams, tables, entries, matches, results, cases."""

from datetime import timedelta

import pytest

from games.models import TableInvitation
from games.permissions import Person
from games.services import casual
from tests.arbitration.world import World, a_world, fresh, replied
from tests.competitions.world import a_plan, a_team, a_tournament, under_way
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Deadline
from tock_league.arbitration.selectors.cases.deadlines import deadlines_of
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import reminders as case_reminders
from tock_league.arbitration.services.cases import telling
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match, Regulations
from tock_league.competitions.services.entries import checkin, registration, silence
from tock_league.competitions.services.results import corrections, paper
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import draw, publishing, reminders, schedule
from tock_league.competitions.services.seasons import lifecycle
from tock_league.notices import selectors
from tock_league.notices.models import Notice

from .world import a_reader, told, with_login

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]


def everybody(competition: Competition) -> list[Player]:
    """Give every player of the competition a login; return them by seed and slot."""
    spots = [spot for entry in competition.entries.order_by("pk") for spot in entry.roster.order_by("slot")]
    return [with_login(spot.player, f"p{number}@example.org") for number, spot in enumerate(spots)]


def side_of(match: Match, position: int) -> list[Player]:
    return [spot.player for spot in match.side_rows.get(position=position).entry.roster.order_by("slot")]


def sentence(player: Player) -> str:
    """Return the newest notice of the player, in words."""
    return selectors.newest(player)[0].told.sentence


def test_an_invitation_to_a_team_is_told_and_goes_when_it_is_answered_or_taken_back():
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    team = clubs.found_team(by=ana, name="Les As")
    first = clubs.invite(by=ana, team=team, player=bob, slot=2)
    assert told(bob) == ["team_invitation"]
    assert "Ana Roy" in sentence(bob)
    assert "Les As" in sentence(bob)
    assert told(ana) == []
    clubs.revoke(by=ana, invitation=first)
    assert told(bob) == []
    again = clubs.invite(by=ana, team=team, player=bob, slot=2)
    clubs.answer(by=bob, invitation=again, accept=True)
    assert told(bob) == []


def test_a_renamed_or_erased_thing_is_right_in_old_notices():
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    team = clubs.found_team(by=ana, name="Les As")
    clubs.invite(by=ana, team=team, player=bob, slot=2)
    clubs.rename_team(by=ana, team=team, name="Les Rois")
    Player.objects.filter(pk=ana.pk).update(display_name="Joueur 8F3")
    assert "Les Rois" in sentence(bob)
    assert "Joueur 8F3" in sentence(bob)


def test_an_invitation_to_a_table_is_told_and_goes_with_it(monkeypatch):
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    monkeypatch.setattr("tock_league.common.bus._within", {})  # whether bob is here: tests/pages
    host, guest = Person(ana.pk, ana.user_id), Person(bob.pk, bob.user_id)
    code = casual.open_table(by=host, rules="shawinigan/1", seats=4).code
    casual.invite(code, bob, by=host)
    casual.invite(code, bob, by=host)
    assert told(bob) == ["table_invitation"]
    assert Notice.objects.get().address == f"/play/{code}/"
    casual.decline(code, by=guest)
    assert (told(bob), TableInvitation.objects.count()) == ([], 0)
    casual.invite(code, bob, by=host)
    casual.sit(code, 1, by=guest)
    assert (told(bob), TableInvitation.objects.count()) == ([], 0)


def test_an_entry_is_accepted_and_another_one_moves_up_from_the_waiting_list():
    cup = a_tournament(0, state="open", size=2)
    teams = [a_team(f"Équipe {letter}") for letter in "ABC"]
    players = [
        [with_login(spell.player, f"{team.slug}-{spell.slot}@example.org") for spell in team.spells.order_by("slot")]
        for team in teams
    ]
    entries = [registration.register(by=SITE, competition=cup, team=team) for team in teams]
    assert told(players[0][0]) == told(players[1][1]) == ["entry_accepted"]
    assert told(players[2][0]) == []  # it waits
    registration.withdraw_before_draw(by=SITE, entry=entries[0])
    assert told(players[2][0]) == told(players[2][1]) == ["entry_moved_up"]
    assert "Équipe C" in sentence(players[2][0])


def test_whoever_did_it_is_not_told():
    cup, team = a_tournament(0, state="open"), a_team("Draveurs")
    captain, partner = (with_login(spell.player, f"{spell.slot}@example.org") for spell in team.spells.order_by("slot"))
    entry = registration.register(by=captain, competition=cup, team=team)
    registration.confirm(by=partner, entry=entry)
    assert (told(captain), told(partner)) == (["entry_accepted"], [])


def test_the_draw_and_a_cancellation_are_told_to_all_who_take_part():
    cup = a_tournament(4, state="closed")
    players = everybody(cup)
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="La salle est inondée.")
    assert all(told(player) == ["draw_published", "event_cancelled"] for player in players)
    assert "inondée" not in sentence(players[0])  # a text that somebody typed stays on the page


def test_a_draft_is_told_to_nobody():
    cup = a_tournament(0, state="draft")
    lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="Une erreur.")
    assert Notice.objects.count() == 0


def test_players_are_reminded_a_day_and_an_hour_before_and_the_table_opens(hand):
    world = a_world()
    match = world.match
    player = with_login(side_of(match, 0)[0], "p@example.org")
    hand.set(match.starts_at - timedelta(hours=25))
    assert reminders.remind() == 0
    hand.advance(hours=2)
    assert reminders.remind() > 0
    assert reminders.remind() == 0
    assert told(player) == ["match_in_a_day"]
    hand.set(match.starts_at - timedelta(minutes=50))
    reminders.remind()
    reminders.remind()
    hand.set(match.starts_at - timedelta(minutes=14))
    publishing.open_due_tables()
    publishing.open_due_tables()
    assert told(player) == ["match_in_a_day", "match_in_an_hour", "table_open"]
    notice = Notice.objects.get(kind="table_open", player=player)
    assert notice.address.startswith("/tables/")
    assert notice.useless_at == match.starts_at


def test_a_new_date_is_told_and_takes_the_reminders_of_the_former_one_back(hand):
    world = a_world()
    match = world.match
    player = with_login(side_of(match, 0)[0], "p@example.org")
    hand.set(match.starts_at - timedelta(hours=20))
    reminders.remind()
    schedule.move(by=SITE, match=match, starts_at=match.starts_at + timedelta(days=2))
    assert told(player) == ["match_moved"]
    schedule.move(by=SITE, match=match, starts_at=match.starts_at + timedelta(days=2))  # a double click
    assert told(player) == ["match_moved"]
    hand.advance(days=2)
    reminders.remind()
    assert told(player) == ["match_moved", "match_in_a_day"]


def test_a_result_is_to_be_confirmed_by_the_other_captain_and_a_correction_told_to_all():
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    everybody(cup)
    Notice.objects.all().delete()
    match = under_way(cup)[0]
    (home, partner), (away, _other) = side_of(match, 0), side_of(match, 1)
    paper.report(by=home, match=match, games=[Game(0, 3)])
    assert (told(home), told(partner), told(away)) == ([], [], ["result_to_confirm"])
    paper.contest(by=away, match=match, games=[Game(1, 2)], seen=1)
    assert (told(home), told(away)) == (["result_to_confirm"], ["result_to_confirm"])
    paper.accept(by=home, match=match, seen=2)
    Notice.objects.all().delete()
    right = Right("paper", games=(Game(0, 1),))
    shown = corrections.preview(by=SITE, match=match, right=right)
    assert Notice.objects.count() == 0  # a preview tells nobody
    corrections.correct(by=SITE, match=match, right=right, reason="Feuille mal lue.", digest=shown.digest)
    assert all(told(player) == ["result_corrected"] for player in (home, partner, away))


def test_a_dispute_asks_the_other_side_and_its_ruling_is_told_to_both():
    world: World = a_world()
    case = world.dispute()
    Notice.objects.all().delete()
    seats = [with_login(player, f"seat{seat}@example.org") for seat, player in enumerate(world.players)]
    telling.opened(case, case.opened_by, answer_until=clock.now() + timedelta(days=1))
    opener = next(player for player in seats if player.pk == case.opened_by_id)
    own = next(player for seat, player in enumerate(seats) if seat % 2 == case.side and player != opener)
    others = [player for seat, player in enumerate(seats) if seat % 2 != case.side]
    assert (told(opener), told(own)) == ([], ["case_opened"])
    assert all(told(player) == ["answer_due"] for player in others)
    taken = world.taken(world.heard(case))
    world.rule(taken, world.against(case))
    assert told(opener) == ["ruling"]
    assert all(told(player) == ["ruling"] for player in others)
    assert case.number in selectors.newest(opener)[0].told.title


def with_logins(world: World) -> list[Player]:
    return [with_login(player, f"seat{seat}@example.org") for seat, player in enumerate(world.players)]


def test_who_has_not_answered_is_reminded_once_and_who_has_is_not(hand):
    world: World = a_world()
    case = world.dispute()
    seats = with_logins(world)
    due = clock.now() + timedelta(hours=24)
    assert case_reminders.remind() == 0
    hand.set(due - timedelta(hours=5))
    assert [case_reminders.remind(), case_reminders.remind()] == [1, 0]
    missing = [player for seat, player in enumerate(seats) if seat % 2 != case.side]
    assert all(told(player) == ["answer_soon"] for player in missing)
    assert all(told(player) == [] for player in seats if player not in missing)
    assert Notice.objects.filter(kind="answer_soon")[0].useless_at == due
    Notice.objects.all().delete()
    world.heard(case)
    assert case_reminders.remind() == 0


def test_the_end_of_the_time_to_appeal_the_appeal_and_its_end_are_told(hand):
    world: World = a_world()
    case = world.ruled()
    seats = with_logins(world)
    hand.advance(hours=43)
    assert [case_reminders.remind(), case_reminders.remind()] == [1, 0]
    assert all(told(player) == ["appeal_ends"] for player in seats)
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    assert [told(player) for player in seats[:2]] == [[], ["appeal_filed"]]
    hand.advance(hours=20)
    assert case_reminders.remind() == 1
    assert [told(player) for player in seats[:2]] == [[], ["appeal_filed", "answer_soon"]]
    Notice.objects.all().delete()
    panel = hearing.form_panel(by=world.organiser, case=fresh(case))
    replied(case, world.players)
    members = [seat.member for seat in panel if seat.place]
    for member in members:
        hearing.vote(by=member, case=fresh(case), vote="uphold", note="Entendu.")
    hearing.rule(by=members[0], case=fresh(case), reasons="La décision tient.")
    assert all(told(player) == ["appeal_ruled"] for player in seats)


def test_a_live_event_has_too_little_time_for_reminders():
    case = a_world().dispute()
    Deadline.objects.filter(case=case).update(due_at=clock.now() + timedelta(minutes=10))
    case.competition.regulations.body["deadlines"] = {"answer": 900}
    with_login(case.match.side_rows.get(position=1 - case.side).entry.roster.first().player, "x@example.org")
    assert deadlines_of(case.competition).answer == 900
    Regulations.objects.filter(pk=case.competition.regulations_id).update(body=case.competition.regulations.body)
    assert case_reminders.remind() == 0


def test_a_captain_learns_that_the_partner_has_not_confirmed_and_later_that_they_are_not_here(hand):
    cup, team = a_tournament(0, state="open", check_in=True), a_team("Draveurs")
    captain, partner = (with_login(spell.player, f"{spell.slot}@example.org") for spell in team.spells.order_by("slot"))
    entry = registration.register(by=captain, competition=cup, team=team)
    assert [silence.remind(), silence.remind()] == [1, 0]
    assert (told(captain), told(partner)) == (["partner_silent"], [])
    assert partner.display_name in sentence(captain)
    registration.confirm(by=partner, entry=entry)
    Notice.objects.all().delete()
    hand.advance(minutes=50)
    checkin.check_in(by=captain, entry=entry, player=captain)
    assert silence.remind() == 0  # there is time
    hand.advance(minutes=15)
    assert [silence.remind(), silence.remind()] == [1, 0]
    assert told(captain) == ["partner_silent"]
    assert Notice.objects.get().useless_at == cup.check_in_until
    Notice.objects.all().delete()
    checkin.check_in(by=partner, entry=entry, player=partner)
    assert silence.remind() == 0


def test_where_nobody_has_answered_nobody_is_told_of_the_other(hand):
    cup, team = a_tournament(0, state="open", check_in=True), a_team("Draveurs")
    registration.register(by=SITE, competition=cup, team=team)
    hand.advance(minutes=70)
    assert silence.remind() == 0
