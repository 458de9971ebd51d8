"""Tests of the signals: how often an honest side is listed, and whether planted cheats are found."""

import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import sqrt

import pytest

from ratings.core import recompute
from ratings.core.engines import ClosedForm
from ratings.core.evaluation import leagues
from ratings.core.evaluation.leagues import League, simulated
from ratings.core.integrity import signals
from ratings.core.integrity.signals import Played, Signal
from ratings.core.integrity.tails import at_least, at_most, wins
from ratings.core.params import DEFAULT
from ratings.core.recompute import Entry, Subject

EARLY = 0.02  # share of the games that honest simulated people give up early


def watched(entries: Iterable[Entry], dice: random.Random) -> Iterator[tuple[Subject, Signal]]:
    """Yield each signal of the pairs of a league, as the site's task looks for them: after each game, at both sides.

    After a signal, the games that it is about are not looked at again for the same kind.
    """
    engine = ClosedForm(DEFAULT)
    states: recompute.States = {}
    windows: dict[Subject, deque[Played]] = defaultdict(lambda: deque(maxlen=signals.WINDOW))
    begin: dict[tuple[Subject, str], str] = {}
    for entry in entries:
        changes = {change.subject: change for change in recompute.apply(states, entry, engine)}
        early = dice.random() < EARLY or entry.source.endswith("!")
        teams = [tuple(sorted(side)) for side in entry.sides]
        for i, team in enumerate(teams):
            change = changes[team]
            windows[team].append(
                Played(
                    source=entry.source,
                    at=entry.completed_at,
                    opponents=(teams[1 - i],),
                    won=change.won,
                    chance=change.chance,
                    moved=engine.score(change.after, 2) - engine.score(change.before, 2),
                    settled=change.before.sigma / sqrt(2.0) <= 3.5 and states[team].games > 8,
                    early=early,
                )
            )
        for team, other in (teams, teams[::-1]):
            found = looked_at(windows, team, other, begin, len(windows))
            for signal in found:
                begin[team, signal.kind] = entry.source
                yield team, signal


def looked_at(
    windows: dict[Subject, deque[Played]],
    team: Subject,
    other: Subject,
    begin: dict[tuple[Subject, str], str],
    sides: int,
) -> Iterator[Signal]:
    def games(kind: str, of: Subject = team) -> list[Played]:
        return [game for game in windows[of] if game.source > begin.get((team, kind), "")]

    made = (
        signals.one_opponent(games("one_opponent"), sides=sides),
        signals.losses(games("losses")),
        signals.resignations(games("resignations")),
        signals.sudden(games("sudden"), sides=sides),
        signals.one_way(games("one_way"), games("one_way", other), me=team, other=other, sides=sides),
    )
    return (signal for signal in made if signal is not None)


@pytest.mark.parametrize("league", ["fixed", "two_partners", "closer"])
def test_an_honest_league_is_seldom_listed(league: str) -> None:
    """The bounds of docs/integrity.md, for each 1,000 games: two sides of each are looked at."""
    count = 2500
    found: Counter[str] = Counter()
    for seed in (1, 2):
        kind = next(one for one in leagues.LEAGUES if one.name == league)
        dice = random.Random(seed)
        found.update(signal.kind for _team, signal in watched(simulated(kind, count, dice), dice))
    per_thousand = {kind: number / (2 * count / 1000) for kind, number in found.items()}
    assert found["one_opponent"] == found["one_way"] == found["sudden"] == 0, found
    assert per_thousand.get("losses", 0.0) <= 1.5, found
    assert per_thousand.get("resignations", 0.0) <= 0.3, found


def test_pairs_that_lose_on_purpose_are_found() -> None:
    """Four pairs lose nearly every game until the middle: three of four at least are found, nobody else by `sudden`."""
    league = replace(next(one for one in leagues.LEAGUES if one.name == "cheat"), people=80, late=0.0)
    dice = random.Random(5)
    pairs = leagues.pairs_of(league)
    for _ in range(league.people + len(pairs)):
        dice.gauss(0.0, 1.0)  # the strengths are drawn first
    cheats = set(dice.sample(pairs, len(pairs))[: league.cheats])
    dice = random.Random(5)
    entries = list(simulated(league, 3200, dice))
    found = defaultdict(set)
    for team, signal in watched(entries, dice):
        found[signal.kind].add(team)
    assert len(cheats & (found["sudden"] | found["losses"])) >= 3
    assert len(found["sudden"] - cheats) <= 1


def honest(count: int, seed: int = 3) -> list[Entry]:
    return list(simulated(League("fixed", people=40, late=0.0), count, random.Random(seed)))


def planted(
    entries: list[Entry], every: int, sides: tuple[Subject, Subject], *, ranks: tuple[int, int], mark: str = ""
) -> list[Entry]:
    """Return the games with one more after each `every`, between two sides that have arranged it."""
    made = []
    for number, entry in enumerate(entries):
        made.append(entry)
        if number % every == every - 1:
            made.append(replace(entry, source=f"{entry.source}+{mark}", sides=sides, ranks=ranks))
    return made


