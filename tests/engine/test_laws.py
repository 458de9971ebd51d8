"""Laws of the engine for every rule set, size and number of teams: over positions that Hypothesis chooses from random
games, and over constructed positions.
"""

import json
import random
from collections import Counter
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import TEXTS
from games.engine.errors import EngineError
from games.engine.game import SPECTATOR
from games.engine.tock import conduct
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.engine import built, reference
from tests.engine.configurations import ALL, Configuration
from tests.engine.records import random_game
from tests.engine.whole_games import board_is_whole, cards_of

CARDS = {card for table in ALL for card in reference.sheets.deck(table.rules, table.seats)}


@cache
def visited(table: Configuration) -> tuple[Position, ...]:
    """Return sixty positions of one random game, from all of it, including decks and the end."""
    seen: list[Position] = []
    roll = random.Random(str(table))

    def look(p: Position) -> None:
        if p.phase == "over" or roll.random() < (0.2 if p.phase == "play" else 0.5):
            seen.append(p.copy())

    random_game(roll.randrange(100), look=look, penalties=True, table=table)
    return (*roll.sample(seen[:-1], 59), seen[-1])


tables = st.sampled_from(ALL)
played = st.builds(lambda table, i: visited(table)[i].copy(), tables, st.integers(0, 59))
made = st.builds(
    lambda table, seed, kind: GAME.from_json(built.built(random.Random(seed), table, kind)),
    tables,
    st.integers(0, 1 << 30),
    st.sampled_from(sorted(built.KINDS)),
)
positions = st.one_of(played, made)
many = settings(max_examples=250, deadline=None)


