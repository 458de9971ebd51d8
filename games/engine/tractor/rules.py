"""A rule set of the family as data (rulebook T1, T4, T7, T8). A house variant is another file with its own id."""

from dataclasses import dataclass

from games.engine.cards import NUMBER, pack
from games.engine.errors import UnknownRules, shown

SEATS = 4
TEAMS = 2
# Ranks in climbing order; a team past the ace has WON.
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
WON = len(RANKS)
WON_TEXT = "won"
# The order of suits that breaks a tie between equal cards (T4).
SUITS = "CDHS"
# All 108 cards, unshuffled, in the order of docs/deal.md, step 6.
DECK = tuple(NUMBER[text] for text in pack(2, ("BJ", "RJ")))


@dataclass(frozen=True, slots=True)
class Band:
    """The declarers climb `declarers` ranks when the opponents have at most `points`."""

    points: int
    declarers: int


@dataclass(frozen=True, eq=False)
class TractorRules:
    """A rule set.

    Two rule sets are equal only if they are the same object, because rule files are never edited.
    """

    id: str
    talon: int = 8  # cards left after dealing
    withdrawn: int = 10  # points paid for each card that a failed throw takes back
    talon_factor: int = 2  # the talon counts this many times the cards of the last trick, for opponents who win it
    # what the declarers climb, by the opponents' points, lowest first (T7)
    bands: tuple[Band, ...] = (Band(0, 3), Band(35, 2), Band(75, 1))
    # up to this many points the opponents only take over; beyond, they climb one rank, and one more per `step`
    neutral: int = 115
    step: int = 40
    tractor_duty: bool = False  # house rule of T8
    no_trump_keeps_rank: bool = False  # house rule of T8

    def __post_init__(self) -> None:
        """Raise ValueError, which names the fault, for data that cannot be played. For authors of new rule files."""
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
