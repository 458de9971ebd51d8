"""Players, clubs, teams."""

from typing import Any

from rest_framework import serializers as s

from .base import Asked, Time, Told


class PlayerRef(Told):
    """A player, as others see the name; a child plays under a pseudonym."""

    slug = s.CharField()
    name = s.CharField(source="display_name")


class ClubRef(Told):
    """A club."""

    slug = s.CharField()
    name = s.CharField()


class TeamRef(Told):
    """A team."""

    slug = s.CharField()
    name = s.CharField()


class PlayerRow(PlayerRef):
    is_bot = s.BooleanField(help_text="Whether a program plays: a built-in bot, or a bot account.")
    club = ClubRef(allow_null=True, help_text="The home club.")


class PlayerPage(PlayerRow):
    is_open = s.BooleanField(
        help_text="Whether the caller may see the player's page; else only slug and name are told."
    )
    is_bot = s.BooleanField(allow_null=True, help_text="Whether a program plays: a built-in bot, or a bot account.")
    teams = TeamRef(many=True, allow_null=True, help_text="The named teams in which the player plays now.")
    merged_into = PlayerRef(
        allow_null=True,
        help_text="The player who stands for this one, where two records were of one person; else null.",
    )


class RatingRow(Told):
    ladder = s.CharField(source="ladder.key")
    ladder_name = s.CharField(source="name")
    score = s.IntegerField(source="row.score", help_text="In whole points.")
    interval = s.IntegerField(source="row.interval", help_text="Half width of the 95 % interval, in whole points.")
    games = s.IntegerField(source="row.games")
    wins = s.IntegerField(source="row.wins")
    rank = s.IntegerField(
        source="row.rank", allow_null=True, help_text="On the board of all clubs; null without a place."
    )
    provisional = s.BooleanField(source="row.provisional")
    missing = s.CharField(
        source="row.gap", help_text="What is missing for a place on a board, as a sentence; else empty."
    )
    subject = s.IntegerField(
        source="row.subject_id", help_text="The number of the history, see /ladders/{key}/subjects/{id}."
    )


class ClubRow(ClubRef):
    town = s.CharField()
    about = s.CharField(help_text="Where and when the club plays.")
    members = s.IntegerField(help_text="How many members it has now.")


class Member(Told):
    player = PlayerRef()
    home = s.BooleanField(help_text="Whether it is the player's home club.")
    roles = s.SerializerMethodField()

    def get_roles(self, member: Any) -> list[str]:
        return [role.name for role in member.roles]


class Spell(Told):
    player = PlayerRef()
    slot = s.IntegerField(help_text="1 is the captain; numbers above the team's size are substitutes.")
    joined = Time()


class TeamRow(TeamRef):
    size = s.IntegerField(help_text="How many players sit at a table.")
    club = ClubRef(allow_null=True)
    dissolved_at = Time(allow_null=True)
    players = Spell(source="now", many=True)


class Invitation(Told):
    id = s.IntegerField(source="pk")
    team = TeamRef()
    club = ClubRef(source="team.club", allow_null=True)
    slot = s.IntegerField()
    sent_by = PlayerRef(allow_null=True)
    sent_at = Time()
    expires_at = Time()
    state = s.CharField()


class Acceptance(Asked):
    accept = s.BooleanField(help_text="true to join the team, false to decline.")


class Me(Told):
    """Who asks, and how."""

    player = PlayerRef(allow_null=True)
    by = s.ChoiceField(choices=["session", "token"])
    token = s.CharField(allow_null=True, help_text="The name of the token.")
    scopes = s.ListField(child=s.CharField(), help_text="Those of the token; of a session all.")
    expires_at = Time(allow_null=True)
