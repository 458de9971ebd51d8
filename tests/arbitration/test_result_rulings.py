"""Rulings about results that people entered: what they change, what lifting them restores, the appeal."""

import pytest
from django.utils import translation

from ratings.models import RatedResult
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Effect, Ruling
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.selectors.rulings import book
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.rulings import signing
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.models import EffectLift, Match, ResultEffect
from tock_league.competitions.selectors.changes.observed import difference, observe
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results import corrections
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.selectors.results.fact_words import fact_words
from tock_league.competitions.services.results import rulings as results

from .entered_world import TOLD, Room, a_room, error, score
from .world import World, fresh, replied, votes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def room(hand) -> Room:
    """A knockout of four on paper, in whose first semi-final the second team has won; the other one is over too."""
    made = a_room()
    made.certified(1)
    made.certified(0, match=made.competition.matches.get(label="semi", number=2))
    return made


@pytest.fixture
def final(room) -> Match:
    return room.competition.matches.get(label="final")


def fault_of(room: Room, case: Case, decision: Decision) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refused:
        signing.preview(by=room.head, case=case, decision=decision)
    return refused.value.code, refused.value.field


def test_another_winner_moves_the_bracket_and_says_that_it_was_a_ruling(room: Room, final: Match) -> None:
    first, second = room.seats(room.match)
    assert room.seats(final)[0] == second
    case = room.taken(room.file())
    before = observe(room.competition)
    shown = signing.preview(by=room.head, case=case, decision=score(0))
    assert (shown.needs_head, shown.second) == (True, "")
    assert {row.kind for row in shown.changes.rows} >= {"result", "place"}
    assert not difference(before, observe(room.competition), clock.now()), "a preview changes nothing"
    ruling = room.ruled(case, score(0))
    assert room.seats(final)[0] == first
    result = effective_of(room.match)
    assert (result.score, result.fact, result.ruled, str(fact_words(result))) == ((1, 0), "played", True, "by decision")
    assert corrections.fixed_by(room.match) == ruling.ref
    assert (ruling.outcome, ruling.offender, ruling.penalty) == ("entry_error", None, "none")
    effect = Effect.objects.get()
    assert (effect.type, effect.root, effect.result_effect.kind) == ("paper", f"match:{room.match.slug}:v1", "paper")
    names = [str(side.entry) for side in room.match.side_rows.order_by("position")]
    (told,) = book.of_match(room.match)
    assert told.last.effects == (f"The score is corrected: {names[0]} 1 – 0 {names[1]}.",)
    assert RatedResult.objects.order_by("pk").last().ranks == [0, 1]
    assert audit.audit().faults == ()


def test_a_corrected_score_with_the_same_winner_moves_nobody(room: Room, final: Match) -> None:
    seats = room.seats(final)
    room.ruled(room.taken(room.file()), score(1, 5))
    assert room.seats(final) == seats
    assert effective_of(room.match).sides[1].margin == 5


def test_a_team_that_did_not_come_by_ruling(room: Room, final: Match) -> None:
    room.ruled(room.taken(room.file()), error("no_show", absent=1))
    result = effective_of(room.match)
    assert (result.fact, result.winner, str(fact_words(result))) == ("no_show", 0, "opponent did not come, by decision")
    assert room.seats(final)[0] == room.seats(room.match)[0]
    (told,) = book.of_match(room.match)
    assert told.last.effects == (f"{room.match.side_rows.get(position=1).entry} did not come.",)


def test_nobody_came_by_ruling(hand) -> None:
    room = a_room(kind="swiss")
    room.certified(1)
    room.ruled(room.taken(room.file()), error("no_show"))
    assert effective_of(room.match).fact == "double_forfeit"


def test_the_match_is_played_again(room: Room, final: Match) -> None:
    room.ruled(room.taken(room.file(kind="eligibility", asks="replay")), error("replay"))
    assert room.match.state == "called"
    assert room.seats(final)[0] is None
    room.certified(0)
    assert (room.match.state, effective_of(room.match).winner) == ("confirmed", 0)
    assert room.file(1).entered == "v2", "the new result is another one"


def test_the_match_is_awarded(room: Room, final: Match) -> None:
    room.ruled(room.taken(room.file(kind="eligibility", asks="award")), error("result", winner=0))
    result = effective_of(room.match)
    assert (result.fact, result.winner, result.ruled) == ("adjudicated", 0, True)
    assert room.seats(final)[0] == room.seats(room.match)[0]


