"""Entries of a competition, their rosters and check-ins."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player, plain_text
from tock_league.clubs.models import TEAM_NAME_LENGTH, Team
from tock_league.common.ids import new_slug
from tock_league.common.models import Stamped

from .competition import Competition

# Reasons that the site itself gives; they are stored in these words and translated for the reader.
REASONS = {
    "@late": pgettext_lazy("entry", "Nobody of the team had checked in when check-in closed."),
    "@late_one": pgettext_lazy("entry", "Only one player of the team had checked in when check-in closed."),
    "@late_some": pgettext_lazy("entry", "Only a part of the team had checked in when check-in closed."),
    "@silent": pgettext_lazy("entry", "The partner had not confirmed when entries closed."),
    "@silent_some": pgettext_lazy("entry", "Not every player had confirmed when entries closed."),
    "@declined": pgettext_lazy("entry", "A player of the team declined."),
    "@no_place": pgettext_lazy("entry", "No place came free."),
}


class Entry(Stamped):
    """A team, or in individual play a player, in one competition (I06). Lots are drawn for its slug."""

    class State(models.TextChoices):
        PENDING = "pending", pgettext_lazy("entry", "not every player has confirmed yet")
        ACCEPTED = "accepted", _("accepted")
        WAITLISTED = "waitlisted", pgettext_lazy("entry", "on the waiting list")
        REFUSED = "refused", pgettext_lazy("entry", "refused")
        CHECKED_IN = "checked_in", pgettext_lazy("entry", "checked in")
        DROPPED = "dropped", pgettext_lazy("entry", "not checked in in time")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    competition = models.ForeignKey(Competition, models.PROTECT, related_name="entries")
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="entries")
    # The name that its team had when the competition began, written when the team gets another name afterwards; "" until
    # then (decision 65).
    name = models.CharField(max_length=TEAM_NAME_LENGTH, blank=True, default="", editable=False)
    seed = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.ACCEPTED)
    # Public: why it was refused, dropped, withdrawn or disqualified.
    reason = models.CharField(_("public reason"), max_length=200, blank=True, default="", validators=[plain_text])
    # When it joined the waiting list, which moves up in this order.
    queued_at = models.DateTimeField(null=True, blank=True)
    # Written when the competition finishes; tied entries share a rank.
    final_rank = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["competition", "seed", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(team__isnull=False, player__isnull=True) | Q(team__isnull=True, player__isnull=False),
                name="I06_team_or_player",
            ),
            models.UniqueConstraint(fields=["competition", "team"], name="I06_team_once"),
            models.UniqueConstraint(
                fields=["competition", "player"], condition=Q(player__isnull=False), name="I06_player_once"
            ),
            models.UniqueConstraint(
                fields=["competition", "seed"], condition=Q(seed__isnull=False), name="I06_seed_once"
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "pending",
                        "accepted",
                        "waitlisted",
                        "refused",
                        "checked_in",
                        "dropped",
                        "playing",
                        "finished",
                        "withdrawn",
                        "disqualified",
                    ]
                ),
                name="I06_state",
            ),
            models.CheckConstraint(condition=Q(final_rank__isnull=True) | Q(final_rank__gte=1), name="I06_rank_from_1"),
        ]

    def __str__(self) -> str:
        return self.name or str(self.team or self.player)

    @property
    def why(self) -> str:
        """The public reason of its state, in the reader's language; "" where there is none."""
        return str(REASONS.get(self.reason, self.reason))


# A team in one of these is no more entered, and may come back.
OUT = (Entry.State.REFUSED, Entry.State.WITHDRAWN)


class RosterSpot(models.Model):
    """A player's spell on an entry's roster; a player is on one roster of a competition at a time (I07)."""

    class Role(models.TextChoices):
        STARTER = "starter", _("starter")
        SUBSTITUTE = "substitute", _("substitute")

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="+")  # a copy of the entry's
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="roster")
    player = models.ForeignKey(Player, models.PROTECT, related_name="roster_spots")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.STARTER)
    slot = models.PositiveSmallIntegerField()
    joined = models.DateTimeField()
    left = models.DateTimeField(null=True, blank=True)
    # When the player confirmed; null until then.
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["entry", "role", "slot"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "player"], condition=Q(left__isnull=True), name="I07_player_on_one_roster"
            ),
            models.UniqueConstraint(
                fields=["entry", "role", "slot"], condition=Q(left__isnull=True), name="I07_slot_once"
            ),
            models.CheckConstraint(
                condition=Q(role="starter", slot__gte=1, slot__lte=4) | Q(role="substitute", slot__gte=1, slot__lte=2),
                name="I07_slot_range",
            ),
            models.CheckConstraint(
                condition=Q(left__isnull=True) | Q(left__gte=F("joined")), name="I07_left_after_joined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} for {self.entry}"


class CheckIn(models.Model):
    """The check-in of a player. `phase` is `day`, the start of the tournament; one row a player (I08)."""

    DAY = "day"

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="check_ins")  # a copy of the entry's
    phase = models.CharField(max_length=12, default=DAY)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="check_ins")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "phase", "player"], name="I08_checked_in_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} is here for {self.entry}"
