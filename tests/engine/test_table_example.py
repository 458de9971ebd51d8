"""The example in the description of the table's protocol: plays, narrowing, effects and hashes are as printed."""

import json
from hashlib import sha256
from typing import Any

import pytest

from games.engine.errors import IllegalPlay
from games.engine.game import SPECTATOR, Chance
from games.engine.tock import conduct
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import after, at, lines

START = at(
    marbles="0: h4 t16 t70 / 1: t18* t30 / 2: t39 t54 / 3: t51",
    hands="0: 7D 2H 2S / 1: 10H 4D 9C KS / 2: 10S 3H 6H 8H / 3: 3D 4C 5S JH",
    dealer=3, deal=1, turn=1,
)  # fmt: skip


def seen(p: Position, seat: int, **added: Any) -> dict[str, Any]:
    """Return a seat's view with the keys that the table server adds; None removes a key, as in a merge patch."""
    view = {**GAME.view(p, seat), "game": "g7q2", **added}
    return {key: value for key, value in view.items() if value is not None}


def hashed(view: dict[str, Any]) -> str:
    return sha256(json.dumps(view, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()[:16]


def test_the_first_snapshot_has_the_printed_keys_and_hash() -> None:
    view = seen(START, 1, decision="0.412", pile="3C")
    assert view["legal"] == [
        "10H skip", "10H t18-t28", "10H t30-t40", "4D t18-t14", "4D t30-t26", "9C t18-t27", "9C t30-t39",
        "KS t18-t31", "KS t30-t7",
    ]  # fmt: skip
    assert view["marbles"]["0"] == ["h4", "r", "t16", "t70"]
    assert hashed(view) == "8dc30bdc97dbcf95"


def test_each_touch_narrows_the_plays_and_the_hash_follows() -> None:
    card = [play.text for play in GAME.narrow(START, card="9C")]
    assert card == ["9C t18-t27", "9C t30-t39"]
    view = seen(START, 1, decision="0.412", pile="3C", legal=card, touched={"card": "9C"})
    assert hashed(view) == "d42db3c442147027"
    both = [play.text for play in GAME.narrow(START, card="9C", marbles=["t30"])]
    assert both == ["9C t30-t39"]
    touched = {"card": "9C", "marble": "t30"}
    assert hashed(seen(START, 1, decision="0.412", pile="3C", legal=both, touched=touched)) == "1fb7eb6db61065f7"


def test_the_other_marble_is_refused_once_one_is_touched() -> None:
    with pytest.raises(IllegalPlay) as refusal:
        GAME.check(START, GAME.parse_play(START, "9C t18-t27"), 1, card="9C", marbles=["t30"])
    assert refusal.value.code == "touched_marble"


def test_released_marble_ten_burn_and_blind_burn_lead_to_the_printed_hashes() -> None:
    play = GAME.parse_play(START, "9C t30-t39")
    assert GAME.fx(START, play) == [["move", 1, "t30", "t39"], ["eaten", 2, "t39"]]
    p = GAME.apply(START, play)
    assert hashed(seen(p, 1, decision="0.415", pile="9C")) == "de54ee34cc4e7d6e"
    ten = GAME.parse_play(p, "10S skip")
    assert GAME.fx(p, ten) == [["forced", 3]]
    p = GAME.apply(p, ten)
    assert lines(p) == ["burn 3D", "burn 4C", "burn 5S", "burn JH"]
    assert hashed(seen(p, 3, decision="0.416", pile="10S")) == "1b6da11aa98aed84"
    p = conduct.penalise(p, 0)
    burn = GAME.parse_play(p, "burn 4C")
    assert GAME.fx(p, burn) == []
    p = GAME.apply(p, burn)
    assert GAME.to_act(p) == Chance("blind", 0)
    assert "legal" not in GAME.view(p, 0)
    p = after(p, "blind 7D")
    view = seen(p, 1, decision="0.419", pile="7D")
    assert view["legal"] == [
        "10H skip", "10H t18-t28", "10H t39-t49", "4D t18-t14", "4D t39-t35", "KS t18-t31", "KS t39-t52",
    ]  # fmt: skip
    assert hashed(view) == "4cb93ee094327415"


def test_a_spectator_sees_the_board_and_nothing_else() -> None:
    p = at(
        marbles="0: h4 t16 t67 / 1: t18* t30 / 2: t39 t54 / 3: t51",
        hands="0: 7D 2H 2S 3C / 1: 10H 4D 9C KS / 2: 10S 3H 6H 8H / 3: 3D 4C 5S JH",
        dealer=3, deal=1, turn=0,
    )  # fmt: skip
    view = {**GAME.view(p, SPECTATOR), "game": "g7q2", "decision": "0.409", "pile": "JC"}
    assert hashed(view) == "12c39202f18b44f4"
