"""What one viewer may see. Only listed keys are copied: what lies on the table, and for a seat its own hand and plays."""

from typing import Any

from games.engine.cards import TEXTS
from games.engine.game import Spectator, View, Viewer
from games.engine.tractor.plays import texts
from games.engine.tractor.round import BURY, DRAW, PLAY, SHOW, Position, listed
from games.engine.tractor.round.state import trump_json
from games.engine.tractor.rules import SEATS
from games.engine.tractor.score import rank_text


def view(p: Position, viewer: Viewer) -> View:
    """Return the view of a seat or of SPECTATOR: plain JSON without null; cards are sorted, so their order reveals
    nothing.

    For everybody: rules, seats, teams, phase, turn, round, ranks (by team), drawer, count (cards per hand); rounds
    where their number is fixed; declarers and starter once known; in `draw` and `show`: left (cards still to be drawn),
    show (seat and cards) when there is one, passed (seats); from `bury` on: trump (rank and suit, no suit when there is
    no trump), turned (cards of the talon that named the suit); in `play`: leader, trick (plays from the leader on),
    best (who is winning it), gone (cards of earlier tricks), captured and paid (by team, this round), failed (the
    failed throw of the current trick); where there are any: last (the trick before), points (by team, all rounds) and
    previous (the round before, its buried cards too).

    For a seat also hand; for the starter also talon in `bury` and buried in `play`; legal, the candidates of a seat
    that may choose. Raises ValueError for a seat that does not exist.
    """
    seen: View = {
        "rules": p.rules.id,
        "seats": SEATS,
        "teams": p.teams,
        "phase": p.phase,
        "turn": p.turn,
        "round": p.round,
        "ranks": [rank_text(rank) for rank in p.ranks],
        "drawer": p.drawer,
        "count": [p.count(seat) for seat in range(SEATS)],
    }
    if p.rounds:
        seen["rounds"] = p.rounds
    if p.declarers >= 0:
        seen["declarers"] = p.declarers
        seen["starter"] = p.starter
    if p.phase in (DRAW, SHOW):
        seen["left"] = len(p.stock)
        seen["passed"] = [seat for seat in range(SEATS) if p.passed >> seat & 1]
    if p.show:
        seen["show"] = {"seat": p.show.seat, "cards": texts(p.show.one, p.show.two)}
    if p.order:
        seen["trump"] = trump_json(p.rank, p.suit)
    if p.turned:
        seen["turned"] = [TEXTS[k] for k in p.turned]
    if p.phase == PLAY:
        seen |= _play(p)
    if p.last:
        seen["last"] = p.last.to_json()
    if any(p.points):
        seen["points"] = list(p.points)
    if p.previous:
        seen["previous"] = p.previous.to_json()
    if isinstance(viewer, Spectator):
        return seen
    if not 0 <= viewer < SEATS:
        raise ValueError(f"no seat {viewer}")
    seen["hand"] = p.hand(viewer)
    if viewer == p.starter and p.phase == BURY:
        seen["talon"] = sorted(TEXTS[k] for k in p.talon)
    if viewer == p.starter and p.phase == PLAY:
        seen["buried"] = texts(*p.buried)
    legal = [play.text for play in listed(p, viewer)]
    if legal:
        seen["legal"] = legal
    return seen


def _play(p: Position) -> dict[str, Any]:
    """Return what everybody sees of the tricks."""
    seen: dict[str, Any] = {
        "leader": p.leader,
        "trick": [texts(*cards) for cards in p.trick],
        "gone": texts(*p.gone),
        "captured": list(p.captured),
        "paid": list(p.paid),
    }
    if p.trick:
        seen["best"] = p.best
    if p.failed:
        seen["failed"] = p.failed.to_json()
    return seen
