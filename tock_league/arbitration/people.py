"""What arbitration holds about a person, how a party's words are erased, and how long statements are kept."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported
from tock_league.common.transactions import writing
from tock_league.journal.models import PrivateText
from tock_league.journal.people import erase_texts, redact_all

from .core import cases
from .models import Appeal, Case, CaseEvent, Draft, FamilyTie, Lease, PanelSeat, Recusal, Ruling, Vote

PARTY = "party"  # the role of events in which somebody speaks for a side
RULING_TEXTS = ("facts", "reasons", "deviation_reason", "dissent")
CHUNK = 200
STEP_S = 10.0  # after which a run begins no further chunk


def obstacles(person: Person) -> Iterator[Obstacle]:
    """Yield the cases that are not closed and that the person is a party to, holds, or judges."""
    if person.player is None:
        return
    for case in _cases(person).filter(state__in=sorted(cases.OPEN)):
        yield Obstacle("open_case", _("The case %(case)s is not closed.") % {"case": case.number})


def forget(leaving: Leaving) -> None:
    """Erase what the person wrote as a party and the drafts; take the name out of rulings (decision 0028).

    What the person wrote as an official, in a decision about others, stays under the pseudonym.
    """
    player = leaving.person.player
    if player is None:
        return
    Draft.objects.filter(Q(person=player) | Q(given_by=player)).delete()
    FamilyTie.objects.filter(Q(low=player) | Q(high=player), until__isnull=True).update(until=leaving.at)
    own = PrivateText.objects.filter(entry__case_event__actor=player, entry__case_event__role=PARTY)
    erase_texts(own)
    redact_all(Ruling.objects.filter(case__competition__in=list(leaving.events)), RULING_TEXTS, leaving)


def forget_statements() -> int:
    """Erase the personal texts of cases that were closed longer than KEEP_STATEMENTS_DAYS ago; return how many.

    Of all texts beside the journal: statements, answers, notes of votes, reasons of a dismissal. Published rulings stay.
    Cases are done in chunks, each in a transaction of its own; idempotent.
    """
    oldest = clock.now() - timedelta(days=settings.KEEP_STATEMENTS_DAYS)
    closed = Case.objects.filter(state__in=sorted(cases.CLOSED), events__entry__private_texts__isnull=False)
    old = closed.annotate(last=Max("events__at")).filter(last__lt=oldest).order_by("pk").values_list("pk", flat=True)
    count, until = 0, clock.monotonic() + STEP_S
    while clock.monotonic() < until and (found := list(old[:CHUNK])):
        with writing():
            count += erase_texts(PrivateText.objects.filter(entry__case_event__case__in=found))
    return count


def _cases(person: Person) -> QuerySet[Case]:
    """Return the cases of the person: as a party, as the one who opened it, as referee, or on the panel."""
    of_match = Q(match__side_rows__entry__roster__player=person.player) | Q(
        match__side_rows__entry__player=person.player
    )
    at_work = Q(leases__referee=person.player, leases__ended_at__isnull=True) | Q(
        panel__member=person.player, panel__left_at__isnull=True
    )
    return Case.objects.filter(of_match | at_work | Q(opened_by=person.player)).distinct().order_by("pk")


def _files(person: Person) -> Iterator[Row]:
    """Yield the cases; what one is about is shown to the other side when it is ruled, as on its page."""
    rows = _cases(person).select_related("competition", "match", "game", "opened_by")
    for row in rows:
        told = row.opened_by_id == person.player.pk or row.state in cases.RULED
        yield exported(
            row, "number", "competition", "match", "game", "seq", "origin", "state", "filed_at",
            opened_by_you=row.opened_by_id == person.player.pk, kind=row.kind if told else None,
        )  # fmt: skip


def _rulings(person: Person) -> Iterator[Row]:
    """Yield the rulings about the person, whole, and those that the person signed, without what they say of others."""
    signed = Q(author=person.player) | Q(second=person.player)
    rows = Ruling.objects.filter(signed | Q(offender=person.player)).select_related("case").order_by("pk")
    fields = ("level", "outcome", "table_version", "row", "step", "penalty", "standard", "day", "signed_at")
    for row in rows:
        about = row.offender_id == person.player.pk
        texts = {name: getattr(row, name) for name in (*RULING_TEXTS, "rules")} if about else {}
        yield exported(row, *fields, ref=row.ref, about_you=about, **texts)


def _events(person: Person) -> Iterator[Row]:
    """Yield the steps that the person took in cases. Their words are in the section `texts`."""
    for row in CaseEvent.objects.filter(actor=person.player).select_related("case").order_by("pk"):
        yield exported(row, "case", "seq", "at", "role", "type", "body")


def _ties(person: Person) -> Iterator[Row]:
    rows = FamilyTie.objects.filter(Q(low=person.player) | Q(high=person.player)).select_related("low", "high")
    for row in rows.order_by("pk"):
        other = row.high if row.low_id == person.player.pk else row.low
        yield exported(
            row, "since", "confirmed_at", "until", other=other, declared_by_you=row.declared_by_id != other.pk
        )


def _of(model: Any, path: str, *fields: str, related: Sequence[str] = ("case",)) -> Any:
    def rows(person: Person) -> Iterator[Row]:
        for row in model.objects.filter(**{path: person.player}).select_related(*related).order_by("pk"):
            yield exported(row, *fields)

    return rows


SECTIONS = (
    Section("cases", Case._meta.label, _files),
    Section("case_events", CaseEvent._meta.label, _events),
    Section("rulings", Ruling._meta.label, _rulings),
    Section("appeals", Appeal._meta.label, _of(Appeal, "by", "case", "side", "grounds", "at")),
    Section("panel_seats", PanelSeat._meta.label, _of(PanelSeat, "member", "case", "place", "since", "left_at")),
    Section("votes", Vote._meta.label, _of(Vote, "member", "case", "choice", "at")),
    Section("leases", Lease._meta.label, _of(Lease, "referee", "case", "since", "until", "ended_at")),
    Section("recusals", Recusal._meta.label, _of(Recusal, "person", "case", "ground", "declared", "at")),
    Section("family_ties", FamilyTie._meta.label, _ties),
    Section(
        "drafts", Draft._meta.label,
        _of(Draft, "person", "case", "match", "form", "fields", "saved_at", related=("case", "match")),
    ),
)  # fmt: skip
