"""Casual tables: the list of those that wait, a table's room, and what is sent to open or change one."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers as s

from games import bots
from games.services import casual
from games.services.casual.meeting import SEATS_AGAIN

from .base import Asked, Told

RULES_HELP = "A rule set, such as shawinigan/1."


class OpenTable(Told):
    code = s.CharField(help_text="By which people find it.")
    rules = s.CharField()
    rules_name = s.CharField()
    seats = s.IntegerField()
    teams = s.IntegerField()
    people = s.ListField(child=s.CharField(), help_text="Who sits there; the name of a bot account ends with (bot).")
    free = s.IntegerField(help_text="How many seats a person can take.")
    rated = s.BooleanField()
    strict = s.BooleanField(help_text="Whether touches bind.")
    timed = s.BooleanField(help_text="Whether a clock runs.")


class Chair(Told):
    seat = s.IntegerField()
    team = s.IntegerField()
    name = s.CharField(help_text="Of a person or a bot account; empty for an empty seat and for the site's bots.")
    player = s.CharField(help_text="The player's slug; empty for a guest.")
    is_bot = s.BooleanField(help_text="Whether a program plays: one of the site, or a bot account.")
    level = s.CharField(source="bot", help_text="Of the site's bot that keeps the seat; else empty.")
    mine = s.BooleanField()
    away = s.BooleanField(help_text="Whether the others may give the seat away.")


class Room(Told):
    code = s.CharField()
    table = s.SerializerMethodField(
        help_text="The table's id, by which it is played and watched; empty where the caller may not see it."
    )
    state = s.SerializerMethodField(help_text="waiting, playing, over or closed.")
    game = s.SerializerMethodField(help_text="The slug of its last game; empty before the first one.")
    rules = s.CharField(source="table.rules")
    rules_name = s.CharField()
    teams = s.IntegerField(source="table.teams")
    rounds = s.IntegerField(source="table.rounds", help_text="0: to the end by the rules.")
    full_ranking = s.BooleanField(source="table.full_ranking")
    rated = s.BooleanField(source="table.rated")
    strict = s.BooleanField(source="table.touch")
    timed = s.SerializerMethodField(help_text="Whether a clock runs.")
    listed = s.BooleanField()
    quick = s.BooleanField(help_text="Whether its game begins when the last seat is taken.")
    seated_only = s.BooleanField(source="table.seated_only", help_text="Whether nobody else may watch.")
    level = s.CharField(help_text="Of the site's bots that take seats here.")
    seats = Chair(many=True)
    my_seat = s.SerializerMethodField(help_text="null without a seat.")
    page = s.SerializerMethodField(help_text="The address of its page.")

    def get_table(self, room: Any) -> str:
        may_see = not room.table.seated_only or room.mine is not None
        return room.table.slug if may_see else ""

    def get_state(self, room: Any) -> str:
        if room.is_closed:
            return "closed"
        return "playing" if room.running else "over" if room.is_over else "waiting"

    def get_game(self, room: Any) -> str:
        return room.game.slug if room.game is not None and self.get_table(room) else ""

    def get_timed(self, room: Any) -> bool:
        return room.table.clocks is not None

    def get_my_seat(self, room: Any) -> int | None:
        return room.mine.seat if room.mine is not None else None

    def get_page(self, room: Any) -> str:
        return reverse("games:room", args=[room.code])


class OwnTable(Told):
    table = s.CharField(source="slug", help_text="The id by which it is played.")
    code = s.CharField(help_text="Of a casual table; else empty.")
    kind = s.CharField(help_text="match, practice or casual.")
    name = s.CharField()
    my_turn = s.BooleanField(source="turn", help_text="Whether the game waits for the caller.")
    waiting = s.BooleanField(help_text="Whether the seats are being taken.")


class NewTable(Asked):
    """What is left out has its usual value."""

    rules = s.CharField(max_length=60, required=False, help_text=RULES_HELP)
    seats = s.IntegerField(min_value=2, max_value=8, required=False, help_text="4 unless given.")
    teams = s.IntegerField(min_value=2, max_value=8, required=False, help_text="2 unless given.")
    full_ranking = s.BooleanField(required=False, help_text="Whether every place is played for.")
    rounds = s.IntegerField(min_value=0, max_value=100, required=False, help_text="0: to the end by the rules.")
    touch = s.BooleanField(required=False, help_text="Whether touches bind.")
    pace = s.ChoiceField(choices=tuple(casual.CLOCKS), required=False, help_text="The clock; none unless given.")
    rated = s.BooleanField(required=False, help_text="Whether it counts for the leaderboards; never with a bot.")
    level = s.ChoiceField(
        choices=tuple(level for level in bots.LEVELS if level != "random"),
        required=False,
        help_text="Of the site's bots that take seats.",
    )
    listed = s.BooleanField(required=False, help_text="Whether it is in the lists.")
    seated_only = s.BooleanField(required=False, help_text="Whether only those who play may watch.")


class Quick(Asked):
    rules = s.CharField(max_length=60, required=False, help_text=RULES_HELP)


class Seat(Asked):
    seat = s.IntegerField(min_value=0, max_value=7)


class Begin(Asked):
    fill = s.BooleanField(required=False, help_text="Whether the site's bots take the empty seats.")


class Again(Asked):
    seats = s.ChoiceField(choices=SEATS_AGAIN, required=False, help_text="Who sits where; same unless given.")
