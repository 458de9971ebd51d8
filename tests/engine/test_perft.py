"""Golden position counts per rule set; the reference verifies the first ply of each, and all of the small ones."""

import json

import pytest

from games.engine.tock.game import GAME
from tests.engine import reference
from tests.engine.goldens import GOLDEN
from tests.every import every

SMALL = 60  # nodes that the reference counts itself
LINES = [
    (f"{path.stem}-{number}", json.loads(line))
    for path in sorted((GOLDEN / "perft").glob("*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
]


@every("name, golden", LINES)
def test_counts_come_out_as_written(name, golden) -> None:  # type: ignore[no-untyped-def]
    p = GAME.from_json(golden["position"])
    assert [GAME.perft(p, depth) for depth in range(1, len(golden["nodes"]) + 1)] == golden["nodes"]
    depth = max(d for d, nodes in enumerate(golden["nodes"], start=1) if d == 1 or nodes <= SMALL)
    assert reference.perft(golden["position"], depth) == golden["nodes"][depth - 1]


def test_depth_zero_counts_one_and_the_depth_has_bounds() -> None:
    p = GAME.from_json(LINES[0][1]["position"])
    assert GAME.perft(p, 0) == 1
    for depth in (-1, 11):
        with pytest.raises(ValueError, match="depth"):
            GAME.perft(p, depth)
