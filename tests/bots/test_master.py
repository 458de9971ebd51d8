"""The master: takes an available win, avoids a blunder that looking one play ahead does not show, stops when told."""

import random
from collections import Counter
from typing import Any

import pytest

from games import bots
from games.bots.knowledge import imagine, position, unseen
from games.engine.cards import NUMBER
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import at


def master(p: Position, *, seed: int = 3, **more: Any) -> str:
    legal = [play.text for play in GAME.legal_plays(p)]
    return bots.choose(GAME.view(p, p.turn), legal, level="master", roll=random.Random(seed).randrange, **more)


@pytest.mark.parametrize("playouts", [0, 10])
def test_the_master_takes_a_win_in_one(playouts: int) -> None:
    p = at(marbles="0: h2 h3 h4 t69 / 2: h1 h2 h3 h4 / 1: t71", hands="0: 2H 9C KS")
    assert master(p, playouts=playouts) == "2H t69-h1"


def test_a_world_deals_the_unseen_cards_and_no_others() -> None:
    p = at(marbles="0: t12 / 1: t20", hands="0: 9C KS / 1: 2S 3S / 2: 4S 5S / 3: 6S 7S")
    known = position(GAME.view(p, 0), 0)
    laid = [NUMBER["AS"], NUMBER["JK"]]
    hidden = unseen(known, 0, laid)
    world = imagine(known, 0, hidden, random.Random(1).randrange)
    cards = Counter(card for hand in world.hands for card in hand) + Counter(world.stock) + Counter(laid)
    assert cards == Counter(p.rules.deck(4))
    assert world.hands[0] == p.hands[0]
    assert [len(hand) for hand in world.hands] == [2, 2, 2, 2]
    worlds = {tuple(imagine(known, 0, hidden, random.Random(n).randrange).hands[1]) for n in range(40)}
    assert len(worlds) > 20


def test_playouts_bound_the_search_exactly_and_time_ends_it() -> None:
    p = at(marbles="0: t12 t30 / 1: t20 / 3: t50", hands="0: 9C 8C QS 6D / 1: 2H 3H / 2: 5S 5D / 3: 4S KD")
    asked = 0

    def up() -> bool:
        nonlocal asked
        asked += 1
        return asked > 7

    chosen = master(p, time_up=up)
    assert asked == 8
    assert chosen == master(p, playouts=7)
    assert master(p, time_up=lambda: True) == master(p, playouts=0)


def test_without_time_the_master_plays_like_the_club() -> None:
    p = at(marbles="0: t12 t30 / 1: t20 / 3: t50", hands="0: 9C 8C QS 6D / 1: 2H 3H / 2: 5S 5D / 3: 4S KD")
    legal = [play.text for play in GAME.legal_plays(p)]
    assert master(p, playouts=0) == bots.choose(GAME.view(p, 0), legal, level="club", roll=lambda n: 0)


def test_the_same_chance_numbers_give_the_same_choice() -> None:
    p = at(marbles="0: t12 t30 / 1: t20 / 3: t50", hands="0: 9C 8C QS 6D / 1: 2H 3H / 2: 5S 5D / 3: 4S KD")
    assert master(p, playouts=60) == master(p, playouts=60)


def test_a_wrong_list_of_seen_cards_does_not_stop_the_master() -> None:
    p = at(marbles="0: t12 t30 / 1: t20", hands="0: 9C 8C QS")
    for seen in ([], ["9C"] * 3, [text for text in NUMBER if text not in ("BJ", "RJ")] * 2):
        assert master(p, playouts=12, seen=seen) in {play.text for play in GAME.legal_plays(p)}
