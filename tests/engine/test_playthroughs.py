"""Golden playthroughs, re-run line by line: the play, what it did, who is next with how many plays, the board after it."""

import json

import pytest

from games.engine.tock.game import GAME
from tests.engine.goldens import GOLDEN, described

TEXTS = sorted((GOLDEN / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_line_of_the_playthrough_comes_out_as_written(path) -> None:  # type: ignore[no-untyped-def]
    first, *told, last = path.read_text(encoding="utf-8").splitlines()
    p = GAME.from_json(json.loads(first))
    assert len(told) > 100
    for number, line in enumerate(told, start=2):
        text = line.partition(" | ")[0]
        play = GAME.parse_play(p, text)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        assert described(p, text, fx) == line, f"{path.name}:{number}"
    outcome = GAME.outcome(p)
    assert outcome is not None
    assert f"ranks {list(outcome.ranks)}" == last


def test_each_kind_of_play_and_of_effect_occurs_in_the_playthroughs() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
    for sign in (
        "deck ", "give ", " out |", " skip |", "burn ", "blind ", "xt", '"move"', '"jump"', '"out"', '"eaten"', '"swap"',
        '"forced"', '"drawn"', '"exchanged"', '"dealt"', '"deck"', '"home"', '"over"', "| joker ", "| forced ", "| blind ",
    ):  # fmt: skip
        assert sign in text, sign
    assert any(line.startswith("7") and line.partition(" |")[0].count("-") == 2 for line in text.splitlines())
