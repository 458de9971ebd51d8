"""Views: an allow-list per viewer; hidden information never appears."""

import json

import pytest

from games.engine.game import SPECTATOR
from games.engine.tractor.game import GAME

from .tables import DRAWN, PASSED, after, at, deck, new
from .test_position import ALL, BURYING, DRAWING, ENDED, FAILED, PLAYING, SHOWN

PUBLIC = {"rules", "seats", "teams", "phase", "turn", "round", "ranks", "drawer", "count"}
KNOWN = PUBLIC | {"declarers", "starter"}
TRICKS = KNOWN | {"show", "trump", "leader", "trick", "gone", "captured", "paid", "last", "previous"}


def keys(p: object, viewer: object) -> set[str]:
    return set(GAME.view(p, viewer))  # type: ignore[arg-type]


def test_while_cards_are_drawn_a_seat_sees_its_running_hand_and_what_it_may_show() -> None:
    p = after(new(), deck("2x2H", "2x2S", drawer=0), *DRAWN[:2])
    assert keys(p, 0) == PUBLIC | {"left", "passed", "hand", "legal"}
    view = GAME.view(p, 0)
    assert (view["hand"], view["left"], view["count"]) == (["2H", "2H"], 92, [2, 2, 2, 2])
    assert view["legal"] == ["pass 0", "show 0: 2H", "show 0: 2H 2H"]
    assert GAME.view(after(p, "show 1: 2S"), 0)["legal"] == ["pass 0", "show 0: 2H 2H"]
    assert "legal" not in GAME.view(after(new(), deck()), 0)


def test_a_show_and_passes_are_for_everybody() -> None:
    for viewer in (0, 2, SPECTATOR):
        view = GAME.view(SHOWN, viewer)
        assert (view["show"], view["passed"], view["left"]) == ({"seat": 0, "cards": ["2H"]}, [3], 0)
    assert keys(SHOWN, SPECTATOR) == PUBLIC | {"left", "passed", "show"}


def test_the_talon_is_for_the_starter_alone() -> None:
    assert keys(BURYING, SPECTATOR) == KNOWN | {"show", "trump"}
    assert keys(BURYING, 1) == KNOWN | {"show", "trump", "hand"}
    assert keys(BURYING, 0) == KNOWN | {"show", "trump", "hand", "legal", "talon"}
    assert len(GAME.view(BURYING, 0)["talon"]) == 8
    assert GAME.view(BURYING, 1)["count"] == [33, 25, 25, 25]


def test_the_buried_cards_are_for_the_starter_alone_until_the_round_ends() -> None:
    assert keys(PLAYING, SPECTATOR) == TRICKS | {"best"}
    assert keys(PLAYING, 0) == TRICKS | {"best", "hand", "buried"}
    assert keys(PLAYING, 2) == TRICKS | {"best", "hand", "legal"}
    assert GAME.view(ENDED, SPECTATOR)["previous"]["buried"] == GAME.view(ENDED, 3)["previous"]["buried"]
    assert keys(ENDED, SPECTATOR) == KNOWN | {"last", "previous", "points"}


def test_a_turned_talon_is_for_everybody_as_far_as_it_was_turned() -> None:
    before = GAME.to_json(at("9C", "AS", "KS", "10S", "3S"))
    again = {
        key: before[key] for key in ("rules", "seats", "teams", "ranks", "drawer", "declarers", "starter", "previous")
    }
    empty = again | {"phase": "deck", "round": 2, "turn": 0, "hands": [[]] * 4, "stock": [], "talon": []}
    p = after(GAME.from_json(empty), deck(talon="KD 2S 9C 9H 4S 5S 6S 7S"), *DRAWN, *PASSED)
    for viewer in (1, SPECTATOR):
        assert GAME.view(p, viewer)["turned"] == ["KD", "2S", "9C"]
        assert GAME.view(p, viewer)["trump"] == {"rank": "9", "suit": "C"}


def test_a_failed_throw_is_for_everybody_with_the_cards_that_went_back() -> None:
    assert GAME.view(FAILED, SPECTATOR)["failed"] == {"seat": 0, "thrown": ["AS", "KS"], "back": ["AS"], "paid": 10}
    assert GAME.view(FAILED, 2)["trick"] == [["KS"]]


def test_a_round_without_trumps_names_no_suit() -> None:
    p = after(new(), deck("2xRJ"), *DRAWN, "show 0: RJ RJ")
    assert GAME.view(p, SPECTATOR)["trump"] == {"rank": "2"}


@pytest.mark.parametrize("p", ALL, ids=lambda p: p.phase)
def test_a_view_is_plain_json_without_null(p) -> None:  # type: ignore[no-untyped-def]
    for viewer in (0, 1, 2, 3, SPECTATOR):
        text = json.dumps(GAME.view(p, viewer))
        assert "null" not in text
        assert json.loads(text) == GAME.view(p, viewer)


def test_no_view_holds_anybody_elses_card() -> None:
    view = GAME.view(DRAWING, 0)
    assert not {"hands", "stock", "talon"} & view.keys()
    assert view["hand"] == DRAWING.hand(0)
    public = GAME.view(DRAWING, SPECTATOR)
    assert "hand" not in public


def test_there_is_no_view_for_a_seat_that_does_not_exist() -> None:
    for seat in (4, -1):
        with pytest.raises(ValueError, match=f"no seat {seat}"):
            GAME.view(new(), seat)
