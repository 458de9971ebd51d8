"""From the cleaned values of the forms of new events to what the services take, for the pages and the API."""

from typing import Any

from ..core.corrections import EVENT_S, LEAGUE_S, REPLAY
from ..core.plan import TournamentPlan
from ..models import Competition, Regulations
from ..selectors.seasons.shapes import Shape
from ..services.seasons import regulations
from .caps import tiebreaks_of
from .fields import PLACES

# Fields of the services that stand under another name in the form; `rounds` there are those of a game.
FORM_FIELDS = {"pause_s": "pause", "plan": None, "best_of": "best_of_group", "rounds": "game_rounds"}


def values_of(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return what `tournaments.create_tournament` and `edit` take, from the form's cleaned values; without the club."""
    same = ("name", "plan", "size", "bots_allowed", "starts_at", "entries_close_at", "check_in_from", "check_in_until")
    return {name: chosen[name] for name in same} | {
        **PLACES[chosen["place"]]._asdict(),
        "seeding": chosen["seeding"],
        "regulations": _regulations(chosen),
    }


def _regulations(chosen: dict[str, Any]) -> Regulations:
    plan: TournamentPlan = chosen["plan"]
    return regulations.freeze(
        code=f"tournament-{plan.kind}".replace("_", "-"),
        rules=chosen["rules"].rules,
        seats=chosen["rules"].seats,
        best_of=chosen["best_of_group"],
        rounds=chosen["game_rounds"],
        clocks=regulations.STANDARD_CLOCKS if chosen["clocks"] else None,
        tiebreaks=tiebreaks_of(chosen, plan.tiebreaks),
        cap=chosen["capped"],
        referee_wait_s=chosen["referee_wait"],
        correction_s=None if chosen["correction"] == EVENT_S else chosen["correction"],
        later=chosen["later"] or REPLAY,
    )


def changed(found: Competition, chosen: dict[str, Any]) -> Regulations:
    """Return the regulations of a league or club night with the form's values; what the form does not ask stays."""
    old, shape = found.regulations, chosen["rules"]
    usual = LEAGUE_S if found.kind == Competition.Kind.LEAGUE else EVENT_S
    kept = {key: old.body[key] for key in ("play_all", "margin_cap", "referee_wait_s") if key in old.body}
    # Those that the cap brought are put in anew.
    before = tuple(key for key in old.body["tiebreaks"] if key != "scored")
    clocks = regulations.STANDARD_CLOCKS if old.body.get("clocks") is None else old.body["clocks"]
    return regulations.freeze(
        **kept,
        code=old.code,
        rules=shape.rules,
        seats=shape.seats,
        best_of=chosen["best_of"],
        rounds=chosen["game_rounds"],
        points=old.points_rule,
        tiebreaks=before if chosen["capped"] is None and old.cap is None else tiebreaks_of(chosen, _usual(before)),
        cap=chosen["capped"],
        clocks=clocks if chosen["clocks"] else None,
        correction_s=None if chosen["correction"] == usual else chosen["correction"],
        later=old.later,
    )


def _usual(tiebreaks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tie-breaks in their usual order: those of a league where a cap has put the difference first."""
    usual = regulations.LEAGUE_TIEBREAKS
    return usual if set(tiebreaks) == set(usual) else tiebreaks


def frozen(code: str, chosen: dict[str, Any]) -> Regulations:
    """Return the regulations of a league or a club night (`code`), from the cleaned values of its form."""
    shape: Shape = chosen["rules"]
    usual = LEAGUE_S if code == "league" else EVENT_S
    return regulations.freeze(
        code=code,
        rules=shape.rules,
        seats=shape.seats,
        best_of=chosen["best_of"],
        rounds=chosen["game_rounds"],
        clocks=regulations.STANDARD_CLOCKS if chosen["clocks"] else None,
        correction_s=None if chosen["correction"] == usual else chosen["correction"],
        tiebreaks=tiebreaks_of(chosen, regulations.LEAGUE_TIEBREAKS),
        cap=chosen["capped"],
    )
