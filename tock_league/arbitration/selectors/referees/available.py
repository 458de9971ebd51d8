"""The referees who are free to judge a case, and how many are missing; for many cases in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import in_force
from tock_league.competitions.models import CompetitionRole

from ...core import cases
from ...models import Case, CaseEvent, PanelSeat
from ...permissions import REFEREES
from .conflicts import grounds_of


def candidates(case: Case) -> list[Player]:
    """Return the referees of the event and of the site without a conflict in this case, by name."""
    return candidates_by_case([case])[case.pk]


def candidates_by_case(found: Collection[Case]) -> dict[int, list[Player]]:
    """Return by case what `candidates` returns."""
    if not found:
        return {}
    offices = CompetitionRole.objects.filter(
        in_force(), competition__in={case.competition_id for case in found}, name__in=REFEREES
    )
    of_event: dict[int, set[int]] = defaultdict(set)
    for competition, player in offices.values_list("competition", "player"):
        of_event[competition].add(player)
    everywhere = Role.objects.filter(in_force(), name__in=[Role.Name.REFEREE, Role.Name.HEAD_REFEREE])
    of_site = set(everywhere.values_list("player", flat=True))
    people = list(Player.objects.filter(pk__in=of_site.union(*of_event.values())).order_by("display_name", "pk"))
    grounds = grounds_of(people, found)
    return {
        case.pk: [
            person
            for person in people
            if person.pk in of_site | of_event[case.competition_id] and not grounds[person.pk, case.pk]
        ]
        for case in found
    }


def missing(case: Case) -> int:
    """Return how many referees without conflict the case lacks: one to rule it or to sign second, three to judge an appeal,
    or to fill a panel."""
    return missing_by_case([case])[case.pk]


def missing_by_case(found: Collection[Case]) -> dict[int, int]:
    """Return by case what `missing` returns."""
    free = candidates_by_case(found)
    seats: dict[int, list[PanelSeat]] = defaultdict(list)
    for seat in PanelSeat.objects.filter(case__in=[case.pk for case in found if case.state in cases.PANEL_SITS]):
        seats[seat.case_id].append(seat)
    in_triage = [case.pk for case in found if case.state == "triage"]
    proposals = CaseEvent.objects.filter(case__in=in_triage, type__in=cases.PROPOSALS).order_by("seq")
    proposers = dict(proposals.values_list("case", "actor"))  # the last row wins
    told = {}
    for case in found:
        if case.state in cases.PANEL_SITS:
            known = {seat.member_id for seat in seats[case.pk]}
            seated = sum(seat.place is not None and seat.left_at is None for seat in seats[case.pk])
            told[case.pk] = cases.PANEL - seated - sum(person.pk not in known for person in free[case.pk])
        else:
            able = sum(person.pk != proposers.get(case.pk) for person in free[case.pk])
            told[case.pk] = (cases.PANEL if case.state in cases.APPEAL else 1) - able
    return told


def outsiders(case: Case) -> frozenset[int]:
    """Return the referees of this event who were named because nobody else was free of conflict."""
    return frozenset(
        CompetitionRole.objects.filter(competition=case.competition_id, outsider=True, until__isnull=True).values_list(
            "player", flat=True
        )
    )
