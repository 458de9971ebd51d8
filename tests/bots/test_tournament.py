"""The tournament: its statistics against known values, duplicates that exchange sides with the same cards, and who
wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games.bots.__main__ import main
from games.bots.tournament import Played, Roll, Table, duplicate, paired, play, points_of, wilson
from games.engine.errors import UnknownRules
from tests.bots.players import player

SHAWINIGAN = Table("shawinigan/1", 4, 2)


@pytest.mark.parametrize(("won", "games"), [(0, 10), (10, 10), (5, 10), (560, 1000), (900, 1000)])
def test_wilsons_bounds_are_the_shares_that_lie_just_1_96_standard_errors_away(won: int, games: int) -> None:
    low, high = wilson(won, games)
    for bound in (low, high):
        away = 1.959964 * (bound * (1 - bound) / games) ** 0.5
        assert abs(won / games - bound) == pytest.approx(away, abs=1e-7)
    assert (low > 1e-9, high < 1 - 1e-9) == (won > 0, won < games)


def test_wilsons_interval_of_ten_wins_in_ten() -> None:
    # 10 / (10 + 1.959964 ** 2)
    assert wilson(10, 10) == pytest.approx((0.7224672, 1.0), abs=2e-7)


def test_the_interval_of_duplicates_is_that_of_their_mean() -> None:
    scores = [1.0, 1.0, 0.5, 0.0, 1.0, 0.5, 1.0, 0.0]
    mean = 0.625
    error = (sum((s - mean) ** 2 for s in scores) / 7 / 8) ** 0.5
    assert error == pytest.approx(0.1567, abs=1e-4)
    assert paired(scores) == pytest.approx((mean - 1.959964 * error, mean + 1.959964 * error))


def test_equal_duplicates_still_have_an_interval() -> None:
    assert paired([1.0] * 10) == pytest.approx((0.7224672, 1.0), abs=2e-6)


def test_intervals_stay_within_0_and_1_and_need_games() -> None:
    low, high = paired([1.0, 1.0, 1.0, 0.5])
    assert (low < 1.0, high) == (True, 1.0)
    with pytest.raises(ValueError, match="duplicates"):
        paired([1.0])
    with pytest.raises(ValueError, match="games"):
        wilson(0, 0)


def test_a_duplicate_scores_the_even_teams_then_the_odd_ones() -> None:
    assert points_of((Played(0, 1), Played(1, 1))) == (1.0, 1.0)
    assert points_of((Played(1, 1), Played(0, 1))) == (0.0, 0.0)
    assert points_of((Played(2, 1), Played(2, 1))) == (1.0, 0.0)
    assert points_of((Played(None, 1), Played(1, 1))) == (0.5, 1.0)


class Witness:
    """Plays the first line; records the seats that were to act and the first hand that each seat saw."""

    def __init__(self) -> None:
        self.hands: dict[int, list[str]] = {}
        self.seats: set[int] = set()

    def __call__(
        self, seat: int, view: Mapping[str, Any], legal: Sequence[str], laid: Sequence[str], roll: Roll
    ) -> str:
        self.seats.add(seat)
        self.hands.setdefault(seat, view["hand"])
        return legal[0]


@pytest.mark.parametrize(("rules", "seats", "teams"), [("shawinigan/1", 4, 2), ("tock/1", 6, 3), ("toc/1", 4, 4)])
def test_the_two_games_of_a_duplicate_have_the_same_cards_and_exchanged_sides(
    rules: str, seats: int, teams: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.bots.tournament.LONGEST", 60)
    table, played = Table(rules, seats, teams), []
    for game in range(2):
        a, b = Witness(), Witness()
        players = [(a, b)[(team + game) % 2] for team in range(teams)]
        play(table, players, pair=3, game=game)
        played.append((a, b))
    (a1, b1), (a2, b2) = played
    even = {seat for seat in range(seats) if seat % teams % 2 == 0}
    assert (a1.seats, b1.seats) == (even, set(range(seats)) - even)
    assert (a2.seats, b2.seats) == (b1.seats, a1.seats)
    assert {**a1.hands, **b1.hands} == {**a2.hands, **b2.hands}
    # `duplicate` gives both players the same seats in turn: with two players of first lines the same team wins both
    # games.
    one, two = duplicate(table, a1, a1, 3)
    assert (one.winner, one.plays) == (two.winner, two.plays)


def test_decks_differ_by_pair_by_round_and_by_seed() -> None:
    decks = SHAWINIGAN.decks(0)
    first, second = next(decks), next(decks)
    assert sorted(first) == sorted(SHAWINIGAN.data.deck(4))
    others = [second, next(SHAWINIGAN.decks(1)), next(Table("shawinigan/1", 4, 2, seed=2).decks(0))]
    assert len({first, *others}) == 4
    assert next(SHAWINIGAN.decks(0)) == first


def score(a: str, b: str, pairs: int) -> float:
    """Return A's share of the games of this many duplicates."""
    found = [points_of(duplicate(SHAWINIGAN, player(a), player(b), pair)) for pair in range(pairs)]
    return sum(map(sum, found)) / (2 * pairs)


def test_the_novice_beats_chance_and_the_club_beats_the_novice() -> None:
    """Seeds are fixed, so each result is one number; benchmarks/results.md has those of 1,000 games."""
    assert score("novice", "random", 10) >= 0.9
    assert score("club", "novice", 20) >= 0.7


def test_the_same_seed_plays_the_same_games() -> None:
    one = duplicate(SHAWINIGAN, player("novice"), player("master", playouts=2), 0)
    assert one == duplicate(SHAWINIGAN, player("novice"), player("master", playouts=2), 0)


def test_a_game_too_long_is_stopped_and_counts_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.bots.tournament.LONGEST", 20)
    games = duplicate(SHAWINIGAN, player("random"), player("random"), 0)
    assert games == (Played(None, 20), Played(None, 20))
    assert points_of(games) == (0.5, 0.5)


def test_a_table_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownRules):
        Table("shawinigan/1", 6, 2)
    with pytest.raises(UnknownRules):
        Table("none/1", 4, 2)


def test_the_command_prints_rate_intervals_plays_and_times(capsys: pytest.CaptureFixture[str]) -> None:
    main(["tournament", "--games", "4", "--playouts", "1", "master", "random"])
    said = capsys.readouterr().out
    assert "win rate 100.0% of 4 games in 2 duplicates; 95 % interval 34.2% to 100.0% by pairs" in said
    assert "Wilson, games as independent: 51.0% to 100.0%" in said
    assert "plays" in said
    assert "ms a decision" in said
    assert "master's bound: 1 playouts" in said


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    for words, why in (
        (["tournament", "--rules", "x/1", "club", "novice"], "no rule set 'x/1'"),
        (["tournament", "--seats", "5", "club", "novice"], "seats"),
        (["tournament", "champion", "novice"], "invalid choice"),
    ):
        with pytest.raises(SystemExit):
            main(words)
        assert why in capsys.readouterr().err
