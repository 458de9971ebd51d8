"""The facts from which conflicts of interest are detected, read from rosters, memberships, teams, finals and cases."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Seating
from tock_league.accounts.models import Player, Role
from tock_league.clubs.models import Membership, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, CompetitionRole, Entry, Match, RosterSpot

from ..core import cases, conflicts
from ..models import Case, FamilyTie, Lease, PanelSeat, Recusal, Ruling
from ..permissions import REFEREES

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


def players_of(match: Match) -> tuple[frozenset[int], ...]:
    """Answer per position the ids of the players of the roster and of the seats."""
    sides: list[set[int]] = [set() for _side in range(match.sides)]
    rows = {side.entry_id: side.position or 0 for side in match.side_rows.all() if side.entry_id is not None}
    for entry, player in RosterSpot.objects.filter(entry__in=rows, left__isnull=True).values_list("entry", "player"):
        sides[rows[entry]].add(player)
    if match.table_id is not None:
        for seat, player in Seating.objects.filter(table_id=match.table_id).values_list("seat", "player"):
            if player is not None:
                sides[seat % match.sides].add(player)
    return tuple(frozenset(side) for side in sides)


def clubs_of(match: Match, sides: Iterable[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Answer per position the clubs of the team and the home clubs of its players."""
    teams = {side.position: side.entry for side in match.side_rows.select_related("entry__team")}
    found = []
    for position, players in enumerate(sides):
        entry: Entry | None = teams.get(position)
        clubs = set(
            Membership.objects.filter(player__in=players, home=True, until__isnull=True).values_list("club", flat=True)
        )
        if entry is not None and entry.team is not None and entry.team.club_id is not None:
            clubs.add(entry.team.club_id)
        found.append(frozenset(clubs))
    return tuple(found)


def grounds(person: Player, case: Case) -> tuple[str, ...]:
    """Answer every ground on which `person` must not take, vote on or sign the case; empty when there is none."""
    return conflicts.grounds(facts(person, case))


def sentence(found: Iterable[str]) -> Text:
    """Answer the sentence of the first ground, or an empty one."""
    return next((SENTENCES[ground] for ground in found), "")


def facts(person: Player, case: Case) -> conflicts.Facts:
    """Answer what is known of `person` and the case now."""
    match = Match.objects.select_related("competition", "round").get(pk=case.match_id)
    sides = players_of(match)
    parties = frozenset().union(*sides)
    ties = FamilyTie.objects.filter(Q(low=person) | Q(high=person), until__isnull=True).values_list("low", "high")
    teams = TeamPlayer.objects.filter(player=person, left__isnull=True, team__drawn=False).values("team")
    return conflicts.Facts(
        referee=person.pk,
        sides=sides,
        referee_clubs=frozenset(
            Membership.objects.filter(player=person, until__isnull=True).values_list("club", flat=True)
        ),
        side_clubs=clubs_of(match, sides),
        affected=_affected(match) - parties,
        partners=frozenset(
            TeamPlayer.objects.filter(team__in=teams, left__isnull=True)
            .exclude(player=person)
            .values_list("player", flat=True)
        ),
        family=frozenset(one for tie in ties for one in tie) - {person.pk},
        final_opponents=_final_opponents(person),
        authors=authors(case),
        opposed=_opposed(person, case),
        recused=Recusal.objects.filter(case=case, person=person, declared=True).exists(),
    )


def authors(case: Case) -> frozenset[int]:
    """Answer who may not look again: on appeal, who held or ruled a case of that match; in a review, its first judges."""
    found: set[int] = set()
    if case.state in cases.APPEAL:
        found |= set(Lease.objects.filter(case__match=case.match_id).values_list("referee", flat=True))
        found |= set(Ruling.objects.filter(case__match=case.match_id).values_list("author", flat=True))
    if case.reviews_id is not None:
        found |= set(Ruling.objects.filter(case=case.reviews_id).values_list("author", flat=True))
        found |= set(
            PanelSeat.objects.filter(case=case.reviews_id, place__isnull=False, left_at__isnull=True).values_list(
                "member", flat=True
            )
        )
    return frozenset(found)


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


def _affected(match: Match) -> frozenset[int]:
    """Who else plays in the competition while it goes on: in its group, or in the bracket that the group leads to."""
    if match.competition.state in ENDED:
        return frozenset()
    entries = Entry.objects.filter(
        competition=match.competition_id,
        state__in=[Entry.State.ACCEPTED, Entry.State.CHECKED_IN, Entry.State.PLAYING],
    )
    return frozenset(RosterSpot.objects.filter(entry__in=entries, left__isnull=True).values_list("player", flat=True))


def _final_opponents(person: Player) -> frozenset[int]:
    since = clock.now() - timedelta(days=conflicts.FINAL_DAYS)
    found: set[int] = set()
    finals = Match.objects.filter(
        label="final", decided_at__gte=since, table__rated=True, table__seatings__player=person
    ).distinct()
    for match in finals:
        sides = players_of(match)
        found |= {player for side in sides if person.pk not in side for player in side}
    return frozenset(found)


def _opposed(person: Player, case: Case) -> frozenset[int]:
    """The other side of the open cases in which `person` is a party."""
    found: set[int] = set()
    others = (
        Case.objects.filter(
            Q(match__table__seatings__player=person) | Q(match__side_rows__entry__roster__player=person),
            state__in=sorted(cases.OPEN - {"appeal_ruled"}),
        )
        .exclude(pk=case.pk)
        .exclude(match=case.match_id)
        .select_related("match")
        .distinct()
    )
    for other in others:
        sides = players_of(other.match)
        found |= {player for side in sides if person.pk not in side for player in side}
    return frozenset(found)


def clubs_of_person(person: Player) -> frozenset[int]:
    """Answer the clubs that `person` belongs to now."""
    return frozenset(Membership.objects.filter(player=person, until__isnull=True).values_list("club", flat=True))