def some(p: Position, most: int = 12) -> list[Any]:
    """Return some of the listed plays, spread over the list."""
    plays = list(GAME.legal_plays(p))
    return plays[:: max(1, len(plays) // most)]


# --- written and read ------------------------------------------------------------------------------------------------


@many
@given(positions)
def test_json_round_trips(p: Position) -> None:
    data = GAME.to_json(p)
    again = GAME.from_json(json.loads(json.dumps(data)))
    assert again == p
    assert GAME.to_json(again) == data
    assert [play.text for play in GAME.legal_plays(again)] == [play.text for play in GAME.legal_plays(p)]


@many
@given(positions)
def test_listed_plays_are_sorted_distinct_accepted_and_come_back_from_their_text(p: Position) -> None:
    plays = list(GAME.legal_plays(p))
    texts = [GAME.play_text(play) for play in plays]
    assert texts == sorted(set(texts))
    assert bool(texts) is (p.phase not in ("deck", "over"))
    for play in plays:
        assert GAME.parse_play(p, play.text) == play
        assert GAME.is_legal(p, play)


def changes_nothing(p: Position, line: str) -> bool:
    """Return whether the line swaps two marbles of one seat, which may leave the board unchanged (section 4, Jack)."""
    card, _, what = line.partition(" ")
    if card[0] != "J" or "x" not in what:
        return False
    return any(set(what.split("x")) <= set(p.marbles(seat)) for seat in range(p.seats))


@many
@given(positions)
def test_listed_plays_are_distinct_in_result(p: Position) -> None:
    reached: dict[str, str] = {}
    for play in GAME.legal_plays(p):
        if not changes_nothing(p, play.text):
            key = json.dumps(GAME.to_json(GAME.apply(p, play)))
            assert key not in reached, (play.text, reached[key])
            reached[key] = play.text


# --- applying --------------------------------------------------------------------------------------------------------


@many
@given(positions)
def test_apply_is_apply_in_place_on_a_copy_and_leaves_the_position_alone(p: Position) -> None:
    before = GAME.to_json(p)
    for play in some(p):
        q = p.copy()
        GAME.apply_in_place(q, play)
        after = GAME.apply(p, play)
        assert after == q
        assert GAME.to_json(after) == GAME.to_json(q)
        assert GAME.to_json(p) == before


@many
@given(positions, st.data())
def test_plays_that_are_not_listed_are_refused(p: Position, data: st.DataObject) -> None:
    """Lines of other positions and with other cards are only accepted if they are listed, or are a seven that reaches a
    listed position.
    """
    other = data.draw(positions)
    lines = {play.text for play in some(other, 40)} | {f"{TEXTS[c]} skip" for c in p.hands[p.turn]}
    listed = {play.text for play in GAME.legal_plays(p)}
    reached = [GAME.to_json(GAME.apply(p, play)) for play in GAME.legal_plays(p)] if len(listed) < 40 else None
    before = GAME.to_json(p)
    for line in sorted(lines - listed):
        try:
            q = GAME.apply(p, GAME.parse_play(p, line))
        except EngineError:
            continue
        assert line.startswith("7")
        assert reached is None or GAME.to_json(q) in reached
    assert GAME.to_json(p) == before


@settings(max_examples=100, deadline=None)
@given(tables, st.integers(0, 1 << 30), st.sampled_from(["sevens", "sevens at home", "crowd", "cases 7 and 8"]))
def test_every_order_of_a_seven_is_accepted_and_leads_to_what_is_listed(
    table: Configuration, seed: int, kind: str
) -> None:
    roll = random.Random(seed)
    position = built.built(roll, table, kind)
    p = GAME.from_json(position)
    if p.phase not in ("play", "joker"):
        return
    spelt = reference.sevens(position)
    listed = [play.text for play in GAME.legal_plays(p) if play.text[0] == "7"]
    assert listed == [line for line in reference.legal(position) if line[0] == "7"]
    assert set(listed) <= set(spelt)
    ends = {json.dumps(GAME.to_json(GAME.apply(p, GAME.parse_play(p, line)))) for line in listed}
    assert len(ends) == len(listed)
    for line in roll.sample(spelt, min(len(spelt), 60)):
        assert json.dumps(GAME.to_json(GAME.apply(p, GAME.parse_play(p, line)))) in ends, line


# --- what is conserved -----------------------------------------------------------------------------------------------


@many
@given(positions)
def test_marbles_and_cards_are_conserved_by_every_play(p: Position) -> None:
    before = GAME.to_json(p)
    held, hand = cards_of(before), Counter(before["hands"][p.turn])
    board_is_whole(before)
    for play in GAME.legal_plays(p):
        after = GAME.to_json(GAME.apply(p, play))
        board_is_whole(after)
        if after["phase"] == "deck":
            assert not cards_of(after)
            continue
        gone = held - cards_of(after)
        assert not cards_of(after) - held
        first, _, second = play.text.partition(" ")
        finished = set(after.get("finished", [])) - set(before.get("finished", []))
        if first == "give":
            assert not gone
        elif first == "throw" or (finished and before.get("full_ranking")):
            assert gone == hand
        else:
            assert gone == Counter([second if first in ("burn", "blind") else first])


@many
@given(positions)
def test_only_eating_and_coming_out_change_a_reserve(p: Position) -> None:
    """Facts are given for every play, agree with its effects, and change nothing."""
    before = GAME.to_json(p)
    reserve = sum(places.count("r") for places in before["marbles"])
    for play in some(p, 30):
        told = GAME.fx(p, play)
        after = GAME.to_json(GAME.apply(p, play))
        eaten = sum(fact[0] == "eaten" for fact in told)
        out = sum(fact[0] == "out" for fact in told)
        assert sum(places.count("r") for places in after["marbles"]) - reserve == eaten - out
        assert (["over"] in [fact[:1] for fact in told]) is (after["phase"] == "over")
        json.dumps(told)
    assert GAME.to_json(p) == before


@settings(max_examples=16, deadline=None)
@given(tables, st.integers(0, 1 << 20))
def test_replaying_the_lines_of_a_game_leads_to_its_state(table: Configuration, seed: int) -> None:
    start, record, end = random_game(seed, penalties=True, table=table)
    p = start.copy()
    for line in record:
        p = GAME.apply(p, GAME.parse_play(p, line))
    assert p == end
    assert GAME.outcome(p) == GAME.outcome(end)
    assert list(GAME.legal_plays(p)) == []


# --- secrecy ---------------------------------------------------------------------------------------------------------


def texts_in(value: Any) -> set[str]:
    """Return every word of every text in a view, without the keys."""
    if isinstance(value, dict):
        return set().union(*map(texts_in, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(texts_in, value)) if value else set()
    return set(value.split(" ")) if isinstance(value, str) else set()


@many
@given(positions)
def test_a_view_never_holds_anothers_card(p: Position) -> None:
    for viewer in (*range(p.seats), SPECTATOR):
        own = set() if viewer is SPECTATOR else {TEXTS[card] for card in p.hands[viewer]}
        view = GAME.view(p, viewer)
        laid = {view["laid"]} if "laid" in view else set()
        assert texts_in(view) & CARDS <= own | laid
        if laid:
            assert p.given[viewer] >= 0
            assert laid == {TEXTS[p.given[viewer]]}


@many
@given(positions, st.randoms(use_true_random=False))
def test_a_view_is_unchanged_byte_by_byte_when_only_hidden_cards_change(p: Position, roll: random.Random) -> None:
    for viewer in (*range(p.seats), SPECTATOR):
        position = GAME.to_json(p)
        hidden = [seat for seat in range(p.seats) if seat != viewer]
        given = position.get("given") or [None] * p.seats
        laid = [seat for seat in hidden if given[seat]]
        pool = [card for seat in hidden for card in position["hands"][seat]] + position["stock"]
        pool += [given[seat] for seat in laid]
        roll.shuffle(pool)
        for seat in hidden:
            position["hands"][seat] = [pool.pop() for _ in position["hands"][seat]]
        for seat in laid:
            given[seat] = pool.pop()
        position["stock"] = pool
        q = GAME.from_json(position)
        assert json.dumps(GAME.view(q, viewer)) == json.dumps(GAME.view(p, viewer))


# --- conduct ---------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(positions, st.data())
def test_touches_only_narrow_and_what_they_leave_open_is_legal(p: Position, data: st.DataObject) -> None:
    listed = list(GAME.legal_plays(p))
    if not listed or p.phase in ("give", "blind"):
        return
    card = data.draw(st.sampled_from([TEXTS[c] for c in p.hands[p.turn]]))
    places = sorted({name for seat in range(p.seats) for name in p.marbles(seat)})
    marbles = data.draw(st.lists(st.sampled_from(places), max_size=2, unique=True))
    left = GAME.narrow(p, card=card, marbles=marbles)
    assert left
    reached = [GAME.to_json(GAME.apply(p, play)) for play in listed if len(listed) < 60]
    for play in left[:: max(1, len(left) // 6)]:
        GAME.check(p, play, card=card, marbles=marbles)
        assert not reached or GAME.to_json(GAME.apply(p, play)) in reached
    # If a touch may bind, it does bind: every remaining play uses it.
    if marbles and conduct.may_touch_marble(p, marbles[0], card=card):
        place = conduct.touched_place(p, marbles[0])
        assert all(place in conduct.uses(play) for play in left)
