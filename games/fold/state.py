"""The state of a table after its rows: the engine's position, touches, cards laid aside, clocks and the result."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Protocol

from games.engine import registry
from games.engine.game import SPECTATOR, Chance, Game, Rules

from .cap_clock import CapClock, TimeCap
from .clocks import Clocks, ClockSettings, start
from .patch import Json
from .phases import TOUCHING
from .rows import Row, canonical
from .shares import UNSHARED, Shares, no_shares
from .values import UNTOUCHED, Freeze, Result, Touch
from .viewer import Viewer


@dataclass(frozen=True)
class Setup:
    """What is known of a game before its first row, and never changes."""

    game: str  # its public id
    rules: str
    seats: int
    teams: int
    touch: bool = True  # whether touches bind, in a family that has touches
    clocks: ClockSettings | None = None
    number: int = 1  # of this game at its table, from 1
    best_of: int = 1
    wins: tuple[int, ...] = ()  # games won per team before this one, for best of N
    full_ranking: bool = False  # individual play until one seat is left
    rounds: int = 0  # how many are played, 0 if the family's own rule ends the game
    cap: TimeCap | None = None  # the time cap, None where the game goes to its end
    takes_back: bool = False  # a person who plays alone against bots may take the own last play back

    @cached_property
    def family(self) -> "Family":
        """How a family of games behaves at the table."""
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
        """The rule set with which the game began; the edition is part of the id."""
        return registry.rules(self.rules)

    @cached_property
    def digest(self) -> str:
        """Return SHA-256 (hex) of the head of the game's record: what is played, and by how many."""
        head: dict[str, Any] = {
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "teams": self.teams,
            "full_ranking": self.full_ranking,
            "rounds": self.rounds,
        }
        if self.cap is not None:
            head["cap"] = self.cap.to_json()
        return hashlib.sha256(canonical(head)).hexdigest()

    def begin(self, first: int) -> Any:
        """Return the engine's position before the first deck; `first`: the seat named by the draw."""
        return self.engine.new(
            self.rules_data,
            seats=self.seats,
            teams=self.teams,
            dealer=first,
            full_ranking=self.full_ranking,
            rounds=self.rounds,
        )


