"""The stages of an open results file: groups, rounds, tables, and from where the seats of a bracket are filled."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tock_league.competitions.core.effective import penalties
from tock_league.competitions.models import BracketEdge, Competition, Side, Stage, StageInput
from tock_league.competitions.selectors.rankings import group_tables, ranking
from tock_league.competitions.selectors.rankings.ranking import Field
from tock_league.competitions.selectors.rankings.standings import StandingView, rows_of
from tock_league.competitions.selectors.results.effective import plain_effect
from tock_league.competitions.selectors.rounds.matches import MatchView

from . import matches
from .values import Json, number


def of(found: Competition, played: Sequence[MatchView], slugs: Mapping[int, str]) -> list[Json]:
    """Return the stages in order. `played`: the matches in order; `slugs`: of the entries, by primary key."""
    by_round: dict[int, list[MatchView]] = defaultdict(list)
    for view in played:
        by_round[view.match.round_id].append(view)
    tables, sources = _tables(found, played), _sources(found)
    apart: dict[int, list[Side]] = defaultdict(list)
    for side in Side.objects.filter(round__group__stage__competition=found, match__isnull=True).order_by("pk"):
        apart[side.round_id].append(side)
    made = []
    for stage in Stage.objects.filter(competition=found).prefetch_related("groups__rounds").order_by("ordinal"):
        groups = []
        for group in stage.groups.all():
            rounds = [
                {
                    "number": row.number,
                    "state": row.state,
                    "without_match": [
                        {"entry": slugs[side.entry_id], "kind": side.kind} for side in apart[row.pk] if side.entry_id
                    ],
                    "matches": [matches.of(view, slugs, sources.get(view.match.pk)) for view in by_round[row.pk]],
                }
                for row in group.rounds.all()
            ]
            table = tables.get(group.pk)
            groups.append({"number": group.ordinal, "name": group.name, "table": table, "rounds": rounds})
        made.append({"number": stage.ordinal, "format": stage.format, "options": stage.options, "groups": groups})
    return made


def _tables(found: Competition, played: Sequence[MatchView]) -> dict[int, Json]:
    """Return by group what its table is made from, and the table as the site has it."""
    if not found.is_planned:  # a league or club night: one group, whose field is that of the competition
        field = ranking.field_of(found)
        group = next((view.match.round.group_id for view in played), None)
        rows = rows_of(field, [view for view in played if view.is_decided])
        return {group: _table(field, rows, [])} if group is not None else {}
    groups = group_tables.of_groups(found, played)
    taken = {
        made.group.pk: penalties(plain_effect(row) for view in made.matches for row in view.match.effects.all())
        for made in groups
    }
    fields = group_tables.fields_of([made.group for made in groups], taken) if groups else {}
    return {
        made.group.pk: _table(
            fields[made.group.pk],
            made.rows,
            [{"entry": row.entry.slug, "how": row.how, "reason": row.reason} for row in made.settled],
        )
        for made in groups
    }


def _table(field: Field, rows: Sequence[StandingView], settled: list[Json]) -> Json:
    capped = field.competition.regulations.cap is not None
    return {
        "members": [entry.slug for entry in field.entries.values()],
        "points_taken": {
            field.entries[pk].slug: points for pk, points in (field.taken or {}).items() if pk in field.entries
        },
        "settled": settled,
        "standings": [
            {
                "entry": line.entry.slug,
                "rank": line.row.rank,
                "points": number(line.row.points.value),
                "played": line.row.played,
                "wins": line.row.wins,
                "ties": line.row.ties,
                "losses": line.row.losses,
                "margin": number(line.row.margin.value),
                **({"scored": number(line.row.scored.value)} if capped else {}),
                "ahead_by": line.row.separated_by or None,
            }
            for line in rows
        ],
    }


def _sources(found: Competition) -> dict[int, list[Json]]:
    """Return, by match of a bracket, where each seat is filled from, by position."""
    by_seat: dict[tuple[int, int], Json] = {}
    inputs = StageInput.objects.filter(stage__competition=found, match__isnull=False)
    for row in inputs.select_related("entry", "source_group__stage"):
        assert row.match_id is not None
        assert row.position is not None
        group = row.source_group
        by_seat[row.match_id, row.position] = (
            {"stage": group.stage.ordinal, "group": group.ordinal, "rank": row.rank}
            if group is not None
            else {"entry": row.entry.slug if row.entry is not None else None}
        )
    edges = BracketEdge.objects.filter(to_match__competition=found).select_related("from_match")
    for edge in edges:
        by_seat[edge.to_match_id, edge.to_position] = {"match": edge.from_match.slug, "outcome": edge.outcome}
    found_sources: dict[int, list[Json]] = defaultdict(list)
    for (match, _position), source in sorted(by_seat.items(), key=lambda item: item[0]):
        found_sources[match].append(source)
    return found_sources
