"""Conduct at the table: the plays that touched cards and marbles leave, and talking penalties (rulebook section 8)."""

from collections.abc import Sequence

from games.engine.cards import TEXTS
from games.engine.errors import IllegalPlay
from games.engine.tock.board import RESERVE
from games.engine.tock.legal import check, known, listed, orders, sheet, side
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import PLAY, Position


def uses(play: Play) -> frozenset[int]:
    """Return the places, before the play, of the marbles that it moves: of every leg, both of a swap, RESERVE for a
    marble that comes out. A marble in a heaven is given as a place of its owner's heaven.
    """
    if play.kind in (Kind.MOVE, Kind.SPLIT, Kind.CENTRE):
        return frozenset(leg.path.src for leg in play.what)
    if play.kind is Kind.SWAP:
        return frozenset(play.what)
    return frozenset((RESERVE,)) if play.kind is Kind.OUT else frozenset()


def touched_place(p: Position, marble: str) -> int | None:
    """Return the place of a touched marble (`t30`; `h2`, `x7` and `r` of the side to move), or None when no marble is
    there.
    """
    me = side(p, p.turn)
    place = p.board.place(marble, me)
    if place is None:
        return None
    if place == RESERVE:
        there = p.reserve[me] > 0
    elif place < p.board.length:
        there = p.at[place] >= 0
    elif place >= p.board.middle:
        there = (me, place) in p.centre
    else:
        there = bool(p.heaven[me] >> (place - p.board.heaven(me, 0)) & 1)
    return place if there else None


def narrow(p: Position, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None) -> list[Play]:
    """Return the plays that remain after touches, sorted: those with the laid card, then of these the ones that use
    each touched marble, in order. A touch that no play can use binds nothing.

    Where two spellings reach the same position, the one that uses the touched marble is listed.
    """
    listing, spelt = _open(p, card, marbles, seat)
    if spelt is None:
        return list(listing)
    first: dict[object, Play] = {}
    for play, key in spelt:
        if key not in first or play.text < first[key].text:
            first[key] = play
    return sorted(first.values())


def may_touch_card(p: Position, card: str) -> bool:
    """Return whether laying this card binds, because it is playable now. A card that is not playable returns to the
    hand.
    """
    return any(play.card >= 0 and TEXTS[play.card] == card and play.kind is not Kind.BURN for play in known(p))


def may_touch_marble(p: Position, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
    """Return whether touching this marble binds, after these touches: whether a remaining play uses it too."""
    place = touched_place(p, marble)
    if place is None:
        return False
    listing, spelt = _open(p, card, marbles, None)
    left = _every_spelling(p, listing) if spelt is None else spelt
    return any(place in uses(play) for play, _ in left)


def check_touched(p: Position, play: Play, *, card: str | None = None, marbles: Sequence[str] = ()) -> None:
    """Raise IllegalPlay unless the seat to act may make this play after these touches: the codes of `legal.check`, then
    `touched_card` and `touched_marble`. Every order of a seven's legs that uses the touched marbles is accepted.
    """
    check(p, play)
    if all(other.card != play.card for other in narrow(p, card=card)):
        raise IllegalPlay("touched_card", f"{card} lies at the centre and must be played")
    _, spelt = _open(p, card, marbles, None)
    if spelt is not None and all(other.text != play.text for other, _ in spelt):
        raise IllegalPlay("touched_marble", f"{', '.join(marbles)}: a marble touched must be played")


def penalise(p: Position, seat: int) -> Position:
    """Return the position in which `seat` must burn one more card at random; the current turn is not changed."""
    q = p.copy()
    q.penalties = [owed + (other == seat) for other, owed in enumerate(q.penalties)]
    return q


Spelt = list[tuple[Play, object]]


def _open(p: Position, card: str | None, marbles: Sequence[str], seat: int | None) -> tuple[list[Play], Spelt | None]:
    """Return the listed plays after a card is touched, and once a marble binds, every remaining spelling with a key of
    its result.
    """
    listing = known(p) if seat is None or seat == p.turn else listed(p, seat)
    if card is not None:
        listing = [play for play in listing if play.card >= 0 and TEXTS[play.card] == card] or listing
    if not marbles:
        return listing, None
    spelt, bound = _every_spelling(p, listing), False
    for marble in marbles:
        place = touched_place(p, marble)
        kept = [(play, key) for play, key in spelt if place in uses(play)] if place is not None else []
        if kept:
            spelt, bound = kept, True
    return listing, spelt if bound else None


def _every_spelling(p: Position, listing: Sequence[Play]) -> Spelt:
    """Return the plays with a key of the position each reaches; a shared card in every order and division of its legs."""
    known, me = sheet(p).cards, side(p, p.turn)
    spelt: Spelt = []
    shared: set[int] = set()
    for play in listing:
        does = known[play.card]
        if p.phase != PLAY or does is None or does.split is None or play.kind is Kind.BURN:
            spelt.append((play, play.text))
        elif play.card not in shared:
            shared.add(play.card)
            for text, legs, reached in orders(p, me, does.split):
                kind = Kind.SPLIT if len(legs) > 1 else Kind.MOVE
                line = Play(f"{TEXTS[play.card]} {text}", play.card, kind, legs)
                spelt.append((line, (play.card, reached)))
    return spelt
