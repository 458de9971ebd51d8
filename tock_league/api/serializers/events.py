"""Competitions, entries, rounds, matches with their results, standings with their reasons."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.selectors.entries.registration import SpotView

from .base import Asked, Time, Told
from .people import ClubRef, PlayerRef, TeamRef


class CompetitionRef(Told):
    """A league, tournament or club night."""

    slug = s.CharField()
    name = s.CharField()


class CompetitionRow(CompetitionRef):
    kind = s.ChoiceField(choices=Competition.Kind.choices)
    state = s.ChoiceField(choices=Competition.State.choices)
    club = ClubRef(allow_null=True)
    season = s.CharField(source="division.season.slug", default=None, allow_null=True, help_text="Of a league.")
    rules = s.CharField(help_text="The rule set of every game.")
    seats = s.IntegerField(help_text="Seats of every table.")
    entries = s.IntegerField(source="teams", help_text="How many entries it has, without those withdrawn.")
    places = s.IntegerField(source="size", allow_null=True, help_text="null: no limit.")
    starts_at = Time(allow_null=True)
    entries_close_at = Time(allow_null=True)
    check_in_from = Time(allow_null=True)
    check_in_until = Time(allow_null=True)
    on_paper = s.BooleanField(help_text="Whether results are reported on paper, and no table opens.")
    by_agreement = s.BooleanField(help_text="Whether the captains of a match may agree to play it on a board.")
    is_rehearsal = s.BooleanField()
    bots_allowed = s.BooleanField()
    reason = s.CharField(help_text="The public reason of its state, where one was given.")


class CompetitionPage(CompetitionRow):
    regulations = s.JSONField(source="regulations.body", help_text="The frozen settings by which it is played.")
    plan = s.JSONField(help_text="How a tournament is played; empty for leagues and club nights.")
    lots_seed = s.CharField(help_text="The seed of its lots, published before any entry.")


class Spot(Told):
    player = PlayerRef()
    role = s.CharField(source="spot.role")
    slot = s.IntegerField(source="spot.slot")
    confirmed_at = Time(source="spot.confirmed_at", allow_null=True)
    here = s.BooleanField(help_text="Whether the player has checked in.")


class EntryRow(Told):
    slug = s.CharField()
    name = s.SerializerMethodField()
    competition = s.CharField(source="competition.slug")
    team = TeamRef(allow_null=True)
    player = PlayerRef(allow_null=True, help_text="In individual play.")
    club = ClubRef(source="team.club", default=None, allow_null=True)
    seed = s.IntegerField(allow_null=True)
    state = s.ChoiceField(choices=Entry.State.choices)
    reason = s.CharField(source="why", help_text="The public reason of its state.")
    final_rank = s.IntegerField(allow_null=True)
    roster = s.SerializerMethodField()

    def get_name(self, entry: Entry) -> str:
        return str(entry)

    @extend_schema_field(Spot(many=True))
    def get_roster(self, entry: Entry) -> list[dict[str, Any]]:
        spots = sorted((spot for spot in entry.roster.all() if spot.left is None), key=lambda one: (one.role, one.slot))
        here = {row.player_id for row in entry.check_ins.all()}
        return [dict(Spot(SpotView(spot, spot.player_id in here)).data) for spot in spots]


class Registration(Asked):
    team = s.CharField(max_length=60, help_text="The slug of the team.")
    substitutes = s.ListField(
        child=s.CharField(max_length=16), required=False, max_length=10, help_text="Slugs of substitutes of the team."
    )


class SideRow(Told):
    position = s.IntegerField()
    name = s.CharField(help_text="The entry's name; of an empty place where it is filled from.")
    team = s.CharField(source="team_slug", help_text="The slug of its team; empty without one.")
    club_name = s.CharField()
    players = PlayerRef(many=True)
    games = s.IntegerField(help_text="Games won at the table.")
    score = s.IntegerField(help_text="As pages show it: it never contradicts the outcome.")
    outcome = s.ChoiceField(choices=["win", "tie", "loss", ""], help_text="Empty until the match is decided.")


class MatchGameRow(Told):
    number = s.IntegerField()
    game = s.CharField(source="game.slug")
    record_hash = s.CharField(help_text="The last value of the record's hash chain; empty while the game runs.")


class MatchRow(Told):
    slug = s.CharField(source="match.slug")
    competition = CompetitionRef(source="match.competition")
    round = s.IntegerField(source="match.round.number")
    round_name = s.CharField()
    group = s.CharField(source="match.round.group.name")
    stage = s.IntegerField(source="match.round.group.stage.ordinal")
    number = s.IntegerField(source="match.number")
    label = s.CharField(  # type: ignore[assignment]
        source="match.label",
        help_text="Its label in a bracket: quarter, semi, third_place, final, reset (second final), winners, losers, places, "
        "place, back_draw (consolation); else empty.",
    )
    label_no = s.IntegerField(
        source="match.label_no",
        help_text="The round that the label counts, 0 for its last one; with places and place the first of the places.",
    )
    state = s.ChoiceField(source="match.state", choices=Match.State.choices)
    starts_at = Time(allow_null=True)
    decided_at = Time(source="match.decided_at", allow_null=True)
    best_of = s.IntegerField(source="match.best_of")
    on_board = s.BooleanField(
        source="match.is_on_board", help_text="Whether it is played on a board: its result is entered, no table opens."
    )
    sides = SideRow(many=True)
    how = s.CharField(help_text="How it was decided, where it was not played to the end.")
    is_provisional = s.BooleanField(help_text="Whether the desk may still correct the result.")
    is_ruled = s.BooleanField(source="effective.ruled", help_text="Whether a ruling or correction changed the result.")
    table = s.CharField(
        source="table_slug", help_text="The slug of its open table; empty where there is none to go to."
    )
    table_number = s.IntegerField(
        source="match.table_no", allow_null=True, help_text="The number of its table in the hall."
    )
    room = s.CharField(source="match.room", help_text="The room of that table; empty where none is known.")
    games = MatchGameRow(many=True)


class TableSeat(Told):
    seat = s.IntegerField(help_text="From 0; seats of a side are opposite each other.")
    player = s.CharField(help_text="The slug of the player; empty for a bot.")
    name = s.CharField()
    bot = s.CharField(help_text="The level of a built-in bot; else empty.")


class MatchTable(Told):
    """Where a match is played."""

    slug = s.CharField(source="table.slug", help_text="It names the table in the addresses of sockets.")
    state = s.CharField(source="table.state")
    opens_at = Time(source="table.opens_at", allow_null=True)
    starts_at = Time(source="table.starts_at", allow_null=True)
    page = s.SerializerMethodField(help_text="The address of its page.")
    game = s.CharField(source="game.slug", help_text="The slug of the present game.")
    game_number = s.IntegerField(source="game.number")
    game_state = s.CharField(source="game.state")
    seats = TableSeat(many=True)

    def get_page(self, shown: Any) -> str:
        return reverse("games:table", args=[shown["table"].slug])


class RoundRow(Told):
    stage = s.IntegerField()
    number = s.IntegerField()
    title = s.CharField()
    first_at = Time(allow_null=True)
    is_done = s.BooleanField()
    matches = s.SerializerMethodField(help_text="The slugs of its matches, in the order of the tables.")

    def get_matches(self, made: Any) -> list[str]:
        return [view.match.slug for view in made.matches]


class Term(Told):
    match = s.CharField(source="match_slug", help_text="Empty for a part that comes from no match.")
    round = s.IntegerField()
    opponent = s.CharField()
    value = s.CharField()
    note = s.CharField()


class Step(Told):
    criterion = s.CharField()
    label = s.CharField()  # type: ignore[assignment]
    ahead = s.CharField()
    behind = s.CharField()
    decides = s.BooleanField()
    terms = Term(many=True)


class StandingRow(Told):
    rank = s.IntegerField(source="row.rank", help_text="Shared by entries that nothing separates.")
    place = s.IntegerField(source="row.ordinal")
    entry = s.CharField(source="entry.slug")
    name = s.CharField()
    played = s.IntegerField(source="row.played")
    wins = s.IntegerField(source="row.wins")
    ties = s.IntegerField(source="row.ties")
    losses = s.IntegerField(source="row.losses")
    points = s.CharField(help_text="An exact number: 3, 2½, 7/3.")
    margin = s.CharField()
    scored = s.CharField(help_text="Under a time cap: the sum of what it scored; empty without one.")
    points_terms = Term(many=True, help_text="The matches that the points come from.")
    margin_terms = Term(many=True)
    scored_terms = Term(many=True)
    form = s.ListField(child=s.CharField(), help_text="The last outcomes, the latest last.")
    separated_by = s.CharField(help_text="The criterion that separates it from the next row; empty for points.")
    why = Step(many=True, help_text="The comparison with the next row, for each criterion that was consulted.")


class StandingsTable(Told):
    group = s.CharField(help_text="Empty for a league.")
    stage = s.IntegerField()
    rows = StandingRow(many=True)
