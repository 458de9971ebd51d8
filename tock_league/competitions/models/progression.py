"""The inputs of a stage, the edges of a bracket, and orders that settle ties."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text

from .entry import Entry
from .match import Match
from .stage import Group, Stage


class StageInput(models.Model):
    """Slot of a stage: an entry, "rank r of group g" of an earlier stage, or one of its best of rank r (I10).

    `best` numbers the slots of the best of a rank; who stands in which of them is decided when the groups are over.

    In a bracket the slot belongs to a seat: `match` and `position`. The ordinals are copies, so that a CHECK can
    enforce that stages feed later ones only.
    """

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="inputs")
    slot = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")
    source_group = models.ForeignKey(Group, models.PROTECT, null=True, blank=True, related_name="feeds")
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    best = models.PositiveSmallIntegerField(null=True, blank=True)
    source_ordinal = models.PositiveSmallIntegerField(null=True, blank=True)
    stage_ordinal = models.PositiveSmallIntegerField()
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="inputs")
    position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["stage", "slot"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "slot"], name="I10_slot_once"),
            models.UniqueConstraint(
                fields=["stage", "source_group", "rank"],
                condition=Q(source_group__isnull=False),
                name="I10_rank_once",
            ),
            models.UniqueConstraint(
                fields=["stage", "source_ordinal", "rank", "best"],
                condition=Q(best__isnull=False),
                name="I10_best_once",
            ),
            models.UniqueConstraint(fields=["stage", "entry"], condition=Q(entry__isnull=False), name="I10_entry_once"),
            models.UniqueConstraint(
                fields=["match", "position"], condition=Q(match__isnull=False), name="I10_seat_once"
            ),
            models.CheckConstraint(
                condition=Q(
                    entry__isnull=False,
                    source_group__isnull=True,
                    rank__isnull=True,
                    best__isnull=True,
                    source_ordinal__isnull=True,
                )
                | Q(
                    entry__isnull=True,
                    source_group__isnull=False,
                    rank__isnull=False,
                    rank__gte=1,
                    best__isnull=True,
                    source_ordinal__isnull=False,
                )
                | Q(
                    entry__isnull=True,
                    source_group__isnull=True,
                    rank__isnull=False,
                    rank__gte=1,
                    best__isnull=False,
                    best__gte=1,
                    source_ordinal__isnull=False,
                ),
                name="I10_one_source",
            ),
            models.CheckConstraint(
                condition=Q(source_ordinal__isnull=True) | Q(source_ordinal__lt=F("stage_ordinal")),
                name="I10_earlier_stage",
            ),
            models.CheckConstraint(
                condition=Q(match__isnull=True, position__isnull=True) | Q(match__isnull=False, position__isnull=False),
                name="I10_seat_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.slot} of {self.stage}"


class BracketEdge(models.Model):
    """Where the winner or the loser of a match goes next (I11). Numbers are bracket-wide and rise along every edge.

    `only_position`: only an entry that had this position in the match goes there; else the seat stays empty.
    """

    class Outcome(models.TextChoices):
        WINNER = "winner"
        LOSER = "loser"

    from_match = models.ForeignKey(Match, models.PROTECT, related_name="edges_out")
    outcome = models.CharField(max_length=6, choices=Outcome.choices)
    to_match = models.ForeignKey(Match, models.PROTECT, related_name="edges_in")
    to_position = models.PositiveSmallIntegerField()
    only_position = models.PositiveSmallIntegerField(null=True, blank=True)
    from_no = models.PositiveSmallIntegerField()
    to_no = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["to_no", "to_position"]
        constraints = [
            models.UniqueConstraint(fields=["from_match", "outcome"], name="I11_goes_to_one_place"),
            models.UniqueConstraint(fields=["to_match", "to_position"], name="I11_seat_fed_once"),
            models.CheckConstraint(condition=Q(from_no__lt=F("to_no")), name="I11_forwards"),
            models.CheckConstraint(condition=Q(outcome__in=["winner", "loser"]), name="I11_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} of {self.from_no} to {self.to_no}"


class StandingOverride(models.Model):
    """The order of entries that every criterion leaves equal, settled in a named way and printed under the table (I27).

    It is the last criterion: it has no effect where results separate the entries after all.
    """

    class How(models.TextChoices):
        LOTS = "lots", _("lots drawn from the published seed")
        PLAY_OFF = "play_off", _("play-off match")
        RULING = "ruling", _("decision of the referee")

    group = models.ForeignKey(Group, models.PROTECT, related_name="overrides")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()
    how = models.CharField(max_length=8, choices=How.choices)
    reason = models.CharField(_("public reason"), max_length=200, validators=[plain_text])
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["group", "place"]
        constraints = [
            models.UniqueConstraint(fields=["group", "entry"], name="I27_entry_once"),
            models.UniqueConstraint(fields=["group", "place"], name="I27_place_once"),
            models.CheckConstraint(condition=Q(how__in=["lots", "play_off", "ruling"]), name="I27_how"),
            models.CheckConstraint(condition=~Q(reason=""), name="I27_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.entry}"
