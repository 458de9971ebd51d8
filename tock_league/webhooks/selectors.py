"""Webhooks as pages show them."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import Person, in_force, require
from tock_league.clubs.models import Club, ClubRole
from tock_league.clubs.permissions import in_force as in_force_in_clubs
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition, CompetitionRole
from tock_league.competitions.permissions import CLUB_OFFICES

from .models import Delivery, Webhook

LOG = 50  # deliveries on the page
Place = Club | Competition


def place_of(webhook: Webhook) -> Place:
    """Return the club or competition that the webhook belongs to."""
    place = webhook.club if webhook.club is not None else webhook.competition
    assert place is not None
    return place


def own(by: Person, slug: str) -> Webhook:
    """Return the webhook of that address. Raise NotThere for an unknown one, NotAllowed for those who do not look after it."""
    found = Webhook.objects.select_related("club", "competition__club", "made_by").filter(slug=slug).first()
    if found is None:
        raise NotThere
    require(by, "webhook.manage", place_of(found), needed="organiser")
    return found


def of_place(place: Place) -> QuerySet[Webhook]:
    """Return the webhooks of a club or competition, the oldest first."""
    return Webhook.objects.filter(**{"club" if isinstance(place, Club) else "competition": place})


def log_of(webhook: Webhook) -> Sequence[Delivery]:
    """Return the newest deliveries. One query."""
    return list(webhook.deliveries.all()[:LOG])


def listening(competition: int) -> QuerySet[Webhook]:
    """Return the webhooks in force that hear of the competition of this key: its own, and those of its club. One query."""
    clubs = Competition.objects.filter(pk=competition, club__isnull=False).values("club")
    return Webhook.objects.filter(Q(competition=competition) | Q(club__in=clubs), off="")


def managers(webhook: Webhook) -> list[int]:
    """Return the keys of those who are told that the webhook was disabled: the people with an office in its place, or those
    of the whole site where it has none. At most three queries."""
    place = place_of(webhook)
    club = place if isinstance(place, Club) else place.club
    found: set[int] = set()
    if club is not None:
        roles = ClubRole.objects.filter(in_force_in_clubs(), club=club, name__in=CLUB_OFFICES)
        found |= set(roles.values_list("player", flat=True))
    if isinstance(place, Competition):
        named = CompetitionRole.objects.filter(in_force(), competition=place, name=CompetitionRole.Name.ORGANISER)
        found |= set(named.values_list("player", flat=True))
    if not found:
        site = Role.objects.filter(in_force(), name=Role.Name.ORGANISER)
        found = set(site.values_list("player", flat=True))
    return sorted(found)


def names_of(slugs: Sequence[str]) -> dict[str, str]:
    """Return what each webhook is called in a notice: the name of its place. One query."""
    found = Webhook.objects.filter(slug__in=slugs).select_related("club", "competition")
    return {row.slug: place_of(row).name for row in found}


def made_by_player(player: Player) -> QuerySet[Webhook]:
    """Return the webhooks that a player has added."""
    return Webhook.objects.filter(made_by=player)
