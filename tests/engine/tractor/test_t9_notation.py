"""Rulebook T9: each play is one line of ASCII."""

import pytest

from games.engine import replay
from games.engine.errors import BadNotation
from games.engine.tractor import notation
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Kind
from tests.every import every

from .tables import DRAWN, after, at, deck, new


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (deck(), Kind.DECK), ("draw 4", Kind.DRAW), ("show 2: 2H 2H", Kind.SHOW), ("show 0: 10S", Kind.SHOW),
        ("pass 2", Kind.PASS), ("bury 2C 3C 4C 5C 6C 7C 8C 9C", Kind.BURY), ("play AS AS KS", Kind.PLAY),
        ("play BJ RJ", Kind.PLAY),
    ],
)  # fmt: skip
def test_a_line_is_read_and_written_again(line: str, kind: Kind) -> None:
    play = notation.read(line)
    assert play.kind is kind
    assert GAME.play_text(play) == line


def test_cards_may_stand_in_any_order_and_are_written_in_one() -> None:
    assert notation.read("play KS AS AS") == notation.read("play AS KS AS") == notation.read("play AS AS KS")
    assert notation.read("play KS AS AS").text == "play AS AS KS"
    assert notation.read("play 9S 10S").text == "play 10S 9S"
    assert notation.read(deck()).text == deck()


@every(
    "line",
    [
        "", "play", "play ", "play  AS", "play AS ", " play AS", "play as", "play JK", "play 1S", "play 10", "play AS,KS",
        "play AS\n", "play AS AS AS", "lead AS", "draw", "draw 1", "draw 4 ", "draw 5", "show 2H", "show 4: 2H", "show 2 2H",
        "show 2:2H", "show 2:", "show -1: 2H", "pass", "pass 4", "pass ٢", "bury", "bury AS AS AS", "deck", "AS",
        "play " + "AS " * 200 + "AS", "give AS", "burn AS", "throw",
    ],
)  # fmt: skip
def test_other_text_is_not_a_valid_line(line: str) -> None:
    with pytest.raises(BadNotation, match="bad_notation: play"):
        notation.read(line)


@pytest.mark.parametrize("line", [None, 7, ["play AS"], b"play AS"])
def test_only_text_is_a_line(line: object) -> None:
    with pytest.raises(BadNotation):
        notation.read(line)


def test_a_record_leads_to_the_position_with_or_without_its_seats() -> None:
    lines = [deck("2x2H"), *DRAWN, "show 0: 2H 2H", "pass 1", "pass 3", "pass 0", "pass 2"]
    end = replay.final(GAME, new(), lines)
    seats = [None] * 26 + [0, 1, 3, 0, 2]
    assert replay.final(GAME, new(), zip(seats, lines, strict=True)) == end
    assert end.phase == "bury"


def test_candidates_are_in_the_order_of_their_lines() -> None:
    p = at("2H", "2x10S 2x9S 2xJS 3C", "AC KC QC JC 10C 9C 8C", "AD KD QD JD 10D 9D 8D", "AH KH QH JH 10H 9H 8H")
    plays = [play.text for play in GAME.legal_plays(p)]
    assert plays == sorted(plays)
    assert "play 10S 10S 9S 9S" in plays
    assert "play 10S 10S 9S 9S JS JS" in plays
    follows = [play.text for play in GAME.legal_plays(after(p, "play 3C"))]
    assert follows == ["play 10C", "play 8C", "play 9C", "play AC", "play JC", "play KC", "play QC"]
