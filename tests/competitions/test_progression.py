"""The consequences of results: seats, rounds, ties, reversals; progression is idempotent."""

import json

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Match, PairingRun, Round, Side, StandingOverride
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.kept import shown
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rounds import progress as selectors
from tock_league.competitions.services.audit.places import differences
from tock_league.competitions.services.results import propagation, versions
from tock_league.competitions.services.rounds import draw, publishing, ties
from tock_league.competitions.services.seasons import lifecycle
from tock_league.competitions.services.shared.locking import lock_match
from tock_league.competitions.verifier import swiss as verifier
from tock_league.journal.models import JournalEntry

from .world import a_plan, a_player, a_tournament, decide, play_on, stronger, under_way

pytestmark = pytest.mark.django_db

POINTS_ONLY = ("head_to_head",)


def everything(competition):
    """Return all that progression writes, as plain data."""
    return (
        list(
            Match.objects.filter(competition=competition)
            .order_by("pk")
            .values("state", "table_no", "starts_at", "table")
        ),
        list(Side.objects.filter(stage__competition=competition).order_by("pk").values("entry", "kind", "match")),
        list(Round.objects.filter(group__stage__competition=competition).order_by("pk").values("state", "number")),
        list(competition.entries.order_by("pk").values("state", "final_rank")),
        JournalEntry.objects.count(),
    )


@pytest.mark.parametrize("kind", ["knockout", "groups_knockout", "swiss"])
def test_progression_is_idempotent(hand, kind):
    cup = a_tournament(6, plan=a_plan(kind))
    while under_way(cup):
        match = under_way(cup)[0]
        decide(match, stronger(match))
        assert list(differences()) == [], "also between the end of one group and that of the other"
        before = everything(cup)
        with writing():
            propagation.propagate(lock_match(match.pk))
            propagation.propagate(lock_match(match.pk))
        assert everything(cup) == before
    cup.refresh_from_db()
    assert cup.state == "finished"


def test_losers_of_the_semi_finals_play_for_third_place(hand):
    cup = a_tournament(4)
    play_on(cup, matches=2)
    final, third = cup.matches.get(label="final"), cup.matches.get(label="third_place")
    seeds = lambda match: sorted(match.side_rows.values_list("entry__seed", flat=True))  # noqa: E731
    assert (seeds(final), seeds(third)) == ([1, 2], [3, 4])
    decide(final, stronger(final))
    cup.refresh_from_db()
    assert cup.state == "running"  # its sibling keeps it open
    decide(third, 1)
    cup.refresh_from_db()
    assert cup.state == "finished"


def test_a_reversed_result_moves_the_winner_while_the_next_match_has_not_begun(hand):
    cup = a_tournament(4, on_paper=False)
    hand.advance(hours=1, minutes=50)
    semi, other = under_way(cup)
    decide(semi, stronger(semi))
    decide(other, stronger(other))
    final = cup.matches.get(label="final")
    old_table = final.table
    assert old_table is not None
    decide(semi, 1 - stronger(semi))
    final.refresh_from_db()
    old_table.refresh_from_db()
    seeds = {side.position: side.entry.seed for side in final.side_rows.all()}
    assert 1 not in seeds.values()
    assert 1 in cup.matches.get(label="third_place").side_rows.values_list("entry__seed", flat=True)
    assert old_table.state == "closed"  # nobody sits down at the wrong table
    assert final.table is not None
    assert final.table_id != old_table.pk
    assert final.state == "called"


def test_a_decided_final_keeps_its_sides_when_a_semi_final_changes(hand):
    cup = a_tournament(4)
    semi = under_way(cup)[0]
    play_on(cup)
    before = sorted(cup.matches.get(label="final").side_rows.values_list("entry", flat=True))
    decide(semi, 1 - stronger(semi))
    assert sorted(cup.matches.get(label="final").side_rows.values_list("entry", flat=True)) == before
    cup.refresh_from_db()
    assert cup.state == "finished"


def test_byes_go_to_the_top_seeds_and_are_written(hand):
    cup = a_tournament(6, state="closed")
    draw.draw(by=SITE, competition=cup)
    byes = Side.objects.filter(stage__competition=cup, kind="pairing_bye")
    assert sorted(side.entry.seed for side in byes) == [1, 2]
    waiting = Side.objects.filter(stage__competition=cup, round__number=2, entry__isnull=False)
    assert sorted(side.entry.seed for side in waiting) == [1, 2]


def test_byes_after_groups_are_written_when_the_groups_are_over(hand):
    cup = a_tournament(9, plan=a_plan("groups_knockout", groups=3, qualify=2))
    byes = Side.objects.filter(stage__competition=cup, kind="pairing_bye")
    assert byes.count() == 0
    play_on(cup, matches=9)
    assert byes.count() == 2
    assert sorted(side.entry.seed for side in byes) == [1, 2]


