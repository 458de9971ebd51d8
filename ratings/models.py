"""The event log of rated results, and the tables derived from it.

`RatedResult` and `RatingParams` are the source of truth; the states are a fold of them and can be recomputed. All
derived rows of a recomputation belong to its `Generation`. Readers follow `Ladder.generation`, so they see the old
generation or the new one, never a mixture (docs/decisions/0004-ratings-are-a-fold-of-a-log.md).
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.clubs.models import Club


class RatingParams(models.Model):
    """One version of the parameters of the rating method; append-only."""

    version = models.PositiveIntegerField(unique=True)
    values = models.JSONField()  # core.params.Params.to_json
    reason = models.CharField(max_length=200)
    # The evaluation of these values; null for the first version, which is the design's.
    report = models.ForeignKey("EvaluationReport", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "rating params"

    def __str__(self) -> str:
        return f"parameters {self.version}"


class Ladder(models.Model):
    """A list of ratings: rule-set family x number of teams.

    Its row is the lock for writing states of the ladder, and the last one in the order of locks.
    """

    key = models.CharField(max_length=40, unique=True)  # such as "shawinigan:2"
    family = models.CharField(max_length=32)  # the rule set's name without its edition
    teams = models.PositiveSmallIntegerField()
    params = models.ForeignKey(RatingParams, models.PROTECT)
    # The live generation, which readers see and new games update. Null only in the transaction that creates the ladder.
    generation = models.OneToOneField("Generation", models.PROTECT, null=True, related_name="+")
    # completed_at of the earliest entry (late or a correction) that needs a recomputation; null if none does.
    dirty_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.key


class EvaluationReport(models.Model):
    """How well a version of the parameters predicted games, beside other methods; append-only.

    The page of the method shows it. Parameters are changed only with a report of the new values.
    """

    # The ladder whose log was read; null if only simulated leagues were.
    ladder = models.ForeignKey(Ladder, models.PROTECT, null=True, blank=True, related_name="reports")
    values = models.JSONField()  # the parameters that were evaluated, core.params.Params.to_json
    values_digest = models.CharField(max_length=64)  # SHA-256 of their canonical JSON
    games = models.PositiveIntegerField()  # rated games of the ladder that were predicted
    # {"log": figures or null, "leagues": [{"league": name, ...figures}]}; figures: core.evaluation.run.summary.
    figures = models.JSONField()
    # SHA-256 of all that the figures were computed from: values, entries of the log in force, simulated leagues, code.
    made_from = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["ladder", "values_digest", "created_at"], name="report_of_values")]

    def __str__(self) -> str:
        return f"evaluation {self.pk}"


class Generation(models.Model):
    """One complete set of states of a ladder, the result of one computation."""

    class State(models.TextChoices):
        BUILDING = "building", _("being computed")
        LIVE = "live", _("in force")
        OLD = "old", _("the one before")

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="generations")
    number = models.PositiveIntegerField()
    params = models.ForeignKey(RatingParams, models.PROTECT)
    state = models.CharField(max_length=10, choices=State.choices)
    # Why it was computed, such as "first game" or "late result or correction"; shown to staff.
    cause = models.CharField(max_length=100)
    # The order key (completed_at, source) of the last applied entry; null before the first one.
    applied_at = models.DateTimeField(null=True, blank=True)
    applied_source = models.CharField(max_length=80, blank=True, default="")
    # core.recompute.digest of the states at the switch to it; empty for a ladder's first generation.
    digest = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField()
    switched_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "number"], name="generation_number")]

    def __str__(self) -> str:
        return f"{self.ladder} generation {self.number}"


class Subject(models.Model):
    """A player or a team that has ratings; the same row in every ladder. A team is the set of its members."""

    class Kind(models.TextChoices):
        PLAYER = "player", _("player")
        TEAM = "team", _("pair")

    kind = models.CharField(max_length=6, choices=Kind.choices)
    # The sorted ids of the members, such as "12" or "12-45".
    key = models.CharField(max_length=80, unique=True)
    size = models.PositiveSmallIntegerField()
    members = models.ManyToManyField(Player, related_name="rating_subjects")
    # False for a team whose members were only ever put together by lots: it is rated but not on any board.
    listed = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="player", size=1) | Q(kind="team", size__gt=1), name="subject_kind_and_size"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


# Prefix of the source of a game played without a table; its match's slug and its number in the match follow.
ON_PAPER = "paper:"


class RatedResult(models.Model):
    """One row of the log, append-only. A correction is a new row with the next revision."""

    class Kind(models.TextChoices):
        RESULT = "result", _("result")
        VOID = "void", _("voided")
        SEED = "seed", _("start from another ladder")
        MERGE = "merge", _("accounts merged")
        SEASON = "season", _("new season")

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="log")
    # The game's id, or ON_PAPER and what names a game of a match, or "seed:...", "merge:...", "season:...". Not a
    # foreign key, because log rows are kept longer than games.
    source = models.CharField(max_length=80)
    revision = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.RESULT)
    completed_at = models.DateTimeField()
    sides = models.JSONField(default=list)  # player ids per team
    ranks = models.JSONField(default=list)  # per team, 0 is best, equal for a tie
    # For a seed, [mu, sigma]; JSON keeps doubles exactly.
    start = models.JSONField(null=True, blank=True)
    rated = models.BooleanField(default=True)
    # How the game ended if it is rated, else why it is not rated.
    reason = models.CharField(max_length=40)
    # The number of the ruling that caused this revision, for the pages that explain a change; "" for none.
    ruling = models.CharField(max_length=20, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ladder", "source", "revision"], name="result_revision"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="result_revision_from_1"),
        ]
        indexes = [
            models.Index(fields=["ladder", "completed_at", "source"], name="result_order"),
            # The few rows that changed an earlier result, latest first, for the pages that explain a change.
            models.Index(fields=["ladder", "-created_at"], name="result_corrections", condition=Q(revision__gt=1)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source} revision {self.revision}"


class WaitingResult(models.Model):
    """A row of the log that has not been applied to the live generation; deleted in the transaction that applies it.

    A separate row, because the log is never updated, and because the order of ids is not the order of commits.
    """

    result = models.OneToOneField(RatedResult, models.CASCADE, primary_key=True, related_name="waiting")
    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="waiting")
    outbox_id = models.BigIntegerField()  # the promised task in common.outbox

    def __str__(self) -> str:
        return f"waiting {self.result_id}"


class Rating(models.Model):
    """The state of a subject in a generation; mu and sigma are never rounded."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="ratings", db_index=False)
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="ratings")
    # Both copied from the subject, so that one index serves a board.
    kind = models.CharField(max_length=6)
    listed = models.BooleanField(default=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    last_rated_at = models.DateTimeField(null=True, blank=True)
    score_milli = models.BigIntegerField()  # thousandths of a point
    opponents = models.PositiveIntegerField(default=0)  # number of opposing teams met
    partners = models.PositiveIntegerField(default=0)  # number of partners with PARTNER_GAMES games together
    # {"opponents": {subject key: games}, "partners": {player id as text: games}}
    meetings = models.JSONField(default=dict)
    on_club = models.BooleanField(default=False)  # has a place on a club's board
    on_global = models.BooleanField(default=False)  # has a place on the board of all clubs
    # When the first of its places on boards expires; null if it has none.
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
            models.Index(
                "generation",
                "kind",
                F("score_milli").desc(),
                "subject",
                name="apart_by_key",
                condition=Q(on_global=False, listed=True),
            ),
            models.Index(fields=["eligible_until"], name="rating_expiry", condition=Q(eligible_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.score_milli / 1000:.0f}"


class RatingChange(models.Model):
    """The effect of one game on one subject. Its unique constraint prevents rating a game twice."""

    # A recomputation writes six rows a game: each index and each check of a foreign key costs it seconds. The rows are
    # derived from the log and compared with it by services.audit; the indexes below serve the first and third field.
    generation = models.ForeignKey(
        Generation, models.CASCADE, related_name="changes", db_index=False, db_constraint=False
    )
    result = models.ForeignKey(RatedResult, models.CASCADE, related_name="changes", db_constraint=False)
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="changes", db_index=False, db_constraint=False)
    # Both copied from the result's first revision: for the constraint, and for the order of a history.
    source = models.CharField(max_length=80)
    completed_at = models.DateTimeField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    score_before = models.BigIntegerField()
    score_after = models.BigIntegerField()
    chance = models.FloatField()  # expected probability of winning, 0 to 1
    idle_days = models.PositiveIntegerField(default=0)  # whole days since the game before
    won = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "source", "subject"], name="one_change_per_game"),
        ]
        indexes = [models.Index(fields=["subject", "generation", "completed_at"], name="history_of_subject")]

    def __str__(self) -> str:
        return f"{self.subject}: {self.score_before / 1000:.0f} to {self.score_after / 1000:.0f}"