def test_a_pair_that_begins_to_lose_on_purpose_is_found_within_25_games() -> None:
    entries = honest(1500)
    won = Counter(tuple(sorted(entry.sides[entry.ranks.index(0)])) for entry in entries)
    best = won.most_common(1)[0][0]
    turned, since = [], 0
    for number, entry in enumerate(entries):
        if number > 750 and best in (tuple(sorted(side)) for side in entry.sides):
            since += 1
            lost = tuple(int(tuple(sorted(side)) == best) for side in entry.sides)
            turned.append(replace(entry, ranks=lost))
        else:
            turned.append(entry)
    found = {signal.kind: signal for team, signal in reversed(list(watched(turned, random.Random(1)))) if team == best}
    assert {"losses", "sudden"} <= found.keys()
    assert found["losses"].once_in > 1000
    after = [entry.source for entry in turned[751:] if best in (tuple(sorted(side)) for side in entry.sides)]
    assert after.index(found["sudden"].games[-1].source) < 25
    assert since > 25


def test_two_pairs_that_play_mostly_each_other_and_pass_on_points_are_found() -> None:
    entries = planted(honest(1200), 8, ((1, 2), (3, 4)), ranks=(0, 1))
    found = {(team, signal.kind) for team, signal in watched(entries, random.Random(1))}
    assert ((1, 2), "one_opponent") in found
    assert ((3, 4), "one_opponent") in found
    assert ((1, 2), "one_way") in found
    assert {team for team, kind in found if kind in ("one_opponent", "one_way")} == {(1, 2), (3, 4)}


def test_early_resignations_between_the_same_sides_are_found() -> None:
    entries = planted(honest(1200), 60, ((1, 2), (3, 4)), ranks=(0, 1), mark="!")
    found = [(team, signal) for team, signal in watched(entries, random.Random(1)) if signal.kind == "resignations"]
    assert {team for team, _signal in found} >= {(1, 2), (3, 4)}
    assert all(signal.figures["early"] >= 3 and signal.once_in > 1000 for _team, signal in found)


def test_few_sides_or_few_games_are_no_reason_to_meet_others() -> None:
    game = Played("1", leagues.BEGIN, ((3, 4),), won=True, chance=0.5, moved=10, settled=True)
    assert signals.one_opponent([game] * 19, sides=20) is None
    assert signals.one_opponent([game] * 40, sides=5) is None
    found = signals.one_opponent([game] * 20, sides=6)
    assert found is not None
    assert (found.other, found.figures) == ((3, 4), {"games": 20, "against": 20, "won": 20})


def test_provisional_games_are_not_judged_by_their_chances() -> None:
    game = Played("1", leagues.BEGIN, ((3, 4),), won=False, chance=0.9, moved=-10, settled=False)
    assert signals.losses([game] * 30) is None
    assert signals.sudden([game] * 30, sides=1) is None


def test_accounts_on_opposite_sides_are_compared_as_players() -> None:
    def games(*sides: Subject, won: bool) -> list[Played]:
        return [
            Played(f"{i}", leagues.BEGIN, (side,), won, 0.5, 5000 if won else -5000, True)
            for i, side in enumerate(sides)
        ]

    own = games(*[(3, 4), (3, 5)] * 7, won=True)
    theirs = games(*[(1, 2), (1, 6)] * 7, won=False)
    found = signals.one_way(own, theirs, me=(1,), other=(3,), sides=9)
    assert found is not None
    assert found.figures == {"games": 14, "won": 14, "expected_tenths": 70, "all": 14, "points": 70}
    assert signals.one_way(theirs, own, me=(3,), other=(1,), sides=9) is None  # who loses has gained nothing
    assert signals.one_way(own, games((8, 9), won=True) * 20 + theirs, me=(1,), other=(3,), sides=9) is None


def test_the_tails_are_exact() -> None:
    chances = [0.1, 0.35, 0.8, 0.5]
    by_hand = [0.0] * 5
    for results in product((0, 1), repeat=4):
        p = 1.0
        for won, chance in zip(results, chances, strict=True):
            p *= chance if won else 1.0 - chance
        by_hand[sum(results)] += p
    assert wins(chances) == pytest.approx(by_hand)
    assert at_most(1, chances) == pytest.approx(sum(by_hand[:2]))
    assert at_least(3, chances) == pytest.approx(sum(by_hand[3:]))
    assert (at_most(0, []), at_least(0, [])) == (1.0, 1.0)


def test_a_run_of_sure_things_that_fail_stays_finite() -> None:
    game = Played("1", leagues.BEGIN, ((3, 4),), won=False, chance=1.0, moved=-10, settled=True)
    found = signals.sudden([game] * 50, sides=10)
    assert found is not None
    assert 1e6 < found.once_in < float("inf")
