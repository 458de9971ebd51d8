"""Rulings: the effect of each on results, tables, brackets and ratings; applying twice changes nothing, lifting
restores everything."""

import pytest
from django.db import IntegrityError, transaction

from games.permissions import Person
from games.services import clocks, play
from ratings import services as ratings
from ratings.core import recompute
from ratings.core.engines import engine_for
from ratings.core.params import DEFAULT
from ratings.models import Ladder, RatedResult
from ratings.selectors.log import entry_of
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import NotThere, Refused
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import EffectLift, ResultEffect
from tock_league.competitions.selectors.changes.world import world_of
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.services.results import rulings, settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.journal.models import JournalEntry

from .world import (
    FIRST_ROUND,
    a_league,
    a_plan,
    a_tournament,
    decide,
    first_match,
    play_match,
    play_on,
    stronger,
    under_way,
)

pytestmark = pytest.mark.django_db
ONE, TWO, THREE = "TL-2026-000001/1", "TL-2026-000002/1", "TL-2026-000003/1"
LADDER = "shawinigan:2"


def state_of(competition):
    """Return all that people see of a competition, as plain values: results, seats and tables to the last bit."""
    competition.refresh_from_db()
    world = world_of(competition)
    return {
        "results": {match.slug: world.result(pk) for pk, match in world.matches.items()},
        "states": {match.slug: match.state for match in world.matches.values()},
        "seats": {world.matches[pk].slug: seats for pk, seats in world.seats.items()},
        "tables": {group: world.rows(group) for group in world.fields},
        "competition": competition.state,
        "ranks": list(competition.entries.order_by("pk").values_list("final_rank", "state")),
    }


def ratings_now():
    """Return the digest of a replay of the ladder's log: the states to the last bit."""
    if not Ladder.objects.filter(key=LADDER).exists():
        return ""
    rows = RatedResult.objects.filter(ladder__key=LADDER)
    return recompute.digest(recompute.replay([entry_of(row) for row in rows], engine_for(DEFAULT)))


def apply(competition, ruling, *effects, lifts=()):
    return rulings.apply(competition=competition, ruling=ruling, effects=effects, lifts=lifts)


def settle_ratings(hand):
    """Apply the waiting results to the ladder, and recompute it if a correction requires it."""
    hand.advance(seconds=5)
    ratings.rate_waiting(ladder_key=LADDER)
    if LADDER in ratings.ladders_dirty():
        ratings.rebuild(ladder_key=LADDER, cause="test")
    assert ratings.verify(ladder_key=LADDER)[0] == ratings.verify(ladder_key=LADDER)[1] == ratings_now()


@pytest.fixture
def played(hand):
    """A league of two pairs whose first match was played at its table and won by position 0."""
    league = a_league(2)
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), 0)
    return league, match


def points(competition):
    return {row.entry.pk: int(row.points) for row in standings.table(competition)}


def entry(match, position):
    return match.side_rows.get(position=position).entry


def test_a_result_overturned_moves_the_points_and_the_ratings(played, hand):
    league, match = played
    settle_ratings(hand)
    before = ratings_now()
    done = apply(league, ONE, EffectPlan("result", match.pk, game_number=1, position=1))
    assert done.revised == (str(match.games.get().game_id),)
    assert points(league) == {entry(match, 1).pk: 2, entry(match, 0).pk: 0}
    row = RatedResult.objects.get(revision=2)
    assert (row.ranks, row.rated, row.ruling, row.reason) == ([1, 0], True, ONE, "ruling")
    settle_ratings(hand)
    assert ratings_now() != before
    match.refresh_from_db()
    assert match.state == "confirmed"


