"""Competitions as pages list and open them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Case, Count, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import Person, can, has_role, in_force
from tock_league.clubs.models import Club, ClubRole, Team
from tock_league.clubs.permissions import in_force as in_force_in_clubs
from tock_league.common.errors import NotThere

from ...core.lots import in_lot_order, lot
from ...models import Competition, CompetitionRole, Entry, Match, RosterSpot, Season, Side
from ...permissions import CLUB_OFFICES, PRIVATE_STATES, is_public
from ..entries.registration import GONE

WITH = ("division__season", "club", "regulations")
BEFORE_START = (Competition.State.PUBLISHED, Competition.State.OPEN, Competition.State.CLOSED)
BEGUN = (Competition.State.RUNNING, Competition.State.SUSPENDED)
OVER = (Competition.State.FINISHED, Competition.State.ARCHIVED, Competition.State.CANCELLED)
LIVE_ENTRIES = Count("entries", filter=~Q(entries__state__in=GONE))  # those that play, or may play


def public() -> QuerySet[Competition]:
    """Return every competition visitors may see, newest first, with `teams`, how many have not left. One query."""
    return (
        Competition.objects.filter(is_rehearsal=False)
        .exclude(state__in=PRIVATE_STATES)
        .select_related(*WITH)
        .annotate(teams=LIVE_ENTRIES)
        .order_by("-created_at")
    )


@dataclass(frozen=True)
class Listed:
    """The public competitions by what they are now; each with `teams`, `first_at` and `last_at`, its first and last match."""

    running: tuple[Competition, ...]
    ahead: tuple[Competition, ...]  # the next one first, undated ones last
    over: tuple[Competition, ...]  # the latest first


def listed() -> Listed:
    """Return every competition visitors may see. One query."""
    dates = Match.objects.filter(competition=OuterRef("pk"), starts_at__isnull=False).order_by()
    found = list(
        public().annotate(
            first_at=Coalesce(_ends(dates, Min), F("starts_at")), last_at=Coalesce(_ends(dates, Max), F("starts_at"))
        )
    )
    ahead = [made for made in found if made.state in BEFORE_START]
    over = [made for made in found if made.state in OVER]
    return Listed(
        running=tuple(made for made in found if made.state not in (*BEFORE_START, *OVER)),
        ahead=tuple(sorted(ahead, key=_begins)),
        over=tuple(sorted(over, key=_ended, reverse=True)),
    )


def _begins(made: Competition) -> datetime:
    return made.first_at or datetime.max.replace(tzinfo=UTC)  # type: ignore[attr-defined]


def _ended(made: Competition) -> datetime:
    return made.last_at or made.created_at  # type: ignore[attr-defined]


def _ends(dates: QuerySet[Match], end: type[Min | Max]) -> Subquery:
    """Return the first (Min) or last (Max) date of a competition's matches as a subquery."""
    return Subquery(dates.values("competition").annotate(at=end("starts_at")).values("at"))


def public_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of those of the competitions at `slugs` that visitors may see. One query."""
    return dict(public().filter(slug__in=slugs).values_list("slug", "name"))


def entry_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of entries by their slugs. One query."""
    rows = Entry.objects.filter(slug__in=slugs).select_related("team", "player")
    return {entry.slug: str(entry) for entry in rows}


