"""Imported events as pages show them. Everything comes from the row; no query for each match."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tock_league.accounts.permissions import Person, can
from tock_league.clubs.models import Club
from tock_league.common.errors import NotThere
from tock_league.competitions.core.effective import Effective
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.rankings.standings import label_of
from tock_league.competitions.selectors.results.fact_words import fact_words

from .models import ImportedEvent

Json = Mapping[str, Any]


@dataclass(frozen=True)
class SideView:
    """One side of a match: a team's name, "" for nobody, its score, and whether it won."""

    name: str
    score: int | None
    won: bool


@dataclass(frozen=True)
class MatchView:
    """A match: its label in a bracket, when it began, its sides, and how it was decided where it was not played."""

    label: str
    starts_at: datetime | None
    sides: tuple[SideView, ...]
    how: str | Promise


@dataclass(frozen=True)
class RoundView:
    """A round of a group, with the names of those who had no match."""

    number: int
    matches: tuple[MatchView, ...]
    without: tuple[str, ...]


@dataclass(frozen=True)
class LineView:
    """A row of a table."""

    name: str
    rank: int
    played: int
    wins: int
    ties: int
    losses: int
    margin: int | str
    points: int | str
    ahead_by: str | Promise


@dataclass(frozen=True)
class GroupView:
    """A group: its table, empty for a bracket, and its rounds."""

    name: str
    lines: tuple[LineView, ...]
    rounds: tuple[RoundView, ...]


@dataclass(frozen=True)
class EventView:
    """An imported event, with its stages in order and its final ranks, best first."""

    event: ImportedEvent
    ranks: tuple[tuple[int, str], ...]
    groups: tuple[GroupView, ...]

    @property
    def about(self) -> Json:
        """What the file says of the event: club, season and division there, kind, regulations."""
        found: Json = self.event.body["event"]
        return found


def listed(club: Club | None = None) -> QuerySet[ImportedEvent]:
    """Return the imported events, the latest held first, of all clubs or of one. One query."""
    rows = ImportedEvent.objects.select_related("club").defer("body").order_by("-held_at", "-pk")
    return rows if club is None else rows.filter(club=club)


def event(slug: str) -> ImportedEvent:
    """Return the event at that address. Raises NotThere. One query."""
    found = ImportedEvent.objects.select_related("club", "imported_by").filter(slug=slug).first()
    if found is None:
        raise NotThere
    return found


def importing_clubs(person: Person) -> list[Club]:
    """Return the clubs whose events `person` may import."""
    return [club for club in Club.objects.order_by("name") if can(person, "competition.create", club)]


def shown(found: ImportedEvent) -> EventView:
    """Return the event as its page shows it. No query."""
    names = {entry["id"]: entry["name"] for entry in found.body["entries"]}
    ranked = sorted(
        (entry["final_rank"], entry["name"]) for entry in found.body["entries"] if entry["final_rank"] is not None
    )
    groups = [group for stage in found.body["stages"] for group in stage["groups"]]
    return EventView(found, tuple(ranked), tuple(_group(group, names, found) for group in groups))


def _group(group: Json, names: Mapping[str, str], found: ImportedEvent) -> GroupView:
    rules, cap = found.rules, found.cap
    lines = tuple(
        LineView(
            name=names[line["entry"]],
            **{key: line[key] for key in ("rank", "played", "wins", "ties", "losses", "margin", "points")},
            ahead_by=label_of(line["ahead_by"], rules, cap) if line["ahead_by"] not in (None, "points") else "",
        )
        for line in group["standings"] or ()
    )
    rounds = tuple(
        RoundView(
            row["number"],
            tuple(_match(match, names) for match in row["matches"]),
            tuple(names[one["entry"]] for one in row["without_match"]),
        )
        for row in group["rounds"]
    )
    return GroupView(group["name"], lines, rounds)


def _match(match: Json, names: Mapping[str, str]) -> MatchView:
    at, score = match["starts_at"], match["score"]
    void = score is None
    result = Effective("void" if void else "decided", match["fact"], (), match["cause"], match["ruled"])
    sides = tuple(
        SideView(names.get(one, ""), None if void else score[place], match["winner"] == place)
        for place, one in enumerate(match["sides"])
    )
    how = _("void") if void else fact_words(result)
    return MatchView(_label(match["label"]), datetime.fromisoformat(at) if at else None, sides, how)


def _label(label: str | None) -> str:
    return str(Match.Label(label).label) if label else ""
