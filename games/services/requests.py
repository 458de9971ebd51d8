"""What is asked of a game and what is answered."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games.fold import canonical
from games.permissions import Login, Person


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command led to. `code` empty: committed, and `seq` is its row; else the refusal's code, and `seq` the last
    row of the game, `why` the finer reason, `retry` whether the same id may be sent again. `tries`: the transactions it took
    part in."""

    id: str
    seq: int
    dup: bool = False
    code: str = ""
    why: str = ""
    retry: bool = False
    tries: int = field(default=1, compare=False)


class Nak(Exception):
    """A refusal; undoes the transaction."""

    def __init__(self, code: str, why: str = "", *, retry: bool = False) -> None:
        super().__init__(code)
        self.code, self.why, self.retry = code, why or code, retry


@dataclass(frozen=True)
class Request:
    """What `by` asks for `seat` at a table: in the game `game_id`, or in the table's current one.

    `turn`: the decision the command answers, `epoch.seq`. `game`: the public id of the game it is about, if the sender says so:
    one that was sent in a game that is over acts in no other. `kind`, `args`: as in `tock.table.v1`. `login`: what a person
    signed in with, checked with the seat; None for bots and services.
    """

    table_id: int
    seat: int
    id: str
    turn: str
    kind: str
    args: Mapping[str, str]
    by: Person
    login: Login | None = None
    game_id: int | None = None
    game: str = ""

    @cached_property
    def digest(self) -> str:
        """What tells a retry from an id used twice. What a caller says is left out: it can be erased, so no trace stays."""
        args = {name: value for name, value in self.args.items() if name != "text"}
        return hashlib.sha256(
            canonical({"seat": self.seat, "turn": self.turn, "kind": self.kind, "args": args})
        ).hexdigest()
