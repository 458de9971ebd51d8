"""People whom others enter by name: the lists that brought them, their codes, and who claimed to be one of them."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, Team
from tock_league.common.ids import new_slug
from tock_league.competitions.models import Competition


class NameList(models.Model):
    """A list of names that was saved, for a club or for an event. Rows are never deleted: an undo ends one."""

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="name_lists")
    competition = models.ForeignKey(Competition, models.PROTECT, null=True, blank=True, related_name="name_lists")
    by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(club__isnull=False, competition__isnull=True)
                | Q(club__isnull=True, competition__isnull=False),
                name="names_for_club_or_event",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(undone_at__gte=F("at")), name="names_undone_later"
            ),
        ]

    def __str__(self) -> str:
        return f"list {self.slug}"  # never whose names


class ListedName(models.Model):
    """A line of a list and the player whom it means. The same name on a later list of the place means the same player."""

    made_by = models.ForeignKey(NameList, models.CASCADE, related_name="names")
    line = models.PositiveIntegerField()
    look = models.CharField(max_length=64)  # `names.look_of` the name that was typed
    player = models.ForeignKey(Player, models.CASCADE, related_name="listed")
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="+")
    # What this list made and an undo may take back: the player, the membership, the team.
    made_player = models.BooleanField(default=False)
    made_tie = models.ForeignKey(Membership, models.SET_NULL, null=True, blank=True, related_name="+")
    made_team = models.BooleanField(default=False)

    class Meta:
        ordering = ["made_by", "line"]
        constraints = [
            models.UniqueConstraint(fields=["made_by", "line"], name="listed_line_once"),
            models.UniqueConstraint(fields=["made_by", "look"], name="listed_name_once"),
        ]
        indexes = [models.Index(fields=["look"], name="listed_look")]

    def __str__(self) -> str:
        return f"line {self.line} of {self.made_by_id}"


class ClaimCode(models.Model):
    """A code with which a person shows that a player without a login is theirs. Only its digest is stored."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="claim_codes")
    digest = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256, hex
    made_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)  # used, revoked, or replaced by a newer one

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(ended_at__isnull=True), name="claim_code_in_force_once"
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="claim_code_expires_later"),
        ]

    def __str__(self) -> str:
        return f"code for {self.player_id}"


class Claim(models.Model):
    """Somebody showed the code of `player`: the login was joined to it, or administrators decide about a merge."""

    class State(models.TextChoices):
        JOINED = "joined", _("joined")
        ASKED = "asked", _("waits for an administrator")
        DECLINED = "declined", _("declined")

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims")
    # The player that the login had before; null where it had none.
    own = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="claims_made")
    state = models.CharField(max_length=8, choices=State.choices)
    at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["joined", "asked", "declined"]), name="claim_state"),
            models.CheckConstraint(condition=Q(own__isnull=True) | ~Q(own=F("player")), name="claims_another"),
            models.UniqueConstraint(fields=["player", "own"], condition=Q(state="asked"), name="claim_asked_once"),
        ]

    def __str__(self) -> str:
        return f"claim of {self.player_id}"
