"""The effects of a play, one class each; only what everybody may know."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A new deck is ready; `seat` draws first."""

    word: ClassVar[str] = "deck"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Every seat drew one card; `left` are still to be drawn."""

    word: ClassVar[str] = "drawn"
    left: int


@dataclass(frozen=True, slots=True)
class Shown:
    """`seat` showed these cards, which now name trumps."""

    word: ClassVar[str] = "shown"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overridden:
    """The show of `seat` no longer counts."""

    word: ClassVar[str] = "overridden"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """`seat` passes: it does not show."""

    word: ClassVar[str] = "passed"
    seat: int


@dataclass(frozen=True, slots=True)
class NobodyShowed:
    """Nobody showed in round one: all cards go back and are dealt again."""

    word: ClassVar[str] = "redeal"


@dataclass(frozen=True, slots=True)
class TalonTurned:
    """Nobody showed in a later round: these cards of the talon were turned over; the last or the highest named the
    suit.
    """

    word: ClassVar[str] = "turned"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrumpsNamed:
    """Trumps are known. `suit` is empty in a no-trump round."""

    word: ClassVar[str] = "trumps"
    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class TalonTaken:
    """`seat` starts, and took the talon."""

    word: ClassVar[str] = "talon"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsBuried:
    """`seat` laid this many cards face down."""

    word: ClassVar[str] = "buried"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class ThrowFailed:
    """A throw of `seat` failed."""

    word: ClassVar[str] = "failed"
    seat: int
    led: tuple[str, ...]  # the component that is led instead
    back: tuple[str, ...]  # the cards that went back to the hand
    points: int  # the points paid to the other side


@dataclass(frozen=True, slots=True)
class TrickWon:
    """`seat` won the trick and its points."""

    word: ClassVar[str] = "trick"
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TalonShown:
    """The round is over. These cards had been buried; `points` is what they added to the opponents' points."""

    word: ClassVar[str] = "buried_were"
    cards: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round was counted."""

    word: ClassVar[str] = "round"
    total: int  # the opponents' points
    gains: tuple[int, ...]  # ranks climbed, by team
    ranks: tuple[str, ...]  # ranks reached, by team


@dataclass(frozen=True, slots=True)
class StarterFollows:
    """`seat` starts the next round."""

    word: ClassVar[str] = "starter"
    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended; one rank per team, 0 best."""

    word: ClassVar[str] = "over"
    ranks: tuple[int, ...]


Fact = (
    DeckShuffled | CardsDrawn | Shown | Overridden | Passed | NobodyShowed | TalonTurned | TrumpsNamed | TalonTaken
    | CardsBuried | ThrowFailed | TrickWon | TalonShown | RoundEnded | StarterFollows | GameOver
)  # fmt: skip
