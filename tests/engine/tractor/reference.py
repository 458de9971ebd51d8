"""A second implementation of rulebook T2 to T7, slow and simple, on texts: it shares no line with the engine.

Trumps are a pair (rank, suit), with suit None in a no-trump round, where the rank has no effect. Cards are texts, sets
are lists.
"""

from collections import Counter
from itertools import combinations
from typing import Any

SUITS = ["C", "D", "H", "S"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
Trump = tuple[str, str | None]
DECK = [rank + suit for rank in RANKS for suit in SUITS] * 2 + ["RJ", "RJ", "BJ", "BJ"]


def suit_and_level(trump: Trump, card: str) -> tuple[str, int]:
    """Return the effective suit, "T" for trumps, and the level (T2)."""
    if card in ("BJ", "RJ"):
        return "T", {"BJ": 14, "RJ": 15}[card]
    rank, suit = card[:-1], card[-1]
    if trump[1] is None:
        return suit, RANKS.index(rank)
    if rank == trump[0]:
        return "T", 13 if suit == trump[1] else 12
    level = [other for other in RANKS if other != trump[0]].index(rank)
    return ("T" if suit == trump[1] else suit), level


def order(trump: Trump, a: str, b: str) -> str:
    """Return how two cards compare in a trick."""
    (suit_a, level_a), (suit_b, level_b) = suit_and_level(trump, a), suit_and_level(trump, b)
    if suit_a == suit_b:
        return "=" if level_a == level_b else ">" if level_a > level_b else "<"
    return ">" if suit_a == "T" else "<" if suit_b == "T" else "incomparable"


def suits(trump: Trump, cards: list[str]) -> set[str]:
    """Return the effective suits among the cards."""
    return {suit_and_level(trump, card)[0] for card in cards}


def pairs_in(cards: list[str]) -> list[str]:
    """Return the cards that are there twice."""
    return [card for card, many in Counter(cards).items() if many == 2]


def components(trump: Trump, cards: list[str]) -> list[list[str]] | None:
    """Return the tractors, pairs and singles of a set (T4), None when it mixes suits."""
    if len(suits(trump, cards)) != 1:
        return None
    # The first suit in the order C D H S joins a run: one pair per level, the others stay separate.
    level = {card: suit_and_level(trump, card)[1] for card in cards}
    joins: dict[int, str] = {}
    alone = []
    for card in sorted(pairs_in(cards), key=lambda card: SUITS.index(card[-1]) if card[-1] in SUITS else 0):
        if level[card] in joins:
            alone.append(card)
        else:
            joins[level[card]] = card
    found = []
    for bottom in sorted(joins):
        if bottom - 1 in joins:
            continue
        run, top = [], bottom
        while top in joins:
            run += [joins[top]] * 2
            top += 1
        found.append(run)
    found += [[card, card] for card in alone]
    found += [[card] for card, many in Counter(cards).items() if many == 1]
    return sorted(found, key=len, reverse=True)


def follow(trump: Trump, lead: list[str], hand: list[str], play: list[str]) -> str:
    """Return OK or the first duty of T5 that the play breaks."""
    led = suits(trump, lead).pop()
    n, p = len(lead), len(pairs_in(lead))
    if len(play) != n:
        return "WRONG_COUNT"
    if Counter(play) - Counter(hand):
        return "NOT_IN_HAND"
    of_suit = [card for card in hand if suit_and_level(trump, card)[0] == led]
    laid = [card for card in play if suit_and_level(trump, card)[0] == led]
    if len(of_suit) < n:
        return "OK" if len(laid) == len(of_suit) else "MUST_FOLLOW_SUIT"
    if len(laid) != n:
        return "MUST_FOLLOW_SUIT"
    return "OK" if len(pairs_in(laid)) >= min(p, len(pairs_in(of_suit))) else "MUST_PLAY_PAIRS"


def arrangements(trump: Trump, cards: list[str], sizes: list[int]) -> list[list[list[str]]]:
    """Return every way to arrange cards of one suit as runs of that many pairs (1 is a pair); odd cards are singles."""
    if not sizes:
        return [[]]
    found = []
    pairs = pairs_in(cards)
    for chosen in combinations(pairs, sizes[0]):
        levels = sorted(suit_and_level(trump, card)[1] for card in chosen)
        if levels != list(range(levels[0], levels[0] + sizes[0])):
            continue
        left = [card for card in cards if card not in chosen]
        found += [[list(chosen), *rest] for rest in arrangements(trump, left, sizes[1:])]
    return found


def deciding(trump: Trump, lead: list[list[str]], cards: list[str]) -> int | None:
    """Return the level of the deciding card among cards of one suit that follow these components, None if they cannot
    be arranged so.
    """
    sizes = sorted((len(part) // 2 for part in lead if len(part) > 1), reverse=True)
    ways = arrangements(trump, cards, sizes)
    if not ways:
        return None

    def top(some: list[str]) -> int:
        return max(suit_and_level(trump, card)[1] for card in some)

    if not sizes:
        return top(cards)
    # The longest run decides, or else the highest pair; of several arrangements the best one counts.
    return max(top(part) for way in ways for part, size in zip(way, sizes, strict=True) if size == sizes[0])


def trick(trump: Trump, plays: list[list[str]]) -> int:
    """Return the index of the winning play (T6)."""
    lead = components(trump, plays[0])
    assert lead is not None
    led = suits(trump, plays[0]).pop()
    if len(lead) > 1 and led == "T":
        return 0
    best, won, ruffed = deciding(trump, lead, plays[0]), 0, led == "T"
    assert best is not None
    for i, play in enumerate(plays[1:], 1):
        if suits(trump, play) == {"T"}:
            level = deciding(trump, lead, play)
            if level is not None and (not ruffed or level > best):
                best, won, ruffed = level, i, True
        elif suits(trump, play) == {led} and not ruffed and len(lead) == 1:
            level = deciding(trump, lead, play)
            if level is not None and level > best:
                best, won = level, i
    return won


def throw(trump: Trump, lead: list[str], others: list[list[str]]) -> dict[str, Any]:
    """Return whether a throw stands, and otherwise what is led, how many cards go back and the points paid (T4)."""
    parts = components(trump, lead)
    assert parts is not None
    if len(parts) == 1:
        return {"valid": True}
    led = suits(trump, lead).pop()
    weak = []
    for part in parts:
        top = max(suit_and_level(trump, card)[1] for card in part)
        for hand in others:
            mine = [card for card in hand if suit_and_level(trump, card)[0] == led]
            if len(part) == 1:
                beats = any(suit_and_level(trump, card)[1] > top for card in mine)
            else:
                levels = {suit_and_level(trump, card)[1] for card in pairs_in(mine)}
                length = len(part) // 2
                beats = any(
                    end > top and all(level in levels for level in range(end - length + 1, end + 1)) for end in levels
                )
            if beats:
                weak.append((len(part), top, SUITS.index(part[0][-1]) if part[0][-1] in SUITS else 0, part))
                break
    if not weak:
        return {"valid": True}
    instead = min(weak)[-1]
    back = len(lead) - len(instead)
    return {"valid": False, "must_lead": sorted(instead), "withdrawn": back, "penalty": 10 * back}


def points(cards: list[str]) -> int:
    """Return the points of the cards."""
    return sum({"K": 10, "10": 10, "5": 5}.get(card[:-1], 0) for card in cards)


def score(
    captured: int, opponents_won_last: bool, size: int, talon: int, declarers: str, opponents: str, starter: int
) -> dict[str, Any]:
    """Return the row of T7's table. Ranks as texts, `won` beyond the ace."""
    total = captured + (talon * 2 * size if opponents_won_last else 0)
    ours = theirs = 0
    if total <= 0:
        ours = 3
    elif total <= 35:
        ours = 2
    elif total <= 75:
        ours = 1
    elif total >= 240:
        theirs = 4
        while total >= 280:
            theirs, total = theirs + 1, total - 40
    elif total >= 200:
        theirs = 3
    elif total >= 160:
        theirs = 2
    elif total >= 120:
        theirs = 1
    total = captured + (talon * 2 * size if opponents_won_last else 0)

    def climbed(rank: str, by: int) -> str:
        return (RANKS + ["won"] * 200)[RANKS.index(rank) + by]

    after = climbed(declarers, ours), climbed(opponents, theirs)
    over = "won" in after
    swap = total >= 80
    return {
        "total": total,
        "declarers_gain": ours,
        "attackers_gain": theirs,
        "declarers_rank": after[0],
        "attackers_rank": after[1],
        "next_declarers": None if over else "swap" if swap else "same",
        "next_starter": None if over else (starter + 1 if swap else starter + 2) % 4,
        "game_over": over,
        "winner": ("declarers" if after[0] == "won" else "attackers") if over else None,
    }


def declare(
    first: bool, rank: str, starter: int | None, events: list[dict[str, Any]], talon: list[str] | None
) -> dict[str, Any]:
    """Return the result of the shows, or of the talon (T3)."""
    accepted: list[bool] = []
    standing: dict[str, Any] | None = None

    def strength(cards: list[str]) -> int:
        if len(cards) == 1 and cards[0][:-1] == rank:
            return 1
        if len(cards) == 2 and cards[0] == cards[1]:
            return 3 if cards[0] in ("RJ", "BJ") else 2 if cards[0][:-1] == rank else 0
        return 0

    for event in events:
        mine = strength(event["cards"])
        fine = mine > 0
        if standing:
            fine = mine > strength(standing["cards"])
            if standing["seat"] == event["seat"]:
                fine = fine and set(event["cards"]) == set(standing["cards"])
        accepted.append(fine)
        if fine:
            standing = event
    if standing:
        suit = None if standing["cards"][0] in ("RJ", "BJ") else standing["cards"][0][-1]
        return {
            "accepted": accepted,
            "outcome": "declared",
            "trump_suit": suit,
            "starter": standing["seat"] if first else starter,
        }
    if first:
        return {"accepted": accepted, "outcome": "redeal", "trump_suit": None, "starter": None}
    assert talon is not None
    for count, card in enumerate(talon, 1):
        if card[:-1] == rank:
            return _named(accepted, card, starter, count)
    plain = [card for card in talon if card not in ("RJ", "BJ")]
    highest = max(RANKS.index(card[:-1]) for card in plain)
    return _named(accepted, next(c for c in plain if RANKS.index(c[:-1]) == highest), starter, len(talon))


def _named(accepted: list[bool], card: str, starter: int | None, count: int) -> dict[str, Any]:
    return {
        "accepted": accepted, "outcome": "talon", "trump_suit": card[-1], "starter": starter, "exposed": count,
    }  # fmt: skip
