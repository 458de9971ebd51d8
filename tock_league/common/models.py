from django.db import models


class Stamped(models.Model):
    """Abstract model: when a row was created and last changed."""

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class OutboxRow(models.Model):
    """A task of the outbox, written in the transaction that made it due; accessed by `outbox` only."""

    task = models.CharField(max_length=200)
    # Idempotency key: the same work enqueued twice is one row.
    key = models.CharField(max_length=200)
    body = models.JSONField(default=dict)
    due_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "key"], name="outbox_task_key")]
        indexes = [
            models.Index(fields=["due_at"], name="outbox_waiting", condition=models.Q(done_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.key}"


class OpenHall(models.Model):
    """An address that many people share for some hours; accessed by `halls` only."""

    address = models.CharField(max_length=45)  # as bounds.address_of gives it
    event = models.CharField(max_length=100)  # the slug of the competition whose people are there
    opened_at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["address", "event"], name="hall_of_event_once")]

    def __str__(self) -> str:
        return f"{self.event} until {self.until:%Y-%m-%d %H:%M}"