@pytest.mark.parametrize(
    ("plan", "revision", "given"),
    [
        (dict(kind="void"), ("void", False), (0, 0)),
        (dict(kind="void", game_number=1), ("void", False), (0, 0)),
        (dict(kind="replay", game_number=1), ("void", False), (0, 0)),
        (dict(kind="forfeit_game", game_number=1, position=0), ("result", False), (0, 2)),
        (dict(kind="rating", game_number=1, amount=0), ("result", False), (2, 0)),
        (dict(kind="forfeit_match", position=0), None, (0, 2)),
        (dict(kind="forfeit_match"), None, (0, 0)),
        (dict(kind="result", position=1), None, (0, 2)),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else None,
)
def test_a_ruling_changes_standings_and_the_rating_log(played, plan, revision, given):
    league, match = played
    apply(league, ONE, EffectPlan(match_id=match.pk, **plan))
    found = points(league)
    assert (found[entry(match, 0).pk], found[entry(match, 1).pk]) == given
    last = RatedResult.objects.order_by("-revision").first()
    assert ((last.kind, last.rated) if last.revision > 1 else None) == revision


def test_applied_twice_it_changes_nothing_more(played):
    league, match = played
    first = apply(league, ONE, EffectPlan("forfeit_game", match.pk, 1, 0))
    before, count = state_of(league), JournalEntry.objects.count()
    again = apply(league, ONE, EffectPlan("forfeit_game", match.pk, 1, 0))
    assert (again.effects, again.again, again.revised) == (first.effects, True, ())
    assert state_of(league) == before
    assert (ResultEffect.objects.count(), JournalEntry.objects.count()) == (1, count)
    assert RatedResult.objects.filter(revision=2).count() == 1


def test_lifted_it_leaves_no_trace_in_results_standings_or_ratings(played, hand):
    league, match = played
    settle_ratings(hand)
    before, rated = state_of(league), ratings_now()
    apply(league, ONE, EffectPlan("result", match.pk, 1, 1))
    settle_ratings(hand)
    assert state_of(league) != before
    done = apply(league, TWO, lifts=rulings.effects_of(ONE))
    assert done.lifted == tuple(EffectLift.objects.values_list("effect", flat=True))
    settle_ratings(hand)
    assert state_of(league) == before
    assert ratings_now() == rated
    assert rulings.effects_of(ONE) == []


def test_two_appeals_of_one_penalty_lift_it_once(played):
    league, match = played
    made = apply(league, ONE, EffectPlan("points", match.pk, entry_id=entry(match, 0).pk, amount=-1))
    apply(league, TWO, lifts=made.effects)
    after = state_of(league)
    assert apply(league, THREE, lifts=made.effects).lifted == ()
    assert state_of(league) == after
    assert EffectLift.objects.count() == 1


def test_points_off_are_points_off_and_the_sum_tells(played):
    league, match = played
    apply(league, ONE, EffectPlan("points", match.pk, entry_id=entry(match, 0).pk, amount=-1))
    assert points(league) == {entry(match, 0).pk: 1, entry(match, 1).pk: 0}
    row = standings.table(league)[0]
    assert [(term.match_slug, term.value) for term in row.points_terms] == [(match.slug, "2"), ("", "−1")]


def test_an_unplayed_game_never_becomes_rated(hand):
    league = a_league(2)
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    for spot in entry(match, 0).roster.all():  # position 0 sits down, the others never come
        game = match.table.games.get()
        seat = match.table.seatings.get(player=spot.player).seat
        play.submit(
            game_id=game.pk, seat=seat, command_id=f"ready-{seat}", turn="0.0", kind="ready", args={},
            by=Person(player_id=spot.player_id),
        )  # fmt: skip
    hand.advance(minutes=30)
    clocks.claim_due()
    settlement.settle(game_id=match.table.games.get().pk)
    assert RatedResult.objects.get().rated is False
    for number, plan in enumerate(
        (EffectPlan("result", match.pk, 1, 1), EffectPlan("rating", match.pk, 1, amount=1)), start=1
    ):
        apply(league, f"TL-2026-00000{number}/1", plan)
    assert RatedResult.objects.count() == 1


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (dict(kind="pardon"), "effect_kind"),
        (dict(kind="result"), "position"),
        (dict(kind="result", position=2), "position"),
        (dict(kind="forfeit_game", position=0), "game_number"),
        (dict(kind="result", game_number=2, position=0), "game_number"),
        (dict(kind="rating"), "game_number"),
        (dict(kind="rating", game_number=1, amount=3), "amount"),
        (dict(kind="points", amount=-1), "entry"),
        (dict(kind="points", amount=-1, entry_id=10**6), "entry"),
        (dict(kind="void", entry_id=1), "entry"),
        (dict(kind="void", match_id=10**6), "match"),
        (dict(kind="void", fault="nobody"), "fault"),
    ],
)
def test_impossible_effects_are_refused_and_nothing_is_written(played, plan, code):
    league, match = played
    count = JournalEntry.objects.count()
    with pytest.raises(Refused) as error:
        apply(league, ONE, EffectPlan(**{"match_id": match.pk, **plan}))
    assert (error.value.code, error.value.field) == (code, "effects")
    assert not ResultEffect.objects.exists()
    assert JournalEntry.objects.count() == count


