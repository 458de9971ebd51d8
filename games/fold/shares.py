"""The seats' shares of the shuffle: committed with `ready`, opened when all seats are ready (docs/deal.md, step 2)."""

from dataclasses import dataclass, replace

from games.engine import shuffle

from .beacon import Beacon

SHARE_MS = 20_000  # how long seats may take to open their shares
BY_SEATS = "seats"  # `Commit.shares` of a game whose seats take part
NONE = "zero"  # of an older game: no seat takes part


@dataclass(frozen=True, slots=True)
class Shares:
    """Commitments and shares, per seat and as hex; an empty text where a seat has given none."""

    root: str = ""  # of the server's commitment; empty in a game whose seats take no part
    committed: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    since: int = 0  # when the seats were asked to open (ms); 0: not yet
    until: int = 0  # when it is too late (ms); 0: not yet
    closed: bool = False  # what is not opened now counts as zeros
    beacon: Beacon | None = None  # None in a game without one

    @property
    def any(self) -> bool:
        """Whether a seat has committed."""
        return any(self.committed)

    @property
    def open(self) -> bool:
        """Whether shares are opened now."""
        return bool(self.until) and not self.closed

    @property
    def pending(self) -> bool:
        """Whether the shares are settled and the beacon's round is waited for."""
        return self.closed and self.beacon is not None and not self.beacon.settled

    @property
    def settled(self) -> bool:
        """Whether nothing is waited for any more, once all seats are ready."""
        if self.beacon is not None:
            return self.beacon.settled
        return self.closed or not self.any

    @property
    def public(self) -> bytes:
        """The beacon's bytes that enter the keys; empty where there are none."""
        return self.beacon.randomness if self.beacon is not None else b""

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have committed and not opened, in order."""
        return tuple(
            seat
            for seat, (promise, share) in enumerate(zip(self.committed, self.opened, strict=True))
            if promise and not share
        )

    @property
    def counted(self) -> list[bytes]:
        """The shares that enter the keys: of each seat what it has opened, or zeros."""
        return [bytes.fromhex(share) if share else shuffle.ZERO_SHARE for share in self.opened]

    def commit(self, seat: int, commitment: str) -> "Shares":
        """Return the shares with a commitment."""
        return replace(self, committed=_put(self.committed, seat, commitment))

    def add(self, seat: int, share: str) -> "Shares":
        """Return the shares with one more opened."""
        return replace(self, opened=_put(self.opened, seat, share))

    def later(self, ms: int, back: int, least: int) -> "Shares":
        """Return the shares after an outage of `ms` that ended at `back` (ms): seats have `least` left. The beacon's
        round stays: whoever could choose another one would choose after seeing it.
        """
        until = max(self.until + ms, back + least) if self.open else self.until
        return replace(self, until=until, beacon=self.beacon and self.beacon.later(ms, back))

    def fits(self, game: str, seat: int, share: str) -> bool:
        """Return whether `share` (64 hex digits) is what the seat has committed to."""
        return shuffle.share_commitment(bytes.fromhex(share), game, seat).hex() == self.committed[seat]


UNSHARED = Shares()  # before the first row


def no_shares(seats: int, root: str = "", beacon: Beacon | None = None) -> Shares:
    """Return the shares before any seat has committed."""
    return Shares(root=root, committed=("",) * seats, opened=("",) * seats, beacon=beacon)


def _put(values: tuple[str, ...], seat: int, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
