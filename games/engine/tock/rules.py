"""A rule set of the family as data: how cards are dealt, and what each card may do (rulebook sections 2, 3, 9, 10).

A card's powers are frozen classes. A new power is one class here and its case in `legal/sheet.py` and `moves.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from games.engine.cards import JOKER, NUMBER, RANK, pack
from games.engine.errors import UnknownRules, shown
from games.engine.tock.board import Board, board


class Every(Enum):
    """How often something happens: at each deal, once a deck, once a game."""

    DEAL = "deal"
    DECK = "deck"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Out:
    """A marble comes out of the reserve onto its start."""


@dataclass(frozen=True, slots=True)
class Forward:
    """An own marble goes forward `steps`.

    `eats_passed`: it eats what it passes over too. `any_marble`: any marble on the track may be moved, whoever owns it.
    `next_burns`: the next seat burns a card. `over_fresh`: fresh marbles may be passed over, never landed on.
    """

    steps: int
    eats_passed: bool = False
    any_marble: bool = False
    next_burns: bool = False
    over_fresh: bool = False


@dataclass(frozen=True, slots=True)
class Back:
    """An own marble on the track goes back `steps`."""

    steps: int


@dataclass(frozen=True, slots=True)
class Split:
    """`steps` forward, whole or shared among up to `legs` own marbles."""

    steps: int
    legs: int
    eats_passed: bool = False


@dataclass(frozen=True, slots=True)
class Swap:
    """An own marble and another on the track change places.

    `own`: the other may be an own one too. `fresh_mover`: the mover's marble may be fresh; the other never is. A marble
    that a shelter protects is never swapped.
    """

    own: bool = False
    fresh_mover: bool = True


@dataclass(frozen=True, slots=True)
class Centre:
    """An own marble goes from any case 7 into the centre, or from the centre to any case 7 but the one it came from."""


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """The card moves nothing; the next seat burns a card."""


@dataclass(frozen=True, slots=True)
class Replay:
    """After any other power of the card, the seat draws a card and plays again with the same marble."""


Power = Out | Forward | Back | Split | Swap | Centre | Sacrifice | Replay


def pips(*counts: int) -> dict[str, tuple[Power, ...]]:
    """Return the plain cards: each goes forward by its number."""
    return {str(n): (Forward(n),) for n in counts}


@dataclass(frozen=True, slots=True)
class Table:
    """What a rule set is played with at one number of seats.

    `teams`: the numbers of teams (as many as seats: individual play). `packs`: of 52 cards each, with `jokers` jokers each.
    `cards`: the powers, by rank, that differ from the rule set's own at this size.
    """

    teams: tuple[int, ...]
    packs: int = 1
    jokers: int = 0
    cards: Mapping[str, tuple[Power, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TockRules:
    """A rule set. `tables`: by number of seats, what changes with it.

    `hands`: cards a seat gets, deal by deal of one deck. `dealer_moves`: when the deal passes to the next seat.
    `exchange`: when partners exchange a card. `cards`: powers by rank. `jumps`, `shelters`: the special spaces of section 5.
    `throws_in`: a seat whose marbles are all in reserve lays down its hand instead of burning (section 7).
    Two rule sets are equal only when they are the same object, as files are never edited.
    """

    id: str
    tables: Mapping[int, Table]
    hands: tuple[int, ...]
    dealer_moves: Every
    exchange: Every
    cards: Mapping[str, tuple[Power, ...]]
    jumps: bool = False
    shelters: bool = False
    throws_in: bool = False

    def __post_init__(self) -> None:
        """Refuse, for whoever writes a new file, data that no game could be played with: ValueError, naming the fault."""
        for seats, table in self.tables.items():
            deck, powers = self.deck(seats), self.powers(seats)
            without = sorted({RANK[card] for card in deck} - powers.keys())
            drawn = sum(Replay() in powers.get(RANK[card], ()) for card in deck)
            for fault, named in (
                (not table.teams or any(teams < 2 or seats % teams for teams in table.teams), "teams of unequal size"),
                (without, f"cards without powers: {', '.join(without)}"),
                (sum(self.hands) * seats + drawn > len(deck), "a deck too small for the cards dealt and drawn"),
                (self.jumps and (seats % 2 or self.centre(seats)), "jumps need an even number of seats and no centre"),
                (any({Replay(), Centre()} <= set(can) for can in powers.values()), "a replay follows no centre"),
            ):
                if fault:
                    raise ValueError(f"{self.id}, {seats} seats: {named}")

    @property
    def teams(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of teams by number of seats; as many teams as seats is individual play."""
        return {seats: table.teams for seats, table in self.tables.items()}

    def powers(self, seats: int) -> Mapping[str, tuple[Power, ...]]:
        """Return what each rank may do at a table of so many seats."""
        return {**self.cards, **self.tables[seats].cards}

    def centre(self, seats: int) -> bool:
        """Return whether the board of so many seats has a centre: some card leads there."""
        return any(Centre() in powers for powers in self.powers(seats).values())

    def board(self, seats: int) -> Board:
        """Return the board of a table with `seats` seats."""
        return _board(self, seats)

    def deck(self, seats: int) -> tuple[int, ...]:
        """Return the numbers of all cards of the deck, unshuffled, in the order of docs/deal.md, step 6."""
        table = self.tables[seats]
        return tuple(NUMBER[text] for text in pack(table.packs, (JOKER,) * table.jokers))

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the rule set is played by that many seats in that many teams."""
        if seats not in self.tables:
            raise UnknownRules(
                "no_such_table", f"seats: {self.id} is played by {sorted(self.tables)}, not {shown(seats)}"
            )
        if teams not in self.tables[seats].teams:
            raise UnknownRules(
                "no_such_table",
                f"teams: {self.id} with {seats} seats has {list(self.tables[seats].teams)} teams, not {shown(teams)}",
            )


@cache
def _board(rules: TockRules, seats: int) -> Board:
    """Return the board of a rule set; every position asks for it."""
    return board(seats, rules.jumps, rules.shelters, rules.centre(seats))
