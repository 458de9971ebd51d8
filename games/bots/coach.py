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
from games.bots.worth import NEXT_HAND, Worth, chance, worth_of
from games.engine.cards import TEXTS
from games.engine.tock.legal import side
from games.engine.tock.plays import After, Kind, Play
from games.engine.tock.position import Position

MOST = 3  # reasons that are told
LEAST = 1.0  # points that a reason needs
RISK = 3.0  # points that a marble must stand to lose to be mentioned
LONG = 18  # spaces: no card goes further, but a jump, and a marble that goes back over its pieu
AVOIDED = ("danger", "at_exit", "long_way", "back", "eats_own")  # costs of the second choice that are told


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a play is good, or what it costs. `code`: see docs/bots.md; the other fields say whose marble, which place."""

    code: str
    points: float  # its share of the evaluation; negative for a cost
    seat: int = -1
    place: str = ""
    card: str = ""
    count: int = 0  # spaces

    def to_json(self) -> dict[str, Any]:
        """Return the reason for a page; fields without a value are omitted."""
        wire: dict[str, Any] = {"code": self.code}
        if self.seat >= 0:
            wire["seat"] = self.seat
        return wire | {key: value for key in ("place", "card", "count") if (value := getattr(self, key))}


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
    rest = [(ahead, line) for at, (ahead, line) in enumerate(zip(odds, legal, strict=True)) if at != best]
    return Advice(
        legal[best],
        chance(odds[best] + worth.shift),
        tuple(good[:MOST]),
        costs[-1] if costs else None,
        (max(rest)[1], chance(max(rest)[0] + worth.shift)) if rest else None,
    )


def _reasons(
    worth: Worth, p: Position, plays: Sequence[Play], odds: Sequence[float], best: int, me: int
) -> Iterator[Reason]:
    play = plays[best]
    if odds[best] >= club.WON:
        # Under full ranking the others play on.
        yield Reason("finishes" if p.full_ranking else "wins", 1000.0)
        return
    yield from _on_board(worth, p, play, me)
    yield from _of_cards(worth, p, plays, odds, best, me)
    yield from _of_the_next_best(worth, p, plays, odds, best, me)


def _on_board(worth: Worth, p: Position, play: Play, me: int) -> Iterator[Reason]:
    q = club.after(p, play)
    if q is not p:
        yield from _of_board(worth, p, q, play, me)
        yield from _of_moves(worth, p, play, me)
        yield from _of_danger(worth, p, q, play, me)


def _of_board(worth: Worth, p: Position, q: Position, play: Play, me: int) -> Iterator[Reason]:
    """Yield what has been eaten, what has come out and what has come home."""
    moved = {path.src for _owner, path in play.what} if play.kind in (Kind.MOVE, Kind.SPLIT) else set()
    for owner in range(p.seats):
        mine = owner % p.teams == me % p.teams
        gone = [space for space in p.tracks[owner] if q.at[space] != owner and space not in moved]
        left = q.reserve[owner] - p.reserve[owner]
        if left > 0:
            # Of two marbles eaten at once the nearer to its heaven weighs more.
            points = max((worth.value[owner][space] for space in gone), default=0.0) / worth.scale
            yield Reason("eats_own" if mine else "eats", -points if mine else points, owner, count=left)
        if left < 0:
            points = worth.value[owner][p.board.starts[owner]] / worth.scale
            yield Reason("out", points, owner)
        inside = q.heaven[owner].bit_count() - p.heaven[owner].bit_count()
        gain = (worth.heaven[q.heaven[owner]] - worth.heaven[p.heaven[owner]]) / worth.scale
        if q.heaven[owner] != p.heaven[owner]:
            code = "home" if inside else "deeper"
            yield Reason(code if mine else "home_foe", gain if mine else -gain, owner, count=inside)


def _of_moves(worth: Worth, p: Position, play: Play, me: int) -> Iterator[Reason]:
    """Yield what the way of each marble that stays on the track is worth."""
    length, names = p.board.length, p.board.names
    for owner, src, end in _ways(p, play):
        mine = owner % p.teams == me % p.teams
        gain = (worth.value[owner][end] - worth.value[owner][src]) / worth.scale
        start = p.board.starts[owner]
        count = (end - start) % length - (src - start) % length
        if mine:
            yield Reason(_way_code(play, gain, count), gain, owner, names[end], count=abs(count))
        else:
            yield Reason("hinders" if gain < 0 else "helps_foe", -gain, owner, names[end])


def _way_code(play: Play, gain: float, count: int) -> str:
    """Return what a way is for a marble of the team: `count` spaces nearer to its pieu, fewer than 0 away from it."""
    if gain < 0:
        return "long_way" if count > 0 else "back"  # past its pieu it must go round again
    if count <= 0:
        return "better"
    return "swap" if play.kind is Kind.SWAP else "shortcut" if count > LONG else "forward"


def _ways(p: Position, play: Play) -> Iterator[tuple[int, int, int]]:
    """Yield (owner, from, to) for each marble that a play moves from the track to the track."""
    if play.kind is Kind.SWAP:
        a, b = play.what
        yield p.at[a], a, b
        yield p.at[b], b, a
    elif play.kind in (Kind.MOVE, Kind.SPLIT):
        for owner, path in play.what:
            if not path.entered and not path.left:
                yield owner, path.src, path.end


def _of_danger(worth: Worth, p: Position, q: Position, play: Play, me: int) -> Iterator[Reason]:
    """Yield what the play changes in the danger to marbles of the team."""
    names, shield = p.board.names, p.board.shield
    before, after = (_risks(worth, each, me) for each in (p, q))
    for owner, src, end in _ways(p, play):
        if owner % p.teams != me % p.teams or q.at[end] != owner:
            continue
        was, now = before.get(src, 0.0), after.get(end, 0.0)
        if q.guard & shield[end] and not p.guard & shield[src]:
            yield Reason("shelter", worth.protected / worth.scale + was, owner, names[end])
        elif was - now >= RISK:
            yield Reason("saves", was - now, owner, names[src])
    for space, points in after.items():
        if points >= RISK and points > before.get(space, 0.0):
            owner = q.at[space]
            exits = [foe for foe in worth.foes[me][owner % p.teams] if space == p.board.starts[foe] and q.reserve[foe]]
            yield Reason("at_exit" if exits else "danger", -points, exits[0] if exits else owner, names[space])


def _risks(worth: Worth, p: Position, me: int) -> dict[int, float]:
    """Return by track space what each marble of the team stands to lose there, in points: the term of `Worth.scores`."""
    terrain, found = worth.terrain, {}
    for owner in range(me % p.teams, p.seats, p.teams):
        for space in p.tracks[owner]:
            if p.guard & p.board.shield[space]:
                continue
            safe = 1.0
            for foe in worth.foes[me][me % p.teams]:
                reach = sum(terrain.hit[space][other] for other in p.tracks[foe])
                if space == p.board.starts[foe] and p.reserve[foe]:
                    reach += terrain.out
                safe *= (1.0 - min(reach, 0.95)) ** (len(p.hands[foe]) or NEXT_HAND)
            found[space] = worth.danger * (1.0 - safe) * worth.stake[owner][space] / worth.scale
    return found


def _of_cards(
    worth: Worth, p: Position, plays: Sequence[Play], odds: Sequence[float], best: int, me: int
) -> Iterator[Reason]:
    """Yield what the card does after its play, and what the cards kept are worth."""
    play = plays[best]
    q = club.after(p, play)
    if play.after is After.NEXT_BURNS:
        hit = next(seat % p.seats for seat in range(me + 1, me + p.seats) if seat % p.seats not in p.finished)
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
    others = [at for at in range(len(plays)) if at != best and plays[at].kind not in club.STILL]
    if not others:
        return
    play = plays[max(others, key=lambda at: odds[at])]
    worst = min(_on_board(worth, p, play, me), key=lambda reason: reason.points, default=None)
    if worst is None or worst.code not in AVOIDED:
        return
    same = sum(reason.points for reason in _on_board(worth, p, plays[best], me) if reason.code == worst.code)
    if same - worst.points >= RISK:
        yield replace(worst, code=f"avoids_{worst.code}", points=same - worst.points)


def _without(hand: Sequence[int], card: int) -> list[int]:
    left = list(hand)
    left.remove(card)
    return left
