"""`expand=`: related objects whole, in the place of their names. A constant number of queries, however many results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework.serializers import Serializer

from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.seasons.competitions import LIVE_ENTRIES, WITH

from ..serializers.events import CompetitionRow
from ..serializers.people import ClubRow, TeamRow

Data = dict[str, Any]


def _clubs(slugs: Sequence[str]) -> QuerySet[Club]:
    return clubs.clubs().filter(slug__in=slugs)


def _teams(slugs: Sequence[str]) -> QuerySet[Team]:
    return clubs.with_players(Team.objects.filter(slug__in=slugs).select_related("club"))


def _competitions(slugs: Sequence[str]) -> QuerySet[Competition]:
    found = Competition.objects.filter(slug__in=slugs).select_related(*WITH)
    return found.annotate(teams=LIVE_ENTRIES)


# By field: what is told of the object, and how objects are found by their slugs. Whoever is shown the name may see the row.
KNOWN: Mapping[str, tuple[type[Serializer[Any]], Callable[[Sequence[str]], Any]]] = {
    "club": (ClubRow, _clubs),
    "team": (TeamRow, _teams),
    "competition": (CompetitionRow, _competitions),
}


def wanted(value: str | None, known: Sequence[str]) -> list[str]:
    """Return the fields that `?expand=` names. Raises Refused (400) on `expand` for one that cannot be expanded here."""
    if value is None:
        return []
    names = [name.strip() for name in value.split(",")]
    unknown = [name for name in names if name not in known]
    if unknown:
        text = _("“%(name)s” cannot be expanded here: choose among %(known)s.")
        shown = {"name": unknown[0][:40], "known": ", ".join(known)}
        raise Refused("expand", text % shown, field="expand", status=400)
    return names


def expand(rows: Sequence[Data], names: Sequence[str]) -> None:
    """Replace the named objects of each row by the whole ones. One to three queries for each name."""
    for name in names:
        serializer, find = KNOWN[name]
        slugs = sorted(set(_slugs(rows, name)))
        whole = {one["slug"]: one for one in serializer(find(slugs), many=True).data} if slugs else {}
        for row in rows:
            if isinstance(row.get(name), dict):
                row[name] = whole.get(row[name]["slug"], row[name])


def _slugs(rows: Sequence[Data], name: str) -> Iterator[str]:
    for row in rows:
        if isinstance(row.get(name), dict):
            yield row[name]["slug"]
