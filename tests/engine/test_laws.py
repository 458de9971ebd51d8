"""Laws of the engine, over positions that Hypothesis picks from random games."""

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import TEXTS
from games.engine.errors import EngineError
from games.engine.game import SPECTATOR
from games.engine.tock import conduct
from games.engine.tock.game import GAME
from games.engine.tock.legal import reached, sheet, spellings
from games.engine.tock.position import Position
from tests.boards import at
from tests.engine import naive
from tests.engine.records import random_game
from tests.engine.test_random_games import marbles_are_conserved


@cache
def visited(seed: int) -> tuple[Position, ...]:
    """Answer a hundred positions of one random game, from all of it, decks and end included."""
    seen: list[Position] = []
    random_game(seed, look=lambda p: seen.append(p.copy()), penalties=True)
    some = random.Random(seed).sample(seen[:-1], 99)
    return (*some, seen[-1])


positions = st.builds(lambda seed, i: visited(seed)[i].copy(), st.integers(0, 11), st.integers(0, 99))
many = settings(max_examples=200, deadline=None)


@many
@given(positions)
def test_json_round_trips(p: Position) -> None:
    data = GAME.to_json(p)
    again = GAME.from_json(data)
    assert GAME.to_json(again) == data
    marbles_are_conserved(again)
    assert [play.text for play in GAME.legal(again)] == [play.text for play in GAME.legal(p)]


@many
@given(positions)
def test_listed_plays_are_sorted_distinct_and_come_back_from_their_text(p: Position) -> None:
    plays = GAME.legal(p)
    texts = [GAME.play_text(play) for play in plays]
    assert texts == sorted(set(texts))
    for play in plays:
        assert GAME.parse_play(p, play.text) == play
        assert GAME.is_legal(p, play)


@many
@given(positions)
def test_apply_is_apply_in_place_on_a_copy_and_leaves_the_position_alone(p: Position) -> None:
    before = GAME.to_json(p)
    for play in GAME.legal(p)[:8]:
        q = p.copy()
        GAME.apply_in_place(q, play)
        assert GAME.apply(p, play) == q
        assert GAME.to_json(p) == before


@many
@given(positions, st.data())
def test_plays_that_are_not_listed_are_refused(p: Position, data: st.DataObject) -> None:
    """Lines of other positions, other cards: accepted only when listed, or a seven that reaches a listed position."""
    other = data.draw(positions)
    lines = {play.text for play in GAME.legal(other)} | {f"{TEXTS[c]} skip" for c in p.hands[p.turn]}
    listed = {play.text for play in GAME.legal(p)}
    reached = [GAME.to_json(GAME.apply(p, play)) for play in GAME.legal(p)]
    for line in sorted(lines - listed):
        try:
            q = GAME.apply(p, GAME.parse_play(p, line))
        except EngineError:
            continue
        assert line.startswith("7")
        assert GAME.to_json(q) in reached


@st.composite
def crowded(draw: st.DrawFn) -> Position:
    """Answer a position with a seven and marbles crowded around one case 7, its opposite and the pieu of seat 0."""
    spaces = draw(st.permutations([*range(1, 14), *range(37, 50), 0, 66, 67, 68, 69, 70, 71]))
    sizes = [draw(st.integers(2, 4)), *(draw(st.integers(0, 4)) for _ in range(3))]
    words = []
    for seat, size in enumerate(sizes):
        taken, spaces = spaces[:size], spaces[size:]
        star = [f"t{p}*" if p == 18 * seat and draw(st.booleans()) else f"t{p}" for p in taken]
        words.append(f"{seat}: {' '.join(star)}")
    heaven = draw(st.sets(st.integers(1, 4), max_size=4 - sizes[0]))
    words[0] += "".join(f" h{k}" for k in heaven)
    return at(marbles=" / ".join(words), hands="0: 7C")


@settings(max_examples=400, deadline=None)
@given(crowded())
def test_sevens_in_a_crowd_are_listed_as_trying_every_order_lists_them(p: Position) -> None:
    does = sheet(p).cards[p.hands[0][0]]
    assert does is not None
    assert does.split is not None
    first: dict[object, str] = {}
    for text, _, after in spellings(p, 0, does.split):
        first[reached(after)] = min(f"7C {text}", first.get(reached(after), "8"))
        assert GAME.is_legal(p, GAME.parse_play(p, f"7C {text}"))
    listed = [play.text for play in GAME.legal(p) if not play.text.startswith("burn")]
    assert listed == sorted(first.values())
    assert listed == [line for line in naive.plays(GAME.to_json(p)) if not line.startswith("burn")]


@many
@given(positions)
def test_marbles_and_cards_are_conserved_by_every_play(p: Position) -> None:
    for play in GAME.legal(p):
        q = GAME.apply(p, play)
        marbles_are_conserved(q)
        if q.phase == "deck":
            continue
        held = sum(map(len, p.hands)) + len(p.stock) + sum(card >= 0 for card in p.given)
        left = sum(map(len, q.hands)) + len(q.stock) + sum(card >= 0 for card in q.given)
        assert held - left == (0 if p.phase == "give" else 1)


@many
@given(positions, st.randoms(use_true_random=False))
def test_a_view_is_unchanged_when_only_hidden_cards_change(p: Position, roll: random.Random) -> None:
    for viewer in (0, 1, 2, 3, SPECTATOR):
        q = p.copy()
        hidden = [seat for seat in range(4) if seat != viewer]
        pool = [card for seat in hidden for card in q.hands[seat]] + q.stock
        laid = [seat for seat in hidden if q.given[seat] >= 0]
        pool += [q.given[seat] for seat in laid]
        roll.shuffle(pool)
        for seat in hidden:
            q.hands[seat] = sorted(pool.pop() for _ in q.hands[seat])
        q.stock = [pool.pop() for _ in q.stock]
        for seat in laid:
            q.given[seat] = pool.pop()
        assert GAME.view(q, viewer) == GAME.view(p, viewer)


@many
@given(positions, st.data())
def test_touches_only_narrow_and_what_they_leave_open_is_legal(p: Position, data: st.DataObject) -> None:
    listed = GAME.legal(p)
    if not listed or p.phase in ("give", "blind"):
        return
    card = data.draw(st.sampled_from([TEXTS[c] for c in p.hands[p.turn]]))
    places = sorted({name for seat in range(4) for name in p.marbles(seat)})
    marbles = data.draw(st.lists(st.sampled_from(places), max_size=2, unique=True))
    left = GAME.narrow(p, card=card, marbles=marbles)
    assert left
    reached = [GAME.to_json(GAME.apply(p, play)) for play in listed]
    for play in left:
        GAME.check(p, play, card=card, marbles=marbles)
        assert GAME.to_json(GAME.apply(p, play)) in reached
    # A touch that may bind does bind: every play left uses it.
    if marbles and conduct.may_touch_marble(p, marbles[0], card=card):
        place = conduct.touched_place(p, marbles[0])
        assert all(place in conduct.uses(play) for play in left)


@many
@given(positions)
def test_facts_are_told_for_every_play_and_change_nothing(p: Position) -> None:
    before = GAME.to_json(p)
    for play in GAME.legal(p):
        told = GAME.fx(p, play)
        after = GAME.apply(p, play)
        eaten = sum(fact[0] == "eaten" for fact in told)
        out = sum(fact[0] == "out" for fact in told)
        assert sum(after.reserve) - sum(p.reserve) == eaten - out
    assert GAME.to_json(p) == before
