"""Disputes of results that people entered: who may file, about what, until when, and how complaints are joined."""

from datetime import timedelta

import pytest
from django.utils import translation

from tests.competitions.world import a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, can
from tock_league.accounts.services import give_role
from tock_league.arbitration.models import Case, Draft
from tock_league.arbitration.selectors.cases import audit, case_files, concerns
from tock_league.arbitration.selectors.cases.result_disputes import disputable_result, disputable_until
from tock_league.arbitration.services.cases import admissibility, disputes, drafts, result_disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.clubs import services as clubs
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.results.entered import entered
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import corrections, paper, rulings, settlement
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .entered_world import WORDS, Room, a_room, error, score
from .world import World, fresh

pytestmark = pytest.mark.django_db
STANDS = error("", outcome="dismissed")


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def room(hand) -> Room:
    """A knockout of four on paper, in whose first semi-final the second team has won."""
    made = a_room()
    made.certified(1)
    return made


def code_of(act) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def corrected(room: Room, right: Right) -> None:
    shown = corrections.preview(by=SITE, match=room.match, right=right)
    corrections.correct(by=SITE, match=room.match, right=right, reason="Feuille mal lue.", digest=shown.digest)
    room.match.refresh_from_db()


@pytest.mark.parametrize("kind", ["result", "eligibility"])
@pytest.mark.parametrize(("position", "slot"), [(0, 1), (0, 2), (1, 1), (1, 2)])
def test_every_player_of_both_teams_may_dispute_the_result_entered(room: Room, kind, position, slot) -> None:
    assert disputable_result(room.match, room.player(position, slot)).possible
    case = room.file(position, slot, kind=kind, asks="replay")
    assert (case.state, case.kind, case.side, case.entered, case.game) == ("filed", kind, position, "v1", None)
    file = case_files.case_file(fresh(case), room.head)
    (said,) = file.statements
    assert (said.text, str(said.asks)) == (WORDS, "that the match is played again")
    assert (str(file.entered.how), file.entered.by, "0" in file.entered.result) == ("on paper", None, True)
    assert audit.audit().faults == ()


def test_a_match_decided_without_play_and_a_correction_can_be_disputed(hand) -> None:
    room = a_room()
    withdrawals.no_show(by=room.organiser, match=room.match, position=0, reason="absents")
    room.match.refresh_from_db()
    assert (entered(room.match).ref, entered(room.match).how) == ("v1", "award")
    corrected(room, Right("no_show", absent=1))
    assert (entered(room.match).ref, entered(room.match).how) == ("C-1", "correction")
    assert room.file(1).entered == "C-1"


def test_a_forfeit_can_be_disputed(hand) -> None:
    room = a_room()
    withdrawals.forfeit(by=SITE, match=room.match, position=0, reason="abandon")
    room.match.refresh_from_db()
    assert room.file(kind="eligibility", asks="replay").entered == "v1"


def test_a_paper_of_two_captains_counts_its_time_from_the_last_signature(hand) -> None:
    room = a_room()
    version = paper.report(by=room.player(0), match=room.match, games=[Game(0, 3)])
    hand.advance(minutes=20)
    assert code_of(room.file) == "not_entered"
    paper.accept(by=room.player(1), match=room.match, seen=version.version)
    hand.advance(minutes=29)
    room.match.refresh_from_db()
    assert room.file(1).entered == "v1"


def test_what_a_game_or_the_rules_or_a_ruling_decided_cannot_be_disputed_here(hand, world: World) -> None:
    world.played()
    asked = disputable_result(world.match, world.players[0])
    assert (asked.possible, asked.reason) == (False, "none")
    act = lambda: result_disputes.file(  # noqa: E731
        by=world.players[1], match=world.match, kind="result", asks="score", text=WORDS
    )
    assert code_of(act) == "not_entered"
    room = a_room()
    withdrawals.withdraw(by=SITE, entry=room.match.side_rows.get(position=0).entry, reason="malade")
    room.match.refresh_from_db()
    assert entered(room.match) is None
    other = a_room()
    other.certified(1)
    rulings.apply(
        competition=other.competition,
        ruling="TL-2026-000009/1",
        effects=[EffectPlan("result", other.match.pk, position=0)],
    )
    other.match.refresh_from_db()
    assert code_of(other.file) == "not_entered"


