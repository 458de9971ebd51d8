"""The tables of the hall in which an event is played on boards."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text

from .competition import Competition
from .entry import Entry

ROOM_LENGTH = 40


class HallTable(models.Model):
    """A table of an event's list: its number, the room, and for whom it is kept. Not a table of the site (games.Table)."""

    MOST = 500  # tables of a hall

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="hall_tables")
    number = models.PositiveSmallIntegerField(_("number"))
    room = models.CharField(_("room"), max_length=ROOM_LENGTH, blank=True, default="", validators=[plain_text])
    accessible = models.BooleanField(_("step-free"), default=False)
    for_finals = models.BooleanField(_("kept for finals"), default=False)
    # The team that always plays here, for example because one of its players uses a wheelchair.
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="hall_tables")

    class Meta:
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="hall_table_number_once"),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(entry__isnull=False), name="hall_table_one_kept_for_a_team"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="hall_table_number_from_1"),
            models.CheckConstraint(
                condition=Q(entry__isnull=True) | Q(for_finals=False), name="hall_table_kept_for_one_purpose"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.number} of {self.competition}"
