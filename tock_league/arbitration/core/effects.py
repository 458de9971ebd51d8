"""Derives the effects of a decision: at the table, on the result, and on the player.

One infraction has at most one effect of a type on a target: an effect asked for twice (as measure and as penalty) is
done once, and of several effects of one root act only the most severe counts. Source: docs/arbitration.md, "Signing".
"""

from dataclasses import dataclass
from typing import Final

from .decisions import UPHELD, Decision, Setting, penalty_of

TABLE: Final = frozenset({"blind_burn", "touch", "rewind", "clock", "table_forfeit"})
RESULT: Final = frozenset({"result", "void", "replay", "forfeit_game", "forfeit_match", "points", "paper", "no_show"})
PERSON: Final = frozenset({"caution", "warning", "exclusion", "suspension", "ban", "owed_burn"})
TYPES: Final = TABLE | RESULT | PERSON


@dataclass(frozen=True, slots=True)
class PlannedEffect:
    """One planned effect."""

    type: str  # one of TYPES
    target: str  # "player:7", "entry:3", "game:12", "match:5" or "seat:2"
    amount: int = 0  # points or milliseconds; for a rewind, the seq
    position: int | None = None  # the side concerned
    game_number: int | None = None  # None for the whole match
    days: int = 0  # of a suspension
    card: str = ""  # what a touch binds, in notation; `marble` likewise
    marble: str = ""
    sheet: tuple[tuple[int | None, ...], ...] = ()  # of a corrected score: as in the decision


@dataclass(frozen=True, slots=True)
class Scene:
    """The ids that effects name."""

    match: int
    game: int | None  # the game that the case is about
    game_number: int | None  # of that game in its match
    seat_of: dict[int, int]  # by player
    position_of: dict[int, int]  # by player
    entry_of: dict[int, int]  # by position


def plan(decision: Decision, setting: Setting, scene: Scene) -> tuple[PlannedEffect, ...]:
    """Return the effects of a decision that has no fault, in the order in which they are carried out."""
    found = [*_measures(decision, scene), *_penalties(decision, setting, scene), *_results(decision, scene)]
    once: dict[tuple[str, str], PlannedEffect] = {}
    for effect in found:
        once.setdefault((effect.type, effect.target), effect)
    return tuple(once.values())


def _measures(decision: Decision, scene: Scene) -> list[PlannedEffect]:
    game = f"game:{scene.game}"
    found = []
    for remedy in (
        "rewind",
        "touch",
        "blind_burn",
        "clock",
    ):  # rewind first: the card is burned in the restored position
        if remedy not in decision.remedies:
            continue
        if remedy == "rewind":
            found.append(PlannedEffect("rewind", game, amount=decision.rewind_to or 0))
        elif remedy == "clock":
            found.append(PlannedEffect("clock", f"seat:{decision.clock_seat}", amount=decision.clock_ms))
        elif decision.offender is not None and decision.offender in scene.seat_of:
            seat = f"seat:{scene.seat_of[decision.offender]}"
            bound = remedy == "touch"
            found.append(
                PlannedEffect(
                    remedy, seat, card=decision.card if bound else "", marble=decision.marble if bound else ""
                )
            )
    return found


def _penalties(decision: Decision, setting: Setting, scene: Scene) -> list[PlannedEffect]:
    if decision.outcome != UPHELD or decision.offender is None:
        return []
    penalty, player = penalty_of(decision, setting), f"player:{decision.offender}"
    position = scene.position_of[decision.offender]
    entry = f"entry:{scene.entry_of.get(position, 0)}"
    # A match lost by ruling ends the running game, so its record is complete and becomes public.
    game = [PlannedEffect("table_forfeit", f"game:{scene.game}", position=position)] if setting.running else []
    match = [*game, PlannedEffect("forfeit_match", f"match:{scene.match}", position=position)]
    if penalty == "blind_burn":
        seated = setting.running and decision.offender in scene.seat_of
        return [
            PlannedEffect("blind_burn", f"seat:{scene.seat_of[decision.offender]}")
            if seated
            else PlannedEffect("owed_burn", player)
        ]
    if penalty in ("caution", "warning"):
        return [PlannedEffect(penalty, player)]
    if penalty == "warning_point":
        return [PlannedEffect("warning", player), PlannedEffect("points", entry, amount=-1, position=position)]
    if penalty == "game_forfeit":
        if setting.running:
            return game
        if scene.game_number is None:
            return match
        return [
            PlannedEffect("forfeit_game", f"game:{scene.game}", position=position, game_number=scene.game_number),
        ]
    if penalty == "match_forfeit":
        return match
    if penalty == "exclusion":
        return [*match, PlannedEffect("exclusion", entry, position=position)]
    if penalty == "suspension":
        return [*match, PlannedEffect("suspension", player, days=setting.suspension_days)]
    if penalty == "ban":
        return [*match, PlannedEffect("ban", player)]
    return []


def _results(decision: Decision, scene: Scene) -> list[PlannedEffect]:
    if not decision.result:
        return []
    if decision.result == "paper":
        return [PlannedEffect("paper", f"match:{scene.match}", sheet=decision.sheet)]
    if decision.result == "no_show":
        return [PlannedEffect("no_show", f"match:{scene.match}", position=decision.absent)]
    whole = decision.game_number is None
    target = f"match:{scene.match}" if whole else f"match:{scene.match}:{decision.game_number}"
    return [PlannedEffect(decision.result, target, position=decision.winner, game_number=decision.game_number)]
