"""The sheet: a cached table of every play of one marble that a rule set allows on one board.

Listing plays then only checks whether each way is free. Entries are computed on first use.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple, TypeVar

from games.engine.cards import RANK, TEXTS
from games.engine.tock.board import Board, Path
from games.engine.tock.legal.legs import Sharing, sharing
from games.engine.tock.notation import THROW
from games.engine.tock.plays import After, Kind, Leg, Play
from games.engine.tock.position import Position
from games.engine.tock.rules import Back, Centre, Forward, Out, Power, Replay, Sacrifice, Split, Swap, TockRules

# The powers that move one marble along a path that only depends on the board.
Mover = Forward | Back | Split | Centre
# For each place where a marble of a seat can stand: the guard bits that forbid the move, and the play.
Ways = tuple[tuple[tuple[int, Play], ...], ...]
T = TypeVar("T")


class Lazy(dict[int, T]):
    """A table whose entries are computed on first use. Its truth value and length mean nothing."""

    def __init__(self, entry: Callable[[int], T]) -> None:
        self._entry = entry

    def __missing__(self, key: int) -> T:
        self[key] = found = self._entry(key)
        return found


class Card(NamedTuple):
    """What one card can do."""

    ways: Lazy[Ways] | None  # [seat][place]: plays with one marble, sorted; RESERVE for coming out
    any_marble: bool  # it moves any marble on the track
    outs: tuple[Play, ...] | None  # [seat]: the play that comes out
    skip: Play | None
    split: Split | None
    shared: Lazy[Sharing] | None  # [seat]: how the split card is shared
    whole: Lazy[Ways] | None  # [seat][place]: plays of a split card that is not shared; empty for RESERVE
    swap: Swap | None

    @property
    def moves_one(self) -> bool:
        """Return whether the card only brings out or moves one marble of the side."""
        return not (self.any_marble or self.skip or self.split or self.swap)


class Sheet:
    """All plays of a rule set for one number of seats.

    `cards[number]` is None for a card that the deck does not have. `plain[seat][number]`: the ways of a card that only
    brings out or moves one marble of the side, empty for other cards. `alone[seat][number]`: the same when only one
    marble can move, so that a split card is not shared. `swaps[number][a][b]`: a jack's plays with an own marble on
    space a and another marble on b.
    """

    def __init__(self, rules: TockRules, seats: int) -> None:
        self.board = board = rules.board(seats)
        self.cards: list[Card | None] = [None] * len(TEXTS)
        powers = rules.powers(seats)
        for number in sorted(set(rules.deck(seats))):
            self.cards[number] = _card(powers[RANK[number]], board, number)
        self.plain = tuple(Lazy(partial(self._plain, seat)) for seat in range(seats))
        self.alone = tuple(Lazy(partial(self._alone, seat)) for seat in range(seats))
        self.burns = tuple(Play(f"burn {text}", number, Kind.BURN, None) for number, text in enumerate(TEXTS))
        self.blinds = tuple(Play(f"blind {text}", number, Kind.BLIND, None) for number, text in enumerate(TEXTS))
        self.gives = tuple(Play(f"give {text}", number, Kind.GIVE, None) for number, text in enumerate(TEXTS))
        self.throw = Play(THROW, -1, Kind.THROW, None)
        self.swaps = Lazy(lambda number: Lazy(partial(self._swaps, number)))

    def _plain(self, seat: int, number: int) -> Ways:
        card = self.cards[number]
        return card.ways[seat] if card and card.ways is not None and card.moves_one else ()

    def _alone(self, seat: int, number: int) -> Ways:
        card = self.cards[number]
        return card.whole[seat] if card and card.whole is not None and card.ways is None else self.plain[seat][number]

    def _swaps(self, number: int, a: int) -> list[Play]:
        head, names = f"{TEXTS[number]} {self.board.names[a]}x", self.board.names
        return [Play(f"{head}{names[b]}", number, Kind.SWAP, (a, b)) for b in range(self.board.length)]


@cache
def _sheet(rules: TockRules, seats: int) -> Sheet:
    """Return the cached Sheet of a rule set and a number of seats."""
    return Sheet(rules, seats)


def sheet(p: Position) -> Sheet:
    """Return the Sheet of a position's rule set and board."""
    held: Sheet | None = p.sheet
    if held is None:
        held = p.sheet = _sheet(p.rules, p.seats)
    return held


def _paths(board: Board, power: Mover, seat: int, src: int) -> tuple[Path, ...]:
    """Return the ways of a marble by one power; only a power that eats what it passes keeps the swept spaces."""
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
    """Return the ways of a seat's marble, by place: the guard bits that forbid each, its notation without the card, its
    only leg. The four suits share them, so that the tables fit into a processor's cache.
    """
    names = board.names
    return tuple(
        tuple(
            (path.block, f"{names[src]}-{names[path.end]}", (Leg(seat, path),))
            for path in _paths(board, power, seat, src)
        )
        for src in range(board.places)
    )


def _card(powers: tuple[Power, ...], board: Board, number: int) -> Card:
    text = TEXTS[number]
    movers = [power for power in powers if isinstance(power, Forward | Back | Centre)]
    after = After.REPLAY if Replay() in powers else After.NOTHING

    def after_move(power: Mover) -> After:
        return After.NEXT_BURNS if isinstance(power, Forward) and power.next_burns else after

    outs = None
    if Out() in powers:
        outs = tuple(Play(f"{text} out", number, Kind.OUT, seat, after) for seat in range(board.seats))
    split = next((power for power in powers if isinstance(power, Split)), None)

    def ways(seat: int) -> Ways:
        tables = [_ways(board, power, seat, number, after_move(power)) for power in movers]
        by_place = [
            tuple(sorted((way for table in tables for way in table[src]), key=_text)) for src in range(board.places)
        ]
        # The last entry is for RESERVE, index -1: a fresh marble on the start forbids coming out.
        return (*by_place, ((1 << seat, outs[seat]),) if outs else ())

    def whole(seat: int) -> Ways:
        assert split is not None
        return (*_ways(board, split, seat, number, after), ())

    def shared(seat: int) -> Sharing:
        assert split is not None
        return sharing(board, split, seat)

    skip = Play(f"{text} skip", number, Kind.SKIP, None, After.NEXT_BURNS)
    return Card(
        ways=Lazy(ways) if movers or outs else None,
        any_marble=any(isinstance(power, Forward) and power.any_marble for power in powers),
        outs=outs,
        skip=skip if Sacrifice() in powers else None,
        split=split,
        shared=Lazy(shared) if split else None,
        whole=Lazy(whole) if split else None,
        swap=next((power for power in powers if isinstance(power, Swap)), None),
    )
