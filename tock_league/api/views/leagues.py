"""Seasons, leagues and club nights for their organisers; teams that come late to a tournament."""

from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts import selectors as people
from tock_league.accounts.permissions import require
from tock_league.clubs import selectors as clubs
from tock_league.competitions.forms import LeagueForm, NightForm
from tock_league.competitions.forms.announcing import frozen
from tock_league.competitions.forms.fields import PLACES
from tock_league.competitions.models import Competition, Entry, Season
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.entries import late
from tock_league.competitions.services.rounds import calendar
from tock_league.competitions.services.seasons import creation, nights

from ..serializers import events
from ..serializers import leagues as told
from ..serializers.entering import Preview
from .base import Endpoint
from .events import entry_of
from .writing import MANAGE, deed, named, takes


class Seasons(Endpoint):
    """The seasons in which leagues are played."""

    write_scope = MANAGE
    queryset = Season.objects.none()
    serializer_class = told.SeasonRow
    ordering = ("-starts_on", "-pk")

    def list(self, request: Request) -> Response:
        """List the seasons, the latest first."""
        return self.paged(Season.objects.select_related("club"))

    @takes(told.NewSeason, told.SeasonRow, status=201)
    def create(self, request: Request) -> Response:
        """Make a season, as an organiser of the site, or of a club for its own leagues."""
        asked = dict(self.asked(told.NewSeason))
        slug = asked.pop("club", None)
        club = named(clubs.club, slug, "club") if slug else None
        return self.done(lambda: creation.create_season(by=self.person, club=club, **asked), told.SeasonRow, status=201)


class Leagues(Endpoint):
    """Making a league; it is read under /competitions."""

    needs_login = True
    write_scope = MANAGE
    queryset = Competition.objects.none()
    serializer_class = events.CompetitionPage

    @takes(told.NewLeague, events.CompetitionPage, status=201)
    def create(self, request: Request) -> Response:
        """Make a league with one division: a draft that only its organisers see."""
        asked = self.asked(told.NewLeague)
        club = named(clubs.club, asked["club"], "club") if asked.get("club") else None
        require(self.person, "competition.create", club, needed="organiser")
        chosen = told.values(asked, LeagueForm, by=self.person)

        def act() -> Competition:
            made = creation.create_league(
                by=self.person,
                season=chosen["season"],
                name=chosen["name"],
                size=chosen["size"],
                division_name=chosen["division"],
                club=chosen["club"],
                regulations=frozen("league", chosen),
                bots_allowed=chosen["bots_allowed"],
                on_paper=PLACES[chosen["place"]].on_paper,
                by_agreement=PLACES[chosen["place"]].by_agreement,
            )
            return competitions.get(made.slug, self.person)

        return self.done(act, events.CompetitionPage, status=201)


class Nights(Endpoint):
    """Announcing a club night; it is read under /competitions."""

    needs_login = True
    write_scope = MANAGE
    queryset = Competition.objects.none()
    serializer_class = events.CompetitionPage

    @takes(told.NewNight, events.CompetitionPage, status=201)
    def create(self, request: Request) -> Response:
        """Announce a club night; the seed of its draw is published with it."""
        asked = self.asked(told.NewNight)
        club = named(clubs.club, asked["club"], "club")
        require(self.person, "competition.create", club, needed="organiser")
        chosen = told.values(asked, NightForm, by=self.person)

        def act() -> Competition:
            made = nights.announce_night(
                by=self.person,
                club=club,
                name=chosen["name"],
                regulations=frozen("night", chosen),
                bots_allowed=chosen["bots_allowed"],
                on_paper=PLACES[chosen["place"]].on_paper,
                by_agreement=PLACES[chosen["place"]].by_agreement,
            )
            return competitions.get(made.slug, self.person)

        return self.done(act, events.CompetitionPage, status=201)


