"""Disputes after the game: who may dispute, what, until when, and with which texts."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.services.cases import admissibility, disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.journal.models import JournalEntry, PrivateText

from .world import TALK, WORDS, World, a_referee, decided, fresh


def test_a_player_disputes_a_play_and_the_other_side_answers(world: World) -> None:
    case = world.dispute()
    assert (case.number, case.state, case.origin, case.side) == ("TL-2026-000001", "filed", "dispute", 1)
    assert case.evidence.get().seq == 5
    assert {deadline.kind for deadline in case.deadlines.all()} == {"answer", "ruling"}
    case = world.heard(case)
    assert case.heard
    assert case.state == "filed"
    file = case_files.case_file(case, world.players[0])
    assert [said.text for said in file.statements] == [WORDS, "Je n’ai rien dit."]
    assert file.role == "party"
    assert "answer" not in file.may
    with pytest.raises(Conflict) as twice:
        disputes.answer(by=world.players[2], case=case, text="Moi non plus.")
    assert twice.value.code == "answered"


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"seq": 0}, "seq", "seq"),
        ({"seq": 10**9}, "seq", "seq"),
        ({"seq": True}, "seq", "seq"),
        ({"seq": "5"}, "seq", "seq"),
        ({"kind": "weather"}, "kind", "kind"),
        ({"text": "  "}, "text_missing", "text"),
        ({"text": "x" * 281}, "text_long", "text"),
        ({"text": "x" * 1_000_000}, "text_long", "text"),
        ({"text": "<script>alert(1)</script>"}, "markup", "text"),
        ({"text": "un\x00deux"}, "control_characters", "text"),
        ({"text": None}, "text_missing", "text"),
    ],
)
def test_bad_input_is_refused_with_its_field(world: World, change: dict, code: str, field: str) -> None:
    game = world.played()
    given = {"seq": 5, "kind": "talk", "text": WORDS} | change
    with pytest.raises(Refused) as refused:
        disputes.file(by=world.players[1], game=game, **given)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert str(refused.value.sentence)
    assert not Case.objects.exists()
    assert not PrivateText.objects.filter(text=WORDS).exists()


def test_only_players_of_the_game_dispute_not_even_administrators(world: World) -> None:
    from tests.competitions.world import a_player
    from tock_league.accounts.services import give_role

    game, administrator = world.played(), a_player("Lise Caron")
    give_role(player=administrator, name="administrator", by=SITE)
    for stranger in (a_player("Gaston Pronovost"), world.head, administrator, SITE, None):
        with pytest.raises(NotAllowed):
            disputes.file(by=stranger, game=game, seq=5, kind="talk", text=WORDS)
    assert not Case.objects.exists()


def test_in_a_running_game_players_call_instead_of_disputing(world: World) -> None:
    world.sat()
    with pytest.raises(Refused) as refused:
        disputes.file(by=world.players[0], game=world.game, seq=1, kind="talk", text=WORDS)
    assert refused.value.code == "game_running"


def test_a_dispute_after_the_deadline_is_refused(world: World, hand) -> None:
    game = world.played()
    assert case_files.disputable(game, world.players[1]).possible
    hand.advance(hours=48, seconds=1)
    with pytest.raises(Refused) as refused:
        disputes.file(by=world.players[1], game=game, seq=5, kind="talk", text=WORDS)
    assert refused.value.code == "deadline_over"
    assert case_files.disputable(game, world.players[1]).reason == "over"


def test_one_dispute_of_a_match_is_open_at_a_time(world: World) -> None:
    case = world.dispute()
    with pytest.raises(Conflict) as refused:
        disputes.file(by=world.players[0], game=world.game, seq=6, kind="touch", text=WORDS)
    assert refused.value.details["number"] == case.number
    assert case_files.disputable(world.game, world.players[0]).open_case == case


def test_three_disputes_a_day_and_no_more(world: World) -> None:
    for _number in range(3):
        case = world.dispute()
        disputes.withdraw_case(by=world.players[1], case=case)
    with pytest.raises(Refused) as refused:
        world.dispute()
    assert (refused.value.code, refused.value.status) == ("cases_a_day", 429)
    assert Case.objects.count() == 3


def test_a_case_that_is_refused_leaves_no_gap_in_the_numbers(world: World) -> None:
    game = world.played()
    with pytest.raises(Refused):
        disputes.file(by=world.players[1], game=game, seq=0, kind="talk", text=WORDS)
    first = disputes.file(by=world.players[1], game=game, seq=5, kind="talk", text=WORDS)
    disputes.withdraw_case(by=world.players[1], case=first)
    second = disputes.file(by=world.players[1], game=game, seq=5, kind="talk", text=WORDS)
    assert (first.number, second.number) == ("TL-2026-000001", "TL-2026-000002")
    assert audit.audit().faults == ()


def test_only_the_opener_takes_a_case_back_and_never_one_about_conduct(world: World) -> None:
    case = world.dispute()
    for other in (world.players[0], world.players[3], world.head):
        with pytest.raises(NotAllowed):
            disputes.withdraw_case(by=other, case=case)
    disputes.withdraw_case(by=world.players[1], case=case)
    with pytest.raises(Conflict) as again:
        disputes.withdraw_case(by=world.players[1], case=case)
    assert again.value.code == "not_open"
    conduct = world.dispute(kind="conduct")
    with pytest.raises(Refused) as refused:
        disputes.withdraw_case(by=world.players[1], case=conduct)
    assert refused.value.code == "integrity"


def test_each_side_adds_three_texts_and_a_stranger_none(world: World) -> None:
    case = world.dispute()
    for number in range(3):
        disputes.add(by=world.players[3], case=case, text=f"Et puis il a souri {number} fois.")
    with pytest.raises(Refused) as refused:
        disputes.add(by=world.players[1], case=case, text="Encore un mot.")
    assert (refused.value.code, refused.value.field) == ("too_many", "text")
    disputes.add(by=world.players[0], case=case, text="Je souris toujours.")
    with pytest.raises(NotAllowed):
        disputes.add(by=world.referees[0], case=case, text="Moi aussi.")
    with pytest.raises(NotAllowed):
        disputes.answer(by=world.players[3], case=case, text="Nous répondons pour vous.")


def test_a_case_is_hidden_from_others(world: World) -> None:
    from tests.competitions.world import a_player

    case = world.dispute()
    for stranger in (a_player(), None):
        with pytest.raises(NotThere):
            case_files.case_file(case, stranger)
    with pytest.raises(NotThere):
        case_files.queue(world.competition, world.players[0])
    assert case_files.case_file(case, world.organiser).role == "organiser"


def test_a_case_is_not_ruled_before_the_answer_or_its_deadline(world: World, hand) -> None:
    case = world.taken(world.dispute())
    with pytest.raises(Refused) as refused:
        world.rule(case, world.against(case))
    assert refused.value.code == "answer_pending"
    leases.release(by=world.head, case=case)
    hand.advance(hours=24, seconds=1)
    world.taken(fresh(case))
    assert world.rule(fresh(case), world.against(case)).penalty == "warning"


def test_a_claim_of_talking_is_dismissed_by_two_referees(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), world.referees[0])
    admissibility.dismiss(by=world.referees[0], case=case, reason="Aucun enregistrement ne le montre.", fresh=True)
    assert fresh(case).state == "triage"
    with pytest.raises(Refused) as own:
        admissibility.agree(by=world.referees[0], case=case)
    assert own.value.code == "second_referee"
    admissibility.disagree(by=world.referees[1], case=case, reason="Il faut entendre le partenaire.")
    assert fresh(case).state == "filed"
    world.taken(fresh(case), world.referees[0])
    admissibility.dismiss(by=world.referees[0], case=fresh(case), reason="Entendu : rien.", fresh=True)
    admissibility.agree(by=world.referees[1], case=fresh(case), fresh=True)
    assert fresh(case).state == "inadmissible"
    with pytest.raises(Conflict):
        leases.take(by=world.referees[2], case=fresh(case))


def test_other_claims_are_dismissed_by_one(world: World) -> None:
    case = world.taken(world.dispute(kind="clock"), world.referees[0])
    admissibility.dismiss(by=world.referees[0], case=case, reason="La pendule était juste.")
    assert fresh(case).state == "inadmissible"
    assert not case.deadlines.filter(done_at__isnull=True).exists()


@pytest.mark.parametrize("text", ["", "x" * 1_000_000, "<b>gras</b>", "a\u202eb"])
def test_every_text_of_a_referee_is_validated_by_the_same_rules(world: World, text: str) -> None:
    case = world.taken(world.heard(world.dispute(kind="clock")))
    with pytest.raises(Refused):
        admissibility.dismiss(by=world.head, case=case, reason=text)
    with pytest.raises(Refused):
        leases.escalate(by=world.head, case=case, note=text)
    with pytest.raises(Refused):
        signing.preview(by=world.head, case=case, decision=decided(world.against(case), facts=text))
    with pytest.raises(Refused):
        signing.preview(by=world.head, case=case, decision=decided(world.against(case), reasons=text))
    assert fresh(case).state == "hearing"


def test_a_referee_without_the_case_rules_nothing(world: World) -> None:
    case = world.heard(world.dispute())
    decision = decided(TALK, offender=world.players[0].pk)
    with pytest.raises(Conflict) as never:
        signing.preview(by=world.head, case=case, decision=decision)
    assert never.value.code == "no_lease"
    world.taken(case, world.referees[0])
    with pytest.raises(Conflict) as other:
        signing.preview(by=world.head, case=fresh(case), decision=decision)
    assert other.value.code == "no_lease"
    for nobody in (world.players[0], world.organiser, SITE):
        with pytest.raises(NotAllowed):
            signing.preview(by=nobody, case=fresh(case), decision=decision)


def test_the_oldest_case_without_conflict_is_handed_out_first(world: World, hand) -> None:
    from tests.competitions.world import play_match

    first = world.dispute()
    hand.advance(minutes=5)
    other_match = world.competition.matches.exclude(pk=world.match.pk).filter(round__number=1).first()
    play_match(other_match, 0)
    other = World(world.competition, other_match, world.referees, world.head, world.organiser)
    second = other.dispute()
    late = a_referee(world.competition)
    assert leases.take_next(by=late, competition=world.competition).case == first
    assert leases.take_next(by=world.head, competition=world.competition).case == second
    with pytest.raises(NotThere):
        leases.take_next(by=world.referees[0], competition=world.competition)


def test_the_words_of_people_are_not_in_the_journal_itself(world: World) -> None:
    case = world.heard(world.dispute())
    bodies = b"".join(bytes(entry.body) for entry in JournalEntry.objects.all())
    assert WORDS.encode() not in bodies
    assert "Je n’ai rien dit".encode() not in bodies
    assert {text.text for text in PrivateText.objects.filter(entry__case_event__case=case, field="text")} == {
        WORDS, "Je n’ai rien dit.",
    }  # fmt: skip


def test_each_case_waits_for_the_right_people(world: World) -> None:
    case = world.dispute()
    assert [one.what for one in case_files.waiting_for(world.players[0])] == ["answer"]
    assert [one.what for one in case_files.waiting_for(world.referees[0])] == ["take"]
    assert case_files.waiting_for(world.players[1]) == []
    world.taken(world.heard(case))
    assert [one.what for one in case_files.waiting_for(world.head)] == ["rule"]
    assert case_files.waiting_for(world.referees[0]) == []
    assert case_files.mine(world.players[3]).parties == (fresh(case),)
    assert case_files.mine(world.head).referee == (fresh(case),)
