"""Appeals and re-examinations: the panel, its votes, and what is restored when a ruling is overturned."""

import pytest

from tests.competitions.world import a_player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Effect, Vote
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.selectors.rulings import book, penalties
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.referees import leases, recusals
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import EffectLift

from .outcome import OVERTURN, log, standings, winner
from .world import TALK, World, decided, fresh, related, replied, votes


def test_an_appeal_that_overturns_the_ruling_restores_the_standings(world: World) -> None:
    world.played(0)
    before, rated = standings(world), log(world)
    case = world.ruled(decided(TALK, offender=world.players[0].pk, **OVERTURN))
    hearing.appeal(by=world.players[2], case=case, grounds="fact", text="Personne n’a rien entendu.")
    hearing.form_panel(by=world.organiser, case=case)
    replied(case, world.players)
    members = votes(world, fresh(case), "overturn", "overturn", "uphold")
    nothing = Decision("dismissed", facts="Aucun témoin.", reasons="Rien ne prouve une parole.")
    shown = hearing.preview(by=members[0], case=fresh(case), decision=nothing)
    second = hearing.rule(by=members[0], case=fresh(case), decision=nothing, preview_digest=shown.digest)
    assert second.level == 2
    assert second.supersedes.ref == "TL-2026-000001/1"
    assert "Je vote uphold." in second.dissent
    assert members[2].display_name in second.dissent
    assert standings(world) == before
    assert winner(world) == 0
    assert log(world)[-1][1:] == rated[-1][1:]
    assert EffectLift.objects.count() == 1
    assert Effect.objects.filter(lifted_by=second).count() == 2
    assert fresh(case).state == "final"
    assert penalties.penalties_of_player(world.players[0])[0].in_force is False
    assert audit.audit().faults == ()
    shelf = book.published(case.number)
    assert [one.ref for one in shelf.rulings] == ["TL-2026-000001/2", "TL-2026-000001/1"]
    assert shelf.rulings[1].superseded == "TL-2026-000001/2"


def test_an_appeal_that_fails_leaves_everything_as_it_is(world: World) -> None:
    case = world.appealed(decided(TALK, offender=world.played(0) and world.players[0].pk, **OVERTURN))
    after = standings(world)
    members = votes(world, case, "uphold", "uphold", "overturn")
    with pytest.raises(Refused) as refused:
        hearing.rule(by=members[2], case=fresh(case), reasons="Je ne suis pas d’accord.")
    assert refused.value.code == "minority"
    ruling = hearing.rule(by=members[0], case=fresh(case), reasons="La décision était juste.")
    assert hearing.rule(by=members[0], case=fresh(case), reasons="La décision était juste.") == ruling
    assert ruling.confirms.number == 1
    assert standings(world) == after
    assert fresh(case).state == "final"
    shelf = book.published(case.number)
    assert shelf.last.ref == "TL-2026-000001/1"
    assert shelf.rulings[0].confirms
    assert audit.audit().faults == ()
    with pytest.raises(Conflict) as last:
        hearing.appeal(by=world.players[1], case=fresh(case), grounds="rule", text="Encore.")
    assert last.value.code == "final"


def test_notes_stay_apart_until_all_three_have_voted(world: World) -> None:
    case = world.appealed()
    members = [seat.member for seat in case.panel.filter(place__isnull=False).order_by("place")]
    hearing.vote(by=members[0], case=case, vote="uphold", note="La parole est prouvée.")
    hearing.vote(by=members[1], case=fresh(case), vote="overturn", note="Elle ne l’est pas.")
    seen = {vote.member: (vote.choice, vote.note) for vote in case_files.case_file(fresh(case), members[0]).votes}
    assert seen[members[0]] == ("uphold", "La parole est prouvée.")
    assert seen[members[1]] == ("", "")
    with pytest.raises(Conflict) as early:
        hearing.rule(by=members[0], case=fresh(case), reasons="Je décide déjà.")
    assert early.value.code == "votes_missing"
    with pytest.raises(Conflict) as twice:
        hearing.vote(by=members[0], case=fresh(case), vote="overturn", note="J’ai changé d’avis.")
    assert twice.value.code == "voted"
    hearing.vote(by=members[2], case=fresh(case), vote="uphold", note="Le partenaire a hoché la tête.")
    seen = {vote.member: vote.note for vote in case_files.case_file(fresh(case), members[0]).votes}
    assert seen[members[1]] == "Elle ne l’est pas."
    assert all(not vote.note for vote in case_files.case_file(fresh(case), world.players[0]).votes)


def test_only_members_of_the_panel_vote(world: World) -> None:
    case = world.appealed()
    reserve = case.panel.filter(place__isnull=True).first()
    for person in (world.head, world.organiser, world.players[0], reserve and reserve.member, None):
        with pytest.raises(NotAllowed):
            hearing.vote(by=person, case=case, vote="uphold", note="Moi.")
    assert not Vote.objects.exists()
    member = case.panel.filter(place=1).get().member
    with pytest.raises(Refused) as word:
        hearing.vote(by=member, case=case, vote="maybe", note="Peut-être.")
    assert (word.value.code, word.value.field) == ("vote", "vote")


