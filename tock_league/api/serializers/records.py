"""Rule sets, finished games, ladders with boards and histories, rulings, the journal."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from ratings.selectors import ladder_name

from .base import Time, Told
from .people import ClubRef, PlayerRef, TeamRef


class RuleSet(Told):
    id = s.CharField(help_text="Such as shawinigan/1.")
    page = s.CharField(help_text="The name in addresses, such as shawinigan-1.")
    name = s.CharField()
    sentence = s.CharField()
    game = s.CharField(help_text="Its family of games.")
    shapes = s.SerializerMethodField(help_text="By number of seats the allowed numbers of teams.")
    rules = s.SerializerMethodField(help_text="The address of its rules page.")

    def get_shapes(self, one: Any) -> dict[str, list[int]]:
        return {str(seats): list(teams) for seats, teams in one.shapes.items()}

    def get_rules(self, one: Any) -> str:
        return reverse("pages:rules", args=[one.page])


class GameRow(Told):
    slug = s.CharField()
    rules = s.CharField()
    kind = s.CharField(source="table.kind", help_text="match, practice or casual.")
    number = s.IntegerField(help_text="Its number at its table.")
    match = s.CharField(source="match_game.match.slug", default=None, allow_null=True)
    ranks = s.ListField(child=s.IntegerField(), allow_null=True, help_text="By team; 0 is best.")
    reason = s.CharField(help_text="How it ended.")
    rated = s.BooleanField()
    started_at = Time(allow_null=True)
    finished_at = Time(allow_null=True)
    record_hash = s.CharField(source="chain", help_text="The last value of the record's hash chain.")
    replay = s.SerializerMethodField(help_text="The address of the replay.")
    record = s.SerializerMethodField(help_text="The address of the record as JSON Lines.")

    def get_replay(self, game: Any) -> str:
        return reverse("games:replay", args=[game.slug])

    def get_record(self, game: Any) -> str:
        return reverse("games:export", args=[game.slug])


class LadderRow(Told):
    key = s.CharField(help_text="Such as shawinigan:2.")
    name = s.SerializerMethodField()
    family = s.CharField()
    teams = s.IntegerField()

    def get_name(self, ladder: Any) -> str:
        return str(ladder_name(ladder.family, ladder.teams))


class BoardRow(Told):
    rank = s.IntegerField(allow_null=True, help_text="Shared by equal scores.")
    subject = s.IntegerField(source="subject_id")
    name = s.CharField()
    players = PlayerRef(many=True)
    team = TeamRef(allow_null=True)
    club = ClubRef(allow_null=True)
    score = s.IntegerField(help_text="In whole points.")
    interval = s.IntegerField(help_text="Half width of the 95 % interval.")
    games = s.IntegerField()
    wins = s.IntegerField()
    month = s.IntegerField(allow_null=True, help_text="Change in the last 30 days; null without a game.")
    until = s.CharField(help_text="When the place expires, as a sentence.")


class HistoryStep(Told):
    at = Time()
    before = s.IntegerField()
    after = s.IntegerField()
    low = s.IntegerField(help_text="Lower end of the 95 % interval after the game.")
    high = s.IntegerField()
    chance = s.IntegerField(help_text="The expected chance of winning, in per cent.")
    idle_days = s.IntegerField()
    won = s.BooleanField()
    ruling = s.CharField(help_text="The ruling that caused this result; else empty.")
    game = s.CharField(help_text="The slug of the game; empty for one on paper.")
    match = s.CharField(help_text="The slug of the match of a game on paper; else empty.")
    opponents = s.CharField()


class RulingText(Told):
    ref = s.CharField()
    level = s.IntegerField(help_text="1: the referee, 2: the panel.")
    outcome = s.CharField()
    outcome_label = s.CharField()
    infraction = s.CharField()
    penalty = s.CharField()
    penalty_label = s.CharField()
    offender = s.SerializerMethodField(help_text="Without a slug: a minor, to the public.")
    rules = s.ListField(child=s.CharField())
    facts = s.CharField(help_text="Empty where it is not published.")
    reasons = s.CharField()
    dissent = s.CharField()
    effects = s.ListField(child=s.CharField())
    authors = s.ListField(child=s.CharField())
    signed_at = Time()
    superseded = s.CharField(help_text="The ruling that replaced it; else empty.")

    @extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/PlayerRef"}, {"type": "null"}]})
    def get_offender(self, ruling: Any) -> dict[str, str] | None:
        player = ruling.offender
        return {"slug": player.slug, "name": player.display_name} if player is not None else None


class Ruling(Told):
    number = s.CharField()
    competition = s.CharField(source="competition.slug")
    match = s.CharField(source="match.slug")
    title = s.CharField(help_text="The sides.")
    about = s.CharField(source="kind_label")
    state = s.CharField(source="case.state")
    state_label = s.CharField()
    replay = s.CharField(source="replay_url", help_text="The position that the case is about; else empty.")
    filed_at = Time()
    signed_at = Time()
    final = s.BooleanField()
    superseded_by = s.CharField()
    rulings = RulingText(many=True, help_text="The latest first.")


class JournalStream(Told):
    name = s.CharField()
    title = s.CharField()
    length = s.IntegerField()
    hash = s.CharField()


class JournalName(Told):
    what = s.CharField()
    slug = s.CharField()
    name = s.CharField()


class JournalEntry(Told):
    seq = s.IntegerField()
    at = Time(allow_null=True, help_text="null for an entry that is sealed for a time.")
    kind = s.CharField()
    actor = JournalName()
    about = JournalName(many=True)
    details = s.SerializerMethodField()
    withheld = s.ListField(child=s.CharField(), help_text="Personal texts, of which only the hash is here.")
    hash = s.CharField()
    sealed = s.BooleanField()

    def get_details(self, entry: Any) -> dict[str, str]:
        return dict(entry.details)