def test_an_award_in_a_league_that_plays_at_tables_can_be_disputed(world: World) -> None:
    settlement.award(by=SITE, match=world.match, winner=0, reason="absents")
    world.match.refresh_from_db()
    entry = world.match.side_rows.get(position=1).entry
    by = entry.roster.get(role="starter", slot=1).player
    assert disputable_result(world.match, by).possible
    case = result_disputes.file(by=by, match=world.match, kind="result", asks="replay", text=WORDS)
    assert case.entered == "v1"


def test_strangers_officials_and_programs_are_refused(room: Room) -> None:
    boss = a_player("Admin")
    give_role(player=boss, name="administrator", by=SITE)
    other = room.competition.matches.get(label="semi", number=2)
    theirs = other.side_rows.get(position=0).entry.roster.first().player
    for person in (a_player("Quidam"), room.organiser, room.head, room.referees[0], boss, theirs, None):
        if person is not None:
            assert disputable_result(room.match, person).reason == "stranger"
        with pytest.raises(NotAllowed):
            result_disputes.file(by=person, match=room.match, kind="result", asks="score", text=WORDS)
    program = room.player(0)
    Player.objects.filter(pk=program.pk).update(bot="hard")
    program.refresh_from_db()
    assert not can(program, "case.dispute_result", room.match)
    assert not Case.objects.exists()


def test_a_referee_who_plays_in_the_match_may_dispute_and_not_judge(room: Room) -> None:
    player = room.player(0)
    roles.give(by=SITE, competition=room.competition, player=player, name="referee")
    case = room.file()
    assert "take" not in case_files.case_file(fresh(case), player).may


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"text": "  "}, "text_missing"),
        ({"text": "x" * 281}, "text_long"),
        ({"text": "<b>"}, "markup"),
        ({"kind": "talk"}, "kind"),
        ({"kind": ""}, "kind"),
        ({"asks": "money"}, "asks"),
    ],
)
def test_what_is_missing_or_wrong_is_refused(room: Room, given, code) -> None:
    assert code_of(lambda: room.file(**given)) == code
    assert not Case.objects.exists()


def test_the_period_is_the_longer_one_and_then_nothing_can_be_filed(hand) -> None:
    room = a_room()
    room.certified(1)
    start = entered(room.match).at
    assert disputable_until(room.match) == start + timedelta(minutes=30)
    hand.advance(minutes=31)
    asked = disputable_result(room.match, room.player(0))
    assert (asked.possible, asked.reason, disputable_until(room.match)) == (False, "over", None)
    assert code_of(room.file) == "deadline_over"
    regulations = room.competition.regulations
    body = {**regulations.body, "correction_s": 7200}
    type(regulations).objects.filter(pk=regulations.pk).update(body=body)
    match = Match.objects.get(pk=room.match.pk)
    assert disputable_until(match) == start + timedelta(hours=2)


def test_a_closed_competition_takes_no_dispute(room: Room) -> None:
    Competition.objects.filter(pk=room.competition.pk).update(state="archived")
    room.match = Match.objects.get(pk=room.match.pk)
    assert disputable_result(room.match, room.player(0)).reason == "competition"
    assert code_of(room.file) == "competition_over"


def test_a_second_complaint_of_either_side_joins_the_open_case(room: Room) -> None:
    case = room.file()
    assert room.file(0, 2, kind="eligibility", text="Lui aussi.") == case
    assert room.file(1, 1, asks="replay", text="Nous aussi.") == case
    assert room.file(1, 1, asks="replay", text="Nous aussi.") == case, "the same words are added once"
    said = case_files.case_file(fresh(case), room.head).statements
    assert [(one.side, one.text) for one in said] == [(0, WORDS), (0, "Lui aussi."), (1, "Nous aussi.")]
    asked = disputable_result(room.match, room.player(1, 2))
    assert (asked.possible, asked.reason, asked.joins, asked.case) == (False, "open", True, case)
    assert audit.audit().faults == ()


def test_after_the_ruling_a_complaint_about_the_same_result_is_refused(room: Room) -> None:
    case = room.taken(room.file())
    room.ruled(case, STANDS)
    for position in (0, 1):
        with pytest.raises(Conflict) as decided:
            room.file(position, kind="eligibility")
        assert (decided.value.code, decided.value.details["number"]) == ("act_decided", case.number)
        assert disputable_result(room.match, room.player(position)).reason == "ruled"
    corrected(room, Right("paper", games=(Game(0, 2),)))
    assert room.file(1).entered == "C-1", "what the desk enters afterwards is another result"


