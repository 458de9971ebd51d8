"""The effects of a play, one class each; places are written as text."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Moved:
    """A marble of `seat` moved to the space where it arrived, before any jump; `x7` is the centre, entered from t7."""

    word: ClassVar[str] = "move"
    seat: int
    src: str
    to: str


@dataclass(frozen=True, slots=True)
class Jumped:
    """A marble that arrived on a case 7 jumped to the opposite one."""

    word: ClassVar[str] = "jump"
    seat: int
    src: str
    to: str


@dataclass(frozen=True, slots=True)
class CameOut:
    """A marble left the reserve."""

    word: ClassVar[str] = "out"
    seat: int
    place: str


@dataclass(frozen=True, slots=True)
class MarbleEaten:
    """The marble of `seat` on `place` went back to its reserve."""

    word: ClassVar[str] = "eaten"
    seat: int
    place: str


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two marbles changed places; each seat is given with the place that its marble left."""

    word: ClassVar[str] = "swap"
    seat: int
    place: str
    other_seat: int
    other_place: str


@dataclass(frozen=True, slots=True)
class BurnForced:
    """`seat` must burn a card."""

    word: ClassVar[str] = "forced"
    seat: int


@dataclass(frozen=True, slots=True)
class CardBurned:
    """`seat` laid a card unused."""

    word: ClassVar[str] = "burn"
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class CardBurnedBlind:
    """`seat` lost a card taken at random."""

    word: ClassVar[str] = "blind"
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class ThrewIn:
    """`seat`, all its marbles in reserve, laid down its whole hand: these cards, sorted."""

    word: ClassVar[str] = "threw"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """`seat` drew a card from the stock. The card itself stays secret."""

    word: ClassVar[str] = "drawn"
    seat: int


@dataclass(frozen=True, slots=True)
class HandsExchanged:
    """All exchanged cards were handed over."""

    word: ClassVar[str] = "exchanged"


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A new deck is dealt by `dealer`."""

    word: ClassVar[str] = "deck"
    dealer: int


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """Every seat got `count` cards."""

    word: ClassVar[str] = "dealt"
    count: int


@dataclass(frozen=True, slots=True)
class SeatHome:
    """The four marbles of `seat` are in heaven."""

    word: ClassVar[str] = "home"
    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended; one rank per team, 0 best."""

    word: ClassVar[str] = "over"
    ranks: tuple[int, ...]


Fact = (
    Moved | Jumped | CameOut | MarbleEaten | Swapped | BurnForced | CardBurned | CardBurnedBlind | ThrewIn | CardDrawn
    | HandsExchanged | DeckShuffled | HandsDealt | SeatHome | GameOver
)  # fmt: skip
