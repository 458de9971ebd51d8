"""Requests to a game, and their answers."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games.fold import canonical
from games.permissions import Login, Person


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command."""

    id: str
    seq: int  # the row of a committed command; after a refusal, the last row of the game
    dup: bool = False  # it was carried out before
    code: str = ""  # the refusal's code; empty: committed
    why: str = ""  # a more precise reason
    retry: bool = False  # whether the same id may be sent again
    until: int = 0  # when the reason ends, in milliseconds since 1970; 0: it does not, or nobody knows
    tries: int = field(default=1, compare=False)  # the transactions in which it took part


class Nak(Exception):
    """A refusal, raised before the request has written anything."""

    def __init__(self, code: str, why: str = "", *, retry: bool = False, until: int = 0) -> None:
        super().__init__(code)
        self.code, self.why, self.retry, self.until = code, why or code, retry, until


@dataclass(frozen=True)
class Request:
    """A request of `by` for `seat` at a table."""

    table_id: int
    seat: int
    id: str  # chosen by the sender; a retry has the same one
    turn: str  # `epoch.seq` of the decision that the command answers
    kind: str  # of command, as in the protocol `tock.table.v1`
    args: Mapping[str, str]  # the arguments of this kind
    by: Person
    login: Login | None = None  # what a person signed in with, checked with the seat; None for bots and services
    game_id: int | None = None  # None for the table's current game
    # the game's public id if the sender gives it: a request for a game that is over must not act in the next one
    game: str = ""

    @cached_property
    def digest(self) -> str:
        """Return the hash that tells a retry from a reused id. The text of a call is left out: it can be erased, and no
        trace may remain.
        """
        args = {name: value for name, value in self.args.items() if name != "text"}
        return hashlib.sha256(
            canonical({"seat": self.seat, "turn": self.turn, "kind": self.kind, "args": args})
        ).hexdigest()
