"""The notation of plays: every row of the table is read and written back."""

import pytest

from games.engine.errors import BadNotation, EngineError
from games.engine.tock.game import GAME
from tests.boards import after, at, deck_of, lines, new
from tests.rules.sheets import sentence
from tests.rules.words import does, played


@sentence
def test_written_exchange(rules: str) -> None:
    p = after(new(rules=rules), "deck " + " ".join(deck_of(rules)))
    assert all(line.startswith("give ") for line in lines(p))
    assert GAME.play_text(GAME.parse_play(p, lines(p)[0])) == lines(p)[0]


@sentence
def test_written_out(rules: str) -> None:
    assert lines(at(rules=rules, hands="0: KS")) == ["KS out"]


@sentence
def test_written_forward_and_back(rules: str) -> None:
    assert lines(at(rules=rules, marbles="0: t12", hands="0: 9C")) == ["9C t12-t21"]
    assert lines(at(rules=rules, marbles="0: t0*", hands="0: 4S")) == ["4S t0-t68"]


@sentence
def test_written_into_heaven(rules: str) -> None:
    # A five enters from t68 by three places; a two moves on inside.
    assert "5H t68-h3" in lines(at(rules=rules, marbles="0: t68", hands="0: 5H"))
    assert lines(at(rules=rules, marbles="0: h1", hands="0: 2D")) == ["2D h1-h3"]


@sentence
def test_written_after_a_jump(rules: str) -> None:
    assert lines(at(rules=rules, marbles="0: t4", hands="0: 3D")) == ["3D t4-t43"]


@sentence
def test_written_seven(rules: str) -> None:
    p = at(rules=rules, marbles="0: t12 t20", hands="0: 7C")
    for line in ("7C t12-t15 t20-t24", "7C t20-t24 t12-t15"):
        assert GAME.is_legal(p, GAME.parse_play(p, line))
    assert sum(line in lines(p) for line in ("7C t12-t15 t20-t24", "7C t20-t24 t12-t15")) == 1


@sentence
def test_written_jack(rules: str) -> None:
    p = at(rules=rules, marbles="0: t12 / 1: t40", hands="0: JD")
    assert lines(p) == ["JD t12xt40"]
    with pytest.raises(EngineError):
        GAME.apply(p, GAME.parse_play(p, "JD t40xt12"))


@sentence
def test_written_jack_with_own(rules: str) -> None:
    assert lines(at(rules=rules, marbles="0: t40 / 1: t12", hands="0: JD")) == ["JD t40xt12"]
    own = at(rules=rules, marbles="0: t12 t40", hands="0: JD")
    assert lines(own) == ["JD t12xt40"]
    with pytest.raises(EngineError):
        GAME.apply(own, GAME.parse_play(own, "JD t40xt12"))


@sentence
def test_written_skip(rules: str) -> None:
    assert lines(at(rules=rules, hands="0: 10S")) == ["10S skip"]


@sentence
def test_written_centre(rules: str) -> None:
    assert "t7-x7" in does(rules, "KD", "0: t7", seats=8)
    assert "x7-t25" in does(rules, "KD", "0: x7", seats=8)


@sentence
def test_written_throw(rules: str) -> None:
    assert lines(at(rules=rules, hands="0: 9C 2S")) == ["throw"]


@sentence
def test_written_burns(rules: str) -> None:
    assert lines(at(rules=rules, marbles="0: h4", hands="0: 9C")) == ["burn 9C"]
    blind = at(rules=rules, hands="0: 9C KS", phase="blind", penalties=[1, 0, 0, 0])
    assert lines(blind) == ["blind 9C", "blind KS"]


@sentence
def test_written_places(rules: str) -> None:
    p = played(rules, "KS out", "0: h1 t71")
    assert p.to_json()["marbles"][0] == ["h1", "r", "t0", "t71"]
    assert [place for place, name in enumerate(p.board.names[: p.board.length]) if name == f"t{place}"] == list(
        range(72)
    )
    assert p.board.starts == (0, 18, 36, 54)
    if rules == "tock/1":
        centre = played(rules, "KS t25-x25", "0: t25", seats=8)
        assert centre.to_json()["marbles"][0] == ["r", "r", "r", "x25"]


@sentence
def test_written_cards(rules: str) -> None:
    seats = 6 if rules == "tock/1" else 4
    cards = set(deck_of(rules, seats))
    assert {card for card in cards if card != "JK"} == {
        rank + suit for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "SHDC"
    }
    assert ("JK" in cards) == (rules in ("shawinigan/1", "tock/1"))
    p = at(rules=rules, hands="0: 9C")
    for wrong in ("1S out", "11C out", "10X out", "jd t1xt2", "KS OUT"):
        with pytest.raises(BadNotation):
            GAME.parse_play(p, wrong)