def test_a_case_that_was_taken_back_or_not_admitted_may_be_filed_again(room: Room) -> None:
    case = room.file()
    disputes.withdraw_case(by=room.player(0), case=case)
    case = room.taken(room.file())
    admissibility.dismiss(by=room.head, case=case, reason="Rien à juger.")
    assert room.file().state == "filed"


def test_an_open_case_keeps_the_desk_from_correcting(room: Room) -> None:
    room.file()
    assert code_of(lambda: corrected(room, Right("paper", games=(Game(0, 2),)))) == "case_open"


def test_both_teams_are_told_and_visitors_are_not(room: Room) -> None:
    case = room.file()
    told = {
        (position, slot): concerns.concerns(room.player(position, slot), room.match)[0].what
        for position in (0, 1)
        for slot in (1, 2)
    }
    assert told == {(0, 1): "touched", (0, 2): "touched", (1, 1): "answer", (1, 2): "answer"}
    assert concerns.concerns(room.player(1))[0].case == case
    assert concerns.concerns(None, room.match) == []
    bodies = [bytes(entry.body).decode() for entry in JournalEntry.objects.all()]
    assert not [body for body in bodies if WORDS in body or '"asks":"score"' in body]


def test_nobody_is_judged_before_the_other_side_was_asked(room: Room, hand) -> None:
    from tock_league.arbitration.services.referees import leases

    case = room.file()
    leases.take(by=room.head, case=case)
    assert code_of(lambda: signing.preview(by=room.head, case=fresh(case), decision=score(0))) == "answer_pending"
    hand.advance(minutes=16)
    leases.take(by=room.head, case=fresh(case))
    assert signing.preview(by=room.head, case=fresh(case), decision=score(0)).digest


def test_a_result_that_staff_of_one_club_entered_can_be_disputed_and_says_so(hand) -> None:
    club = clubs.found_club(by=SITE, name="Castors", town="Shawinigan")
    room = a_room()
    officer = a_player("Officier")
    clubs.join(by=officer, club=club)
    clubs.join(by=room.player(1), club=club)
    roles.give(by=SITE, competition=room.competition, player=officer, name="organiser")
    room.certified(1, by=officer)
    case = room.file()
    file = case_files.case_file(fresh(case), room.head)
    assert (file.entered.by, file.entered.tied) == (officer, True)


def test_the_draft_of_the_form_is_kept_until_the_case_is_filed(room: Room) -> None:
    by = room.player(0)
    fields = {"text": ["La feu"], "kind": ["result"]}
    drafts.save(by=by, case=room.match, form="dispute", fields=fields, version=0)
    assert Draft.objects.get().fields == fields
    with pytest.raises(Conflict) as newer:
        drafts.save(by=by, case=room.match, form="dispute", fields={"text": ["Autre"]}, version=0)
    assert newer.value.code == "draft_newer"
    with pytest.raises(NotAllowed):
        drafts.save(by=room.organiser, case=room.match, form="dispute", fields=fields, version=0)
    assert code_of(lambda: drafts.save(by=by, case=room.match, form="answer", fields=fields, version=0)) == "form"
    drafts.save(by=room.player(0, 2), case=room.match, form="dispute", fields=fields, version=0)
    room.file()
    assert [draft.person for draft in Draft.objects.all()] == [room.player(0, 2)]


def test_a_draft_that_was_never_sent_is_deleted_in_the_end(room: Room, hand) -> None:
    drafts.save(by=room.player(0), case=room.match, form="dispute", fields={"text": ["La feu"]}, version=0)
    hand.advance(days=29)
    assert drafts.clean() == 0
    hand.advance(days=2)
    assert drafts.clean() == 1


@pytest.mark.parametrize("how", ["certified", "corrected"])
def test_a_referee_who_entered_the_result_does_not_judge_it(hand, how: str) -> None:
    room = a_room()
    author, other = room.head, room.referees[0]
    room.certified(1, by=author if how == "certified" else other)
    if how == "corrected":
        right = Right("paper", games=(Game(1, 5),))
        shown = corrections.preview(by=author, match=room.match, right=right)
        corrections.correct(by=author, match=room.match, right=right, reason="Coquille", digest=shown.digest)
    case = room.file()
    with pytest.raises(Refused) as refused:
        room.taken(case, by=author)
    assert (refused.value.code, refused.value.details["ground"]) == ("conflict", "author")
    assert leases.take(by=other, case=fresh(case)).referee == other
