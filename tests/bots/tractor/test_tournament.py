"""Tractor's bots against each other in duplicate rounds; all 400 by `python -m games.bots.tractor 400`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from games.bots.tractor.__main__ import main
from games.bots.tractor.tournament import collected, duel, interval, player


def anything(_view: Mapping[str, Any], legal: Sequence[str], roll: Callable[[int], int]) -> str:
    return legal[roll(len(legal))]


def test_club_beats_novice_in_more_than_65_percent_of_duplicate_rounds_by_points() -> None:
    rate = duel(player("club"), player("novice"), duplicates=120)
    assert rate.share >= 0.7
    assert rate.low > 0.65
    assert rate.margin > 10


def test_the_novice_beats_random_plays() -> None:
    assert duel(player("novice"), anything, duplicates=12).share > 0.9


def test_a_bot_against_itself_is_level_on_the_whole() -> None:
    """The order of the players gives no advantage: the two rounds of a duplicate differ by chance alone."""
    rate = duel(player("novice"), player("novice"), duplicates=60)
    assert rate.low < 0.5 < rate.high


def test_a_round_is_the_same_whenever_it_is_played() -> None:
    one, two = player("club"), player("novice")
    first = [collected("tractor/1", one, two, seed=3, number=n, half=0) for n in range(4)]
    assert first == [collected("tractor/1", one, two, seed=3, number=n, half=0) for n in range(4)]
    assert len(set(first)) > 1


def test_the_interval_is_wilsons() -> None:
    low, high = interval(65, 100)
    assert (round(low, 4), round(high, 4)) == (0.5525, 0.7364)


def test_the_command_prints_the_rate(capsys: pytest.CaptureFixture[str]) -> None:
    main(["4"])
    assert "of 4 duplicate rounds by points" in capsys.readouterr().out
