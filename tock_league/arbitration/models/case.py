"""A dispute from the call to the final decision.

Its events are the event log; all other columns are derived from them.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition, Match
from tock_league.journal.models import JournalEntry

from ..core.cases import PENDING, STATES

TEXT_LENGTH = 280


class CaseCounter(models.Model):
    """The last case number of a year; locked by the transaction that files a case, so that numbers have no gaps."""

    year = models.PositiveSmallIntegerField(unique=True)
    last = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.year}: {self.last}"


class Case(models.Model):
    """A case file. `state` and `heard` are a cache of the fold of its events (core.cases)."""

    class Kind(models.TextChoices):
        TALK = "talk", _("talking")
        TOUCH = "touch", _("touched marble")
        ILLEGAL = "illegal", _("illegal move")
        BLIND = "blind", _("blind burn")
        CLOCK = "clock", _("clock")
        CONNECTION = "connection", _("connection")
        CONDUCT = "conduct", _("conduct")
        RESULT = "result", _("result entered")
        ELIGIBILITY = "eligibility", _("right to play")
        DEAL = "deal", _("verification of the deal")
        OTHER = "other", _("something else")

    class Origin(models.TextChoices):
        CALL = "call", _("call at the table")
        DISPUTE = "dispute", _("dispute after the game")
        REVIEW = "review", _("re-examination")

    class Asks(models.TextChoices):
        """What is asked for in a dispute of a result that people entered."""

        SCORE = "score", _("that the result is corrected")
        AWARD = "award", _("that the match is awarded")
        REPLAY = "replay", _("that the match is played again")
        OPEN = "open", _("what the referee finds right")

    class State(models.TextChoices):
        FILED = "filed", _("filed")
        TRIAGE = "triage", _("waiting for a second referee")
        ASSIGNED = "assigned", _("taken by a referee")
        HEARING = "hearing", _("both sides heard")
        RULED = "ruled", _("ruled")
        APPEALED = "appealed", _("under appeal")
        PANEL_FORMED = "panel_formed", _("appeal panel formed")
        DELIBERATING = "deliberating", _("panel deliberating")
        APPEAL_RULED = "appeal_ruled", _("ruled on appeal")
        FINAL = "final", pgettext_lazy("state of a case", "final")
        INADMISSIBLE = "inadmissible", _("not admitted")
        WITHDRAWN = "withdrawn", _("taken back")
        SUPERSEDED = "superseded", _("superseded by a later ruling")

    number = models.CharField(max_length=16, unique=True, editable=False)
    competition = models.ForeignKey(Competition, models.PROTECT, related_name="cases")  # a copy of the match's
    match = models.ForeignKey(Match, models.PROTECT, related_name="cases")
    game = models.ForeignKey(Game, models.PROTECT, null=True, blank=True, related_name="cases")
    seq = models.PositiveIntegerField(default=0)  # the play or act of `game` that the case is about
    # Of a match that no game decided: the result that people entered, as competitions.selectors.results.entered names it.
    entered = models.CharField(max_length=20, blank=True, default="")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    origin = models.CharField(max_length=8, choices=Origin.choices)
    opened_by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="opened_cases")
    # The position of the party that opened it; null if a head referee did.
    side = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices)
    heard = models.BooleanField(default=False)
    live = models.BooleanField(default=False)  # the table waits for the referee
    outsider = models.BooleanField(default=False)  # the organiser had to name a referee from outside
    # The case that this one re-examines.
    reviews = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="reviewed_by")
    filed_at = models.DateTimeField()

    # Of this instance only: its reader must not learn what the case is about (`selectors.cases.contents.hush`).
    hushed = False

    class Meta:
        ordering = ["filed_at", "pk"]
        indexes = [
            models.Index(fields=["competition", "state"], name="case_queue"),
            models.Index(fields=["state", "filed_at"], name="case_book"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=STATES), name="case_state"),
            models.CheckConstraint(condition=Q(origin__in=["call", "dispute", "review"]), name="case_origin"),
            # A table waits for one case at a time.
            models.UniqueConstraint(fields=["game"], condition=Q(live=True), name="case_one_live_at_a_table"),
            # One dispute of a match is decided at a time; further statements are added to the open one.
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(origin="dispute", state__in=sorted(PENDING)),
                name="case_one_open_dispute_of_a_match",
            ),
            models.CheckConstraint(
                condition=Q(entered="") | Q(game__isnull=True), name="case_about_a_game_or_a_result"
            ),
            models.CheckConstraint(
                condition=Q(live=False) | Q(game__isnull=False, state__in=sorted(PENDING)), name="case_live_has_a_table"
            ),
            models.CheckConstraint(
                condition=Q(origin="review", reviews__isnull=False) | (~Q(origin="review") & Q(reviews__isnull=True)),
                name="case_review_names_its_case",
            ),
        ]

    def __str__(self) -> str:
        return self.number


class CaseEvent(models.Model):
    """One event of a case, in the same transaction as the change it records and its journal entry. Append-only."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    role = models.CharField(max_length=16)
    type = models.CharField(max_length=20)
    # the public part; texts that people wrote are stored with the journal entry (PrivateText)
    body = models.JSONField(default=dict)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="case_event")

    class Meta:
        ordering = ["case", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["case", "seq"], name="case_event_seq"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="case_event_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.case} {self.seq} {self.type}"


class Evidence(models.Model):
    """A pointer into a record: never a picture of hidden hands."""

    class Kind(models.TextChoices):
        POSITION = "position", _("position in the game")
        TOUCH = "touch", _("touches")
        CLOCK = "clock", _("clock")
        CONNECTION = "connection", _("connection")

    case = models.ForeignKey(Case, models.PROTECT, related_name="evidence")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    event = models.ForeignKey(CaseEvent, models.PROTECT, related_name="evidence")

    class Meta:
        verbose_name_plural = "evidence"
        ordering = ["case", "game", "seq", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "kind", "game", "seq"], name="evidence_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["position", "touch", "clock", "connection"]), name="evidence_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id}#{self.seq}"


class Deadline(models.Model):
    """An instant by which a step is due; a beat task claims each row once."""

    class Kind(models.TextChoices):
        ANSWER = "answer", _("answer of the other side")
        RULING = "ruling", _("ruling")
        # Translators: the time by which the organiser is asked to see to a case nobody has ruled.
        DIRECTOR = "director", _("organiser’s attention")
        APPEAL = "appeal", _("appeal")
        PANEL = "panel", _("ruling of the panel")

    case = models.ForeignKey(Case, models.PROTECT, related_name="deadlines")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    due_at = models.DateTimeField()
    # When it passed or was cancelled; null while it runs.
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_at", "pk"]
        indexes = [models.Index(fields=["due_at"], name="case_deadline_due", condition=Q(done_at__isnull=True))]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "kind"], condition=Q(done_at__isnull=True), name="case_deadline_runs_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["answer", "ruling", "director", "appeal", "panel"]),
                name="case_deadline_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.case}"
