"""Rulebook T7: points, talon, ranks, the next starter, the end."""

from typing import Any

import pytest

from games.engine.tractor.game import GAME
from games.engine.tractor.plays import masks, of, points
from games.engine.tractor.round import Position
from games.engine.tractor.rules import DECK

from .asking import ask
from .tables import after, at


def score(points: int, **others: Any) -> dict[str, Any]:
    request = {
        "attacker_points": points, "last_trick_winner": "declarers", "last_trick_size": 1, "talon_points": 0,
        "ranks": {"declarers": "2", "attackers": "2"}, "starter": 0,
    } | others  # fmt: skip
    return ask("score", **request)


def test_kings_and_tens_count_10_and_fives_5_and_200_are_in_the_pack() -> None:
    assert points(*masks(DECK)) == 200
    assert [points(*of(card)) for card in ("KS", "10S", "5S", "AS", "RJ", "4S")] == [10, 10, 5, 0, 0, 0]
    assert points(*of("KS", "KS", "5S")) == 25


@pytest.mark.parametrize(
    ("points", "declarers", "opponents"),
    [
        (-40, 3, 0), (0, 3, 0), (5, 2, 0), (35, 2, 0), (40, 1, 0), (75, 1, 0), (80, 0, 0), (115, 0, 0), (120, 0, 1),
        (155, 0, 1), (160, 0, 2), (195, 0, 2), (200, 0, 3), (235, 0, 3), (240, 0, 4), (275, 0, 4), (280, 0, 5), (320, 0, 6),
    ],
)  # fmt: skip
def test_the_table_of_ranks(points: int, declarers: int, opponents: int) -> None:
    answer = score(points)
    assert (answer["declarers_gain"], answer["attackers_gain"]) == (declarers, opponents)


@pytest.mark.parametrize("points", [0, 35, 75])
@pytest.mark.parametrize("starter", range(4))
def test_below_80_the_declarers_stay_and_the_old_starters_partner_starts(points: int, starter: int) -> None:
    answer = score(points, starter=starter)
    assert (answer["next_declarers"], answer["next_starter"]) == ("same", (starter + 2) % 4)


@pytest.mark.parametrize("points", [80, 115, 120, 300])
@pytest.mark.parametrize("starter", range(4))
def test_from_80_on_the_opponents_defend_and_the_old_starters_right_starts(points: int, starter: int) -> None:
    answer = score(points, starter=starter)
    assert (answer["next_declarers"], answer["next_starter"]) == ("swap", (starter + 1) % 4)


def test_every_rank_may_be_climbed_past() -> None:
    assert score(0, ranks={"declarers": "9", "attackers": "2"})["declarers_rank"] == "Q"
    assert score(240, ranks={"declarers": "9", "attackers": "10"})["attackers_rank"] == "A"


@pytest.mark.parametrize(
    ("points", "ranks", "winner"),
    [(75, ("A", "5"), "declarers"), (0, ("Q", "5"), "declarers"), (120, ("5", "A"), "attackers"),
     (720, ("A", "2"), "attackers")],
)  # fmt: skip
def test_a_team_that_would_climb_past_the_ace_wins_at_once(points: int, ranks: tuple[str, str], winner: str) -> None:
    answer = score(points, ranks={"declarers": ranks[0], "attackers": ranks[1]})
    assert (answer["game_over"], answer["winner"]) == (True, winner)
    assert answer[f"{winner}_rank"] == "won"
    assert (answer["next_declarers"], answer["next_starter"]) == (None, None)


def test_a_team_at_the_ace_has_not_won() -> None:
    assert score(0, ranks={"declarers": "J", "attackers": "A"})["game_over"] is False


@pytest.mark.parametrize(("cards", "total"), [(1, 60), (2, 100), (4, 180), (10, 420)])
def test_the_talon_counts_twice_the_cards_of_the_last_trick_to_opponents_who_win_it(cards: int, total: int) -> None:
    others = {"last_trick_size": cards, "talon_points": 20}
    assert score(20, last_trick_winner="attackers", **others)["total"] == total
    assert score(20, last_trick_winner="declarers", **others)["total"] == 20


# --- in the game -----------------------------------------------------------------------------------------------------


def last_trick(*, leader: int = 0, cards: tuple[str, ...] = ("9S", "KS", "10S", "3S"), **options: Any) -> Position:
    """Return the position before the last trick."""
    return at("2H", *cards, leader=leader, **options)


def played(p: Position) -> Position:
    for _ in range(4):
        p = after(p, f"play {' '.join(p.hand(p.turn))}")
    return p


