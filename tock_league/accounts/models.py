"""People: `User` signs in, `Player` plays, `Role` grants rights on the whole site.

Games, ratings and competitions refer to players, never to users: a player stays in the records when the login is
deleted.
"""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from tock_league.common.ids import new_slug
from tock_league.common.models import Stamped
from tock_league.common.names import folded, plain_look_of

NAME_LENGTH = 40
TOKEN_NAME_LENGTH = 40
DEFAULT_TIME_ZONE = "America/Toronto"
BOT_ACCOUNT = "account"  # of `Player.bot`: a program from outside plays, by tokens of its owner (accounts.bot_accounts)

plain_text = RegexValidator(
    r"^[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]*$",
    _("Control characters are not allowed here; type plain text."),
    code="control_characters",
)


@cache
def all_time_zones() -> frozenset[str]:
    """Return the names of the IANA list. Cached: listing them walks through a folder of 600 files."""
    return frozenset(available_timezones())


def known_time_zone(value: str) -> None:
    """Raise ValidationError unless `value` is a zone of the IANA list, such as America/Toronto."""
    if value not in all_time_zones():
        raise ValidationError(_("This time zone is not known; choose one from the list."), code="time_zone")


class UserManager(DjangoUserManager["User"]):
    """Django's manager; a superuser needs no invented user name."""

    def create_superuser(
        self, username: str | None = None, email: str | None = None, password: str | None = None, **extra: Any
    ) -> "User":
        return super().create_superuser(username or new_slug(), email, password, **extra)


class User(AbstractUser):
    """A login. The address is its name; `username` is generated and shown nowhere."""

    username = models.CharField(max_length=150, unique=True, default=new_slug, editable=False)

    objects = UserManager()  # type: ignore[misc]

    class Meta(AbstractUser.Meta):
        constraints = [
            # Addresses that differ in case only are one login.
            models.UniqueConstraint(Lower("email"), name="user_email", condition=~Q(email="")),
        ]

    def __str__(self) -> str:
        return self.email or self.username

    def get_short_name(self) -> str:
        """Return the name by which the admin greets somebody."""
        player = Player.objects.filter(user=self).first()
        return player.display_name if player is not None else str(self)


def naming(name: str) -> dict[str, str]:
    """Return the fields of a player that follow from the name, with the name: for `update`, which does not call `save`."""
    return {"display_name": name, "look": plain_look_of(name), "search_name": folded(name)}


class Player(Stamped):
    """A person who plays: the competitive identity that games, ratings and rosters name."""

    class Language(models.TextChoices):
        FRENCH = "fr", _("French")
        ENGLISH = "en", _("English")
        SPANISH = "es", _("Spanish")

    class Readers(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        SIGNED_IN = "signed_in", _("people who have signed in")
        CLUBS = "clubs", _("members of my clubs and teams")

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    display_name = models.CharField(
        _("name shown to others"), max_length=NAME_LENGTH, validators=[MinLengthValidator(2), plain_text]
    )
    # `names.plain_look_of` the name, for comparisons: a guest must not bear a member's name.
    look = models.CharField(max_length=64, blank=True, default="", editable=False, db_index=True)
    # `names.folded` the name: searches look here. PostgreSQL has an index of its trigrams.
    search_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", editable=False)
    language = models.CharField(_("language"), max_length=5, choices=Language.choices, default=Language.FRENCH)
    time_zone = models.CharField(_("time zone"), max_length=64, default=DEFAULT_TIME_ZONE, validators=[known_time_zone])
    # Who may open the player's page. Results stay public, because they belong to competitions (decision 0030).
    page_for = models.CharField(_("who sees my page"), max_length=16, choices=Readers.choices, default=Readers.CLUBS)
    # Whether members of the same clubs and teams see who is here now (clubs.presence, decision 0045).
    shows_presence = models.BooleanField(_("show when I am here"), default=True)
    # Null: a player without a login, entered by an organiser or left behind by an erased account.
    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    # The level of the site's bot that plays for this name in competitions that allow bots, or BOT_ACCOUNT; empty for people.
    bot = models.CharField(max_length=16, blank=True, default="", editable=False)

    class Meta:
        ordering = ["display_name", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(display_name=""), name="player_name"),
            models.CheckConstraint(condition=Q(language__in=["fr", "en", "es"]), name="player_language"),
            models.CheckConstraint(
                condition=Q(page_for__in=["everybody", "signed_in", "clubs"]), name="player_page_for"
            ),
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def is_bot_account(self) -> bool:
        return self.bot == BOT_ACCOUNT

    def save(self, **options: Any) -> None:
        names = naming(self.display_name)
        self.look, self.search_name = names["look"], names["search_name"]
        if options.get("update_fields") and "display_name" in options["update_fields"]:
            options["update_fields"] = {*options["update_fields"], *names}
        super().save(**options)


class Block(models.Model):
    """A player who wants nothing from another one; neither learns it from the site (accounts.blocks)."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Player, models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(player=F("blocked")), name="blocks_another"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} blocks {self.blocked_id}"


class Role(models.Model):
    """A player's role on the whole site, with its period and who gave it; roles of a club are in `clubs`."""

    class Name(models.TextChoices):
        ADMINISTRATOR = "administrator", _("administrator")
        ORGANISER = "organiser", _("organiser")
        REFEREE = "referee", _("referee")
        HEAD_REFEREE = "head_referee", _("head referee")

    player = models.ForeignKey(Player, models.CASCADE, related_name="roles")
    name = models.CharField(max_length=16, choices=Name.choices)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    given_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "name"], condition=Q(until__isnull=True), name="role_held_once"),
            models.CheckConstraint(
                condition=Q(name__in=["administrator", "organiser", "referee", "head_referee"]), name="role_name"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="role_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.name}"


class BirthYear(models.Model):
    """The year in which a player was born: private. Apart from `Player`, so that no page, export or log shows it with one.

    While the player counts as a child, `display_name` holds a pseudonym and `called` the name by which the club knows the
    child; empty for everybody else.
    """

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="birth")
    year = models.PositiveSmallIntegerField(_("year of birth"))
    called = models.CharField(max_length=NAME_LENGTH, blank=True, default="", validators=[plain_text])
    told_at = models.DateTimeField()
    # Whether an administrator lets it be told again; until then this year counts.
    asked_again = models.BooleanField(default=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(year__gte=1900) & Q(year__lte=2200), name="birth_year")]

    def __str__(self) -> str:
        return f"birth year of {self.player_id}"  # never the year


