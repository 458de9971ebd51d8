"""Clubs, who belongs to them, teams and the invitations into them."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.common.ids import new_slug
from tock_league.common.models import Stamped
from tock_league.common.validation import no_markup

NAME_LENGTH = 60
TEAM_NAME_LENGTH = 84  # a drawn pair is called by both names
TEAM_SIZE = 2  # shawinigan/1 is played by pairs; larger teams come with the larger boards
CAPTAIN = 1
STARTERS = range(1, TEAM_SIZE + 1)
SUBSTITUTES = range(TEAM_SIZE + 1, TEAM_SIZE + 3)  # at most two
PLACES = range(1, SUBSTITUTES.stop)


class Club(Stamped):
    """A club, open to visitors' eyes."""

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    name = models.CharField(
        _("name"), max_length=NAME_LENGTH, unique=True, validators=[MinLengthValidator(3), plain_text]
    )
    town = models.CharField(_("town"), max_length=NAME_LENGTH, validators=[MinLengthValidator(2), plain_text])
    about = models.CharField(
        _("where and when you play"), max_length=200, blank=True, default="", validators=[plain_text]
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player's tie to a club, from `since` to `until`; open while `until` is null. One home club at a time (I01)."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships")
    home = models.BooleanField(_("home club"), default=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(home=True, until__isnull=True), name="I01_one_home_club"
            ),
            models.UniqueConstraint(fields=["club", "player"], condition=Q(until__isnull=True), name="I01_member_once"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="I01_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.club}"


class ClubRole(models.Model):
    """What a player may do for one club."""

    class Name(models.TextChoices):
        OFFICER = "officer", _("club officer")
        ORGANISER = "organiser", _("organiser")

    club = models.ForeignKey(Club, models.CASCADE, related_name="roles")
    player = models.ForeignKey(Player, models.CASCADE, related_name="club_roles")
    name = models.CharField(max_length=16, choices=Name.choices)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    given_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player", "name"], condition=Q(until__isnull=True), name="club_role_held_once"
            ),
            models.CheckConstraint(condition=Q(name__in=["officer", "organiser"]), name="club_role_name"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="club_role_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.name} of {self.club}"


class Team(Stamped):
    """Players who win together: a named pair of a club or a free one, or a pair drawn for one club night.

    Dissolved when its last player left or its captain said so; its games and its history stay.
    """

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    name = models.CharField(
        _("name"), max_length=TEAM_NAME_LENGTH, validators=[MinLengthValidator(2), plain_text, no_markup]
    )
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="teams")
    drawn = models.BooleanField(default=False, editable=False)
    dissolved_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"],
                condition=Q(drawn=False, club__isnull=False, dissolved_at__isnull=True),
                name="team_name_in_club",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TeamPlayer(models.Model):
    """A player's spell in one place of a team: 1 is the captain's, 2 the partner's, 3 and 4 are substitutes (I02).

    Whoever changes places ends one spell and begins another, so that the rows are the team's history.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="spells")
    player = models.ForeignKey(Player, models.CASCADE, related_name="team_spells")
    slot = models.PositiveSmallIntegerField()
    joined = models.DateTimeField()
    left = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slot"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "player"], condition=Q(left__isnull=True), name="I02_player_once_in_team"
            ),
            models.UniqueConstraint(fields=["team", "slot"], condition=Q(left__isnull=True), name="I02_slot_once"),
            models.CheckConstraint(condition=Q(slot__gte=1, slot__lte=4), name="I02_slot_1_to_4"),
            models.CheckConstraint(
                condition=Q(left__isnull=True) | Q(left__gte=F("joined")), name="I02_left_after_joined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.team}"

    @property
    def part(self) -> Promise:
        """The name of the place."""
        return PARTS[self.slot]


class TeamInvitation(models.Model):
    """An offer of one place in a team: to a player by name, or to whoever holds a secret link.

    Of the link only the SHA-256 is kept. One open offer a place, and one a player and team: the two uniques below hold
    it. An offer past its `expires_at` keeps the state `open` until the next one for its place closes it.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        REVOKED = "revoked", _("taken back")
        EXPIRED = "expired", _("expired")

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    slot = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="team_invitations")
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    sent_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    answered_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slot", "-sent_at"]
        constraints = [
            models.UniqueConstraint(fields=["team", "slot"], condition=Q(state="open"), name="invitation_once_a_place"),
            models.UniqueConstraint(
                fields=["team", "player"],
                condition=Q(state="open", player__isnull=False),
                name="invitation_once_a_player",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, token_hash__isnull=True)
                | Q(player__isnull=True, token_hash__isnull=False),
                name="invitation_by_name_or_link",
            ),
            models.CheckConstraint(condition=Q(slot__gte=2, slot__lte=4), name="invitation_slot_2_to_4"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted", "declined", "revoked", "expired"]), name="invitation_state"
            ),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True) | (~Q(state="open") & Q(answered_at__isnull=False)),
                name="invitation_closed_has_a_date",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("sent_at")), name="invitation_expires_later"),
        ]

    def __str__(self) -> str:
        return f"{self.team} {self.slot}: {self.player or 'link'}"

    @property
    def part(self) -> Promise:
        """The name of the place."""
        return PARTS[self.slot]


# What a place in a team is called.
PARTS: dict[int, Promise] = {
    1: _("captain"),
    2: _("partner"),
    3: _("first substitute"),
    4: _("second substitute"),
}
