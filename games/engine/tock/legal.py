"""Which plays the rules allow (rulebook sections 3, 4, 6 and 7).

A **sheet** holds every play of one marble that a rule set knows on one board, worked out once: listing then only asks
whether the way is free. Sevens that are shared have their own room, `_splits`.
"""

from collections.abc import Callable, Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from games.engine.cards import RANK, TEXTS
from games.engine.errors import IllegalPlay
from games.engine.tock import moves
from games.engine.tock.board import FULL, MARBLES, RESERVE, Board, Path
from games.engine.tock.notation import Line, deck_line
from games.engine.tock.plays import After, Kind, Leg, Play
from games.engine.tock.position import BLIND, DECK, FORCED, GIVE, JOKER, PLAY, Position
from games.engine.tock.rules import Back, Forward, Out, Replay, Sacrifice, Split, Swap, TockRules

# For each place where a marble of a seat can stand: what forbids the way, and the play.
Ways = tuple[tuple[tuple[int, Play], ...], ...]


# A way of sharing a card: its text without the card, and the legs.
Shared = tuple[str, tuple[Leg, ...]]


class SplitLeg(NamedTuple):
    """One possible leg, on a bit board: `state & block` forbids it, `state & keep | put` is the board after it.

    The bits of a split's board, from the lowest: guard, heaven of the side, own marbles by space. Others' marbles need no
    bits: where own marbles end tells which were eaten.
    """

    block: int
    keep: int
    put: int
    land: int
    end: int
    tail: str
    leg: Leg


class Card(NamedTuple):
    """What one card can do. `ways[seat][place]`: plays with one marble; `outs[seat]`, `skip`: the plays;
    `whole[seat][place]`: a split card undivided."""

    ways: tuple[Ways, ...] | None
    any_marble: bool
    outs: tuple[Play, ...] | None
    skip: Play | None
    split: Split | None
    whole: tuple[Ways, ...] | None
    swap: Swap | None


class Sheet:
    """All plays of a rule set at a table of so many seats; `cards[number]` is None for a card that the deck lacks.

    `plain[seat][number]`: the ways of a card that does nothing but move one marble of the side, else None.
    """

    def __init__(self, rules: TockRules, seats: int) -> None:
        self.board = board = rules.board(seats)
        self.cards: list[Card | None] = [None] * len(TEXTS)
        for number in sorted(set(rules.deck())):
            self.cards[number] = _card(rules, board, number)
        self.plain = [
            [
                card.ways[seat] if card and card.ways and not (card.any_marble or card.outs or card.skip) else None
                for card in self.cards
            ]
            for seat in range(seats)
        ]
        self.burns = tuple(Play(f"burn {text}", number, Kind.BURN, None) for number, text in enumerate(TEXTS))
        self.blinds = tuple(Play(f"blind {text}", number, Kind.BLIND, None) for number, text in enumerate(TEXTS))
        self.gives = tuple(Play(f"give {text}", number, Kind.GIVE, None) for number, text in enumerate(TEXTS))
        self._swaps: dict[tuple[int, int], list[Play]] = {}
        splits = {power for powers in rules.cards.values() for power in powers if isinstance(power, Split)}
        # legs[power][seat][place][steps - 1]: the ways of one leg.
        self.legs = {power: tuple(_legs(board, power, seat) for seat in range(seats)) for power in splits}
        self.own_bits = tuple(1 << (2 * seats + MARBLES + space) for space in range(board.length))

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


def _paths(board: Board, power: Forward | Back | Split, seat: int, src: int, steps: int) -> tuple[Path, ...]:
    """Answer the ways of a marble by a power; only a power that eats what it passes keeps the spaces swept."""
    if board.length <= src and board.owner(src) != seat:
        return ()
    paths = board.back(src, steps) if isinstance(power, Back) else board.forward(seat, src, steps)
    if getattr(power, "eats_passed", False):
        return paths
    return tuple(path._replace(swept=()) for path in paths)


