"""What a person asks about the own data: an export, an erasure; and the list of those who were erased."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tock_league.accounts.models import Player


class Export(models.Model):
    """A person's copy of everything that the site holds about them. Deleted when it expires."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField()
    ready_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    body = models.BinaryField(null=True)  # the zip, once it is ready
    size = models.PositiveBigIntegerField(default=0)  # of the zip, in bytes

    class Meta:
        ordering = ["-asked_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ready_at__isnull=True, body__isnull=True) | Q(ready_at__isnull=False, body__isnull=False),
                name="export_ready_has_a_body",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("asked_at")), name="export_expires_later"),
        ]

    def __str__(self) -> str:
        return f"export {self.pk}"  # never whose


class ExportPart(models.Model):
    """The record of one game, compressed, while the export is being made; then it is in the zip."""

    export = models.ForeignKey(Export, models.CASCADE, related_name="parts")
    name = models.CharField(max_length=40)
    body = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["export", "name"], name="export_part_once")]

    def __str__(self) -> str:
        return self.name


class Farewell(models.Model):
    """An erasure that is to come. Its person can take it back until `due_at`."""

    class Cause(models.TextChoices):
        ASKED = "asked"  # by the person
        LETTER = "letter"  # by the person in a letter, entered by an administrator
        IDLE = "idle"  # nobody has signed in for years, and the letter that asked had no answer

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="farewell"
    )
    # Null: a login that never had a player.
    player = models.OneToOneField(Player, models.CASCADE, null=True, blank=True, related_name="farewell")
    cause = models.CharField(max_length=6, choices=Cause.choices)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    # Since when something prevents it, such as a running game; tried again every hour.
    postponed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_at"]
        constraints = [
            models.CheckConstraint(condition=Q(cause__in=["asked", "letter", "idle"]), name="farewell_cause"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(player__isnull=False), name="farewell_of_somebody"
            ),
            models.CheckConstraint(condition=Q(due_at__gte=F("asked_at")), name="farewell_due_later"),
        ]

    def __str__(self) -> str:
        return f"farewell {self.pk}"  # never whose


class Erased(models.Model):
    """Somebody who was erased: the public label, which was random from the beginning, and the pseudonym.

    `restored.py` keeps the same list in a file beside the copies, and erases again what an older copy brings back.
    """

    label = models.CharField(max_length=180, unique=True)  # `player:<slug>`, or `login:<user name>` without a player
    pseudonym = models.CharField(max_length=40, blank=True, default="")
    at = models.DateTimeField()
    # Whether the free pages of the database's file have been removed since (`traces.wipe`).
    wiped = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "erased"
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["pseudonym"], condition=~Q(pseudonym=""), name="pseudonym_once")]

    def __str__(self) -> str:
        return self.label
