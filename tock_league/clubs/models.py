"""Clubs, their members and roles, teams and invitations, and whom somebody follows."""

from typing import Any

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.common.ids import new_slug
from tock_league.common.models import Stamped
from tock_league.common.names import folded
from tock_league.common.validation import no_markup

NAME_LENGTH = 60
TEAM_NAME_LENGTH = 84  # a drawn pair is called by both names
NEWS_LENGTH = 500
PAIR = 2
SIZES = (PAIR, 3, 4)  # half a table of 4, 6 or 8 seats
CAPTAIN = 1
SUBSTITUTES = 2  # at most
MOST_PLACES = max(SIZES) + SUBSTITUTES


class Club(Stamped):
    """A club; its page is public."""

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    name = models.CharField(
        _("name"), max_length=NAME_LENGTH, unique=True, validators=[MinLengthValidator(3), plain_text]
    )
    # The digest that names which look alike share (common.names); null for a club that was there before, beside its like.
    look = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    town = models.CharField(_("town"), max_length=NAME_LENGTH, validators=[MinLengthValidator(2), plain_text])
    about = models.CharField(
        _("where and when you play"), max_length=200, blank=True, default="", validators=[plain_text]
    )
    # Whether the players of a game may write to each other afterwards, where this club looks after the game.
    has_talk = models.BooleanField(_("talk after games"), default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player's membership in a club from `since` to `until`; open while null. One home club at a time (I01)."""

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
    """A player's role in one club."""

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


class ClubNews(models.Model):
    """A short text that an officer or organiser of a club sent to its members. Plain text, one paragraph."""

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="news")
    by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="club_news")
    text = models.CharField(
        _("text"), max_length=NEWS_LENGTH, validators=[MinLengthValidator(3), plain_text, no_markup]
    )
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "club news"
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["club", "-at"], name="club_news_list")]

    def __str__(self) -> str:
        return f"news {self.slug} of {self.club_id}"


class Team(Stamped):
    """A team of players: a named team of a club, a free one, or one drawn for one club night.

    `size`: how many of them sit at a table at once. It is dissolved when its last player leaves or by its captain; its
    games and its history stay.
    """

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    name = models.CharField(
        _("name"), max_length=TEAM_NAME_LENGTH, validators=[MinLengthValidator(2), plain_text, no_markup]
    )
    # `common.names.folded` the name: searches look here. PostgreSQL has an index of its trigrams.
    search_name = models.CharField(max_length=TEAM_NAME_LENGTH, blank=True, default="", editable=False)
    size = models.PositiveSmallIntegerField(_("players at the table"), default=PAIR)
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
            models.CheckConstraint(condition=Q(size__in=[2, 3, 4]), name="team_size_fits_a_table"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        self.search_name = folded(self.name)
        if options.get("update_fields") and "name" in options["update_fields"]:
            options["update_fields"] = {*options["update_fields"], "search_name"}
        super().save(**options)

    @property
    def places(self) -> range:
        """The numbers of its places: the captain's, the other starters', the substitutes'."""
        return range(CAPTAIN, self.size + SUBSTITUTES + 1)

    @property
    def lacks(self) -> int:
        """How many starters are missing, of a team whose players `now` are loaded (selectors.with_players)."""
        return self.size - sum(self.starts(spell.slot) for spell in self.now)  # type: ignore[attr-defined]

    def starts(self, slot: int) -> bool:
        """Return whether the player in that place sits at the table."""
        return slot <= self.size


class TeamPlayer(models.Model):
    """A player's spell in one place of a team (I02): 1 is the captain's, up to the team's size the other starters', then
    two substitutes'.

    A change of places ends one spell and begins another, so that the rows are the team's history.
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
            models.CheckConstraint(condition=Q(slot__gte=1, slot__lte=6), name="I02_slot_1_to_6"),
            models.CheckConstraint(
                condition=Q(left__isnull=True) | Q(left__gte=F("joined")), name="I02_left_after_joined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.team}"

    @property
    def part(self) -> Promise:
        """The name of the place."""
        return part_of(self.slot, self.team.size)


class TeamInvitation(models.Model):
    """An offer of one place in a team: to a player by name, or to whoever holds a secret link.

    Only the SHA-256 of the link's secret is stored. The two unique constraints below allow one open offer a place, and
    one a player and team. An expired offer keeps the state `open` until the next one for its place closes it.
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
            models.CheckConstraint(condition=Q(slot__gte=2, slot__lte=6), name="invitation_slot_2_to_6"),
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
        return part_of(self.slot, self.team.size)


class Follow(models.Model):
    """A player or a team whose matches somebody wants to see on their own pages. Private: nobody else reads these rows."""

    follower = models.ForeignKey(Player, models.CASCADE, related_name="follows")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, null=True, blank=True, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["follower", "player"], name="follows_player_once"),
            models.UniqueConstraint(fields=["follower", "team"], name="follows_team_once"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, team__isnull=True) | Q(player__isnull=True, team__isnull=False),
                name="follows_player_or_team",
            ),
            models.CheckConstraint(condition=Q(player__isnull=True) | ~Q(player=F("follower")), name="follows_another"),
        ]

    def __str__(self) -> str:
        return f"a follow of {self.follower_id}"  # never of whom


STARTERS: dict[int, Promise] = {1: _("captain"), 2: _("second player"), 3: _("third player"), 4: _("fourth player")}
IN_RESERVE: dict[int, Promise] = {1: _("first substitute"), 2: _("second substitute")}


def part_of(slot: int, size: int) -> Promise:
    """Return what the place `slot` of a team of `size` is called."""
    if slot > size:
        return IN_RESERVE[slot - size]
    return _("partner") if size == PAIR and slot == PAIR else STARTERS[slot]