def circle(match):
    """A beats B, B beats C, C beats A: no criterion separates them."""
    seats = [side.entry.seed for side in match.side_rows.order_by("position")]
    loser = {frozenset({1, 4}): 4, frozenset({4, 5}): 5, frozenset({1, 5}): 1}.get(frozenset(seats), max(seats))
    return seats.index(next(seed for seed in seats if seed != loser))


@pytest.fixture
def tied(hand):
    """Six teams in two groups of three, one qualifies from each; group A (seeds 1, 4, 5) ends in a circle."""
    cup = a_tournament(6, plan=a_plan("groups_knockout", groups=2, qualify=1), tiebreaks=POINTS_ONLY)
    play_on(cup, wins=circle)
    return cup


def test_a_tie_across_the_qualifying_line_blocks_and_names_the_ways(tied):
    tie = selectors.ties(tied)[0]
    assert {tied.entries.get(pk=pk).seed for pk in tie.entries} == {1, 4, 5}
    assert (tie.first_rank, tie.last_rank, tie.across) == (1, 3, True)
    assert tie.ways == ("play_off", "lots", "ruling")
    final = tied.matches.get(label="final")
    assert final.state == "waiting"
    assert not under_way(tied)
    tied.refresh_from_db()
    assert tied.state == "running"


def test_a_tie_is_settled_by_the_published_lots_and_the_final_follows(tied):
    group = selectors.ties(tied)[0].group
    rows = ties.settle_tie(by=SITE, group=group, how="lots")
    assert [row.place for row in rows] == [1, 2, 3]
    assert selectors.ties(tied) == []
    final = tied.matches.get(label="final")
    assert final.state == "called"
    assert rows[0].entry_id in final.side_rows.values_list("entry", flat=True)
    with pytest.raises(Conflict) as error:
        ties.settle_tie(by=SITE, group=group, how="lots")
    assert error.value.code == "no_tie"


def test_nobody_has_qualified_while_the_tie_at_the_line_is_open_and_the_table_says_what_settled_it(tied):
    table = shown.tables(tied, kept(tied))[0]
    assert (table.qualify, table.table.is_over, table.qualified) == (1, True, 0)
    ties.settle_tie(by=SITE, group=table.group, how="lots")
    table = shown.tables(tied, kept(tied))[0]
    assert table.qualified == 1
    drawn = str(StandingOverride.How.LOTS.label)
    assert [str(line.separated_by) for line in table.lines] == [drawn, drawn, ""]
    (_table, line), *_rest = shown.explanations(tied, table.lines[0].entry)
    assert [str(step.label) for step in line.why if step.decides] == [drawn]
    StandingOverride.objects.update(how="play_off")  # as if the desk had numbered them after a match
    assert str(StandingOverride.How.PLAY_OFF.label) in {
        str(row.separated_by) for row in group_tables.all_tables(tied)[0].rows
    }


def test_who_is_equal_above_the_line_has_qualified(hand):
    cup = a_tournament(8, plan=a_plan("groups_knockout", groups=2, qualify=3), tiebreaks=POINTS_ONLY)
    play_on(cup, wins=circle_above)
    first = shown.tables(cup, kept(cup))[0]
    assert [line.row.rank for line in first.lines] == [1, 1, 1, 4]
    assert first.qualified == 3
    assert selectors.ties(cup)[0].across is False


def circle_above(match):
    """In each group the last seed loses to everybody, and the others beat each other in a circle."""
    seats = [side.entry.seed for side in match.side_rows.order_by("position")]
    places = [0 if seed in (1, 2) else 1 if seed in (3, 4) else 2 if seed in (5, 6) else 3 for seed in seats]
    return places.index(max(places) if {*places} == {0, 2} else min(places))


def test_a_tie_settled_by_hand_needs_every_name_and_a_reason(tied):
    tie = selectors.ties(tied)[0]
    order = [tied.entries.get(seed=seed) for seed in (5, 1, 4)]
    for wrong, code in (
        ({"how": "coin", "order": order, "reason": "x"}, "how"),
        ({"how": "play_off", "order": order[:2], "reason": "x"}, "bad_order"),
        ({"how": "play_off", "order": [*order[:2], order[0]], "reason": "x"}, "bad_order"),
        ({"how": "ruling", "order": order}, "reason_missing"),
        ({"how": "ruling", "order": order, "reason": "<i>x</i>"}, "markup"),
    ):
        with pytest.raises(Refused) as error:
            ties.settle_tie(by=SITE, group=tie.group, **wrong)
        assert error.value.code == code
    with pytest.raises(NotAllowed):
        ties.settle_tie(by=a_player("Passant"), group=tie.group, how="lots")
    assert not StandingOverride.objects.exists()
    ties.settle_tie(by=SITE, group=tie.group, how="play_off", order=order, reason="Partie décisive, 8 à 5")
    play_on(tied)
    tied.refresh_from_db()
    assert tied.state == "finished"
    assert 5 in tied.entries.filter(final_rank__lte=2).values_list("seed", flat=True)


