"""Effects of rulings and corrections in a competition: append-only rows, which a lift takes out of force."""

from django.db import models
from django.db.models import Q

from .competition import Competition
from .entry import Entry
from .match import Match

RULING_LENGTH = 20  # as the rating log holds it: "TL-2026-000123/1"


class ResultEffect(models.Model):
    """One effect of a signed ruling, or of a correction, on a match; core.effective documents each kind.

    In force until an EffectLift names it.
    """

    class Kind(models.TextChoices):
        RESULT = "result"
        VOID = "void"
        REPLAY = "replay"
        FORFEIT_GAME = "forfeit_game"
        FORFEIT_MATCH = "forfeit_match"
        POINTS = "points"
        RATING = "rating"
        PAPER = "paper"
        NO_SHOW = "no_show"

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="effects")  # a copy of the match's
    ruling = models.CharField(max_length=RULING_LENGTH)  # or the ref of a Correction
    number = models.PositiveSmallIntegerField()
    match = models.ForeignKey(Match, models.PROTECT, related_name="effects")
    game_number = models.PositiveSmallIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="effects")
    amount = models.SmallIntegerField(default=0)
    after = models.PositiveIntegerField(default=0)  # the match's last version when it was signed
    keeps_place = models.BooleanField(default=False)
    # Not written by the referee: it voids a later match of a bracket whose basis the ruling changed
    derived = models.BooleanField(default=False)
    # The games of `paper`, as ResultVersion.sheet has them
    sheet = models.JSONField(null=True, blank=True)
    # The match's start and the time of its result when this was signed; a lift restores the start
    starts_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    # Of the later matches of the bracket that were called and had not begun: [start, number of the table] by slug, which
    # a lift restores too
    later = models.JSONField(default=dict, blank=True)
    signed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]  # the order of signing: rows are written under the competition's lock
        constraints = [
            models.UniqueConstraint(fields=["competition", "ruling", "number"], name="effect_of_ruling_once"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "result",
                        "void",
                        "replay",
                        "forfeit_game",
                        "forfeit_match",
                        "points",
                        "rating",
                        "paper",
                        "no_show",
                    ]
                ),
                name="effect_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind="paper", sheet__isnull=False) | (~Q(kind="paper") & Q(sheet__isnull=True)),
                name="effect_paper_has_a_sheet",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["forfeit_game", "rating"]) | Q(game_number__isnull=False),
                name="effect_names_its_game",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["result", "forfeit_game"]) | Q(position__isnull=False),
                name="effect_names_its_side",
            ),
            models.CheckConstraint(
                condition=Q(kind="points", entry__isnull=False) | (~Q(kind="points") & Q(entry__isnull=True)),
                name="effect_points_name_an_entry",
            ),
            models.CheckConstraint(condition=~Q(ruling=""), name="effect_has_a_ruling"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.ruling}"


class EffectLift(models.Model):
    """Takes an effect out of force permanently, and names the ruling that did so."""

    effect = models.OneToOneField(ResultEffect, models.PROTECT, related_name="lift")
    ruling = models.CharField(max_length=RULING_LENGTH)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.effect} lifted"
