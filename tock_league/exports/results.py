"""A competition as one file in the open results format, tock-results/1: docs/results-format.md.

Nothing in it is translated, and everything in it is on the competition's public pages. The number of queries does not
depend on the number of entries or matches, but that the book of rulings asks once for each ruling.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch

from ratings.models import ON_PAPER, Generation, RatingChange
from tock_league.arbitration.selectors.rulings import book
from tock_league.common import clock
from tock_league.competitions.core.effective import penalties
from tock_league.competitions.models import (
    BracketEdge,
    Competition,
    Entry,
    Match,
    ResultVersion,
    RosterSpot,
    Side,
    Stage,
    StageInput,
)
from tock_league.competitions.selectors.rankings import group_tables, ranking
from tock_league.competitions.selectors.rankings.ranking import Field
from tock_league.competitions.selectors.rankings.standings import StandingView, rows_of
from tock_league.competitions.selectors.results.effective import advancing_of, counts, plain_effect
from tock_league.competitions.selectors.rounds.matches import MatchView, loaded, of_rows

FORMAT = "tock-results/1"
IN_ORDER = ("round__group__stage__ordinal", "round__group__ordinal", "round__number", "number")
Json = dict[str, Any]


def of(found: Competition) -> Json:
    """Return the competition as JSON values."""
    played = of_rows(list(loaded(found.matches.order_by(*IN_ORDER))))
    entries = _entries(found)
    slugs = {entry.pk: entry.slug for entry in entries}
    return {
        "format": FORMAT,
        "made_at": _at(clock.now()),
        "event": _event(found),
        "entries": [_entry(entry) for entry in entries],
        "stages": _stages(found, played, slugs),
        "rulings": _rulings(found),
        "rating_changes": _rating_changes(played),
    }


def _event(found: Competition) -> Json:
    regulations = found.regulations
    return {
        "id": found.slug,
        "name": found.name,
        "kind": found.kind,
        "state": found.state,
        "club": found.club.name if found.club is not None else None,
        "season": found.division.season.name if found.division is not None else None,
        "division": found.division.name if found.division is not None else None,
        "starts_at": _at(found.starts_at),
        "rules": found.rules,
        "seats": found.seats,
        "plan": found.plan or None,
        "lots_seed": found.lots_seed,
        "regulations": {
            "code": regulations.code,
            "version": regulations.version,
            "digest": regulations.digest,
            "body": regulations.body,
        },
    }


def _entries(found: Competition) -> list[Entry]:
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player").order_by("role", "slot")
    rows = found.entries.select_related("team__club", "player").prefetch_related(
        Prefetch("roster", spots, to_attr="now")
    )
    return list(rows.order_by("seed", "pk"))


def _entry(entry: Entry) -> Json:
    club = entry.team.club if entry.team is not None else None
    spots: Sequence[RosterSpot] = entry.now  # type: ignore[attr-defined]
    return {
        "id": entry.slug,
        "name": str(entry),
        "club": club.name if club is not None else None,
        "seed": entry.seed,
        "state": entry.state,
        "reason": entry.reason,
        "final_rank": entry.final_rank,
        "players": [{"id": spot.player.slug, "name": spot.player.display_name, "role": spot.role} for spot in spots],
    }


def _stages(found: Competition, played: Sequence[MatchView], slugs: Mapping[int, str]) -> list[Json]:
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
                    "matches": [_match(view, slugs, sources.get(view.match.pk)) for view in by_round[row.pk]],
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
                "points": _number(line.row.points.value),
                "played": line.row.played,
                "wins": line.row.wins,
                "ties": line.row.ties,
                "losses": line.row.losses,
                "margin": _number(line.row.margin.value),
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


def _match(view: MatchView, slugs: Mapping[int, str], sources: list[Json] | None) -> Json:
    match, result = view.match, view.effective
    return {
        "id": match.slug,
        "number": match.number,
        "label": match.label or None,
        "state": match.state,
        "starts_at": _at(match.starts_at),
        "decided_at": _at(match.decided_at),
        "best_of": match.best_of,
        "play_all": match.mode == Match.Mode.PLAY_ALL,
        "sides": [slugs[side.entry_id] if side.entry_id is not None else None for side in view.sides],
        "sources": sources,
        "advances": advancing_of(match).winner if sources is not None else None,
        "result": None
        if result.state == "open"
        else {
            "counts": view.is_decided,
            "fact": result.fact,
            "cause": result.cause,
            "ruled": result.ruled,
            "sides": [{"outcome": made.outcome, "games": made.games, "margin": made.margin} for made in result.sides],
        },
        "versions": [_version(row, _in_force(row, match)) for row in match.versions.all()],
        "effects": [
            {
                "ruling": row.ruling,
                "kind": row.kind,
                "after": row.after,
                "game": row.game_number,
                "position": row.position,
                "entry": slugs.get(row.entry_id) if row.entry_id is not None else None,
                "amount": row.amount,
                "sheet": row.sheet,
                "keeps_place": row.keeps_place,
            }
            for row in match.effects.all()
        ],
        # The hash of a game that is not over is not written yet.
        "games": [
            {"number": row.number, "id": row.game.slug, "record_hash": row.record_hash or None} for row in view.games
        ],
    }


def _in_force(row: ResultVersion, match: Match) -> bool:
    """Return whether a version is in the fold: signed as the rules require, and not of a replay that was called off."""
    ordered = row.order_id is None or any(effect.pk == row.order_id for effect in match.effects.all())
    return ordered and counts(row, match.sides)


def _version(row: ResultVersion, in_force: bool) -> Json:
    """Return a version. What one captain has reported and the other has not signed is known to the two alone."""
    return {
        "version": row.version,
        "counts": in_force,
        "game": row.game_number,
        "fact": row.fact,
        "source": row.source,
        "reason": row.reason if in_force else "",
        "sheet": row.sheet if in_force else None,
        "lines": [
            {"position": line.position, "outcome": line.outcome, "place": line.place, "margin": line.margin}
            for line in row.lines.all()
            if in_force
        ],
        "recorded_at": _at(row.recorded_at),
        "previous_hash": row.prev_hash,
        "hash": row.hash,
    }


def _rulings(found: Competition) -> list[Json]:
    """Return the rulings as the public book has them, by their codes; their texts are on the page of the case."""
    cases = [book.view(case) for case in book.publishable().filter(competition=found)]
    return [
        {
            "id": ruling.ref,
            "match": case.match.slug,
            "level": ruling.level,
            "outcome": ruling.outcome,
            "infraction": ruling.row or None,
            "penalty": ruling.penalty or None,
            "penalty_table": ruling.table_version,
            "rules": list(ruling.rules),
            "signed_at": _at(ruling.signed_at),
            "superseded_by": ruling.superseded or None,
        }
        for case in cases
        for ruling in case.rulings
    ]


def _rating_changes(played: Sequence[MatchView]) -> list[Json]:
    """Return what the games of the matches changed in the ratings that the boards show now."""
    sources = {str(game.game_id): (view.match.slug, game.number) for view in played for game in view.games}
    for view in played:
        # As competitions name the games of a paper: by match and number, and by the order where one was played again.
        orders = ["", *(f":{effect.pk}" for effect in view.match.effects.all())]
        for number in range(1, view.match.best_of + 1):
            sources |= {f"{ON_PAPER}{view.match.slug}:{number}{order}": (view.match.slug, number) for order in orders}
    changes = (
        RatingChange.objects.filter(
            source__in=list(sources), generation__state=Generation.State.LIVE, subject__listed=True
        )
        .select_related("result__ladder")
        .prefetch_related("subject__members")
        .order_by("completed_at", "source", "subject__kind", "subject__key")
    )
    return [
        {
            "match": sources[row.source][0],
            "game": sources[row.source][1],
            "ladder": row.result.ladder.key,
            "players": sorted(player.slug for player in row.subject.members.all()),
            "before": row.score_before,
            "after": row.score_after,
        }
        for row in changes
    ]


def _at(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


def _number(value: Fraction) -> int | str:
    """Return a whole number, or an exact fraction such as "5/2"."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
