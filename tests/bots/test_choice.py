"""Choices: they use the seat's view alone, are always a play that is offered, and find what a club player must see."""

import random
from typing import Any

import pytest

from games import bots
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import at


def choice(p: Position, level: str = "club", roll: Any = None, **more: Any) -> str:
    legal = [play.text for play in GAME.legal_plays(p)]
    return bots.choose(GAME.view(p, p.turn), legal, level=level, roll=roll or random.Random(3).randrange, **more)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_same_view_plays_and_rolls_give_the_same_choice(level: str) -> None:
    p = at(marbles="0: t12 t15 / 1: t20", hands="0: 7C 9C KS")
    assert choice(p, level, random.Random(1).randrange) == choice(p, level, random.Random(1).randrange)


def test_the_club_brings_the_last_marble_home() -> None:
    p = at(marbles="0: h2 h3 h4 t69 / 2: h1 h2 h3 h4 / 1: t71", hands="0: 2H 9C KS")
    assert choice(p) == "2H t69-h1"


def test_the_club_eats_an_opponent_rather_than_its_partner() -> None:
    assert choice(at(marbles="0: t30 / 1: t38 / 2: t39", hands="0: 8C 9C")) == "8C t30-t38"
    assert choice(at(marbles="0: t30 / 2: t38 / 1: t39", hands="0: 8C 9C")) == "9C t30-t39"


def test_the_club_comes_out_when_it_can() -> None:
    assert choice(at(marbles="1: t40", hands="0: KS 10H")) == "KS out"


def test_the_club_keeps_its_way_out_when_it_must_burn() -> None:
    p = at(hands="0: KS 3H JK", phase="forced")
    assert choice(p) == "burn 3H"


def test_the_club_gives_its_partner_a_way_out_when_it_has_two() -> None:
    p = at(phase="give", deal=0, first=True, hands="0: KS AS 9C 3H 2C")
    assert choice(p) == "give AS"
    p = at(phase="give", deal=0, first=True, hands="0: KS 7S 9C 3H 2C")
    assert choice(p) not in ("give KS", "give 7S")


def test_the_club_swaps_for_what_gains() -> None:
    p = at(marbles="0: t2 / 1: t66 / 3: t57", hands="0: JS")
    assert choice(p) == "JS t2xt66"


def test_the_club_does_not_stop_before_an_opponents_way_out() -> None:
    p = at(marbles="0: t15", hands="0: 3H 2H")
    assert choice(p) == "2H t15-t17"


def test_wrong_levels_and_empty_lists_are_refused() -> None:
    p = at(marbles="0: t12", hands="0: 9C")
    with pytest.raises(ValueError, match="level"):
        choice(p, "champion")
    with pytest.raises(ValueError, match="no play"):
        bots.choose(GAME.view(p, 0), [], level="club", roll=lambda n: 0)
    with pytest.raises(ValueError, match="no play"):
        bots.default_play([])


def test_a_seat_of_an_exchange_is_asked_by_its_own_view() -> None:
    p = at(phase="give", deal=0, first=True, turn=0, hands="0: 9C 8C 6C 3H 2C / 2: KS AS 9D 4H 2D")
    view = GAME.view(p, 2)
    chosen = bots.choose(view, view["legal"], level="club", roll=random.Random(3).randrange, seat=2)
    assert chosen == "give AS"


def test_a_single_play_is_chosen_without_a_search() -> None:
    def never(n: int) -> int:
        raise AssertionError("nothing is left to chance")

    for level in bots.LEVELS:
        assert choice(at(marbles="0: t30", hands="0: 9C"), level, never) == "9C t30-t39"


def test_a_line_that_is_no_play_here_is_refused() -> None:
    p = at(marbles="0: t30", hands="0: 9C 8C")
    with pytest.raises(ValueError, match="card_cannot"):
        bots.choose(GAME.view(p, 0), ["9C t30-t39", "8C t30-t39"], level="club", roll=lambda n: 0)


def test_the_level_offered_first_is_one_of_the_levels() -> None:
    assert bots.DEFAULT_LEVEL in bots.LEVELS
    assert bots.LEVELS == ("random", "novice", "club", "master")


@pytest.mark.parametrize(
    ("legal", "first"),
    [
        (["10H skip", "9C t12-t21", "QS t12-t24"], "9C t12-t21"),
        (["2C t1-t3", "2D t1-t3", "2H t1-t3", "2S t1-t3"], "2S t1-t3"),
        (["9C t12-t21", "9C t11-t20"], "9C t11-t20"),
        (["burn KS", "burn AS", "burn JK", "burn 5C"], "burn 5C"),
        (["give 4S", "give 7S", "give JH"], "give JH"),
        (["AS out", "JK out", "KS out"], "KS out"),
    ],
)
def test_the_default_play_takes_cards_in_the_printed_order(legal: list[str], first: str) -> None:
    assert bots.default_play(legal) == first
    assert bots.default_play(legal[::-1]) == first
