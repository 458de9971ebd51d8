"""What one viewer may see, key by key (an allow-list): the public board, and for a seat its own hand and its plays."""

from games.engine.cards import TEXTS
from games.engine.game import Spectator, View, Viewer
from games.engine.tock.board import RESERVE
from games.engine.tock.legal import known, listed
from games.engine.tock.position import BLIND, GIVE, Position


def view(p: Position, viewer: Viewer) -> View:
    """Return the view of a seat or of SPECTATOR: plain JSON without null, lists sorted so that order tells nothing.

    For everybody: rules, seats, teams, phase, turn, dealer, deal, marbles (by seat), fresh, count (cards per hand), owed
    (blind burns per seat); in phase `give`: given (who has laid a card); in phase `joker`: joker (the place to replay);
    thrown (seats that threw in this deal), finished (seats in order) and full_ranking, each only when there is any.
    What everybody sees is worked out once for a position; its values are shared by the views and must not be changed.
    For a seat also hand, laid (its own card laid aside) and, when it must choose, legal. Raises ValueError for no seat.
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
    # A blind burn is chance: the seat has nothing to choose.
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
