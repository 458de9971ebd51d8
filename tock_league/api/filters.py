"""What lists can be filtered by. A value that names nothing finds nothing; one of the wrong form is refused (400)."""

from typing import Any

import django_filters as f
from django.db.models import QuerySet

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.clubs.models import Team
from tock_league.competitions.models import Competition, Match, RosterSpot

NAME = {"max_length": 60}


class Slug(f.CharFilter):
    """The slug of something."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more, max_length=60)


class PlayerFilter(f.FilterSet):
    name = f.CharFilter(field_name="display_name", lookup_expr="icontains", **NAME, help_text="A part of the name.")
    club = Slug(method="in_club", help_text="The slug of a club of which they are members now.")

    def in_club(self, found: QuerySet[Player], name: str, value: str) -> QuerySet[Player]:
        return found.filter(memberships__club__slug=value, memberships__until__isnull=True).distinct()


class ClubFilter(f.FilterSet):
    name = f.CharFilter(lookup_expr="icontains", **NAME, help_text="A part of the name.")
    town = f.CharFilter(lookup_expr="icontains", **NAME, help_text="A part of the town.")


class TeamFilter(f.FilterSet):
    name = f.CharFilter(lookup_expr="icontains", **NAME, help_text="A part of the name.")
    club = Slug(field_name="club__slug", help_text="The slug of its club.")
    size = f.NumberFilter(min_value=2, max_value=4, help_text="How many sit at a table: 2, 3 or 4.")

    class Meta:
        model = Team
        fields: list[str] = []


class CompetitionFilter(f.FilterSet):
    kind = f.ChoiceFilter(choices=Competition.Kind.choices, help_text="league or tournament.")
    state = f.ChoiceFilter(choices=Competition.State.choices, help_text="Its state.")
    club = Slug(field_name="club__slug", help_text="The slug of the organising club.")
    season = Slug(field_name="division__season__slug", help_text="The slug of a season.")
    rules = f.CharFilter(**NAME, help_text="A rule set, such as shawinigan/1.")


class MatchFilter(f.FilterSet):
    competition = Slug(field_name="competition__slug", help_text="The slug of a competition.")
    state = f.ChoiceFilter(choices=Match.State.choices, help_text="Its state.")
    round = f.NumberFilter(field_name="round__number", min_value=1, max_value=1000, help_text="The number of a round.")
    team = Slug(method="of_team", help_text="The slug of a team that plays.")
    player = Slug(method="of_player", help_text="The slug of a player who is on a roster now.")
    starts_from = f.IsoDateTimeFilter(
        field_name="starts_at", lookup_expr="gte", help_text="A time with an offset, in ISO 8601; this time too."
    )
    starts_before = f.IsoDateTimeFilter(
        field_name="starts_at", lookup_expr="lt", help_text="A time with an offset, in ISO 8601."
    )

    def of_team(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        return found.filter(pk__in=Match.objects.filter(side_rows__entry__team__slug=value).values("pk"))

    def of_player(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        entries = RosterSpot.objects.filter(player__slug=value, left__isnull=True).values("entry")
        return found.filter(pk__in=Match.objects.filter(side_rows__entry__in=entries).values("pk"))


class GameFilter(f.FilterSet):
    rules = f.CharFilter(**NAME, help_text="A rule set, such as shawinigan/1.")
    match = Slug(field_name="match_game__match__slug", help_text="The slug of a match.")
    competition = Slug(field_name="match_game__match__competition__slug", help_text="The slug of a competition.")
    finished_from = f.IsoDateTimeFilter(
        field_name="finished_at", lookup_expr="gte", help_text="A time with an offset, in ISO 8601; this time too."
    )
    finished_before = f.IsoDateTimeFilter(
        field_name="finished_at", lookup_expr="lt", help_text="A time with an offset, in ISO 8601."
    )

    class Meta:
        model = Game
        fields: list[str] = []


class RulingFilter(f.FilterSet):
    competition = Slug(field_name="competition__slug", help_text="The slug of a competition.")
    match = Slug(field_name="match__slug", help_text="The slug of a match.")
