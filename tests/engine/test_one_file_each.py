"""A rule set is one file of data: a house variant is another file with its own id, and an edition never changes."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine import conformance, registry, replay
from games.engine.tock import rulesets
from games.engine.tock.game import GAME
from games.engine.tock.rules import Centre, Every, Forward, Out, Replay, Swap, Table, TockRules, pips

ROOT = Path(__file__).parents[2]
# A sheet that a club could write: four seats, a five that passes fresh marbles, throwing in, one exchange per game.
HOUSE = '''"""House rules of the corner bar, first edition."""

from games.engine.tock.rules import Back, Every, Forward, Out, Replay, Sacrifice, Split, Swap, Table, TockRules, pips

RULES = TockRules(
    id="coin/1",
    tables={4: Table(teams=(2, 4), jokers=2, cards={"9": (Forward(9, any_marble=True),)})},
    hands=(5, 4, 4),
    dealer_moves=Every.DECK,
    exchange=Every.GAME,
    throws_in=True,
    cards=pips(2, 3, 6, 8, 9)
    | {
        "A": (Out(), Forward(1)),
        "4": (Back(4),),
        "5": (Forward(5, over_fresh=True),),
        "7": (Split(7, legs=3),),
        "10": (Forward(10), Sacrifice()),
        "J": (Swap(own=True),),
        "Q": (Forward(12),),
        "K": (Out(), Forward(13)),
        "JK": (Out(), Forward(18), Replay()),
    },
)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A second folder of rule sets, as if its files were in the engine's own folder."""
    monkeypatch.setattr(rulesets, "__path__", [*rulesets.__path__, str(tmp_path)])
    registry.entries.cache_clear()
    yield tmp_path
    for file in tmp_path.glob("*.py"):
        sys.modules.pop(f"{rulesets.__name__}.{file.stem}", None)
    importlib.invalidate_caches()
    registry.entries.cache_clear()


def test_a_house_variant_is_offered_and_played_as_soon_as_its_file_is_there(folder: Path) -> None:
    before = registry.ids()
    (folder / "coin_1.py").write_text(HOUSE)
    importlib.invalidate_caches()
    registry.entries.cache_clear()
    assert registry.ids() == tuple(sorted((*before, "coin/1")))
    asked = {"op": "new", "rules": "coin/1", "seats": 4, "teams": 4}
    position = conformance.answer(asked)["position"]
    assert (position["rules"], position["phase"]) == ("coin/1", "deck")
    # Its own combination: a five passes a fresh marble, a nine moves any marble, a seven is shared among three marbles.
    there = position | {
        "phase": "play", "turn": 0, "deal": 2, "hands": [["5C", "9C"], ["2C"], ["2D"], ["2H"]], "fresh": [1],
        "marbles": [["t16", "r", "r", "r"], ["t18", "r", "r", "r"], ["r"] * 4, ["t40", "r", "r", "r"]],
    }  # fmt: skip
    assert conformance.answer({"op": "legal", "position": there})["plays"] == [
        "5C t16-t21", "9C t18-t27", "9C t40-t49",
    ]  # fmt: skip
    sevens = there | {
        "hands": [["7C"], ["2C"], ["2D"], ["2H"]], "fresh": [],
        "marbles": [["t20", "t30", "t40", "t50"], ["r"] * 4, ["r"] * 4, ["r"] * 4],
    }  # fmt: skip
    legs = [play.count("-") for play in conformance.answer({"op": "legal", "position": sevens})["plays"]]
    assert set(legs) == {1, 2, 3}


def test_rules_that_only_a_variant_combines_work_together(folder: Path) -> None:
    """Full ranking with jokers that replay, and a dealer of three deals who finishes in the first."""
    (folder / "coin_1.py").write_text(HOUSE)
    importlib.invalidate_caches()
    registry.entries.cache_clear()
    p = GAME.from_json(
        {
            "rules": "coin/1", "seats": 4, "teams": 4, "dealer": 0, "deal": 0, "turn": 0, "phase": "play",
            "hands": [["JK", "2C"], ["3C"], [], []], "fresh": [], "full_ranking": True,
            "stock": [f"{rank}{suit}" for suit in "SHD" for rank in (*range(2, 11), "Q", "K")],
            "marbles": [["h2", "h3", "h4", "t53"], ["r", "r", "r", "t40"], ["r"] * 4, ["r"] * 4],
        }
    )  # fmt: skip
    home = GAME.apply(p, GAME.parse_play(p, "JK t53-h1"))
    assert (home.finished, home.hands[0], home.phase, home.turn, home.dealer) == ((0,), [], "play", 1, 0)
    assert len(home.stock) == len(p.stock)
    dealt = GAME.apply(home, GAME.parse_play(home, "3C t40-t43"))
    assert (dealt.deal, dealt.dealer, dealt.turn) == (1, 1, 2)
    assert [len(hand) for hand in dealt.hands] == [0, 4, 4, 4]
    assert GAME.from_json(GAME.to_json(dealt)) == dealt


