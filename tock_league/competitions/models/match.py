"""Scheduled matches, their sides and their games."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Game, Table
from tock_league.common.ids import new_slug
from tock_league.common.models import Stamped

from .competition import Competition
from .entry import Entry
from .stage import Round, Stage


class Match(Stamped):
    """A meeting of `sides` entries, best of N games. Its table opens shortly before `starts_at` (I13)."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("match", "waiting for its teams")
        READY = "ready", _("date not set")
        SCHEDULED = "scheduled", _("scheduled")
        CALLED = "called", _("table open")
        LIVE = "live", _("under way")
        REPORTED = "reported", pgettext_lazy("match", "result reported by one side")
        CONTESTED = "contested", pgettext_lazy("match", "result contested")
        CONFIRMED = "confirmed", _("result confirmed")
        AWARDED = "awarded", _("forfeit")
        VOID = "void", _("void")

    class Label(models.TextChoices):
        NONE = "", ""
        QUARTER = "quarter", _("quarter-final")
        SEMI = "semi", _("semi-final")
        THIRD_PLACE = "third_place", _("third place")
        FINAL = "final", _("final")
        RESET = "reset", _("second final")
        WINNERS = "winners", _("winners’ bracket")
        LOSERS = "losers", _("losers’ bracket")
        PLACES = "places", _("bracket for further places")
        PLACE = "place", _("match for a place")
        BACK_DRAW = "back_draw", _("match of the consolation")

    class Mode(models.TextChoices):
        FIRST_TO = "first_to"
        PLAY_ALL = "play_all"

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    competition = models.ForeignKey(Competition, models.PROTECT, related_name="matches")  # a copy of the round's
    round = models.ForeignKey(Round, models.PROTECT, related_name="matches")
    number = models.PositiveSmallIntegerField()
    sides = models.PositiveSmallIntegerField(default=2)
    mode = models.CharField(max_length=8, choices=Mode.choices, default=Mode.FIRST_TO)
    best_of = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State.choices, default=State.READY)
    starts_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    table = models.OneToOneField(Table, models.PROTECT, null=True, blank=True, related_name="match")
    # Whether it is played on a board, where that was agreed for this match; null: as the competition has it.
    on_board = models.BooleanField(null=True, blank=True)
    # Its label in a bracket.
    label = models.CharField(max_length=12, blank=True, default=Label.NONE, choices=Label.choices)
    # What the label counts, see core.bracket.Node: a round, or the first of the places that are played for.
    label_no = models.PositiveSmallIntegerField(default=0)
    # The number of its table in the hall, or among the tables of the round.
    table_no = models.PositiveSmallIntegerField(null=True, blank=True)
    # The room of that table: a copy of HallTable's, "" where none is known.
    room = models.CharField(max_length=40, blank=True, default="", editable=False)

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["starts_at", "pk"]
        indexes = [
            models.Index(fields=["state", "starts_at"], name="match_due"),
            models.Index(fields=["competition", "starts_at"], name="match_calendar"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="I13_match_number"),
            models.CheckConstraint(condition=Q(sides__gte=2, sides__lte=8), name="I13_sides"),
            models.CheckConstraint(
                condition=Q(best_of__gt=0, best_of=2 * (F("best_of") / 2) + 1), name="I13_best_of_odd"
            ),
            models.CheckConstraint(condition=Q(mode__in=["first_to", "play_all"]), name="I13_mode"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "waiting",
                        "ready",
                        "scheduled",
                        "called",
                        "live",
                        "reported",
                        "contested",
                        "confirmed",
                        "awarded",
                        "void",
                    ]
                ),
                name="I13_state",
            ),
            models.CheckConstraint(
                condition=Q(
                    label__in=[
                        "",
                        "quarter",
                        "semi",
                        "third_place",
                        "final",
                        "reset",
                        "winners",
                        "losers",
                        "places",
                        "place",
                        "back_draw",
                    ]
                ),
                name="I13_label",
            ),
            # A match has a date or is marked as undated; placeholder dates are not allowed.
            models.CheckConstraint(
                condition=~Q(state__in=["scheduled", "called", "live"]) | Q(starts_at__isnull=False),
                name="I13_dated_when_scheduled",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.slug}"

    @property
    def is_on_board(self) -> bool:
        """Whether it is played on a board, so that its result is entered and no table opens."""
        return self.competition.on_paper if self.on_board is None else self.on_board


def on_board() -> Q:
    """Return the condition of matches that are played on a board, as `Match.is_on_board` has it."""
    return Q(on_board=True) | Q(on_board__isnull=True, competition__on_paper=True)


class Side(models.Model):
    """The place of an entry in a round: a seat in a match, a bye, a rest or an absence (I14).

    Position 0 is home. `stage` and `round` are copies of the match's, so that uniqueness can use them.
    """

    class Kind(models.TextChoices):
        SEAT = "seat"
        PAIRING_BYE = "pairing_bye"
        REQUESTED_BYE = "requested_bye"
        ABSENCE = "absence"
        REST = "rest"  # a round robin's odd field: no match, no points

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="+")
    round = models.ForeignKey(Round, models.PROTECT, related_name="side_rows")
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="side_rows")
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="side_rows")
    kind = models.CharField(max_length=14, choices=Kind.choices, default=Kind.SEAT)

    class Meta:
        ordering = ["match", "position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="I14_position_once"),
            models.UniqueConstraint(
                fields=["round", "entry"], condition=Q(entry__isnull=False), name="I14_entry_once_in_round"
            ),
            models.UniqueConstraint(
                fields=["stage", "entry"], condition=Q(kind="pairing_bye"), name="I14_one_pairing_bye"
            ),
            models.CheckConstraint(
                condition=Q(kind="seat", match__isnull=False, position__isnull=False)
                | Q(
                    kind__in=["pairing_bye", "requested_bye", "absence", "rest"],
                    match__isnull=True,
                    position__isnull=True,
                    entry__isnull=False,
                ),
                name="I14_seat_or_named_absence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.kind}"


class MatchGame(models.Model):
    """A game of the match, in order, with the hash of its record (I19). `games` never refers to matches."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField()
    game = models.OneToOneField(Game, models.PROTECT, related_name="match_game")
    record_hash = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="I19_game_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="I19_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.match}"
