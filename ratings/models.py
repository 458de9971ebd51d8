"""The log of rated results, and what is derived from it, one generation at a time.

Only the log (`RatedResult`) and the parameters are truth; everything else is a fold of them and can be made again. All
rows of a whole recomputation carry its `Generation`; readers follow the ladder's pointer, so they see the old one or the
new one, never a mixture.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player


class RatingParams(models.Model):
    """One version of the method's numbers; append-only. `values`: core.params.Params as JSON."""

    version = models.PositiveIntegerField(unique=True)
    values = models.JSONField()
    reason = models.CharField(max_length=200)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "rating params"

    def __str__(self) -> str:
        return f"parameters {self.version}"


class Ladder(models.Model):
    """The list a rating belongs to: rule-set family x number of teams. Its row is the lock of everything that writes
    states of the ladder, the last one in the order of locks."""

    key = models.CharField(max_length=40, unique=True)
    family = models.CharField(max_length=32)
    teams = models.PositiveSmallIntegerField()
    params = models.ForeignKey(RatingParams, models.PROTECT)
    # The pointer: what readers see and new games move. Null only inside the transaction that makes the ladder.
    generation = models.OneToOneField("Generation", models.PROTECT, null=True, related_name="+")
    # The earliest entry that the live generation has passed over (late, or a correction); null when it is up to date.
    dirty_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.key


class Generation(models.Model):
    """One complete set of states of a ladder."""

    class State(models.TextChoices):
        BUILDING = "building", _("being computed")
        LIVE = "live", _("in force")
        OLD = "old", _("the one before")

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="generations")
    number = models.PositiveIntegerField()
    params = models.ForeignKey(RatingParams, models.PROTECT)
    state = models.CharField(max_length=10, choices=State.choices)
    # Why it was computed: "first game", "late result", "ruling 000098", "parameters 2" ... shown to staff.
    cause = models.CharField(max_length=100)
    # The order key of the last entry that its states contain; null before the first one.
    applied_at = models.DateTimeField(null=True, blank=True)
    applied_source = models.CharField(max_length=80, blank=True, default="")
    # SHA-256 of the sorted states when it was switched to; empty for a generation that grew from nothing.
    digest = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField()
    switched_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "number"], name="generation_number")]

    def __str__(self) -> str:
        return f"{self.ladder} generation {self.number}"


class Subject(models.Model):
    """What is rated: a player, or a team, which is the set of its members; the same row in every ladder."""

    class Kind(models.TextChoices):
        PLAYER = "player", _("player")
        TEAM = "team", _("pair")

    kind = models.CharField(max_length=6, choices=Kind.choices)
    # The sorted ids of the members, "12" or "12-45": what makes it unique.
    key = models.CharField(max_length=80, unique=True)
    size = models.PositiveSmallIntegerField()
    members = models.ManyToManyField(Player, related_name="rating_subjects")
    # False for a team that only ever came together by a draw: it is rated, and stands on no board.
    listed = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="player", size=1) | Q(kind="team", size__gt=1), name="subject_kind_and_size"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


# What a game played without a table is called in the log: this, its match's slug, and its number in the match.
ON_PAPER = "paper:"


class RatedResult(models.Model):
    """One row of the log; written once, never changed. A correction is a row with the next revision."""

    class Kind(models.TextChoices):
        RESULT = "result", _("result")
        VOID = "void", _("voided")
        SEED = "seed", _("start from another ladder")
        MERGE = "merge", _("accounts merged")
        SEASON = "season", _("new season")

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="log")
    # The game's id, or ON_PAPER and what names a game of a match, or "seed:...", "merge:...", "season:...": an id, not a
    # foreign key, since the log outlives its games.
    source = models.CharField(max_length=80)
    revision = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.RESULT)
    completed_at = models.DateTimeField()
    sides = models.JSONField(default=list)
    ranks = models.JSONField(default=list)
    # For a seed, [mu, sigma]; doubles survive JSON to the last bit.
    start = models.JSONField(null=True, blank=True)
    rated = models.BooleanField(default=True)
    # How the game ended if it is rated, else why it is not.
    reason = models.CharField(max_length=40)
    # The number of the ruling that made this revision, for the pages that explain a change.
    ruling = models.CharField(max_length=20, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ladder", "source", "revision"], name="result_revision"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="result_revision_from_1"),
        ]
        indexes = [models.Index(fields=["ladder", "completed_at", "source"], name="result_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.source} revision {self.revision}"


class WaitingResult(models.Model):
    """A row of the log that the live generation has not taken in; deleted in the transaction that does. A row of its own,
    because the log is never updated, and ids are no order of commits."""

    result = models.OneToOneField(RatedResult, models.CASCADE, primary_key=True, related_name="waiting")
    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="waiting")
    outbox_id = models.BigIntegerField()

    def __str__(self) -> str:
        return f"waiting {self.result_id}"


class Rating(models.Model):
    """The state of a subject in a generation. mu and sigma are doubles and never rounded."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="ratings")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="ratings")
    # Of the subject, repeated so that one index serves a board.
    kind = models.CharField(max_length=6)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    last_rated_at = models.DateTimeField(null=True, blank=True)
    score_milli = models.BigIntegerField()
    # How many opposing teams, and how many partners with enough games together; `meetings` has the games with each.
    opponents = models.PositiveIntegerField(default=0)
    partners = models.PositiveIntegerField(default=0)
    meetings = models.JSONField(default=dict)
    on_club = models.BooleanField(default=False)
    on_global = models.BooleanField(default=False)
    # When the first of its places on boards ends by itself; null when it has none.
    eligible_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["generation", "subject"], name="rating_of_subject")]
        indexes = [
            models.Index(
                "generation",
                "kind",
                F("score_milli").desc(),
                "subject",
                name="board_by_key",
                condition=Q(on_global=True),
            ),
            models.Index(fields=["eligible_until"], name="rating_expiry", condition=Q(eligible_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.score_milli / 1000:.0f}"


class RatingChange(models.Model):
    """What one game did to one subject; unique, and thereby the guard against rating a game twice."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="changes")
    result = models.ForeignKey(RatedResult, models.CASCADE, related_name="changes")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="changes")
    # Of the result's first revision, repeated because it is unique here and orders a history.
    source = models.CharField(max_length=80)
    completed_at = models.DateTimeField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    score_before = models.BigIntegerField()
    score_after = models.BigIntegerField()
    # The expected probability of winning, 0 to 1, and whole days since the game before.
    chance = models.FloatField()
    idle_days = models.PositiveIntegerField(default=0)
    won = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "source", "subject"], name="one_change_per_game"),
        ]
        indexes = [models.Index(fields=["generation", "subject", "completed_at"], name="history_of_subject")]

    def __str__(self) -> str:
        return f"{self.subject}: {self.score_before / 1000:.0f} to {self.score_after / 1000:.0f}"


class RankBucket(models.Model):
    """How many rows of the global board have a score in this step of four points; ranks are counted from here."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="buckets")
    kind = models.CharField(max_length=6)
    bucket = models.IntegerField()
    count = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "kind", "bucket"], name="bucket_once"),
            models.CheckConstraint(condition=Q(count__gte=0), name="bucket_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.bucket}: {self.count}"
