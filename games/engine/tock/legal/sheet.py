"""The sheet: every play of one marble that a rule set knows on one board, worked out once.

Listing then only asks whether the way is free.
"""

from functools import cache
from typing import NamedTuple

from games.engine.cards import RANK, TEXTS
from games.engine.tock.board import Board, Path
from games.engine.tock.legal.legs import Sharing, sharing
from games.engine.tock.notation import THROW
from games.engine.tock.plays import After, Kind, Leg, Play
from games.engine.tock.position import Position
from games.engine.tock.rules import Back, Centre, Forward, Out, Power, Replay, Sacrifice, Split, Swap, TockRules

# What moves one marble along a path that the board alone decides.
Mover = Forward | Back | Split | Centre
# For each place where a marble of a seat can stand: what forbids the way, and the play.
Ways = tuple[tuple[tuple[int, Play], ...], ...]


class Card(NamedTuple):
    """What one card can do. `ways[seat][place]`: plays with one marble, as they sort, RESERVE for coming out; `outs[seat]`,
    `skip`: the plays; `shared[seat]`: how a split card is shared; `whole[seat][place]`: undivided."""

    ways: tuple[Ways, ...] | None
    any_marble: bool
    outs: tuple[Play, ...] | None
    skip: Play | None
    split: Split | None
    shared: tuple[Sharing, ...] | None
    whole: tuple[Ways, ...] | None
    swap: Swap | None


class Sheet:
    """All plays of a rule set at a table of so many seats; `cards[number]` is None for a card that the deck lacks.

    `plain[seat][number]`: the ways of a card that does nothing but move one marble of the side, else None.
    """

    def __init__(self, rules: TockRules, seats: int) -> None:
        self.board = board = rules.board(seats)
        self.cards: list[Card | None] = [None] * len(TEXTS)
        powers = rules.powers(seats)
        for number in sorted(set(rules.deck(seats))):
            self.cards[number] = _card(powers[RANK[number]], board, number)
        self.plain = [
            [
                card.ways[seat] if card and card.ways and not (card.any_marble or card.skip) else None
                for card in self.cards
            ]
            for seat in range(seats)
        ]
        self.burns = tuple(Play(f"burn {text}", number, Kind.BURN, None) for number, text in enumerate(TEXTS))
        self.blinds = tuple(Play(f"blind {text}", number, Kind.BLIND, None) for number, text in enumerate(TEXTS))
        self.gives = tuple(Play(f"give {text}", number, Kind.GIVE, None) for number, text in enumerate(TEXTS))
        self.throw = Play(THROW, -1, Kind.THROW, None)
        self._swaps: dict[tuple[int, int], list[Play]] = {}

    def swaps(self, card: int, a: int) -> list[Play]:
        """Answer the plays of a jack with an own marble on space a, by the other marble's space."""
        plays = self._swaps.get((card, a))
        if plays is None:
            head, names = f"{TEXTS[card]} {self.board.names[a]}x", self.board.names
            plays = self._swaps[card, a] = [
                Play(f"{head}{names[b]}", card, Kind.SWAP, (a, b)) for b in range(self.board.length)
            ]
        return plays


@cache
def _sheet(rules: TockRules, seats: int) -> Sheet:
    """Answer the one Sheet of a rule set and a number of seats."""
    return Sheet(rules, seats)


def sheet(p: Position) -> Sheet:
    """Answer the Sheet of a position's rule set and board."""
    held: Sheet | None = p.sheet
    if held is None:
        held = p.sheet = _sheet(p.rules, p.seats)
    return held


def _paths(board: Board, power: Mover, seat: int, src: int) -> tuple[Path, ...]:
    """Answer the ways of a marble by a power; only a power that eats what it passes keeps the spaces swept."""
    if isinstance(power, Centre):
        return board.crossings(src)
    if board.length <= src and (src >= board.middle or board.owner(src) != seat):
        return ()
    if isinstance(power, Back):
        paths = board.back(src, power.steps)
    else:
        over_fresh = isinstance(power, Forward) and power.over_fresh
        paths = board.forward(seat, src, power.steps, over_fresh=over_fresh)
        if power.eats_passed:
            return paths
    return tuple(path._replace(swept=()) for path in paths)


def _text(way: tuple[int, Play]) -> str:
    return way[1].text


def _ways(board: Board, power: Mover, seat: int, number: int, after: After) -> Ways:
    text, kind = TEXTS[number], Kind.CENTRE if isinstance(power, Centre) else Kind.MOVE
    return tuple(
        tuple((block, Play(f"{text} {tail}", number, kind, legs, after)) for block, tail, legs in ways)
        for ways in _tails(board, power, seat)
    )


@cache
def _tails(board: Board, power: Mover, seat: int) -> tuple[tuple[tuple[int, str, tuple[Leg, ...]], ...], ...]:
    """Answer, by place, the ways of a seat's marble: what forbids each, its text without the card, its one leg. The four
    suits share them, so that the tables stay small enough for a processor's cache."""
    names = board.names
    return tuple(
        tuple(
            (path.block, f"{names[src]}-{names[path.end]}", (Leg(seat, path),))
            for path in _paths(board, power, seat, src)
        )
        for src in range(board.places)
    )


def _card(powers: tuple[Power, ...], board: Board, number: int) -> Card:
    text, seats = TEXTS[number], range(board.seats)
    movers = [power for power in powers if isinstance(power, Forward | Back | Centre)]
    after = After.REPLAY if Replay() in powers else After.NOTHING

    def after_move(power: Mover) -> After:
        return After.NEXT_BURNS if isinstance(power, Forward) and power.next_burns else after

    outs = tuple(Play(f"{text} out", number, Kind.OUT, seat, after) for seat in seats) if Out() in powers else None
    ways = None
    if movers or outs:
        by_power = [[_ways(board, power, seat, number, after_move(power)) for power in movers] for seat in seats]
        # The last entry answers for RESERVE, index -1: a fresh marble on the start forbids coming out.
        ways = tuple(
            (
                *(
                    tuple(sorted((way for table in tables for way in table[src]), key=_text))
                    for src in range(board.places)
                ),
                ((1 << seat, outs[seat]),) if outs else (),
            )
            for seat, tables in enumerate(by_power)
        )
    split = next((power for power in powers if isinstance(power, Split)), None)
    skip = Play(f"{text} skip", number, Kind.SKIP, None, After.NEXT_BURNS)
    return Card(
        ways=ways,
        any_marble=any(isinstance(power, Forward) and power.any_marble for power in powers),
        outs=outs,
        skip=skip if Sacrifice() in powers else None,
        split=split,
        shared=tuple(sharing(board, split, seat) for seat in seats) if split else None,
        whole=tuple(_ways(board, split, seat, number, after) for seat in seats) if split else None,
        swap=next((power for power in powers if isinstance(power, Swap)), None),
    )
