"""The duty to play, burning, throwing in, and conduct at the table."""

import pytest

from games import store
from games.engine.errors import IllegalPlay
from games.engine.game import Chance
from games.engine.tock import conduct
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from games.fold import TableState
from games.permissions import Person
from games.services import play
from tests.boards import after, at, lines
from tests.games.every_table import open_game, people, play_whole
from tests.rules.sheets import sentence
from tests.rules.words import hand

IDLE = "1: 2C 3C / 2: 2D 3D / 3: 2H 3H"


def refusal(p: Position, line: str, card: str | None = None, *marbles: str) -> str | None:
    """Return the code with which the authority refuses a line after these touches; None if it is accepted."""
    try:
        GAME.check(p, GAME.parse_play(p, line), card=card, marbles=marbles)
    except IllegalPlay as refused:
        return refused.code
    return None


@sentence
def test_who_can_play_must_play(rules: str) -> None:
    # The only play eats the partner.
    p = at(rules=rules, marbles="0: t20 / 2: t29", hands="0: 9C")
    assert lines(p) == ["9C t20-t29"]
    assert refusal(p, "burn 9C") == "must_play"


@sentence
def test_a_5_and_a_10_are_often_playable(rules: str) -> None:
    assert lines(at(rules=rules, marbles="1: t40", hands="0: 5C 9S")) == ["5C t40-t45"]
    assert lines(at(rules=rules, hands="0: 10C 9S")) == ["10C skip"]


@sentence
def test_who_cannot_play_burns(rules: str) -> None:
    p = at(rules=rules, marbles="0: h4", hands="0: 9C 2S")
    assert lines(p) == ["burn 2S", "burn 9C"]
    q = after(p, "burn 9C")
    assert (hand(q, 0), q.turn, q.marbles(0)) == (["2S"], 1, p.marbles(0))


@sentence
def test_hit_by_a_sacrificed_ten(rules: str) -> None:
    p = after(at(rules=rules, marbles="1: t20", hands=f"0: 10C / {IDLE}"), "10C skip")
    assert (p.phase, p.turn, lines(p)) == ("forced", 1, ["burn 2C", "burn 3C"])
    assert after(p, "burn 2C").turn == 2


@sentence
def test_hit_by_a_ten(rules: str) -> None:
    p = after(at(rules=rules, marbles="0: t20 / 1: t40", hands=f"0: 10C / {IDLE}"), "10C t20-t30")
    assert (p.phase, p.turn, lines(p)) == ("forced", 1, ["burn 2C", "burn 3C"])
    q = after(p, "burn 2C")
    assert (q.marbles(1), q.turn) == (p.marbles(1), 2)


