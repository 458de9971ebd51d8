"""A rule set of the family as data: how cards are dealt, and what each card may do (rulebook sections 2, 3, 9, 10).

A card's powers are frozen classes. A new power needs one class here and a case in `legal/sheet.py` and `moves.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from games.engine.cards import JOKER, NUMBER, RANK, pack
from games.engine.errors import UnknownRules, shown
from games.engine.tock.board import Board, board


class Every(Enum):
    """How often something happens: every deal, once per deck, once per game."""

    DEAL = "deal"
    DECK = "deck"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Out:
    """A marble comes out of the reserve onto its start."""


@dataclass(frozen=True, slots=True)
class Forward:
    """An own marble goes forward."""

    steps: int
    eats_passed: bool = False  # it also eats the marbles that it passes
    any_marble: bool = False  # any marble on the track may be moved, not only an own one
    next_burns: bool = False  # the next seat burns a card
    over_fresh: bool = False  # fresh marbles may be passed, but never landed on


@dataclass(frozen=True, slots=True)
class Back:
    """An own marble on the track goes back `steps`."""

    steps: int


@dataclass(frozen=True, slots=True)
class Split:
    """`steps` forward, by one marble or shared among up to `legs` own marbles."""

    steps: int
    legs: int
    eats_passed: bool = False


@dataclass(frozen=True, slots=True)
class Swap:
    """An own marble and another one on the track change places. A marble in a shelter is never swapped."""

    own: bool = False  # the other marble may be an own one too
    fresh_mover: bool = True  # the moving marble may be fresh; the other one never


@dataclass(frozen=True, slots=True)
class Centre:
    """An own marble goes from any case 7 into the centre, or from the centre to any case 7 except the one it came from."""


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """The card moves no marble; the next seat burns a card."""


@dataclass(frozen=True, slots=True)
class Replay:
    """After another power of the card, the seat draws a card and plays again with the same marble."""


Power = Out | Forward | Back | Split | Swap | Centre | Sacrifice | Replay


def pips(*counts: int) -> dict[str, tuple[Power, ...]]:
    """Return the plain cards: each goes forward by its number."""
    return {str(n): (Forward(n),) for n in counts}


@dataclass(frozen=True, slots=True)
class Table:
    """What a rule set uses at one number of seats."""

    teams: tuple[int, ...]  # the allowed numbers of teams; as many as seats means individual play
    packs: int = 1  # packs of 52 cards
    jokers: int = 0  # jokers per pack
    # the powers, by rank, that differ from the rule set's own at this size
    cards: Mapping[str, tuple[Power, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TockRules:
    """A rule set.

    Two rule sets are equal only if they are the same object, because rule files are never edited.
    """

    id: str  # family and edition, such as `shawinigan/1`
    tables: Mapping[int, Table]  # by number of seats
    hands: tuple[int, ...]  # cards per seat, for each deal of one deck
    dealer_moves: Every  # when the next seat becomes the dealer
    exchange: Every  # when partners exchange a card
    cards: Mapping[str, tuple[Power, ...]]  # powers by rank
    jumps: bool = False  # a marble that arrives on a case 7 jumps (section 5)
    shelters: bool = False  # a case 8 protects a marble (section 5)
    throws_in: bool = False  # a seat with all marbles in reserve throws in its hand instead of burning (section 7)

    def __post_init__(self) -> None:
        """Raise ValueError, which names the fault, for data that cannot be played. For authors of new rule files."""
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
        """Return the allowed numbers of teams by number of seats; as many teams as seats means individual play."""
        return {seats: table.teams for seats, table in self.tables.items()}

    def powers(self, seats: int) -> Mapping[str, tuple[Power, ...]]:
        """Return the powers of each rank at this number of seats."""
        return {**self.cards, **self.tables[seats].cards}

    def centre(self, seats: int) -> bool:
        """Return whether the board of this size has a centre: a card leads there."""
        return any(Centre() in powers for powers in self.powers(seats).values())

    def board(self, seats: int) -> Board:
        """Return the board of a table with `seats` seats."""
        return _board(self, seats)

    def deck(self, seats: int) -> tuple[int, ...]:
        """Return the numbers of all cards of the deck, unshuffled, in the order of docs/deal.md, step 6."""
        table = self.tables[seats]
        return tuple(NUMBER[text] for text in pack(table.packs, (JOKER,) * table.jokers))

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the rule set supports this number of seats and teams."""
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
    """Return the cached board of a rule set; every position needs it."""
    return board(seats, rules.jumps, rules.shelters, rules.centre(seats))
