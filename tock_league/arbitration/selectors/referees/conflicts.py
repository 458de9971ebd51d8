"""The facts from which conflicts of interest are detected, read from rosters, memberships, teams, finals and cases."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.clubs.models import Membership, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, Entry, Match, RosterSpot
from tock_league.competitions.selectors.results.entered import people_behind

from ...core import cases, conflicts
from ...models import Case, Lease, PanelSeat, Recusal, Ruling
from ..cases.parties import Sides, clubs_by_match, players_by_match
from .ties import relatives

SENTENCES: dict[str, Text] = {
    "recused": _("You have stepped aside from this case."),
    "party": _("You belong to one of the two sides of this case."),
    "author": _("You entered this result, asked for this second look, or held or judged the case before."),
    "club": _("You belong to the club of one of the two sides only."),
    "family": _("A player of this case is of your family or household."),
    "partner": _("A player of this case is your partner in a team."),
    "affected": _("You play in this competition, and the result still moves your own standing."),
    "final": _("You met a player of this case in a rated final of the last 30 days."),
    "open_case": _("You stand against a player of this case in another open case."),
}
ENDED = (Competition.State.FINISHED, Competition.State.ARCHIVED, Competition.State.CANCELLED)


def players_of(match: Match) -> Sides:
    """Return per position the ids of the players of the roster and of the seats."""
    return players_by_match([match])[match.pk]


def grounds(person: Player, case: Case) -> tuple[str, ...]:
    """Return every ground on which `person` must not take, vote on or sign the case; empty when there is none."""
    return grounds_of([person], [case])[person.pk, case.pk]


def grounds_by_case(person: Player, found: Collection[Case]) -> dict[int, tuple[str, ...]]:
    """Return by case what `grounds` returns, for many cases in a fixed number of queries."""
    return {case: found_there for (_person, case), found_there in grounds_of([person], found).items()}


def grounds_of(people: Collection[Player], found: Collection[Case]) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return by (person, case) what `grounds` returns, in a fixed number of queries."""
    return {pair: conflicts.grounds(known) for pair, known in facts(people, found).items()}


def sentence(found: Iterable[str]) -> Text:
    """Return the sentence of the first ground, or an empty one."""
    return next((SENTENCES[ground] for ground in found), "")


def facts(people: Collection[Player], found: Collection[Case]) -> dict[tuple[int, int], conflicts.Facts]:
    """Return the present facts by (person, case). The number of queries depends on neither count."""
    if not found or not people:
        return {}
    ids = {person.pk for person in people}
    matches = Match.objects.select_related("competition").in_bulk([case.match_id for case in found])
    players = players_by_match(matches.values())
    clubs = clubs_by_match(players)
    concerned = _affected({match.competition_id for match in matches.values()})
    judged = authors_by_case(found)
    recusals = Recusal.objects.filter(case__in=[case.pk for case in found], person__in=ids, declared=True)
    recused = set(recusals.values_list("person", "case"))
    clubs_here, family, partners = clubs_of_people(ids), _family(ids), _partners(ids)
    finals, opposed = _final_opponents(ids), _opposed(ids)
    return {
        (person, case.pk): conflicts.Facts(
            referee=person,
            sides=players[case.match_id],
            referee_clubs=clubs_here[person],
            side_clubs=clubs[case.match_id],
            affected=concerned[matches[case.match_id].competition_id] - frozenset().union(*players[case.match_id]),
            partners=partners[person],
            family=family[person],
            final_opponents=finals[person],
            authors=judged[case.pk],
            opposed=frozenset(
                player
                for other, match, theirs in opposed[person]
                if other != case.pk and match != case.match_id
                for player in theirs
            ),
            recused=(person, case.pk) in recused,
        )
        for person in ids
        for case in found
    }


def authors(case: Case) -> frozenset[int]:
    """Return the referees who would judge their own work.

    On appeal: those who held or ruled a case of that match. In a review: the first judges of the case. Of a case that a head
    referee opened: that referee.
    Of a result that people entered: those who entered or signed it.
    """
    return authors_by_case([case])[case.pk]


def authors_by_case(found: Collection[Case]) -> dict[int, frozenset[int]]:
    """Return by case what `authors` returns. Nine queries at most."""
    told: dict[int, set[int]] = {case.pk: set() for case in found}
    appealed: dict[int, list[int]] = defaultdict(list)  # match -> its cases on appeal
    reviews = [case for case in found if case.reviews_id is not None]
    for case in found:
        if case.state in cases.APPEAL:
            appealed[case.match_id].append(case.pk)
    rows: list[tuple[list[int], int]] = []
    if appealed:
        held = Lease.objects.filter(case__match__in=appealed).values_list("case__match", "referee")
        ruled = Ruling.objects.filter(case__match__in=appealed).values_list("case__match", "author")
        seconded = Ruling.objects.filter(case__match__in=appealed, second__isnull=False)
        second = seconded.values_list("case__match", "second")
        rows += [(appealed[match], person) for match, person in [*held, *ruled, *second]]
    for case_id, people in judges_by_case(reviews).items():
        told[case_id] |= people
    for case in found:
        if case.side is None and case.opened_by_id is not None:  # a head referee opened it
            told[case.pk].add(case.opened_by_id)
    disputed = [case for case in found if case.entered]
    behind = people_behind([(case.match_id, case.entered) for case in disputed])
    for case in disputed:
        told[case.pk] |= behind[case.match_id, case.entered]
    for concerned, person in rows:
        for case_id in concerned:
            told[case_id].add(person)
    return {case_id: frozenset(people) for case_id, people in told.items()}


