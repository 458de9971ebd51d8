"""Teams that were entered after the start."""

from django.db import models

from tock_league.accounts.models import Player

from .entry import Entry
from .stage import Group


class LateEntry(models.Model):
    """The late entry of a team, as long as it is not taken back; the journal keeps it for good."""

    entry = models.OneToOneField(Entry, models.PROTECT, related_name="late")
    group = models.ForeignKey(Group, models.PROTECT, related_name="late_entries")
    # How many rounds of the group had been opened.
    missed = models.PositiveSmallIntegerField()
    # What taking it back restores. `entry`: the fields of the entry that was there before, null for a new one; `moved`:
    # [match slug, round, number] of each match of a group that it moved to a later round; `rounds`: the group's last
    # round before.
    before = models.JSONField()
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "late entries"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"late entry of {self.entry}"
