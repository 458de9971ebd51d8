"""A rule set of the family as data: how cards are dealt, and what each card may do (rulebook sections 2, 3, 9, 10).

A card's powers are frozen classes. A new power is one class here and its case in `legal.py` and `moves.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from games.engine.cards import JOKER, NUMBER, pack
from games.engine.errors import UnknownRules
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
    `next_burns`: the next seat burns a card.
    """

    steps: int
    eats_passed: bool = False
    any_marble: bool = False
    next_burns: bool = False


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
class Sacrifice:
    """The card moves nothing; the next seat burns a card."""


@dataclass(frozen=True, slots=True)
class Replay:
    """After any other power of the card, the seat draws a card and plays again with the same marble."""


Power = Out | Forward | Back | Split | Swap | Sacrifice | Replay


def pips(*counts: int) -> dict[str, tuple[Power, ...]]:
    """Answer the plain cards: each goes forward by its number."""
    return {str(n): (Forward(n),) for n in counts}


@dataclass(frozen=True, eq=False)
class TockRules:
    """A rule set. `teams`: for each number of seats, the numbers of teams it is played with.

    `hands`: cards a seat gets, deal by deal of one deck. `dealer_moves`: when the deal passes to the next seat.
    `exchange`: when partners exchange a card. `jumps`, `shelters`: the special spaces of section 5. `cards`: powers by rank.
    Two rule sets are equal only when they are the same object, as files are never edited.
    """

    id: str
    teams: Mapping[int, tuple[int, ...]]
    packs: int
    jokers: int
    hands: tuple[int, ...]
    dealer_moves: Every
    exchange: Every
    cards: Mapping[str, tuple[Power, ...]]
    jumps: bool = False
    shelters: bool = False

    def board(self, seats: int) -> Board:
        """Answer the board of a table with `seats` seats."""
        return board(seats, self.jumps, self.shelters)

    def deck(self) -> tuple[int, ...]:
        """Answer the numbers of all cards of the deck, unshuffled."""
        return tuple(NUMBER[text] for text in pack(self.packs, (JOKER,) * self.jokers))

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the rule set is played by that many seats in that many teams."""
        if seats not in self.teams:
            raise UnknownRules("no_such_table", f"seats: {self.id} is played by {sorted(self.teams)}, not {seats!r}")
        if teams not in self.teams[seats]:
            raise UnknownRules(
                "no_such_table",
                f"teams: {self.id} with {seats} seats has {list(self.teams[seats])} teams, not {teams!r}",
            )
