"""Addresses of other programs that are told public facts, and what became of each telling."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.clubs.models import Club
from tock_league.competitions.models import Competition
from tock_league.feed.models import KIND_LENGTH

ADDRESS_LENGTH = 500
ID_LENGTH = 24
ANSWER_LENGTH = 500  # characters of an answer that are kept


class Webhook(models.Model):
    """An address that is told facts of one competition, or of all competitions of one club."""

    class Off(models.TextChoices):
        PERSON = "person"  # somebody switched it off
        FAILURES = "failures"  # it failed for a day

    slug = models.CharField(max_length=ID_LENGTH, unique=True)
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="webhooks")
    competition = models.ForeignKey(Competition, models.CASCADE, null=True, blank=True, related_name="webhooks")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    kinds = models.JSONField(default=list)
    sealed = models.TextField()  # the secret that signs, sealed (accounts.seals)
    made_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="webhooks")
    made_at = models.DateTimeField()
    off = models.CharField(max_length=8, choices=Off.choices, blank=True, default="")
    off_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)  # the first failure after the last success

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(club__isnull=True, competition__isnull=False)
                | Q(club__isnull=False, competition__isnull=True),
                name="webhook_of_one_place",
            ),
            models.CheckConstraint(condition=Q(off__in=["", "person", "failures"]), name="webhook_off"),
        ]

    def __str__(self) -> str:
        return self.slug


class Delivery(models.Model):
    """One fact told to one address, and the latest attempt. The body is made anew for each: it shows present names."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        GIVEN_UP = "given_up"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=ID_LENGTH)  # the key of the FeedEvent; of a ping its own, with a letter first
    kind = models.CharField(max_length=KIND_LENGTH)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    asked_at = models.DateTimeField()  # when somebody last asked to send it: attempts end 26 hours later
    claimed_at = models.DateTimeField(null=True, blank=True)  # a worker is sending it
    last_at = models.DateTimeField(null=True, blank=True)
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the answer
    answer = models.CharField(max_length=ANSWER_LENGTH, blank=True, default="")  # its beginning
    error = models.CharField(max_length=24, blank=True, default="")  # why there was no answer

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["-made_at", "-pk"]
        indexes = [
            models.Index(fields=["webhook", "-made_at"], name="delivery_log"),
            models.Index(fields=["made_at"], name="delivery_age"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="delivery_once"),
            models.CheckConstraint(condition=Q(state__in=["waiting", "sent", "given_up"]), name="delivery_state"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event} to {self.webhook_id}"
