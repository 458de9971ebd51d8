"""A position as JSON (docs/tractor.md): written, read, and impossible ones refused with their key."""

import json
from collections import Counter
from typing import Any

import pytest

from games.engine.errors import BadPosition, UnknownRules
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from tests.every import every

from .tables import DRAWN, PASSED, after, at, deck, json_of, new

DRAWING = after(new(), deck("2x2H", "2x2S"), *DRAWN[:12])
SHOWN = after(new(), deck("2x2H", "2x2S"), *DRAWN, "show 0: 2H", "pass 3")
BURYING = after(new(), deck("2x2H", "2x2S"), *DRAWN, "show 0: 2H", *PASSED)
PLAYING = after(at("2H", "AS KD 3C", "KS 3S 4D", "QS 4S 5D", "JS 5S 6D", captured=60), "play AS", "play 3S")
FAILED = after(at("2H", "AS KS 3C", "AS 3S 4D", "QS 4S 5D", "JS 5S 6D", captured=60), "play AS KS")
ENDED = after(at("2H", "AS", "KS", "10S", "3S"), "play AS", "play KS", "play 10S", "play 3S")
OVER = after(at("A", "AS", "3S", "4S", "6S", captured=0, ranks=("A", "K")), "play AS", "play 3S", "play 4S", "play 6S")
ALL = [new(), DRAWING, SHOWN, BURYING, PLAYING, FAILED, ENDED, OVER]


@pytest.mark.parametrize("p", ALL, ids=lambda p: p.phase)
def test_a_position_is_written_and_read_again(p: Position) -> None:
    data = json.loads(json.dumps(GAME.to_json(p)))
    again = GAME.from_json(data)
    assert again == p
    assert GAME.to_json(again) == data
    assert (again.best, again.strength, again.lead) == (p.best, p.strength, p.lead) or not p.trick


def test_a_new_game_is_written_without_default_values() -> None:
    assert GAME.to_json(new(dealer=2)) == {
        "rules": "tractor/1", "seats": 4, "teams": 2, "phase": "deck", "round": 1, "ranks": ["2", "2"], "drawer": 2,
        "turn": 2, "hands": [[], [], [], []], "stock": [], "talon": [],
    }  # fmt: skip
    assert GAME.to_json(new(rounds=6))["rounds"] == 6


def test_hands_may_be_written_in_any_order() -> None:
    data = GAME.to_json(PLAYING)
    shuffled = data | {"hands": [hand[::-1] for hand in data["hands"]], "gone": data["gone"][::-1]}
    assert GAME.from_json(shuffled) == PLAYING


def test_a_card_too_many_is_named_with_how_often_it_is_there() -> None:
    data = GAME.to_json(PLAYING)
    first, *others = data["hands"]
    more = data | {"hands": [[*first[:-1], "AH"], *others]}
    with pytest.raises(BadPosition, match="is there") as refusal:
        GAME.from_json(more)
    counts = Counter(card for key in ("gone", "buried", "talon") for card in more.get(key, ()))
    counts += Counter(card for hand in more["hands"] for card in hand)
    counts += Counter(card for trick in more.get("trick", ()) for card in trick)
    named = str(refusal.value).split("hands: ")[1]
    card, times = named.split()[0], int(named.split(" there ")[1].split()[0])
    assert counts[card] == times != 2


def wrong(p: Position, **changes: Any) -> tuple[dict[str, Any], str]:
    return json_of(p, **changes), next(iter(changes))


def hands(p: Position, seat: int, *cards: str, less: int = 0) -> list[list[str]]:
    """Return the hands with one of them changed."""
    found: list[list[str]] = GAME.to_json(p)["hands"]
    kept = found[seat][: len(found[seat]) - less]
    return [*found[:seat], kept + list(cards), *found[seat + 1 :]]


