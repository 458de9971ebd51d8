"""The family's implementation of `Game` (games/engine/game.py)."""

import pytest

from games.engine import registry
from games.engine.errors import BadPosition, EngineError, UnknownRules
from games.engine.game import Chance, Game
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Kind, Play
from games.engine.tractor.round import Position

from .tables import DRAWN, PASSED, RULES, after, at, deck, new

FACE: Game[Position, Play] = GAME


def test_the_registry_finds_the_rule_set_with_its_game() -> None:
    assert registry.game("tractor/1") is GAME
    assert (RULES.id, RULES.teams, len(RULES.deck(4)), RULES.hand) == ("tractor/1", {4: (2,)}, 108, 25)


@pytest.mark.parametrize("options", [{"seats": 6}, {"seats": 3}, {"teams": 4}, {"full_ranking": True}])
def test_other_tables_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(UnknownRules, match=next(iter(options))):
        new(**options)


@pytest.mark.parametrize("options", [{"dealer": 4}, {"dealer": -1}, {"rounds": -1}])
def test_a_drawer_or_a_number_of_rounds_that_cannot_be_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(BadPosition, match=next(iter(options))):
        new(**options)


def test_who_is_to_act_in_every_phase() -> None:
    p = new()
    assert GAME.to_act(p) == Chance("deck")
    p = after(p, deck("2H"))
    assert GAME.to_act(p) == Chance("draw")
    assert not GAME.may_show(p, 0)
    p = after(p, "draw 4")
    assert GAME.may_show(p, 0)
    p = after(p, *DRAWN[1:])
    assert GAME.to_act(p) == frozenset(range(4))
    p = after(p, "show 0: 2H", "pass 2")
    assert GAME.to_act(p) == frozenset((0, 1, 3))
    assert GAME.may_show(p, 2)
    p = after(p, "pass 0", "pass 1", "pass 3")
    assert (GAME.to_act(p), GAME.may_show(p, 0)) == (frozenset((0,)), False)
    p = after(p, "bury " + " ".join(p.hand(0)[:8]))
    p = after(p, "play " + p.hand(0)[0])
    assert GAME.to_act(p) == frozenset((1,))


def test_candidates_are_there_wherever_a_seat_must_choose_and_the_authority_accepts_them() -> None:
    p = after(new(), deck("2H 2D"), *DRAWN)
    for lines in (("show 0: 2H",), PASSED):
        for seat in range(4):
            plays = list(GAME.legal_plays(p, seat))
            assert plays
            assert all(GAME.is_legal(p, play, seat) for play in plays)
        p = after(p, *lines)
    buries = list(GAME.legal_plays(p))
    assert all(play.kind is Kind.BURY and GAME.is_legal(p, play) for play in buries)
    assert list(GAME.legal_plays(p, 1)) == []


def test_nobody_must_choose_while_cards_are_drawn() -> None:
    p = after(new(), deck("2H"), "draw 4")
    assert list(GAME.legal_plays(p)) == []
    assert [play.text for play in GAME.legal_plays(p, 0)] == ["pass 0", "show 0: 2H"]
    assert list(GAME.legal_plays(p, 7)) == []


def test_follows_of_several_cards_are_more_than_the_candidates() -> None:
    p = after(at("2H", "2x9S 3C 4C", "KS QS JS 3S", "AS 10S 3D 4D", "5D 6D 7D 8D"), "play 9S 9S")
    offered = {play.text for play in GAME.legal_plays(p)}
    assert "play JS QS" not in offered
    assert GAME.is_legal(p, GAME.parse_play(p, "play JS QS"))
    assert not GAME.is_legal(p, GAME.parse_play(p, "play 9S 9S"))


def test_apply_answers_a_new_position_and_apply_in_place_the_same_one() -> None:
    p = at("2H", "9S", "KS", "10S", "3S")
    before = GAME.to_json(p)
    play = GAME.parse_play(p, "play 9S")
    q = GAME.apply(p, play)
    assert GAME.to_json(p) == before != GAME.to_json(q)
    GAME.apply_in_place(p, play)
    assert p == q


def test_touched_cards_do_not_bind() -> None:
    p = at("2H", "9S 3C", "KS 4C", "10S 6C", "3S 7C")
    assert list(GAME.narrow(p, card="9S", marbles=())) == list(GAME.legal_plays(p))
    GAME.check(p, GAME.parse_play(p, "play 3C"), 0, card="9S")


def test_plays_are_not_counted() -> None:
    with pytest.raises(EngineError, match="not_counted: perft"):
        GAME.perft(new(), 1)


def test_positions_are_equal_by_what_they_hold() -> None:
    p = at("2H", "9S", "KS", "10S", "3S")
    assert p == p.copy()
    assert p != after(p, "play 9S")
    assert p != "something else"
    assert "tractor/1" in repr(p)
