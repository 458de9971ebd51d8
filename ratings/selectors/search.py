"""Search in a board by a part of a name: letter case and accents do not count."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from ratings.models import Rating, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.common.names import folded

FEW = 500  # names: with more of them the board is read in its order instead, where one of many rows fits
SHORT = 3  # letters of a trigram: shorter words are looked for at the beginnings of names


def called(rows: QuerySet[Rating], kind: str, name: str) -> QuerySet[Rating]:
    """Return the `rows`, ratings of `kind`, of whom a member or the named team is called like `name`. Up to four queries.

    A text of one or two letters is a beginning of a word.
    """
    wanted = folded(" ".join(name.split()))
    players = list(Player.objects.filter(_like("search_name", wanted)).values_list("pk", flat=True)[: FEW + 1])
    if kind == Subject.Kind.PLAYER:
        if len(players) <= FEW:
            return rows.filter(subject__key__in=[str(pk) for pk in players])
        return rows.filter(Exists(_members(wanted)))
    teams = list(Team.objects.filter(_like("search_name", wanted), drawn=False).values_list("pk", flat=True)[: FEW + 1])
    if len(players) <= FEW and len(teams) <= FEW:
        through = Subject.members.through
        found = set(through._default_manager.filter(player_id__in=players).values_list("subject_id", flat=True))
        return rows.filter(Q(subject__in=found) | Q(subject__key__in=_keys_of(teams)))
    condition = Q(Exists(_members(wanted)))
    if len(teams) > FEW:
        condition |= Q(Exists(_named_teams(wanted)))
    elif teams:
        condition |= Q(subject__key__in=_keys_of(teams))
    return rows.filter(condition)


def _like(field: str, wanted: str) -> Q:
    if len(wanted) < SHORT:
        return Q(**{f"{field}__startswith": wanted}) | Q(**{f"{field}__contains": f" {wanted}"})
    return Q(**{f"{field}__contains": wanted})


def _members(wanted: str) -> QuerySet[Any]:
    """Return the members of the rating's subject who are called so, for EXISTS."""
    through = Subject.members.through
    return through._default_manager.filter(_like("player__search_name", wanted), subject_id=OuterRef("subject_id"))


def _named_teams(wanted: str) -> QuerySet[Any]:
    """Return the members of the rating's subject who were in a team that is called so, for EXISTS."""
    through = Subject.members.through
    return through._default_manager.filter(
        _like("player__team_spells__team__search_name", wanted),
        player__team_spells__team__drawn=False,
        subject_id=OuterRef("subject_id"),
    )


def _keys_of(teams: Sequence[int]) -> list[str]:
    """Return the keys of the subjects that players of these teams can form, at the team's size. One query."""
    squads: dict[tuple[int, int], set[int]] = defaultdict(set)
    for team, size, player in TeamPlayer.objects.filter(team__in=teams).values_list(
        "team_id", "team__size", "player_id"
    ):
        squads[team, size].add(player)
    return [
        "-".join(map(str, members))
        for (_team, size), squad in squads.items()
        for members in combinations(sorted(squad), size)
    ]