def test_only_the_opponents_captures_count() -> None:
    q = played(last_trick(captured=60, buried="5C"))
    assert q.previous is not None
    assert q.previous.total == 60 + 20 + 2 * 5
    q = played(last_trick(cards=("AS", "KS", "10S", "3S"), captured=60, buried="5C"))
    assert q.previous is not None
    assert (q.previous.total, q.previous.talon) == (60, 0)


def test_a_last_trick_of_two_cards_multiplies_the_talon_by_four() -> None:
    q = played(last_trick(cards=("9S 9S", "KS KS", "10S 3S", "3C 4C"), captured=0, buried="KC 5C"))
    assert q.previous is not None
    assert (q.previous.talon, q.previous.total) == (60, 30 + 60)


def test_penalties_of_the_declarers_are_added_and_those_of_the_opponents_taken_off() -> None:
    for paid, total in (([30, 0], 90), ([0, 30], 30), ([20, 70], 10)):
        q = played(last_trick(cards=("AS", "KS", "10S", "3S"), captured=60, paid=paid))
        assert q.previous is not None
        assert q.previous.total == total


def test_every_round_accounts_for_200_points() -> None:
    q = played(last_trick(captured=60, buried="5C KC"))
    assert q.previous is not None
    assert sum(q.previous.captured) + 15 == 200


def test_the_next_round_waits_for_a_deck_with_the_new_starter_first_to_draw() -> None:
    q = played(last_trick(cards=("AS", "KS", "10S", "3S"), captured=40, starter=2, declarers=0))
    assert (q.phase, q.round, q.starter, q.drawer, q.turn, q.declarers) == ("deck", 3, 0, 0, 0, 0)
    assert GAME.to_json(q)["ranks"] == ["3", "2"]
    q = played(last_trick(cards=("AS", "KS", "10S", "3S"), captured=130, starter=2, declarers=0))
    assert (q.starter, q.drawer, q.declarers) == (3, 3, 1)
    assert GAME.to_json(q)["ranks"] == ["2", "3"]


def test_the_buried_cards_are_for_everybody_to_see_when_the_round_is_over() -> None:
    p = last_trick(buried="5C KC")
    assert "5C" in GAME.view(played(p), 1)["previous"]["buried"]
    lines = [f"play {card}" for card in ("9S", "KS", "10S")]
    facts = GAME.fx(after(p, *lines), GAME.parse_play(p, "play 3S"))
    assert [fact[0] for fact in facts] == ["trick", "buried_were", "round", "starter"]


def test_the_game_is_over_beyond_the_ace() -> None:
    p = at("A", "AS", "3S", "4S", "6S", captured=0, ranks=("A", "K"))
    q = played(p)
    assert (q.phase, GAME.to_json(q)["ranks"]) == ("over", ["won", "K"])
    outcome = GAME.outcome(q)
    assert outcome is not None
    assert outcome.ranks == (0, 1)
    assert GAME.to_act(q) == frozenset()
    assert GAME.outcome(p) is None
    assert list(GAME.legal_plays(q)) == []
    facts = GAME.fx(after(p, "play AS", "play 3S", "play 4S"), GAME.parse_play(p, "play 6S"))
    assert facts[-1] == ["over", [0, 1]]


def test_opponents_win_past_the_ace_too() -> None:
    q = played(at("3H", "9S", "KS", "10S", "4S", captured=130, ranks=("3", "A")))
    outcome = GAME.outcome(q)
    assert outcome is not None
    assert outcome.ranks == (1, 0)


# --- a fixed number of rounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("captured", "ranks", "points", "result"),
    [
        (40, ("2", "2"), [0, 0], (0, 1)),
        (130, ("2", "2"), [0, 0], (1, 0)),
        (80, ("2", "2"), [0, 0], (1, 0)),
        (80, ("2", "2"), [200, 0], (0, 1)),
        (80, ("2", "2"), [80, 0], (0, 0)),
        (80, ("2", "3"), [400, 0], (1, 0)),
    ],
)
def test_after_a_fixed_number_of_rounds_the_higher_rank_wins_then_the_points(
    captured: int, ranks: tuple[str, str], points: list[int], result: tuple[int, int]
) -> None:
    p = at("2H", "AS", "KS", "10S", "3S", captured=captured, ranks=ranks, points=points, rounds=2)
    q = played(p)
    assert q.phase == "over"
    outcome = GAME.outcome(q)
    assert outcome is not None
    assert outcome.ranks == result


def test_before_the_last_of_the_rounds_the_game_goes_on_and_past_the_ace_it_ends_all_the_same() -> None:
    assert played(at("2H", "AS", "KS", "10S", "3S", captured=40, rounds=3)).phase == "deck"
    assert played(at("A", "AS", "3S", "4S", "6S", captured=0, ranks=("A", "K"), rounds=9)).phase == "over"