def test_without_auto_the_organiser_opens_each_round_and_ends_it(hand):
    cup = a_tournament(4, plan=a_plan("knockout", auto=False))
    group = cup.stages.get().groups.get()
    with pytest.raises(Conflict) as error:
        publishing.publish_next(by=SITE, group=group)
    assert error.value.code == "round_open"
    play_on(cup)
    assert cup.matches.get(label="final").state == "ready"
    with pytest.raises(NotAllowed):
        publishing.publish_next(by=a_player("Passant"), group=group)
    assert publishing.publish_next(by=SITE, group=group).state == "open"
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "running"
    with pytest.raises(Conflict) as error:
        publishing.publish_next(by=SITE, group=group)
    assert error.value.code == "no_round_left"
    cup = lifecycle.advance(by=SITE, competition=cup, to="finished")
    assert list(cup.entries.order_by("final_rank").values_list("final_rank", flat=True)) == [1, 2, 3, 4]


def test_a_bracket_round_is_not_opened_before_its_seats_are_filled(tied):
    bracket = tied.stages.get(ordinal=2).groups.get()
    with pytest.raises(Conflict) as error:
        publishing.publish_next(by=SITE, group=bracket)
    assert error.value.code == "no_round_left"


def test_a_swiss_round_is_published_with_a_certificate_that_the_verifier_accepts(hand):
    cup = a_tournament(7, plan=a_plan("swiss", rounds=3))
    play_on(cup)
    runs = list(PairingRun.objects.filter(round__group__stage__competition=cup).order_by("round__number"))
    assert [run.round.number for run in runs] == [1, 2, 3]
    for run in runs:
        assert verifier.check(run.certificate) == ()
        assert run.inputs_hash == run.certificate["inputs_hash"]
    told = [json.loads(bytes(entry.body)) for entry in JournalEntry.objects.filter(stream=f"competition:{cup.slug}")]
    published = [entry for entry in told if entry["kind"] == "round.published"]
    assert [entry["inputs_hash"] for entry in published] == [run.inputs_hash for run in runs]


def test_rematches_are_named_and_played_only_when_the_organiser_accepts_them(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3))
    cup.refresh_from_db()
    group = cup.stages.get().groups.get()
    play_on(cup, matches=4)  # two rounds
    third = Round.objects.filter(group=group, number=3)
    assert third.exists()  # four teams have all met after three rounds
    more = TournamentPlan.read({**cup.plan, "rounds": 4})
    with pytest.raises(Conflict):
        from tock_league.competitions.services.seasons import tournaments

        tournaments.edit(by=SITE, competition=cup, plan=more)
    stage = cup.stages.get()
    stage.options = {**stage.options, "rounds": 4}  # as if the plan had one round too many
    stage.save()
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "running"
    group = cup.stages.get().groups.get()
    with pytest.raises(Refused) as error:
        publishing.publish_next(by=SITE, group=group)
    assert (error.value.code, error.value.field) == ("needs_relaxing", "relaxed")
    pairs = error.value.details["pairs"]
    assert len(pairs) == 2
    assert str(cup.entries.get(pk=pairs[0][0])) in str(error.value.sentence)
    publishing.publish_next(by=SITE, group=group, relaxed=[tuple(pair) for pair in pairs])
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"


def test_a_void_match_of_a_bracket_is_played_again(hand):
    cup = a_tournament(4)
    semi = under_way(cup)[0]
    play_on(cup, matches=2)
    with writing():
        match = lock_match(semi.pk)
        versions.append(match, fact="void", source="referee", reason="test")
        propagation.propagate(match)
    semi.refresh_from_db()
    assert semi.state == "void"
    assert semi.round.state == "open"
    final = cup.matches.get(label="final")
    assert final.state == "waiting"
    decide(semi, 1)
    final.refresh_from_db()
    assert final.state == "called"


def test_a_finished_tournament_is_under_way_again_when_its_final_is_taken_away(hand):
    cup = a_tournament(4, state="finished")
    final = cup.matches.get(label="final")
    with writing():
        match = lock_match(final.pk)
        versions.append(match, fact="void", source="referee", reason="test")
        propagation.propagate(match)
    cup.refresh_from_db()
    assert cup.state == "running"
    assert not cup.entries.filter(final_rank__isnull=False).exists()
    assert set(cup.entries.values_list("state", flat=True)) == {"playing"}
    decide(final, 1 - stronger(final))
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert cup.entries.get(seed=2).final_rank == 1


def test_while_a_tournament_is_suspended_results_are_kept_and_no_round_opens(hand):
    cup = a_tournament(4)
    lifecycle.advance(by=SITE, competition=cup, to="suspended", reason="Panne de courant")
    play_on(cup, matches=2)
    final = cup.matches.get(label="final")
    assert final.state == "ready"
    lifecycle.advance(by=SITE, competition=cup, to="running")
    final.refresh_from_db()
    assert final.state == "called"