class RankBucket(models.Model):
    """A bucket of the score histogram of a global board, from which ranks are counted."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="buckets", db_index=False)
    kind = models.CharField(max_length=6)
    bucket = models.IntegerField()  # core.score.bucket of a score
    count = models.IntegerField(default=0)  # rows of the board with a score in this bucket

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "kind", "bucket"], name="bucket_once"),
            models.CheckConstraint(condition=Q(count__gte=0), name="bucket_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.bucket}: {self.count}"


class ClubScore(models.Model):
    """What the ratings of a club's home players give its row on the board of clubs; missing while nobody is eligible."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="club_scores", db_index=False)
    # Without a constraint: its check would wait for a club's row that is locked by somebody who waits for the ladder.
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", db_constraint=False)
    eligible = models.PositiveIntegerField()  # home players with a place on the club's own board
    mean_milli = models.FloatField(null=True)  # core.clubs.mean of their scores; null for too few

    class Meta:
        constraints = [models.UniqueConstraint(fields=["generation", "club"], name="club_score_once")]
        indexes = [
            models.Index(
                "generation", F("mean_milli").desc(), F("eligible").desc(), "club", name="clubs_by_key",
                condition=Q(mean_milli__isnull=False),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.club_id}: {self.eligible} eligible"


class LadderSeason(models.Model):
    """A season of a ladder that was ended; its snapshots are readable once `done_at` is set. Never changed afterwards."""

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="seasons")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=80)
    asked_at = models.DateTimeField()
    frozen_at = models.DateTimeField(null=True, blank=True)  # the moment whose ranks the snapshots hold
    done_at = models.DateTimeField(null=True, blank=True)  # when the last snapshot was complete

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["ladder", "slug"], name="season_of_ladder_once")]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.slug}"


class SeasonSnapshot(models.Model):
    """The place of a subject at the end of a season. Append-only: only an erasure changes it, and only the names."""

    season = models.ForeignKey(LadderSeason, models.PROTECT, related_name="snapshots")
    kind = models.CharField(max_length=6)
    rank = models.PositiveIntegerField()
    subject = models.ForeignKey(Subject, models.PROTECT, related_name="snapshots")
    score_milli = models.BigIntegerField()
    sigma = models.FloatField()
    last_rated_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    # Half width of the 95 % interval at that moment, in whole points. Null, as `names`, until services.seasons fills it in.
    margin = models.PositiveIntegerField(null=True, blank=True)
    team = models.CharField(max_length=84, blank=True, null=True)  # noqa: DJ001  # the team's name then, "" for none
    names = models.JSONField(
        null=True, blank=True
    )  # {player id as text: name then}, in the order in which it was shown

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "subject"], name="snapshot_once")]
        indexes = [
            models.Index(fields=["season", "kind", "rank", "subject"], name="season_by_key"),
            models.Index(fields=["season", "id"], name="season_unfilled", condition=Q(margin__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.rank} {self.subject_id}"
