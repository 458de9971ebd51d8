"""The events that a person organises, with what waits there for an organiser. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q

from tock_league.accounts.models import Player
from tock_league.arbitration.core.cases import APPEAL, PENDING
from tock_league.arbitration.models import Case
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match, Round
from tock_league.competitions.selectors.seasons.competitions import organised_by

C, M = Competition.State, Match.State
MOST = 60  # events of the page; whoever organises more finds the others among all competitions
OVERDUE = timedelta(hours=3)  # after its hour a match without a result is one that somebody has to see to
BEING_PLAYED = (C.RUNNING, C.SUSPENDED)


@dataclass(frozen=True)
class Organised:
    """An event with what waits in it; each a number."""

    competition: Competition  # with `teams`
    to_certify: int  # results on paper that one side has reported, or that the sides contest
    overdue: int  # matches whose hour is past, without a result
    undated: int  # matches that may be played and have no date
    waitlisted: int  # entries on the waiting list, that may be let in
    unconfirmed: int  # entries of which a player has not answered
    cases: int  # that wait for a decision

    @property
    def waits(self) -> bool:
        """Whether anything waits for an organiser; unconfirmed entries wait for their players."""
        return bool(self.to_certify or self.overdue or self.undated or self.waitlisted or self.cases)


def organised(person: Player) -> list[Organised]:
    """Return the events that `person` organises and that are not over: first those where something waits, the next ones first.

    Seven queries at most, however many events.
    """
    events = list(organised_by(person)[:MOST])
    keys = [event.pk for event in events]
    if not keys:
        return []
    matches, entries, cases = _matches(keys), _entries(keys), _cases(keys)
    found = [
        Organised(event, **matches.get(event.pk, NO_MATCHES), **entries.get(event.pk, NO_ENTRIES), **cases[event.pk])
        for event in events
    ]
    return sorted(found, key=lambda one: not one.waits)  # stable: the order of the events stays


NO_MATCHES = {"to_certify": 0, "overdue": 0, "undated": 0}
NO_ENTRIES = {"waitlisted": 0, "unconfirmed": 0}


def _matches(events: Iterable[int]) -> Mapping[int, dict[str, int]]:
    past = Q(state__in=(M.SCHEDULED, M.CALLED, M.LIVE), starts_at__lt=clock.now() - OVERDUE)
    # In a tournament the round sets the hour when it opens.
    undated = Q(state=M.READY) & (Q(competition__plan={}) | ~Q(round__state=Round.State.PLANNED))
    rows = (
        Match.objects.filter(competition__in=events)
        .order_by()
        .values("competition")
        .annotate(
            to_certify=Count("pk", filter=Q(state__in=(M.REPORTED, M.CONTESTED))),
            overdue=Count("pk", filter=past & Q(competition__state__in=BEING_PLAYED)),
            undated=Count("pk", filter=undated),
        )
    )
    return _by_event(rows, NO_MATCHES)


def _entries(events: Iterable[int]) -> Mapping[int, dict[str, int]]:
    before = Entry.objects.filter(competition__in=events, competition__state__in=(C.PUBLISHED, C.OPEN, C.CLOSED))
    rows = (
        before.order_by()
        .values("competition")
        .annotate(
            waitlisted=Count("pk", filter=Q(state=Entry.State.WAITLISTED)),
            unconfirmed=Count("pk", filter=Q(state=Entry.State.PENDING)),
        )
    )
    return _by_event(rows, NO_ENTRIES)


def _cases(events: list[int]) -> Mapping[int, dict[str, int]]:
    open_ones = Case.objects.filter(competition__in=events, state__in=PENDING | APPEAL)
    rows = open_ones.order_by().values("competition").annotate(cases=Count("pk"))
    return {event: {"cases": 0} for event in events} | dict(_by_event(rows, {"cases": 0}))


def _by_event(rows: Iterable[Mapping[str, Any]], names: Iterable[str]) -> Mapping[int, dict[str, int]]:
    return {row["competition"]: {name: row[name] for name in names} for row in rows}
