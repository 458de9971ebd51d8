"""The coach: the club bot's play and why, in codes that a page turns into words.

Each reason is an effect of the play on the board or a term of the bot's evaluation (`worth.py`), with its weight in points;
the heaviest ones are told. A reason never needs more than the seat's view: it is computed from the same position as the
bot's choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.bots import club
from games.bots.choice import read
from games.bots.reasons import RISK, Reason, on_board
from games.bots.worth import Worth, chance, worth_of
from games.engine.cards import TEXTS
from games.engine.tock.legal import side
from games.engine.tock.plays import After, Kind, Play
from games.engine.tock.position import Position

MOST = 3  # reasons that are told
LEAST = 1.0  # points that a reason needs
AVOIDED = (
    "danger",
    "at_exit",
    "long_way",
    "back",
    "leaves_start",
    "eats_own",
)  # costs of the second choice that are told


@dataclass(frozen=True, slots=True)
class Advice:
    """What the club bot plays here."""

    line: str
    chance: float  # of the seat's team to come first after it, 0 to 1
    reasons: tuple[Reason, ...]  # the heaviest first
    cost: Reason | None  # the heaviest drawback
    other: tuple[str, float] | None  # the line that the bot thinks second, with the chance after it

    def to_json(self) -> dict[str, Any]:
        """Return the advice for a page: chances in thousandths; without `cost` and `other` if there is none."""
        wire: dict[str, Any] = {
            "line": self.line,
            "chance": round(1000 * self.chance),
            "reasons": [reason.to_json() for reason in self.reasons],
        }
        if self.cost:
            wire["cost"] = self.cost.to_json()
        if self.other:
            wire["other"] = {"line": self.other[0], "chance": round(1000 * self.other[1])}
        return wire


def advise(view: Mapping[str, Any], legal: Sequence[str], *, seat: int) -> Advice:
    """Return the advice for the seat whose view this is. Raises ValueError without a play. Deterministic."""
    if not legal:
        raise ValueError("no play to advise")
    p, me, plays = read(view, legal, seat)
    worth = worth_of(p.rules, p.seats, p.teams)
    odds = club.odds(worth, p, plays, me)
    best = odds.index(max(odds))
    found = sorted(_reasons(worth, p, plays, odds, best, me), key=lambda reason: -reason.points)
    good = [reason for reason in found if reason.points >= LEAST]
    costs = [reason for reason in found if reason.points <= -RISK]
    if len(legal) == 1:
        good.insert(0, Reason("only", 0.0))
    elif not good:
        good.append(Reason("balance", 0.0))
    second = _second(odds, best)
    return Advice(
        legal[best],
        chance(odds[best] + worth.shift),
        tuple(good[:MOST]),
        costs[-1] if costs else None,
        None if second is None else (legal[second], chance(odds[second] + worth.shift)),
    )


def _second(odds: Sequence[float], best: int) -> int | None:
    """Return the index of the second choice, None if there is none."""
    return max((at for at in range(len(odds)) if at != best), key=lambda at: odds[at], default=None)


def _reasons(
    worth: Worth, p: Position, plays: Sequence[Play], odds: Sequence[float], best: int, me: int
) -> Iterator[Reason]:
    play = plays[best]
    if odds[best] >= club.WON:
        # Under full ranking the others play on.
        yield Reason("finishes" if p.full_ranking else "wins", 1000.0)
        return
    yield from on_board(worth, p, play, me)
    yield from _of_cards(worth, p, plays, odds, best, me)
    yield from _of_the_next_best(worth, p, plays, odds, best, me)


def _of_cards(
    worth: Worth, p: Position, plays: Sequence[Play], odds: Sequence[float], best: int, me: int
) -> Iterator[Reason]:
    """Yield what the card does after its play, and what the cards kept are worth."""
    play = plays[best]
    q = club.after(p, play)
    if play.after is After.NEXT_BURNS:
        hit = next(seat % p.seats for seat in range(me + 1, me + p.seats) if seat % p.seats not in p.finished)
        if p.hands[hit]:  # who holds no card is not hit
            yield Reason("burns", worth.after[play.after] / worth.scale, hit)
    if play.after is After.REPLAY:
        yield Reason("replays", worth.after[play.after] / worth.scale)
    if play.kind is Kind.BURN:
        yield Reason("burn", LEAST, card=TEXTS[play.card])
    if play.kind is Kind.GIVE:
        out = worth.terrain.outs[play.card]
        yield Reason("gives_out" if out else "gives", LEAST, (me + p.teams) % p.seats, card=TEXTS[play.card])
    if play.card < 0:
        return
    kept = _without(p.hands[me], play.card)
    if q is not p and kept and q.tracks[side(q, me)]:
        gain = worth.follow_up(q, side(q, me), kept) - worth.follow_up(p, side(p, me), kept)
        if gain > 0:
            yield Reason("prepares", gain / worth.scale)
    # The best play with another card: what would be spent instead.
    others = [at for at, other in enumerate(plays) if other.card >= 0 and other.card != play.card]
    if others and play.kind is not Kind.GIVE:
        spent = plays[max(others, key=lambda at: odds[at])].card
        gain = (worth.keep[spent] - worth.keep[play.card]) / worth.scale
        yield Reason("keeps", gain, card=TEXTS[spent]) if gain > 0 else Reason("spends", gain, card=TEXTS[play.card])


def _of_the_next_best(
    worth: Worth, p: Position, plays: Sequence[Play], odds: Sequence[float], best: int, me: int
) -> Iterator[Reason]:
    """Yield what the play avoids: the heaviest cost on the board of the play that the bot thinks second."""
    second = _second(odds, best)
    if second is None:
        return
    play = plays[second]
    worst = min(on_board(worth, p, play, me), key=lambda reason: reason.points, default=None)
    if worst is None or worst.code not in AVOIDED:
        return
    same = sum(reason.points for reason in on_board(worth, p, plays[best], me) if reason.code == worst.code)
    if same - worst.points >= RISK:
        yield replace(worst, code=f"avoids_{worst.code}", points=same - worst.points)


def _without(hand: Sequence[int], card: int) -> list[int]:
    left = list(hand)
    left.remove(card)
    return left