class Family(Protocol):
    """How a family of games behaves at the table; `games.families.<family>.table` implements it."""

    kinds: frozenset[str]  # commands of this family, besides those of every table
    by_table: frozenset[str]  # first words of the lines that only the table writes
    draw_line: str  # the line of the chance play "draw", "" if cards are not drawn one after another

    def around(self, state: "TableState", row: Row, position: Any) -> dict[str, Any]:
        """Return the table's fields, other than the position, that a play changes; `position`: the new one."""
        ...

    def begins_deal(self, state: "TableState", after: "TableState", row: Row) -> bool:
        """Return whether the play of `row` began a deal: then spectators may see what was before."""
        ...

    def pause(self, state: "TableState") -> int:
        """Return how many of its own steps the table waits before the due chance play; 0: none."""
        ...

    def clocks(
        self, state: "TableState", after: "TableState", row: Row, clocks: Clocks, settings: ClockSettings
    ) -> Clocks:
        """Return the clocks after the play of `row`, which led from `state` to `after`."""
        ...

    def running(self, state: "TableState", clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        """Return the clocks with the current decision of `state` opened at `at`; stopped when nobody is to decide."""
        ...

    def short(self, state: "TableState") -> bool:
        """Return whether the current decision has a short allowance of its own, which does not use the banks."""
        ...

    def counts_timeouts(self, state: "TableState") -> bool:
        """Return whether a seat is at fault when the time of the current decision is up."""
        ...

    def is_choice(self, line: str) -> bool:
        """Return whether the play is a turn that the seat had to take: such turns tell whether players played
        themselves.
        """
        ...

    def rewindable(self, state: "TableState") -> bool:
        """Return whether the last turn may be taken back now, as far as the cards go."""
        ...

    def open_board(self, setup: Setup) -> Json:
        """Return what the game adds to a view before the first deal."""
        ...

    def public(self, state: "TableState") -> Json:
        """Return what all viewers see of the position. Only listed keys are copied."""
        ...

    def own(self, state: "TableState", viewer: Viewer) -> Json:
        """Return what only this viewer sees of the position. Only listed keys are copied; none of them is public."""
        ...

    def line(self, row: Row, viewer: Viewer, setup: Setup) -> str:
        """Return a play's line as the viewer may read it; hidden cards are written `??`."""
        ...

    def score(self, state: "TableState") -> tuple[int, ...]:
        """Return what each team has reached, more is better; zeros before the first deal."""
        ...

    def reached(self, state: "TableState", counts: str) -> tuple[int, ...]:
        """Return what each team has reached by the count of a time cap: see `caps.COUNTS`."""
        ...

    def laid(self, state: "TableState") -> Sequence[str]:
        """Return the cards that everybody has seen laid since the last shuffle, and that lie no more."""
        ...


@dataclass(frozen=True)
class TableState:
    """The fold of a game's rows up to `seq`.

    It contains every hand, so it has no serializer; `view.py` defines what viewers get.
    """

    setup: Setup
    seq: int = 0  # of the last row
    epoch: int = 0  # how many rewinds there were
    at: int = 0  # the time of the last row (ms)
    decision: int = 0  # seq of the event that opened the current decision
    ready: tuple[bool, ...] = ()  # per seat
    shares: Shares = UNSHARED  # the seats' part in the shuffle
    dealer: int | None = None  # the first dealer, None before the draw
    position: Any = field(default=None, repr=False)  # the engine's, None before the first deal
    pile: str = ""  # the card on top, "" if there is none
    # seat -> card laid aside and not yet handed over
    sealed: Mapping[int, str] = field(default_factory=dict, repr=False)
    touch: Touch = UNTOUCHED  # what binds the current decision
    clocks: Clocks | None = None  # None at a table without clocks
    timeouts: tuple[int, ...] = ()  # how many, per seat
    decks: int = 0  # how many decks this game has used
    blinds: int = 0  # blind burns with the current deck
    # (seq, at) of each event that began a deal; the spectators' stream stops there
    deals: tuple[tuple[int, int], ...] = ()
    result: Result | None = None  # None while the game goes on
    frozen: Freeze | None = None  # None while the game is not frozen
    calls: tuple[int, ...] = ()  # calls for the referee, per seat
    phrases: tuple[int, ...] = ()  # preset phrases said, per seat
    imposed: tuple[int, ...] = ()  # blind burns imposed, per seat, served or not
    # the table at each decision of the last turn, oldest first, for a rewind
    back: "tuple[TableState, ...]" = field(default=(), repr=False)
    # the table at each decision of the hand, oldest first, where plays are taken back in practice
    past: "tuple[TableState, ...]" = field(default=(), repr=False)
    out: tuple[int, ...] = ()  # teams that gave up or forfeited while the others go on
    shown: tuple[str, ...] = ()  # the cards laid face up since the last shuffle, in order
    stepped: int = 0  # when the table made its own last step (a deck, a draw); the next one is timed from it
    cap: CapClock | None = None  # None before the first deal, and without a time cap
    credited: int = 0  # until when outages have been credited

    @property
    def decision_id(self) -> str:
        return f"{self.epoch}.{self.decision}"

    @cached_property
    def to_act(self) -> frozenset[int]:
        """The seats that must decide now: none when the game is over or a chance play is due."""
        if self.result is not None:
            return frozenset()
        if self.position is None:
            return frozenset(seat for seat, ready in enumerate(self.ready) if not ready and not self.is_out(seat))
        seats = self.setup.engine.to_act(self.position)
        return frozenset(seats) - set(self.sealed) if isinstance(seats, frozenset) else frozenset()

    @cached_property
    def chance(self) -> str:
        """The chance play that is due: "deck", "draw", "blind", or an empty text."""
        if self.position is None or self.result is not None:
            return ""
        due = self.setup.engine.to_act(self.position)
        return str(due.kind) if isinstance(due, Chance) else ""

    @property
    def burning(self) -> int:
        """The seat whose blind burn is due; only valid if `chance` is "blind"."""
        due = self.setup.engine.to_act(self.position)
        assert isinstance(due, Chance)
        assert due.seat is not None
        return due.seat

    @cached_property
    def may_act(self) -> frozenset[int]:
        """The seats that may act now: those of `to_act`, and those that may act although nobody waits for them."""
        if self.position is None or self.result is not None:
            return self.to_act
        seats = self.setup.engine.may_act(self.position)
        return seats - set(self.sealed) if self.sealed else seats

    @property
    def asked(self) -> frozenset[int]:
        """The seats whose bots may act: those that must act, or if no seat must, those that may."""
        return self.to_act or self.may_act

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """The position as the engine shows it to spectators; empty before the first deal."""
        return {} if self.position is None else self.setup.engine.view(self.position, SPECTATOR)

    @property
    def phase(self) -> str:
        if self.position is None:
            return "seating"
        return str(self.position.phase)

    @property
    def all_there(self) -> bool:
        """Whether every seat of the competing teams is ready."""
        return all(ready or self.is_out(seat) for seat, ready in enumerate(self.ready))

    @property
    def deserted(self) -> list[int]:
        """The seats, in order, that are to act and whose team is out: they get the default play at once."""
        return sorted(seat for seat in self.to_act if self.is_out(seat)) if self.out else []

    def legal(self, seat: int) -> list[str]:
        """Return the legal lines of `seat`, narrowed by what it has touched; empty when it may not act."""
        if self.position is None or seat not in self.may_act:
            return []
        engine, touch = self.setup.engine, self.touch
        plays = engine.narrow(self.position, card=touch.card or None, marbles=touch.marbles, seat=seat)
        return [engine.play_text(play) for play in plays]

    def may_touch_card(self, seat: int, card: str) -> bool:
        """Return whether `seat` has touched no card yet, and a play of it that is not a burn uses this one."""
        if not self._touches(seat) or self.touch.card:
            return False
        return any(line.split(" ", 1)[0] == card for line in self.legal(seat) if not line.startswith("burn "))

    def may_touch_marble(self, seat: int, marble: str) -> bool:
        """Return whether a play of `seat` uses this marble and everything that it has touched already."""
        touch = self.touch
        if not self._touches(seat) or marble in touch.marbles:
            return False
        return self.setup.engine.may_touch(self.position, marble, card=touch.card or None, marbles=touch.marbles)

    def _touches(self, seat: int) -> bool:
        return self.setup.engine.touches and self.phase in TOUCHING and seat in self.to_act

    def changed(self, **values: Any) -> "TableState":
        """Return a copy with these fields changed: a faster `dataclasses.replace`, because every play does it."""
        own = self.__dict__
        found = object.__new__(TableState)
        found.__dict__.update({name: own[name] for name in _FIELDS})
        found.__dict__.update(values)
        return found

    def untouched(self) -> "TableState":
        """Return the table for a rewind: its decision without touches, and nothing further back."""
        return self.changed(back=(), past=(), touch=UNTOUCHED)

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
        setup=setup,
        ready=(False,) * setup.seats,
        shares=no_shares(setup.seats),
        clocks=clocks,
        timeouts=zeros,
        calls=zeros,
        phrases=zeros,
        imposed=zeros,
    )


def family_of(rules: str) -> Family:
    """Return how the family of a rule set behaves at the table: TABLE of its module `table`; raises the engine's
    UnknownRules.

    The module is found by name because it imports this one.
    """
    family: Family = registry.part(rules, "table").TABLE
    return family
