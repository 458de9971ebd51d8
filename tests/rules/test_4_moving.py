"""Coming out, going forward and back, fresh marbles, eating."""

from tests.boards import after, at
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played


@sentence
def test_out_is_fresh(rules: str) -> None:
    p = played(rules, "KS out", "0: t30")
    assert places(p, 0) == ["t0", "t30"]
    assert p.fresh() == [0]
    assert p.reserve[0] == 2


@sentence
def test_out_eats_even_your_own(rules: str) -> None:
    other = played(rules, "KS out", "1: t0")
    assert (places(other, 0), places(other, 1), other.fresh()) == (["t0"], [], [0])
    own = played(rules, "KS out", "0: t0")
    assert (places(own, 0), own.reserve[0], own.fresh()) == (["t0"], 3, [0])


@sentence
def test_nothing_comes_out_onto_a_fresh_marble(rules: str) -> None:
    assert "out" not in does(rules, "KS", "0: t0*")
    assert "out" in does(rules, "KS", "0: t0")


@sentence
def test_forward_step_by_step(rules: str) -> None:
    assert does(rules, "9S", "0: t20") == ["t20-t29"]
    # It passes other marbles, which stay where they are.
    p = played(rules, "9S t20-t29", "0: t20 / 1: t23 / 2: t28")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t29"], ["t23"], ["t28"])


@sentence
def test_turns_in_at_its_own_pieu(rules: str) -> None:
    assert does(rules, "2S", "0: t69") == ["t69-h1", "t69-t71"]
    for pieu in (16, 34, 52):
        assert does(rules, "2S", f"0: t{pieu - 1}") == [f"t{pieu - 1}-t{pieu + 1}"]


@sentence
def test_the_player_chooses_the_way(rules: str) -> None:
    assert places(played(rules, "6S t68-h4", "0: t68"), 0) == ["h4"]
    assert places(played(rules, "6S t68-t2", "0: t68"), 0) == ["t2"]


@sentence
def test_no_passing_in_heaven(rules: str) -> None:
    assert does(rules, "3S", "0: t70 h2") == ["t70-t1"]
    assert does(rules, "3S", "0: t70 h3") == ["t70-t1"]
    assert does(rules, "2S", "0: h1 h2") == ["h2-h4"]
    assert [line for line in does(rules, "AS", "0: h1 h2 h4") if line != "out"] == ["h2-h3"]


@sentence
def test_the_count_must_fit(rules: str) -> None:
    assert does(rules, "9S", "0: t66") == ["t66-t3"]
    assert does(rules, "8S", "0: t66") == ["t66-h4", "t66-t2"]
    assert does(rules, "3S", "0: h2") == []
    assert does(rules, "2S", "0: h2") == ["h2-h4"]


@sentence
def test_past_the_pieu_goes_round_again(rules: str) -> None:
    assert does(rules, "2S", "0: t71") == ["t71-t1"]
    assert does(rules, "3S", "0: t0") == ["t0-t3"]


@sentence
def test_laps_are_not_counted(rules: str) -> None:
    p = at(rules=rules, marbles="0: t0*", hands="0: 4S 5H")
    p = after(p, "4S t0-t68")
    assert places(p, 0) == ["t68"]
    assert "t68-h3" in does(rules, "5H", "0: t68")


@sentence
def test_a_fresh_marble_blocks(rules: str) -> None:
    assert does(rules, "6S", "0: t34 / 2: t36*") == []
    assert does(rules, "2S", "0: t34 / 2: t36*") == []
    assert does(rules, "4S", "0: t38 / 2: t36*") == []
    assert does(rules, "4S", "0: t40 / 2: t36*") == []
    # Own marbles block too.
    assert does(rules, "6S", "0: t69 t0*") == ["t0-t6"]


@sentence
def test_a_moved_fresh_marble_blocks_no_more(rules: str) -> None:
    moved = played(rules, "3S t0-t3", "0: t0*")
    assert moved.fresh() == []
    swapped = played(rules, "JD t0xt40", "0: t0* / 1: t40")
    assert swapped.fresh() == []
    assert does(rules, "6S", "0: t34 / 2: t39") == ["t34-t40"]


@sentence
def test_on_its_start_but_not_fresh_has_no_protection(rules: str) -> None:
    assert does(rules, "2S", "0: t34 / 2: t36") == ["t34-t36"]
    assert places(played(rules, "2S t34-t36", "0: t34 / 2: t36"), 2) == []
    assert does(rules, "6S", "0: t34 / 2: t36") == ["t34-t40"]


@sentence
def test_a_swap_passes_over_nothing(rules: str) -> None:
    assert "t20xt50" in does(rules, "JD", "0: t20 / 2: t36* / 1: t50")


@sentence
def test_back_on_the_track_only(rules: str) -> None:
    assert does(rules, "4S", "0: t2") == ["t2-t70"]
    assert does(rules, "4S", "0: t71") == ["t71-t67"]
    assert does(rules, "4S", "0: t70") == ["t70-t66"]


@sentence
def test_back_over_a_pieu_like_any_space(rules: str) -> None:
    assert does(rules, "4S", "0: t36") == ["t36-t32"]
    assert does(rules, "4S", "0: t0") == ["t0-t68"]


@sentence
def test_no_going_back_in_heaven(rules: str) -> None:
    assert does(rules, "4S", "0: h4 h3") == []


@sentence
def test_four_back_from_the_start_then_home(rules: str) -> None:
    assert does(rules, "4S", "0: t0*") == ["t0-t68"]
    for card, home in (("3S", "h1"), ("5S", "h3"), ("6S", "h4")):
        assert f"t68-{home}" in does(rules, card, "0: t68")
    assert does(rules, "4S", "0: t68") == ["t68-t64"]


@sentence
def test_landing_eats_anybodys_marble(rules: str) -> None:
    for seat in (1, 2, 3):
        p = played(rules, "9S t20-t29", f"0: t20 / {seat}: t29")
        assert (places(p, 0), places(p, seat), p.reserve[seat]) == (["t29"], [], 4)
    own = played(rules, "9S t20-t29", "0: t20 t29")
    assert (places(own, 0), own.reserve[0]) == (["t29"], 3)


@sentence
def test_landing_eats_anybodys_marble_alone(rules: str) -> None:
    for teams in (2, 4):
        for seat in (1, 2, 3):
            p = played(rules, "9S t20-t29", f"0: t20 / {seat}: t29", teams=teams)
            assert (places(p, 0), places(p, seat)) == (["t29"], [])
        own = played(rules, "9S t20-t29", "0: t20 t29", teams=teams)
        assert (places(own, 0), own.reserve[0]) == (["t29"], 3)


@sentence
def test_nothing_is_eaten_in_heaven(rules: str) -> None:
    # Heavens are separate: seat 1's marble on its h1 blocks nobody and stays.
    p = played(rules, "2S t69-h1", "0: t69 / 1: h1 / 2: h1")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["h1"], ["h1"], ["h1"])
    assert "t69-h1" not in does(rules, "2S", "0: t69 h1")