class Calendars(Endpoint):
    """The calendar of a league, the draw of a club night, and late teams of a tournament."""

    needs_login = True
    extra = {"late": ("team", "group")}
    queryset = Competition.objects.none()
    serializer_class = events.CompetitionPage

    @deed(told.Calendar, events.CompetitionPage, MANAGE)
    def calendar(self, request: Request, slug: str) -> Response:
        """Date every round of a league, at the same hour every so many days."""
        made, asked = self.organised(slug), self.asked(told.Calendar)
        zone = asked.get("zone") or str(timezone.get_current_timezone())
        try:
            first = asked["first"].astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        except (ValueError, OSError, KeyError):
            raise serializers.ValidationError({"zone": [_("There is no such time zone.")]}) from None

        def act() -> Competition:
            rounds = calendar.rounds_needed(made, legs=asked["legs"])
            times = calendar.weekly(first=first, zone=zone, rounds=rounds, days=asked["days"])
            calendar.make_calendar(by=self.person, competition=made, times=times, legs=asked["legs"])
            return competitions.get(slug, self.person)

        return self.done(act, events.CompetitionPage)

    @deed(None, events.CompetitionPage, MANAGE)
    def take_back_calendar(self, request: Request, slug: str) -> Response:
        """Take the calendar of a league back before the start."""
        made = self.organised(slug)

        def act() -> Competition:
            calendar.discard_calendar(by=self.person, competition=made)
            return competitions.get(slug, self.person)

        return self.done(act, events.CompetitionPage)

    @deed(told.NightDraw, events.CompetitionPage, MANAGE)
    def draw_partners(self, request: Request, slug: str) -> Response:
        """Draw the sides of a club night by lots, and start it."""
        made, asked = self.organised(slug), self.asked(told.NightDraw)
        players = [named(people.player, name, "players") for name in asked["players"]]

        def act() -> Competition:
            nights.draw_and_start(
                by=self.person, night=made, players=players, starts_at=asked["starts_at"], minutes=asked["minutes"]
            )
            return competitions.get(slug, self.person)

        return self.done(act, events.CompetitionPage)

    @extend_schema(
        responses=Preview,
        parameters=[
            OpenApiParameter("team", str, required=True, description="The slug of the team."),
            OpenApiParameter("group", int, description="The number of the group; by default the smallest."),
        ],
    )
    @action(detail=True, write_scope=MANAGE, serializer_class=Preview)
    def late(self, request: Request, slug: str) -> Response:
        """Show what would change if a team came late to a tournament."""
        made = self.organised(slug)
        body = told.LateTeam(
            data={name: request.query_params[name] for name in request.query_params if name != "fields"}
        )
        body.is_valid(raise_exception=True)
        asked = body.validated_data
        team = named(clubs.team, asked["team"], "team")
        return self.one(late.preview(by=self.person, competition=made, team=team, group=asked.get("group")))

    @takes(told.LateEntry, events.EntryRow, status=201)
    @late.mapping.post
    def enter_late(self, request: Request, slug: str) -> Response:
        """Enter a team after the start, with the digest of what the preview has shown."""
        made, asked = self.organised(slug), self.asked(told.LateEntry)
        team = named(clubs.team, asked["team"], "team")

        def act() -> Entry:
            entry = late.enter_late(
                by=self.person, competition=made, team=team, group=asked.get("group"), digest=asked["digest"]
            )
            return entry_of(entry.slug)

        return self.done(act, events.EntryRow, status=201)

    def organised(self, slug: str) -> Competition:
        """Return the competition that the caller organises."""
        found = competitions.get(slug, self.person)
        require(self.person, "competition.organise", found, needed="organiser")
        return found


class LateEntries(Endpoint):
    """Taking back that a team came late."""

    needs_login = True
    queryset = Entry.objects.none()
    serializer_class = Preview

    @extend_schema(responses=Preview)
    @action(
        detail=True, url_path="take-back-late", url_name="take-back-late", write_scope=MANAGE, serializer_class=Preview
    )
    def taking_back(self, request: Request, slug: str) -> Response:
        """Show what would change if a late entry were taken back."""
        return self.one(late.preview_take_back(by=self.person, entry=entry_of(slug, self.person)))

    @takes(told.TakingLateBack, events.CompetitionPage)
    @taking_back.mapping.post
    def take_back(self, request: Request, slug: str) -> Response:
        """Take a late entry back, with the digest of what the preview has shown."""
        entry, digest = entry_of(slug, self.person), self.asked(told.TakingLateBack)["digest"]

        def act() -> Competition:
            made = late.take_back(by=self.person, entry=entry, digest=digest)
            return competitions.get(made.slug, self.person)

        return self.done(act, events.CompetitionPage)