CASES: list[tuple[dict[str, Any], str]] = [
    *(wrong(PLAYING, **{key: None}) for key in GAME.to_json(PLAYING) if key not in ("rules", "previous")),
    *(wrong(DRAWING, **{key: None}) for key in GAME.to_json(DRAWING) if key != "rules"),
    wrong(PLAYING, previous=None),
    wrong(DRAWING, pile=[]),
    wrong(DRAWING, seats="4"),
    wrong(DRAWING, phase="give"),
    wrong(DRAWING, phase=["draw"]),
    wrong(DRAWING, round=0),
    wrong(DRAWING, round=True),
    wrong(DRAWING, rounds=0),
    (json_of(PLAYING, rounds=1), "round"),
    wrong(DRAWING, ranks=["2"]),
    wrong(DRAWING, ranks=["2", "1"]),
    wrong(DRAWING, ranks=["2", "3"]),
    wrong(DRAWING, ranks=["2", "won"]),
    wrong(PLAYING, ranks=["3", "2"]),
    wrong(DRAWING, drawer=4),
    wrong(PLAYING, drawer=1),
    wrong(DRAWING, turn=-1),
    wrong(DRAWING, turn=2),
    wrong(SHOWN, turn=1),
    wrong(BURYING, turn=1),
    wrong(PLAYING, turn=0),
    wrong(DRAWING, hands=[[], [], []]),
    wrong(DRAWING, hands=hands(DRAWING, 0, "ZZ", less=1)),
    wrong(DRAWING, hands=hands(DRAWING, 0, "JK", less=1)),
    wrong(DRAWING, hands=hands(DRAWING, 0, less=1)),
    wrong(DRAWING, hands=hands(DRAWING, 0, "AS", "AS", "AS")),
    (json_of(DRAWING, hands=hands(DRAWING, 0, less=1), stock=[*GAME.to_json(DRAWING)["stock"], DRAWING.hand(0)[-1]]), "hands"),
    wrong(PLAYING, hands=hands(PLAYING, 0, "2C")),
    wrong(DRAWING, stock="AS"),
    wrong(DRAWING, stock=[]),
    wrong(SHOWN, stock=["AS"]),
    wrong(DRAWING, talon=GAME.to_json(DRAWING)["talon"][:7]),
    wrong(BURYING, talon=[]),
    wrong(BURYING, talon=["2S"] * 8),
    wrong(PLAYING, talon=["AS"]),
    (json_of(DRAWING, declarers=0), "declarers, starter"),
    (json_of(DRAWING, declarers=0, starter=0), "starter"),
    (json_of(PLAYING, declarers=1), "starter"),
    (json_of(PLAYING, declarers=2), "declarers"),
    (json_of(BURYING, declarers=None, starter=None, trump=None), "starter"),
    wrong(DRAWING, show={"seat": 0}),
    wrong(DRAWING, show={"seat": 0, "cards": ["3H"]}),
    wrong(DRAWING, show={"seat": 0, "cards": ["2H", "2S"]}),
    wrong(DRAWING, show={"seat": 1, "cards": ["2H"]}),
    wrong(SHOWN, passed=[0, 1, 2, 3]),
    wrong(SHOWN, passed=[1, 1]),
    wrong(SHOWN, passed=[4]),
    wrong(PLAYING, passed=[1]),
    wrong(PLAYING, trump={"rank": "2", "suit": "X"}),
    wrong(PLAYING, trump={"rank": "2", "suit": "S"}),
    wrong(PLAYING, trump={"rank": "3", "suit": "H"}),
    wrong(PLAYING, trump={"rank": "2"}),
    wrong(PLAYING, trump="2H"),
    wrong(SHOWN, trump={"rank": "2", "suit": "H"}),
    wrong(PLAYING, turned=["2H"]),
    wrong(DRAWING, turned=["2H"]),
    (json_of(PLAYING, show=None), "turned"),
    wrong(DRAWING, buried=[]),
    (json_of(PLAYING, buried=GAME.to_json(PLAYING)["buried"][:7]), "hands"),
    (json_of(PLAYING, leader=1), "turn"),
    wrong(PLAYING, trick=[["AS"], ["3S"], ["4S"], ["5S"]]),
    wrong(PLAYING, trick=[["AS"], ["3S", "3S"]]),
    (json_of(PLAYING, trick=[["AS", "AD"], ["3S", "4S"]]), "hands"),
    wrong(PLAYING, trick=[["AS"], []]),
    wrong(PLAYING, trick="AS"),
    (json_of(PLAYING, gone=[]), "hands"),
    wrong(PLAYING, captured=[0, 0]),
    wrong(PLAYING, captured=[7, 3]),
    wrong(PLAYING, captured=[-60, 120]),
    wrong(PLAYING, captured=60),
    wrong(PLAYING, paid=[5, 0]),
    wrong(PLAYING, paid=[True, 0]),
    wrong(PLAYING, last=None),
    (json_of(PLAYING, last=GAME.to_json(PLAYING)["last"] | {"winner": 3}), "leader"),
    wrong(PLAYING, last=GAME.to_json(PLAYING)["last"] | {"leader": 9}),
    wrong(PLAYING, last=GAME.to_json(PLAYING)["last"] | {"points": 5}),
    wrong(PLAYING, last=GAME.to_json(PLAYING)["last"] | {"plays": [["AS"]] * 4}),
    wrong(PLAYING, failed=GAME.to_json(FAILED)["failed"]),
    (json_of(FAILED, paid=[0, 0]), "paid"),
    wrong(FAILED, failed=GAME.to_json(FAILED)["failed"] | {"seat": 1}),
    wrong(FAILED, failed=GAME.to_json(FAILED)["failed"] | {"paid": 20}),
    wrong(FAILED, failed=GAME.to_json(FAILED)["failed"] | {"back": ["KS"]}),
    wrong(FAILED, failed=GAME.to_json(FAILED)["failed"] | {"thrown": ["KS", "3C"]}),
    wrong(DRAWING, points=[5, 0]),
    wrong(PLAYING, points=[3, 0]),
    wrong(DRAWING, previous=GAME.to_json(PLAYING)["previous"]),
    *(
        wrong(PLAYING, previous=GAME.to_json(PLAYING)["previous"] | change)
        for change in (
            {"round": 2}, {"declarers": 0}, {"starter": 0}, {"buried": ["AS"]}, {"captured": [100, 120]}, {"talon": 10},
            {"total": 85}, {"gains": [1, 0]}, {"paid": [5]}, {"trump": {"rank": "9", "suit": "S"}}, {"more": 1},
        )
    ),
    (json_of(OVER, phase="deck"), "previous"),
    (json_of(ENDED, phase="over"), "previous"),
    wrong(OVER, hands=[["AS"], [], [], []]),
    wrong(new(), last=GAME.to_json(PLAYING)["last"]),
]  # fmt: skip


