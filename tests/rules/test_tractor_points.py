"""Tractor's rules page: points, ranks, who starts next, the end."""

from games.engine.tractor.game import GAME
from games.engine.tractor.plays import masks, of, points
from games.engine.tractor.round import Position
from games.engine.tractor.rules import DECK
from tests.engine.tractor.tables import PASSED, after, at
from tests.rules.sheets import sentence
from tests.rules.tractor import drawn, new, played, score


def total(p: Position) -> int:
    """Return the opponents' points at the end of the round."""
    q = played(p)
    assert q.previous is not None
    return q.previous.total


def climbs(*opponents: int) -> set[tuple[int, int, str]]:
    """Return ranks climbed by declarers and opponents and the next declarers, for each of these points."""
    answers = [score(number) for number in opponents]
    return {(one["declarers_gain"], one["attackers_gain"], one["next_declarers"]) for one in answers}


def end(captured: int, ranks: tuple[str, str], points: list[int]) -> tuple[int, ...]:
    """Return the ranks of the teams after the second of two rounds, in which team 0 declared."""
    p = at("2H", "AS", "KS", "10S", "3S", captured=captured, ranks=ranks, points=points, rounds=2)
    outcome = GAME.outcome(played(p))
    assert outcome is not None
    return outcome.ranks


@sentence
def test_kings_tens_and_fives(rules: str) -> None:
    assert [points(*of(card)) for card in ("KS", "10H", "5D", "AS", "QC", "RJ", "4S")] == [10, 10, 5, 0, 0, 0, 0]
    assert points(*masks(DECK)) == 200


@sentence
def test_only_the_opponents_count(rules: str) -> None:
    assert total(at("2H", "9S", "KS", "10S", "3S", captured=60)) == 60 + 20
    assert total(at("2H", "AS", "KS", "10S", "3S", captured=60)) == 60


@sentence
def test_the_talon_multiplied(rules: str) -> None:
    for size, times in ((1, 2), (2, 4), (4, 8)):
        found = score(20, last_trick_winner="attackers", last_trick_size=size, talon_points=20)
        assert found["total"] == 20 + times * 20
    assert total(at("2H", "9S", "KS", "10S", "3S", captured=0, buried="KC 5C")) == 20 + 2 * 15
    assert total(at("2H", "9S 9S", "KS KS", "10S 3S", "3C 4C", captured=0, buried="KC 5C")) == 30 + 4 * 15


@sentence
def test_the_talon_saved(rules: str) -> None:
    assert total(at("2H", "AS", "KS", "10S", "3S", captured=60, buried="5C KC")) == 60


@sentence
def test_penalties_count_too(rules: str) -> None:
    for paid, found in (([30, 0], 90), ([0, 30], 30), ([20, 70], 10)):
        assert total(at("2H", "AS", "KS", "10S", "3S", captured=60, paid=paid)) == found


@sentence
def test_score_0(rules: str) -> None:
    assert climbs(-40, -5, 0) == {(3, 0, "same")}


@sentence
def test_score_5(rules: str) -> None:
    assert climbs(5, 20, 35) == {(2, 0, "same")}


@sentence
def test_score_40(rules: str) -> None:
    assert climbs(40, 60, 75) == {(1, 0, "same")}


@sentence
def test_score_80(rules: str) -> None:
    assert climbs(80, 100, 115) == {(0, 0, "swap")}


@sentence
def test_score_120(rules: str) -> None:
    assert climbs(120, 140, 155) == {(0, 1, "swap")}


@sentence
def test_score_160(rules: str) -> None:
    assert climbs(160, 180, 195) == {(0, 2, "swap")}


@sentence
def test_score_200(rules: str) -> None:
    assert climbs(200, 220, 235) == {(0, 3, "swap")}


@sentence
def test_score_240(rules: str) -> None:
    assert climbs(240, 275) == {(0, 4, "swap")}
    assert climbs(280, 315) == {(0, 5, "swap")}
    assert climbs(320) == {(0, 6, "swap")}


@sentence
def test_the_partner_starts_next(rules: str) -> None:
    assert [score(40, starter=seat)["next_starter"] for seat in range(4)] == [2, 3, 0, 1]


@sentence
def test_the_right_starts_next(rules: str) -> None:
    # Seat + 1 is the neighbour on the right.
    assert [score(80, starter=seat)["next_starter"] for seat in range(4)] == [1, 2, 3, 0]


@sentence
def test_no_rank_must_be_played(rules: str) -> None:
    assert score(0, ranks={"declarers": "Q", "attackers": "2"})["declarers_rank"] == "won"
    assert score(0, ranks={"declarers": "9", "attackers": "2"})["declarers_rank"] == "Q"


@sentence
def test_the_end_is_at_once(rules: str) -> None:
    for number, ranks, winner in (
        (75, {"declarers": "A", "attackers": "5"}, "declarers"),
        (120, {"declarers": "5", "attackers": "A"}, "attackers"),
    ):
        answer = score(number, ranks=ranks)
        assert (answer["game_over"], answer["winner"]) == (True, winner)
    assert score(0, ranks={"declarers": "J", "attackers": "A"})["game_over"] is False


@sentence
def test_rounds_may_be_fixed(rules: str) -> None:
    assert end(40, ("2", "2"), [0, 0]) == (0, 1)
    assert end(130, ("2", "2"), [0, 0]) == (1, 0)
    assert played(at("2H", "AS", "KS", "10S", "3S", captured=40, rounds=3)).phase == "deck"


@sentence
def test_fixed_rounds_then_points(rules: str) -> None:
    assert end(80, ("2", "2"), [0, 0]) == (1, 0)
    assert end(80, ("2", "2"), [200, 0]) == (0, 1)
    assert end(80, ("2", "3"), [400, 0]) == (1, 0)


@sentence
def test_equal_in_both_is_a_tie(rules: str) -> None:
    assert end(80, ("2", "2"), [80, 0]) == (0, 0)


@sentence
def test_thrown_in_is_no_round(rules: str) -> None:
    p = after(drawn(rules), *PASSED)
    assert (p.phase, p.round) == ("deck", 1)
    assert p == new(rules)
