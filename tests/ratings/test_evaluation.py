"""Tests of the evaluation: predictions without the result, measures, simulated leagues, and the goals of R9."""

import importlib.util
import random
import tracemalloc
from collections.abc import Iterable
from dataclasses import replace
from math import log

import pytest

from ratings.core import recompute
from ratings.core.engines import ClosedForm
from ratings.core.evaluation import leagues, others, run
from ratings.core.evaluation.leagues import League, simulated
from ratings.core.evaluation.measures import Measures
from ratings.core.evaluation.own import OwnMethod, Predictor, Synergy
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT, Params
from ratings.core.recompute import Entry


def games(league: League, count: int, seed: int = 1) -> list[Entry]:
    return list(simulated(league, count, random.Random(f"{seed} {league.name}")))


def every_method() -> list[Predictor]:
    return run.predictors(DEFAULT, 2, sweep=True)


def test_no_method_knows_the_result_of_the_game_that_it_predicts() -> None:
    log_of = games(League("x", partners=0), 40)
    last = log_of[-1]
    for method, other in zip(every_method(), every_method(), strict=True):
        for entry in log_of[:-1]:
            assert method.play(entry) == other.play(entry)
        turned = replace(last, ranks=last.ranks[::-1])
        assert method.play(last) == other.play(turned), method.names


def test_the_evaluated_method_is_the_one_in_use_bit_for_bit() -> None:
    method, engine = OwnMethod(ClosedForm(DEFAULT), ("seeded", "players")), ClosedForm(DEFAULT)
    states: recompute.States = {}
    begin = leagues.BEGIN
    seed = Entry("seed:1", begin, ((1,),), kind="seed", start=Estimate(31.0, 5.0))
    season = Entry("season:2", begin + 300 * leagues.STEP, kind="season")
    entries = [seed, *games(League("x", partners=2, people=20), 300), season]
    late = [replace(entry, completed_at=entry.completed_at + 900 * leagues.STEP) for entry in entries[1:200]]
    for entry in [*entries, *late]:
        changes = recompute.apply(states, entry, engine)
        if entry.kind != "result":
            method.other(entry)
            continue
        seeded, players = method.play(entry)
        assert [changes[4].chance, changes[5].chance] == seeded
        assert [changes[0].chance, changes[2].chance] == players


def test_measures_are_those_of_the_definitions() -> None:
    found = Measures()
    found.add([0.8, 0.2], (0, 1))
    found.add([0.8, 0.2], (1, 0))
    found.add([0.5, 0.5], (0, 1))
    assert found.mean_loss == pytest.approx(-(log(0.8) + log(0.2) + log(0.5)) / 3)
    assert found.mean_brier == pytest.approx((0.04 + 0.64 + 0.25) / 3)
    assert found.share_right == pytest.approx(1.5 / 3)
    assert [(t.sides, t.won) for t in found.tenths if t.sides] == [(2, 1.0), (2, 1.0), (2, 1.0)]


def test_three_teams_with_a_tie_are_measured_and_a_sure_loser_that_wins_stays_finite() -> None:
    found = Measures()
    found.add([0.5, 0.3, 0.2], (0, 0, 1))
    assert found.mean_loss == pytest.approx(-(log(0.5) + log(0.3)) / 2)
    found.add([1.0, 0.0, 0.0], (1, 0, 1))
    assert found.mean_loss < 30
    assert found.worst_tenth() is None


def test_a_ladder_of_three_teams_is_evaluated_with_the_methods_that_know_it() -> None:
    dice = random.Random(3)
    entries = []
    for number in range(12):
        people = dice.sample(range(1, 9), 3)
        sides = tuple((person,) for person in sorted(people))
        ranks = (0, 1, 2)  # the lowest number wins
        entries.append(Entry(f"{number:03}", leagues.BEGIN + number * leagues.STEP, sides, ranks))
    found = run.evaluate(entries, run.predictors(DEFAULT, 3, sweep=False))
    assert {"seeded", "players", "nothing", "rank", "elo:24"} <= found.keys()
    assert not {"glicko", "synergy"} & found.keys()
    assert found["seeded"].games == 12
    assert found["seeded"].mean_loss < log(3)


def test_games_that_are_not_rated_are_left_out() -> None:
    first, second = games(League("x"), 2)
    found = run.evaluate([replace(first, rated=False), second], run.predictors(DEFAULT, 2, sweep=False))
    assert {measured.games for measured in found.values()} == {1}


