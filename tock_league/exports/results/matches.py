"""A match of an open results file: its sides, its result in force, and every version that led to it."""

from collections.abc import Mapping

from tock_league.competitions.core.effective import Side
from tock_league.competitions.models import Match, ResultLine, ResultVersion
from tock_league.competitions.selectors.results.effective import advancing_of, counts
from tock_league.competitions.selectors.rounds.matches import MatchView

from .values import Json, instant


def of(view: MatchView, slugs: Mapping[int, str], sources: list[Json] | None) -> Json:
    """Return a match. `sources`: from where its seats are filled in a bracket, by position; None outside of brackets."""
    match, result = view.match, view.effective
    return {
        "id": match.slug,
        "number": match.number,
        "label": match.label or None,
        "state": match.state,
        "starts_at": instant(match.starts_at),
        "decided_at": instant(match.decided_at),
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
            "sides": [_side(made) for made in result.sides],
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


def _side(made: Side) -> Json:
    """Return a side of a result, with what it scored under a time cap."""
    told: Json = {"outcome": made.outcome, "games": made.games, "margin": made.margin}
    return told if made.scored is None else told | {"scored": made.scored}


def _capped(line: ResultLine) -> Json:
    return {} if line.scored is None else {"scored": line.scored, "counted": line.counted}


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
            {
                "position": line.position,
                "outcome": line.outcome,
                "place": line.place,
                "margin": line.margin,
                **_capped(line),
            }
            for line in row.lines.all()
            if in_force
        ],
        "recorded_at": instant(row.recorded_at),
        "previous_hash": row.prev_hash,
        "hash": row.hash,
    }


def _in_force(row: ResultVersion, match: Match) -> bool:
    """Return whether a version is in the fold: signed as the rules require, and not of a replay that was called off."""
    ordered = row.order_id is None or any(effect.pk == row.order_id for effect in match.effects.all())
    return ordered and counts(row, match.sides)
