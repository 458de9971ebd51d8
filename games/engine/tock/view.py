"""What one viewer may see. Only listed keys are copied: the public board, and for a seat its own hand and plays."""

from games.engine.cards import TEXTS
from games.engine.game import Spectator, View, Viewer
from games.engine.tock.board import RESERVE
from games.engine.tock.legal import known, listed
from games.engine.tock.position import BLIND, GIVE, Position


def view(p: Position, viewer: Viewer) -> View:
    """Return the view of a seat or of SPECTATOR: plain JSON without null; lists are sorted, so their order reveals
    nothing.

    For everybody: rules, seats, teams, phase, turn, dealer, deal, marbles (by seat), fresh, count (cards per hand),
    owed (random burns per seat); in phase `give`: given (who has laid a card aside); in phase `joker`: joker (the place
    to replay); and where there are any: thrown (seats that threw in this deal), finished (seats in order),
    full_ranking. The public part is cached with the position; views share its values, which must not be changed.

    For a seat also hand, laid (its own card laid aside) and, when it must choose, legal. Raises ValueError for a seat
    that does not exist.
    """
    kept = p.keep()
    if kept.public is None:
        kept.public = _public(p)
    seen: View = kept.public.copy()
    if isinstance(viewer, Spectator):
        return seen
    if not 0 <= viewer < p.seats:
        raise ValueError(f"no seat {viewer}")
    seen["hand"] = [TEXTS[card] for card in p.hands[viewer]]
    if p.phase == GIVE and p.given[viewer] >= 0:
        seen["laid"] = TEXTS[p.given[viewer]]
    # A blind burn is a chance play: the seat chooses nothing.
    legal = [] if p.phase == BLIND else [play.text for play in (known(p) if viewer == p.turn else listed(p, viewer))]
    if legal:
        seen["legal"] = legal
    return seen


def _public(p: Position) -> View:
    seen: View = {
        "rules": p.rules.id,
        "seats": p.seats,
        "teams": p.teams,
        "phase": p.phase,
        "turn": p.turn,
        "dealer": p.dealer,
        "deal": p.deal,
        "marbles": {str(seat): p.marbles(seat) for seat in range(p.seats)},
        "fresh": p.fresh(),
        "count": [len(hand) for hand in p.hands],
        "owed": list(p.penalties),
    }
    if p.phase == GIVE:
        seen["given"] = [card >= 0 for card in p.given]
    if p.joker != RESERVE:
        seen["joker"] = p.board.followed_name(p.joker)
    if p.thrown:
        seen["thrown"] = sorted(p.thrown)
    if p.finished:
        seen["finished"] = list(p.finished)
    if p.full_ranking:
        seen["full_ranking"] = True
    return seen
