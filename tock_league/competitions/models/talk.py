"""Talk after a game among those who played it: lines, who does not want to read whom, and what was reported."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.models import Player, plain_text
from tock_league.common.validation import no_markup

LINE_LENGTH = 200


class TalkLine(models.Model):
    """What a player says after a game. Those who played read it, and the moderators once it is reported."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="talk")
    player = models.ForeignKey(Player, models.CASCADE, related_name="talk")
    text = models.CharField(
        _("a line"), max_length=LINE_LENGTH, validators=[MinLengthValidator(1), plain_text, no_markup]
    )
    at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"line {self.pk}"


class TalkMute(models.Model):
    """A player who does not want to read what another one says. Only the first one knows."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="talk_mutes")
    muted = models.ForeignKey(Player, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="talk_muted_once"),
            models.CheckConstraint(condition=~Q(player=F("muted")), name="talk_mutes_another"),
        ]

    def __str__(self) -> str:
        return f"mute {self.pk}"


class TalkReport(models.Model):
    """A line that somebody who played reports to the moderators; `kept`: what they decided, null while it waits."""

    line = models.ForeignKey(TalkLine, models.CASCADE, related_name="reports")
    by = models.ForeignKey(Player, models.CASCADE, related_name="talk_reports")
    at = models.DateTimeField()
    kept = models.BooleanField(null=True, blank=True)
    handled_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["line", "by"], name="talk_reported_once"),
            models.CheckConstraint(
                condition=Q(kept__isnull=True, handled_at__isnull=True)
                | Q(kept__isnull=False, handled_at__isnull=False),
                name="talk_handled_has_a_date",
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"
