"""Applications of other sites, what people let them do, and what they hold to do it (decision 0055).

Every secret is stored as its SHA-256 only. Access tokens themselves are rows of `accounts.Token`.
"""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, Token, User, plain_text
from tock_league.common.names import plain_look_of

NAME_LENGTH = 40
TEXT_LENGTH = 300
ADDRESS_LENGTH = 250
ID_LENGTH = 16
LINE_LENGTH = 16
DIGEST_LENGTH = 64


class Application(models.Model):
    """A program of somebody else, which asks people for access to what they may do here."""

    class Kind(models.TextChoices):
        CONFIDENTIAL = "confidential", _("runs on a server, which can keep a secret")
        PUBLIC = "public", _("runs in a browser, on a phone or on a computer")

    client_id = models.CharField(max_length=ID_LENGTH, unique=True, editable=False)
    owner = models.ForeignKey(Player, models.CASCADE, related_name="applications")
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[MinLengthValidator(2), plain_text])
    look = models.CharField(max_length=64, unique=True, editable=False)  # `names.plain_look_of` the name
    website = models.CharField(_("website"), max_length=ADDRESS_LENGTH)
    description = models.CharField(_("description"), max_length=TEXT_LENGTH, validators=[plain_text])
    redirects = models.JSONField(default=list)  # addresses to which a browser is sent back
    kind = models.CharField(max_length=12, choices=Kind.choices)
    digest = models.CharField(max_length=DIGEST_LENGTH, blank=True, default="", editable=False)  # of the secret
    hint = models.CharField(max_length=8, blank=True, default="", editable=False)  # the secret's last characters
    made_at = models.DateTimeField()
    suspended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["confidential", "public"]), name="application_kind"),
            models.CheckConstraint(
                condition=Q(kind="public", digest="") | (Q(kind="confidential") & ~Q(digest="")),
                name="application_secret",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        return self.kind == self.Kind.PUBLIC

    def set_name(self, name: str) -> None:
        self.name, self.look = name, plain_look_of(name)


class Access(models.Model):
    """What one person lets one application do, until `expires_at`, which each use moves, and `ends_at` at the latest."""

    application = models.ForeignKey(Application, models.CASCADE, related_name="accesses")
    user = models.ForeignKey(User, models.CASCADE, related_name="accesses")
    scopes = models.JSONField(default=list)  # all that has been permitted, in the order of Token.Scope
    since = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # the application last got an access token
    expires_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "accesses"
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["application", "user"], condition=Q(ended_at__isnull=True), name="access_once"
            ),
            models.CheckConstraint(condition=Q(expires_at__lte=F("ends_at")), name="access_ends"),
        ]

    def __str__(self) -> str:
        return f"access {self.pk}"


class Held(models.Model):
    """What codes and refresh tokens have in common. `line`: what follows from the same consent, code and refresh tokens."""

    digest = models.CharField(max_length=DIGEST_LENGTH, unique=True)  # SHA-256, hex
    line = models.CharField(max_length=LINE_LENGTH, db_index=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # each serves once

    class Meta:
        abstract = True


class Code(Held):
    """An authorization code: what the browser carries to the application, which changes it for tokens."""

    access = models.ForeignKey(Access, models.CASCADE, related_name="codes")
    redirect = models.CharField(max_length=ADDRESS_LENGTH)  # the address to which it was sent
    challenge = models.CharField(max_length=DIGEST_LENGTH)  # S256, of the verifier that the application must show

    class Meta:
        indexes = [models.Index(fields=["expires_at"], name="code_age")]

    def __str__(self) -> str:
        return f"code {self.pk}"


class Refresh(Held):
    """A refresh token: what the application changes for a new access token and a new refresh token."""

    access = models.ForeignKey(Access, models.CASCADE, related_name="refreshes")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "refreshes"
        indexes = [models.Index(fields=["expires_at"], name="refresh_age")]

    def __str__(self) -> str:
        return f"refresh {self.pk}"


class Issued(models.Model):
    """Which access an access token belongs to."""

    token = models.OneToOneField(Token, models.CASCADE, primary_key=True, related_name="issued")
    access = models.ForeignKey(Access, models.CASCADE, related_name="issued")
    line = models.CharField(max_length=LINE_LENGTH, db_index=True)

    class Meta:
        verbose_name_plural = "issued"

    def __str__(self) -> str:
        return f"token {self.token_id}"
