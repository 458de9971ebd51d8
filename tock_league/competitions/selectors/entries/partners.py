"""The partner desk of a club or an event, as its page shows it, and what waits for the one who searches."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from tock_league.accounts import blocks
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock
from tock_league.common.errors import NotThere

from ...models import Competition, PartnerAnswer, PartnerSearch, RosterSpot
from ...permissions import seeks_here

Place = Club | Competition
BEFORE = (Competition.State.PUBLISHED, Competition.State.OPEN)


@dataclass(frozen=True)
class Line:
    """A line of the desk as one reader sees it."""

    search: PartnerSearch
    own: bool
    answers: tuple[PartnerAnswer, ...]  # those that wait, for the one who searches; nobody else sees who answers
    mine: PartnerAnswer | None  # the reader's own answer


@dataclass(frozen=True)
class Desk:
    """The desk of one place for one reader."""

    place: Place
    lines: tuple[Line, ...]
    may_seek: bool  # the reader may write a line and answer
    has_line: bool  # the reader's own line is there already
    plays: bool  # the reader is on a roster of the event already
    is_child: bool
    may_remove: bool


def where(place: Place) -> dict[str, Place]:
    """Return the columns of a search that name its place."""
    return {"club": place} if isinstance(place, Club) else {"competition": place}


def has_desk(competition: Competition) -> bool:
    """Return whether pairs or teams register for it, and it has not begun and still takes entries.

    A club night draws partners by lots and has none.
    """
    registers = competition.is_planned or competition.kind == Competition.Kind.LEAGUE
    closes = competition.entries_close_at
    is_open = closes is None or clock.now() < closes
    return registers and is_open and competition.state in BEFORE and not competition.is_rehearsal


def open_now() -> QuerySet[PartnerSearch]:
    """Return the lines that are open: not answered or taken back, not too old, in an event that has not begun, in a club of
    which the one who searches is still a member.
    """
    now = clock.now()
    member = Membership.objects.filter(club=OuterRef("club"), player=OuterRef("player"), until__isnull=True)
    plays = RosterSpot.objects.filter(competition=OuterRef("competition"), player=OuterRef("player"), left__isnull=True)
    closes = "competition__entries_close_at"
    in_event = Q(competition__state__in=BEFORE, competition__is_rehearsal=False) & (
        Q(**{f"{closes}__isnull": True}) | Q(**{f"{closes}__gt": now})
    )
    found = PartnerSearch.objects.filter(in_event & ~Exists(plays) | Exists(member))
    # An account that was stopped answers nobody.
    return found.filter(state=PartnerSearch.State.OPEN, until__gt=now).exclude(player__user__is_active=False)


def visible(person: Player | None, place: Place) -> bool:
    """Return whether `person` sees the desk: who may use it, and who may remove lines from it."""
    return can(person, "partner.seek", place) or can(person, "partner.moderate", place)


def desk(place: Place, person: Player) -> Desk:
    """Return the desk of a place for a reader. About ten queries, however many lines."""
    waiting = PartnerAnswer.objects.filter(state=PartnerAnswer.State.OPEN).select_related("player")
    mine = PartnerAnswer.objects.filter(player=person)
    apart = blocks.apart(person)
    found = (
        open_now()
        .filter(**where(place))
        .exclude(player__in=apart)
        .select_related("player", "club", "competition", "team")
        .prefetch_related(
            Prefetch("answers", waiting.exclude(player__in=apart), to_attr="waiting"),
            Prefetch("answers", mine, to_attr="by_reader"),
        )
    )
    lines = [_line(search, person) for search in found]
    young = is_child(person)
    event = place if isinstance(place, Competition) else None
    return Desk(
        place=place,
        lines=tuple(sorted(lines, key=lambda line: not line.own)),
        may_seek=not young and seeks_here(person, place),
        has_line=any(line.own for line in lines),
        plays=event is not None
        and RosterSpot.objects.filter(competition=event, player=person, left__isnull=True).exists(),
        is_child=young,
        may_remove=can(person, "partner.moderate", place),
    )


def _line(search: PartnerSearch, person: Player) -> Line:
    own = search.player_id == person.pk
    return Line(
        search=search,
        own=own,
        answers=tuple(search.waiting) if own else (),  # type: ignore[attr-defined]
        mine=next(iter(search.by_reader), None),  # type: ignore[attr-defined]
    )


def search(number: int, person: Player | None) -> PartnerSearch:
    """Return the open line of that number, or NotThere for one that is closed or that `person` may not see."""
    found = open_now().filter(pk=number).select_related("player", "club", "competition__club").first()
    if found is None or person is None or not visible(person, place_of(found)):
        raise NotThere
    if found.player_id in blocks.apart(person):
        raise NotThere
    return found


def answer(number: int, person: Player | None) -> PartnerAnswer:
    """Return the answer of that number to an open line of `person`, or NotThere."""
    found = PartnerAnswer.objects.filter(pk=number, search__in=open_now(), search__player=person)
    row = found.select_related("player", "search__club", "search__competition__club").first()
    if row is None or person is None or row.player_id in blocks.apart(person):
        raise NotThere
    return row


def place_of(found: PartnerSearch) -> Place:
    """Return the club or the event of a line."""
    place = found.club or found.competition
    assert place is not None
    return place


def answers_for(person: Player) -> list[PartnerAnswer]:
    """Return the answers that wait for `person`, the oldest first. Two queries."""
    waiting = PartnerAnswer.objects.filter(
        state=PartnerAnswer.State.OPEN, search__in=open_now().filter(player=person).values("pk")
    ).select_related("player", "search__club", "search__competition")
    return list(waiting.exclude(player__in=blocks.apart(person)))


def how_many(place: Place, person: Player | None) -> int | None:
    """Return how many lines the desk shows to `person`; None to those who may not see it. A few queries."""
    if person is None or not visible(person, place):
        return None
    return open_now().filter(**where(place)).exclude(player__in=blocks.apart(person)).count()
