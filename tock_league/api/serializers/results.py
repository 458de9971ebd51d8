"""Bodies and answers about results: papers, walk-overs, dates, corrections."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from tock_league.competitions.core.places import DEEDS
from tock_league.competitions.core.sheets import CAPPED
from tock_league.competitions.models import Correction

from .base import Asked, Instant, Time, Told
from .entering import Previewed
from .organising import REASON

SEEN = "The version that you have seen; 0 while there is none. Refused (409) when there is a newer one."
KINDS = [kind for kind in Correction.Kind.values if kind != Correction.Kind.REVERT]


COUNTS = "Under a time cap: what each side reached, marbles home or steps, by position."


def counts() -> s.ListField:
    """Return a field for what each side reached."""
    value = s.IntegerField(min_value=0, max_value=10_000)
    return s.ListField(child=value, min_length=2, max_length=2, required=False, help_text=COUNTS)


class PaperGame(Asked):
    """A game on paper: who won, and by how much; under a time cap `counts` alone."""

    winner = s.IntegerField(
        min_value=0,
        max_value=7,
        allow_null=True,
        required=False,
        help_text="The position of the side that won; null for a tie. Under a time cap the counts say it.",
    )
    margin = s.IntegerField(
        min_value=0, max_value=10_000, required=False, help_text="By how much, in marbles or levels; 0 if left out."
    )
    counts = counts()


def sheet(*, required: bool, help_text: str) -> s.ListField:
    """Return a field for the games of a match."""
    return s.ListField(child=PaperGame(), required=required, min_length=1, max_length=9, help_text=help_text)


class Report(Asked):
    games = sheet(required=True, help_text="The games that were played, in order.")
    seen = s.IntegerField(min_value=0, max_value=2**31, required=False, help_text=SEEN)


class Certified(Report):
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text=REASON)


class HallTable(Asked):
    table = s.IntegerField(min_value=1, max_value=500, help_text="The number of a table of the hall.")


class Place(Asked):
    what = s.ChoiceField(choices=DEEDS, help_text="decide: as an official of the competition; the others as a captain.")
    on_board = s.BooleanField(help_text="What is proposed or decided; in an answer, what it answers. true: on a board.")


class Signature(Asked):
    seen = s.IntegerField(min_value=0, max_value=2**31, help_text="The version that is accepted.")


class GameTold(Told):
    """A game of a paper."""

    winner = s.IntegerField(allow_null=True, help_text="The position of the side that won; null for a tie.")
    margin = s.IntegerField()
    counts = s.ListField(child=s.IntegerField(), required=False, help_text=COUNTS)
    scores = s.ListField(
        child=s.IntegerField(), required=False, help_text="Under a time cap: what the counts are worth."
    )


class Paper(Told):
    """The newest result that was reported on paper."""

    version = s.IntegerField(help_text="Send it back as `seen`; 0 while there is none.")
    games = s.SerializerMethodField()
    rival = s.SerializerMethodField(help_text="The games by the other side's paper, while the match is contested.")
    signed_by = s.ListField(child=s.CharField())
    positions = s.SerializerMethodField(help_text="The sides whose captain signed.")
    counts = s.BooleanField(help_text="Whether it counts as the result.")
    at = Time(allow_null=True)

    @extend_schema_field(GameTold(many=True))
    def get_games(self, sheet: Any) -> list[dict[str, Any]]:
        return [_game(game) for game in sheet.games]

    @extend_schema_field(GameTold(many=True))
    def get_rival(self, sheet: Any) -> list[dict[str, Any]]:
        return [_game(game) for game in sheet.rival]

    def get_positions(self, sheet: Any) -> list[int]:
        return sorted(sheet.positions)


def _game(game: tuple[int | None, ...]) -> dict[str, Any]:
    """Return a game as `GameTold` has it; `game`: as core.sheets stores it."""
    told: dict[str, Any] = {"winner": game[0], "margin": game[1]}
    return told if len(game) < CAPPED else told | {"counts": list(game[2:4]), "scores": list(game[4:6])}


class Forfeit(Asked):
    position = s.IntegerField(min_value=0, max_value=7, help_text="The side that gives the match up.")
    reason = s.CharField(max_length=200, help_text=REASON)


class NoShow(Asked):
    position = s.IntegerField(
        min_value=0, max_value=7, allow_null=True, help_text="The side that did not come; null: nobody came, both lose."
    )
    reason = s.CharField(max_length=200, help_text=REASON)


class NewDate(Asked):
    starts_at = Instant()


class Right(Asked):
    """What is right."""

    kind = s.ChoiceField(choices=KINDS)
    games = sheet(required=False, help_text="Of `paper`: the right score.")
    absent = s.IntegerField(
        min_value=0,
        max_value=7,
        required=False,
        allow_null=True,
        help_text="Of `no_show`: the side that did not come; null for both.",
    )
    other = s.CharField(
        max_length=16, required=False, help_text="Of `move`: the slug of the match that the result belongs to."
    )


class Corrected(Right, Previewed):
    """What is right, of which the preview was seen."""


class CorrectionRow(Told):
    number = s.IntegerField(help_text="Rising in the competition.")
    kind = s.ChoiceField(choices=Correction.Kind.choices)
    reason = s.CharField()
    by = s.CharField(source="by.slug", default=None, allow_null=True, help_text="The slug of a player.")
    at = Time()
    reverts = s.IntegerField(
        source="reverts.number", default=None, allow_null=True, help_text="The correction that it takes back."
    )
    other = s.CharField(source="other.slug", default=None, allow_null=True, help_text="Of `move`: the other match.")