def match_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the sides of matches by the slugs of the matches, such as “Les Draveurs – Les Castors”. One query."""
    rows = Side.objects.filter(match__slug__in=slugs, entry__isnull=False).select_related(
        "match", "entry__team", "entry__player"
    )
    sides: dict[str, list[str]] = {}
    for side in rows.order_by("position"):
        if side.match is not None:
            sides.setdefault(side.match.slug, []).append(str(side.entry))
    return {slug: " – ".join(names) for slug, names in sides.items()}


def drafts(viewer: Person) -> list[Competition]:
    """Return the drafts `viewer` may organise. One query and one per draft for its rights."""
    private = Competition.objects.filter(Q(state__in=PRIVATE_STATES) | Q(is_rehearsal=True)).select_related(*WITH)
    return [made for made in private.annotate(teams=LIVE_ENTRIES) if can(viewer, "competition.see_private", made)]


def organised_by(person: Player) -> QuerySet[Competition]:
    """Return the events that `person` organises and that are not over, with `teams`: what has begun first, then by date.

    Two queries.
    """
    found = Competition.objects.exclude(state__in=OVER)
    if not has_role(person, Role.Name.ORGANISER):
        clubs = ClubRole.objects.filter(in_force_in_clubs(), player=person, name__in=CLUB_OFFICES)
        named = CompetitionRole.objects.filter(in_force(), player=person, name=CompetitionRole.Name.ORGANISER)
        found = found.filter(Q(club__in=clubs.values("club")) | Q(pk__in=named.values("competition")))
    begun = Case(When(state__in=BEGUN, then=0), default=1)
    return (
        found.select_related(*WITH)
        .annotate(teams=LIVE_ENTRIES)
        .order_by(begun, F("starts_at").asc(nulls_last=True), "-created_at", "pk")
    )


def get(slug: str, viewer: Person) -> Competition:
    """Return the competition of that address. NotThere (404) for private ones unless `viewer` may see them.

    One query, or a few.
    """
    found = Competition.objects.select_related(*WITH).annotate(teams=LIVE_ENTRIES).filter(slug=slug).first()
    if found is None or not (is_public(found) or can(viewer, "competition.see_private", found)):
        raise NotThere
    return found


def of_club(club: Club) -> QuerySet[Competition]:
    """Return public competitions the club organises or its teams play in. One query."""
    concerned = Competition.objects.filter(Q(club=club) | Q(entries__team__club=club)).values("pk")
    return public().filter(pk__in=concerned)


def coming_up(clubs: Sequence[Club], *, limit: int = 6) -> list[Competition]:
    """Return the events that clubs hold and that have not begun, the next one first, undated ones last. One query."""
    ahead = public().filter(club__in=clubs, state__in=BEFORE_START)
    return list(ahead.order_by(F("starts_at").asc(nulls_last=True), "pk")[:limit])


def of_team(team: Team) -> QuerySet[Entry]:
    """Return the entries of a team in public competitions, the newest first. One query."""
    seen = Entry.objects.filter(team=team, competition__is_rehearsal=False)
    return (
        seen.exclude(competition__state__in=PRIVATE_STATES)
        .select_related("competition")
        .order_by("-competition__created_at")
    )


def entries(competition: Competition) -> QuerySet[Entry]:
    """Return entries in seed order with team, club and roster, however many they are. Two queries."""
    # Joined, because Django reads a foreign key by one alternative a row, of which SQLite takes a thousand.
    spots = RosterSpot.objects.select_related("player__birth").order_by("entry", "role", "slot")
    return (
        Entry.objects.filter(competition=competition)
        .exclude(state=Entry.State.WITHDRAWN)
        .select_related("team__club", "player")
        .prefetch_related(Prefetch("roster", spots))
        .order_by("seed", "pk")
    )


def teams_outside(competition: Competition) -> QuerySet[Team]:
    """Return the named teams of the event's size that are not entered, by name.

    If the event belongs to a club: only the teams of that club, for a planned tournament also those without a club, and
    any team that was entered here and withdrew or was refused.
    """
    here = Entry.objects.filter(competition=competition, team__isnull=False)
    gone = here.filter(state__in=(Entry.State.WITHDRAWN, Entry.State.REFUSED))
    teams = (
        Team.objects.filter(drawn=False, dissolved_at__isnull=True, size=competition.side_size)
        .exclude(pk__in=here.exclude(pk__in=gone).values("team"))
        .select_related("club")
    )
    if competition.club is not None:
        near = Q(club=competition.club) | Q(pk__in=gone.values("team"))
        teams = teams.filter(near | Q(club__isnull=True) if competition.is_planned else near)
    return teams.order_by("name")


def roster_of(entry: Entry) -> QuerySet[RosterSpot]:
    """Return who plays for the entry now. One query."""
    return RosterSpot.objects.filter(entry=entry, left__isnull=True).select_related("player").order_by("role", "slot")


def seasons() -> QuerySet[Season]:
    """Return every season, newest first, with its divisions. Two queries."""
    return Season.objects.prefetch_related("divisions__competition")


def entry(competition: Competition, slug: str) -> Entry:
    """Return the entry of that address in the competition, or NotThere. One query."""
    found = Entry.objects.filter(competition=competition, slug=slug).select_related("team__club", "player").first()
    if found is None:
        raise NotThere
    return found


def lots(competition: Competition) -> list[tuple[str, str, str]]:
    """Return who or what lots are drawn for, in lot order: (name, public name, lot). Three queries.

    On a club night players, whose partners come from it; elsewhere entries, whose ties it breaks at last.
    """
    drawn_for: dict[str, str] = {}
    for entry in entries(competition):
        if entry.team is not None and entry.team.drawn:
            drawn_for |= {spot.player.slug: spot.player.display_name for spot in entry.roster.all()}
        else:
            drawn_for[entry.slug] = str(entry)
    seed = competition.lots_seed
    return [(drawn_for[slug], slug, lot(seed, slug)) for slug in in_lot_order(seed, list(drawn_for))]
