"""The table as its rows left it: position by the engine, and around it seats, touches, sealed cards, clocks and the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Protocol

from games.engine import registry
from games.engine.game import SPECTATOR, Chance, Game, Rules

from .clocks import Clocks, ClockSettings, start
from .patch import Json
from .rows import Row
from .values import UNTOUCHED, Freeze, Result, Touch
from .viewer import Viewer


@dataclass(frozen=True)
class Setup:
    """What is known of a game before its first row, and never changes.

    `game`: its public id. `wins`: games won per team before this one, for best of N. `full_ranking`: everybody for himself,
    until one seat is left. `rounds`: how many are played, 0 where the family's own end decides.
    """

    game: str
    rules: str
    seats: int
    teams: int
    touch: bool = True
    clocks: ClockSettings | None = None
    number: int = 1
    best_of: int = 1
    wins: tuple[int, ...] = ()
    full_ranking: bool = False
    rounds: int = 0

    @cached_property
    def family(self) -> "Family":
        """What this family does at the table in its own way."""
        return family_of(self.rules)

    @property
    def touches(self) -> bool:
        """Whether what a seat touches binds it here."""
        return self.touch and self.engine.touches

    @cached_property
    def engine(self) -> Game[Any, Any]:
        """The family's Game object of the engine."""
        return registry.game(self.rules)

    @cached_property
    def rules_data(self) -> Rules:
        """The rule set the game began with; the edition is part of the id."""
        return registry.rules(self.rules)

    def begin(self, first: int) -> Any:
        """Return the engine's position before the first deck; `first`: the seat that the first draw named."""
        return self.engine.new(
            self.rules_data,
            seats=self.seats,
            teams=self.teams,
            dealer=first,
            full_ranking=self.full_ranking,
            rounds=self.rounds,
        )