def test_a_game_without_result_cannot_be_overturned_and_points_need_an_amount(hand):
    league = a_league(2)
    match = first_match(league)
    with pytest.raises(Refused) as error:
        apply(league, ONE, EffectPlan("result", match.pk, 1, 0))
    assert error.value.code == "unplayed_game"
    with pytest.raises(Refused) as error:
        apply(league, ONE, EffectPlan("points", match.pk, entry_id=entry(match, 0).pk))
    assert error.value.code == "amount"
    for number in ("", "x" * 21):
        with pytest.raises(Refused):
            apply(league, number, EffectPlan("void", match.pk))
    with pytest.raises(NotThere):
        apply(league, ONE, lifts=[10**6])


def test_a_game_ordered_again_gets_a_table_and_its_result_counts(played, hand):
    league, match = played
    first_table = match.table_id
    apply(league, ONE, EffectPlan("replay", match.pk, game_number=1))
    match.refresh_from_db()
    assert (match.state, match.table) == ("scheduled", None)
    match = play_match(match, 1)
    assert (match.state, match.table_id == first_table) == ("confirmed", False)
    assert [version.order_id for version in match.versions.order_by("version")] == [None, ResultEffect.objects.get().pk]
    assert points(league)[entry(match, 1).pk] == 2
    before = ratings_now()
    apply(
        league, TWO, lifts=rulings.effects_of(ONE)
    )  # the order is lifted: the first game counts, the second one does not
    match.refresh_from_db()
    assert points(league)[entry(match, 0).pk] == 2
    assert match.table_id == first_table
    assert ratings_now() != before
    assert RatedResult.objects.filter(kind="void").count() == 2  # the first order is lifted later, the second one stays


# --- brackets --------------------------------------------------------------------------------------------------------


def semis(cup):
    return list(cup.matches.filter(label="semi").order_by("number"))


def seats(match):
    return [
        side.entry.seed if side.entry else None for side in match.side_rows.order_by("position").select_related("entry")
    ]


@pytest.fixture
def cup(hand):
    """A knockout of four on paper, its semi-finals decided for the better seeds; final and third place not begun."""
    made = a_tournament(4)
    play_on(made, matches=2)
    return made


def test_before_the_next_match_begins_the_other_one_takes_the_place(cup):
    semi = semis(cup)[0]
    final, third = cup.matches.get(label="final"), cup.matches.get(label="third_place")
    assert (seats(final), seats(third)) == ([1, 2], [4, 3])
    for fault in ("own", "other", "referee"):
        made = apply(cup, f"TL-{fault}/1", EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault=fault))
        assert (seats(final), seats(third)) == ([4, 2], [1, 3])
        apply(cup, f"TL-{fault}/2", lifts=made.effects)
        assert (seats(final), seats(third)) == ([1, 2], [4, 3])


def test_a_place_gained_by_the_own_error_is_lost_and_the_final_is_played_again(cup):
    semi, final, third = semis(cup)[0], cup.matches.get(label="final"), cup.matches.get(label="third_place")
    play_on(cup)
    cup.refresh_from_db()
    before = state_of(cup)
    assert cup.state == "finished"
    made = apply(cup, ONE, EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault="own"))
    assert [row.derived for row in ResultEffect.objects.order_by("pk")] == [False, True, True]
    cup.refresh_from_db()
    assert (cup.state, seats(final), seats(third)) == ("running", [4, 2], [1, 3])
    assert {match.label for match in under_way(cup)} == {"final", "third_place"}
    play_on(cup, wins=lambda match: 0)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert cup.entries.get(final_rank=1).seed == 4
    # The appeal restores the original results, games, seats and podium; the replayed ones are dropped.
    apply(cup, TWO, lifts=made.effects[:1])
    assert state_of(cup) == before


def test_an_appeal_that_brings_a_finalist_back_has_the_match_he_played_meanwhile_played_again(cup):
    semi, final, third = semis(cup)[0], cup.matches.get(label="final"), cup.matches.get(label="third_place")
    decide(final, 0)
    before = state_of(cup)
    made = apply(cup, ONE, EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault="own"))
    third.refresh_from_db()
    decide(third, 0)
    assert (seats(final), seats(third)) == ([4, 2], [1, 3])
    apply(cup, TWO, lifts=made.effects)
    assert state_of(cup) == before
    assert (seats(final), seats(third)) == ([1, 2], [4, 3])
    play_on(cup)
    cup.refresh_from_db()
    assert (cup.state, cup.entries.get(final_rank=1).seed) == ("finished", 1)


