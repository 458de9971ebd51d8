"""The engine's calculations against the slow reference, on random trumps, hands and sets; more with
`python -m tests.engine.tractor.test_agreement 20000`.
"""

import random
import sys
from collections import Counter
from typing import Any

import pytest

from . import reference
from .asking import ask

SEEDS = range(20)
EACH = 30
TRUMPS = [(rank, suit) for rank in reference.RANKS for suit in (*reference.SUITS, None)]


def trumps(roll: random.Random) -> tuple[reference.Trump, dict[str, str | None]]:
    rank, suit = roll.choice(TRUMPS)
    return (rank, suit), {"rank": rank, "suit": suit}


def dealt(roll: random.Random, count: int) -> list[list[str]]:
    """Return four hands of a shuffled deck."""
    deck = roll.sample(reference.DECK, 108)
    return [deck[i * count : (i + 1) * count] for i in range(4)]


def rich(roll: random.Random, trump: reference.Trump, suit: str, pairs: int, singles: int) -> list[str]:
    """Return cards of one effective suit that include pairs, close to each other."""
    of_suit = sorted(
        (card for card in set(reference.DECK) if reference.suit_and_level(trump, card)[0] == suit),
        key=lambda card: (reference.suit_and_level(trump, card)[1], card),
    )
    at = roll.randrange(max(1, len(of_suit) - pairs - 2))
    near = of_suit[at : at + pairs + 2]
    twice = roll.sample(near, min(pairs, len(near)))
    left = [card for card in of_suit if card not in twice]
    return twice * 2 + roll.sample(left, min(singles, len(left)))


def suit_with_cards(roll: random.Random, trump: reference.Trump) -> str:
    return roll.choice(["T", *(suit for suit in reference.SUITS if suit != trump[1])])


def some_lead(roll: random.Random, trump: reference.Trump) -> list[str]:
    lead: list[str] = []
    while not lead:
        lead = rich(roll, trump, suit_with_cards(roll, trump), roll.randrange(5), roll.randrange(3))
    return lead


def check_order(roll: random.Random) -> None:
    trump, written = trumps(roll)
    for _ in range(20):
        a, b = roll.choice(reference.DECK), roll.choice(reference.DECK)
        assert ask("order", trump=written, a=a, b=b) == {"order": reference.order(trump, a, b)}


def check_components(roll: random.Random) -> None:
    trump, written = trumps(roll)
    cards = some_lead(roll, trump)
    if roll.random() < 0.1:
        cards.append(roll.choice([card for card in reference.DECK if cards.count(card) < 2]))
    answer = ask("components", trump=written, cards=cards)
    parts = reference.components(trump, cards)
    assert answer["is_tractor"] == (parts is not None and len(parts) == 1 and len(parts[0]) > 2)
    if parts is None:
        assert answer["components"] is None
    else:
        assert sorted(sorted(part) for part in answer["components"]) == sorted(sorted(part) for part in parts)


def check_follow(roll: random.Random) -> Counter[str]:
    trump, written = trumps(roll)
    lead = some_lead(roll, trump)
    suit = reference.suits(trump, lead).pop()
    hand = rich(roll, trump, suit, roll.randrange(5), roll.randrange(4)) if roll.random() < 0.8 else []
    hand += [card for card in dealt(roll, 8)[0] if hand.count(card) < 2]
    hand = [card for card, many in Counter(hand).items() for _ in range(min(many, 2))]
    told: Counter[str] = Counter()
    for _ in range(6):
        mine = [card for card in hand if reference.suit_and_level(trump, card)[0] == suit]
        pool = mine if len(mine) >= len(lead) and roll.random() < 0.8 else hand
        play = roll.sample(pool, min(len(lead), len(pool)))
        if len(mine) < len(lead) <= len(hand) and roll.random() < 0.7:
            others = [card for card in hand if reference.suit_and_level(trump, card)[0] != suit]
            play = mine + roll.sample(others, len(lead) - len(mine))
        if roll.random() < 0.1:
            play = play[1:]
        if play and roll.random() < 0.1:
            play[0] = roll.choice([card for card in reference.DECK if play.count(card) < 2])
        duty = reference.follow(trump, lead, hand, play)
        assert ask("follow", trump=written, lead=lead, hand=hand, play=play) == {"legal": duty == "OK", "reason": duty}
        told[duty] += 1
    return told


