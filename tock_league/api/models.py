"""What writes were answered, stored for a day so that a repeated request does nothing twice."""

from django.conf import settings
from django.db import models


class Answer(models.Model):
    """The answer to one write of a person, by the `Idempotency-Key` of the request."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)  # SHA-256 of method, address and body, hex
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="answer_once")]

    def __str__(self) -> str:
        return f"answer {self.pk}"  # neither its key nor its body
