"""Imports the demo's past games: each due match gets its record, and the services do everything else.

One transaction a game, oldest first. Every step is idempotent: a loading that was cut off continues where it
stopped. `serve` loads before its worker starts, so work that a game promises to the outbox is done here, by the functions
that the tasks call. Beside a running worker (`load_demo`) the beat may open the table of a match first: such a match is
left to the bots at that table.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.services import records, tables
from ratings import services as ratings
from tock_league.accounts.permissions import SITE
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import lifecycle

from . import disputes
from .league import competition_of
from .packing import Packed, load, unpack
from .programme import AT_THE_TABLE, EVENTS, Event, key_of

SETTLE = "tock_league.competitions.tasks.settle_game"
LASTS = timedelta(minutes=45)  # from a match's time until its record is over for certain
WAITING = (Match.State.READY, Match.State.SCHEDULED)


def bring_up_to(now: datetime) -> int:
    """Play, by their records, the matches of the demo whose time lies before `now`; return how many.

    A match of the printed account has no record once it lies ahead: it is played tonight, or not at all.
    """
    _settle()  # what a loading that was cut off has left
    played, games = 0, load() if _due(now) else {}
    # A round of the tournament is dated by the last result of the one before.
    while ready := [(match, key) for match, key in _due(now) if key in games or key == AT_THE_TABLE]:
        for match, key in ready:
            if key == AT_THE_TABLE:
                played += disputes.play_with_a_call(match)
                _settle()
            else:
                played += play(match, games[key])
    _close(EVENTS)
    rate()
    if disputes.file_all():
        rate()
    return played


def _due(now: datetime) -> list[tuple[Match, str]]:
    """Return the matches that have no table and whose time has passed, with their keys, oldest first."""
    found: list[tuple[Match, str]] = []
    for event in EVENTS:
        competition = competition_of(event)
        waiting = Match.objects.filter(
            competition=competition, table=None, state__in=WAITING, starts_at__lte=now - LASTS
        )
        for match in waiting.select_related("round__group"):
            found.append((match, key_of(event, match.round.number, match.number, match.round.group.name)))
    return sorted(found, key=lambda pair: (pair[0].starts_at, pair[1]))


def play(match: Match, packed: Packed) -> bool:
    """Keep a match's game as its record tells it, at the match's own time, and settle the match; return False when a worker
    has opened a table for it meanwhile."""
    assert match.starts_at is not None
    record = unpack(packed, clock.ms(match.starts_at))
    with clock.frozen(match.starts_at):
        plan = publishing.table_plan(match)
    with clock.frozen(clock.from_ms(record.rows[-1].at)), outbox.by_hand(), writing():
        if not disputes.is_without_table(match):
            return False
        table = tables.reserve_match_table(**plan)
        publishing.link_table(match=match, table=table)
        records.import_record(record=record, table=table)
    _settle()
    return True


def _settle() -> None:
    """Do at once, at the hour of each game, what the games have promised to the worker."""
    for promise in outbox.waiting(SETTLE):
        with clock.frozen(promise.created_at):
            settlement.settle(game_id=promise.body["game_id"], outbox_id=promise.pk)


def _close(events: Iterable[Event]) -> None:
    """Finish the competitions whose last match is decided, on the evening of that match."""
    for event in events:
        competition = competition_of(event)
        if competition is None or competition.state != Competition.State.RUNNING:
            continue
        if competition.matches.exclude(state__in=lifecycle.DECIDED).exists():
            continue
        last = competition.matches.latest("decided_at").decided_at
        with clock.frozen(last or clock.now()):
            lifecycle.run_through(by=SITE, competition=competition, to=Competition.State.FINISHED)


def rate() -> None:
    """Rate what waits, in the order in which the games ended, as the task does."""
    for key in ratings.ladders_waiting():
        while ratings.rate_waiting(ladder_key=key, settle=timedelta(0)).applied:
            pass
    for key in ratings.ladders_dirty():
        ratings.rebuild(ladder_key=key, cause="demo loaded")
    ratings.expire_boards()
