"""Results that the rules write because a team left: they follow from who sits where, and are taken back whole."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import ResultEffect
from tock_league.competitions.services.entries import returning, withdrawals
from tock_league.competitions.services.results import corrections, paper, rulings, settlement
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game

from .onlooker import changed, seen
from .world import a_plan, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db
RULING = "TL-2026-000001/1"


def put_out(entry):
    return withdrawals.disqualify(by=SITE, entry=entry, reason=RULING)


def put_in_again(entry):
    return returning.reinstate(by=SITE, entry=entry, reason=RULING)


def ordered_again(match, ruling: str):
    effect = EffectPlan("replay", match.pk, fault="other")
    return rulings.apply(competition=match.competition, ruling=ruling, effects=[effect])


def lift(cup, ruling: str):
    return rulings.apply(competition=cup, ruling=f"{ruling[:-1]}2", lifts=rulings.effects_of(ruling, competition=cup))


def correct(match, winner: int):
    wanted = Right("paper", games=(Game(winner, 2),))
    shown = corrections.preview(by=SITE, match=match, right=wanted)
    return corrections.correct(by=SITE, match=match, right=wanted, reason="Coquille", digest=shown.digest)


def take_back(correction):
    shown = corrections.preview_taking_back(by=SITE, correction=correction)
    return corrections.take_back(by=SITE, correction=correction, reason="Coquille", digest=shown.digest)


def seeds(match):
    return list(match.side_rows.order_by("position").values_list("entry__seed", flat=True))


def left(before, after):
    """Return what differs, but for the numbers of tables."""
    found = changed(before, after)
    matches = {place: parts for place, parts in found.pop("matches", {}).items() if set(parts) != {"table_no"}}
    return found | ({"matches": matches} if matches else {})


def a_walk_over(**changes):
    """Return a knockout of 8, its first match, and the semi-final that seed 1 wins because seed 4 is out."""
    cup = a_tournament(8, **changes)
    for match in under_way(cup):
        paper.certify(by=SITE, match=match, games=[Game(seeds(match).index(min(seeds(match))), 3)])
    put_out(cup.entries.get(seed=4))
    semi = cup.matches.get(round__number=2, number=1)
    assert (semi.state, seeds(semi)) == ("awarded", [1, 4])
    return cup, cup.matches.get(round__number=1, number=1), semi


def test_a_corrected_winner_takes_over_the_walk_over_and_its_place_in_the_final(hand):
    cup, first, semi = a_walk_over()
    final = cup.matches.get(label="final")
    assert seeds(final)[0] == 1
    before = seen(cup)
    correction = correct(first, winner=seeds(first).index(8))
    semi.refresh_from_db()
    assert (semi.state, seeds(semi)) == ("awarded", [8, 4])
    assert seeds(final)[0] == 8
    assert not ResultEffect.objects.filter(match=semi).exists()  # nobody is told to play it again
    take_back(correction)
    assert left(before, seen(cup)) == {}


def test_the_walk_over_keeps_its_team_once_the_final_was_played_and_later_rounds_stand(hand):
    cup, first, semi = a_walk_over(later="stand")
    play_on(cup)
    correct(first, winner=seeds(first).index(8))
    assert seeds(semi) == [1, 4]
    assert seeds(cup.matches.get(label="final"))[0] == 1


def test_a_reopened_award_falls_with_the_order_under_which_it_was_written(hand):
    cup = a_tournament(4)
    match = under_way(cup)[0]
    settlement.award(by=SITE, match=match, winner=0, reason="Absents")
    before = seen(cup)
    ordered_again(match, "TL-2026-000002/1")
    entry = match.side_rows.get(position=1).entry
    put_out(entry)
    put_in_again(entry)
    match.refresh_from_db()
    assert match.state == "called"
    lift(cup, "TL-2026-000002/1")
    assert left(before, seen(cup)) == {}


def test_a_replay_in_a_group_is_open_again_when_the_bracket_had_begun_before_the_team_was_put_out(hand):
    cup = a_tournament(4, plan=a_plan("groups_knockout", groups=1, qualify=2))
    play_on(cup, matches=6)
    final = under_way(cup)[0]
    paper.certify(by=SITE, match=final, games=[Game(0, 2)])
    before = seen(cup)
    match = cup.matches.filter(round__group__stage__ordinal=1).order_by("pk").first()
    ordered_again(match, "TL-2026-000002/1")
    entry = match.side_rows.get(position=0).entry
    put_out(entry)
    put_in_again(entry)
    match.refresh_from_db()
    assert match.state == "called"
    lift(cup, "TL-2026-000002/1")
    assert left(before, seen(cup)) == {}


def test_the_bracket_follows_the_ranks_of_a_group_when_a_team_that_has_played_is_put_out(hand):
    cup = a_tournament(6, plan=a_plan("groups_knockout", groups=2, qualify=2))
    group = cup.stages.get(ordinal=1).groups.order_by("ordinal").first()
    members = sorted(set(cup.entries.filter(side_rows__match__round__group=group)), key=lambda entry: entry.seed)
    one, two, out = members
    # One over two by 1, two over the third by 7, the third over one by 1: level on points, two first by margin.
    scores = {(one, two): 1, (two, out): 7, (out, one): 1}
    while waiting := [match for match in under_way(cup) if match.round.group.stage.ordinal == 1]:
        match = waiting[0]
        sides = [side.entry for side in match.side_rows.order_by("position")]
        pair = next((pair for pair in scores if set(pair) == set(sides)), None)
        winner, margin = (sides.index(pair[0]), scores[pair]) if pair else (0, 2)
        paper.certify(by=SITE, match=match, games=[Game(winner, margin)])
    before = seen(cup)
    drawn = {place: match["seats"] for place, match in before["matches"].items() if place.startswith("2.")}
    put_out(out)
    moved = {place: match["seats"] for place, match in seen(cup)["matches"].items() if place.startswith("2.")}
    swap = {one.slug: two.slug, two.slug: one.slug}
    assert moved == {place: [swap.get(slug, slug) for slug in seats] for place, seats in drawn.items()} != drawn
    put_in_again(out)
    assert left(before, seen(cup)) == {}


def test_who_stays_in_a_final_is_not_seated_for_third_place_when_the_semi_final_turns(hand):
    cup = a_tournament(4, later="stand")
    semi, other = under_way(cup)
    final, third = cup.matches.get(label="final"), cup.matches.get(label="third_place")
    for match in (semi, other):
        paper.certify(by=SITE, match=match, games=[Game(0, 3)])
    rulings.apply(competition=cup, ruling=RULING, effects=[EffectPlan("void", semi.pk, fault="referee")])
    paper.certify(by=SITE, match=semi, games=[Game(1, 3)])
    final.refresh_from_db()
    paper.certify(by=SITE, match=final, games=[Game(0, 3)])
    played, waiting = seeds(final), seeds(third)
    lift(cup, RULING)  # the winner of the first play counts again, but the final stands
    assert (seeds(final), seeds(third)) == (played, waiting)
