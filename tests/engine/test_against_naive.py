"""The engine's lists against a second, naive reading of the rules, over positions of random games and of the samples."""

import json
import random
from pathlib import Path

from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.engine import naive
from tests.engine.records import random_game

SAMPLES = Path(__file__).parents[1] / "golden/tock_samples.jsonl"


def test_both_readings_list_the_same_plays_all_through_random_games() -> None:
    compared = 0
    pick = random.Random(7)

    def look(p: Position) -> None:
        nonlocal compared
        if p.phase in ("play", "joker") and pick.random() < 0.06:
            assert [play.text for play in GAME.legal(p)] == naive.plays(GAME.to_json(p)), GAME.to_json(p)
            compared += 1

    for seed in range(3_000, 3_030):
        random_game(seed, look=look)
    assert compared > 1_500


def test_the_naive_reading_agrees_with_the_samples_too() -> None:
    compared = 0
    for line in SAMPLES.read_text().splitlines():
        sample = json.loads(line)
        position = sample.get("position", {})
        if (
            position.get("rules") == "shawinigan/1"
            and sample["kind"] == "case"
            and position["phase"] in ("play", "joker")
        ):
            assert naive.plays(position) == sample["plays"], sample["id"]
            compared += 1
    assert compared > 20
