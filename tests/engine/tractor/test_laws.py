"""Laws of the engine over positions of random games and over random hands, chosen by Hypothesis."""

import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import NUMBER, TEXTS
from games.engine.errors import IllegalPlay
from games.engine.game import SPECTATOR
from games.engine.tractor import follow, trick
from games.engine.tractor.game import GAME
from games.engine.tractor.order import Order, compare, order
from games.engine.tractor.plays import Cards, masks, numbers, play, size
from games.engine.tractor.round import Position
from games.engine.tractor.rules import DECK, RANKS
from games.engine.tractor.shapes import components, shape

from .records import random_game, strange

KINDS = sorted(set(DECK))
many = settings(max_examples=200)
orders = st.builds(order, st.integers(0, len(RANKS) - 1), st.sampled_from([None, 0, 1, 2, 3]))
cards = st.sampled_from(KINDS)


@cache
def visited(seed: int) -> tuple[Position, ...]:
    """Return sixty positions of one random game, from all of it, including the end."""
    roll, seen = random.Random(seed), []

    def look(p: Position, _play: object) -> None:
        if roll.random() < (0.15 if p.phase == "play" else 0.05 if p.phase == "draw" else 0.6):
            seen.append(p.copy())

    *_, end = random_game(seed, look=look)
    return (*roll.sample(seen, 59), end)


positions = st.builds(lambda seed, i: visited(seed)[i].copy(), st.integers(0, 3), st.integers(0, 59))


# --- order -----------------------------------------------------------------------------------------------------------


@many
@given(orders, cards, cards, cards)
def test_beating_is_antisymmetric_and_transitive(held: Order, a: int, b: int, c: int) -> None:
    mirror = {">": "<", "<": ">", "=": "=", "incomparable": "incomparable"}
    assert compare(held, b, a) == mirror[compare(held, a, b)]
    assert (compare(held, a, b) == "=") == (held.suits[a] == held.suits[b] and held.levels[a] == held.levels[b])
    if compare(held, a, b) == compare(held, b, c) == ">":
        assert compare(held, a, c) == ">"


@st.composite
def tricks(draw: st.DrawFn) -> tuple[Order, list[Cards]]:
    """Return an order and four plays of one size, the first of one suit, the others mostly in the suit or in trumps."""
    held, roll = draw(orders), random.Random(draw(st.integers(0, 1 << 30)))
    suit = held.suits[roll.choice(KINDS)]
    pool = [k for k in DECK if held.suits[k] == suit]
    lead = masks(roll.sample(pool, roll.randint(1, min(6, len(pool)))))
    plays = [lead]
    while len(plays) < 4:
        suit = roll.choice([held.suits[lead[0].bit_length() - 1], 4])
        of_suit = [k for k in DECK if held.suits[k] == suit]
        taken = of_suit if len(of_suit) >= size(*lead) and roll.random() < 0.9 else list(DECK)
        plays.append(masks(roll.sample(taken, size(*lead))))
    return held, plays


@many
@given(tricks(), st.permutations([1, 2, 3]))
def test_of_two_plays_at_most_one_beats_the_other(made: tuple[Order, list[Cards]], seats: list[int]) -> None:
    held, plays = made
    lead = shape(held, *plays[0])
    assert lead is not None
    a, b = plays[seats[0]], plays[seats[1]]
    first = trick.winner(held, [plays[0], a, b, b])
    second = trick.winner(held, [plays[0], b, a, a])
    # Never both: a beats a later b, and b beats a later a.
    assert not (first in (2, 3) and second in (2, 3))
    equal = trick.strength(held, lead, *a) == trick.strength(held, lead, *b)
    assert (first == second) == equal or 0 in (first, second)


@many
@given(tricks(), st.permutations([1, 2, 3]))
def test_the_winner_does_not_depend_on_the_order_but_for_ties(
    made: tuple[Order, list[Cards]], seats: list[int]
) -> None:
    held, plays = made
    lead = shape(held, *plays[0])
    assert lead is not None
    turned = [plays[0], *(plays[seat] for seat in seats)]
    won, again = plays[trick.winner(held, plays)], turned[trick.winner(held, turned)]
    if won != plays[0] and again != plays[0]:
        assert trick.strength(held, lead, *won) == trick.strength(held, lead, *again)
    else:
        assert won == again


@many
@given(tricks())
def test_components_hold_every_card_once_and_are_found_again(made: tuple[Order, list[Cards]]) -> None:
    held, (lead, *_) = made
    parts = components(held, *lead)
    found = sorted(k for part in parts for k in numbers(part.one, part.two))
    assert found == numbers(*lead)
    for part in parts:
        assert components(held, part.one, part.two) == (part,)
        assert part.top == held.top(part.one)


# --- positions -------------------------------------------------------------------------------------------------------


@many
@given(positions)
def test_json_round_trips(p: Position) -> None:
    data = GAME.to_json(p)
    again = GAME.from_json(json.loads(json.dumps(data)))
    assert again == p
    assert GAME.to_json(again) == data
    for seat in range(4):
        assert [one.text for one in GAME.legal_plays(again, seat)] == [one.text for one in GAME.legal_plays(p, seat)]