def test_the_line_process_offers_a_file_put_into_the_folder_of_rule_sets(tmp_path: Path) -> None:
    copy = tmp_path / "games"
    done = subprocess.run(["cp", "-r", str(ROOT / "games/engine"), str(tmp_path)], check=True)
    assert not done.returncode
    copy.mkdir()
    (copy / "__init__.py").touch()
    (tmp_path / "engine").rename(copy / "engine")
    (copy / "engine/tock/rulesets/coin_1.py").write_text(HOUSE)
    asked = json.dumps({"op": "new", "rules": "coin/1", "seats": 4, "teams": 2, "dealer": 1})
    answered = subprocess.run(
        [sys.executable, "-S", "-m", "games.engine"],
        input=asked,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert json.loads(answered.stdout)["position"]["turn"] == 2
    assert not answered.stderr


def test_a_new_edition_leaves_the_old_one_and_its_games_as_they_were(folder: Path) -> None:
    played = json.loads((ROOT / "tests/golden/tock_samples.jsonl").read_text().splitlines()[0])
    position, play = played["position"], played["applied"][0]
    assert position["rules"] == "shawinigan/1"
    start = GAME.from_json(position)
    old = replay.final(GAME, start, [play["play"]])
    # The second edition forbids what this play needs: a ten can no longer be sacrificed.
    sheet = (ROOT / "games/engine/tock/rulesets/shawinigan_1.py").read_text()
    (folder / "shawinigan_2.py").write_text(
        sheet.replace("shawinigan/1", "shawinigan/2").replace("(Forward(10), Sacrifice())", "(Forward(10),)")
    )
    importlib.invalidate_caches()
    registry.entries.cache_clear()
    assert {"shawinigan/1", "shawinigan/2"} <= set(registry.ids())
    assert replay.final(GAME, GAME.from_json(position), [play["play"]]) == old
    assert conformance.answer({"op": "legal", "position": position}) == {"plays": played["plays"]}
    renewed = position | {"rules": "shawinigan/2"}
    assert play["play"] not in conformance.answer({"op": "legal", "position": renewed})["plays"]
    assert "error" in conformance.answer({"op": "apply", "position": renewed, "play": play["play"]})


_SHEET = pips(2, 3, 4, 5, 6, 7, 8, 9, 10) | {
    "A": (Out(), Forward(1)), "J": (Swap(),), "Q": (Forward(12),), "K": (Out(), Forward(13)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("tables", "cards", "named"),
    [
        ({4: Table(teams=(3,))}, _SHEET, "teams of unequal size"),
        ({4: Table(teams=(1,))}, _SHEET, "teams of unequal size"),
        ({4: Table(teams=())}, _SHEET, "teams of unequal size"),
        ({6: Table(teams=(2,))}, _SHEET, "a deck too small"),
        ({4: Table(teams=(2,), jokers=2)}, _SHEET, "cards without powers: JK"),
        ({4: Table(teams=(2,))}, _SHEET | {"A": (Out(), Replay())}, "a deck too small"),
        ({8: Table(teams=(2,), packs=3)}, _SHEET | {"K": (Centre(), Replay())}, "no centre"),
    ],
)
def test_an_unplayable_rule_file_is_refused_with_its_name(tables, cards, named: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=rf"house/1, . seats: .*{named}"):
        TockRules(
            id="house/1", tables=tables, hands=(5, 4, 4), dealer_moves=Every.DECK, exchange=Every.GAME, cards=cards
        )


def test_jumps_want_an_even_board_without_a_centre() -> None:
    for seats, cards in ((5, _SHEET), (8, _SHEET | {"K": (Out(), Centre())})):
        with pytest.raises(ValueError, match="jumps"):
            TockRules(
                id="house/1", tables={seats: Table(teams=(seats,), packs=2)}, hands=(5, 4, 4), dealer_moves=Every.DECK,
                exchange=Every.GAME, cards=cards, jumps=True,
            )  # fmt: skip
