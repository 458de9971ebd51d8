"""Golden playthroughs, replayed line by line: the play, its effects, who is next with how many plays, the board after
it. The reference replays the same lines independently and reaches the same positions.
"""

import json

import pytest

from games.engine.tock.game import GAME
from tests.engine import reference
from tests.engine.agree import level
from tests.engine.goldens import GOLDEN, described

TEXTS = sorted(path for path in (GOLDEN / "playthroughs").glob("*.txt") if not path.stem.startswith("tractor-"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_line_of_the_playthrough_comes_out_as_written(path) -> None:  # type: ignore[no-untyped-def]
    first, *told, last = path.read_text(encoding="utf-8").splitlines()
    p = GAME.from_json(json.loads(first))
    assert len(told) > 100
    book = reference.turns.written(reference.turns.checked(json.loads(first)))
    for number, line in enumerate(told, start=2):
        text = line.partition(" | ")[0]
        play = GAME.parse_play(p, text)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        assert described(p, text, fx) == line, f"{path.name}:{number}"
        book = reference.apply(book, text)
        if number % 20 == 0 or book["phase"] == "over":
            assert level(GAME.to_json(p)) == book, f"{path.name}:{number}"
            assert reference.legal(book) == [one.text for one in GAME.legal_plays(p)], f"{path.name}:{number}"
    outcome = GAME.outcome(p)
    assert outcome is not None
    assert f"ranks {list(outcome.ranks)}" == last == f"ranks {reference.result(book)}"


def test_each_kind_of_play_and_of_effect_occurs_in_the_playthroughs() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
    for sign in (
        "deck ", "give ", " out |", " skip |", "burn ", "blind ", "xt", '"move"', '"jump"', '"out"', '"eaten"', '"swap"',
        '"forced"', '"drawn"', '"exchanged"', '"dealt"', '"deck"', '"home"', '"over"', "| joker ", "| forced ", "| blind ",
        "throw |", '["threw"', '"x', "-x",
    ):  # fmt: skip
        assert sign in text, sign
    legs = {line.partition(" |")[0].count("-") for line in text.splitlines() if line.startswith("7")}
    assert legs == {1, 2, 3, 4}
