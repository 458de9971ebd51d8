from django.db import models
from django.utils.translation import gettext_lazy as _


class Drill(models.Model):
    """The result of one weekly restore drill. `upkeep.drills` writes them, and deletes the oldest."""

    done_at = models.DateTimeField(db_index=True)  # when it ended
    ok = models.BooleanField()  # the copy was restored and everything recomputed from it was equal
    seconds = models.FloatField()  # from the beginning of the copy to the end of the checks
    events = models.BigIntegerField(default=0)  # rows of games' records in the copy
    note = models.TextField(blank=True, default="")  # one sentence: what was proved, or the reason of a failure

    class Meta:
        verbose_name = _("restore drill")
        verbose_name_plural = _("restore drills")
        ordering = ["-done_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(seconds__gte=0, events__gte=0), name="drill_counts"),
        ]

    def __str__(self) -> str:
        return f"drill of {self.done_at:%Y-%m-%d}: {'good' if self.ok else 'failed'}"
