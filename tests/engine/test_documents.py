"""The engine's public documents: examples are parsed, position counts verified, the README's examples run."""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import perft, registry
from games.engine.errors import BadNotation
from games.engine.tock import notation
from games.engine.tock.game import GAME
from tests.engine import reference
from tests.engine.configurations import ALL
from tests.every import every

ROOT = Path(__file__).parents[2]
NOTATION = (ROOT / "docs/engine/notation.md").read_text(encoding="utf-8")
FILE = ROOT / "docs/engine/perft.json"
CORPUS = json.loads(FILE.read_text(encoding="utf-8"))
CHEAP = 2_000  # nodes that a test counts
SMALL = 25  # nodes that the reference counts too
EXAMPLES = re.findall(
    r"^\| [a-z ,]+ \| `([^`]+)` \| ", NOTATION.partition("## Grammar")[2].partition("## Position")[0], re.M
)


def test_every_example_of_a_play_is_read() -> None:
    assert len(EXAMPLES) == 17
    assert {notation.read(line).kind.name for line in EXAMPLES} == {
        "GIVE", "OUT", "MOVE", "SPLIT", "SWAP", "SKIP", "BURN", "THROW", "BLIND", "DECK",
    }  # fmt: skip


@pytest.mark.parametrize(
    "line", ["9C t012-t21", "9C  t12-t21", "9C t12-t21 ", "1S out", "JD t12xh1", "h1-h2", "9C r-t0"]
)
def test_lines_outside_the_grammar_are_refused(line: str) -> None:
    with pytest.raises(BadNotation):
        notation.read(line)


def test_the_example_of_a_position_is_read_and_written_again() -> None:
    data = json.loads(re.findall(r"```json\n(.+?)```", NOTATION, re.S)[0])
    written = GAME.to_json(GAME.from_json(data))
    assert written | {"marbles": data["marbles"]} == data
    assert [sorted(places) for places in data["marbles"]] == written["marbles"]


def test_the_corpus_has_a_start_of_every_table_and_hard_positions_of_every_rule_set() -> None:
    names = [entry["name"] for entry in CORPUS["positions"]]
    assert len(set(names)) == len(names)
    assert {f"start {table}" for table in ALL} <= set(names)
    hard = [entry["position"]["rules"] for entry in CORPUS["positions"] if entry["name"].startswith("hard")]
    assert {rules: hard.count(rules) for rules in set(hard)} == {table.rules: 4 for table in ALL}


@every("entry", CORPUS["positions"])
def test_counts_of_the_corpus_come_out_as_written(entry) -> None:  # type: ignore[no-untyped-def]
    cheap = [depth for depth, nodes in enumerate(entry["nodes"], start=1) if nodes <= CHEAP]
    assert list(perft.differences(entry, max(cheap))) == []
    small = [depth for depth, nodes in enumerate(entry["nodes"], start=1) if nodes <= SMALL]
    if small:
        assert reference.perft(entry["position"], max(small)) == entry["nodes"][max(small) - 1]


def test_a_wrong_count_and_another_format_are_told() -> None:
    entry = CORPUS["positions"][0]
    wrong = entry | {"nodes": [entry["nodes"][0], 7]}
    assert list(perft.differences(wrong, 1)) == []
    assert list(perft.differences(wrong, 2)) == ["start shawinigan/1 4/2: depth 2: 25 counted, 7 written"]
    with pytest.raises(ValueError, match="tock-perft/1"):
        list(perft.verify({"format": "tock-perft/2", "positions": []}, 1))


def command(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "games.engine", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_the_command_verifies_a_file(tmp_path: Path) -> None:
    status, told = command("perft", str(FILE), "1")
    assert (status, told.count(": ok\n")) == (0, len(CORPUS["positions"]))
    first = CORPUS["positions"][0]
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_text(json.dumps(CORPUS | {"positions": [first | {"nodes": [4]}]}))
    assert command("perft", str(spoilt)) == (1, f"{first['name']}: depth 1: 5 counted, 4 written\n")
    for wrong in (["perft"], ["perft", str(FILE), "-1"], ["count", str(FILE)]):
        assert command(*wrong)[0] == 2


def test_the_tour_of_the_readme_runs() -> None:
    readme = ROOT / "games/engine/README.md"
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(readme.read_text(encoding="utf-8"), {}, readme.name, str(readme), 0)
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not failed, "".join(told)
    assert tried > 15


def test_the_readme_names_every_rule_set() -> None:
    readme = (ROOT / "games/engine/README.md").read_text(encoding="utf-8")
    assert [id for id in registry.ids() if f"`{id}`" not in readme] == []
