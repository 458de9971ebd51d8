"""Events that were held elsewhere, as their files in the open results format tell them: docs/imports.md."""

from django.core.validators import MinLengthValidator
from django.db import models

from tock_league.accounts.models import Player, plain_text
from tock_league.clubs.models import Club
from tock_league.common.ids import new_slug
from tock_league.competitions.core.caps import Cap

NAME_LENGTH = 80


class ImportedEvent(models.Model):
    """A finished event of another site. Nothing acts on it: no rating, ruling, correction or notice comes from it.

    `identity`: SHA-256 of the event's identifier and lots seed there, so that an event is imported once, whatever the
    state of its file. `digest`: SHA-256 of the file's values as canonical JSON. `body`: what the pages show of it
    (`reduced.of`); rosters, texts and records of the file are not kept.
    """

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="imported_events")
    name = models.CharField(max_length=NAME_LENGTH, validators=[MinLengthValidator(3), plain_text])
    rules = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    held_at = models.DateTimeField(null=True, blank=True)
    teams = models.PositiveSmallIntegerField()
    matches = models.PositiveIntegerField()
    identity = models.CharField(max_length=64, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    body = models.JSONField(editable=False)
    imported_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    imported_at = models.DateTimeField()

    class Meta:
        ordering = ["-imported_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def cap(self) -> Cap | None:
        """The time cap of its games, None without one; tables ask it of a competition too."""
        cap = self.body["event"]["regulations"]["body"].get("cap")
        return Cap.read(cap) if cap is not None else None
