"""Computes what is kept of a competition, from its results: the direct computation, without names."""

import pickle
from collections.abc import Iterable, Mapping, Sequence

from ....core.standings import StandingRow
from ....core.tiebreaks import Explained
from ....models import Competition
from ...results.fact_words import fact_key
from ...rounds.matches import MatchView, loaded, of_rows
from ...rounds.progress import is_bracket
from .. import ranking
from ..group_tables import group_fields
from ..ranking import Field, told_apart
from ..standings import FORM_LENGTH, number, results, shown
from . import rows

IN_ORDER = ("round__group__stage__ordinal", "round__number", "round__group", "number")
Made = list[tuple[rows.Table, Sequence[rows.Why]]]


def made(competition: Competition) -> rows.Kept:
    """Return what is kept of the competition, with the explanations. About twenty queries, however many matches."""
    views = of_rows(list(loaded(competition.matches.order_by(*IN_ORDER))))
    tables = _groups(competition, views) if competition.is_planned else _league(competition, views)
    why: dict[int, list[tuple[int, rows.Why]]] = {}
    for place, (table, explained) in enumerate(tables):
        for line, one in zip(table.lines, explained, strict=True):
            why.setdefault(line.entry, []).append((place, one))
    return rows.Kept(
        tables=tuple(table for table, _explained in tables),
        spots=_spots(views) if competition.is_planned else (),
        round=_round(views),
        why={entry: pickle.dumps(found, pickle.HIGHEST_PROTOCOL) for entry, found in why.items()},
    )


def _league(competition: Competition, views: Sequence[MatchView]) -> Made:
    decided = [view for view in views if view.is_decided]
    lines, why = _ranked(ranking.field_of(competition), decided)
    return [(rows.Table(0, 1, lines, 0, bool(decided), False, False), why)]


def _groups(competition: Competition, views: Sequence[MatchView]) -> Made:
    found: Made = []
    for group in group_fields(competition, views):
        decided = group.decided
        lines, why = _ranked(group.field, decided)
        table = rows.Table(
            group=group.group.pk,
            stage=group.group.stage.ordinal,
            lines=lines,
            qualify=group.qualify,
            has_results=bool(decided),
            is_over=group.is_over,
            has_overrides=bool(group.settled),
        )
        found.append((table, why))
    return found


def _ranked(field: Field, decided: Iterable[MatchView]) -> tuple[tuple[rows.Line, ...], list[rows.Why]]:
    counted, by_id = results(decided)
    ranked = ranking.rank(field, counted)
    return tuple(_line(row, field) for row in ranked), [_why(row, by_id) for row in ranked]


def _line(row: StandingRow, field: Field) -> rows.Line:
    return rows.Line(
        entry=row.entry,
        ordinal=row.ordinal,
        rank=row.rank,
        played=row.played,
        wins=row.wins,
        ties=row.ties,
        losses=row.losses,
        points=number(row.points.value),
        margin=number(row.margin.value, signed=True),
        form=tuple([meeting.outcome for meeting in row.meetings if not meeting.missed][-FORM_LENGTH:]),
        separated_by=told_apart(field, row),
        has_terms=bool(row.points.terms),
        has_margin=bool(row.margin.terms),
        scored=number(row.scored.value) if field.competition.regulations.cap is not None else "",
    )


def _why(row: StandingRow, matches: Mapping[int, MatchView]) -> rows.Why:
    return rows.Why(
        points=_terms(row.points, matches),
        margin=_terms(row.margin, matches, signed=True),
        scored=_terms(row.scored, matches),
        steps=tuple(
            rows.Step(
                step.criterion,
                shown(step.ahead),
                shown(step.behind),
                step.decides,
                _terms(step.ahead, matches, signed=step.criterion == "margin") if step.criterion != "points" else (),
            )
            for step in row.why
        ),
    )


def _terms(of: Explained, matches: Mapping[int, MatchView], *, signed: bool = False) -> tuple[rows.Term, ...]:
    made: list[rows.Term] = []
    for term in of.terms:
        view = matches.get(term.match)
        if view is None:
            made.append(rows.Term("", 0, None, number(term.value, signed=True), rows.NO_MATCH[term.value < 0]))
        else:
            value, note = number(term.value, signed=signed), fact_key(view.effective) if view.is_decided else ""
            made.append(rows.Term(view.match.slug, view.match.round.number, term.opponent, value, note))
    return tuple(made)


def _spots(views: Iterable[MatchView]) -> tuple[rows.Spot, ...]:
    found = [view for view in views if is_bracket(view.match.round.group.stage)]
    found.sort(key=lambda view: (view.match.round.number, view.match.number))
    return tuple(
        rows.Spot(
            match=view.match.pk,
            label=view.match.label,
            state=view.match.state,
            decided=view.is_decided,
            sides=tuple(side.entry_id for side in view.sides),
            winner=next((side.entry_id for side in view.sides if side.outcome == "win"), None),
        )
        for view in found
    )


def _round(views: Sequence[MatchView]) -> rows.Round | None:
    """Return the first round with a match to decide, else the last one; as `calendars.current_round` has it."""
    if not views:
        return None
    at = [(view.match.round.group.stage.ordinal, view.match.round.number) for view in views]
    here = next((where for where, view in zip(at, views, strict=True) if not view.is_decided), at[-1])
    return rows.Round(*here, size=at.count(here))