def judges_by_case(found: Collection[Case]) -> dict[int, frozenset[int]]:
    """Return by case everybody who ruled it, or a case that it re-examines, or has a place on a panel there.

    Three queries, and one more for each re-examination of a re-examination.
    """
    chains = {case.pk: {case.pk} for case in found}
    earlier = {case.pk: case.reviews_id for case in found if case.reviews_id is not None}
    while earlier:
        for case_id, other in earlier.items():
            chains[case_id].add(other)
        reviews = Case.objects.filter(pk__in=earlier.values(), reviews__isnull=False)
        further = {case.pk: case.reviews_id for case in reviews.only("reviews") if case.reviews_id is not None}
        earlier = {case_id: further[other] for case_id, other in earlier.items() if other in further}
    judged: dict[int, set[int]] = defaultdict(set)  # case -> people
    every = set().union(*chains.values())
    if every:
        ruled = Ruling.objects.filter(case__in=every).values_list("case", "author")
        sat = PanelSeat.objects.filter(case__in=every, place__isnull=False, left_at__isnull=True)
        second = Ruling.objects.filter(case__in=every, second__isnull=False).values_list("case", "second")
        for case_id, person in [*ruled, *second, *sat.values_list("case", "member")]:
            judged[case_id].add(person)
    return {
        case_id: frozenset(person for other in chain for person in judged[other]) for case_id, chain in chains.items()
    }


def _affected(competitions: Collection[int]) -> dict[int, frozenset[int]]:
    """Return who plays in each competition while it goes on: in its group, or in the bracket that the group leads to.

    One query.
    """
    rows = RosterSpot.objects.filter(
        entry__competition__in=competitions,
        entry__state__in=[Entry.State.ACCEPTED, Entry.State.CHECKED_IN, Entry.State.PLAYING],
        left__isnull=True,
    ).exclude(entry__competition__state__in=ENDED)
    return grouped(competitions, rows.values_list("entry__competition", "player"))


def grouped(keys: Iterable[int], pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Return for each key the second parts of the pairs that begin with it; keys without pairs are included."""
    found: dict[int, set[int]] = {key: set() for key in keys}
    for key, value in pairs:
        found[key].add(value)
    return {key: frozenset(values) for key, values in found.items()}


def clubs_of_people(people: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by person the clubs that they belong to now. One query."""
    rows = Membership.objects.filter(player__in=people, until__isnull=True)
    return grouped(people, rows.values_list("player", "club"))


def _family(people: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by person the members of their family or household. One query."""
    return grouped(people, relatives(people))


def _partners(people: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by person the players who share a lasting team with them. Two queries."""
    lasting = TeamPlayer.objects.filter(left__isnull=True, team__drawn=False)
    teams = list(lasting.filter(player__in=people).values_list("player", "team"))
    members: dict[int, set[int]] = defaultdict(set)
    rows = TeamPlayer.objects.filter(team__in={team for _person, team in teams}, left__isnull=True)
    for team, player in rows.values_list("team", "player"):
        members[team].add(player)
    return grouped(people, [(person, other) for person, team in teams for other in members[team] - {person}])


def _across(person: int, sides: Sides) -> frozenset[int]:
    """Return the players of the sides on which `person` is not."""
    return frozenset(player for side in sides if person not in side for player in side)


def _final_opponents(people: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by person the opponents whom they met in a rated final of the last FINAL_DAYS days.

    Five queries at most.
    """
    since = clock.now() - timedelta(days=conflicts.FINAL_DAYS)
    finals = Match.objects.filter(label="final", decided_at__gte=since, table__rated=True)
    played = set(finals.filter(table__seatings__player__in=people).values_list("table__seatings__player", "pk"))
    sides = players_by_match(Match.objects.in_bulk({match for _person, match in played}).values())
    met = [(person, other) for person, match in played for other in _across(person, sides[match])]
    return grouped(people, met)


def _opposed(people: Collection[int]) -> dict[int, list[tuple[int, int, frozenset[int]]]]:
    """Return by person case, match and the other side of each open case in which they are a party. Six queries at most."""
    going_on = Case.objects.filter(state__in=sorted(cases.OPEN - {"appeal_ruled"}))
    seat, spot = "match__table__seatings__player", "match__side_rows__entry__roster__player"
    parties = {
        pair
        for field in (seat, spot)
        for pair in going_on.filter(**{f"{field}__in": people}).values_list(field, "pk", "match")
    }
    players = players_by_match(Match.objects.in_bulk({match for _person, _case, match in parties}).values())
    told: dict[int, list[tuple[int, int, frozenset[int]]]] = {person: [] for person in people}
    for person, case, match in sorted(parties):
        told[person].append((case, match, _across(person, players[match])))
    return told
