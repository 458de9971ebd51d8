"""Teams that come late, in Swiss tournaments and groups, for the tests of late entries."""

import json

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.competitions.models import Entry
from tock_league.competitions.services.entries import late
from tock_league.competitions.services.rounds import publishing
from tock_league.journal.models import JournalEntry

from .world import a_plan, a_team, a_tournament


def swiss(teams=4, *, size=None, **plan):
    return a_tournament(teams, size=size, plan=a_plan("swiss", **{"rounds": 3, "auto": False, **plan}))


def grouped(teams=8, **plan):
    return a_tournament(teams, plan=a_plan("groups_knockout", **{"groups": 2, "qualify": 2, "auto": False, **plan}))


def entered(cup, team=None, *, by=SITE, group=None) -> Entry:
    team = team or a_team("Retardataires")
    shown = late.preview(by=by, competition=cup, team=team, group=group)
    return late.enter_late(by=by, competition=cup, team=team, group=group, digest=shown.digest)


def taken_back(entry: Entry, by=SITE):
    shown = late.preview_take_back(by=by, entry=entry)
    return late.take_back(by=by, entry=entry, digest=shown.digest)


def journal(cup, kind) -> list[dict]:
    rows = [json.loads(bytes(row.body)) for row in JournalEntry.objects.filter(stream=f"competition:{cup.slug}")]
    return [row for row in rows if row["kind"] == kind]


def refusal(cup, team, group=None) -> tuple[str, str | None]:
    with pytest.raises(Refused) as error:
        late.preview(by=SITE, competition=cup, team=team, group=group)
    return error.value.code, error.value.field


def next_round(cup, group=1):
    return publishing.publish_next(by=SITE, group=cup.stages.get(ordinal=1).groups.get(ordinal=group))


def meetings(cup, group=1) -> dict[int, set[frozenset[int]]]:
    """Return who meets in each round of a group, by seeds."""
    found: dict[int, set[frozenset[int]]] = {}
    for match in cup.matches.filter(round__group__ordinal=group, round__group__stage__ordinal=1).select_related(
        "round"
    ):
        seeds = frozenset(side.entry.seed for side in match.side_rows.select_related("entry"))
        found.setdefault(match.round.number, set()).add(seeds)
    return found
