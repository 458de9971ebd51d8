"""The seats' shares of the shuffle: committed with `ready`, opened when all seats are ready (docs/deal.md, step 2)."""

from dataclasses import dataclass, replace

from games.engine import shuffle

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

    @property
    def any(self) -> bool:
        """Whether a seat has committed."""
        return any(self.committed)

    @property
    def open(self) -> bool:
        """Whether shares are opened now."""
        return bool(self.until) and not self.closed

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

    def fits(self, game: str, seat: int, share: str) -> bool:
        """Return whether `share` (64 hex digits) is what the seat has committed to."""
        return shuffle.share_commitment(bytes.fromhex(share), game, seat).hex() == self.committed[seat]


UNSHARED = Shares()  # before the first row


def no_shares(seats: int, root: str = "") -> Shares:
    """Return the shares before any seat has committed."""
    return Shares(root=root, committed=("",) * seats, opened=("",) * seats)


def _put(values: tuple[str, ...], seat: int, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