def check_trick(roll: random.Random) -> Counter[int]:
    trump, written = trumps(roll)
    plays: list[list[str]] = [some_lead(roll, trump)]
    pairs, size = len(reference.pairs_in(plays[0])), len(plays[0])
    suit = reference.suits(trump, plays[0]).pop()
    while len(plays) < 4:
        of = "T" if roll.random() < 0.5 else suit
        play = rich(roll, trump, of, pairs + (roll.random() < 0.2), max(0, size - 2 * pairs))[:size]
        if len(play) == size:
            plays.append(play)
        elif roll.random() < 0.3:
            plays.append(roll.sample(reference.DECK, size) if size <= 2 else plays[0])
    plays = [play if max(Counter(play).values()) < 3 else plays[0] for play in plays]
    won = reference.trick(trump, plays)
    assert ask("trick", trump=written, plays=plays) == {"winner": won}
    return Counter([won])


def check_throw(roll: random.Random) -> Counter[bool]:
    trump, written = trumps(roll)
    lead = some_lead(roll, trump)
    suit = reference.suits(trump, lead).pop()
    others = []
    for _ in range(3):
        hand = rich(roll, trump, suit, roll.randrange(3), roll.randrange(2)) if roll.random() < 0.5 else []
        others.append(hand)
    wanted = reference.throw(trump, lead, others)
    answer = ask("throw", trump=written, lead=lead, others=others)
    if "must_lead" in answer:
        answer["must_lead"] = sorted(answer["must_lead"])
    assert answer == wanted
    return Counter([wanted["valid"]])


def check_score(roll: random.Random) -> None:
    points, won = 5 * roll.randrange(-20, 100), roll.choice(["declarers", "attackers"])
    size, talon, starter = roll.randint(1, 25), 5 * roll.randrange(17), roll.randrange(4)
    ours, theirs = roll.choice(reference.RANKS), roll.choice(reference.RANKS)
    assert ask(
        "score", attacker_points=points, last_trick_winner=won, last_trick_size=size, talon_points=talon,
        ranks={"declarers": ours, "attackers": theirs}, starter=starter,
    ) == reference.score(points, won == "attackers", size, talon, ours, theirs, starter)  # fmt: skip


def check_declare(roll: random.Random) -> Counter[str]:
    rank, first = roll.choice(reference.RANKS), roll.random() < 0.5
    starter = None if first else roll.randrange(4)
    pool = [rank + suit for suit in reference.SUITS] + ["RJ", "BJ", "3C" if rank != "3" else "4C"]
    events = []
    for _ in range(roll.randrange(6)):
        card = roll.choice(pool)
        cards = roll.choice([[card], [card, card], [card, roll.choice(pool)]])
        events.append({"seat": roll.randrange(4), "cards": cards})
    talon = roll.sample(reference.DECK, 8)
    request: dict[str, Any] = {
        "round": "first" if first else "later", "trump_rank": rank, "starter": starter, "events": events,
    }  # fmt: skip
    answer = ask("declare", **request, talon=talon)
    wanted = reference.declare(first, rank, starter, events, talon)
    assert answer == wanted
    return Counter([wanted["outcome"]])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_and_the_reference_answer_alike(seed: int) -> None:
    roll = random.Random(seed)
    duties, winners, throws, outcomes = Counter[str](), Counter[int](), Counter[bool](), Counter[str]()
    for _ in range(EACH):
        check_order(roll)
        check_components(roll)
        duties += check_follow(roll)
        winners += check_trick(roll)
        throws += check_throw(roll)
        check_score(roll)
        outcomes += check_declare(roll)
    # All of them must happen, or the test proves nothing.
    assert set(duties) == {"OK", "WRONG_COUNT", "NOT_IN_HAND", "MUST_FOLLOW_SUIT", "MUST_PLAY_PAIRS"}
    assert set(winners) == {0, 1, 2, 3}
    assert set(throws) == {True, False}
    assert set(outcomes) == {"declared", "redeal", "talon"}


def main(words: list[str]) -> int:
    count = int(words[0]) if words else 2_000
    for seed in range(1000, 1000 + count // EACH):
        test_the_engine_and_the_reference_answer_alike(seed)
    print(f"{count} rounds of questions: the engine and the reference answer alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
