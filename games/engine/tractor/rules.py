"""A rule set of the family as data (rulebook T1, T4, T7, T8). A house variant is one more file with its own id."""

from dataclasses import dataclass

from games.engine.cards import NUMBER, pack
from games.engine.errors import UnknownRules, shown

SEATS = 4
TEAMS = 2
# Ranks as they climb; a team past the ace has WON.
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
WON = len(RANKS)
WON_TEXT = "won"
# The order of suits where a tie between equal cards has to be broken (T4).
SUITS = "CDHS"
# All 108 cards, unshuffled, in the order of docs/deal.md, step 6.
DECK = tuple(NUMBER[text] for text in pack(2, ("BJ", "RJ")))


@dataclass(frozen=True, slots=True)
class Band:
    """`declarers` climb so many ranks when the opponents have no more than `points`."""

    points: int
    declarers: int


@dataclass(frozen=True, eq=False)
class TractorRules:
    """A rule set. `bands`: what the declarers climb, by the opponents' points, lowest first (T7).

    `talon`: cards left after dealing. `withdrawn`: points paid for each card that a failed throw gives back. `talon_factor`:
    times the cards of the last trick, what the talon is worth to opponents who win it. `neutral`: up to so many points the
    opponents only take over; beyond them they climb one rank, and one more per `step`.
    `tractor_duty`, `no_trump_keeps_rank`: the house rules of T8.
    Two rule sets are equal only when they are the same object, as files are never edited.
    """

    id: str
    talon: int = 8
    withdrawn: int = 10
    talon_factor: int = 2
    bands: tuple[Band, ...] = (Band(0, 3), Band(35, 2), Band(75, 1))
    neutral: int = 115
    step: int = 40
    tractor_duty: bool = False
    no_trump_keeps_rank: bool = False

    def __post_init__(self) -> None:
        """Refuse, for whoever writes a new file, data that no game could be played with: ValueError, naming the fault."""
        limits = [band.points for band in self.bands]
        for fault, named in (
            (
                not 0 < self.talon < len(DECK) or (len(DECK) - self.talon) % SEATS,
                "a talon that does not leave every seat as many cards",
            ),
            (not limits or limits != sorted(set(limits)) or limits[-1] >= self.neutral, "bands out of order"),
            (self.step <= 0 or self.withdrawn < 0 or self.talon_factor < 0, "a negative number"),
        ):
            if fault:
                raise ValueError(f"{self.id}: {named}")

    @property
    def teams(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of teams by number of seats: four seats, two teams."""
        return {SEATS: (TEAMS,)}

    @property
    def hand(self) -> int:
        """Return how many cards each seat draws."""
        return (len(DECK) - self.talon) // SEATS

    def deck(self, seats: int = SEATS) -> tuple[int, ...]:
        """Return the numbers of all 108 cards, unshuffled, in the order of docs/deal.md, step 6."""
        return DECK

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the table has four seats and two teams."""
        if seats != SEATS:
            raise UnknownRules("no_such_table", f"seats: {self.id} is played by {SEATS}, not {shown(seats)}")
        if teams != TEAMS:
            raise UnknownRules("no_such_table", f"teams: {self.id} has {TEAMS} teams, not {shown(teams)}")