@many
@given(positions)
def test_candidates_are_sorted_distinct_accepted_and_come_back_from_their_text(p: Position) -> None:
    acting = GAME.to_act(p)
    for seat in range(4):
        plays = list(GAME.legal_plays(p, seat))
        texts = [one.text for one in plays]
        assert texts == sorted(set(texts))
        assert plays or not isinstance(acting, frozenset) or seat not in acting
        for one in plays:
            assert GAME.parse_play(p, one.text, seat) == one
            assert GAME.is_legal(p, one, seat)
            for other in range(4):
                assert other == seat or not GAME.is_legal(p, one, other)


@many
@given(positions, st.integers(0, 1 << 30))
def test_apply_is_apply_in_place_on_a_copy_and_leaves_the_position_alone(p: Position, seed: int) -> None:
    before = GAME.to_json(p)
    roll = random.Random(seed)
    for seat in range(4):
        plays = list(GAME.legal_plays(p, seat))
        if p.phase == "play" and seat == p.turn:
            plays.append(strange(p, roll))
        for one in roll.sample(plays, min(3, len(plays))):
            if not GAME.is_legal(p, one, seat):
                continue
            q = p.copy()
            GAME.apply_in_place(q, one)
            assert GAME.apply(p, one, seat) == q
            GAME.facts(p, one)
            assert GAME.to_json(p) == before


@many
@given(positions, positions)
def test_plays_of_other_positions_are_refused_with_a_code_and_change_nothing(p: Position, other: Position) -> None:
    before = GAME.to_json(p)
    for seat in range(4):
        for one in list(GAME.legal_plays(other, seat))[:10]:
            if GAME.is_legal(p, one):
                GAME.apply(p, one)
                continue
            with pytest.raises(IllegalPlay) as caught:
                GAME.apply(p, one)
            assert caught.value.code.isidentifier()
            assert caught.value.sentence
    assert GAME.to_json(p) == before


@many
@given(positions, st.integers(0, 1 << 30))
def test_a_hand_always_has_a_follow_and_any_set_that_keeps_the_duties_is_one(p: Position, seed: int) -> None:
    if p.phase != "play" or not p.trick or p.lead is None or p.order is None:
        return
    hand = p.one[p.turn], p.two[p.turn]
    options = follow.options(p.order, p.lead, hand)
    assert options
    for laid in options:
        assert follow.judge(p.order, p.lead, hand, laid) == follow.OK
    found = strange(p, random.Random(seed))
    duty = follow.judge(p.order, p.lead, hand, (found.one, found.two))
    assert GAME.is_legal(p, found) == (duty == follow.OK)


# --- views -----------------------------------------------------------------------------------------------------------


def shuffled_from(p: Position, viewer: object, roll: random.Random) -> Position:
    """Return a position that only differs in cards hidden from the viewer: other hands, the stock, the talon, buried
    cards.
    """
    q = p.copy()
    hidden = [seat for seat in range(4) if seat != viewer]
    bound = masks([])
    if p.failed:
        bound = p.failed.back
    if p.show and p.phase in ("draw", "show", "bury"):
        bound = p.show.one, p.show.two
    free: list[int] = []
    kept: dict[int, list[int]] = {}
    for seat in hidden:
        mine = numbers(p.one[seat], p.two[seat])
        stays = numbers(*bound) if seat == (p.failed.seat if p.failed else p.show.seat if p.show else -1) else []
        for k in stays:
            if k in mine:
                mine.remove(k)
            else:
                stays = [other for other in stays if other != k]
        kept[seat] = stays
        free += mine
    turned = list(p.turned)
    talon = list(p.talon)[len(turned) :] if p.phase in ("draw", "show") else []
    buried = numbers(*p.buried) if p.phase == "play" and viewer != p.starter else []
    free += [*p.stock, *talon, *buried]
    roll.shuffle(free)
    for seat in hidden:
        count = p.count(seat) - len(kept[seat])
        q.one[seat], q.two[seat] = masks(kept[seat] + [free.pop() for _ in range(count)])
    q.stock = [free.pop() for _ in p.stock]
    if talon:
        q.talon = (*turned, *(free.pop() for _ in talon))
    if buried:
        q.buried = masks(free.pop() for _ in buried)
    assert not free
    return q


@many
@given(positions, st.integers(0, 1 << 30))
def test_a_view_is_unchanged_when_only_cards_hidden_from_the_viewer_change(p: Position, seed: int) -> None:
    roll = random.Random(seed)
    for viewer in (0, 1, 2, 3, SPECTATOR):
        if p.phase == "bury" and viewer != p.starter:
            continue  # the talon has become part of a hidden hand; test_view.py tests that phase
        q = shuffled_from(p, viewer, roll)
        assert GAME.view(q, viewer) == GAME.view(p, viewer)


@many
@given(st.lists(cards, min_size=1, max_size=30))
def test_cards_as_masks_and_numbers_are_the_same_cards(some: list[int]) -> None:
    twice = sorted(k for k in set(some) for _ in range(min(2, some.count(k))))
    one, two = masks(twice)
    assert numbers(one, two) == twice
    assert size(one, two) == len(twice)
    assert play(one, two).text == "play " + " ".join(TEXTS[k] for k in twice)
    assert all(NUMBER[TEXTS[k]] == k for k in twice)
