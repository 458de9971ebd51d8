"""Leagues and tournaments, and their frozen settings."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.clubs.models import Club
from tock_league.common.models import Stamped

from ..core.caps import Cap
from ..core.corrections import EVENT_S, LEAGUE_S, REPLAY
from ..core.plan import TournamentPlan
from ..core.scoring import PointsRule
from .season import NAME_LENGTH, Division

MOST_ROUNDS = 50  # the maximum for games with a fixed number of rounds
SEATS = 4  # default for old regulations, which were written before there were larger tables


class Regulations(models.Model):
    """Frozen settings: rule set, table, clocks, best of, points and tie-breaks.

    Immutable; a change is a new row (I05).
    """

    code = models.SlugField(max_length=40)
    version = models.PositiveIntegerField()
    # SHA-256 of the canonical JSON of `body`, hex: the same settings are one row.
    digest = models.CharField(max_length=64, unique=True)
    body = models.JSONField()

    class Meta:
        verbose_name_plural = "regulations"
        constraints = [models.UniqueConstraint(fields=["code", "version"], name="I05_code_version")]

    def __str__(self) -> str:
        return f"{self.code} {self.version}"

    @property
    def points_rule(self) -> PointsRule:
        """Match points."""
        return PointsRule(**self.body["points"])

    @property
    def criteria(self) -> tuple[str, ...]:
        """The ranking criteria, in order: keys of core.tiebreaks.SUPPORTED, points first."""
        return ("points", *self.body["tiebreaks"])

    @property
    def seats(self) -> int:
        """Seats of a table; each side has half of them."""
        return int(self.body.get("seats", SEATS))

    @property
    def rounds(self) -> int:
        """How many rounds a game of Tractor lasts; 0 means to the ace and past it. Always 0 for other games."""
        return int(self.body.get("rounds", 0))

    @property
    def cap(self) -> Cap | None:
        """The time cap of the games; None where they go to their end."""
        return Cap.read(self.body["cap"]) if "cap" in self.body else None

    @property
    def later(self) -> str:
        """What a correction does to later matches of a bracket that have begun: one of core.corrections.LATER."""
        return str(self.body.get("later", REPLAY))

    @property
    def best_of(self) -> int:
        """Games of a match, odd."""
        return int(self.body["best_of"])

    @property
    def play_all(self) -> bool:
        """Whether all games are played, or only until one side has the majority."""
        return bool(self.body["play_all"])


class Competition(Stamped):
    """A league, tournament or club night.

    `lots_seed` is published with it, before any entry exists: lots and partners come from it (I04).
    """

    class Kind(models.TextChoices):
        LEAGUE = "league", _("league")
        TOURNAMENT = "tournament", _("tournament")

    class Seeding(models.TextChoices):
        RATING = "rating", _("by rating")
        HAND = "hand", _("by hand")
        LOTS = "lots", _("drawn by lots")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("announced")
        OPEN = "open", _("entries open")
        CLOSED = "closed", _("entries closed")
        RUNNING = "running", _("under way")
        SUSPENDED = "suspended", _("suspended")
        FINISHED = "finished", _("finished")
        ARCHIVED = "archived", _("archived")
        CANCELLED = "cancelled", _("cancelled")

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    state = models.CharField(max_length=12, choices=State.choices, default=State.DRAFT)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[MinLengthValidator(3), plain_text])
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="competitions", verbose_name=_("organising club")
    )
    division = models.OneToOneField(
        Division, models.PROTECT, null=True, blank=True, related_name="competition", editable=False
    )
    regulations = models.ForeignKey(Regulations, models.PROTECT, related_name="+", editable=False)
    # The rule set of every game; a copy of the regulations' for lists and ladders.
    rules = models.CharField(max_length=40, editable=False)
    # Seats of every table, likewise a copy.
    seats = models.PositiveSmallIntegerField(default=SEATS, editable=False)
    is_rehearsal = models.BooleanField(default=False)
    # For demo and rehearsal only, and shown on every page: bots may play for the names on the roster.
    bots_allowed = models.BooleanField(default=False)
    lots_seed = models.CharField(max_length=64, editable=False)
    # How a tournament is played: core.plan.TournamentPlan as JSON; empty for leagues and club nights.
    plan = models.JSONField(default=dict, blank=True, editable=False)
    # The number of places; null: unlimited. Later entries go on the waiting list.
    size = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    starts_at = models.DateTimeField(_("first round"), null=True, blank=True)
    entries_close_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    check_in_from = models.DateTimeField(_("check-in opens"), null=True, blank=True)
    check_in_until = models.DateTimeField(_("check-in closes"), null=True, blank=True)
    # Captains and referees report results on paper; no table opens.
    on_paper = models.BooleanField(_("results on paper"), default=False)
    # Whether matches are put at a table where one of their teams played last, as far as possible.
    keeps_tables = models.BooleanField(_("teams keep their table"), default=False)
    # A countdown: when the server does the step of that code (selectors.seasons.next_step), unless it is cancelled; null: none.
    step_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    step_due = models.CharField(max_length=60, blank=True, default="", editable=False)
    # The captains of a match may agree to play it on a board; else its table opens.
    by_agreement = models.BooleanField(_("captains agree on a board or a table"), default=False)
    seeding = models.CharField(_("seeding"), max_length=8, choices=Seeding.choices, default=Seeding.RATING)
    reason = models.CharField(_("public reason"), max_length=200, blank=True, default="", validators=[plain_text])

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["league", "tournament"]), name="I04_kind"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "draft",
                        "published",
                        "open",
                        "closed",
                        "running",
                        "suspended",
                        "finished",
                        "archived",
                        "cancelled",
                    ]
                ),
                name="I04_state",
            ),
            models.CheckConstraint(condition=Q(seeding__in=["rating", "hand", "lots"]), name="I04_seeding"),
            models.CheckConstraint(condition=Q(size__isnull=True) | Q(size__gte=2), name="I04_size"),
            models.CheckConstraint(condition=Q(seats__in=[4, 6, 8]), name="I04_seats"),
            models.CheckConstraint(condition=Q(on_paper=False) | Q(by_agreement=False), name="I04_place"),
            models.CheckConstraint(
                condition=Q(step_due_at__isnull=True, step_due="") | (Q(step_due_at__isnull=False) & ~Q(step_due="")),
                name="I04_countdown_names_its_step",
            ),
            models.CheckConstraint(
                condition=Q(check_in_from__isnull=True)
                | Q(check_in_until__isnull=True)
                | Q(check_in_until__gt=F("check_in_from")),
                name="I04_check_in_ends_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_planned(self) -> bool:
        """Whether it is a tournament that runs by its plan; leagues and club nights have a calendar instead."""
        return bool(self.plan)

    @property
    def tournament_plan(self) -> TournamentPlan | None:
        """How it is played; None for leagues and club nights, which have a calendar instead."""
        return TournamentPlan.read(self.plan) if self.is_planned else None

    @property
    def side_size(self) -> int:
        """How many players of a team sit at the table: half of its seats."""
        return self.seats // 2

    @property
    def correction_s(self) -> int:
        """For how many seconds the desk may correct a result."""
        default = LEAGUE_S if self.kind == self.Kind.LEAGUE else EVENT_S
        return int(self.regulations.body.get("correction_s", default))

    @property
    def cap(self) -> Cap | None:
        """The time cap of its games; None where they go to their end."""
        return self.regulations.cap

    @property
    def has_check_in(self) -> bool:
        """Whether entries must check in before the draw."""
        return self.check_in_until is not None
