"""People who would have to be in two matches at the same minute."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from ...models import Competition, Match, RosterSpot, Side
from ...permissions import PRIVATE_STATES
from .matches import TO_COME, MatchView, views


@dataclass(frozen=True)
class Clash:
    """Matches that begin at the same minute and have somebody in common. Those of other events are public."""

    at: datetime
    matches: tuple[MatchView, ...]  # two or more, those of the event first
    names: tuple[str, ...]  # of who plays in several of them, in alphabetical order


def clashes(competition: Competition, match: Match | None = None) -> list[Clash]:
    """Return the clashes of the event's matches that are to come, or of one of them, the first ones first.

    A starter counts, whether for the same team or for another one. Two queries where there is none, else nine.
    """
    dated = Side.objects.filter(
        match__competition=competition, match__state__in=TO_COME, match__starts_at__isnull=False, entry__isnull=False
    )
    if match is not None:
        dated = dated.filter(match=match)
    players = RosterSpot.objects.filter(
        entry__in=dated.values("entry"), left__isnull=True, role=RosterSpot.Role.STARTER
    ).values("player")
    here = Q(entry__side_rows__match__competition=competition)
    public = ~Q(competition__state__in=PRIVATE_STATES) & Q(competition__is_rehearsal=False)
    rows = (
        RosterSpot.objects.filter(here | public, player__in=players, left__isnull=True, role=RosterSpot.Role.STARTER)
        .filter(entry__side_rows__match__state__in=TO_COME, entry__side_rows__match__starts_at__isnull=False)
        .values_list("player__display_name", "entry__side_rows__match", "entry__side_rows__match__starts_at")
    )
    own = set(dated.values_list("match", flat=True))
    return _joined(_together((name, pk, at) for name, pk, at in rows if at is not None), own)


def _together(rows: Iterable[tuple[str, int, datetime]]) -> dict[tuple[datetime, frozenset[int]], set[str]]:
    """Return who plays in which matches of one minute, by the minute and the matches."""
    by_minute: dict[tuple[str, datetime], set[int]] = {}
    for name, match, at in rows:
        by_minute.setdefault((name, at.replace(second=0, microsecond=0)), set()).add(match)
    found: dict[tuple[datetime, frozenset[int]], set[str]] = {}
    for (name, at), played in by_minute.items():
        if len(played) > 1:
            found.setdefault((at, frozenset(played)), set()).add(name)
    return found


def _joined(found: dict[tuple[datetime, frozenset[int]], set[str]], own: set[int]) -> list[Clash]:
    concerned = {key: names for key, names in found.items() if key[1] & own}
    if not concerned:
        return []
    wanted = {match for _at, played in concerned for match in played}
    by_id = {view.match.pk: view for view in views(Match.objects.filter(pk__in=wanted).order_by("pk"))}
    return [
        Clash(
            at,
            tuple(by_id[pk] for pk in sorted(played, key=lambda pk: (pk not in own, pk))),
            tuple(sorted(names)),
        )
        for (at, played), names in sorted(concerned.items(), key=lambda item: (item[0][0], sorted(item[0][1])))
    ]
