"""Frames for one viewer, made from what the fold's allow-lists let through: states and steps in, frames out."""

from collections.abc import Sequence

from games.fold import Step, TableState, Viewer, clocks_json, events, view, view_hash
from games.fold.patch import Json
from games.models import Game, Table
from games.selectors.tables import you

from .messages import BeatBack, Ev, Snap


def shown_time(state: TableState, viewer: Viewer, now: int) -> int:
    """Answer the `now` of a frame: the server's for whoever sees live, that of the released event for everybody else."""
    return now if viewer.live else state.at


def snap(state: TableState, viewer: Viewer, *, release: str, now: int, practice: bool = False) -> Snap:
    """Answer the whole view of the viewer."""
    seen = view(state, viewer)
    return Snap(
        epoch=state.epoch,
        seq=state.seq,
        you=you(viewer, release, practice=practice),
        view=seen,
        clocks=clocks_json(state),
        now=shown_time(state, viewer, now),
        hash=view_hash(seen),
    )


def snap_of(game: Game, state: TableState, viewer: Viewer, *, now: int) -> Snap:
    """Answer the whole view of the viewer at the game's table."""
    table = game.table
    return snap(state, viewer, release=table.release, now=now, practice=table.kind == Table.Kind.PRACTICE)


def ev(steps: Sequence[Step], viewer: Viewer, *, now: int, held: Json | None = None) -> Ev:
    """Answer the events of `steps` (at least one, contiguous) as the viewer gets them.

    `held`: the viewer's view before the first, where it is at hand.
    """
    told = list(events(steps, viewer, held))
    last = steps[-1].after
    return Ev(
        epoch=last.epoch,
        from_=steps[0].row.seq,
        list=[event for event, _ in told],
        clocks=clocks_json(last),
        now=shown_time(last, viewer, now),
        hash=view_hash(told[-1][1]),
    )


def beat(state: TableState, viewer: Viewer, *, n: int, now: int, mark: str | None = None) -> BeatBack:
    """Answer the heartbeat that says what the viewer should hold; `mark`: the view's hash, where it is at hand."""
    return BeatBack(
        n=n,
        seq=state.seq,
        hash=mark if mark is not None else view_hash(view(state, viewer)),
        clocks=clocks_json(state),
        now=shown_time(state, viewer, now),
    )
