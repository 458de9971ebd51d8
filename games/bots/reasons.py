"""The coach's reasons: what a play does on the board, each with its share of the club bot's evaluation.

Everything is computed from the position as one seat knows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.bots import club
from games.bots.worth import NEXT_HAND, Worth
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position

RISK = 3.0  # points that a marble must stand to lose to be mentioned
LONG = 18  # spaces: no card goes further; a jump does, and a marble that goes back over its pieu gains more


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


def on_board(worth: Worth, p: Position, play: Play, me: int) -> Iterator[Reason]:
    """Yield what a play of `me` does on the board; nothing for one that leaves it as it is."""
    q = club.after(p, play)
    if q is not p:
        yield from _of_board(worth, p, q, play, me)
        yield from _of_moves(worth, p, q, play, me)
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


def _of_moves(worth: Worth, p: Position, q: Position, play: Play, me: int) -> Iterator[Reason]:
    """Yield what the way of each marble that stays on the track is worth."""
    length, names = p.board.length, p.board.names
    ways = list(_ways(p, play))
    for owner, src, end in ways:
        if q.at[end] != owner or sum(to == end for _owner, _src, to in ways) > 1:
            continue  # a later part of the play has eaten it
        gain = (worth.value[owner][end] - worth.value[owner][src]) / worth.scale
        pieu = p.board.starts[owner] - 2
        count = (pieu - src) % length - (pieu - end) % length  # spaces nearer to its pieu
        if owner % p.teams == me % p.teams:
            code = _own_way(play, gain, count, (end - src) % length)
            yield Reason(code, gain, owner, names[end], count=abs(count))
        elif (count < 0) == (gain < 0):
            yield Reason("hinders" if gain < 0 else "helps_foe", -gain, owner, names[end])


def _own_way(play: Play, gain: float, count: int, ahead: int) -> str:
    """Return the code of a way of the team's marble, `count` spaces nearer to its pieu; `ahead`: forward on the track."""
    if gain < 0:
        if count >= 0:
            return "leaves_start"  # the evaluation likes places from which a four takes a marble back over its pieu
        passes = play.kind is not Kind.SWAP and ahead <= LONG and ahead - count > LONG
        return "long_way" if passes else "back"
    if count <= 0:
        return "near_start"
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