def test_the_result_stands(room: Room, final: Match) -> None:
    before = observe(room.competition)
    room.ruled(room.taken(room.file()), Decision("dismissed", **TOLD))
    assert not difference(before, observe(room.competition), clock.now())
    assert not ResultEffect.objects.exists()


def test_a_finding_against_a_player_is_possible_too(room: Room) -> None:
    """A team that was late on purpose: the row of the table applies, and the score is corrected in the same ruling."""
    case = room.taken(room.file())
    upheld = score(0, outcome="upheld", row="late", offender=room.player(1).pk)
    shown = signing.preview(by=room.head, case=case, decision=upheld)
    assert shown.penalty == "game_forfeit"
    assert [effect.type for effect in shown.planned] == ["forfeit_match", "paper"]


@pytest.mark.parametrize(
    ("decision", "fault"),
    [
        (error(""), ("result_missing", "result")),
        (error("paper"), ("sheet", "sheet")),
        (error("paper", sheet=((2, 3),)), ("winner", "sheet")),
        (error("paper", sheet=((0, 99),)), ("margin", "sheet")),
        (error("paper", sheet=((0, 3), (1, 3))), ("too_many_games", "sheet")),
        (error("no_show", absent=2), ("absent", "absent")),
        (error("result"), ("winner", "winner")),
        (error("result", winner=0, game_number=1), ("game_number", "game_number")),
        (error("replay", row="late"), ("row", "row")),
        (score(0, outcome="dismissed"), ("result", "result")),
        (score(0, outcome="referee_error"), ("result_replay", "result")),
    ],
)
def test_a_decision_that_cannot_be_signed_names_its_fault(room: Room, decision: Decision, fault) -> None:
    assert fault_of(room, room.taken(room.file()), decision) == fault


def test_only_the_head_referee_changes_a_result(room: Room) -> None:
    case = room.taken(room.file(), by=room.referees[0])
    with pytest.raises(Refused) as refused:
        signing.preview(by=room.referees[0], case=case, decision=score(0))
    assert refused.value.code == "head_referee_needed"


