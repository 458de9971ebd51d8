"""The plays of the seat to act, card by card and phase by phase (rulebook sections 3, 6 and 7)."""

from collections.abc import Mapping
from operator import itemgetter

from games.engine.tock.board import FULL, MARBLES, RESERVE
from games.engine.tock.legal.sevens import splits
from games.engine.tock.legal.sheet import Card, Sheet, Ways, sheet
from games.engine.tock.plays import Play
from games.engine.tock.position import BLIND, FORCED, GIVE, JOKER, PLAY, Position
from games.engine.tock.rules import Swap

_line = itemgetter(0)


def side(p: Position, seat: int) -> int:
    """Return the seat whose marbles `seat` moves: its own, or those of the next teammate that has not finished."""
    if p.heaven[seat] != FULL:
        return seat
    for mate in range(seat + p.teams, seat + p.seats, p.teams):
        if p.heaven[mate % p.seats] != FULL:
            return mate % p.seats
    return seat


def next_to_burn(p: Position) -> int:
    """Return the seat that must burn after a ten, or -1 when it has no card left in this deal (section 14, point 3)."""
    seat = (p.turn + 1) % p.seats
    if p.finished:
        while seat in p.finished:
            seat = (seat + 1) % p.seats
    return seat if p.hands[seat] and seat != p.turn else -1


def in_centre(p: Position, me: int) -> list[int]:
    """Return the places of a side's marbles in the centre, sorted by name; marbles that came from one case 7 share a
    place.
    """
    return sorted({place for owner, place in p.centre if owner == me}, key=p.board.rank.__getitem__)


def playable(p: Position) -> list[Play]:
    """Return the plays of the seat to act with one card, sorted by their line; none when it must burn. Phase `play`."""
    held: Sheet = p.sheet or sheet(p)
    heaven, guard, turn, board = p.heaven, p.guard, p.turn, p.board
    me = turn if heaven[turn] != FULL else side(p, turn)
    # The marbles that can move, in the order of the lines: in heaven, in the reserve, on the track. A hand is sorted by
    # card and a marble's ways by line, so visiting the marbles in this order gives sorted plays.
    mine = p.tracks[me]
    plain = held.alone[me]
    if len(mine) > 1:
        mine = sorted(mine, key=board.rank.__getitem__)
        plain = held.plain[me]
    if p.reserve[me]:
        mine = [RESERVE, *mine]
    if inside := heaven[me]:
        guard |= inside << 2 * p.seats
        if loose := board.loose[me][inside]:
            mine = loose + mine
            plain = held.plain[me]
    if p.centre:
        mine = mine + in_centre(p, me)
    plays: list[Play] = []
    add = plays.append
    last = -1
    for number in p.hands[turn]:
        if number == last:
            continue
        last = number
        if table := plain[number]:
            for src in mine:
                for block, play in table[src]:
                    if not guard & block:
                        add(play)
            continue
        card: Card = held.cards[number]  # type: ignore[assignment]  # the deck's cards only
        if card.shared is not None:
            plays += splits(p, me, number, card.shared[me])
        else:
            plays += _others(p, me, number, card, mine)
    return plays


def _others(p: Position, me: int, number: int, card: Card, mine: list[int]) -> list[Play]:
    """Return the plays of a card that does more than move one own marble, sorted."""
    plays: list[Play] = []
    if card.swap:
        _swaps(p, me, number, card.swap, p.tracks[me], plays)
    if card.ways is not None:
        if card.any_marble:
            _any_marble(p, card.ways, plays)
            mine = [RESERVE] if card.outs and p.reserve[me] else []
        if mine:
            guard, table = p.guard | p.heaven[me] << 2 * p.seats, card.ways[me]
            for src in mine:
                for block, play in table[src]:
                    if not guard & block:
                        plays.append(play)
    if card.skip and next_to_burn(p) >= 0:
        plays.append(card.skip)
    if len(plays) > 1:
        plays.sort(key=_line)
    return plays


def _any_marble(p: Position, ways: Mapping[int, Ways], plays: list[Play]) -> None:
    """Add the plays of a card that moves any marble on the track."""
    low = 2 * p.seats
    for owner, spaces in enumerate(p.tracks):
        if spaces:
            guard, table = p.guard | p.heaven[owner] << low, ways[owner]
            for src in spaces:
                for block, play in table[src]:
                    if not guard & block:
                        plays.append(play)


def _swaps(p: Position, me: int, number: int, swap: Swap, mine: list[int], plays: list[Play]) -> None:
    """Add the swaps of own marbles on the track with others (section 4, Jack)."""
    if not mine:
        return
    guard, cover, shield = p.guard, p.board.cover, p.board.shield
    own = shield if not swap.fresh_mover else cover
    movers = [a for a in mine if not guard & own[a]]
    if not movers:
        return
    held = p.sheet or sheet(p)
    rows = [held.swaps[number][a] for a in movers]
    for owner, spaces in enumerate(p.tracks):
        if owner != me:
            for b in spaces:
                if not guard & shield[b]:
                    for row in rows:
                        plays.append(row[b])
    if swap.own and len(p.tracks[me]) > 1:
        # A pair of own marbles is one play, written with its lower marble first, whichever of the two may be moved.
        mates = [b for b in p.tracks[me] if not guard & cover[b]]
        pairs = {(min(a, b), max(a, b)) for a in movers for b in mates if a != b}
        plays += [held.swaps[number][a][b] for a, b in pairs]


def replays(p: Position) -> list[Play]:
    """Return the plays that replay a joker, unsorted; none when a card must be burned. Phase `joker`, section 6."""
    board, place, me, held = p.board, p.joker, side(p, p.turn), sheet(p)
    on_track = place < board.length
    owner = p.at[place] if on_track else board.owner(place)
    low = 2 * p.seats
    guard = p.guard | p.heaven[me] << low
    plays: list[Play] = []
    for number in dict.fromkeys(p.hands[p.turn]):
        card: Card = held.cards[number]  # type: ignore[assignment]  # the deck's cards only
        if card.any_marble and card.ways is not None:
            _any_marble(p, card.ways, plays)
        elif owner == me:
            for table in (card.ways, card.whole):
                if table is not None:
                    plays += [play for block, play in table[me][place] if not guard & block]
        if card.swap and on_track and owner == me:
            _swaps(p, me, number, card.swap, [place], plays)
        if card.skip and next_to_burn(p) >= 0:
            plays.append(card.skip)
    return plays


def known(p: Position) -> list[Play]:
    """Return the cached result of `listed` for the seat to act. Callers must not change the list."""
    kept = p.keep()
    if kept.plays is None:
        kept.plays = listed(p)
    plays: list[Play] = kept.plays
    return plays


def listed(p: Position, seat: int | None = None) -> list[Play]:
    """Return the plays of the seat to act (or of `seat`), sorted by their line; none in `deck` and `over`.

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
            return plays
        held = sheet(p)
        # All marbles are in reserve: with a card that brings one out there would be a play, so this hand has none.
        if p.rules.throws_in and p.reserve[side(p, seat)] == MARBLES:
            return [held.throw]
        return [held.burns[card] for card in dict.fromkeys(p.hands[seat])]
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
    if phase in (JOKER, FORCED):
        return [held.burns[card] for card in dict.fromkeys(p.hands[seat])]
    if phase == BLIND:
        return [held.blinds[card] for card in dict.fromkeys(p.hands[seat])]
    return []