def _ways(board: Board, power: Forward | Back | Split, seat: int, number: int, after: After) -> Ways:
    text = TEXTS[number]
    return tuple(
        tuple((block, Play(f"{text} {tail}", number, Kind.MOVE, legs, after)) for block, tail, legs in ways)
        for ways in _tails(board, power, seat)
    )


@cache
def _tails(
    board: Board, power: Forward | Back | Split, seat: int
) -> tuple[tuple[tuple[int, str, tuple[Leg, ...]], ...], ...]:
    """Answer, by place, the ways of a seat's marble: what forbids each, its text without the card, its one leg. The four
    suits share them, so that the tables stay small enough for a processor's cache."""
    names = board.names
    return tuple(
        tuple(
            (path.block, f"{names[src]}-{names[path.end]}", (Leg(seat, path),))
            for path in _paths(board, power, seat, src, power.steps)
        )
        for src in range(board.places)
    )


def _card(rules: TockRules, board: Board, number: int) -> Card:
    powers, text, seats = rules.cards[RANK[number]], TEXTS[number], range(board.seats)
    movers = [power for power in powers if isinstance(power, Forward | Back)]
    after = After.REPLAY if Replay() in powers else After.NOTHING

    def after_move(power: Forward | Back) -> After:
        return After.NEXT_BURNS if isinstance(power, Forward) and power.next_burns else after

    ways = None
    if movers:
        by_power = [[_ways(board, power, seat, number, after_move(power)) for power in movers] for seat in seats]
        ways = tuple(
            tuple(tuple(way for way_list in places for way in way_list) for places in zip(*tables, strict=True))
            for tables in by_power
        )
    split = next((power for power in powers if isinstance(power, Split)), None)
    outs = tuple(Play(f"{text} out", number, Kind.OUT, seat, after) for seat in seats)
    skip = Play(f"{text} skip", number, Kind.SKIP, None, After.NEXT_BURNS)
    return Card(
        ways=ways,
        any_marble=any(isinstance(power, Forward) and power.any_marble for power in powers),
        outs=outs if Out() in powers else None,
        skip=skip if Sacrifice() in powers else None,
        split=split,
        whole=tuple(_ways(board, split, seat, number, after) for seat in seats) if split else None,
        swap=next((power for power in powers if isinstance(power, Swap)), None),
    )


def _legs(board: Board, power: Split, seat: int) -> tuple[tuple[tuple[SplitLeg, ...], ...], ...]:
    """Answer the legs of a seat's marbles: by place, then by number of steps less one."""
    names, length, low = board.names, board.length, 2 * board.seats
    own = low + MARBLES

    def leg(src: int, path: Path) -> SplitLeg:
        gone = board.shield[src] | 1 << (own + src) if src < length else 1 << (low + (src - length) % MARBLES)
        for space in {path.land, path.end} if path.land >= 0 else ():
            gone |= 1 << (own + space) | board.shield[space]
        home = path.land < 0
        put = 1 << (low + (path.end - length) % MARBLES) if home else 1 << (own + path.end) | board.cover[path.end]
        tail = f"{names[src]}-{names[path.end]}"
        return SplitLeg(path.block, ~gone, put, path.land, path.end, tail, Leg(seat, path))

    return tuple(
        tuple(
            tuple(leg(src, path) for path in _paths(board, power, seat, src, steps))
            for steps in range(1, power.steps + 1)
        )
        for src in range(board.places)
    )


def side(p: Position, seat: int) -> int:
    """Answer the seat whose marbles `seat` moves: its own, or the next teammate's that has not finished."""
    if p.heaven[seat] != FULL:
        return seat
    for mate in range(seat + p.teams, seat + p.seats, p.teams):
        if p.heaven[mate % p.seats] != FULL:
            return mate % p.seats
    return seat


