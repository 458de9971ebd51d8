"""Bots against each other on duplicate deals: win rates with their confidence intervals.

A duplicate is two games with the same first dealer and the same decks in the same order, with the sides exchanged: in
the first A plays for the teams with even numbers and B for the odd ones, in the second the other way round. The luck of
the cards is the same for both, so the pair is the unit of the statistics.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any

from games.engine import registry, shuffle
from games.engine.cards import TEXTS
from games.engine.tock.game import GAME
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import BLIND, DECK, OVER, Position
from games.engine.tock.rules import TockRules

# A game of random plays at eight seats may never end: it is stopped here and counts half for both.
LONGEST = 5000
NORMAL_95 = 1.959964

Roll = Callable[[int], int]
# A bot as a function: seat, its view, its lines, the cards laid since the last shuffle, random source -> a line.
Player = Callable[[int, Mapping[str, Any], Sequence[str], Sequence[str], Roll], str]


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: a rule set at a table, the decks from `seed`. Raises UnknownRules for an unsupported table."""

    rules: str
    seats: int
    teams: int
    seed: int = 1

    def __post_init__(self) -> None:
        self.data.check_table(self.seats, self.teams)

    @property
    def data(self) -> TockRules:
        """Return the rule set's data."""
        rules = registry.rules(self.rules)
        if not isinstance(rules, TockRules):
            raise ValueError(f"{rules.id} is another family's")
        return rules

    def decks(self, pair: int) -> Iterator[tuple[int, ...]]:
        """Yield the decks of a duplicate, in order: card numbers as they are dealt, the same for both of its games."""
        cards, number = self.data.deck(self.seats), 0
        while True:
            key = sha256(f"tournament|{self.seed}|{pair}|{number}".encode("ascii")).digest()
            yield tuple(cards[i] for i in shuffle.order(key, len(cards)))
            number += 1

    def roll(self, pair: int, game: int) -> Roll:
        """Return the random source for the bots in a game of a duplicate."""
        key = sha256(f"tournament|{self.seed}|{pair}|roll {game}".encode("ascii")).digest()
        return shuffle.stream(key, b"roll")


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game."""

    winner: int | None  # the team that came first, None when the game was stopped
    plays: int  # how many were made


def play(table: Table, players: Sequence[Player], *, pair: int, game: int = 0) -> Played:
    """Play one game to its end, `players[team]` for each team; each gets its seat's view and the cards laid, nothing
    else.
    """
    decks, roll = table.decks(pair), table.roll(pair, game)
    p = GAME.new(table.data, seats=table.seats, teams=table.teams, dealer=pair % table.seats)
    laid: list[str] = []
    for made in range(LONGEST):
        while p.phase == DECK:
            GAME.apply_in_place(p, Play("deck", -1, Kind.DECK, next(decks)))
            laid.clear()
        chosen = _choose(p, players[p.turn % table.teams], laid, roll)
        laid += _laid(p, chosen)
        GAME.apply_in_place(p, chosen)
        if p.phase == OVER:
            outcome = GAME.outcome(p)
            assert outcome is not None
            return Played(outcome.ranks.index(0), made + 1)
    return Played(None, LONGEST)


def _choose(p: Position, player: Player, laid: Sequence[str], roll: Roll) -> Play:
    plays = GAME.legal_plays(p)
    if len(plays) == 1 or p.phase == BLIND:
        return plays[roll(len(plays)) if len(plays) > 1 else 0]
    by_line = {play.text: play for play in plays}
    return by_line[player(p.turn, GAME.view(p, p.turn), list(by_line), tuple(laid), roll)]


def _laid(p: Position, chosen: Play) -> list[str]:
    """Return the cards that a play lays face up: the whole hand when it is thrown in, none when a card is given."""
    if chosen.kind is Kind.THROW:
        return [TEXTS[card] for card in p.hands[p.turn]]
    return [] if chosen.kind is Kind.GIVE else [TEXTS[chosen.card]]


def duplicate(table: Table, a: Player, b: Player, pair: int) -> tuple[Played, Played]:
    """Play the two games of a duplicate: A has the even teams in the first, the odd ones in the second."""
    sides = ([(a, b)[team % 2] for team in range(table.teams)], [(b, a)[team % 2] for team in range(table.teams)])
    first, second = (play(table, players, pair=pair, game=game) for game, players in enumerate(sides))
    return first, second


def points_of(games: tuple[Played, Played]) -> tuple[float, float]:
    """Return A's score in the two games of a duplicate: 1, 0, or one half for a game that was stopped."""
    first, second = (0.5 if game.winner is None else float(game.winner % 2) for game in games)
    return (first if games[0].winner is None else 1 - first), second


def wilson(won: float, games: int, z: float = NORMAL_95) -> tuple[float, float]:
    """Return the Wilson interval of a share of independent games. Raises ValueError for no games.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if games <= 0:
        raise ValueError("an interval needs games")
    share, z2 = won / games, z * z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = z * sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def paired(scores: Sequence[float], z: float = NORMAL_95) -> tuple[float, float]:
    """Return the interval of the mean of duplicates' scores (0 to 1 each): mean plus and minus z standard errors.

    Two games on one deal are not independent, so their mean is the observation. Equal scores have no measurable spread:
    then Wilson's interval is used. Raises ValueError for fewer than two.
    """
    if len(scores) < 2:
        raise ValueError("an interval needs two duplicates")
    mean = sum(scores) / len(scores)
    error = sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1) / len(scores))
    return (max(0.0, mean - z * error), min(1.0, mean + z * error)) if error else wilson(sum(scores), len(scores), z)
