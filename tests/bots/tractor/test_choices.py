"""The choices of Tractor's bots: always legal, and from the seat's view alone."""

import random
from typing import Any

import pytest

from games.bots.tractor import LEVELS, choose
from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from games.engine.tractor.rules import TractorRules
from tests.engine.tractor.tables import DRAWN, PASSED, after, at, deck, new

HOUSE = TractorRules(id="tractor-house/1", tractor_duty=True, no_trump_keeps_rank=True)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the house variant like a file of the folder."""
    found = dict(registry.entries()) | {HOUSE.id: registry.Entry(HOUSE, GAME)}
    monkeypatch.setattr(registry, "entries", lambda: found)


def chosen(p: Position, level: str, seat: int | None = None, roll: Any = lambda n: 0) -> str:
    """Return the line of a bot."""
    seat = p.turn if seat is None else seat
    legal = [play.text for play in GAME.legal_plays(p, seat)]
    return choose(GAME.view(p, seat), legal, level=level, roll=roll)


@pytest.mark.parametrize("rules", [registry.rules("tractor/1"), HOUSE], ids=lambda rules: rules.id)
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_of_both_levels_are_played_by_the_rules(rules: TractorRules, seed: int) -> None:
    roll = random.Random(seed)
    p = new(rules, dealer=seed, rounds=4)
    cards = list(rules.deck())
    shown = asked = 0
    while p.phase != "over":
        if p.phase == "deck":
            roll.shuffle(cards)
            p = after(p, "deck " + " ".join(TEXTS[k] for k in cards))
            continue
        seats = range(4) if p.phase in ("draw", "show") else (p.turn,)
        if p.phase == "draw":
            p = after(p, "draw 4")
        for seat in seats:
            if p.phase in ("draw", "show") or seat == p.turn:
                legal = [play.text for play in GAME.legal_plays(p, seat)]
                if not legal:
                    continue
                line = choose(GAME.view(p, seat), legal, level=LEVELS[seat % 2], roll=roll.randrange)
                asked += 1
                if line:
                    shown += line.startswith("show")
                    p = after(p, line)
    assert GAME.outcome(p) is not None
    assert shown >= 4
    assert asked > 100


def test_the_same_view_gets_the_same_answer_whatever_is_hidden() -> None:
    p = at("2H", "AS KD 3C", "KS 3S 4D", "QS 4S 5D", "JS 5S 6D")
    q = at("2H", "AS KD 3C", "JS 5S 6D", "KS 3S 4D", "QS 4S 5D")
    for level in LEVELS:
        assert GAME.view(p, 0) == GAME.view(q, 0)
        assert chosen(p, level) == chosen(q, level)


@pytest.mark.parametrize("level", LEVELS)
def test_a_single_candidate_is_played(level: str) -> None:
    p = after(at("2H", "AS KD", "3S 4D", "QS 5D", "JS 6D"), "play AS")
    assert chosen(p, level) == "play 3S"


@pytest.mark.parametrize("level", LEVELS)
def test_points_go_to_a_partner_who_cannot_lose_the_trick(level: str) -> None:
    p = after(at("2H", "RJ 3C", "3H 4C", "5H 4H", "6H 6C"), "play RJ", "play 3H")
    assert chosen(p, level) == "play 5H"


@pytest.mark.parametrize("level", LEVELS)
def test_no_points_are_given_to_enemies_who_win(level: str) -> None:
    p = after(at("2H", "RJ 3C", "5H 4H", "3H 4C", "6H 6C"), "play RJ")
    assert chosen(p, level) == "play 4H"


def test_the_club_player_wins_a_trick_with_points_as_cheaply_as_it_can() -> None:
    p = after(at("2H", "10S 3C", "3S 4C", "5S 6C", "AS QS"), "play 10S", "play 3S", "play 5S")
    assert chosen(p, "club") == "play QS"


def test_the_club_player_throws_what_nobody_can_beat() -> None:
    p = at("2H", "2xAS KS 3C", "4S 5S 4C 5C", "6S 7S 6C 7C", "8S 9S 8C 9C")
    assert chosen(p, "club") == "play AS AS KS"


def test_the_club_player_does_not_throw_what_may_be_beaten() -> None:
    p = at("2H", "KS QS 3C", "4S AS 4C", "6S 7S 6C", "8S 9S 8C")
    assert chosen(p, "club") != "play KS QS"
    assert len(chosen(p, "club").split()) == 2


def test_the_club_player_buries_a_short_suit_and_keeps_aces_and_trumps() -> None:
    hand = "2xAS KS 3C 4C 6C 7C 8C 2x3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH 2S 2D RJ"
    p = after(new(), deck(hand, talon="9C JC 3D 3D 4D 6D 7D 8D"), *DRAWN, "show 0: 2D", *PASSED)
    assert p.phase == "bury"
    line = chosen(p, "club")
    assert GAME.is_legal(p, GAME.parse_play(p, line))
    assert not {"AS", "RJ", "2D", "2S"} & set(line.split())


def test_while_cards_are_drawn_the_answer_may_be_empty_and_in_the_window_it_is_a_pass() -> None:
    p = after(new(), deck("2S 3D 3C 4D 4C 6D 6C 7D 7C 8D 8C 9D"), *DRAWN[:12])
    assert chosen(p, "club", seat=0) == ""
    assert chosen(p, "novice", seat=0) == "show 0: 2S"
    q = after(new(), deck("3S 3D 3C"), *DRAWN)
    for level in LEVELS:
        lines = [play.text for play in GAME.legal_plays(q, 0)]
        assert choose(GAME.view(q, 0), lines, level=level, roll=lambda n: 0) in lines


def test_the_club_player_shows_a_suit_it_holds_many_of() -> None:
    hand = "2H 2x3H 2x4H 5H 6H 7H 8H 9H 10H JH QH RJ"
    p = after(new(), deck(hand), *DRAWN[:14])
    assert chosen(p, "club", seat=0) == "show 0: 2H"


def test_another_level_no_play_and_another_family_are_refused() -> None:
    p = at("2H", "AS", "KS", "QS", "JS")
    view = GAME.view(p, 0)
    with pytest.raises(ValueError, match="no level 'master'"):
        choose(view, ["play AS"], level="master", roll=lambda n: 0)
    with pytest.raises(ValueError, match="no play"):
        choose(view, [], level="club", roll=lambda n: 0)
    with pytest.raises(ValueError, match="another family"):
        choose(view | {"rules": "tock/1"}, ["play AS", "play KS"], level="club", roll=lambda n: 0)