def next_to_burn(p: Position) -> int:
    """Answer the seat that a ten hits, or -1 when it has no card left in this deal (section 14, point 3)."""
    seat = (p.turn + 1) % p.seats
    if p.finished:
        while seat in p.finished:
            seat = (seat + 1) % p.seats
    return seat if p.hands[seat] and seat != p.turn else -1


def playable(p: Position) -> list[Play]:
    """Answer the plays of the seat to act that use a card, unsorted; none when it must burn. Phase `play`."""
    held: Sheet = p.sheet or sheet(p)
    heaven, tracks, guard, turn = p.heaven, p.tracks, p.guard, p.turn
    me = turn if heaven[turn] != FULL else side(p, turn)
    plain = held.plain[me]
    mine, mine_guard, low = tracks[me], guard, 2 * p.seats
    if inside := heaven[me]:
        mine = mine + p.board.inside[me][inside]
        mine_guard |= inside << low
    plays: list[Play] = []
    add = plays.append
    last = -1
    tails: list[Shared] | None = None
    for number in p.hands[turn]:
        if number == last:
            continue
        last = number
        if table := plain[number]:
            for src in mine:
                for block, play in table[src]:
                    if not mine_guard & block:
                        add(play)
            continue
        ways, any_marble, outs, skip, split, _, swap = held.cards[number]  # type: ignore[misc]  # the deck's cards only
        if ways:
            if any_marble:
                _any_marble(p, ways, plays)
            else:
                table = ways[me]
                for src in mine:
                    for block, play in table[src]:
                        if not mine_guard & block:
                            add(play)
            if outs and p.reserve[me] and not guard >> me & 1:
                add(outs[me])
            if skip and next_to_burn(p) >= 0:
                add(skip)
        elif split:
            if tails is None:
                tails = _splits(p, me, split)
            head = f"{TEXTS[number]} "
            for tail, legs in tails:
                add(_play(Play, (head + tail, number, _SPLIT if len(legs) > 1 else _MOVE, legs, _NOTHING)))
        elif swap:
            _swaps(p, me, number, swap, tracks[me], plays)
    return plays


_line = itemgetter(0)
_SPLIT, _MOVE, _NOTHING = Kind.SPLIT, Kind.MOVE, After.NOTHING
# A Play without its constructor, four times as fast: a seven lists dozens.
_play: Callable[[type[Play], tuple[str, int, Kind, tuple[Leg, ...], After]], Play] = tuple.__new__


def _any_marble(p: Position, ways: tuple[Ways, ...], plays: list[Play]) -> None:
    """Add the plays of a card that moves any marble on the track, whoever owns it."""
    low = 2 * p.seats
    for owner, spaces in enumerate(p.tracks):
        if spaces:
            guard, table = p.guard | p.heaven[owner] << low, ways[owner]
            for src in spaces:
                for block, play in table[src]:
                    if not guard & block:
                        plays.append(play)


def _swaps(p: Position, me: int, number: int, swap: Swap, mine: list[int], plays: list[Play]) -> None:
    """Add the swaps of some own marbles on the track with others' (section 4, Jack)."""
    guard, cover, shield = p.guard, p.board.cover, p.board.shield
    own = shield if not swap.fresh_mover else cover
    movers = [a for a in mine if not guard & own[a]]
    if not movers:
        return
    targets = []
    for owner, spaces in enumerate(p.tracks):
        if owner != me:
            for b in spaces:
                if not guard & shield[b]:
                    targets.append(b)
    held = sheet(p)
    for a in movers:
        row = held.swaps(number, a)
        for b in targets:
            plays.append(row[b])
    if swap.own:
        # A pair is one play, its lower marble first, whichever of the two may be moved.
        mates = [b for b in p.tracks[me] if not guard & cover[b]]
        pairs = {(min(a, b), max(a, b)) for a in movers for b in mates if a != b}
        plays += [held.swaps(number, a)[b] for a, b in pairs]


