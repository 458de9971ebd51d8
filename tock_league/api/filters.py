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
    name = f.CharFilter(field_name="display_name", lookup_expr="icontains", **NAME)
    club = Slug(method="in_club")

    def in_club(self, found: QuerySet[Player], name: str, value: str) -> QuerySet[Player]:
        return found.filter(memberships__club__slug=value, memberships__until__isnull=True).distinct()


class ClubFilter(f.FilterSet):
    name = f.CharFilter(lookup_expr="icontains", **NAME)
    town = f.CharFilter(lookup_expr="icontains", **NAME)


class TeamFilter(f.FilterSet):
    name = f.CharFilter(lookup_expr="icontains", **NAME)
    club = Slug(field_name="club__slug")
    size = f.NumberFilter(min_value=2, max_value=4)

    class Meta:
        model = Team
        fields: list[str] = []


class CompetitionFilter(f.FilterSet):
    kind = f.ChoiceFilter(choices=Competition.Kind.choices)
    state = f.ChoiceFilter(choices=Competition.State.choices)
    club = Slug(field_name="club__slug")
    season = Slug(field_name="division__season__slug")
    rules = f.CharFilter(**NAME)


class MatchFilter(f.FilterSet):
    competition = Slug(field_name="competition__slug")
    state = f.ChoiceFilter(choices=Match.State.choices)
    round = f.NumberFilter(field_name="round__number", min_value=1, max_value=1000)
    team = Slug(method="of_team")
    player = Slug(method="of_player")
    starts_from = f.IsoDateTimeFilter(field_name="starts_at", lookup_expr="gte")
    starts_before = f.IsoDateTimeFilter(field_name="starts_at", lookup_expr="lt")

    def of_team(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        return found.filter(pk__in=Match.objects.filter(side_rows__entry__team__slug=value).values("pk"))

    def of_player(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        entries = RosterSpot.objects.filter(player__slug=value, left__isnull=True).values("entry")
        return found.filter(pk__in=Match.objects.filter(side_rows__entry__in=entries).values("pk"))


class GameFilter(f.FilterSet):
    rules = f.CharFilter(**NAME)
    match = Slug(field_name="match_game__match__slug")
    competition = Slug(field_name="match_game__match__competition__slug")
    finished_from = f.IsoDateTimeFilter(field_name="finished_at", lookup_expr="gte")
    finished_before = f.IsoDateTimeFilter(field_name="finished_at", lookup_expr="lt")

    class Meta:
        model = Game
        fields: list[str] = []


class RulingFilter(f.FilterSet):
    competition = Slug(field_name="competition__slug")
    match = Slug(field_name="match__slug")
