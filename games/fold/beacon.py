"""The public beacon: a chain of random values, one round after another, of which a game uses one (docs/deal.md, step 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

SCHEME = "bls-unchained-g1-rfc9380"
LEAD_MS = 3_000  # the round of a game is published at least so long after the seats' deadline
WAIT_MS = 30_000  # so long after its publication the cards are dealt without it


@dataclass(frozen=True, slots=True)
class Chain:
    """A source of rounds, as the first commitment of a game names it."""

    chain: str  # the hash by which the source calls the chain
    key: str  # the public key that signs its rounds, as hex
    genesis: int  # when round 1 was published (s since 1970)
    period: int  # seconds from one round to the next
    scheme: str = SCHEME

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Chain":
        """Return the chain of a commitment. Raises ValueError unless it is written as `to_json` writes it."""
        try:
            chain = cls(**found)
        except TypeError:
            raise ValueError("a chain has chain, key, genesis, period and scheme") from None
        numbers = chain.genesis, chain.period
        if any(type(number) is not int for number in numbers) or not (
            0 <= chain.genesis < 2**33 and 0 < chain.period <= 3600
        ):
            raise ValueError("genesis is a time in seconds, and period a number of seconds from 1 to 3600")
        if not (_is_hex(chain.chain, 32) and _is_hex(chain.key, 96)) or chain.scheme != SCHEME:
            raise ValueError(f"chain has 32 bytes in hex and key 96, and scheme is {SCHEME}")
        return chain

    def to_json(self) -> dict[str, Any]:
        return {
            "chain": self.chain,
            "key": self.key,
            "genesis": self.genesis,
            "period": self.period,
            "scheme": self.scheme,
        }

    def published(self, round_: int) -> int:
        """Return when the round is published (ms)."""
        return (self.genesis + (round_ - 1) * self.period) * 1000

    def first_from(self, at: int) -> int:
        """Return the first round that is published at `at` (ms) or later."""
        return max(1, -((self.genesis * 1000 - at) // (self.period * 1000)) + 1)


@dataclass(frozen=True, slots=True)
class Beacon:
    """The part of the beacon in one game."""

    chain: Chain
    round: int = 0  # 0: not fixed yet
    by: int = 0  # when the cards are dealt without it (ms)
    settled: bool = False  # its bytes are known, or it is absent
    randomness: bytes = b""  # empty: absent, or not known yet

    @property
    def due(self) -> int:
        """When its round is published (ms)."""
        return self.chain.published(self.round)

    def fixed(self, round_: int) -> "Beacon":
        """Return the beacon with its round."""
        return replace(self, round=round_, by=self.chain.published(round_) + WAIT_MS)

    def later(self, ms: int, back: int) -> "Beacon":
        """Return the beacon after an outage of `ms` that ended at `back`: nobody could ask for the round meanwhile."""
        return replace(self, by=max(self.by + ms, back + WAIT_MS))


def round_for(chain: Chain, until: int) -> int:
    """Return the round of a game whose seats may open their shares until `until` (ms)."""
    return chain.first_from(until + LEAD_MS)


def _is_hex(value: object, size: int) -> bool:
    if not isinstance(value, str) or len(value) != 2 * size:
        return False
    return all(letter in "0123456789abcdef" for letter in value)
