"""The decision of a referee as one plain value, from the form to the signature, and its validator.

Pure functions without database access: the service turns a `Fault` into a refusal with its sentence.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tock_league.common.canonical import ascii_digest

from .penalties import ENDS_THE_GAME, HEAD_ONLY, NONE, REMEDIES, SEVERITY, Infraction

UPHELD, DISMISSED, REFEREE_ERROR = "upheld", "dismissed", "referee_error"
ENTRY_ERROR: Final = "entry_error"  # the result entered was wrong, or entered for who may not play; nobody is at fault
OUTCOMES: Final = (UPHELD, DISMISSED, REFEREE_ERROR, ENTRY_ERROR)
ENTERED: Final = ("paper", "no_show")  # only for a case about a result that people entered
RESULTS: Final = ("", "result", "void", "replay", *ENTERED)
TEXTS: Final = ("facts", "reasons", "deviation_reason")
FACTS_LENGTH, REASONS_LENGTH, NOTE_LENGTH, RULE_LENGTH, RULES_MOST = 1000, 2000, 280, 40, 6
CLOCK_MOST_MS: Final = 600_000


@dataclass(frozen=True, slots=True)
class Decision:
    """A ruling before it is signed."""

    outcome: str  # one of OUTCOMES
    row: str = ""  # the code of a row of the penalty table; "" unless upheld
    offender: int | None = None  # a player's id
    remedies: tuple[str, ...] = ()  # measures at the running table, from penalties.REMEDIES
    penalty: str = ""  # "" is the standard of the row's step; another one is a deviation
    deviation_reason: str = ""  # required for a deviation, and where a measure that is due is left out
    card: str = ""  # what a touch binds, in notation; `marble` likewise
    marble: str = ""
    rewind_to: int | None = None  # a seq of the record
    clock_seat: int | None = None
    clock_ms: int = 0  # the time given, in milliseconds; negative if taken
    result: str = ""  # a corrected result, one of RESULTS; "" for no correction
    # Of `paper`: the games as (winner's position or None, margin); under a time cap as (None, 0, count, count).
    sheet: tuple[tuple[int | None, ...], ...] = ()
    absent: int | None = None  # of `no_show`: the position that did not come; None for both
    game_number: int | None = None  # the game that `result` corrects; None for the match
    winner: int | None = None  # the position that wins by `result`
    rules: tuple[str, ...] = ()  # sections of the rules page
    facts: str = ""  # published, as are the reasons
    reasons: str = ""
    fault: str = "own"  # the party at fault: "own", "other" or "referee"; input of the advancement policy
    about: str = ""  # what a claim that is not upheld was about: a kind of case; "" for the kind of the case itself

    def body(self) -> dict[str, Any]:
        """Return the decision as JSON values; the texts by their SHA-256."""
        body = asdict(self) | {"remedies": list(self.remedies), "rules": list(self.rules)}
        # Left out where they say nothing, so that the digests of older decisions stay valid.
        if body["absent"] is None:
            del body["absent"]
        if not self.sheet:
            del body["sheet"]
        else:
            body["sheet"] = [list(game) for game in self.sheet]
        for name in TEXTS:
            body[name] = hashlib.sha256(body[name].strip().encode()).hexdigest()
        return body

    @classmethod
    def of_body(cls, body: Mapping[str, Any], texts: Mapping[str, str]) -> "Decision":
        """Return the decision whose `body` and texts these are."""
        named = {name: texts.get(name, "") for name in TEXTS}
        sheet = tuple(tuple(game) for game in body.get("sheet", ()))
        lists = {"remedies": tuple(body["remedies"]), "rules": tuple(body["rules"]), "sheet": sheet}
        return cls(**{**body, **named, **lists})

    def digest(self) -> str:
        """Return the SHA-256, hex, of the canonical JSON that would be signed."""
        return ascii_digest(self.body())


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a decision cannot be signed: a code for programs and the form field at fault."""

    code: str
    field: str


@dataclass(frozen=True, slots=True)
class Setting:
    """The facts against which a decision is checked."""

    row: Infraction | None  # of the penalty table, or None
    step: int  # of the row, from 1
    running: bool  # whether the game is unfinished
    players: frozenset[int]  # the ids of both sides' players
    head: bool  # whether the head referee signs
    seats: int = 4  # how many, as `sides` and `games`
    sides: int = 2
    games: int = 1
    rewinds: frozenset[int] = frozenset()  # the seqs to which play may be taken back: at most one turn
    played: frozenset[int] = frozenset()  # the numbers of the games that have a result
    suspension_days: int = 0  # of the table in force, as `penalties`
    seated: frozenset[int] = frozenset()  # the ids of the players at the table
    penalties: frozenset[str] = frozenset(SEVERITY)
    claims: frozenset[str] = frozenset()  # the kinds of case whose claims the decision answers
    entered: bool = False  # whether the case is about a result that people entered
    on_paper: bool = False  # whether the competition takes scores on paper


def penalty_of(decision: Decision, setting: Setting) -> str:
    """Return the penalty that the decision gives: its own, or the standard of the row's step; NONE without a row."""
    if decision.outcome != UPHELD or setting.row is None:
        return NONE
    return decision.penalty or setting.row.steps[setting.step - 1].penalty


def deviates(decision: Decision, setting: Setting) -> bool:
    """Return whether the penalty is another one than the table's step gives."""
    if decision.outcome != UPHELD or setting.row is None:
        return False
    return not setting.row.steps[setting.step - 1].allows(penalty_of(decision, setting))


