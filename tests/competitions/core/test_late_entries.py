"""Rounds that a late team has missed: what the table and the tie-breaks make of them, worked out by hand.

Three rounds of four teams; D comes for round 2 and has missed round 1. Round 1: A beats B, C rests (the pairing bye).
Round 2: A beats C, B beats D. Round 3: D beats A, C beats B.
"""

import pytest

from tock_league.competitions.core.contenders import contenders, home_first, inputs_of
from tock_league.competitions.core.format import History, Pairing, RoundPlan
from tock_league.competitions.core.kind import PlanError
from tock_league.competitions.core.pairings.swiss import Options
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import explain, record

A, B, C, D = 1, 2, 3, 4
FACTS = {"loss": "absence", "tie": "requested_bye"}


def won(number, round, winner, loser, margin=3):
    return MatchResult(
        number, round, "played", (SideResult(winner, "win", 1, margin), SideResult(loser, "loss", 0, -margin))
    )


def the_record(missed):
    return record(
        [A, B, C, D],
        [
            won(1, 1, A, B),
            MatchResult(0, 1, "pairing_bye", (SideResult(C, "win"),)),
            MatchResult(0, 1, FACTS[missed], (SideResult(D, missed),)),
            won(2, 2, A, C),
            won(3, 2, B, D),
            won(4, 3, D, A),
            won(5, 3, C, B),
        ],
        PointsRule(),
    )


@pytest.mark.parametrize(("missed", "points"), [("loss", 2), ("tie", 3)])
def test_a_missed_round_gives_its_points_and_is_no_match(missed, points):
    rows = {row.entry: row for row in standings(the_record(missed), ("points", "wins"))}
    late = rows[D]
    assert (late.points.value, late.played, late.wins, late.ties, late.losses) == (points, 2, 1, 0, 1)
    assert late.margin.value == 0
    assert (rows[C].played, rows[C].wins) == (3, 2)  # the pairing bye counts as it did


@pytest.mark.parametrize(
    ("missed", "own", "against_a"),
    # Scores in points of the pairing: A 2, B 1, C 2; D 1 or 1½. D's adjusted score counts the missed round as ½.
    [("loss", 1, 1.5), ("tie", 1.5, 1.5)],
)
def test_a_missed_round_is_a_dummy_with_the_own_score_and_is_cut_first(missed, own, against_a):
    made = the_record(missed)

    def value(key, entry):
        return float(explain(key, entry, (), made).value)

    assert value("buchholz", D) == own + 1 + 2  # the dummy, B, A
    assert value("buchholz_cut1", D) == 1 + 2  # without the missed round, although B's score may be lower
    assert value("median", D) == 1
    assert value("sonneborn_berger", D) == (0 if missed == "loss" else 0.5) * own + 2
    assert value("played_wins", D) == value("wins", D) == 1
    assert value("buchholz", A) == 1 + 2 + against_a


@pytest.mark.parametrize(("missed", "half"), [("loss", 0), ("tie", 1)])
def test_the_pairing_gives_the_late_team_its_points_no_bye_and_no_home(missed, half):
    results = [won(1, 1, A, B)]
    if missed == "tie":
        results.append(MatchResult(0, 1, "requested_bye", (SideResult(D, "tie"),)))
    history = History(
        (A, B, C, D),
        Options(rounds=3),
        rounds=(RoundPlan(1, (Pairing((A, B)),), byes=(C,), absent=(D,)),),
        results=tuple(results),
    )
    field = {one.entry: one for one in contenders(inputs_of(history, "seed", {"rounds": 3}))}
    late = field[D]
    assert (late.score, late.had_bye, late.had_gift, late.homes, late.away_last) == (half, False, False, 0, False)
    assert home_first(field[A], late, "seed")[0].entry == D  # A has been at home


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"late_rounds": -1}, "late_rounds"),
        ({"late_rounds": 21}, "late_rounds"),
        ({"late_rounds": True}, "late_rounds"),
        ({"late_rounds": "1"}, "late_rounds"),
        ({"late_points": "win"}, "late_points"),
    ],
)
def test_the_settings_have_their_range(changes, field):
    with pytest.raises(PlanError) as error:
        TournamentPlan("swiss", rounds=3, **changes)
    assert error.value.field == field


def test_an_older_plan_has_the_usual_settings():
    plan = TournamentPlan.read({"kind": "swiss", "rounds": 3})
    assert (plan.late_rounds, plan.late_points) == (1, "loss")
    assert TournamentPlan.read(plan.to_json()) == plan
