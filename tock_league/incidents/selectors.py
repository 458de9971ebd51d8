"""The register as pages and its export show it."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils.translation import gettext

from tock_league.common import clock
from tock_league.common.canonical import digest
from tock_league.common.errors import NotThere

from .models import Incident, IncidentEntry

NOTICE_WITHIN = timedelta(hours=72)  # GDPR, article 33; Law 25 asks for diligence, without a number
AUTHORITIES = (IncidentEntry.Whom.CAI, IncidentEntry.Whom.AUTHORITY)
COLUMNS = (
    "number", "known_at", "opened_at", "happened", "circumstances", "information", "persons", "measures", "serious",
    "reasons", "authority_notified_at", "persons_notified_at", "closed_at", "entries",
)  # fmt: skip


@dataclass
class Told:
    """What the entries of an incident say together."""

    incident: Incident
    facts: dict[str, str] = field(default_factory=dict)
    serious: bool | None = None  # None: not assessed yet
    reasons: str = ""
    authority_at: datetime | None = None  # of the first notice
    persons_at: datetime | None = None
    closed_at: datetime | None = None
    entries: tuple[IncidentEntry, ...] = ()

    @property
    def due_at(self) -> datetime:
        """Until when an authority is notified of a risk."""
        return self.incident.known_at + NOTICE_WITHIN

    @property
    def hours_left(self) -> int | None:
        """The whole hours left to notify an authority, negative when they are over; None when it need not, or was done."""
        if self.authority_at is not None or self.serious is False or self.closed_at is not None:
            return None
        return int((self.due_at - clock.now()) // timedelta(hours=1))


def told(incident: Incident) -> Told:
    """Return what the register says of an incident now. One query."""
    entries = tuple(IncidentEntry.objects.filter(incident=incident).select_related("by").order_by("seq"))
    found = Told(incident, entries=entries)
    for entry in entries:
        _add(found, entry)
    return found


def register() -> list[Told]:
    """Return every incident, the newest first. A query for each, and one."""
    return [told(incident) for incident in Incident.objects.select_related("opened_by")]


def incident(number: str) -> Incident:
    """Return the incident of that number, or NotThere."""
    found = Incident.objects.filter(number=number).first()
    if found is None:
        raise NotThere
    return found


def as_csv(rows: list[Told]) -> str:
    """Return the register for a spreadsheet: a line for each incident, with the texts of its entries in the last cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_cell(value) for value in _line(row)])
    return out.getvalue()


def digest_of(entry: IncidentEntry) -> str:
    """Return the salted SHA-256 of an entry, hex, as the journal keeps it: it shows that the register was not rewritten."""
    head = {"salt": entry.salt, "kind": str(entry.kind), "at": entry.at.isoformat(), "by": entry.by.slug}
    return digest({**head, "body": entry.body})


def sentence(entry: IncidentEntry) -> str:
    """Return what an entry says, in the reader's language."""
    body = entry.body
    match entry.kind:
        case "risk":
            word = gettext("serious risk") if body["serious"] else gettext("no serious risk")
            return f"{word}: {body['reasons']}"
        case "notice":
            text = f" {body['text']}" if body["text"] else ""
            return f"{IncidentEntry.Whom(body['whom']).label}.{text}"
        case "facts":
            return "\n".join(str(text) for text in body.values() if text)
        case _:
            return str(body["text"])


def _add(found: Told, entry: IncidentEntry) -> None:
    body = entry.body
    found.closed_at = entry.at if entry.kind == "closed" else None
    if entry.kind == "facts":
        found.facts |= {name: text for name, text in body.items() if text}
    elif entry.kind == "risk":
        found.serious, found.reasons = body["serious"], body["reasons"]
    elif entry.kind == "notice":
        at = datetime.fromisoformat(body["given_at"])
        if body["whom"] in AUTHORITIES:
            found.authority_at = min(at, found.authority_at or at)
        elif body["whom"] == IncidentEntry.Whom.PERSONS:
            found.persons_at = min(at, found.persons_at or at)


def _line(row: Told) -> Iterator[object]:
    yield from (row.incident.number, row.incident.known_at.isoformat(), row.incident.opened_at.isoformat())
    yield from (row.facts.get(name, "") for name in ("happened", "circumstances", "information", "persons", "measures"))
    yield {True: "yes", False: "no", None: ""}[row.serious]
    yield row.reasons
    yield from (at.isoformat() if at else "" for at in (row.authority_at, row.persons_at, row.closed_at))
    yield "\n".join(f"{entry.at.isoformat()} {entry.by} ({entry.kind}): {sentence(entry)}" for entry in row.entries)


def _cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
