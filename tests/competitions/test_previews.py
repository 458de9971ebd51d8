"""The preview of a ruling: it shows the changes, writes nothing, and its digest detects later changes."""

import pytest
from django.utils import translation

from ratings import services as ratings
from ratings.models import Ladder, RatedResult
from ratings.selectors import previews as rating_previews
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import ResultEffect
from tock_league.competitions.services.results import rulings
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
    preview,
    stronger,
)

pytestmark = pytest.mark.django_db
LADDER = "shawinigan:2"


@pytest.fixture
def played(hand):
    league = a_league(4)
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), 0)
    hand.advance(seconds=5)
    ratings.rate_waiting(ladder_key=LADDER)
    return league, match


def name(match, position):
    return str(match.side_rows.get(position=position).entry)


def lines(shown, kind):
    return {row.label: (row.before, row.after) for row in shown.rows if row.kind == kind}


def test_it_names_result_points_ranks_and_ratings_before_and_after(played):
    league, match = played
    home, away = name(match, 0), name(match, 1)
    shown = preview(league, [EffectPlan("result", match.pk, 1, 1)])
    with translation.override("en"):
        shown = preview(league, [EffectPlan("result", match.pk, 1, 1)])
    assert lines(shown, "result") == {
        f"{home} – {away}": (f"{home}, 1\u00a0–\u00a00", f"{away}, 0\u00a0–\u00a01 (by decision)")
    }
    assert lines(shown, "points") == {home: ("2", "0"), away: ("0", "2")}
    assert lines(shown, "rank")[home][0] == "1"
    moved = lines(shown, "rating")
    assert {home, away} <= moved.keys()
    assert int(moved[home][0]) > int(moved[home][1])
    assert int(moved[away][0]) < int(moved[away][1])


def test_it_writes_nothing(played):
    league, match = played
    before = (JournalEntry.objects.count(), RatedResult.objects.count(), match.versions.count())
    preview(league, [EffectPlan("void", match.pk), EffectPlan("result", match.pk, 1, 1)])
    assert (JournalEntry.objects.count(), RatedResult.objects.count(), match.versions.count()) == before
    assert not ResultEffect.objects.exists()


def test_a_preview_without_changes_is_empty(played):
    league, match = played
    assert preview(league).empty
    assert preview(league, [EffectPlan("result", match.pk, 1, 0)]).empty


def test_the_digest_is_the_same_in_every_language_and_until_something_moves(played, hand):
    league, match = played
    plan = [EffectPlan("result", match.pk, 1, 1)]
    first = preview(league, plan).digest
    with translation.override("fr"):
        assert preview(league, plan).digest == first
    assert preview(league, [EffectPlan("forfeit_game", match.pk, 1, 0)]).digest != first
    hand.advance(hours=1)
    other = league.matches.filter(round__number=1).exclude(pk=match.pk).get()
    decide(other, 1)
    assert preview(league, plan).digest != first
    assert len(first) == 64


def test_a_rating_that_moves_elsewhere_does_not_move_the_digest(played, hand):
    league, match = played
    plan = [EffectPlan("result", match.pk, 1, 1)]
    first = preview(league, plan)
    other = a_league(2)
    publishing.open_due_tables()
    play_match(first_match(other), 1)
    hand.advance(seconds=5)
    ratings.rate_waiting(ladder_key=LADDER)
    assert preview(league, plan).digest == first.digest


def test_the_ratings_it_shows_are_those_that_come(played, hand):
    league, match = played
    shown = lines(preview(league, [EffectPlan("result", match.pk, 1, 1)]), "rating")
    rulings.apply(competition=league, ruling="TL-2026-000001/1", effects=[EffectPlan("result", match.pk, 1, 1)])
    ratings.rebuild(ladder_key=LADDER, cause="test")
    generation = Ladder.objects.get(key=LADDER).generation
    for side in match.side_rows.all():
        members = sorted(side.entry.roster.values_list("player_id", flat=True))
        pair = generation.ratings.get(subject__key="-".join(map(str, members)))
        assert shown[str(side.entry)][1] == str(round(pair.score_milli / 1000))


def test_of_many_small_rating_changes_only_the_number_is_shown(played, hand):
    league, match = played
    for number in (2, 3):
        hand.set(FIRST_ROUND.replace(day=2 + 7 * (number - 1)))
        publishing.open_due_tables()
        for later in league.matches.filter(round__number=number):
            play_match(later, 0)
    hand.advance(seconds=5)
    ratings.rate_waiting(ladder_key=LADDER)
    game = str(match.games.get().game_id)
    last = RatedResult.objects.latest("pk").pk
    assert rating_previews.moved(LADDER, last).named == ()
    ratings.revise(ladder=Ladder.objects.get(key=LADDER), source=game, ranks=(1, 0), reason="ruling")
    moved = rating_previews.moved(LADDER, last)
    sizes = [abs(int(move.before) - int(move.after)) for move in moved.named]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= 4
    assert len(moved.named) + moved.others > 6  # more than the players of the game


def test_a_bracket_shows_who_takes_whose_place_and_what_is_played_again(hand):
    cup = a_tournament(4)
    play_on(cup, matches=2)
    semi = cup.matches.filter(label="semi").order_by("number").first()
    plan = [EffectPlan("result", semi.pk, 1, 1 - stronger(semi))]
    with translation.override("en"):
        shown = preview(cup, plan)
        assert lines(shown, "place") == {
            "final": (name(semi, 0), name(semi, 1)),
            "third place": (name(semi, 1), name(semi, 0)),
        }
        play_on(cup)
        again = preview(cup, plan)
        assert (
            "no result yet" in lines(again, "result")[f"{name(semi, 0)} – {name(cup.matches.get(label='final'), 1)}"][1]
        )
        kept = preview(cup, [EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault="referee")])
    assert lines(kept, "place") == {}
    assert len(lines(kept, "result")) == 1
    assert kept.digest != again.digest


def test_a_group_that_is_over_moves_the_bracket_that_has_not_begun(hand):
    cup = a_tournament(6, plan=a_plan("groups_knockout", groups=2, qualify=1))
    play_on(cup, matches=6)
    final = cup.matches.get(label="final")
    first = final.side_rows.get(position=0).entry
    lost = [m for m in cup.matches.filter(side_rows__entry=first, round__group__stage__ordinal=1)]
    plans = [EffectPlan("forfeit_match", m.pk, position=m.side_rows.get(entry=first).position) for m in lost]
    shown = preview(cup, plans)
    assert [row.before for row in shown.rows if row.kind == "place"] == [str(first)]
    rulings.apply(competition=cup, ruling="TL-2026-000001/1", effects=plans)
    assert final.side_rows.get(position=0).entry != first


def test_its_queries_do_not_grow_with_the_field(hand, django_assert_max_num_queries):
    for teams in (4, 8):
        cup = a_tournament(teams, plan=a_plan("swiss", rounds=2))
        play_on(cup)
        match = cup.matches.order_by("pk").first()
        with django_assert_max_num_queries(146):  # the ruling itself is most of them
            preview(cup, [EffectPlan("result", match.pk, 1, 1 - stronger(match))])