class Consent(models.Model):
    """A consent in force or withdrawn. Rows are never edited: a withdrawal ends one, a new consent is a new row."""

    class Purpose(models.TextChoices):
        ACCOUNT = "account", _("the account, as the privacy page describes it")
        CHILD = "child", _("a child takes part: clubs, competitions, rated games")

    player = models.ForeignKey(Player, models.CASCADE, related_name="consents")
    purpose = models.CharField(max_length=16, choices=Purpose.choices)
    version = models.CharField(max_length=16)  # of the text that was agreed to
    given_at = models.DateTimeField()
    # Who agreed: the player, or the guardian of a child. With `guardian`, whoever holds the signed paper.
    given_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="consents_given")
    guardian = models.CharField(max_length=84, blank=True, default="", validators=[plain_text])  # who signed on paper
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-given_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "purpose"], condition=Q(withdrawn_at__isnull=True), name="consent_in_force_once"
            ),
            models.CheckConstraint(condition=Q(purpose__in=["account", "child"]), name="consent_purpose"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) | Q(withdrawn_at__gte=F("given_at")), name="consent_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} of {self.player_id}"


class ConsentRequest(models.Model):
    """The code with which a child asks a guardian for consent. Only its digest is stored; a new code replaces it."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="consent_request")
    code_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"consent request of {self.player_id}"


class BotAccount(models.Model):
    """Who answers for a player whom a program plays, and until when it may play (accounts.bot_accounts)."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="account")
    owner = models.ForeignKey(Player, models.CASCADE, related_name="bots")
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(player=F("owner")), name="bot_of_another"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("made_at")), name="bot_closed_later"
            ),
        ]

    def __str__(self) -> str:
        return f"bot {self.player_id} of {self.owner_id}"


class Merge(models.Model):
    """Two players who are one person: `former` was given up for `kept`. Rows are never deleted: a separation ends one.

    The log of ratings is read with `kept`; results keep the names that were played under (decision 0060).
    """

    former = models.ForeignKey(Player, models.PROTECT, related_name="merges")
    kept = models.ForeignKey(Player, models.PROTECT, related_name="merged")
    at = models.DateTimeField()
    by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    # What the merge changed in clubs, by the keys of the rows, so that a separation takes back that and nothing else.
    moved = models.JSONField(default=dict)
    separated_at = models.DateTimeField(null=True, blank=True)
    separated_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["former"], condition=Q(separated_at__isnull=True), name="merged_once"),
            models.CheckConstraint(condition=~Q(former=F("kept")), name="merged_with_another"),
            models.CheckConstraint(
                condition=Q(separated_at__isnull=True) | Q(separated_at__gte=F("at")), name="separated_after_merge"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.former} → {self.kept}"


class Token(models.Model):
    """An access token: what a program shows to act as its person through the API (decision 0047).

    A personal one is made by its person and never deleted while the login exists: the person sees what was. Those of an
    application live for an hour (tock_league.oauth, decision 0055). Only the SHA-256 of the secret is stored.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read what I may see")
        PLAY = "play", _("play: answer, enter, check in, sit at tables")
        MANAGE = "manage", _("manage: what my roles in clubs and competitions allow")

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=TOKEN_NAME_LENGTH, validators=[MinLengthValidator(2), plain_text])
    scopes = models.JSONField(default=list)  # values of Scope, in their order
    digest = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256 of the secret, hex
    hint = models.CharField(max_length=8, editable=False)  # the secret's last characters, by which its owner knows it
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # written every few minutes at most
    revoked_at = models.DateTimeField(null=True, blank=True)
    personal = models.BooleanField(default=True, db_default=True, editable=False)  # false: an application's

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="token_expires_later"),
            models.CheckConstraint(condition=~Q(name=""), name="token_name"),
        ]

    def __str__(self) -> str:
        return f"token {self.pk}"  # neither its name nor its hint
