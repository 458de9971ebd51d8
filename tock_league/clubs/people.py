"""What clubs hold about a person, and how a member leaves for good."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.names import folded
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported, of_player
from tock_league.common.transactions import writing

from .models import (
    NEWS_LENGTH,
    TEAM_NAME_LENGTH,
    Club,
    ClubNews,
    ClubRole,
    Follow,
    Membership,
    Team,
    TeamInvitation,
    TeamPlayer,
)
from .services import remove_player
from .services.clubs import end_ties
from .services.news import withdraw

AND = " & "  # between the names of a drawn team's players


def obstacles(person: Person) -> Iterator[Obstacle]:
    """Yield the clubs that would be left without an officer, or that bear the person's name."""
    if person.player is None:
        return
    for role in _offices(person).select_related("club"):
        others = ClubRole.objects.filter(club=role.club, name=role.name, until__isnull=True).exclude(pk=role.pk)
        members = Membership.objects.filter(club=role.club, until__isnull=True).exclude(player=person.player)
        if members.exists() and not others.exists():
            yield Obstacle(
                "last_officer",
                _("%(club)s has no other officer: name one first, on the club’s page.") % {"club": role.club.name},
            )
    named = Leaving(person, "", person.player.updated_at)
    for club in Club.objects.filter(memberships__player=person.player).distinct():
        if named.is_named_in(f"{club.name} {club.about}"):
            yield Obstacle(
                "named_club", _("The club %(club)s bears your name: an officer renames it first.") % {"club": club.name}
            )


def forget(leaving: Leaving) -> None:
    """End memberships, roles and places in teams; take back invitations; forget who follows whom.

    The name leaves the names of teams.
    """
    player = leaving.person.player
    if player is None:
        return
    for spell in TeamPlayer.objects.filter(player=player, left__isnull=True).select_related("team").order_by("pk"):
        remove_player(by=SITE, team=spell.team, player=player)
    for tie in Membership.objects.filter(player=player, until__isnull=True).select_related("club").order_by("pk"):
        end_ties(by=SITE, club=tie.club, player=player)
    TeamInvitation.objects.filter(player=player).delete()
    TeamInvitation.objects.filter(sent_by=player, state=TeamInvitation.State.OPEN).update(
        state=TeamInvitation.State.REVOKED, answered_at=leaving.at
    )
    Follow.objects.filter(Q(follower=player) | Q(player=player)).delete()
    clean_news(leaving)
    name_teams(leaving)


def name_teams(leaving: Leaving) -> None:
    """Put the pseudonym into the names of the person's teams, present and past; no record holds them."""
    for team in _teams_named(leaving):
        name = _renamed(team, leaving)
        Team.objects.filter(pk=team.pk).update(name=name, search_name=folded(name), updated_at=leaving.at)
        leaving.changed.append(f"team {team.slug}")


def clean_news(leaving: Leaving) -> None:
    """Delete the news that the person wrote, and put the pseudonym into those of the person's clubs that hold the name."""
    player = leaving.person.player
    for news in ClubNews.objects.filter(by=player):
        withdraw(news)
    for news in ClubNews.objects.filter(club__memberships__player=player).distinct():
        if leaving.is_named_in(news.text):
            ClubNews.objects.filter(pk=news.pk).update(text=leaving.cleaned(news.text)[:NEWS_LENGTH])
            leaving.changed.append(f"club news {news.slug}")


def forget_news() -> int:
    """Delete the news that are older than KEEP_NOTICES_DAYS, as the notices of them; return how many."""
    with writing():
        old = ClubNews.objects.filter(at__lt=clock.now() - timedelta(days=settings.KEEP_NOTICES_DAYS))
        return old.delete()[0]


def _teams_named(leaving: Leaving) -> list[Team]:
    """Return the own teams whose name holds the person's.

    A drawn team is called by its players, in a short form where the names are long: it counts as named.
    """
    own = Team.objects.filter(pk__in=TeamPlayer.objects.filter(player=leaving.person.player).values("team"))
    return [team for team in own.order_by("pk") if team.drawn or leaving.is_named_in(team.name)]


def _renamed(team: Team, leaving: Leaving) -> str:
    """Return the team's name with the pseudonym; one that is too long or taken becomes the pseudonym."""
    players = list(TeamPlayer.objects.filter(team=team).order_by("joined", "slot").values_list("player", flat=True))
    parts = team.name.split(AND)
    if team.drawn and len(parts) == len(players) and leaving.person.player.pk in players:
        parts[players.index(leaving.person.player.pk)] = leaving.pseudonym
        name = AND.join(parts)
    else:
        name = leaving.cleaned(team.name)
    taken = Team.objects.filter(club=team.club, name=name, dissolved_at__isnull=True).exclude(pk=team.pk)
    if len(name) > TEAM_NAME_LENGTH or (not team.drawn and taken.exists()):
        return f"{leaving.pseudonym} {team.slug}"
    return name


def _offices(person: Person) -> Any:
    return ClubRole.objects.filter(player=person.player, name=ClubRole.Name.OFFICER, until__isnull=True)


def _memberships(person: Person) -> Iterator[Row]:
    for row in Membership.objects.filter(player=person.player).select_related("club").order_by("pk"):
        yield exported(row, "club", "home", "since", "until")


def _roles(person: Person) -> Iterator[Row]:
    for row in ClubRole.objects.filter(player=person.player).select_related("club", "given_by").order_by("pk"):
        yield exported(row, "club", "name", "since", "until", "given_by")


def _places(person: Person) -> Iterator[Row]:
    for row in TeamPlayer.objects.filter(player=person.player).select_related("team").order_by("pk"):
        yield exported(row, "team", "slot", "joined", "left")


def _teams(person: Person) -> Iterator[Row]:
    teams = Team.objects.filter(pk__in=TeamPlayer.objects.filter(player=person.player).values("team"))
    for row in teams.select_related("club").order_by("pk"):
        yield exported(row, "slug", "name", "size", "club", "drawn", "created_at", "dissolved_at")


def _invitations(person: Person) -> Iterator[Row]:
    mine = Q(player=person.player) | Q(sent_by=person.player) | Q(answered_by=person.player)
    rows = TeamInvitation.objects.filter(mine).select_related("team", "player", "sent_by").order_by("pk")
    for row in rows:
        yield exported(row, "team", "slot", "player", "sent_by", "sent_at", "expires_at", "state", "answered_at")


def _follows(person: Person) -> Iterator[Row]:
    """Yield whom the person follows; who follows the person is not theirs to know."""
    for row in Follow.objects.filter(follower=person.player).select_related("player", "team").order_by("pk"):
        yield exported(row, "player", "team", "since")


SECTIONS = (
    Section("memberships", Membership._meta.label, _memberships),
    Section("club_roles", ClubRole._meta.label, _roles),
    Section("teams", Team._meta.label, _teams),
    Section("team_places", TeamPlayer._meta.label, _places),
    Section("follows", Follow._meta.label, _follows),
    Section("club_news", ClubNews._meta.label, of_player(ClubNews, "club", "text", "at", column="by")),
    Section("invitations", TeamInvitation._meta.label, _invitations),
)
