"""The verifiable deal: commitment, key, deck, blind burns, first dealer.

Steps and test vector: docs/deal.md. H is SHA-256; integers are big-endian; text is ASCII. This module only computes;
the caller supplies all random bytes.
"""

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import count

from games.engine.cards import JOKER, NUMBER, RANK, pack

ZERO_SHARE = bytes(32)
_WORDS = 2**32
# Ranks in the draw for the first dealer, lowest first: the ace is lowest, the joker highest (rulebook section 2).
_DRAW = {rank: i for i, rank in enumerate(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", JOKER))}
_DRAW |= {"BJ": len(_DRAW), "RJ": len(_DRAW) + 1}


def commit(seed: bytes, salt: bytes) -> bytes:
    """Return the commitment of one deal: H("tock-commit-v1" + salt + seed), 32 bytes.

    Raises ValueError unless seed has 32 bytes and salt 16. Source: docs/deal.md, step 1.
    """
    if len(seed) != 32 or len(salt) != 16:
        raise ValueError("a seed has 32 bytes and a salt 16")
    return sha256(b"tock-commit-v1" + salt + seed).digest()


def merkle_leaf(commitment: bytes) -> bytes:
    """Return the leaf of a commitment, H(00 + C). Source: RFC 9162 section 2.1.1."""
    return sha256(b"\x00" + commitment).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _cut(n: int) -> int:
    """Return the largest power of two smaller than n: where RFC 9162 splits a list of n leaves."""
    return 1 << ((n - 1).bit_length() - 1)


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle root over commitments in their order, 32 bytes; without leaves, H of the empty string.

    `leaves`: the commitments themselves, not yet hashed as leaves. Source: RFC 9162 section 2.1.1.
    """
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return merkle_leaf(leaves[0])
    k = _cut(len(leaves))
    return _node(merkle_root(leaves[:k]), merkle_root(leaves[k:]))


def merkle_path(leaves: Sequence[bytes], i: int) -> list[bytes]:
    """Return the inclusion proof of leaf i, nearest sibling first. Raises IndexError when there is no leaf i.

    Source: RFC 9162 section 2.1.3.1.
    """
    if not 0 <= i < len(leaves):
        raise IndexError(f"no leaf {i} among {len(leaves)}")
    if len(leaves) == 1:
        return []
    k = _cut(len(leaves))
    if i < k:
        return [*merkle_path(leaves[:k], i), merkle_root(leaves[k:])]
    return [*merkle_path(leaves[k:], i - k), merkle_root(leaves[:k])]


def merkle_verify(root: bytes, commitment: bytes, i: int, size: int, path: Sequence[bytes]) -> bool:
    """Return whether `path` proves that `commitment` is leaf i of the tree of `size` leaves with this `root`.

    Source: RFC 9162 section 2.1.3.2.
    """
    if not 0 <= i < size:
        return False
    at, last, node = i, size - 1, merkle_leaf(commitment)
    for sibling in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            node = _node(sibling, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = _node(node, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and hmac.compare_digest(node, root)


def share_commitment(share: bytes, game: str, seat: int) -> bytes:
    """Return what a seat publishes before it opens its share: H("tock-share-v1|" + game + "|" + seat + "|" + share).

    It differs from H(share), which enters the key: whoever commits last must not know what the others contribute.
    Source: docs/deal.md, step 2.
    """
    text = b"tock-share-v1|" + game.encode("ascii") + b"|" + seat.to_bytes(4, "big") + b"|"
    return sha256(text + share).digest()


def later_secret(secret: bytes, d: int, size: int) -> bytes:
    """Return the seed or salt of deal `d` (64 or more), which follows from that of deal `d - 64`; `size`: of bytes.

    So all seeds are fixed by the first commitment, before the seats open their shares. Source: docs/deal.md, step 1.
    """
    return hmac.digest(secret, b"tock-later-v1|" + d.to_bytes(4, "big"), "sha256")[:size]


def shares_hash(shares: Sequence[bytes]) -> bytes:
    """Return H(H(c_0) + .. + H(c_N-1)), shares in seat order; a missing share is ZERO_SHARE. Source: docs/deal.md, step 4."""
    return sha256(b"".join(sha256(share).digest() for share in shares)).digest()


def deal_key(seed: bytes, game: str, d: int, shares: Sequence[bytes], beacon: bytes = b"") -> bytes:
    """Return the key of deal d of a game, 32 bytes.

    `game`: the game's public id; `shares`: one of 32 bytes per seat; `beacon`: empty when there is none.
    Source: docs/deal.md, step 4.
    """
    text = b"tock-deal-v1|" + game.encode("ascii") + b"|" + d.to_bytes(4, "big") + b"|"
    return hmac.digest(seed, text + shares_hash(shares) + sha256(beacon).digest(), "sha256")


def stream(key: bytes, prefix: bytes) -> Callable[[int], int]:
    """Return a function below(k) that takes the next number 0..k-1 from the key's stream, without modulo bias.

    Source: docs/deal.md, step 5.
    """
    words = (
        int.from_bytes(block[i : i + 4], "big")
        for counter in count()
        for block in (hmac.digest(key, prefix + counter.to_bytes(8, "big"), "sha256"),)
        for i in range(0, 32, 4)
    )

    def below(k: int) -> int:
        limit = _WORDS - _WORDS % k
        return next(word for word in words if word < limit) % k

    return below


def order(key: bytes, n: int) -> list[int]:
    """Return the numbers 0..n-1 shuffled by the key; index 0 is dealt first. Source: docs/deal.md, step 6."""
    places, below = list(range(n)), stream(key, b"fy")
    for i in range(n - 1, 0, -1):
        j = below(i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def deck(key: bytes, n: int, jokers: str = "tock") -> list[str]:
    """Return n cards as texts; index 0 is dealt first. `jokers`: `tock` (JK JK) or `tractor` (BJ RJ).

    Raises ValueError when n is not a whole number of packs. Source: docs/deal.md, step 6.
    """
    if n % 54 == 0:
        cards = pack(n // 54, {"tock": (JOKER, JOKER), "tractor": ("BJ", "RJ")}[jokers])
    elif n == 52:
        cards = pack(1, ())
    else:
        raise ValueError(f"no deck has {n} cards")
    return [cards[c] for c in order(key, n)]


def stock(key: bytes, cards: Sequence[str]) -> list[str]:
    """Return the undealt `cards` in the order that the key gives them, whatever order they are named in.

    They are shuffled as a deck is, from the order S H D C, ace to king, jokers last. Source: docs/deal.md, step 1.
    """
    named = sorted(cards, key=_STOCK.__getitem__)
    return [named[i] for i in order(key, len(named))]


_STOCK = {text: m for m, text in enumerate(pack(1, (JOKER, "BJ", "RJ")))}


def blind_place(key: bytes, b: int, hand: int) -> int:
    """Return the index that blind burn number b of a deal takes from a hand of `hand` cards sorted by `blind_order`.

    Source: docs/deal.md, step 7.
    """
    return stream(key, b"blind|" + b.to_bytes(4, "big") + b"|")(hand)


_BLIND = {text: m for m, text in enumerate((*pack(1, ()), JOKER))}


def blind_order(hand: Sequence[str]) -> list[str]:
    """Return the hand in the order that blind burns use: suits S H D C, ace to king, jokers last."""
    return sorted(hand, key=_BLIND.__getitem__)


def blind_card(key: bytes, b: int, hand: Sequence[str]) -> str:
    """Return the card that blind burn number b of a deal takes from a hand. Source: docs/deal.md, step 7."""
    return blind_order(hand)[blind_place(key, b, len(hand))]


def first_dealer(cards: Sequence[str], seats: int) -> tuple[int, list[tuple[int, str]]]:
    """Return the first dealer, and the draw as (seat, card) in the order drawn.

    Seats take the shuffled `cards` from index 0 in seat order; seats that tie for the highest card draw again from the
    following cards. Raises ValueError when the cards run out. Source: rulebook section 2, docs/deal.md, step 1.
    """
    drawn: list[tuple[int, str]] = []
    left, tied = iter(cards), list(range(seats))
    while True:
        heights: dict[int, int] = {}
        for seat in tied:
            card = next(left, None)
            if card is None:
                raise ValueError("the deck ran out before the tie was broken")
            drawn.append((seat, card))
            heights[seat] = _DRAW[RANK[NUMBER[card]]]
        best = max(heights.values())
        tied = [seat for seat in tied if heights[seat] == best]
        if len(tied) == 1:
            return tied[0], drawn