def test_a_league_is_the_same_for_the_same_seed_and_knows_its_kinds() -> None:
    for league in leagues.LEAGUES:
        entries = games(league, 200)
        assert entries == games(league, 200)
        assert entries != games(league, 200, seed=2)
        for entry in entries:
            recompute.check(entry)
        partners: dict[int, set[int]] = {}
        for entry in games(league, 6000):
            for a, b in entry.sides:
                partners.setdefault(a, set()).add(b)
                partners.setdefault(b, set()).add(a)
        counts = {len(found) for found in partners.values()}
        assert counts == {league.partners} if league.partners else min(counts) > 20
    early = {
        person for entry in games(League("newcomers", partners=0), 2000)[:1000] for s in entry.sides for person in s
    }
    everybody = {person for entry in games(League("newcomers", partners=0), 2000) for s in entry.sides for person in s}
    assert len(early) == 100
    assert len(everybody) == 200


def test_a_cheat_loses_on_purpose_until_the_middle() -> None:
    honest = League("cheat", partners=1, late=0.0)
    cheating = replace(honest, cheats=4)
    wins: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    for number, entry in enumerate(games(cheating, 12000)):
        first = number < 6000
        if number == 0:
            dice = random.Random("1 cheat")
            for _ in range(200):
                dice.gauss(0, 1)
            for _ in range(100):
                dice.gauss(0, 1)
            cheats = set(dice.sample(leagues.pairs_of(cheating), 100)[:4])
        for side, rank in zip(entry.sides, entry.ranks, strict=True):
            if side in cheats:
                wins[first][0] += rank == 0
                wins[first][1] += 1
    assert wins[True][0] / wins[True][1] < 0.1
    assert wins[False][0] / wins[False][1] > 0.25


@pytest.mark.parametrize("partners", [1, 2, 3])
def test_the_method_is_near_the_best_beats_elo_and_rank_and_is_calibrated(partners: int) -> None:
    """R9 with small numbers; `manage.py rating_report --simulate` runs it with 12,000 games each."""
    league = League("r9", partners=partners)
    found = run.evaluate(
        simulated(league, 6000, random.Random(f"7 {partners}")), run.predictors(DEFAULT, 2, sweep=False)
    )
    assert run.goals(found) == {"near_best": True, "beats_elo": True, "beats_rank": True, "calibrated": True}
    worst_elo = max(measured.mean_loss for name, measured in found.items() if name.startswith("elo:"))
    assert found[run.best_elo(found)].mean_loss < worst_elo


def test_few_games_give_no_judgement() -> None:
    found = run.evaluate(games(League("x"), 50), run.predictors(DEFAULT, 2, sweep=False))
    assert set(run.goals(found).values()) == {None}


def test_a_sweep_finds_that_the_true_spread_of_performances_is_best() -> None:
    found = run.evaluate(games(League("fixed", partners=1, synergy=0.0), 1500), run.predictors(DEFAULT, 2, sweep=True))
    losses = {name: measured.mean_loss for name, measured in found.items() if name.startswith("beta=")}
    assert len(losses) == len(run.FACTORS)
    assert min(losses.values()) > found["seeded"].mean_loss - 0.003
    figures = run.summary(found, ClosedForm(DEFAULT))
    assert [sweep["field"] for sweep in figures["sweeps"]] == list(run.SWEPT)
    none = run.predictors(Params(idle_per_day=0.0), 2, sweep=True)
    assert not [name for method in none for name in method.names if name.startswith("idle")]


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def peak(count: int) -> int:
        league = League("memory", people=40)
        made: Iterable[Entry] = simulated(league, count, random.Random(1))
        tracemalloc.start()
        run.evaluate(made, [OwnMethod(ClosedForm(DEFAULT)), others.Elo(32.0), others.Glicko()])
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    few = peak(300)
    assert peak(1200) < few + 30_000


def test_synergy_learns_what_a_pair_does_better_than_its_players() -> None:
    method = Synergy(DEFAULT)
    begin = leagues.BEGIN
    for number in range(40):
        sides = ((1, 2), (3, 4)) if number % 2 else ((1, 3), (2, 4))
        method.play(Entry(f"{number:03}", begin + number * leagues.STEP, sides, (0, 1)))
    assert method.play(Entry("999", begin, ((1, 2), (3, 4)), (0, 1)))[0][0] > 0.8


@pytest.mark.skipif(importlib.util.find_spec("openskill") is None, reason="openskill is not installed")
def test_openskill_is_compared_where_it_is_installed() -> None:
    found = run.evaluate(games(League("x"), 200), run.predictors(DEFAULT, 2, sweep=False))
    assert found["openskill"].games == 200


def test_without_openskill_the_other_methods_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(others, "import_module", missing)
    names = {name for method in run.predictors(DEFAULT, 2, sweep=False) for name in method.names}
    assert "openskill" not in names
    assert {"glicko", "seeded", "synergy"} <= names
