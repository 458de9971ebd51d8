"""A position of the family: a compact representation, with the JSON of rulebook section 12 for other modules.

Inside, marbles are numbers on a track and bits of heavens, cards are numbers in sorted hands, and the last card of the
stock is the next one.
"""

from typing import Any, Final

from games.engine.cards import TEXTS
from games.engine.tock.board import MARBLES, RESERVE, Board
from games.engine.tock.drawing import draw
from games.engine.tock.rules import TockRules

DECK: Final = "deck"
GIVE: Final = "give"
PLAY: Final = "play"
JOKER: Final = "joker"
FORCED: Final = "forced"
BLIND: Final = "blind"
OVER: Final = "over"
PHASES = (DECK, GIVE, PLAY, JOKER, FORCED, BLIND, OVER)

_new = object.__new__


class Kept:
    """Cached values of a position; each is None until it is first requested.

    `plays`: of the seat to act (legal/listing.py). `public`: what everybody may see (view.py). `told`: a play with its
    effects (game.py). Callers share these values and never change them.
    """

    __slots__ = ("plays", "public", "told")

    def __init__(self) -> None:
        self.plays: Any = None
        self.public: Any = None
        self.told: Any = None


class Position:
    """A mutable position; `apply` works on a `copy`.

    The fields without a comment are those of rulebook section 12. A seat's hand, a seat's track, the stock and the
    penalties are replaced when they change, never changed in place. Copies share them, so a copy is cheap.

    `kept` is a cache, see `keep`. Plays and `put` empty it, and a copy begins without it. To change anything else of a
    position whose cache has been used, change a copy.
    """

    __slots__ = (
        "at", "board", "centre", "deal", "dealer", "finished", "first", "full_ranking", "given", "guard", "hands", "heaven",
        "joker", "kept", "penalties", "phase", "reserve", "rules", "seats", "sheet", "stock", "teams", "thrown", "tracks", "turn",
    )  # fmt: skip

    def __init__(self, rules: TockRules, seats: int, teams: int, dealer: int) -> None:
        """Create the position before the first deck: all marbles in reserve, the seat to the dealer's left to play."""
        self.rules = rules
        # The sheet of this rule set and board (legal/sheet.py), kept here to save a lookup at every play.
        self.sheet: Any = None
        self.board: Board = rules.board(seats)
        self.seats = seats
        self.teams = teams
        self.dealer = dealer
        self.deal = 0
        self.turn = (dealer + 1) % seats
        self.phase: str = DECK
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.stock: list[int] = []
        self.at = [-1] * self.board.length  # at[p]: the seat whose marble is on track space p, or -1
        # tracks[i]: the track spaces of seat i's marbles, unordered
        self.tracks: list[list[int]] = [[] for _ in range(seats)]
        self.heaven = [0] * seats  # heaven[i]: bits of h1..h4
        self.centre: tuple[tuple[int, int], ...] = ()  # (seat, place) of each marble there, sorted
        self.reserve = [MARBLES] * seats  # reserve[i]: a count
        self.guard = 0  # see board.py
        self.first = False
        self.given = [-1] * seats  # given[i]: the card laid aside in the exchange, or -1
        self.joker = RESERVE  # the place of the marble to replay, RESERVE for none
        self.penalties = [0] * seats
        self.thrown: tuple[int, ...] = ()
        self.finished: tuple[int, ...] = ()
        self.full_ranking = False
        self.kept: Kept | None = None

    def copy(self) -> "Position":
        """Return a copy; nothing that can change is shared."""
        q = _new(Position)
        q.rules = self.rules
        q.sheet = self.sheet
        q.board = self.board
        q.seats = self.seats
        q.teams = self.teams
        q.dealer = self.dealer
        q.deal = self.deal
        q.turn = self.turn
        q.phase = self.phase
        q.hands = self.hands[:]
        q.stock = self.stock
        q.at = self.at[:]
        q.tracks = self.tracks[:]
        q.heaven = self.heaven[:]
        q.centre = self.centre
        q.reserve = self.reserve[:]
        q.guard = self.guard
        q.first = self.first
        q.given = self.given[:]
        q.joker = self.joker
        q.penalties = self.penalties
        q.thrown = self.thrown
        q.finished = self.finished
        q.full_ranking = self.full_ranking
        q.kept = None
        return q

    def keep(self) -> Kept:
        """Return the cache of this position; create it if there is none."""
        kept = self.kept
        if kept is None:
            kept = self.kept = Kept()
        return kept

    def put(self, seat: int, place: int) -> bool:
        """Move a marble of `seat` from its reserve to a place, not fresh; return False when the place is occupied.

        For setting up a position; plays move marbles through `moves`.
        """
        self.kept = None
        board = self.board
        if place >= board.middle:
            self.centre = tuple(sorted((*self.centre, (seat, place))))
        elif place >= board.length:
            bit = 1 << (place - board.heaven(seat, 0))
            if self.heaven[seat] & bit:
                return False
            self.heaven[seat] |= bit
        elif self.at[place] >= 0:
            return False
        else:
            self.at[place] = seat
            self.tracks[seat] = [*self.tracks[seat], place]
            self.guard |= board.cover[place]
        self.reserve[seat] -= 1
        return True

    def marbles(self, seat: int) -> list[str]:
        """Return the four places of a seat as text, sorted."""
        board = self.board
        places = board.inside[seat][self.heaven[seat]] + self.tracks[seat]
        if self.centre:
            places = places + [place for owner, place in self.centre if owner == seat]
        return sorted([board.names[place] for place in places] + ["r"] * self.reserve[seat])

    def fresh(self) -> list[int]:
        """Return the seats whose marble on their own start is fresh, in order."""
        return [seat for seat in range(self.seats) if self.guard >> seat & 1]

    def to_json(self) -> dict[str, Any]:
        """Return the position as JSON of section 12: hands, marbles and seats sorted; keys with default values are
        omitted.
        """
        data: dict[str, Any] = {
            "rules": self.rules.id,
            "seats": self.seats,
            "teams": self.teams,
            "dealer": self.dealer,
            "deal": self.deal,
            "turn": self.turn,
            "phase": self.phase,
            "hands": [[TEXTS[card] for card in hand] for hand in self.hands],
            "stock": [TEXTS[card] for card in reversed(self.stock)],
            "marbles": [self.marbles(seat) for seat in range(self.seats)],
            "fresh": self.fresh(),
        }
        if self.first:
            data["first"] = True
        if self.phase == GIVE:
            data["given"] = [TEXTS[card] if card >= 0 else None for card in self.given]
        if self.joker != RESERVE:
            data["joker"] = self.board.followed_name(self.joker)
        if self.thrown:
            data["thrown"] = sorted(self.thrown)
        if any(self.penalties):
            data["penalties"] = list(self.penalties)
        if self.finished:
            data["finished"] = list(self.finished)
        if self.full_ranking:
            data["full_ranking"] = True
        return data

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Position) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __repr__(self) -> str:
        return f"Position({self.to_json()!r})"

    def __str__(self) -> str:
        """Return the board as text with all hands visible; `drawing.draw` draws a view instead."""
        return draw(self.to_json())
