"""Cases 7, 8 and 18 of Shawinigan."""

from tests.boards import after, at
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played


@sentence
def test_case_7_jumps(rules: str) -> None:
    for card, src in (("AS", 24), ("3S", 22), ("9S", 16), ("QS", 13)):
        assert f"t{src}-t61" in does(rules, card, f"0: t{src}")
    assert does(rules, "4S", "0: t29") == ["t29-t61"]
    assert places(played(rules, "JD t20xt25", "0: t20 / 1: t25"), 0) == ["t25"]
    assert [does(rules, "3S", f"0: t{space - 3}") for space in (7, 25, 43, 61)] == [
        ["t4-t43"],
        ["t22-t61"],
        ["t40-t7"],
        ["t58-t25"],
    ]


@sentence
def test_case_7_eats_twice(rules: str) -> None:
    p = played(rules, "3S t22-t61", "0: t22 / 1: t25 / 2: t61")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t61"], [], [])


@sentence
def test_case_7_jumps_once(rules: str) -> None:
    assert places(played(rules, "3S t22-t61", "0: t22"), 0) == ["t61"]


@sentence
def test_passing_a_case_7_is_no_arrival(rules: str) -> None:
    p = played(rules, "6S t22-t28", "0: t22 / 1: t25 t61")
    assert (places(p, 0), places(p, 1)) == (["t28"], ["t25", "t61"])


@sentence
def test_case_8_protects(rules: str) -> None:
    assert does(rules, "6S", "0: t20 / 1: t26") == []
    assert does(rules, "JD", "0: t20 / 1: t26") == []
    # However it came there, also by a jack.
    p = at(rules=rules, marbles="0: t20 / 1: t30", hands="0: 2C / 1: 4H", turn=1)
    p = after(p, "4H t30-t26")
    assert does(rules, "6S", "0: t20 / 1: t26") == []
    assert places(p, 1) == ["t26"]


@sentence
def test_nobody_lands_on_an_occupied_case_8(rules: str) -> None:
    for seat in (0, 1, 2, 3):
        marbles = "0: t20 t26" if seat == 0 else f"0: t20 / {seat}: t26"
        assert "t20-t26" not in does(rules, "6S", marbles)
    assert does(rules, "6S", "0: t20") == ["t20-t26"]


@sentence
def test_case_8_may_be_passed_over(rules: str) -> None:
    assert does(rules, "9S", "0: t20 / 1: t26") == ["t20-t29"]
    p = played(rules, "KS t20-t33", "0: t20 / 1: t26")
    assert (places(p, 0), places(p, 1)) == (["t33"], ["t26"])


@sentence
def test_fresh_on_case_18_is_protected_and_blocks(rules: str) -> None:
    assert does(rules, "2S", "0: t34 / 2: t36*") == []
    assert does(rules, "JD", "0: t34 / 2: t36*") == []
    assert does(rules, "6S", "0: t34 / 2: t36*") == []
    assert does(rules, "4S", "0: t38 / 2: t36*") == []
    assert does(rules, "4S", "0: t40 / 2: t36*") == []
    assert does(rules, "KS", "0: t34 / 2: t36*") == ["out"]


@sentence
def test_on_case_18_but_not_fresh_has_no_protection(rules: str) -> None:
    p = played(rules, "2S t34-t36", "0: t34 / 2: t36")
    assert (places(p, 0), places(p, 2)) == (["t36"], [])
    assert does(rules, "JD", "0: t34 / 2: t36") == ["t34xt36"]
    assert does(rules, "6S", "0: t34 / 2: t36") == ["t34-t40"]


@sentence
def test_only_a_5_moves_anothers_protected_marble(rules: str) -> None:
    marbles = "1: t26 t18*"
    for card in ("AS", "2S", "3S", "4S", "6S", "7C", "8S", "9S", "10S", "JD", "QS", "KS", "JK"):
        assert not [line for line in does(rules, card, marbles) if line not in ("out", "skip")], card
    assert does(rules, "5S", marbles) == ["t18-t23", "t26-t31"]
