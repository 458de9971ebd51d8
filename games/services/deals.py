"""The verifiable deal: secrets drawn when a game is created, and the chance plays that follow from them.

The server commits to 64 seeds before anybody sits down. Decks, the draw of the first dealer and blind burns are
computed from them, from the seats' shares and from the public beacon, where there is one, by `games.engine.shuffle`.
The used seeds are revealed when the game is over.
"""

import secrets
from collections.abc import Sequence
from copy import copy
from typing import Any

from games.engine import registry, shuffle
from games.engine.cards import NUMBER
from games.fold import BY_SEATS, Chain, Shares, acts
from games.models import DealSecret, Game
from tock_league.common.errors import Broken

DEALS = 64
SEED, SALT = 32, 16
SCHEME = "tock-deal-v1"
DRAW = 0  # the deal index of the draw for the first dealer; decks are 1, 2, ..


def draw_secret(game: Game) -> DealSecret:
    """Draw and store the seeds and salts of `game`; call it inside `writing()`."""
    return DealSecret.objects.create(
        game=game, seeds=secrets.token_bytes(DEALS * SEED), salts=secrets.token_bytes(DEALS * SALT)
    )


def draw_more(game: Game) -> None:
    """Add 64 more deals to a game that has used its own; the new root goes into its record.

    They follow from the deals before them: the shares are known by now, and drawn seeds could be chosen to fit them.
    """
    secret = DealSecret.objects.get(game=game)
    secret.seeds = _extended(bytes(secret.seeds), SEED)
    secret.salts = _extended(bytes(secret.salts), SALT)
    secret.save(update_fields=["seeds", "salts"])


def _extended(values: bytes, size: int) -> bytes:
    """Return the concatenated `values` of `size` bytes with 64 more, each derived from the one 64 places before it."""
    first = len(values) // size
    later = [
        shuffle.later_secret(values[(d - DEALS) * size : (d - DEALS + 1) * size], d, size)
        for d in range(first, first + DEALS)
    ]
    return values + b"".join(later)


class Deals:
    """The secret of one game in memory; without a text form, so that no log can show it."""

    def __init__(
        self, *, game: str, rules: str, seats: int, seeds: bytes, salts: bytes, shares: Shares | None = None
    ) -> None:
        """`shares`: those of the seats and the beacon, which are settled before anything is dealt; None: zeros, and no
        beacon.
        """
        self._game = game
        self._beacon = b"" if shares is None else shares.public
        self._shares = [shuffle.ZERO_SHARE] * seats if shares is None else shares.counted
        deck = registry.rules(rules).deck(seats)
        self._cards = len(deck)
        self._jokers = "tractor" if NUMBER["RJ"] in deck else "tock"
        self._seats = seats
        self._seeds = [seeds[i : i + SEED] for i in range(0, len(seeds), SEED)]
        self._salts = [salts[i : i + SALT] for i in range(0, len(salts), SALT)]

    @classmethod
    def of(cls, game: Game, shares: Shares | None = None) -> "Deals":
        """Read the secret of `game`."""
        secret = DealSecret.objects.get(game=game)
        return cls(
            game=game.slug,
            rules=game.rules,
            seats=game.table.seats,
            seeds=bytes(secret.seeds),
            salts=bytes(secret.salts),
            shares=shares,
        )

    def shared(self, shares: Shares) -> "Deals":
        """Return the deals with the shares of the seats and the beacon."""
        found = copy(self)
        found._shares, found._beacon = shares.counted, shares.public
        return found

    def commit(
        self, first: int = 0, *, shares: str = BY_SEATS, setup: str | None = None, chain: Chain | None = None
    ) -> acts.Commit:
        """Return the act that commits to the deals `first` .. `first + 63`, before their cards are dealt.

        `shares`: whether the seats take part; `setup`: the digest of the game's setup, in the first commitment;
        `chain`: the public beacon that takes part, if one does.
        """
        root = shuffle.merkle_root(self._commitments(first)).hex()
        beacon = chain.to_json() if chain is not None else ""
        return acts.Commit(
            scheme=SCHEME, first=first, deals=DEALS, root=root, shares=shares, beacon=beacon, setup=setup
        )

    def committed(self) -> int:
        """Return the number of deals committed to so far."""
        return len(self._seeds)

    def first_dealer(self) -> tuple[int, list[tuple[int, str]]]:
        """Return the dealer and the draw, (seat, card) in the order drawn."""
        return shuffle.first_dealer(self._deck(DRAW), self._seats)

    def stock(self, cards: Sequence[str]) -> list[str]:
        """Return the undealt cards of a game that begins at a position, the next one first."""
        return shuffle.stock(self._key(DRAW), cards)

    def deck_line(self, d: int) -> str:
        """Return deck number `d` (from 1) as a line of notation."""
        return "deck " + " ".join(self._deck(d))

    def blind_card(self, d: int, b: int, hand: Sequence[str]) -> str:
        """Return the card that blind burn number `b` of deck `d` takes from `hand`."""
        return shuffle.blind_card(self._key(d), b, hand)

    def opened(self, used: Sequence[int]) -> acts.Open:
        """Return the act `open`: seed, salt and Merkle path of each deal in `used`, as hex."""
        return acts.Open(deals=tuple([self._opened(d) for d in used]))

    def _opened(self, d: int) -> dict[str, Any]:
        path = shuffle.merkle_path(self._commitments(d - d % DEALS), d % DEALS)
        return {
            "d": d,
            "seed": self._seeds[d].hex(),
            "salt": self._salts[d].hex(),
            "path": [node.hex() for node in path],
        }

    def _commitments(self, first: int) -> list[bytes]:
        """Return the 64 leaves under the root that covers deal `first`."""
        places = range(first, first + DEALS)
        return [shuffle.commit(self._seeds[d], self._salts[d]) for d in places]

    def _key(self, d: int) -> bytes:
        if not 0 <= d < len(self._seeds):
            raise Broken(f"game {self._game} needs deal {d} of {len(self._seeds)}")
        return shuffle.deal_key(self._seeds[d], self._game, d, self._shares, self._beacon)

    def _deck(self, d: int) -> list[str]:
        return shuffle.deck(self._key(d), self._cards, self._jokers)
