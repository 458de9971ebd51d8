"""The changes on the board: one marble moves, is eaten, comes out, or is swapped (rulebook sections 4 and 5).

These functions change the position without checking; `legal_plays` has checked before.
"""

from games.engine.tock import facts
from games.engine.tock.board import FULL, Path
from games.engine.tock.position import Position


def eat(p: Position, space: int) -> None:
    """Send the marble on a track space back to its reserve. It was not protected, so the guard does not change."""
    owner = p.at[space]
    p.at[space] = -1
    p.tracks[owner] = [other for other in p.tracks[owner] if other != space]
    p.reserve[owner] += 1


def step(p: Position, owner: int, path: Path) -> bool:
    """Move a marble of `owner` along its path and eat: what the path sweeps, where it arrives and where a jump ends.

    Return whether it completed its heaven: all four marbles are home.
    """
    src, land, end, swept, _, keep, cover, left, entered = path
    at, tracks = p.at, p.tracks
    p.guard = p.guard & keep | cover
    if left:
        p.heaven[owner] += entered - left
        return False
    at[src] = -1
    for space in swept:
        if at[space] >= 0:
            eat(p, space)
    if entered:
        tracks[owner] = [space for space in tracks[owner] if space != src]
        p.heaven[owner] |= entered
        return p.heaven[owner] == FULL
    if at[land] >= 0:
        eat(p, land)
    if end != land and at[end] >= 0:
        eat(p, end)
    at[end] = owner
    tracks[owner] = track = tracks[owner].copy()
    track[track.index(src)] = end
    return False


def cross(p: Position, owner: int, path: Path) -> None:
    """Move a marble of `owner` into the centre, or out of it onto a case 7, eating the marble there."""
    src, land, end = path[:3]
    if land < 0:
        p.at[src] = -1
        p.tracks[owner] = [space for space in p.tracks[owner] if space != src]
        p.centre = tuple(sorted((*p.centre, (owner, end))))
        return
    left = list(p.centre)
    left.remove((owner, src))
    p.centre = tuple(left)
    if p.at[land] >= 0:
        eat(p, land)
    p.at[land] = owner
    p.tracks[owner] = [*p.tracks[owner], land]


def come_out(p: Position, seat: int) -> None:
    """Bring a marble of `seat` onto its start, fresh, eating the marble that stands there."""
    start = p.board.starts[seat]
    if p.at[start] >= 0:
        eat(p, start)
    p.at[start] = seat
    p.tracks[seat] = [*p.tracks[seat], start]
    p.reserve[seat] -= 1
    p.guard |= 1 << seat


def swap(p: Position, a: int, b: int) -> None:
    """Swap the marbles on two track spaces; neither is fresh afterwards."""
    at, tracks = p.at, p.tracks
    one, two = at[a], at[b]
    at[a], at[b] = two, one
    if one != two:
        tracks[one] = [b if space == a else space for space in tracks[one]]
        tracks[two] = [a if space == b else space for space in tracks[two]]
    fresh = (1 << p.seats) - 1
    p.guard &= ~((p.board.shield[a] | p.board.shield[b]) & fresh)


def told(p: Position, owner: int, path: Path) -> list[facts.Fact]:
    """Return the effects that `step` or `cross` will have, in order; `p` is not changed."""
    src, land, end, swept = path[:4]
    names, at = p.board.names, p.at
    happened: list[facts.Fact] = [facts.Moved(owner, names[src], names[end if land < 0 else land])]
    happened += [facts.MarbleEaten(at[space], names[space]) for space in swept if at[space] >= 0]
    if land < 0:
        return happened
    if at[land] >= 0:
        happened.append(facts.MarbleEaten(at[land], names[land]))
    if end != land:
        happened.append(facts.Jumped(owner, names[land], names[end]))
        if at[end] >= 0:
            happened.append(facts.MarbleEaten(at[end], names[end]))
    return happened
