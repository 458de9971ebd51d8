"""Results: an append-only log of versions, each linked to the one before by its hash (I20)."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player, plain_text
from tock_league.common.validation import no_markup

from .match import Match, MatchGame, Side


class ResultVersion(models.Model):
    """One statement about a match: the result of one of its games, or of the whole match.

    Two writers who both follow the same row collide on `prev_hash`: the chain cannot fork. No code updates or deletes.
    """

    class Source(models.TextChoices):
        ENGINE = "engine"
        ORGANISER = "organiser"
        CAPTAIN = "captain"  # on paper: counts with the signatures of all sides
        REFEREE = "referee"
        RULES = "rules"  # derived: the opponent left, or can never be determined

    match = models.ForeignKey(Match, models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    game_number = models.PositiveSmallIntegerField(null=True, blank=True)  # null for the whole match
    fact = models.CharField(max_length=16)
    source = models.CharField(max_length=10, choices=Source.choices)
    # The games of a result on paper, first to last, as `[winner's position or null for a tie, marbles or levels between
    # the sides]`; under a time cap with counts and scores (core.sheets). It counts once it is signed (ResultSignature).
    sheet = models.JSONField(null=True, blank=True)
    # The game that wrote it; null where nobody played at a table, and in rows older than this column.
    game = models.OneToOneField(MatchGame, models.PROTECT, null=True, blank=True, related_name="version")
    # The effect that ordered this game to be played again; lifting the effect voids the game.
    order = models.ForeignKey("ResultEffect", models.PROTECT, null=True, blank=True, related_name="games_played")
    reason = models.CharField(max_length=200, blank=True, default="", validators=[plain_text, no_markup])
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    # Whether an official of the club of one side only wrote it; both sides may dispute it
    tied = models.BooleanField(default=False)
    recorded_at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="I20_version_once"),
            models.UniqueConstraint(fields=["match", "prev_hash"], name="I20_chain_cannot_fork"),
            models.CheckConstraint(
                condition=Q(
                    fact__in=[
                        "played",
                        "adjudicated",
                        "forfeit",
                        "no_show",
                        "withdrawal",
                        "disqualification",
                        "double_forfeit",
                        "void",
                        "reopened",
                    ]
                ),
                name="I20_fact",
            ),
            models.CheckConstraint(
                condition=Q(sheet__isnull=True) | Q(game_number__isnull=True), name="I20_sheet_is_whole"
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.match}"


class ResultLine(models.Model):
    """One position's part: outcome, place (0 best), marbles home for minus against, or levels.

    Under a time cap also what it reached (`counted`) and what that is worth (`scored`).
    """

    result = models.ForeignKey(ResultVersion, models.PROTECT, related_name="lines")
    position = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=4)
    place = models.PositiveSmallIntegerField()
    margin = models.SmallIntegerField(default=0)
    scored = models.PositiveSmallIntegerField(null=True, blank=True)
    counted = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["result", "position"]
        constraints = [
            models.UniqueConstraint(fields=["result", "position"], name="I20_line_once"),
            models.CheckConstraint(condition=Q(outcome__in=["win", "tie", "loss"]), name="I20_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.outcome}"


class ResultSignature(models.Model):
    """The signature of a captain or referee on a result on paper (I21); a captain signs for their own side."""

    class Capacity(models.TextChoices):
        CAPTAIN = "captain"
        REFEREE = "referee"

    result = models.ForeignKey(ResultVersion, models.PROTECT, related_name="signatures")
    signer = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="result_signatures")
    capacity = models.CharField(max_length=8, choices=Capacity.choices)
    side = models.ForeignKey(Side, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["result", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["result", "signer"], name="I21_signer_once"),
            models.UniqueConstraint(
                fields=["result", "side"], condition=Q(capacity="captain"), name="I21_one_captain_a_side"
            ),
            models.CheckConstraint(
                condition=Q(capacity="captain", side__isnull=False, signer__isnull=False)
                | Q(capacity="referee", side__isnull=True),
                name="I21_captain_has_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.capacity} under {self.result}"