def test_the_panel_had_no_part_in_the_case(world: World) -> None:
    case = world.heard(world.dispute())
    leases.take(by=world.referees[0], case=case)
    leases.release(by=world.referees[0], case=fresh(case))
    world.taken(fresh(case))
    world.rule(fresh(case), world.against(case))
    hearing.appeal(by=world.players[0], case=fresh(case), grounds="procedure", text="On ne m’a pas entendu.")
    with pytest.raises(NotAllowed):
        hearing.form_panel(by=world.head, case=fresh(case))
    with pytest.raises(NotAllowed):
        hearing.form_panel(by=world.players[0], case=fresh(case))
    seats = hearing.form_panel(by=world.organiser, case=fresh(case))
    assert {seat.member for seat in seats if seat.place} == set(world.referees[1:])
    with pytest.raises(Conflict):
        hearing.form_panel(by=world.organiser, case=fresh(case))


def test_a_panel_that_is_too_small_waits_for_an_outsider(world: World) -> None:
    from tock_league.arbitration.services.referees import outsiders

    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="rule", text="Une autre règle vaut ici.")
    for referee in world.referees[:2]:
        related(world.players[0], referee)
    with pytest.raises(Refused) as short:
        hearing.form_panel(by=world.organiser, case=fresh(case))
    assert (short.value.code, short.value.details["missing"]) == ("panel_short", 1)
    outsiders.name_outsider(by=world.organiser, case=fresh(case), player=a_player("Lise Caron"), reason="Tous parents.")
    seats = hearing.form_panel(by=world.organiser, case=fresh(case))
    assert len([seat for seat in seats if seat.place]) == 3
    assert fresh(case).outsider


def test_a_reserve_takes_the_place_of_a_member_who_steps_aside(world: World) -> None:
    case = world.ruled()
    extra = a_player("Lise Caron")
    from tock_league.accounts.permissions import SITE
    from tock_league.competitions.services.seasons import roles

    roles.give(by=SITE, competition=world.competition, player=extra, name="referee")
    hearing.appeal(by=world.players[0], case=case, grounds="rule", text="Une autre règle vaut ici.")
    hearing.form_panel(by=world.organiser, case=fresh(case))
    leaving = case.panel.get(place=2).member
    reserve = case.panel.filter(place__isnull=True).first().member
    recusals.recuse(by=leaving, case=fresh(case), reason="Je connais le joueur.")
    assert case.panel.get(place=2, left_at=None).member == reserve
    with pytest.raises(NotAllowed):
        hearing.vote(by=leaving, case=fresh(case), vote="uphold", note="Quand même.")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"grounds": "taste"}, "grounds", "grounds"),
        ({"text": ""}, "text_missing", "text"),
        ({"text": "x" * 1_000_000}, "text_long", "text"),
        ({"text": "<img src=x>"}, "markup", "text"),
    ],
)
def test_a_bad_appeal_is_refused_with_its_field(world: World, change: dict, code: str, field: str) -> None:
    case = world.ruled()
    given = {"grounds": "rule", "text": "Une autre règle."} | change
    with pytest.raises(Refused) as refused:
        hearing.appeal(by=world.players[0], case=case, **given)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_each_side_appeals_once_and_in_time(world: World, hand) -> None:
    case = world.heard(world.dispute())
    with pytest.raises(Conflict) as early:
        hearing.appeal(by=world.players[0], case=case, grounds="rule", text="Déjà.")
    assert early.value.code == "not_ruled"
    world.taken(case)
    world.rule(fresh(case), world.against(case))
    for stranger in (world.referees[0], world.organiser, None):
        with pytest.raises(NotAllowed):
            hearing.appeal(by=stranger, case=fresh(case), grounds="rule", text="Moi.")
    hearing.appeal(by=world.players[0], case=fresh(case), grounds="rule", text="Une autre règle.")
    with pytest.raises(Conflict) as twice:
        hearing.appeal(by=world.players[2], case=fresh(case), grounds="fact", text="Et un témoin.")
    assert twice.value.code == "appealed"
    hearing.appeal(by=world.players[1], case=fresh(case), grounds="proportion", text="C’est trop peu.")
    assert case.appeals.count() == 2


def test_a_sides_penalty_does_not_grow_on_its_own_appeal(world: World) -> None:
    case = world.appealed()
    members = votes(world, case, "overturn", "overturn", "overturn")
    harder = world.against(case, penalty="match_forfeit", deviation_reason="Il l’a fait exprès.")
    with pytest.raises(Refused) as refused:
        hearing.preview(by=members[0], case=fresh(case), decision=harder)
    assert (refused.value.code, refused.value.field) == ("penalty_grows", "penalty")
    softer = world.against(case, penalty="caution", deviation_reason="Première partie de sa vie.")
    shown = hearing.preview(by=members[0], case=fresh(case), decision=softer)
    assert (
        hearing.rule(by=members[0], case=fresh(case), decision=softer, preview_digest=shown.digest).penalty == "caution"
    )