@pytest.mark.parametrize("fault", ["other", "referee"])
def test_a_place_gained_by_anothers_error_stays_and_only_the_result_is_corrected(cup, fault):
    semi, final = semis(cup)[0], cup.matches.get(label="final")
    play_on(cup)
    podium = list(cup.entries.order_by("final_rank").values_list("final_rank", "seed"))
    apply(cup, ONE, EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault=fault))
    assert ResultEffect.objects.get().keeps_place
    semi.refresh_from_db()
    assert effective_of(semi).winner == 1 - stronger(semi)
    assert seats(final) == [1, 2]
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert list(cup.entries.order_by("final_rank").values_list("final_rank", "seed"))[:2] == podium[:2]


def test_a_ruling_on_the_final_changes_the_podium(cup):
    play_on(cup)
    final = cup.matches.get(label="final")
    made = apply(cup, ONE, EffectPlan("result", final.pk, 1, 1))
    assert [entry.seed for entry in cup.entries.filter(final_rank__lte=2).order_by("final_rank")] == [2, 1]
    apply(cup, TWO, lifts=made.effects)
    assert [entry.seed for entry in cup.entries.filter(final_rank__lte=2).order_by("final_rank")] == [1, 2]


def test_a_double_forfeit_in_a_semi_final_is_a_walkover_in_the_final_and_lifted_it_is_played(cup):
    semi, final, third = semis(cup)[0], cup.matches.get(label="final"), cup.matches.get(label="third_place")
    made = apply(cup, ONE, EffectPlan("forfeit_match", semi.pk))
    final.refresh_from_db()
    third.refresh_from_db()
    assert (final.state, seats(final), effective_of(final).winner) == ("awarded", [None, 2], 1)
    assert (third.state, effective_of(third).winner) == ("awarded", 1)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert [e.seed for e in cup.entries.filter(final_rank=1)] == [2]
    apply(cup, TWO, lifts=made.effects)
    cup.refresh_from_db()
    assert cup.state == "running"
    assert (seats(final), seats(third)) == ([1, 2], [4, 3])
    assert {match.label for match in under_way(cup)} == {"final", "third_place"}


def test_in_a_swiss_the_paired_round_stands_and_the_points_are_corrected(hand):
    cup = a_tournament(6, plan=a_plan("swiss", rounds=3))
    play_on(cup, matches=3)
    paired = [seats(match) for match in under_way(cup)]
    first = cup.matches.filter(round__number=1).order_by("number").first()
    group = first.round.group
    before = {place.entry_id: place.points for place in standings.order(group)}
    apply(cup, ONE, EffectPlan("result", first.pk, 1, 1 - stronger(first)))
    after = {place.entry_id: place.points for place in standings.order(group)}
    assert [seats(match) for match in under_way(cup)] == paired
    changed = {pk: after[pk] - before[pk] for pk in after if after[pk] != before[pk]}
    assert sorted(changed.values()) == [-2, 2]


def test_before_the_round_is_paired_the_corrected_points_pair_it(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2, auto=False))
    play_on(cup)
    first = cup.matches.filter(round__number=1).order_by("number").first()
    loser = entry(first, 1 - stronger(first))
    apply(cup, ONE, EffectPlan("result", first.pk, 1, 1 - stronger(first)))
    publishing.publish_next(by=SITE, group=first.round.group)
    second = cup.matches.filter(round__number=2, side_rows__entry=loser).get()
    rival = second.side_rows.exclude(entry=loser).get().entry
    assert {place.entry_id: place.points for place in standings.order(first.round.group)}[rival.pk] == 2


def test_effects_and_lifts_stand_in_the_journal(cup):
    semi = semis(cup)[0]
    made = apply(cup, ONE, EffectPlan("result", semi.pk, 1, 1))
    apply(cup, TWO, lifts=made.effects)
    kinds = [
        body.split('"kind":"')[1].split('"')[0]
        for body in (bytes(row.body).decode() for row in JournalEntry.objects.order_by("pk"))
        if '"ruling":"' in body
    ]
    assert kinds == ["effect.applied", "effect.lifted"]


# --- laws ------------------------------------------------------------------------------------------------------------


def test_effects_and_lifts_are_never_changed_or_deleted(played):
    league, match = played
    made = apply(league, ONE, EffectPlan("result", match.pk, 1, 1))
    apply(league, TWO, lifts=made.effects)
    for rows in (ResultEffect.objects.all(), EffectLift.objects.all()):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(ruling="TL-2026-000009/9")
        with pytest.raises(IntegrityError), transaction.atomic():
            rows._raw_delete(rows.db)
    assert ResultEffect.objects.count() == EffectLift.objects.count() == 1
