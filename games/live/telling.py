"""What the sockets of a table receive: whole views, missing events, heartbeats, presence.

Everything here runs on the loop and reads only the feed; only `resume` may have to look further back, in a thread.
"""

from collections.abc import Mapping
from typing import Any

from games.fold import Viewer, view, view_hash
from games.selectors import games as reader
from games.services.pulse import heart
from tock_league.common import clock
from tock_league.common.metrics import SNAPSHOTS

from . import incidents, projection
from .feed import Client, Feed
from .messages import CLOSE_REVOKED, Beat, Join, Who
from .threads import in_thread

# The reasons for a whole view, in the order below: the client joined, the next game began, rows were taken back, too
# many events are missing, the outbox overflowed, the client holds a different view, a referee may see another hand.
_SNAPSHOTS = {
    why: SNAPSHOTS.labels(why) for why in ("join", "game", "rewind", "behind", "overflow", "differs", "referee")
}


async def resume(feed: Feed, client: Client, frame: Join) -> bool:
    """Send the client only the events after the view that it says it holds, or a heartbeat if there are none.

    Return False, and send nothing, if it needs a snap: it holds no view or one of another epoch, too many events are
    missing, or its hash is wrong.
    """
    stream, viewer = feed.stream(client.viewer), client.viewer
    if stream is None or feed.game is None or not frame.hash or frame.epoch != stream.state.epoch:
        return False
    behind = stream.state.seq - frame.since
    if not 0 <= behind <= reader.MAX_BEHIND or frame.since < 1:
        return False
    game, upto = feed.game, stream.state.seq
    if behind == 0:
        if stream.mark(viewer) != frame.hash:
            return False
        client.sent = (game.slug, upto)
        client.put(projection.beat(stream.state, viewer, n=0, now=clock.now_ms(), mark=frame.hash))
        return True
    found = stream.since(frame.since)
    if not found:
        found = await in_thread(reader.steps_between, game, frame.since, upto)
    if view_hash(view(found[0].before, viewer)) != frame.hash:
        return False
    client.put(projection.ev(found, viewer, now=clock.now_ms()))
    client.sent = (game.slug, found[-1].row.seq)
    return True


def look_at_referees(feed: Feed, referees: Mapping[int, int | None]) -> None:
    """Apply the referees' current rights: send a snap when the hand that a referee may see has changed, and close the
    socket when the role is lost.

    `referees`: as `games.selectors.referee.referees` returns them.
    """
    for client in [client for client in feed.clients if client.viewer.referee]:
        player = client.person.player_id
        if player is None or player not in referees:
            client.close(CLOSE_REVOKED)
        elif client.viewer.sees != referees[player]:
            client.viewer = Viewer(referee=True, sees=referees[player])
            if client.sent is not None:
                snap(feed, client, "referee")


def advance_all(feed: Feed) -> None:
    """Put into each outbox what its client lacks, if the client has a view or waits for one.

    The seats that may act come last: listing their plays takes a time that depends on their hands, and the others must
    not notice it.
    """
    now = clock.now_ms()
    acting = feed.private.state.may_act if feed.private is not None else ()
    for client in sorted(feed.clients, key=lambda client: client.viewer.seat in acting):
        if client.sent is not None or client.waits:
            advance(feed, client, now)


def advance(feed: Feed, client: Client, now: int) -> None:
    """Put what the client lacks at `now` (ms) into its outbox: events if available, else a snap."""
    stream = feed.stream(client.viewer)
    if stream is None or feed.game is None or client.outbox.dropped:
        return  # an outbox that overflowed gets its snap when it has drained
    if client.sent is None or client.sent[0] != feed.game.slug:
        snap(feed, client, "join" if client.sent is None else "game")
        return
    if client.sent[1] > stream.state.seq:
        snap(feed, client, "differs")
        return
    if client.sent[1] == stream.state.seq:
        return
    text = stream.events(client.viewer, client.sent[1], now)
    if text is None:
        snap(feed, client, stream.no_events(client.sent[1]))
    elif client.outbox.put(text):
        client.sent = (feed.game.slug, stream.state.seq)


def snap(feed: Feed, client: Client, why: str) -> None:
    """Put the whole view into the client's outbox, and count why."""
    stream = feed.stream(client.viewer)
    client.waits = stream is None or feed.game is None
    if stream is None or feed.game is None:
        return
    if client.put(projection.snap_of(feed.game, stream.sight, client.viewer, now=clock.now_ms())):
        client.sent = (feed.game.slug, stream.state.seq)
        _SNAPSHOTS[why].inc()


def beat(feed: Feed, client: Client, frame: Beat) -> None:
    """Compare versions and hashes with what the client should hold, and repair differences."""
    stream, now = feed.stream(client.viewer), heart.counted(clock.now_ms())
    if stream is None or feed.game is None or client.sent is None:
        return
    if client.sent[0] != feed.game.slug or frame.have > stream.state.seq:
        _mend(feed, client, "differs")
    elif frame.have < stream.state.seq:
        text = stream.events(client.viewer, frame.have, now)
        if text is None or not client.outbox.put(text):
            _mend(feed, client, stream.no_events(frame.have) if text is None else "overflow")
    elif frame.hash != (mark := stream.mark(client.viewer)):
        if client.sent[1] == frame.have:  # otherwise it was never sent the view that it claims to hold
            seat = client.viewer.seat
            incidents.view_differs(feed.game.slug, seat, frame.have, theirs=frame.hash, ours=mark)
        _mend(feed, client, "differs")
    client.put(projection.beat(stream.state, client.viewer, n=frame.n, now=now, mark=stream.mark(client.viewer)))


def _mend(feed: Feed, client: Client, why: str) -> None:
    """Send the whole view to a client that claims to hold another one, at most once a second."""
    if client.mends.allows():
        snap(feed, client, why)


def who(feed: Feed) -> Who:
    """Return who sits at the table and who watches, here and in other processes."""
    now = clock.monotonic()
    elsewhere = [there for there in feed.elsewhere.values() if there.until > now]
    online = feed.seats_here.union(*(there.seats for there in elsewhere))
    state = feed.private.state if feed.private is not None else None
    seats: list[Mapping[str, Any]] = [
        {
            **seat.to_json(),
            "online": bool(seat.bot) or seat.seat in online,
            "ready": state is not None and state.ready[seat.seat],
        }
        for seat in feed.seats
    ]
    return Who(seats=seats, spectators=feed.spectators_here + sum(there.spectators for there in elsewhere))
