"""The register of incidents with personal information: docs/incidents.md. Nothing in it is edited or deleted.

An incident is what its entries say: a later entry of one kind completes or replaces an earlier one (`selectors.told`).
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player


class Incident(models.Model):
    """One incident. `known_at`: when somebody of the site learnt of it; the 72 hours run from then."""

    number = models.CharField(max_length=12, unique=True)  # such as 2026-003
    known_at = models.DateTimeField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(Player, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return f"incident {self.number}"


class IncidentEntry(models.Model):
    """What somebody wrote into the register. The journal holds the salted hash of each entry, in the order of writing."""

    class Kind(models.TextChoices):
        FACTS = "facts", _("Facts")
        RISK = "risk", _("Assessment of the risk")
        NOTICE = "notice", _("Notice given")
        NOTE = "note", pgettext_lazy("in a register", "Note")
        CLOSED = "closed", _("Closed")

    class Whom(models.TextChoices):
        CAI = "cai", _("Commission d’accès à l’information (Québec)")
        AUTHORITY = "authority", _("Another data protection authority")
        PERSONS = "persons", _("The persons concerned")
        OTHERS = "others", _("Somebody who can reduce the risk")

    incident = models.ForeignKey(Incident, models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    by = models.ForeignKey(Player, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    body = models.JSONField()  # texts by name; what each kind has: `services`
    salt = models.CharField(max_length=32)

    class Meta:
        ordering = ["incident", "seq"]
        verbose_name_plural = "incident entries"
        constraints = [
            models.UniqueConstraint(fields=["incident", "seq"], name="incident_entry_seq"),
            models.CheckConstraint(
                condition=Q(kind__in=["facts", "risk", "notice", "note", "closed"]), name="incident_entry_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.incident_id} {self.seq} {self.kind}"
