"""Evaluate many methods in one pass over a log, and compare what they predicted."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ratings.core.engines import RatingEngine, engine_for
from ratings.core.params import Params
from ratings.core.recompute import Entry

from .measures import FEW_GAMES, FEW_SIDES, Measures
from .others import ELO_K, Elo, Glicko, OpenSkill
from .own import OwnMethod, Predictor, Synergy

FOUR = ("players", "nothing", "synergy", "seeded")  # the models of section 1 of the design
SWEPT = ("beta", "tau", "idle_per_day", "synergy")
FACTORS = (0.5, 0.71, 1.41, 2.0)  # of the value evaluated
NEAR = 0.006  # most that the method may be behind the best of the four models
WITHIN = 0.03  # most that a tenth may differ
ENOUGH = 5000  # games, for the judgement of the tenths


class Named:
    """A predictor with one name, under another name: the same method with other parameters."""

    def __init__(self, name: str, inner: Predictor) -> None:
        self.names = (name,)
        self._inner = inner
        self.play, self.other = inner.play, inner.other


def predictors(params: Params, teams: int, *, sweep: bool) -> list[Predictor]:
    """Return every method that can predict games of so many teams. `sweep`: also with each parameter changed alone."""
    found: list[Predictor] = [OwnMethod(engine_for(params)), *(Elo(k) for k in ELO_K)]
    if teams == 2:
        found += [Synergy(params), Glicko()]
    with suppress(ImportError):
        found.append(OpenSkill())
    if sweep:
        for field in SWEPT:
            for factor in FACTORS if getattr(params, field) else ():
                value = getattr(params, field) * factor
                engine = engine_for(replace(params, **{field: value}))
                found.append(Named(f"{field}={value!r}", OwnMethod(engine, ("seeded",))))
    return found


def evaluate(entries: Iterable[Entry], methods: Sequence[Predictor]) -> dict[str, Measures]:
    """Return the measures of every method by its name, after one pass over `entries` in the order of the log.

    Every method predicts a game before it learns who won it. `entries`: those in force; games that are not rated are
    left out. Memory grows with the number of players and pairs, not with that of games.
    """
    found = {name: Measures() for method in methods for name in method.names}
    for entry in entries:
        if entry.kind != "result":
            for method in methods:
                method.other(entry)
        elif entry.rated:
            for method in methods:
                for name, chances in zip(method.names, method.play(entry), strict=True):
                    found[name].add(chances, entry.ranks)
    return found


def best_elo(found: dict[str, Measures]) -> str:
    """Return the name of the Elo whose K was best on these games: chosen with hindsight, in favour of Elo."""
    return min((name for name in found if name.startswith("elo:")), key=lambda name: found[name].loss)


def summary(found: dict[str, Measures], engine: RatingEngine) -> dict[str, Any]:
    """Return the figures of an evaluation as JSON values: methods, tenths of the method in use, sweeps, goals."""
    elo = best_elo(found)
    shown = [name for name in (*reversed(FOUR), "rank", elo, "glicko", "openskill") if name in found]
    own = found["seeded"]
    return {
        "games": own.games,
        "methods": [
            {
                "name": name.partition(":")[0],
                "k": float(name.partition(":")[2]) if name == elo else None,
                "loss": found[name].mean_loss,
                "brier": found[name].mean_brier,
                "right": found[name].share_right,
            }
            for name in shown
        ],
        "tenths": [
            {"sides": tenth.sides, "expected": tenth.mean_expected, "won": tenth.share_won} for tenth in own.tenths
        ],
        "sweeps": [
            {
                "field": field,
                "now": getattr(engine.params, field),
                "losses": [
                    {"value": float(name.partition("=")[2]), "loss": found[name].mean_loss}
                    for name in found
                    if name.startswith(f"{field}=")
                ],
            }
            for field in SWEPT
            if any(name.startswith(f"{field}=") for name in found)
        ],
        "goals": goals(found),
    }


def goals(found: dict[str, Measures]) -> dict[str, bool | None]:
    """Return whether the goals of R9 are met; None where there are too few games to say.

    `near_best`: within NEAR of the best of the four models; `beats_elo` and `beats_rank`: a smaller log loss;
    `calibrated`: every tenth of FEW_SIDES or more within WITHIN, on ENOUGH games.
    """
    own = found["seeded"]
    few = own.games < FEW_GAMES
    best = min(found[name].mean_loss for name in FOUR if name in found)
    worst = own.worst_tenth()
    return {
        "near_best": None if few else own.mean_loss <= best + NEAR,
        "beats_elo": None if few else own.loss < found[best_elo(found)].loss,
        "beats_rank": None if few else own.loss < found["rank"].loss,
        "calibrated": None if own.games < ENOUGH or worst is None else worst <= WITHIN,
    }


__all__ = ["FEW_GAMES", "FEW_SIDES", "best_elo", "evaluate", "goals", "predictors", "summary"]
