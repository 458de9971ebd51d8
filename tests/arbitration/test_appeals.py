"""From a ruling to the final one: automatic steps, the appeal, and what is restored when a ruling is overturned."""

import pytest

from ratings.models import RatedResult
from tests.competitions.world import a_player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Effect, Vote
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.selectors.rulings import book, penalties
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.cases import overdue
from tock_league.arbitration.services.referees import leases, recusals
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import EffectLift, ResultEffect
from tock_league.competitions.selectors.rankings.standings import table
from tock_league.competitions.selectors.results.effective import effective_of

from .world import TALK, World, decided, fresh, related, replied

OVERTURN = {"result": "result", "game_number": 1, "winner": 1}


def standings(world: World) -> list[tuple[int, str, str]]:
    """Return (rank, name, points) of the league now."""
    return [(line.row.rank, line.name, line.points) for line in table(world.competition)]


def winner(world: World) -> int:
    world.match.refresh_from_db()
    return next(side.position for side in effective_of(world.match).sides if side.outcome == "win")


def log(world: World) -> list[tuple[int, str, list[int], bool]]:
    """Return the rating log: revision, kind, ranks, rated."""
    return list(RatedResult.objects.order_by("pk").values_list("revision", "kind", "ranks", "rated"))


def votes(world: World, case: Case, *choices: str) -> list:
    members = [seat.member for seat in case.panel.filter(place__isnull=False, left_at=None).order_by("place")]
    for member, choice in zip(members, choices, strict=True):
        hearing.vote(by=member, case=case, vote=choice, note=f"Je vote {choice}.")
    return members


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


def test_the_book_shows_the_case_with_a_link_to_the_play(world: World) -> None:
    case = world.ruled()
    shelf = book.published(case.number)
    assert shelf.replay_url == f"/games/{case.game.slug}/#5"
    assert shelf.last.facts == TALK.facts
    assert shelf.last.authors == (world.head.display_name,)
    assert [one.number for one in book.book(competition=world.competition).object_list] == [case.number]
    assert book.book(page="99").number == 1
    undecided = world.dispute(seq=6)
    assert book.published(undecided.number) is None


def test_nothing_of_a_running_game_is_in_the_book(world: World) -> None:
    sat = world.sat()
    sat.play_on(2)
    sat.send(0, "dispute", kind="talk", text="")
    case = world.taken(Case.objects.get())
    world.rule(case, decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    assert book.published(case.number) is None
    assert penalties.penalties_of_player(world.players[1]) == []
    assert not sat.send(1, "resign").code
    assert book.published(case.number) is not None
    assert len(penalties.penalties_of_player(world.players[1])) == 1


def test_a_conduct_case_publishes_its_outcome_only(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="other")))
    world.rule(case, world.against(case, row="abuse"))
    ruled = book.published(case.number)
    assert (ruled.last.facts, ruled.last.reasons, ruled.last.deviation_reason) == ("", "", "")
    assert (ruled.last.outcome, ruled.kind_label) == ("upheld", str(Case.Kind.CONDUCT.label))
    file = case_files.case_file(fresh(case), world.players[0])
    assert file.rulings[0].reasons == "Parler est interdit.", "the sides read why, or they could not appeal"


def test_a_claim_of_conduct_that_ends_in_another_finding_is_published_as_that(world: World) -> None:
    case = world.ruled(kind="conduct")
    ruled = book.published(case.number)
    assert (ruled.last.facts, ruled.kind_label) == ("Il a parlé au coup 12.", str(Case.Kind.TALK.label))


def test_a_dismissed_claim_of_conduct_publishes_no_text(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="conduct")))
    world.rule(case, Decision("dismissed", facts="Il l’a insulté, dit-on.", reasons="Rien ne le montre."))
    assert book.published(case.number).last.facts == ""


@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        ("facts", "Écrire à lise@exemple.ca.", "email_found"),
        ("reasons", "Appelez le 819 555-0123.", "telephone_found"),
        ("deviation_reason", "lise@exemple.ca", "email_found"),
        ("rules", ("8", "819 555-0123"), "telephone_found"),
    ],
)
def test_a_published_text_holds_no_address_and_no_telephone_number(
    world: World, field: str, text: object, code: str
) -> None:
    case = world.taken(world.heard(world.dispute()))
    with pytest.raises(Refused) as refused:
        world.rule(case, world.against(case, **{field: text}))
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.details["found"] in str(refused.value.sentence)


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
