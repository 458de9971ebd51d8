"""Every way of sharing a card, tried one leg after another on copies of the position: slow, to check the fast listing."""

from collections.abc import Iterator

from games.engine.tock import moves
from games.engine.tock.board import Path
from games.engine.tock.position import Position
from games.engine.tock.rules import Split


def spellings(p: Position, me: int, split: Split) -> Iterator[tuple[str, tuple[Path, ...], Position]]:
    """Yield every valid sequence of legs: its text without the card, the paths, the position after them."""
    names = p.board.names

    def go(q: Position, left: int, done: tuple[Path, ...]) -> Iterator[tuple[tuple[Path, ...], Position]]:
        guard = q.guard | q.heaven[me] << 2 * q.seats
        moved = {path.end for path in done}
        last = len(done) == split.legs - 1
        for src in q.tracks[me] + q.board.inside[me][q.heaven[me]]:
            if src in moved:
                continue
            for n in (left,) if last else range(1, left + 1):
                for path in q.board.forward(me, src, n):
                    if guard & path.block:
                        continue
                    leg = path if split.eats_passed else path._replace(swept=())
                    after = q.copy()
                    moves.step(after, me, leg)
                    if n == left:
                        yield (*done, leg), after
                    else:
                        yield from go(after, left - n, (*done, leg))

    for paths, after in go(p, split.steps, ()):
        yield " ".join(f"{names[path.src]}-{names[path.end]}" for path in paths), paths, after


def reached(p: Position) -> tuple[object, ...]:
    """Return a key that differs between positions that the legs of one card reach."""
    return p.guard, tuple(p.at), tuple(p.heaven)
