from django.db import models


class Pulse(models.Model):
    """The last heartbeat of a process that can serve tables; it updates its own row every two seconds."""

    process = models.CharField(max_length=32, unique=True)
    at = models.BigIntegerField()  # milliseconds since 1970 of the game clock
    stopped = models.BooleanField(default=False)  # the process has announced that it stops

    def __str__(self) -> str:
        return f"process {self.process}"


class Outage(models.Model):
    """A time in which no process could serve a table, in milliseconds since 1970. Append-only."""

    since = models.BigIntegerField()
    until = models.BigIntegerField(db_index=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(until__gt=models.F("since")), name="outage_lasts")]

    def __str__(self) -> str:
        return f"outage of {(self.until - self.since) / 1000:.1f} s"
