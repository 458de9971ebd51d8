"""A call for the referee: its immediate effect, and what happens when nobody comes."""

from games.announcements import CallUnanswered
from games.fold import CLOCK, SYSTEM, acts
from games.models import Game
from games.selectors.referee import on_duty
from tock_league.common import bus

from .record import Draft

PER_SEAT = 2  # calls of one seat in one game


def answer(draft: Draft, seat: int) -> None:
    """Freeze the table after the call that ends the draft, or mark the place in the record if nobody is on duty."""
    table = draft.game.table
    wait = table.referee_wait_s if on_duty(table.pk) else 0
    if wait:
        draft.act(acts.Freeze(by="call", seat=seat, until=draft.at + wait * 1000), SYSTEM)
    else:
        draft.act(acts.Mark(seq=draft.state.seq, why="no_referee"), SYSTEM)


def go_on(draft: Draft) -> str:
    """Let a table that has waited long enough continue, with a mark; return why: `unanswered`, or `lapsed` after a
    lease.
    """
    frozen = draft.state.frozen
    assert frozen is not None
    why = "lapsed" if frozen.held else "unanswered"
    draft.act(acts.Mark(seq=frozen.seq, why=why), CLOCK)
    draft.act(acts.Resume(by="clock"), CLOCK)
    return why


def tell_unanswered(game: Game, seq: int, why: str) -> None:
    """Announce that the game went on without a ruling on the call at `seq`; inside `writing()`."""
    bus.publish(CallUnanswered(game_id=game.pk, table_id=game.table_id, seq=seq, why=why))
