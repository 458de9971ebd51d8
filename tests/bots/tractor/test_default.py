"""The default play for a seat of Tractor: the lowest cards that the rules accept, in any position."""

import random

import pytest

from games.bots.at_table import default_line
from games.engine import registry
from games.engine.cards import NUMBER, TEXTS
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from games.engine.tractor.rules import TractorRules
from tests.engine.tractor.records import choose
from tests.engine.tractor.tables import DRAWN, PASSED, after, at, deck, new

HOUSE = TractorRules(id="tractor-house/1", tractor_duty=True, no_trump_keeps_rank=True)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the house variant like a file of the folder."""
    found = dict(registry.entries()) | {HOUSE.id: registry.Entry(HOUSE, GAME)}
    monkeypatch.setattr(registry, "entries", lambda: found)


def default(p: Position, seat: int | None = None) -> str:
    """Return the default play of a seat from its view, which does not have the cards of earlier tricks."""
    seat = p.turn if seat is None else seat
    view = GAME.view(p, seat)
    view.pop("gone", None)
    return default_line(view, view.get("legal", ()))


def height(p: Position, line: str) -> tuple[bool, int]:
    """Return the strength of one card in a trick: trumps above, then the level."""
    card = NUMBER[line.split(" ")[1]]
    assert p.order is not None
    return p.order.suits[card] == 4, p.order.levels[card]


@pytest.mark.parametrize("rules", [registry.rules("tractor/1"), HOUSE], ids=lambda rules: rules.id)
@pytest.mark.parametrize("seed", range(6))
def test_the_rules_accept_it_wherever_a_seat_must_choose(rules: TractorRules, seed: int) -> None:
    roll = random.Random(seed)
    p = new(rules, dealer=seed % 4, rounds=3)
    cards, singles, several = list(rules.deck()), 0, 0
    while p.phase != "over":
        if p.phase == "deck":
            roll.shuffle(cards)
            p = after(p, "deck " + " ".join(TEXTS[k] for k in cards))
            continue
        if p.phase == "show":
            for seat in sorted(GAME.to_act(p)):  # type: ignore[arg-type]
                assert default(p, seat) == f"pass {seat}"
        if p.phase in ("bury", "play"):
            line = default(p)
            GAME.check(p, GAME.parse_play(p, line), p.turn)
            assert line == default(p)
            if len(line.split(" ")) == 2 and p.phase == "play":
                singles += 1
                alone = [play.text for play in GAME.legal_plays(p) if len(play.text.split(" ")) == 2]
                assert height(p, line) == min(height(p, other) for other in alone)
            several += len(line.split(" ")) > 2
        play = choose(p, roll)
        p = after(p, default(p) if p.phase == "play" and roll.random() < 0.3 else play.text)
    assert singles > 100
    assert several > 5


def test_trumps_are_led_last_and_equal_cards_go_by_suit() -> None:
    others = "4S 4S 6S 6S", "4D 4D 6D 6D", "4C 4C 6C 6C"
    assert default(at("2H", "3S 3D AC 3H", *others)) == "play 3D"
    assert default(at("2H", "2S 2H RJ 3H", *others)) == "play 3H"


def test_owed_pairs_come_first_then_the_lowest_cards() -> None:
    p = at("2H", "6S 6D 7D", "3C 10C 10C KC 4D", "4C 4S 5S 6S 7S", "5C 6D 7D 8D 9D", trick=["9C 9C"])
    assert p.turn == 1
    assert default(p) == "play 10C 10C"


def test_whoever_is_short_adds_the_lowest_cards_of_other_suits() -> None:
    p = at("2H", "6S 6D 7D", "3C 4D 3D 3H AS", "4C 4S 5S 6S 7S", "5C 6D 7D 8D 9D", trick=["9C 9C"])
    assert default(p) == "play 3C 3D"


def test_the_eight_lowest_cards_are_buried() -> None:
    p = after(new(), deck("2H 3C 4C 5C", talon="3D 3S 4S 4D"), *DRAWN, "show 0: 2H", *PASSED)
    assert p.phase == "bury"
    line = default(p)
    GAME.check(p, GAME.parse_play(p, line), 0)
    laid = {f"x {card}" for card in line.split(" ")[1:]}
    kept = {f"x {card}" for card in p.hand(0)} - laid
    assert max(height(p, card) for card in laid) <= min(height(p, card) for card in kept)


def test_choosing_without_a_play_is_refused() -> None:
    p = new()
    with pytest.raises(ValueError, match="no play"):
        default_line(GAME.view(p, 2), ())
