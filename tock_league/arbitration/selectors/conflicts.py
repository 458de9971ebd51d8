"""The facts from which conflicts of interest are detected, read from rosters, memberships, teams, finals and cases."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, Role
from tock_league.clubs.models import Membership, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, CompetitionRole, Entry, Match, RosterSpot

from ..core import cases, conflicts
from ..models import Case, FamilyTie, Lease, PanelSeat, Recusal, Ruling
from ..permissions import REFEREES
from .parties import Sides, clubs_by_match, players_by_match

SENTENCES: dict[str, Text] = {
    "recused": _("You have stepped aside from this case."),
    "party": _("You belong to one of the two sides of this case."),
    "author": _("You held, ruled or judged the case that is looked at again."),
    "club": _("You belong to the club of one of the two sides only."),
    "family": _("A player of this case is of your family or household."),
    "partner": _("A player of this case is your partner in a team."),
    "affected": _("You play in this competition, and the result still moves your own standing."),
    "final": _("You met a player of this case in a rated final of the last 30 days."),
    "open_case": _("You stand against a player of this case in another open case."),
}
ENDED = (Competition.State.FINISHED, Competition.State.ARCHIVED, Competition.State.CANCELLED)


def players_of(match: Match) -> Sides:
    """Answer per position the ids of the players of the roster and of the seats."""
    return players_by_match([match])[match.pk]


def grounds(person: Player, case: Case) -> tuple[str, ...]:
    """Answer every ground on which `person` must not take, vote on or sign the case; empty when there is none."""
    return grounds_by_case(person, [case])[case.pk]


def grounds_by_case(person: Player, found: Collection[Case]) -> dict[int, tuple[str, ...]]:
    """Return by case what `grounds` answers, for many cases in a fixed number of queries."""
    return {case: conflicts.grounds(one) for case, one in facts(person, found).items()}


def sentence(found: Iterable[str]) -> Text:
    """Answer the sentence of the first ground, or an empty one."""
    return next((SENTENCES[ground] for ground in found), "")


def facts(person: Player, found: Collection[Case]) -> dict[int, conflicts.Facts]:
    """Return by case what is known of `person` and the case now. The number of queries does not depend on how many there are."""
    if not found:
        return {}
    matches = Match.objects.select_related("competition").in_bulk([case.match_id for case in found])
    players = players_by_match(matches.values())
    clubs = clubs_by_match(players)
    affected = {match.competition_id: match.competition for match in matches.values()}
    concerned = _affected(affected.values())
    judged = authors_by_case(found)
    opposed = _opposed(person)
    recused = set(
        Recusal.objects.filter(case__in=[case.pk for case in found], person=person, declared=True).values_list(
            "case", flat=True
        )
    )
    ties = FamilyTie.objects.filter(Q(low=person) | Q(high=person), until__isnull=True).values_list("low", "high")
    teams = TeamPlayer.objects.filter(player=person, left__isnull=True, team__drawn=False).values("team")
    clubs_here = clubs_of_person(person)
    partners = frozenset(
        TeamPlayer.objects.filter(team__in=teams, left__isnull=True)
        .exclude(player=person)
        .values_list("player", flat=True)
    )
    family = frozenset(one for tie in ties for one in tie) - {person.pk}
    finals = _final_opponents(person)
    return {
        case.pk: conflicts.Facts(
            referee=person.pk,
            sides=players[case.match_id],
            referee_clubs=clubs_here,
            side_clubs=clubs[case.match_id],
            affected=concerned[matches[case.match_id].competition_id] - frozenset().union(*players[case.match_id]),
            partners=partners,
            family=family,
            final_opponents=finals,
            authors=judged[case.pk],
            opposed=frozenset(
                player
                for other, match, theirs in opposed
                if other != case.pk and match != case.match_id
                for player in theirs
            ),
            recused=case.pk in recused,
        )
        for case in found
    }


def authors(case: Case) -> frozenset[int]:
    """Answer who may not look again: on appeal, who held or ruled a case of that match; in a review, its first judges."""
    return authors_by_case([case])[case.pk]


def authors_by_case(found: Collection[Case]) -> dict[int, frozenset[int]]:
    """Return by case what `authors` answers. Four queries at most."""
    told: dict[int, set[int]] = {case.pk: set() for case in found}
    appealed: dict[int, list[int]] = defaultdict(list)  # match -> its cases on appeal
    reviewing: dict[int, list[int]] = defaultdict(list)  # case looked at again -> the reviews
    for case in found:
        if case.state in cases.APPEAL:
            appealed[case.match_id].append(case.pk)
        if case.reviews_id is not None:
            reviewing[case.reviews_id].append(case.pk)
    rows: list[tuple[list[int], int]] = []
    if appealed:
        held = Lease.objects.filter(case__match__in=appealed).values_list("case__match", "referee")
        ruled = Ruling.objects.filter(case__match__in=appealed).values_list("case__match", "author")
        rows += [(appealed[match], person) for match, person in [*held, *ruled]]
    if reviewing:
        ruled = Ruling.objects.filter(case__in=reviewing).values_list("case", "author")
        sat = PanelSeat.objects.filter(case__in=reviewing, place__isnull=False, left_at__isnull=True)
        rows += [(reviewing[case], person) for case, person in [*ruled, *sat.values_list("case", "member")]]
    for concerned, person in rows:
        for case_id in concerned:
            told[case_id].add(person)
    return {case_id: frozenset(people) for case_id, people in told.items()}


def candidates(case: Case) -> list[Player]:
    """Answer the referees of the event and of the site without a conflict in this case, by name."""
    found = Player.objects.filter(
        Q(
            competition_roles__competition=case.competition_id,
            competition_roles__name__in=REFEREES,
            competition_roles__until__isnull=True,
        )
        | Q(roles__name__in=[Role.Name.REFEREE, Role.Name.HEAD_REFEREE], roles__until__isnull=True)
    ).distinct()
    return [person for person in found.order_by("display_name", "pk") if not grounds(person, case)]


def missing(case: Case) -> int:
    """Answer how many referees without conflict the case lacks: one to rule it, three to judge an appeal, or to fill a panel."""
    free = candidates(case)
    if case.state in ("panel_formed", "deliberating"):
        known = set(PanelSeat.objects.filter(case=case).values_list("member", flat=True))
        seated = PanelSeat.objects.filter(case=case, place__isnull=False, left_at__isnull=True).count()
        return cases.PANEL - seated - sum(person.pk not in known for person in free)
    return (cases.PANEL if case.state in cases.APPEAL else 1) - len(free)


def outsiders(case: Case) -> frozenset[int]:
    """Answer who referees this event because nobody else was left."""
    return frozenset(
        CompetitionRole.objects.filter(competition=case.competition_id, outsider=True, until__isnull=True).values_list(
            "player", flat=True
        )
    )


def _affected(competitions: Iterable[Competition]) -> dict[int, frozenset[int]]:
    """Who plays in each competition while it goes on: in its group, or in the bracket that the group leads to. One query."""
    found: dict[int, set[int]] = {competition.pk: set() for competition in competitions}
    rows = RosterSpot.objects.filter(
        entry__competition__in=found,
        entry__state__in=[Entry.State.ACCEPTED, Entry.State.CHECKED_IN, Entry.State.PLAYING],
        left__isnull=True,
    ).exclude(entry__competition__state__in=ENDED)
    for competition, player in rows.values_list("entry__competition", "player"):
        found[competition].add(player)
    return {competition: frozenset(players) for competition, players in found.items()}


def _across(person: Player, sides: Sides) -> frozenset[int]:
    """Return the players of the sides on which `person` is not."""
    return frozenset(player for side in sides if person.pk not in side for player in side)


def _final_opponents(person: Player) -> frozenset[int]:
    since = clock.now() - timedelta(days=conflicts.FINAL_DAYS)
    finals = Match.objects.filter(
        label="final", decided_at__gte=since, table__rated=True, table__seatings__player=person
    ).distinct()
    return frozenset().union(*(_across(person, sides) for sides in players_by_match(list(finals)).values()))


def _opposed(person: Player) -> list[tuple[int, int, frozenset[int]]]:
    """Case, match and the other side of each open case in which `person` is a party."""
    others = list(
        Case.objects.filter(
            Q(match__table__seatings__player=person) | Q(match__side_rows__entry__roster__player=person),
            state__in=sorted(cases.OPEN - {"appeal_ruled"}),
        )
        .select_related("match")
        .distinct()
    )
    players = players_by_match({other.match_id: other.match for other in others}.values())
    return [(other.pk, other.match_id, _across(person, players[other.match_id])) for other in others]


def clubs_of_person(person: Player) -> frozenset[int]:
    """Answer the clubs that `person` belongs to now."""
    return frozenset(Membership.objects.filter(player=person, until__isnull=True).values_list("club", flat=True))