def test_a_penalty_may_grow_when_the_other_side_appealed_too(world: World) -> None:
    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="rule", text="Une autre règle.")
    hearing.form_panel(by=world.organiser, case=fresh(case))
    hearing.appeal(by=world.players[1], case=fresh(case), grounds="proportion", text="C’est trop peu.")
    replied(case, world.players)
    assert fresh(case).state == "panel_formed"
    members = votes(world, fresh(case), "overturn", "overturn", "overturn")
    harder = world.against(case, penalty="match_forfeit", deviation_reason="Il l’a fait exprès.")
    shown = hearing.preview(by=members[1], case=fresh(case), decision=harder)
    hearing.rule(by=members[1], case=fresh(case), decision=harder, preview_digest=shown.digest)
    assert winner(world) == 1
    assert audit.audit().faults == ()


def test_a_re_examination_supersedes_and_names_what_counted_the_old_finding(world: World) -> None:
    first = world.ruled()
    second = world.dispute(seq=6)
    world.taken(world.heard(second))
    assert world.rule(fresh(second), world.against(second)).step == 2
    with pytest.raises(NotAllowed):
        reviews.open_review(by=world.referees[0], case=fresh(first), reason="Un témoin s’est présenté.")
    other = world.another_head()
    review = reviews.open_review(by=other, case=fresh(first), reason="Un témoin s’est présenté.")
    with pytest.raises(Conflict):
        reviews.open_review(by=other, case=fresh(first), reason="Encore.")
    world.both_heard(review)
    with pytest.raises(Refused) as author:
        leases.take(by=world.head, case=review)
    assert author.value.details["ground"] == "author"
    leases.take(by=world.referees[0], case=review)
    nothing = Decision("dismissed", facts="Le témoin dit autre chose.", reasons="La parole n’est pas prouvée.")
    shown = signing.preview(by=world.referees[0], case=fresh(review), decision=nothing)
    assert shown.reexamine == ("TL-2026-000002/1",)
    world.rule(fresh(review), nothing, by=world.referees[0])
    assert fresh(first).state == "superseded"
    assert book.published(first.number).superseded_by == "TL-2026-000003/1"
    assert fresh(second).rulings.get().step == 2, "never silently"
    assert audit.audit().faults == ()


def test_a_member_in_conflict_does_not_vote_and_the_place_is_filled_again(world: World) -> None:
    from tock_league.arbitration.services.referees import outsiders

    case = world.appealed()
    member = case.panel.get(place=1).member
    related(world.players[3], member)
    with pytest.raises(Refused) as refused:
        hearing.vote(by=member, case=case, vote="uphold", note="Oui.")
    assert refused.value.details["ground"] == "family"
    for reserve in case.panel.filter(place__isnull=True):
        recusals.recuse(by=reserve.member, case=fresh(case), reason="Je pars en voyage.")
    recusals.recuse(by=member, case=fresh(case), reason="C’est ma sœur.")
    assert not case.panel.filter(place=1, left_at=None).exists()
    with pytest.raises(Refused) as short:
        hearing.fill_panel(by=world.organiser, case=fresh(case))
    assert short.value.code == "panel_short"
    assert "name_outsider" in case_files.case_file(fresh(case), world.organiser).may
    assert "fill_panel" in case_files.case_file(fresh(case), world.organiser).may
    stranger = a_player("Lise Caron")
    outsiders.name_outsider(by=world.organiser, case=fresh(case), player=stranger, reason="Plus personne n’est libre.")
    hearing.fill_panel(by=world.organiser, case=fresh(case))
    assert case.panel.get(place=1, left_at=None).member == stranger
    votes(world, fresh(case), "uphold", "uphold", "uphold")
    assert fresh(case).outsider
    assert audit.audit().faults == ()


def test_what_referees_write_to_each_other_is_not_for_the_sides_while_they_decide(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), world.referees[0])
    leases.escalate(by=world.referees[0], case=case, note="Je propose la partie perdue.")
    told = [said.type for said in case_files.case_file(fresh(case), world.players[0]).statements]
    assert told == ["filed", "answered"]
    told = [said.type for said in case_files.case_file(fresh(case), world.head).statements]
    assert told == ["filed", "answered", "escalated"]


def test_the_panel_does_not_vote_before_the_other_side_has_replied_or_its_time_is_over(world: World, hand) -> None:
    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    member = hearing.form_panel(by=world.organiser, case=fresh(case))[0].member
    with pytest.raises(Conflict) as early:
        hearing.vote(by=member, case=fresh(case), vote="uphold", note="Clair.")
    assert early.value.code == "reply_pending"
    assert "vote" not in case_files.case_file(fresh(case), member).may
    hand.advance(hours=25)
    assert "vote" in case_files.case_file(fresh(case), member).may
    hearing.vote(by=member, case=fresh(case), vote="uphold", note="Clair.")
