"""Compares what is kept of a competition with the direct computation, and changes competitions at random."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tock_league.accounts.permissions import SITE
from tock_league.clubs.services import rename_team
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions import models
from tock_league.competitions.core import parts, progression
from tock_league.competitions.core.bracket import single_elimination
from tock_league.competitions.models import Competition, CompetitionVersion
from tock_league.competitions.selectors.rankings import group_tables, standings
from tock_league.competitions.selectors.rankings.kept import bracket, shown
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rounds import brackets, matches, progress
from tock_league.competitions.services.rounds import draw, schedule
from tock_league.competitions.services.seasons import lifecycle

from .onlooker import History
from .world import a_tournament

# What standings and brackets depend on, without names, which are read when a page is drawn.
WATCHED = {
    model._meta.db_table
    for model in (
        models.BracketEdge, models.EffectLift, models.Entry, models.Group, models.Match, models.MatchGame,
        models.ResultEffect, models.ResultLine, models.ResultSignature, models.ResultVersion, models.Round, models.Side,
        models.Stage, models.StageInput, models.StandingOverride,
    )
}  # fmt: skip
WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


def again(competition: Competition) -> Competition:
    """Return the competition as a request reads it."""
    return Competition.objects.select_related("regulations").get(pk=competition.pk)


def direct(competition: Competition) -> dict[str, Any]:
    """Return tables with their explanations, and the bracket, computed from the results for this reader."""
    made = again(competition)
    views = matches.views(made.matches.order_by("round__group__stage__ordinal", "round__number", "number"))
    if made.is_planned:
        groups = group_tables.group_fields(made, views)
        tables = [
            {
                "stage": one.group.stage.ordinal,
                "name": one.group.name,
                "qualify": one.qualify,
                "over": one.is_over,
                "results": bool(one.decided),
                "lines": [_line(line) for line in standings.rows_of(one.field, one.decided)],
            }
            for one in groups
        ]
    else:
        decided = [view for view in views if view.is_decided]
        lines = [_line(line) for line in standings.table(made, decided)]
        tables = [
            {"stage": 1, "name": "", "qualify": 0, "over": False, "results": bool(decided), "lines": lines},
        ]
    of_bracket = [view for view in views if made.is_planned and progress.is_bracket(view.match.round.group.stage)]
    drawing = brackets.bracket(of_bracket)
    return {
        "tables": tables,
        "nodes": {node.number: _node(node) for node in drawing.nodes} if drawing is not None else {},
        "ranks": sorted(_ranks(drawing)) if drawing is not None else [],
    }


def as_kept(competition: Competition) -> dict[str, Any]:
    """Return the same as readers of pages and programs get it."""
    made = again(competition)
    rows, nodes = kept(made), {}
    first = bracket.bracket_page(made, rows)
    for part in [one.key for one in first.parts] or [""] if first is not None else []:
        page = bracket.bracket_page(made, rows, part=part)
        assert page is not None
        nodes |= {node.number: _node(node) for node in page.drawing.nodes}
    return {
        "tables": [
            {
                "stage": one.table.stage,
                "name": one.name,
                "qualify": one.table.qualify,
                "over": one.table.is_over,
                "results": one.has_results,
                "lines": [_line(line) for line in lines],
            }
            for one, lines in shown.all_explained(made)
        ],
        "nodes": nodes,
        "ranks": sorted(bracket.bracket_ranks(rows)),
    }


def _ranks(drawing: brackets.BracketView) -> tuple[tuple[int, int], ...]:
    """Return the ranks that the drawn results make certain."""
    spots = {}
    for node in drawing.nodes:
        sides = (node.view.home.entry_id, node.view.away.entry_id)
        winner = next((side.entry_id for side in node.view.sides if side.outcome == "win"), None)
        loser = next((entry for entry in sides if entry != winner), None) if winner is not None else None
        state = progression.DECIDED if node.view.is_decided else progression.WAITING
        spots[node.number] = progression.Spot(node.number, sides, (True, True), state, winner, loser)
    return progression.final_ranks(drawing.bracket, spots)


def _line(line: Any) -> dict[str, Any]:
    row = line.row
    return {
        "entry": line.entry.slug,
        "numbers": (row.ordinal, row.rank, row.played, row.wins, row.ties, row.losses, line.points, line.margin),
        "name": line.name,
        "state": line.entry.state,
        "form": line.form,
        "separated_by": str(line.separated_by),
        "terms": _terms(line.points_terms) + _terms(line.margin_terms),
        "why": [
            (step.criterion, str(step.label), step.ahead, step.behind, step.decides, _terms(step.terms))
            for step in line.why
        ],
        "below": line.below,
        "left_out": [str(label) for label in line.left_out],
    }


def _terms(terms: Any) -> list[tuple[Any, ...]]:
    return [(term.match_slug, term.round, term.opponent, term.value, str(term.note)) for term in terms]


def _node(node: brackets.NodeView) -> tuple[Any, ...]:
    return (node.slug, node.label, node.is_live, node.title)


def version(competition: Competition) -> int:
    return CompetitionVersion.objects.get(competition=competition).number


@contextmanager
def written() -> Iterator[set[str]]:
    """Give the names of the tables that statements inside the block write to."""
    found: set[str] = set()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if match := WRITES.match(sql):
            found.add(match[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


class Changed(History):
    """Random changes without previews, and with new names, dates, states and draws among them."""

    def step(self) -> str:
        more = self.dice.choice(["", "", "rename", "move", "state"])
        act = getattr(self, f"_{more}")() if more else None
        if act is None:
            return super().step()
        self.count += 1
        return more if self._compare(act) else ""

    def _compare(self, act: Callable[[], object]) -> bool:
        before, left = version(self.competition), list(self.made)
        try:
            with written() as tables:
                act()
        except (Conflict, Refused):
            self.made = left
            return False
        assert not tables & WATCHED or version(self.competition) != before, (
            f"kept rows are stale after {tables & WATCHED}"
        )
        return True

    def _rename(self) -> Callable[[], object] | None:
        entry = self.dice.choice(list(self.competition.entries.filter(team__isnull=False).order_by("pk")))
        return lambda: rename_team(by=SITE, team=entry.team, name=f"Nom {self.count} {'abcdefgh'[self.count % 8]}")

    def _move(self) -> Callable[[], object] | None:
        match = self.competition.matches.filter(state__in=("ready", "scheduled")).order_by("pk").last()
        if match is None or self.competition.is_planned:
            return None
        return lambda: schedule.move(by=SITE, match=match, starts_at=clock.now())

    def _state(self) -> Callable[[], object] | None:
        """Suspend or resume."""
        now = again(self.competition).state
        to = {"running": "suspended", "suspended": "running"}.get(now)
        if to is None:
            return None
        return lambda: lifecycle.advance(by=SITE, competition=self.competition, to=to, reason="météo")


def drawn_anew(teams: int) -> Iterator[Competition]:
    """Give a tournament before its draw, after it, after the draw is taken back, and after the next draw."""
    cup = a_tournament(teams, state="closed")
    yield cup
    draw.draw(by=SITE, competition=cup)
    yield cup
    draw.discard(by=SITE, competition=cup)
    yield cup
    draw.draw(by=SITE, competition=cup)
    yield cup


def parts_of(teams: int) -> list[int]:
    """Return how many matches each part of a bracket has, the last rounds last."""
    return [len(one.matches) for one in parts.parts(single_elimination(teams, third_place=True))]
