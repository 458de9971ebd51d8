"""The part of the audit that is about people: conflicts at the time of a signature or a vote, dismissals by one person,
and two findings for one act.

Facts that change are read as they were: a membership, a roster or a family tie counts from its beginning to its end.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import combinations

from django.db.models import Q

from games.models import Seating
from games.selectors.plays import by_seats
from tock_league.clubs.models import Membership
from tock_league.competitions.core.neutrality import of_some_sides_only
from tock_league.competitions.models import Match, RosterSpot, Side

from ...core.penalties import NONE, by_version
from ...models import Case, CaseEvent, Ruling, Vote
from ..referees.ties import relatives

TWO_PEOPLE = (Case.Kind.TALK, Case.Kind.DEAL, Case.Kind.CONDUCT)  # whose claims nobody dismisses alone


def people() -> Iterator[str]:
    """Yield the faults, one sentence each, beginning with the invariant (I4, I6)."""
    yield from _conflicts()
    yield from _dismissals()
    yield from _double_findings()


def _conflicts() -> Iterator[str]:
    """Check I6 of every signature, second opinion and vote: no club of one side only, no family."""
    for ruling in Ruling.objects.select_related("case__match").order_by("pk"):
        for signer in filter(None, (ruling.author_id, ruling.second_id)):
            for what in _against(signer, ruling.case.match, ruling.signed_at):
                yield f"I6 {ruling}: signed by {what}"
    for vote in Vote.objects.select_related("case__match").order_by("pk"):
        for what in _against(vote.member_id, vote.case.match, vote.at):
            yield f"I6 {vote.case}: voted by {what}"
    dismissals = CaseEvent.objects.filter(type="dismissed", actor__isnull=False)
    for event in dismissals.select_related("case__match").order_by("pk"):
        if event.actor_id is not None:
            for what in _against(event.actor_id, event.case.match, event.at):
                yield f"I6 {event.case}: dismissed by {what}"


def _against(person: int, match: Match, at: datetime) -> list[str]:
    sides = _sides(match, at)
    found = []
    if of_some_sides_only(frozenset(_clubs([person], at)), _clubs_of_sides(match, sides, at)):
        found.append("a member of the club of one side only")
    if {other for _person, other in relatives([person], at)} & frozenset().union(*sides):
        found.append("a relative of a player")
    return found


def _in_time(rows: Q, at: datetime, begin: str, end: str) -> Q:
    return rows & Q(**{f"{begin}__lte": at}) & (Q(**{f"{end}__isnull": True}) | Q(**{f"{end}__gt": at}))


def _clubs(players: list[int], at: datetime, **more: bool) -> set[int]:
    rows = Membership.objects.filter(_in_time(Q(player__in=players, **more), at, "since", "until"))
    return set(rows.values_list("club", flat=True))


def _sides(match: Match, at: datetime) -> tuple[frozenset[int], ...]:
    """Return per position the players of the seats, and of the roster at that time."""
    found: list[set[int]] = [set() for _side in range(match.sides)]
    for side in Side.objects.filter(match=match, entry__isnull=False):
        spots = RosterSpot.objects.filter(_in_time(Q(entry=side.entry_id), at, "joined", "left"))
        found[side.position or 0].update(spots.values_list("player", flat=True))
    if match.table_id is not None:
        seats = Seating.objects.filter(table=match.table_id, player__isnull=False)
        for seat, player in seats.values_list("seat", "player"):
            found[seat % match.sides].add(player)
    return tuple(frozenset(side) for side in found)


def _clubs_of_sides(match: Match, sides: tuple[frozenset[int], ...], at: datetime) -> tuple[frozenset[int], ...]:
    """Return per position the club of the team and the home clubs of its players."""
    teams = Side.objects.filter(match=match, entry__team__club__isnull=False)
    of_team = dict(teams.values_list("position", "entry__team__club"))
    found = []
    for position, players in enumerate(sides):
        homes = _clubs(list(players), at, home=True)
        found.append(frozenset(homes | ({of_team[position]} if position in of_team else set())))
    return tuple(found)


def _dismissals() -> Iterator[str]:
    """Check I6 of every dismissal of a claim of talking, conduct or a false deal: one referee proposes, another agrees."""
    proposed = {}
    rows = CaseEvent.objects.filter(case__kind__in=TWO_PEOPLE, type__in=["dismissal_proposed", "dismissed"])
    for event in rows.select_related("case").order_by("case", "seq"):
        if event.type == "dismissal_proposed":
            proposed[event.case_id] = event.actor_id
        elif proposed.get(event.case_id) in (None, event.actor_id):
            yield f"I6 {event.case}: a claim of {event.case.kind} was dismissed by one person"


def _double_findings() -> Iterator[str]:
    """Check I4 of findings: one act of a player is punished once, whichever cases were about it."""
    rows = Ruling.objects.filter(
        superseded_by__isnull=True, confirms__isnull=True, offender__isnull=False, outcome=Ruling.Outcome.UPHELD
    ).exclude(penalty=NONE)
    by_offender: dict[tuple[int | None, int], list[Ruling]] = defaultdict(list)
    for ruling in rows.select_related("case").order_by("pk"):
        by_offender[ruling.offender_id, ruling.case.match_id].append(ruling)
    for found in by_offender.values():
        for one, other in combinations(found, 2):
            if one.case_id != other.case_id and _one_act(one, other):
                yield f"I4 {other}: {one} has punished the same act"


def _one_act(one: Ruling, other: Ruling) -> bool:
    """Return whether both are about the same row of the record, or a call and a dispute about the same play.

    Without a record: whether both are about the same result that people entered, or of one family of the penalty table.
    """
    if (one.case.game_id, one.case.entered) != (other.case.game_id, other.case.entered):
        return False
    if one.case.entered:
        return True
    if one.case.game_id is not None and one.case.seq == other.case.seq:
        return True
    if _family(one) != _family(other):
        return False
    if one.case.game_id is None:
        return True
    calls = [ruling.case for ruling in (one, other) if ruling.case.origin == Case.Origin.CALL]
    disputes = [ruling.case for ruling in (one, other) if ruling.case.origin == Case.Origin.DISPUTE]
    return len(calls) == len(disputes) == 1 and disputes[0].seq in _called_about(calls[0])


def _family(ruling: Ruling) -> str:
    return by_version(ruling.table_version).row(ruling.row).family


def _called_about(case: Case) -> set[int]:
    """Return the rows of the last two plays before a call: it is about one of them."""
    assert case.game_id is not None
    return {*[seq for seq in by_seats(case.game_id) if seq < case.seq][-2:]}
