"""Writing in the register of incidents: only by adding entries, each with its hash in the journal."""

import secrets
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.journal.services import OPEN, record

from .models import Incident, IncidentEntry
from .selectors import digest_of, told

Kind = IncidentEntry.Kind
FACTS = ("happened", "circumstances", "information", "persons", "measures")


def open_incident(*, by: Person, known_at: datetime, **facts: str) -> Incident:
    """Return a new incident with its first facts. `facts`: see FACTS; what is not known yet may be empty.

    The last incident with just these facts is returned again: a double click opens one.
    Raises Refused naming `known_at` for a time to come, `circumstances` when nothing is said of them.
    """
    with writing():
        person = _keeper(by)
        if known_at > clock.now():
            raise Refused("to_come", _("This time is still to come."), field="known_at")
        if not facts.get("circumstances", "").strip():
            raise Refused("required", _("Say what happened, as far as it is known."), field="circumstances")
        last = Incident.objects.order_by("-opened_at", "-pk").first()
        if last is not None and last.known_at == known_at and _just_written(last, person, Kind.FACTS, _facts(facts)):
            return last
        year = clock.now().year
        # Two at once get the same number, and the unique column refuses the second one: a conflict, to be repeated.
        number = f"{year}-{Incident.objects.filter(number__startswith=f'{year}-').count() + 1:03}"
        incident = Incident.objects.create(number=number, known_at=known_at, opened_at=clock.now(), opened_by=person)
        _write(incident, person, Kind.FACTS, _facts(facts))
        return incident


def amend(*, by: Person, incident: Incident, **facts: str) -> IncidentEntry:
    """Write what is known now; facts that are left empty stay as they were told. Raises Refused where nothing is new."""
    with writing():
        person, incident = _keeper(by), _locked(incident)
        known = told(incident).facts
        given = {name: text for name, text in _facts(facts).items() if text}
        if (same := _just_written(incident, person, Kind.FACTS, given)) is not None:
            return same
        new = {name: text for name, text in _facts(facts).items() if text and text != known.get(name)}
        if not new:
            raise Refused("nothing_new", _("Nothing of this is new."), field="circumstances")
        return _write(incident, person, Kind.FACTS, new)


def assess(*, by: Person, incident: Incident, serious: bool, reasons: str) -> IncidentEntry:
    """Write whether there is a risk of serious injury, and why: sensitivity, consequences, likelihood of misuse."""
    with writing():
        person, incident = _keeper(by), _locked(incident)
        body = {"serious": serious, "reasons": _said(reasons, "reasons")}
        return _write(incident, person, Kind.RISK, body)


def give_notice(*, by: Person, incident: Incident, whom: str, given_at: datetime, text: str) -> IncidentEntry:
    """Write that somebody was notified. Raises Refused naming `whom`, or `given_at` before it was known or to come."""
    with writing():
        person, incident = _keeper(by), _locked(incident)
        if whom not in IncidentEntry.Whom.values:
            raise Refused("whom", _("Choose who was notified."), field="whom")
        if not incident.known_at <= given_at <= clock.now():
            raise Refused(
                "given_at", _("A notice is given after the incident is known, and not in the future."), field="given_at"
            )
        return _write(
            incident, person, Kind.NOTICE, {"whom": whom, "given_at": given_at.isoformat(), "text": text.strip()}
        )


def note(*, by: Person, incident: Incident, text: str) -> IncidentEntry:
    """Write anything else: a step of the inquiry, a correction of an earlier entry."""
    with writing():
        person, incident = _keeper(by), _locked(incident)
        return _write(incident, person, Kind.NOTE, {"text": _said(text, "text")})


def close(*, by: Person, incident: Incident, text: str) -> IncidentEntry:
    """Write that the incident is over; a later entry opens it again.

    Raises Refused before the risk is assessed, and while a serious one has not been notified to an authority and to the
    persons concerned.
    """
    with writing():
        person, incident = _keeper(by), _locked(incident)
        now = told(incident)
        if now.serious is None:
            raise Refused("unassessed", _("First assess the risk."), field="text")
        if now.serious and not (now.authority_at and now.persons_at):
            raise Refused(
                "not_notified",
                _("The risk is serious: first notify an authority and the persons concerned."),
                field="text",
            )
        return _write(incident, person, Kind.CLOSED, {"text": _said(text, "text")})


def exported(*, by: Person) -> None:
    """Write into the journal that the register was exported."""
    with writing():
        record(OPEN, "register.exported", actor=label(_keeper(by)), body={})


def _keeper(by: Person) -> Player:
    require(by, "incident.keep", needed="administrator")
    if not isinstance(by, Player):
        raise NotAllowed(needed="administrator")
    return by


def _locked(incident: Incident) -> Incident:
    return Incident.objects.select_for_update().get(pk=incident.pk)


def _facts(facts: dict[str, str]) -> dict[str, str]:
    return {name: facts.get(name, "").strip() for name in FACTS}


def _said(text: str, field: str) -> str:
    if not text.strip():
        raise Refused("required", _("Write a sentence at least."), field=field)
    return text.strip()


def _just_written(incident: Incident, by: Player, kind: str, body: dict[str, Any]) -> IncidentEntry | None:
    """Return the incident's last entry, if this person has written just that."""
    last = IncidentEntry.objects.filter(incident=incident).order_by("-seq").first()
    return last if last is not None and (last.by_id, last.kind, last.body) == (by.pk, kind, body) else None


def _write(incident: Incident, by: Player, kind: str, body: dict[str, Any]) -> IncidentEntry:
    """Return the new entry of an incident whose row is locked; the last one if it says just that, as after a double click."""
    if (same := _just_written(incident, by, kind, body)) is not None:
        return same
    last = IncidentEntry.objects.filter(incident=incident).order_by("-seq").first()
    salt = secrets.token_hex(16)
    entry = IncidentEntry.objects.create(
        incident=incident, seq=(last.seq if last else 0) + 1, at=clock.now(), by=by, kind=kind, body=body, salt=salt
    )
    body = {"incident": incident.number, "line": entry.seq, "digest": digest_of(entry)}
    record(OPEN, "register.written", actor=label(by), body=body)
    return entry
