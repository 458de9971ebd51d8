"""The entry point of the demo, which `serve` calls at each start, and `load_demo` once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.urls import reverse

from ratings.services import make_due_reports
from tock_league.competitions.models import Match
from tock_league.notices.services import silence

from . import accounts, history, league, tournaments, trios
from .dates import Dates
from .evening import tonight


@silence()  # what is loaded lies in the past, and tonight’s match is set anew at every start
def prepare(now: datetime) -> list[str]:
    """Load the demo if it is not there, finish a loading that was cut off, set what lies ahead anew.

    Returns the lines to print: the accounts, and where tonight's match is played. Safe to call at every start.
    """
    known = accounts.passwords()
    with _quickly():
        if not league.is_founded():
            league.found(at=Dates.at(now), passwords=known)
        if not tournaments.are_founded():
            tournaments.found(at=Dates.at(now), passwords=known)
        history.bring_up_to(now)
        if not trios.are_played():
            trios.play(at=Dates.at(now))
            history.rate()
        tournaments.look_ahead(now)
        make_due_reports(simulate=False)
    return [*accounts.lines(known), *_evening_lines(tonight(now))]


def _evening_lines(match: Match) -> list[str]:
    assert match.table is not None
    return [
        f"Tonight's match: {match.table.name}, at {reverse('games:table', args=[match.table.slug])} (player's account)."
    ]


@contextmanager
def _quickly() -> Iterator[None]:
    """Let SQLite leave the flushing to the operating system meanwhile: a killed process loses nothing by it, and what a
    power cut could lose is loaded again."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA synchronous").fetchone()[0]
        cursor.execute("PRAGMA synchronous=OFF")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous={before}")
