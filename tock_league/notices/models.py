"""What people have been told, and what they wish to be told."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player, User

ADDRESS_LENGTH = 200
ENDPOINT_LENGTH = 600


class Notice(models.Model):
    """One fact told to one player. `data` holds public ids, instants and numbers, no names: `notices.names`."""

    class Mail(models.TextChoices):
        NONE = "none"  # not by this way
        WAITING = "waiting"
        SENT = "sent"
        DROPPED = "dropped"  # not sent after all; `mail_why` says why

    player = models.ForeignKey(Player, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=24)
    key = models.CharField(max_length=80)  # of the fact: nobody is told it twice
    data = models.JSONField(default=dict)
    address = models.CharField(max_length=ADDRESS_LENGTH)  # of the page that it leads to, without the site's
    on_site = models.BooleanField(default=True)
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)
    useless_at = models.DateTimeField(null=True, blank=True)  # nothing is sent after it
    mail = models.CharField(max_length=8, choices=Mail.choices, default=Mail.NONE)
    mail_why = models.CharField(max_length=16, blank=True, default="")
    mail_claimed_at = models.DateTimeField(null=True, blank=True)  # a worker is sending it
    mailed_at = models.DateTimeField(null=True, blank=True)
    push = models.BooleanField(default=False)  # goes to the player's devices too: one `Push` for each

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["player", "-at"], name="notice_list"),
            models.Index(fields=["player"], name="notice_unseen", condition=Q(seen_at__isnull=True, on_site=True)),
            models.Index(fields=["at"], name="notice_age"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind", "key"], name="notice_once"),
            models.CheckConstraint(condition=Q(mail__in=["none", "waiting", "sent", "dropped"]), name="notice_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"


class Preference(models.Model):
    """Whether a player wants notices of a kind by one way; without a row, what the kind says."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="notice_preferences")
    kind = models.CharField(max_length=24)
    way = models.CharField(max_length=4)
    wanted = models.BooleanField()

    class Meta:
        ordering = ["player", "kind", "way"]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind", "way"], name="notice_preference_once"),
            models.CheckConstraint(condition=Q(way__in=["site", "mail", "push"]), name="notice_preference_way"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.way}: {self.wanted}"


class QuietHours(models.Model):
    """Full hours in the player's zone between which nothing is sent; the same hour twice: none. No row: core.quiet."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="quiet_hours")
    begins = models.PositiveSmallIntegerField()
    ends = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = "quiet hours"
        constraints = [models.CheckConstraint(condition=Q(begins__lte=23, ends__lte=23), name="quiet_hours_of_a_day")]

    def __str__(self) -> str:
        return f"{self.begins} to {self.ends}"


class DigestHour(models.Model):
    """The day, 0 for Monday, and the full hour in the player's zone at which the digest comes. No row: core.weekly."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="digest_hour")
    day = models.PositiveSmallIntegerField()
    hour = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(day__lte=6, hour__lte=23), name="digest_hour_of_a_week")]

    def __str__(self) -> str:
        return f"day {self.day}, {self.hour} h"


class Bounce(models.Model):
    """The mail server has refused this address for good; nothing is sent there until the person says that it works."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="bounce")
    email = models.EmailField()  # another address of the login is not concerned
    at = models.DateTimeField()
    code = models.PositiveSmallIntegerField()  # of the server's answer

    def __str__(self) -> str:
        return f"bounce of login {self.user_id}"

    @property
    def is_present(self) -> bool:
        """Whether the refused address is still that of the login."""
        return self.email.casefold() == self.user.email.casefold()


class Device(models.Model):
    """A browser in which a player has switched pushes on. The push service is told its endpoint only, and cannot read."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="push_devices")
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH)  # a secret address: whoever knows it may ring
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the endpoint, in hex
    p256dh = models.CharField(max_length=88)  # the browser's keys, base64url
    auth = models.CharField(max_length=24)
    name = models.CharField(max_length=60)
    shows_text = models.BooleanField(default=False)  # a lock screen is read by others
    session = models.CharField(max_length=64, blank=True, default="")  # SHA-256 of the session's key: goes with it
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # a push service has last taken a push
    failures = models.PositiveSmallIntegerField(default=0)  # one after another: the push service is down, slow or busy
    rests_until = models.DateTimeField(null=True, blank=True)  # until then it is left alone

    class Meta:
        ordering = ["player", "made_at", "pk"]
        indexes = [models.Index(fields=["session"], name="device_session")]

    def __str__(self) -> str:
        return f"device {self.pk} of {self.player_id}"


class Push(models.Model):
    """One notice on its way to one device."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        DROPPED = "dropped"  # not sent after all; `why` says why

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="pushes")
    device = models.ForeignKey(Device, models.CASCADE, related_name="pushes")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    why = models.CharField(max_length=16, blank=True, default="")
    claimed_at = models.DateTimeField(null=True, blank=True)  # a worker is sending it
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "pushes"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["notice", "device"], name="push_once"),
            models.CheckConstraint(condition=Q(state__in=["waiting", "sent", "dropped"]), name="push_state"),
        ]

    def __str__(self) -> str:
        return f"push of notice {self.notice_id} to device {self.device_id}"