@every("data, key", CASES)
def test_unreachable_positions_are_refused_with_the_key(data: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(data)
    assert caught.value.code == "bad_position"
    assert key in str(caught.value)


@pytest.mark.parametrize(("key", "value"), [("seats", 6), ("teams", 4), ("rules", "tractor/9")])
def test_a_table_that_is_not_offered_is_refused(key: str, value: object) -> None:
    with pytest.raises(UnknownRules, match=key):
        GAME.from_json(GAME.to_json(new()) | {key: value})


def test_another_familys_position_is_refused() -> None:
    with pytest.raises(BadPosition, match="another family"):
        GAME.from_json(GAME.to_json(new()) | {"rules": "shawinigan/1"})
    for nothing in ({}, None, []):
        with pytest.raises(BadPosition, match="rules"):
            GAME.from_json(nothing)  # type: ignore[arg-type]


def test_a_play_out_of_turn_in_the_running_trick_cannot_have_happened() -> None:
    """The follow in this trick should have been a spade."""
    data = GAME.to_json(PLAYING)
    data["trick"][1], data["hands"][1] = ["4D"], ["3S", "KS"]
    with pytest.raises(BadPosition, match="MUST_FOLLOW_SUIT"):
        GAME.from_json(data)


def test_a_throw_that_is_beaten_cannot_stand() -> None:
    data = GAME.to_json(FAILED)
    data["trick"], data["hands"][0] = [["AS", "KS"]], ["3C"]
    del data["failed"]
    with pytest.raises(BadPosition, match="trick: a throw that is beaten"):
        GAME.from_json(data)