def test_an_error_in_the_result_entered_is_no_outcome_of_a_case_about_a_game(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    for decision, code in (
        (error("replay"), "outcome"),
        (score(0, outcome="upheld"), "result_kind"),
        (error("no_show", outcome="upheld"), "result_kind"),
    ):
        with pytest.raises(Refused) as refused:
            signing.preview(by=world.head, case=case, decision=decision)
        assert refused.value.code == code


def test_a_score_is_only_for_matches_on_paper(world: World) -> None:
    from tock_league.accounts.permissions import SITE
    from tock_league.arbitration.services.cases import disputes, result_disputes
    from tock_league.competitions.services.results import settlement

    settlement.award(by=SITE, match=world.match, winner=0, reason="absents")
    world.match.refresh_from_db()
    one, other = (world.match.side_rows.get(position=place).entry.roster.first().player for place in (0, 1))
    case = result_disputes.file(by=other, match=world.match, kind="result", asks="award", text="Nous étions là.")
    disputes.answer(by=one, case=case, text="Non.")
    case = world.taken(case)
    with pytest.raises(Refused) as refused:
        signing.preview(by=world.head, case=case, decision=score(1))
    assert (refused.value.code, refused.value.field) == ("result_kind", "result")
    world.rule(case, error("no_show", absent=0))
    assert effective_of(world.match).winner == 1


@pytest.mark.parametrize("decision", [score(0), error("no_show", absent=1), error("replay"), error("result", winner=0)])
def test_lifting_the_ruling_restores_everything(room: Room, decision: Decision) -> None:
    case = room.taken(room.file())
    before = observe(room.competition)
    ruling = room.ruled(case, decision)
    assert difference(before, observe(room.competition), clock.now())
    own = results.effects_of(ruling.ref, competition=room.competition)
    results.apply(competition=room.competition, ruling="TL-2026-000099/1", lifts=own)
    assert not difference(before, observe(room.competition), clock.now())


def test_a_panel_takes_the_place_of_the_ruling_and_the_result_follows(room: Room, final: Match) -> None:
    case = room.taken(room.file())
    before = observe(room.competition)
    first = room.ruled(case, score(0))
    hearing.appeal(by=room.player(1), case=fresh(case), grounds="fact", text="La feuille est juste.")
    hearing.form_panel(by=room.organiser, case=fresh(case))
    replied(case, [room.player(0), room.player(1)])
    members = votes(room, fresh(case), "overturn", "overturn", "uphold")
    stands = Decision("dismissed", **TOLD)
    shown = hearing.preview(by=members[0], case=fresh(case), decision=stands)
    ruling = hearing.rule(by=members[0], case=fresh(case), decision=stands, preview_digest=shown.digest)
    room.match.refresh_from_db()
    assert (ruling.supersedes, fresh(case).state) == (first, "final")
    assert not difference(before, observe(room.competition), clock.now())
    assert EffectLift.objects.count() == ResultEffect.objects.count()
    assert audit.audit().faults == ()


def test_a_panel_may_correct_the_score_once_more(room: Room, final: Match) -> None:
    case = room.taken(room.file())
    room.ruled(case, score(0, 2))
    hearing.appeal(by=room.player(0), case=fresh(case), grounds="fact", text="Quatre billes, pas deux.")
    hearing.form_panel(by=room.organiser, case=fresh(case))
    replied(case, [room.player(0), room.player(1)])
    members = votes(room, fresh(case), "overturn", "overturn", "overturn")
    shown = hearing.preview(by=members[0], case=fresh(case), decision=score(0, 4))
    hearing.rule(by=members[0], case=fresh(case), decision=score(0, 4), preview_digest=shown.digest)
    assert effective_of(Match.objects.get(pk=room.match.pk)).sides[0].margin == 4
    assert Effect.objects.filter(lifted_by__isnull=True, type="paper").count() == 1
    assert audit.audit().faults == ()


def test_a_re_examination_is_about_the_same_result(room: Room, hand) -> None:
    case = room.taken(room.file())
    room.ruled(case, score(0))
    from .world import a_referee

    review = reviews.open_review(by=a_referee(room.competition, "head_referee"), case=fresh(case), reason="Une photo.")
    assert review.entered == "v1"
    assert case_files.case_file(review, room.head).entered is not None


@pytest.mark.parametrize("kind", ["swiss", "groups_knockout"])
def test_points_of_a_swiss_and_a_group_match_follow_the_ruling(hand, kind: str) -> None:
    room = a_room(8 if kind == "groups_knockout" else 4, kind=kind)
    room.certified(1)
    group = room.match.round.group

    def points() -> dict[int, str]:
        return {row.entry.pk: row.points for row in standings.table(room.competition, group=group)}

    before = points()
    first, second = room.seats(room.match)
    assert (before[first], before[second]) == ("0", "3") or before[second] > before[first]
    room.ruled(room.taken(room.file()), score(0))
    after = points()
    assert (after[first], after[second]) == (before[second], before[first])


def test_an_older_decision_keeps_its_digest() -> None:
    """The fields of an entered result are left out where they say nothing."""
    body = Decision("dismissed", facts="Rien.", reasons="Rien.").body()
    assert not {"sheet", "absent"} & body.keys()
    decision = score(0, 2)
    texts = {"facts": decision.facts, "reasons": decision.reasons}
    assert Decision.of_body(decision.body(), texts) == decision
    gone = error("no_show", absent=1)
    assert Decision.of_body(gone.body(), texts) == gone


def test_one_act_one_finding_holds_for_an_entered_result(room: Room) -> None:
    """Whatever a further case about the same result is called, the audit and the page count them as one act."""
    from tock_league.arbitration.selectors.cases.same_act import about_the_same_plays

    case = room.taken(room.file())
    room.ruled(case, Decision("dismissed", **TOLD))
    other = Case.objects.create(
        number="TL-2026-000777", competition=room.competition, match=room.match, kind="eligibility", origin="dispute",
        side=1, state="filed", entered="v1", filed_at=clock.now(),
    )  # fmt: skip
    another = Case.objects.create(
        number="TL-2026-000778", competition=room.competition, match=room.match, kind="result", origin="call",
        side=1, state="filed", entered="C-1", filed_at=clock.now(),
    )  # fmt: skip
    assert about_the_same_plays(fresh(case)) == [other]
    assert about_the_same_plays(another) == []
    assert Ruling.objects.count() == 1