def _splits(p: Position, me: int, split: Split) -> list[Shared]:
    """Answer, for each position that a shared card can reach, the spelling that sorts first."""
    if split.legs != 2 or split.eats_passed:
        return _first_spellings(p, me, split)
    board, held, steps = p.board, sheet(p), split.steps
    legs = held.legs[split][me]
    inside = p.heaven[me]
    state = p.guard | inside << 2 * p.seats
    mine = p.tracks[me]
    if inside:
        mine = mine + board.inside[me][inside]
    if len(mine) == 1:
        return [(leg.tail, (leg.leg,)) for leg in legs[mine[0]][steps - 1] if not state & leg.block]
    for space in p.tracks[me]:
        state |= held.own_bits[space]
    # What can be reached -> tails and legs. A blank sorts before anything in a tail, so tails compare one by one.
    found: dict[int, tuple[str, str, tuple[Leg, ...]]] = {}
    get = found.get
    mine = sorted(mine, key=board.names.__getitem__)
    whole = steps - 1
    for i, a in enumerate(mine):
        first = legs[a]
        for block, keep, put, _, _, tail, leg in first[whole]:
            if not state & block:
                after = state & keep | put
                known = get(after)
                if known is None or tail < known[0]:
                    found[after] = (tail, "", (leg,))
        for b in mine[i + 1 :]:
            second, rest = legs[b], whole
            for ways in first[:whole]:
                rest -= 1
                for block, keep, put, land, end, tail, leg in ways:
                    for block2, keep2, put2, land2, end2, tail2, leg2 in second[rest]:
                        # The order that sorts first; the other one reaches the same unless both legs jump.
                        if not state & block and b != land and b != end:
                            middle = state & keep | put
                            if not middle & block2:
                                after = middle & keep2 | put2
                                known = get(after)
                                if known is None or tail < known[0] or (tail == known[0] and tail2 < known[1]):
                                    found[after] = (tail, tail2, (leg, leg2))
                                if land == end or land2 == end2:
                                    continue
                        if not state & block2 and a != land2 and a != end2:
                            middle = state & keep2 | put2
                            if not middle & block:
                                after = middle & keep | put
                                known = get(after)
                                if known is None or tail2 < known[0] or (tail2 == known[0] and tail < known[1]):
                                    found[after] = (tail2, tail, (leg2, leg))
    return [(f"{tail} {tail2}" if tail2 else tail, pair) for tail, tail2, pair in found.values()]


def spellings(p: Position, me: int, split: Split) -> Iterator[tuple[str, tuple[Leg, ...], Position]]:
    """Yield every valid sequence of legs: its text without the card, the legs, the position after them (the card still
    in hand). Plain and slow: for touched marbles, for checks of the quick way, for cards shared among more than two."""
    legs = sheet(p).legs[split][me]

    def go(q: Position, left: int, done: tuple[SplitLeg, ...]) -> Iterator[tuple[tuple[SplitLeg, ...], Position]]:
        guard = q.guard | q.heaven[me] << 2 * q.seats
        moved = {leg.end for leg in done}
        last = len(done) == split.legs - 1
        for src in _own(q, me):
            if src in moved:
                continue
            for n in (left,) if last else range(1, left + 1):
                for leg in legs[src][n - 1]:
                    if guard & leg.block:
                        continue
                    after = q.copy()
                    moves.step(after, me, leg.leg.path)
                    if n == left:
                        yield (*done, leg), after
                    else:
                        yield from go(after, left - n, (*done, leg))

    for sequence, after in go(p, split.steps, ()):
        yield " ".join(leg.tail for leg in sequence), tuple(leg.leg for leg in sequence), after


def reached(p: Position) -> tuple[object, ...]:
    """Answer what tells two positions after the legs of one card apart."""
    return p.guard, tuple(p.at), tuple(p.heaven)


