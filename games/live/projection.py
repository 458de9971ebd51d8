"""Frames for one viewer, made from the fold's allow-lists: states and steps in, frames out."""

from collections.abc import Sequence

from games.fold import Sight, Step, TableState, Told, Viewer, clocks_json, told, view, view_hash
from games.models import Game, Table
from games.selectors.tables import you

from .messages import BeatBack, Ev, Snap


def shown_time(state: TableState, viewer: Viewer, now: int) -> int:
    """Return the `now` of a frame: the server's time for viewers who see live, the released event's time for others."""
    return now if viewer.live else state.at


def snap(seen: TableState | Sight, viewer: Viewer, *, release: str, now: int, referees: bool = True) -> Snap:
    """Return the whole view of the viewer."""
    sight = seen if isinstance(seen, Sight) else Sight(seen)
    state = sight.state
    return Snap(
        epoch=state.epoch,
        seq=state.seq,
        you=you(viewer, release, referees=referees),
        view=sight.view(viewer),
        clocks=clocks_json(state),
        now=shown_time(state, viewer, now),
        hash=sight.mark(viewer),
    )


def snap_of(game: Game, state: TableState | Sight, viewer: Viewer, *, now: int) -> Snap:
    """Return the whole view of the viewer at the game's table."""
    table = game.table
    return snap(state, viewer, release=table.release, now=now, referees=table.kind == Table.Kind.MATCH)


def ev(steps: Sequence[Step], viewer: Viewer, *, now: int) -> Ev:
    """Return the events of `steps` (at least one, contiguous) as the viewer gets them."""
    return ev_of(list(told(steps)), viewer, now=now)


def ev_of(shown: Sequence[Told], viewer: Viewer, *, now: int) -> Ev:
    """Return the `ev` for `shown` (at least one step, contiguous)."""
    last = shown[-1].after
    return Ev(
        epoch=last.state.epoch,
        from_=shown[0].step.row.seq,
        list=[each.event(viewer) for each in shown],
        clocks=clocks_json(last.state),
        now=shown_time(last.state, viewer, now),
        hash=last.mark(viewer),
    )


def ev_text(shown: Sequence[Told], viewer: Viewer, *, now: int) -> str:
    """Return the text of `ev_of`; what all viewers share is serialised once."""
    last = shown[-1].after
    state = last.state
    events = ",".join([each.text(viewer) for each in shown])
    return (
        f'{{"t":"ev","epoch":{state.epoch},"from":{shown[0].step.row.seq},"list":[{events}],'
        f'"clocks":{last.clocks_text},"now":{shown_time(state, viewer, now)},"hash":"{last.mark(viewer)}"}}'
    )


def beat(state: TableState, viewer: Viewer, *, n: int, now: int, mark: str | None = None) -> BeatBack:
    """Return the heartbeat with what the viewer should hold; `mark`: the view's hash, if it is known already."""
    return BeatBack(
        n=n,
        seq=state.seq,
        hash=mark if mark is not None else view_hash(view(state, viewer)),
        clocks=clocks_json(state),
        now=shown_time(state, viewer, now),
    )
