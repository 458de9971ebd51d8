"""The dates of a calendar: what is told about each match and event, independent of the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games.selectors import rule_sets
from tock_league.common import clock
from tock_league.common.canonical import digest
from tock_league.competitions.core.estimate import minutes_of
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.rounds.matches import DECIDED, MatchView, views

from .models import CalendarItem
from .scopes import Scope

PAST = timedelta(days=90)  # how long a date stays in a calendar
KEEP_CANCELLED = timedelta(days=60)  # how long a cancellation stays at least, whenever its date was
MOST = 1000  # dates of a calendar
EVENT_HOURS = 4  # of a tournament whose matches have no dates yet


@dataclass(frozen=True)
class Fact:
    """A match or an event with its date. `view`: None for an event."""

    uid: str
    competition: Competition
    starts_at: datetime
    ends_at: datetime
    is_cancelled: bool
    entries: tuple[int, ...]
    digest: str
    view: MatchView | None = None


def of(scope: Scope) -> list[Fact]:
    """Return the facts of a calendar's matches and events, earliest first, MOST at most. Seven to nine queries."""
    now = clock.now()
    told = CalendarItem.objects.filter(changed_at__gte=now - KEEP_CANCELLED).exclude(match_slug="").values("match_slug")
    recent = Q(starts_at__gte=now - PAST) | Q(slug__in=told)
    matches = scope.matches.filter(recent, starts_at__isnull=False).order_by("starts_at", "pk")
    events = scope.events.filter(starts_at__gte=now - PAST).order_by("starts_at", "pk")
    found = [of_match(view) for view in views(matches[:MOST])] + [_of_event(event) for event in events[:MOST]]
    return sorted(found, key=lambda fact: (fact.starts_at, fact.uid))[:MOST]


def of_match(view: MatchView) -> Fact:
    """Return the facts of a dated match. No query."""
    match, competition = view.match, view.match.competition
    assert match.starts_at is not None
    ends_at = match.starts_at + timedelta(minutes=_minutes(competition) * match.best_of)
    told = [side.name if side.entry_id is not None else "" for side in view.sides]
    cancelled = _is_cancelled(view)
    return Fact(
        uid=f"match-{match.slug}",
        competition=competition,
        starts_at=match.starts_at,
        ends_at=ends_at,
        is_cancelled=cancelled,
        entries=tuple(side.entry_id for side in view.sides if side.entry_id is not None),
        digest=_digest(competition, match.starts_at, ends_at, told, cancelled),
        view=view,
    )


def _of_event(event: Competition) -> Fact:
    assert event.starts_at is not None
    ends_at = event.starts_at + timedelta(hours=EVENT_HOURS)
    cancelled = event.state == Competition.State.CANCELLED
    return Fact(
        uid=f"event-{event.slug}",
        competition=event,
        starts_at=event.starts_at,
        ends_at=ends_at,
        is_cancelled=cancelled,
        entries=(),
        digest=_digest(event, event.starts_at, ends_at, [], cancelled),
    )


def _is_cancelled(view: MatchView) -> bool:
    """Return whether nobody meets: the match is void, awarded without a game, or its competition is cancelled."""
    if view.match.state == Match.State.VOID:
        return True
    if view.match.state == Match.State.AWARDED:
        return not view.games
    return view.match.competition.state == Competition.State.CANCELLED and view.match.state not in DECIDED


def _minutes(competition: Competition) -> int:
    in_rounds = rule_sets.has_rounds(competition.rules)
    return minutes_of(competition.seats, in_rounds=in_rounds, rounds=competition.regulations.rounds)


def _digest(
    competition: Competition, starts_at: datetime, ends_at: datetime, sides: Iterable[str], cancelled: bool
) -> str:
    return digest([competition.name, starts_at.isoformat(), ends_at.isoformat(), list(sides), cancelled])
