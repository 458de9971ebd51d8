"""Summary and track: who plays, where the marbles go, what fresh means."""

import pytest

from games.engine import registry
from games.engine.errors import UnknownRules
from games.engine.tock.game import GAME
from tests.boards import after, at, lines, new
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played


def partners(rules: str, seats: int, teams: int) -> list[list[int]]:
    """Return the seats of each team, found from the end of a game: when all of them are home, the team is first."""
    found = []
    for team in range(teams):
        home = " / ".join(f"{seat}: h1 h2 h3 h4" for seat in range(team, seats, teams))
        p = at(rules=rules, seats=seats, teams=teams, marbles=home, phase="over")
        outcome = GAME.outcome(p)
        assert outcome is not None
        assert outcome.ranks.index(0) == team
        found.append([seat for seat in range(seats) if places(p, seat)])
    return found


def offered(rules: str, seats: int, teams: int) -> bool:
    try:
        new(rules=rules, seats=seats, teams=teams)
    except UnknownRules:
        return False
    return True


@sentence
def test_four_players_in_two_teams(rules: str) -> None:
    assert partners(rules, 4, 2) == [[0, 2], [1, 3]]
    tables = {(seats, teams) for seats in range(2, 10) for teams in range(1, 10) if offered(rules, seats, teams)}
    assert tables == {(4, 2)}


@sentence
def test_four_players_in_teams_or_alone(rules: str) -> None:
    assert partners(rules, 4, 2) == [[0, 2], [1, 3]]
    assert partners(rules, 4, 4) == [[0], [1], [2], [3]]
    tables = {(seats, teams) for seats in range(2, 10) for teams in range(1, 10) if offered(rules, seats, teams)}
    assert tables == {(4, 2), (4, 4)}


@sentence
def test_four_six_or_eight_players(rules: str) -> None:
    assert [seats for seats in range(2, 13) if any(offered(rules, seats, teams) for teams in range(1, 13))] == [4, 6, 8]
    assert all(offered(rules, seats, seats) for seats in (4, 6, 8))


@sentence
def test_team_sizes(rules: str) -> None:
    in_teams = {(n, k) for n in (4, 6, 8) for k in range(1, n) if offered(rules, n, k)}
    assert in_teams == {(4, 2), (6, 3), (6, 2), (8, 4), (8, 2)}


@sentence
def test_teams_sit_in_turn(rules: str) -> None:
    assert partners(rules, 6, 2) == [[0, 2, 4], [1, 3, 5]]
    assert partners(rules, 6, 3) == [[0, 3], [1, 4], [2, 5]]
    assert partners(rules, 8, 2) == [[0, 2, 4, 6], [1, 3, 5, 7]]
    assert partners(rules, 8, 4) == [[0, 4], [1, 5], [2, 6], [3, 7]]


@sentence
def test_four_marbles_each(rules: str) -> None:
    for seats in registry.rules(rules).teams:  # type: ignore[attr-defined]
        assert all(new(rules=rules, seats=seats).marbles(seat) == ["r"] * 4 for seat in range(seats))


@sentence
def test_out_round_and_home(rules: str) -> None:
    p = played(rules, "KS out", "")
    assert places(p, 0) == ["t0"]
    assert places(played(rules, "KS t0-t13", "0: t0"), 0) == ["t13"]
    assert places(played(rules, "QS t60-h2", "0: t60"), 0) == ["h2"]


@sentence
def test_first_team_home_wins(rules: str) -> None:
    p = played(rules, "2S t69-h1", "0: t69 h2 h3 h4 / 2: h1 h2 h3 h4")
    outcome = GAME.outcome(p)
    assert outcome is not None
    assert outcome.ranks == (0, 1)
    assert GAME.outcome(played(rules, "2S t69-h1", "0: t69 h2 h3 h4 / 2: h1 h2 h3")) is None


@sentence
def test_track_of_72(rules: str) -> None:
    assert does(rules, "2S", "0: t71") == ["t71-t1"]
    with pytest.raises(ValueError, match="t72"):
        at(rules=rules, marbles="0: t72")


@sentence
def test_track_of_18_a_player(rules: str) -> None:
    for seats, length in ((4, 72), (6, 108), (8, 144)):
        assert does(rules, "2S", f"1: t5 / 0: t{length - 1}", seats=seats) == [f"t{length - 1}-t1"]
        with pytest.raises(ValueError, match=f"t{length}"):
            at(rules=rules, seats=seats, marbles=f"0: t{length}")


@sentence
def test_clockwise(rules: str) -> None:
    assert does(rules, "3S", "0: t20") == ["t20-t23"]
    for seats in registry.rules(rules).teams:  # type: ignore[attr-defined]
        p = at(rules=rules, seats=seats, marbles="0: t20", hands="0: 3S")
        assert after(p, "3S t20-t23").turn == 1


@sentence
def test_cases_1_to_18(rules: str) -> None:
    board = new(rules=rules).board
    assert [board.case(space) for space in range(1, 37)] == [*range(1, 19), *range(1, 19)]


@sentence
def test_start_is_a_case_18(rules: str) -> None:
    for seat in range(4):
        p = at(rules=rules, turn=seat, hands=f"{seat}: KS")
        start = places(after(p, "KS out"), seat)
        assert start == [f"t{18 * seat}"]
        assert p.board.case(18 * seat) == 18


@sentence
def test_pieu_two_before_the_start(rules: str) -> None:
    for seat, before in ((0, 69), (1, 15), (2, 33), (3, 51)):
        p = at(rules=rules, turn=seat, marbles=f"{seat}: t{before}", hands=f"{seat}: 2S")
        # One step to the pieu, one into heaven.
        assert lines(p) == [f"2S t{before}-h1", f"2S t{before}-t{(before + 2) % 72}"]
        assert p.board.case(before + 1) == 16


@sentence
def test_heaven_branches_off_at_the_pieu(rules: str) -> None:
    assert does(rules, "3S", "0: t70") == ["t70-h3", "t70-t1"]
    # Four places, only for the own marbles: another seat's marble continues on the track.
    assert does(rules, "3S", "0: t16") == ["t16-t19"]
    assert does(rules, "6S", "0: t68 h1 h2 h3") == ["t68-t2"]


@sentence
def test_marbles_wait_in_the_reserve(rules: str) -> None:
    assert does(rules, "9S", "") == []
    assert does(rules, "KS", "") == ["out"]


@sentence
def test_fresh_until_it_moves(rules: str) -> None:
    p = played(rules, "KS out", "")
    assert p.fresh() == [0]
    p = at(rules=rules, marbles="0: t0* t10", hands="0: 9C 2S")
    assert after(p, "9C t10-t19").fresh() == [0]
    assert after(p, "2S t0-t2").fresh() == []


@sentence
def test_not_fresh_when_it_comes_otherwise(rules: str) -> None:
    p = played(rules, "3S t69-t0", "0: t69")
    assert places(p, 0) == ["t0"]
    assert p.fresh() == []
