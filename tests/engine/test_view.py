"""Views: an allow-list per viewer; hidden information never appears."""

import json

import pytest

from games.engine.game import SPECTATOR
from games.engine.tock.game import GAME
from tests.boards import after, at, new
from tests.engine.test_2_deals import DECK

PUBLIC = {"rules", "seats", "teams", "phase", "turn", "dealer", "deal", "marbles", "fresh", "count", "owed"}


def test_a_seat_sees_the_board_its_own_hand_and_its_own_plays_when_it_is_to_act() -> None:
    p = at(marbles="0: t30 / 1: t18*", hands="0: KS 9C 10H / 1: 2H 3H", penalties=[0, 2, 0, 0])
    view = GAME.view(p, 0)
    assert set(view) == PUBLIC | {"hand", "legal"}
    assert view["hand"] == ["10H", "9C", "KS"]
    assert view["legal"] == [play.text for play in GAME.legal_plays(p)]
    assert view["count"] == [3, 2, 1, 1]
    assert view["owed"] == [0, 2, 0, 0]
    assert set(GAME.view(p, 1)) == PUBLIC | {"hand"}


def test_a_spectator_sees_the_board_alone() -> None:
    assert set(GAME.view(at(hands="0: KS"), SPECTATOR)) == PUBLIC


def test_a_view_is_plain_json_without_null() -> None:
    for p in (new(), after(new(), DECK), at(marbles="0: t30", hands="0: 9C", phase="joker", joker="t30")):
        for viewer in (0, 1, SPECTATOR):
            text = json.dumps(GAME.view(p, viewer))
            assert "null" not in text
            assert json.loads(text) == GAME.view(p, viewer)


def test_in_an_exchange_everybody_sees_who_has_given_and_the_giver_what() -> None:
    p = after(new(), DECK)
    card = GAME.view(p, 0)["hand"][0]
    p = after(p, f"give {card}")
    assert GAME.view(p, 1)["given"] == [True, False, False, False]
    assert GAME.view(p, 0)["laid"] == card
    assert "legal" not in GAME.view(p, 0)
    assert all(line.startswith("give ") for line in GAME.view(p, 3)["legal"])
    assert "laid" not in GAME.view(p, 2)


def test_a_replay_shows_the_marble_that_is_followed() -> None:
    p = at(marbles="0: t30", hands="0: 9C", phase="joker", joker="t30")
    assert GAME.view(p, SPECTATOR)["joker"] == "t30"


def test_there_is_no_view_for_a_seat_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="seat 4"):
        GAME.view(new(), 4)
