"""The public facts of competitions, for programs that listen: webhooks and the live feed."""

from django.db import models

from tock_league.competitions.models import Competition

KIND_LENGTH = 24
SUBJECT_LENGTH = 60


class FeedEvent(models.Model):
    """One public fact. Its key is its number in the feed.

    Whoever writes one holds the competition's row, so that the keys of one competition rise in the order of the commits: who
    has read up to a key misses nothing. `match` is a slug, because a draw that is taken back deletes its matches.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="feed_events")
    kind = models.CharField(max_length=KIND_LENGTH)
    match = models.CharField(max_length=SUBJECT_LENGTH, blank=True, default="")
    subject = models.CharField(max_length=SUBJECT_LENGTH, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["competition", "id"], name="feed_of_competition"),
            models.Index(fields=["at"], name="feed_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
