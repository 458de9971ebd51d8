"""Rulebook section 11: valid and invalid lines."""

import pytest

from games.engine.errors import BadNotation, EngineError
from games.engine.tock.game import GAME
from games.engine.tock.notation import read
from games.engine.tock.plays import Kind
from tests.boards import after, at
from tests.every import every

READ = [
    ("give 9C", Kind.GIVE),
    ("KS out", Kind.OUT),
    ("JK out", Kind.OUT),
    ("9C t12-t21", Kind.MOVE),
    ("4S t0-t68", Kind.MOVE),
    ("5H t68-h3", Kind.MOVE),
    ("2D h1-h3", Kind.MOVE),
    ("7C t12-t15 t20-t24", Kind.SPLIT),
    ("JD t12xt40", Kind.SWAP),
    ("10S skip", Kind.SKIP),
    ("throw", Kind.THROW),
    # Only a position tells a king's way through the centre from another move of one marble.
    ("KD t7-x7", Kind.MOVE),
    ("KD x7-t25", Kind.MOVE),
    ("burn 9C", Kind.BURN),
    ("blind 9C", Kind.BLIND),
    ("deck 9C JK 10S", Kind.DECK),
]


@pytest.mark.parametrize(("text", "kind"), READ)
def test_each_kind_of_line_is_read(text: str, kind: Kind) -> None:
    line = read(text)
    assert line.kind is kind
    assert line.text == text


def test_a_swap_names_both_marbles() -> None:
    assert read("JD t12xt40").legs == (("t12", "t40"),)


@every(
    "text",
    [
        "", " ", "9C", "9C  t12-t21", "9C t12-t21 ", " 9C t12-t21", "9c t12-t21", "9C t12", "9C t12-", "9C t12-r",
        "9C r-t0", "9C t012-t21", "9C h0-h1", "9C h1-h5", "1C t1-t2", "11C t1-t2", "JKS out", "BJ out", "K out",
        "KS OUT", "KS out\n", "out KS", "burn", "burn 9C 9D", "burn  9C", "skip 10S", "deck", "deck ", "deck 9X",
        "deck 9C  9D", "deck 9C ", "JD t12xh1", "JD t12x t40", "JD t12-t40x", "Throw", "throw 9C", "KD x07-t7", "KD x7",
        "KD t7xx7", "blind", "give", "9C t１２-t21", None, 7, ["9C t12-t21"],
    ],
)  # fmt: skip
def test_invalid_lines_are_refused_with_a_reason(text: object) -> None:
    with pytest.raises(BadNotation) as refusal:
        read(text)
    assert refusal.value.code == "bad_notation"


@pytest.mark.parametrize(
    "text",
    [
        "9C t12-t22", "9C t13-t22", "9C t12-h1", "9C t90-t99", "9C out", "9C skip", "9C t12xt40", "KS t12-t25",
        "7C t12-t19", "give 9C", "blind 9C", "burn 9C", "9C t40-t49", "9C h1-h2", "9C t12-t15 t12-t18", "BJ",
        "9C t12-x7", "KD t7-x7", "throw",
    ],
)  # fmt: skip
def test_a_line_that_is_not_legal_or_not_spelt_as_listed_is_refused(text: str) -> None:
    p = at(marbles="0: t12 h1 / 1: t40", hands="0: 9C")
    with pytest.raises(EngineError):
        after(p, text)
    assert GAME.play_text(GAME.parse_play(p, "9C t12-t21")) == "9C t12-t21"


def test_the_place_written_is_where_the_marble_ends_after_a_jump() -> None:
    p = at(marbles="0: t4", hands="0: 3D")
    with pytest.raises(EngineError):
        after(p, "3D t4-t7")
    assert after(p, "3D t4-t43").tracks[0] == [43]