def left_out(decision: Decision, setting: Setting) -> tuple[str, ...]:
    """Return the measures that the row demands and the decision leaves out.

    None is demanded where it cannot be taken: the game is over or ends by this ruling, or the player has no seat.
    """
    if decision.outcome != UPHELD or setting.row is None or not setting.running:
        return ()
    penalty = penalty_of(decision, setting)
    if penalty in ENDS_THE_GAME or decision.offender not in setting.seated:
        return ()
    return tuple(measure for measure in setting.row.due if measure not in (*decision.remedies, penalty))


def needs_head(decision: Decision, setting: Setting) -> bool:
    """Return whether only a head referee may sign: a deviation, points or a forfeit and more, a changed result, or a
    measure left out that is due."""
    return (
        deviates(decision, setting)
        or bool(left_out(decision, setting))
        or penalty_of(decision, setting) in HEAD_ONLY
        or bool(decision.result)
    )


def fault(decision: Decision, setting: Setting) -> Fault | None:
    """Return the first fault that keeps the decision from being signed, or None."""
    return (
        _wording(decision)
        or _entered(decision, setting)
        or _penalty(decision, setting)
        or _remedies(decision, setting)
        or _result(decision, setting)
        or _authority(decision, setting)
    )


def _wording(decision: Decision) -> Fault | None:
    if decision.outcome not in OUTCOMES:
        return Fault("outcome", "outcome")
    for name, most in (("facts", FACTS_LENGTH), ("reasons", REASONS_LENGTH), ("deviation_reason", REASONS_LENGTH)):
        text = getattr(decision, name).strip()
        if len(text) > most:
            return Fault("text_long", name)
        if not text and name != "deviation_reason":
            return Fault(f"{name}_missing", name)
    if len(decision.rules) > RULES_MOST or any(not rule or len(rule) > RULE_LENGTH for rule in decision.rules):
        return Fault("rules", "rules")
    if decision.fault not in ("own", "other", "referee"):
        return Fault("fault", "fault")
    return None


def _entered(decision: Decision, setting: Setting) -> Fault | None:
    """Check what only a case about an entered result allows."""
    if decision.outcome == ENTRY_ERROR:
        if not setting.entered:
            return Fault("outcome", "outcome")
        if not decision.result:
            return Fault("result_missing", "result")
    if decision.result in ENTERED and not setting.entered:
        return Fault("result_kind", "result")
    if decision.result == "paper":
        if not setting.on_paper:
            return Fault("result_kind", "result")
        if not decision.sheet:
            return Fault("sheet", "sheet")
    if decision.result == "no_show" and decision.absent is not None and not 0 <= decision.absent < setting.sides:
        return Fault("absent", "absent")
    if setting.entered and decision.game_number is not None:
        return Fault("game_number", "game_number")  # a result that was entered is that of the whole match
    return None


def _penalty(decision: Decision, setting: Setting) -> Fault | None:
    if decision.outcome != UPHELD:
        # Referee error and a dismissed claim carry no penalty, so the measure must cost neither side anything.
        return Fault("row", "row") if decision.row or decision.penalty or decision.offender is not None else None
    if setting.row is None:
        return Fault("row", "row")
    if decision.offender is None or decision.offender not in setting.players:
        return Fault("offender", "offender")
    if decision.penalty and decision.penalty not in setting.penalties:
        return Fault("penalty", "penalty")
    if not decision.rules:
        return Fault("rules", "rules")
    return None


def _remedies(decision: Decision, setting: Setting) -> Fault | None:
    wanted = decision.remedies
    if len(set(wanted)) != len(wanted) or set(wanted) - set(REMEDIES):
        return Fault("remedy", "remedies")
    if wanted and not setting.running:
        return Fault("game_over", "remedies")
    allowed = setting.row.remedies if setting.row is not None else ("rewind", "clock")
    if wanted and (decision.outcome == DISMISSED or set(wanted) - set(allowed) - {"clock"}):
        return Fault("remedy_not_in_row", "remedies")
    if {"touch", "blind_burn"} & set(wanted) and decision.offender not in setting.seated:
        return Fault("offender_seat", "offender")
    if "touch" in wanted and not (decision.card or decision.marble):
        return Fault("remedy_touch", "marble")
    if "rewind" in wanted and decision.rewind_to not in setting.rewinds:
        return Fault("remedy_rewind", "rewind_to")
    if "clock" in wanted:
        if decision.clock_seat is None or not 0 <= decision.clock_seat < setting.seats:
            return Fault("remedy_clock", "clock_seat")
        if not decision.clock_ms or abs(decision.clock_ms) > CLOCK_MOST_MS:
            return Fault("remedy_clock", "clock_ms")
    return None


def _result(decision: Decision, setting: Setting) -> Fault | None:
    if decision.result not in RESULTS:
        return Fault("result", "result")
    if not decision.result:
        return None
    if setting.running or decision.outcome == DISMISSED:
        return Fault("result", "result")
    if decision.outcome == REFEREE_ERROR and decision.result != "replay":
        return Fault("result_replay", "result")  # neither side has offended, so neither may lose points
    if decision.game_number is not None and decision.game_number not in setting.played:
        return Fault("game_number", "game_number")
    if decision.result == "result" and (decision.winner is None or not 0 <= decision.winner < setting.sides):
        return Fault("winner", "winner")
    return None


def _authority(decision: Decision, setting: Setting) -> Fault | None:
    if deviates(decision, setting) and not decision.deviation_reason.strip():
        return Fault("deviation_reason", "deviation_reason")
    if left_out(decision, setting):
        if not setting.head:
            return Fault("burn_due", "remedies")
        if not decision.deviation_reason.strip():
            return Fault("burn_reason", "deviation_reason")
    if needs_head(decision, setting) and not setting.head:
        return Fault("head_referee_needed", "penalty" if not decision.result else "result")
    return None