def _first_spellings(p: Position, me: int, split: Split) -> list[Shared]:
    """Answer, for each position that can be reached, the spelling that sorts first: the plain way."""
    found: dict[object, Shared] = {}
    for text, legs, after in spellings(p, me, split):
        key = reached(after)
        if key not in found or text < found[key][0]:
            found[key] = (text, legs)
    return list(found.values())


def _own(p: Position, me: int) -> list[int]:
    return p.tracks[me] + p.board.inside[me][p.heaven[me]]


def replays(p: Position) -> list[Play]:
    """Answer the plays that replay a joker, unsorted; none when a card must be burned. Phase `joker`, section 6."""
    board, place, me = p.board, p.joker, side(p, p.turn)
    on_track = place < board.length
    owner = p.at[place] if on_track else board.owner(place)
    low = 2 * p.seats
    guard = p.guard | p.heaven[me] << low
    plays: list[Play] = []
    for number in dict.fromkeys(p.hands[p.turn]):
        card = sheet(p).cards[number]
        if card is None:
            continue
        if card.any_marble and card.ways:
            _any_marble(p, card.ways, plays)
        elif owner == me:
            for table in (card.ways, card.whole):
                if table:
                    plays += [play for block, play in table[me][place] if not guard & block]
        if card.swap and on_track and owner == me:
            _swaps(p, me, number, card.swap, [place], plays)
        if card.skip and next_to_burn(p) >= 0:
            plays.append(card.skip)
    return plays


def listed(p: Position, seat: int | None = None) -> list[Play]:
    """Answer the plays of the seat to act (or of `seat`), sorted by their line; none in `deck` and `over`.

    Source: rulebook sections 7 and 13, section 14 points 8 and 9.
    """
    phase = p.phase
    if seat is None:
        seat = p.turn
    if phase == PLAY:
        if seat != p.turn:
            return []
        plays = playable(p)
        if plays:
            if len(plays) > 1:
                plays.sort(key=_line)
            return plays
    elif phase == JOKER and seat == p.turn:
        plays = replays(p)
        if plays:
            plays.sort(key=_line)
            return plays
    held = sheet(p)
    if phase == GIVE:
        return [held.gives[card] for card in dict.fromkeys(p.hands[seat])] if p.given[seat] < 0 else []
    if seat != p.turn:
        return []
    if phase in (PLAY, JOKER, FORCED):
        return [held.burns[card] for card in dict.fromkeys(p.hands[seat])]
    if phase == BLIND:
        return [held.blinds[card] for card in dict.fromkeys(p.hands[seat])]
    return []


def resolve(p: Position, line: Line, seat: int) -> Play:
    """Answer the play that a line names in this position, legal or not; raises IllegalPlay when there is none such."""
    held = sheet(p)
    if line.kind is Kind.DECK:
        return Play(deck_line(line.cards), -1, Kind.DECK, line.cards)
    number = line.card
    card = held.cards[number]
    if card is None:
        raise IllegalPlay("no_such_card", f"{TEXTS[number]} is not in the deck of {p.rules.id}")
    if line.kind in (Kind.BURN, Kind.BLIND, Kind.GIVE):
        return {Kind.BURN: held.burns, Kind.BLIND: held.blinds, Kind.GIVE: held.gives}[line.kind][number]
    me = side(p, seat)
    if line.kind is Kind.OUT and card.outs:
        return card.outs[me]
    if line.kind is Kind.SKIP and card.skip:
        return card.skip
    if line.kind is Kind.SWAP and card.swap:
        a, b = (p.board.place(name, me) for name in line.legs[0])
        if a is not None and b is not None:
            return held.swaps(number, a)[b]
    if line.kind is Kind.MOVE:
        return _resolve_move(p, line, card, me)
    if line.kind is Kind.SPLIT and card.split:
        legs = tuple(_resolve_leg(p, names, card.split, me)[1].leg for names in line.legs)
        return Play(line.text, number, Kind.SPLIT, legs)
    raise IllegalPlay("card_cannot", f"{line.text!r}: the card does not do that")


