"""Rulings: what one changes, who may sign it and when, and what it weighs."""

import pytest

from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.selectors.rulings import penalties
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.cases import overdue
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions.models import ResultEffect
from tock_league.competitions.selectors.results.effective import effective_of

from .outcome import OVERTURN, log, standings, winner
from .world import World, decided, fresh


def test_a_ruling_overturns_a_game_and_everything_follows(world: World) -> None:
    case = world.taken(world.heard(world.dispute(winner=0)))
    before = standings(world)
    assert winner(world) == 0
    decision = world.against(case, **OVERTURN)
    shown = signing.preview(by=world.head, case=case, decision=decision)
    assert shown.needs_head
    assert {row.kind for row in shown.changes.rows} >= {"result", "points"}
    assert standings(world) == before, "a preview changes nothing"
    ruling = signing.sign(by=world.head, case=case, decision=decision, preview_digest=shown.digest)
    assert winner(world) == 1
    assert standings(world) != before
    assert log(world)[-1][2] == [1, 0]
    assert ruling.effects.get(type="result").result_effect == ResultEffect.objects.get()
    assert audit.audit().faults == ()
    assert ruling.ref == "TL-2026-000001/1"


def test_only_a_head_referee_changes_a_result(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), world.referees[0])
    with pytest.raises(Refused) as refused:
        signing.preview(by=world.referees[0], case=case, decision=world.against(case, **OVERTURN))
    assert (refused.value.code, refused.value.field) == ("head_referee_needed", "result")


def test_a_ruling_becomes_final_when_nobody_appeals(world: World, hand) -> None:
    case = world.ruled()
    hand.advance(hours=48, seconds=1)
    with pytest.raises(Refused) as late:
        hearing.appeal(by=world.players[0], case=case, grounds="rule", text="Trop tard.")
    assert late.value.code == "appeal_over"
    assert overdue.sweep() == 1
    assert fresh(case).state == "final"
    assert overdue.sweep() == 0
    with pytest.raises(Refused) as later:
        hearing.appeal(by=world.players[0], case=fresh(case), grounds="rule", text="Trop tard.")
    assert later.value.code == "appeal_over"


def test_repeated_offences_weigh_more_on_the_same_day_only(world: World, hand) -> None:
    first = world.ruled()
    assert first.rulings.get().penalty == "warning"
    second = world.taken(world.heard(world.dispute(seq=6)))
    shown = signing.preview(by=world.head, case=second, decision=world.against(second))
    assert (shown.step, shown.earlier, shown.standard) == (2, 1, "warning")
    world.rule(second, world.against(second, penalty="game_forfeit"))
    assert winner(world) == 1, "the second time the head referee may take the game without deviating"
    rows = penalties.penalties_of_player(world.players[0])
    assert [(row.step, row.penalty, row.in_force) for row in rows] == [(2, "game_forfeit", True), (1, "warning", True)]
    assert len(penalties.penalties_of_competition(world.competition)) == 2
    entry = world.match.side_rows.get(position=0).entry
    assert len(penalties.penalties_of_pair(entry.team)) == 2
    other = world.match.side_rows.get(position=1).entry
    assert penalties.penalties_of_pair(other.team) == []


def test_the_same_thing_is_not_done_twice_for_one_act(world: World) -> None:
    first = world.ruled()
    again = world.taken(world.heard(world.dispute(by=world.players[0])))  # the other side, about its own player
    with pytest.raises(Refused) as refused:
        signing.preview(by=world.head, case=again, decision=world.against(first))
    assert refused.value.code == "effect_in_force"


def test_a_statement_after_the_preview_invalidates_the_preview(world: World) -> None:
    from tock_league.arbitration.services.cases import disputes

    case = world.taken(world.heard(world.dispute()))
    decision = world.against(case)
    shown = signing.preview(by=world.head, case=case, decision=decision)
    leases.renew(by=world.head, case=fresh(case))
    disputes.add(by=world.players[0], case=fresh(case), text="Voici un témoin.")
    with pytest.raises(Conflict) as moved:
        signing.sign(by=world.head, case=fresh(case), decision=decision, preview_digest=shown.digest)
    assert moved.value.code == "preview_moved"
    with pytest.raises(Conflict) as other:
        signing.sign(
            by=world.head, case=fresh(case), decision=decided(decision, facts="Autre."), preview_digest=shown.digest
        )
    assert other.value.code == "preview_moved"
    assert fresh(case).state == "hearing"


def test_a_case_is_ruled_once(world: World) -> None:
    case = world.ruled()
    with pytest.raises(Conflict) as refused:
        world.rule(case, world.against(case, facts="Encore une fois."))
    assert refused.value.code == "already_ruled"


def test_an_overdue_ruling_goes_to_the_head_referee_then_to_the_organiser(world: World, hand) -> None:
    case = world.dispute()
    hand.advance(hours=72, seconds=1)
    overdue.sweep()
    told = [event.body.get("to") for event in case.events.filter(type="escalated")]
    assert told == ["head_referee"]
    assert case.events.filter(type="deadline_passed").exists()
    hand.advance(hours=72, seconds=1)
    overdue.sweep()
    told = [event.body.get("to") for event in case.events.filter(type="escalated").order_by("seq")]
    assert told == ["head_referee", "organiser"]
    assert overdue.sweep() == 0


def test_out_of_the_event_means_the_match_and_every_later_one(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    decision = world.against(case, penalty="exclusion", deviation_reason="Il a frappé la table et l’arbitre.")
    shown = signing.preview(by=world.head, case=case, decision=decision)
    assert [effect.type for effect in shown.planned] == ["forfeit_match", "exclusion"]
    assert len(shown.sentences) == 2
    world.rule(case, decision)
    entry = world.match.side_rows.get(position=0).entry
    entry.refresh_from_db()
    assert entry.state == "disqualified"
    assert effective_of(world.match).state == "void", "less than half was played: nothing of theirs counts"
    assert audit.audit().faults == ()


@pytest.mark.parametrize(("penalty", "days"), [("suspension", 90), ("ban", None)])
def test_a_suspended_player_enters_nothing_until_the_suspension_ends_or_is_lifted(
    world: World, hand, penalty: str, days
) -> None:
    from tests.competitions.world import a_league
    from tock_league.accounts.permissions import SITE
    from tock_league.competitions.services.entries import entering

    case = world.taken(world.heard(world.dispute()))
    world.rule(case, world.against(case, penalty=penalty, deviation_reason="Il a trois comptes."))
    team = world.match.side_rows.get(position=0).entry.team
    other = a_league(0, state="draft", size=4)  # without teams: theirs would have the names of this one
    with pytest.raises(Refused) as refused:
        entering.enter_team(by=SITE, competition=other, team=team)
    assert (refused.value.code, refused.value.field) == ("suspended", "team")
    assert world.players[0].display_name in str(refused.value.sentence)
    if days is not None:
        hand.advance(days=days, seconds=1)
    else:
        review = reviews.open_review(by=world.another_head(), case=fresh(case), reason="Les comptes sont à sa sœur.")
        world.both_heard(review)
        leases.take(by=world.referees[0], case=review)
        world.rule(fresh(review), Decision("dismissed", facts="Rien.", reasons="Rien."), by=world.referees[0])
    assert entering.enter_team(by=SITE, competition=other, team=team).pk