class Family(Protocol):
    """`kinds`: commands of this family, besides those that every table knows. `by_table`: first words of the lines that
    only the table writes. `draw_line`: the line of the chance play "draw", "" where cards are not drawn one after another."""

    kinds: frozenset[str]
    by_table: frozenset[str]
    draw_line: str

    def around(self, state: "TableState", row: Row, position: Any) -> dict[str, Any]:
        """Return the fields of the table that a play changes besides the position, which is now `position`."""
        ...

    def begins_deal(self, state: "TableState", after: "TableState", row: Row) -> bool:
        """Return whether the play of `row` began a deal: what was before may be shown to spectators now."""
        ...

    def pause(self, state: "TableState") -> int:
        """Return how many of its own steps the table waits before the chance play that is due; 0: it follows at once."""
        ...

    def clocks(
        self, state: "TableState", after: "TableState", row: Row, clocks: Clocks, settings: ClockSettings
    ) -> Clocks:
        """Return the clocks after the play of `row`, which led from `state` to `after`."""
        ...

    def running(self, state: "TableState", clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        """Return the clocks with the running decision of `state` opened at `at`; stopped when nobody is to decide."""
        ...

    def short(self, state: "TableState") -> bool:
        """Return whether the running decision has a short allowance of its own, which leaves the banks alone."""
        ...

    def counts_timeouts(self, state: "TableState") -> bool:
        """Return whether it is a seat's fault when the time of the running decision is up."""
        ...

    def is_choice(self, line: str) -> bool:
        """Return whether the play is a turn that the seat owed: such turns say whether somebody played the game himself."""
        ...

    def rewindable(self, state: "TableState") -> bool:
        """Return whether the last turn may be taken back now, as far as the cards go."""
        ...

    def open_board(self, setup: Setup) -> Json:
        """Return the part of a view that the game adds before the first deal."""
        ...

    def public(self, state: "TableState") -> Json:
        """Return what all viewers see of the position, key by key: an allow-list."""
        ...

    def own(self, state: "TableState", viewer: Viewer) -> Json:
        """Return what this viewer alone sees of the position: an allow-list; no key of it is a public one."""
        ...

    def line(self, row: Row, viewer: Viewer, setup: Setup) -> str:
        """Return a play's line as the viewer may read it; hidden cards are written `??`."""
        ...

    def score(self, state: "TableState") -> tuple[int, ...]:
        """Return what each team has reached, the more the better; zeros before the first deal."""
        ...

    def laid(self, state: "TableState") -> Sequence[str]:
        """Return the cards that everybody has seen laid since the last shuffle, and that lie no more."""
        ...


@dataclass(frozen=True)
class TableState:
    """The fold of a game's rows up to `seq`. Holds every hand: it has no serializer, see `view.py` for what may be told.

    `decision`: seq of the event that opened the running decision. `ready`: per seat. `position`: the engine's, None
    before the first deal. `sealed`: seat -> card laid aside and not yet handed over. `timeouts`: per seat.
    `decks`, `blinds`: how many decks this game has used, and how many blind burns the present deck. `deals`: (seq, at) of
    each event that began a deal; the spectators' stream stops there. `result`: None while the game goes on.
    `frozen`: None while play goes on. `calls`: calls for the referee, per seat. `imposed`: blind burns imposed, per seat,
    served or not. `back`: the table at each decision of the last turn, oldest first, for a rewind. `out`: teams that gave up
    or forfeited while the others go on. `shown`: the cards laid face up since the last shuffle, in order.
    `stepped`: when the table made its own last step (a deck, a draw), from which the next one is counted.
    `credited`: until when outages have been given back by `credit` rows.
    """

    setup: Setup
    seq: int = 0
    epoch: int = 0
    at: int = 0
    decision: int = 0
    ready: tuple[bool, ...] = ()
    dealer: int | None = None
    position: Any = field(default=None, repr=False)
    pile: str = ""
    sealed: Mapping[int, str] = field(default_factory=dict, repr=False)
    touch: Touch = UNTOUCHED
    clocks: Clocks | None = None
    timeouts: tuple[int, ...] = ()
    decks: int = 0
    blinds: int = 0
    deals: tuple[tuple[int, int], ...] = ()
    result: Result | None = None
    frozen: Freeze | None = None
    calls: tuple[int, ...] = ()
    imposed: tuple[int, ...] = ()
    back: "tuple[TableState, ...]" = field(default=(), repr=False)
    out: tuple[int, ...] = ()
    shown: tuple[str, ...] = ()
    stepped: int = 0
    credited: int = 0

    @property
    def decision_id(self) -> str:
        return f"{self.epoch}.{self.decision}"

    @cached_property
    def to_act(self) -> frozenset[int]:
        """The seats that must decide now: none when the game is over or chance is to play."""
        if self.result is not None:
            return frozenset()
        if self.position is None:
            return frozenset(seat for seat, ready in enumerate(self.ready) if not ready and not self.is_out(seat))
        seats = self.setup.engine.to_act(self.position)
        return frozenset(seats) - set(self.sealed) if isinstance(seats, frozenset) else frozenset()

    @cached_property
    def chance(self) -> str:
        """What chance must play now: "deck", "draw", "blind", or nothing."""
        if self.position is None or self.result is not None:
            return ""
        due = self.setup.engine.to_act(self.position)
        return str(due.kind) if isinstance(due, Chance) else ""

    @property
    def burning(self) -> int:
        """The seat whose blind burn is due; asked for where `chance` is "blind"."""
        due = self.setup.engine.to_act(self.position)
        assert isinstance(due, Chance)
        assert due.seat is not None
        return due.seat

    @cached_property
    def may_act(self) -> frozenset[int]:
        """The seats that may do something now: those of `to_act`, and who may speak though nobody waits for it."""
        if self.position is None or self.result is not None:
            return self.to_act
        seats = self.setup.engine.may_act(self.position)
        return seats - set(self.sealed) if self.sealed else seats

    @property
    def asked(self) -> frozenset[int]:
        """The seats that a bot answers for when it looks up: those that must act, where nobody must those that may."""
        return self.to_act or self.may_act

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """The position as the engine tells it to those who hold no seat; empty before the first deal."""
        return {} if self.position is None else self.setup.engine.view(self.position, SPECTATOR)

    @property
    def phase(self) -> str:
        if self.position is None:
            return "seating"
        return str(self.position.phase)

    @property
    def all_there(self) -> bool:
        """Whether every seat is ready whose team still plays."""
        return all(ready or self.is_out(seat) for seat, ready in enumerate(self.ready))

    @property
    def deserted(self) -> list[int]:
        """The seats, in order, that are to act and whose team is out: nobody waits for them."""
        return sorted(seat for seat in self.to_act if self.is_out(seat)) if self.out else []

    def legal(self, seat: int) -> list[str]:
        """Return the lines still open to `seat`, narrowed by what it has touched; empty when it may not act."""
        if self.position is None or seat not in self.may_act:
            return []
        engine, touch = self.setup.engine, self.touch
        plays = engine.narrow(self.position, card=touch.card or None, marbles=touch.marbles, seat=seat)
        return [engine.play_text(play) for play in plays]

    def may_touch(self, marble: str) -> bool:
        """Return whether the seat to act may touch the marble after what it has touched. Raises the engine's errors."""
        touch = self.touch
        return self.setup.engine.may_touch(self.position, marble, card=touch.card or None, marbles=touch.marbles)

    def changed(self, **values: Any) -> "TableState":
        """Return the table with these fields changed: what `dataclasses.replace` does, which would be felt in every play."""
        own = self.__dict__
        found = object.__new__(TableState)
        found.__dict__.update({name: own[name] for name in _FIELDS})
        found.__dict__.update(values)
        return found

    def untouched(self) -> "TableState":
        """Return the table as a rewind finds it: its decision without touches, and nothing further back."""
        return self.changed(back=(), touch=UNTOUCHED)

    def team(self, seat: int) -> int:
        """Return the team of `seat` (rulebook section 10)."""
        return seat % self.setup.teams

    def is_out(self, seat: int) -> bool:
        """Return whether the team of `seat` has given up while the others go on."""
        return self.team(seat) in self.out


_FIELDS = tuple(each.name for each in fields(TableState))


def opening(setup: Setup) -> TableState:
    """Return the table before its first row."""
    clocks = start(setup.clocks, setup.seats) if setup.clocks else None
    zeros = (0,) * setup.seats
    return TableState(
        setup=setup, ready=(False,) * setup.seats, clocks=clocks, timeouts=zeros, calls=zeros, imposed=zeros
    )


def family_of(rules: str) -> Family:
    """Return what the family of a rule set does at the table: TABLE of its module `table`; raises the engine's UnknownRules.

    The module is found by name, for it imports this one.
    """
    family: Family = registry.part(rules, "table").TABLE
    return family