def _resolve_move(p: Position, line: Line, card: Card, me: int) -> Play:
    src = p.board.place(line.legs[0][0], me)
    owner = me
    if src is not None and RESERVE < src < p.board.length and p.at[src] >= 0 and card.any_marble:
        owner = p.at[src]
    for table in (card.ways, card.whole):
        if table and src is not None and src != RESERVE:
            for _, play in table[owner][src]:
                if play.text == line.text:
                    return play
    raise IllegalPlay("card_cannot", f"{line.text!r}: the card does not lead there")


def _resolve_leg(p: Position, names: tuple[str, str], split: Split, me: int) -> tuple[int, SplitLeg]:
    """Answer the steps and the leg between two named places."""
    src = p.board.place(names[0], me)
    if src is not None and src != RESERVE:
        for n, ways in enumerate(sheet(p).legs[split][me][src], start=1):
            for leg in ways:
                if leg.tail == "-".join(names):
                    return n, leg
    raise IllegalPlay("card_cannot", f"no leg leads from {names[0]} to {names[1]}")


def split_allowed(p: Position, play: Play) -> bool:
    """Say whether a shared card's legs, in the order given, are a valid play of the seat to act. Phase `play`."""
    card = sheet(p).cards[play.card]
    if card is None or card.split is None or play.card not in p.hands[p.turn] or len(play.what) > card.split.legs:
        return False
    me = side(p, p.turn)
    q, moved, steps = p.copy(), set[int](), 0
    names = p.board.names
    for leg in play.what:
        path = leg.path
        n, found = _resolve_leg(p, (names[path.src], names[path.end]), card.split, me)
        there = q.at[path.src] == me if path.src < q.board.length else path.src in _own(q, me)
        if leg.owner != me or not there or path.src in moved:
            return False
        if (q.guard | q.heaven[me] << 2 * q.seats) & found.block:
            return False
        moves.step(q, me, found.leg.path)
        moved.add(path.end)
        steps += n
    return steps == card.split.steps


def check(p: Position, play: Play) -> None:
    """Raise IllegalPlay with a code unless the seat to act may make this play: `over`, `deck_due`, `not_now`,
    `no_such_card`, `must_play`, `not_possible`, `wrong_deck`."""
    phase, kind = p.phase, play.kind
    if kind is Kind.DECK:
        if phase != DECK:
            raise IllegalPlay("not_now", "no deck is due")
        if sorted(play.what) != sorted(p.rules.deck()):
            raise IllegalPlay("wrong_deck", "these are not the cards of one deck, each as often as it is there")
        return
    if phase == "over":
        raise IllegalPlay("over", "the game is over")
    if phase == DECK:
        raise IllegalPlay("deck_due", "a deck must be shuffled first")
    if play.card not in p.hands[p.turn]:
        raise IllegalPlay("no_such_card", f"{TEXTS[play.card]} is not in the hand")
    if kind is Kind.SPLIT and phase == PLAY:
        if split_allowed(p, play):
            return
    elif play in listed(p):
        return
    if kind is Kind.BURN and phase in (PLAY, JOKER):
        raise IllegalPlay("must_play", "a seat that can play a card must play one")
    if (kind is Kind.BURN) != (phase == FORCED) and (phase == FORCED or kind in (Kind.BURN, Kind.BLIND, Kind.GIVE)):
        raise IllegalPlay("not_now", f"{play.text!r} does not belong to phase {phase}")
    if phase in (GIVE, BLIND) and kind is not {GIVE: Kind.GIVE, BLIND: Kind.BLIND}[phase]:
        raise IllegalPlay("not_now", f"{play.text!r} does not belong to phase {phase}")
    raise IllegalPlay("not_possible", f"{play.text!r} is not possible here")
