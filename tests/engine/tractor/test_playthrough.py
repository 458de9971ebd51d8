"""The golden playthrough, replayed line by line together with the ledger of the slow reference."""

import json
import re

from games.engine.tractor.game import GAME

from .games import Ledger
from .goldens import FILE, ROUNDS, SEED, described, playthrough

LINES = FILE.read_text(encoding="utf-8").splitlines()


def test_every_line_of_the_playthrough_comes_out_as_written() -> None:
    first, *told, last = LINES
    p = GAME.from_json(json.loads(first))
    ledger = Ledger(p.drawer, closely=False)
    for number, line in enumerate(told, start=2):
        text = line.partition(" | ")[0]
        play = GAME.parse_play(p, text)
        ledger.look(p, play)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        assert described(p, text, fx) == line, f"{FILE.name}:{number}"
    outcome = GAME.outcome(p)
    assert outcome is not None
    assert f"ranks {list(outcome.ranks)}" == last
    assert ledger.rounds == ROUNDS
    assert GAME.to_json(p)["ranks"] == ledger.ranks


def test_the_golden_file_is_what_the_command_writes() -> None:
    assert playthrough(SEED, ROUNDS) == LINES


def test_each_kind_of_act_and_of_effect_occurs_in_it() -> None:
    text = "\n".join(LINES)
    for sign in (
        "\ndeck ", "\ndraw 4", "\nshow ", "\npass ", "\nbury ", "\nplay ", '["deck"', '["drawn"', '["overridden"', '["redeal"]',
        '["turned"', '["trumps"', '["talon"', '["buried"', '["failed"', '["trick"', '["buried_were"', '["round"',
        '["starter"', '["over"',
    ):  # fmt: skip
        assert sign in text, sign
    assert re.search(r'\["trumps","\w+",""\]', text), "a round without trumps"
    assert re.search(r'\["buried_were",\[[^]]*\],[1-9]', text), "a talon that counts"
    sizes = {line.partition(" |")[0].count(" ") for line in LINES if line.startswith("play")}
    assert {1, 2, 3, 4} <= sizes
