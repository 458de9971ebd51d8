"""Imports a file as a finished event held elsewhere, and removes it again."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.clubs.models import Club
from tock_league.common import canonical, clock
from tock_league.common.errors import Conflict
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.competitions.models import Competition
from tock_league.journal.services import OPEN, record

from . import reduced
from .checking import check
from .models import ImportedEvent
from .reading import read
from .wrong import wrong

Json = dict[str, Any]


@dataclass(frozen=True)
class Preview:
    """What an import would save, and the file's text without needless space."""

    event: ImportedEvent  # not saved
    text: str


def preview(*, by: Person, club: Club, body: bytes) -> Preview:
    """Return what `save` would write. Raise Refused as it does; nothing is written."""
    require(by, "competition.create", club, needed="organiser")
    data = read(body)
    made = _made(club, data)
    _is_new(made)
    return Preview(made, canonical.utf8(data).decode())


def save(*, by: Person, club: Club, body: bytes) -> ImportedEvent:
    """Read, check and write the file as an event of `club`, in one transaction, with its journal entry.

    Raise Refused naming the place in the file: no JSON, another schema, not over, another result, table, bracket or rank
    than its own versions give. Conflict("imported") when the event is here already, Conflict("played_here") for one of
    this site.
    """
    require(by, "competition.create", club, needed="organiser")
    made = _made(club, read(body))
    with writing():
        require(by, "competition.create", club, needed="organiser")
        _is_new(made)
        made.imported_by = by if isinstance(by, Player) else None
        made.imported_at = clock.now()
        checked(made).save(force_insert=True)
        record(
            OPEN,
            "event.imported",
            actor=label(by),
            body={"event": made.slug, "name": made.name, "club": club.slug, "digest": made.digest},
        )
        return made


def remove(*, by: Person, event: ImportedEvent) -> None:
    """Delete an imported event, such as one whose file was wrong; the journal keeps that it was here."""
    with writing():
        found = ImportedEvent.objects.select_for_update(of=("self",)).select_related("club").get(pk=event.pk)
        require(by, "competition.create", found.club, needed="organiser")
        body = {"event": found.slug, "name": found.name, "club": found.club.slug, "digest": found.digest}
        found.delete()
        record(OPEN, "event.import_removed", actor=label(by), body=body)


def _made(club: Club, data: Json) -> ImportedEvent:
    event, found, first = data["event"], check(data), _first(data)
    return ImportedEvent(
        club=club,
        name=event["name"],
        rules=event["rules"],
        seats=event["seats"],
        held_at=_instant("$.event.starts_at", event["starts_at"]) or first,
        teams=len(data["entries"]),
        matches=len(found),
        identity=hashlib.sha256(f"{event['id']}\n{event['lots_seed']}".encode()).hexdigest(),
        digest=canonical.digest(data),
        body=reduced.of(data, found),
        imported_at=clock.now(),
    )


def _is_new(made: ImportedEvent) -> None:
    event = made.body["event"]
    if Competition.objects.filter(slug=event["id"][:60], lots_seed=event["lots_seed"]).exists():
        raise Conflict("played_here", _("This event was held on this site; it is here already."))
    known = ImportedEvent.objects.filter(identity=made.identity).select_related("club").first()
    if known is not None:
        raise Conflict(
            "imported",
            _("This event is here already: “%(name)s”, imported by %(club)s.")
            % {"name": known.name, "club": known.club.name},
            event=known.slug,
        )


def _first(data: Json) -> datetime | None:
    """Return when the first match began, None where no match has a date. Raise Refused for a date that is none."""
    dates = [
        found
        for s, stage in enumerate(data["stages"])
        for g, group in enumerate(stage["groups"])
        for r, row in enumerate(group["rounds"])
        for m, match in enumerate(row["matches"])
        if (found := _instant(f"$.stages[{s}].groups[{g}].rounds[{r}].matches[{m}].starts_at", match["starts_at"]))
    ]
    return min(dates, default=None)


def _instant(path: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise wrong(path, _("a time is written as in 2026-09-02T19:00:00-04:00.")) from error
    if at.tzinfo is None or not 1900 <= at.year <= 2200:
        raise wrong(path, _("a time is written as in 2026-09-02T19:00:00-04:00."))
    return at
