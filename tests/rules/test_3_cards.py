"""What each card does: one test for each row of the table, and whose marbles they move."""

from tests.boards import at, lines
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played

# Seat 0's marble far from everything; no other marble on the track.
ALONE = "0: t20"


def forward(rules: str, cards: str) -> None:
    for rank in cards.split():
        assert does(rules, f"{rank}S", ALONE) == [f"t20-t{20 + int(rank)}"], rank
        assert does(rules, f"{rank}S", "") == ([] if rank != "10" else does(rules, "10S", ""))


@sentence
def test_ace_out_or_1(rules: str) -> None:
    assert does(rules, "AS", ALONE) == ["out", "t20-t21"]


@sentence
def test_ace_out_1_or_11(rules: str) -> None:
    assert does(rules, "AS", ALONE) == ["out", "t20-t21", "t20-t31"]


@sentence
def test_2_3_6_8_9_forward(rules: str) -> None:
    forward(rules, "2 3 6 8 9")


@sentence
def test_2_3_5_6_8_9_forward(rules: str) -> None:
    forward(rules, "2 3 5 6 8 9")


@sentence
def test_2_3_5_6_8_9_10_forward(rules: str) -> None:
    forward(rules, "2 3 5 6 8 9 10")
    # A ten makes nobody burn.
    assert played(rules, "10S t20-t30", ALONE).phase == "play"


@sentence
def test_4_back(rules: str) -> None:
    assert does(rules, "4S", ALONE) == ["t20-t16"]


@sentence
def test_5_moves_any_marble(rules: str) -> None:
    assert does(rules, "5S", "0: t21 / 1: t44 t18* / 2: t28") == ["t18-t23", "t21-t26", "t28-t33", "t44-t49"]


@sentence
def test_5_forward_over_fresh(rules: str) -> None:
    assert does(rules, "5S", "0: t34 / 2: t36*") == []
    for seats in (6, 8):
        assert does(rules, "5S", "0: t34 / 2: t36*", seats=seats) == ["t34-t39"]
        assert does(rules, "6S", "0: t34 / 2: t36*", seats=seats) == []


@sentence
def test_7_whole_or_over_two(rules: str) -> None:
    found = does(rules, "7C", "0: t20 t30 t40")
    assert {"t20-t27", "t30-t37", "t40-t47"} <= set(found)
    assert "t20-t21 t30-t36" in found
    assert max(len(line.split()) for line in found) == 2


@sentence
def test_7_whole_or_over_four(rules: str) -> None:
    found = does(rules, "7C", "0: t20 t30 t40 t50")
    assert {"t20-t27", "t50-t57", "t20-t21 t30-t36", "t20-t21 t30-t31 t40-t45"} <= set(found)
    assert "t20-t21 t30-t31 t40-t41 t50-t54" in found
    # It eats what it passes over.
    assert places(played(rules, "7C t20-t27", "0: t20 / 1: t23 / 2: t25"), 1) == []
    assert places(played(rules, "7C t20-t27", "0: t20 / 1: t23 / 2: t25"), 2) == []


@sentence
def test_10_forward_or_sacrificed(rules: str) -> None:
    assert does(rules, "10S", ALONE) == ["skip", "t20-t30"]
    assert played(rules, "10S skip", ALONE).phase == "forced"
    assert played(rules, "10S t20-t30", ALONE).phase == "play"


@sentence
def test_10_forward_and_next_burns(rules: str) -> None:
    assert does(rules, "10S", ALONE) == ["t20-t30"]
    p = played(rules, "10S t20-t30", ALONE)
    assert (p.phase, p.turn) == ("forced", 1)


@sentence
def test_jack_swaps_with_another(rules: str) -> None:
    assert does(rules, "JD", "0: t20 t22 / 1: t40 / 2: t50") == ["t20xt40", "t20xt50", "t22xt40", "t22xt50"]


@sentence
def test_jack_swaps_with_any(rules: str) -> None:
    assert does(rules, "JD", "0: t20 t22 / 1: t40 / 2: t50") == [
        "t20xt22",
        "t20xt40",
        "t20xt50",
        "t22xt40",
        "t22xt50",
    ]


@sentence
def test_queen_12(rules: str) -> None:
    assert does(rules, "QS", ALONE) == ["t20-t32"]


@sentence
def test_king_out_or_13_sweeping(rules: str) -> None:
    assert does(rules, "KS", ALONE) == ["out", "t20-t33"]
    assert places(played(rules, "KS t20-t33", "0: t20 / 1: t23"), 1) == []


@sentence
def test_king_out_or_13(rules: str) -> None:
    assert does(rules, "KS", ALONE) == ["out", "t20-t33"]


@sentence
def test_king_out_13_or_centre(rules: str) -> None:
    assert does(rules, "KS", "0: t25") == ["out", "t25-t38"]
    assert does(rules, "KS", "0: t25", seats=6) == ["out", "t25-t38"]
    assert does(rules, "KS", "0: t25", seats=8) == ["out", "t25-t38", "t25-x25"]


@sentence
def test_joker_out_or_18_and_replay(rules: str) -> None:
    assert does(rules, "JK", ALONE) == ["out", "t20-t38"]
    p = played(rules, "JK t20-t38", ALONE)
    assert (p.phase, p.turn, len(p.hands[0])) == ("joker", 0, 1)


@sentence
def test_joker_out_or_18(rules: str) -> None:
    for seats in (6, 8):
        assert does(rules, "JK", ALONE, seats=seats) == ["out", "t20-t38"]


@sentence
def test_your_marbles_are_the_partners_later(rules: str) -> None:
    home = "0: h1 h2 h3 h4 / 2: t44 t50"
    assert does(rules, "2S", home) == ["t44-t46", "t50-t52"]
    assert does(rules, "KS", home)[0] == "out"
    assert places(played(rules, "KS out", home), 2) == ["t36", "t44", "t50"]
    assert does(rules, "2S", "0: h1 h2 h3 t20 / 2: t44") == ["t20-t22"]


@sentence
def test_your_marbles_are_the_next_teammates_later(rules: str) -> None:
    three = "0: h1 h2 h3 h4 / 2: {} / 4: t100"
    assert does(rules, "2S", three.format("t44"), seats=6, teams=2) == ["t44-t46"]
    assert does(rules, "2S", three.format("h1 h2 h3 h4"), seats=6, teams=2) == ["t100-t102"]
    # The next one clockwise: seat 6 plays for seat 0 again before seat 2.
    p = at(rules=rules, seats=8, teams=2, turn=6, hands="6: 2S", marbles="6: h1 h2 h3 h4 / 0: t3 / 2: t44 / 4: t80")
    assert lines(p) == ["2S t3-t5"]
    assert does(rules, "2S", "0: h1 h2 h3 h4 / 3: t60", seats=6, teams=3) == ["t60-t62"]