@sentence
def test_no_sacrifice_when_the_next_has_no_cards(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20", hands="0: 10C / 1: / 2: 2C")
    assert lines(p) == ["10C t20-t30"]
    dealer = at(rules=rules, turn=3, dealer=3, marbles="3: t20", hands="0: / 1: / 2: / 3: 10C")
    assert lines(dealer) == ["10C t20-t30"]


@sentence
def test_throwing_in(rules: str) -> None:
    p = at(rules=rules, hands="0: 9C 2S QH")
    assert lines(p) == ["throw"]
    q = after(p, "throw")
    assert (hand(q, 0), q.turn) == ([], 1)
    assert refusal(p, "burn 9C") is not None
    # One marble in play, or one ace or king in hand: no throwing in.
    assert lines(at(rules=rules, marbles="0: h4", hands="0: 9C 2S")) == ["burn 2S", "burn 9C"]
    assert lines(at(rules=rules, hands="0: 9C AS")) == ["AS out"]
    assert lines(at(rules=rules, hands="0: 9C KS")) == ["KS out"]


@sentence
def test_thrown_in_waits_for_the_next_deal(rules: str) -> None:
    p = at(rules=rules, deal=1, hands=f"0: 9C 2S / {IDLE}", marbles="1: t20 / 2: t40 / 3: t60")
    p = after(p, "throw")
    turns = []
    while p.deal == 1:
        turns.append(p.turn)
        p = after(p, lines(p)[0])
    assert turns == [1, 2, 3, 1, 2, 3]
    assert len(p.hands[0]) == 4


@sentence
def test_throwing_in_for_the_partner(rules: str) -> None:
    assert lines(at(rules=rules, marbles="0: h1 h2 h3 h4", hands="0: 9C 2S")) == ["throw"]
    p = at(rules=rules, marbles="0: h1 h2 h3 h4 / 2: t20", hands="0: 9C 2S")
    assert lines(p) == ["2S t20-t22", "9C t20-t29"]


@sentence
def test_no_talking(rules: str) -> None:
    # What the site tells a partner: nothing of the other's hand.
    p = at(rules=rules, hands="0: 9C / 2: KS QS")
    seen = GAME.view(p, 0)
    assert seen["hand"] == ["9C"]
    assert "KS" not in str(seen)
    assert "QS" not in str(seen)


def _blind_burn(rules: str) -> None:
    p = GAME.penalise(at(rules=rules, marbles="1: t20", hands="0: 2H 3H / 1: 9C KS / 2: 2D"), 1)
    p = after(p, lines(p)[0])
    assert (p.phase, p.turn, GAME.to_act(p)) == ("blind", 1, Chance("blind", 1))
    assert lines(p) == ["blind 9C", "blind KS"]
    q = after(p, "blind KS")
    assert (hand(q, 1), q.turn, q.penalties[1]) == (["9C"], 2, 0)


@sentence
def test_talking_costs_a_blind_burn(rules: str) -> None:
    _blind_burn(rules)


@sentence
def test_a_referee_may_order_a_blind_burn(rules: str) -> None:
    _blind_burn(rules)


@sentence
def test_each_penalty_takes_a_turn(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20", turn=3, hands="0: 2H 3H 6H / 1: / 2: / 3: 2C 3C 6C")
    p = GAME.penalise(GAME.penalise(p, 0), 0)
    phases = []
    while any(p.hands[0]):
        if p.turn == 0:
            phases.append(p.phase)
        p = after(p, lines(p)[0])
    assert phases == ["blind", "blind", "play"]


@sentence
def test_a_forced_burn_comes_first(rules: str) -> None:
    p = GAME.penalise(at(rules=rules, marbles="0: t20", hands="0: 10C / 1: 2C 3C / 2: / 3:"), 1)
    ten = next(line for line in lines(p) if line.startswith("10C") and (line.endswith("skip") or "shaw" not in rules))
    p = after(p, ten)
    assert (p.phase, p.turn) == ("forced", 1)
    p = after(p, "burn 2C")
    assert (p.phase, p.turn, p.penalties[1]) == ("blind", 1, 1)


@sentence
def test_what_is_owed_carries_over(rules: str) -> None:
    p = at(rules=rules, deal=1, dealer=3, marbles="3: t20", turn=3, hands="0: / 1: / 2: / 3: 2C")
    p = GAME.penalise(p, 1)
    p = after(p, "2C t20-t22")
    assert p.penalties[1] == 1
    while not (p.turn == 1 and p.phase != "give"):
        p = after(p, lines(p)[0])
    assert p.phase == "blind"


@sentence
def test_a_blind_burn_comes_before_throwing_in(rules: str) -> None:
    p = GAME.penalise(at(rules=rules, turn=3, marbles="3: t20", hands="0: 9C 2S / 1: 3C / 2: 3D / 3: 2C"), 0)
    p = after(p, "2C t20-t22")
    assert (p.phase, p.turn) == ("blind", 0)
    assert lines(p) == ["blind 2S", "blind 9C"]


@sentence
def test_a_card_laid_is_played(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20 t32", hands="0: 9C 2H")
    assert [play.text for play in GAME.narrow(p, card="2H")] == ["2H t20-t22", "2H t32-t34"]
    assert refusal(p, "9C t20-t29", "2H") == "touched_card"


@sentence
def test_an_unplayable_card_goes_back(rules: str) -> None:
    p = at(rules=rules, marbles="0: h4", hands="0: 9C KS")
    assert not conduct.may_touch_card(p, "9C")
    assert [play.text for play in GAME.narrow(p, card="9C")] == lines(p)


@sentence
def test_a_marble_touched_is_played(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20 t32 h1", hands="0: 9C")
    assert [play.text for play in GAME.narrow(p, card="9C", marbles=["t32"])] == ["9C t32-t41"]
    assert refusal(p, "9C t20-t29", "9C", "t32") == "touched_marble"
    # A marble that cannot be played with that card does not bind.
    assert refusal(p, "9C t20-t29", "9C", "h1") is None
    reserve = at(rules=rules, marbles="0: t20", hands="0: KC")
    assert [play.text for play in GAME.narrow(reserve, card="KC", marbles=["r"])] == ["KC out"]


@sentence
def test_a_play_uses_every_marble_it_moves(rules: str) -> None:
    p = at(rules=rules, marbles="0: t10 t28 t46", hands="0: 7C")
    open_lines = [play.text for play in GAME.narrow(p, card="7C", marbles=["t28"])]
    assert open_lines
    assert all("t28-" in line for line in open_lines)
    assert refusal(p, "7C t10-t13 t28-t32", "7C", "t28") is None
    assert refusal(p, "7C t10-t13 t46-t50", "7C", "t28") == "touched_marble"
    jack = at(rules=rules, marbles="0: t20 / 1: t40 / 2: t51", hands="0: JD")
    assert [play.text for play in GAME.narrow(jack, card="JD", marbles=["t51"])] == ["JD t20xt51"]


@sentence
def test_a_marble_released_ends_the_turn(rules: str) -> None:
    p = after(at(rules=rules, marbles="0: t20 t32", hands="0: 9C 2H"), "9C t20-t29")
    assert p.turn == 1
    assert GAME.to_act(p) == frozenset((1,))
    with pytest.raises(IllegalPlay) as refused:
        GAME.apply(p, GAME.parse_play(p, "2H t29-t31", 0), 0)
    assert refused.value.code == "not_your_turn"


def _touch_at_a_table(rules: str, *, touch: bool) -> str:
    """Return the code with which the first card that can be laid is refused at a casual table; nothing when it binds."""
    players = people(4)
    game = open_game((rules, 4, 2, False), players, touch=touch)
    while (state := store.current(game)).phase != "play" or not _laid_first(state):
        play_whole(game, stop=1)
        game.refresh_from_db()
    answer = play.submit(
        game_id=game.pk, seat=min(state.to_act), command_id="0c1d3c4e-0000-4000-8000-000000000001", turn=state.decision_id,
        kind="touch", args={"card": _laid_first(state)}, by=Person(player_id=players[min(state.to_act)].pk),
    )  # fmt: skip
    return answer.why


def _laid_first(state: TableState) -> str:
    """Return the first card that the seat to act could lay; nothing when it must burn or throw in."""
    card, _, rest = state.legal(min(state.to_act))[0].partition(" ")
    return card if rest and card != "burn" else ""


@pytest.mark.django_db
@sentence
def test_touch_may_be_switched_off(rules: str) -> None:
    assert _touch_at_a_table(rules, touch=True) == ""
    assert _touch_at_a_table(rules, touch=False) == "no_touch"
