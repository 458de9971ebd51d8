"""The result of each match, computed from the versions and effects of the file as the site does for its own matches."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.competitions.core.effective import Effective, Line, PlainEffect, Version, resolve
from tock_league.competitions.core.scoring import MatchResult, SideResult
from tock_league.competitions.core.sheets import lines_of
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.results.effective import going_forward
from tock_league.competitions.services.results.versions import FIRST

from .wrong import same, told, wrong

Json = dict[str, Any]
Numbers = Mapping[str, int]  # by the identifier of an entry
S = Match.State


def checked(path: str, match: Json, numbers: Numbers) -> Effective:
    """Return the match's result. Raise Refused where its versions are impossible or give another one than the file says."""
    sides = len(match["sides"])
    if not 2 <= sides <= 8:
        raise wrong(f"{path}.sides", _("a match has 2 to 8 sides."))
    seated = [one for one in match["sides"] if one is not None]
    if not set(seated) <= numbers.keys() or len(set(seated)) != len(seated):
        raise wrong(f"{path}.sides", _("the sides are entries of this file, each once."))
    if (match["label"] or "") not in Match.Label.values:
        raise wrong(f"{path}.label", _("expected is one of %(values)s.") % {"values": told(Match.Label.values)})
    if match["best_of"] not in range(1, 10, 2):
        raise wrong(f"{path}.best_of", _("expected is one of %(values)s.") % {"values": "[1, 3, 5, 7, 9]"})
    _chained(path, match)
    effects = effects_of(path, match, numbers)
    found = _resolved(path, match, effects)
    if found.state == "open":
        raise wrong(f"{path}.versions", _("the match has no result."), code="not_over")
    _compare(path, match, found)
    if match["sources"] is not None:
        same(f"{path}.advances", match["advances"], _resolved(path, match, going_forward(effects)).winner)
    return found


def advancing(path: str, match: Json, numbers: Numbers) -> Effective:
    """Return the result that decides places in a bracket."""
    return _resolved(path, match, going_forward(effects_of(path, match, numbers)))


def _resolved(path: str, match: Json, effects: list[PlainEffect]) -> Effective:
    sides = len(match["sides"])
    try:
        versions = [_version(row, sides) for row in match["versions"]]
        return resolve(versions, effects, sides=sides, best_of=match["best_of"], play_all=match["play_all"])
    except (IndexError, ValueError) as error:
        raise wrong(f"{path}.versions", str(error)) from error


def _version(row: Json, sides: int) -> Version:
    lines = tuple(
        Line(one["position"], one["outcome"], one["place"], one["margin"], one.get("scored"), one.get("counted"))
        for one in row["lines"]
    )
    return Version(
        number=row["version"],
        game=row["game"],
        fact=row["fact"],
        lines=lines,
        sheet=lines_of(row["sheet"] or (), sides),
        counts=row["counts"],
    )


def effects_of(path: str, match: Json, numbers: Numbers) -> list[PlainEffect]:
    """Return the effects of rulings and corrections on the match, in the order of signing."""
    made = []
    for place, row in enumerate(match["effects"]):
        here, sides = f"{path}.effects[{place}]", len(match["sides"])
        if row["entry"] is not None and row["entry"] not in numbers:
            raise wrong(f"{here}.entry", _("there is no such entry in this file."))
        try:
            sheet = lines_of(row["sheet"] or (), sides)
        except ValueError as error:
            raise wrong(f"{here}.sheet", str(error)) from error
        if row["position"] is not None and not 0 <= row["position"] < sides:
            raise wrong(f"{here}.position", _("the match has no such side."))
        made.append(
            PlainEffect(
                seq=place,
                kind=row["kind"],
                after=row["after"],
                game=row["game"],
                position=row["position"],
                entry=numbers[row["entry"]] if row["entry"] is not None else None,
                amount=row["amount"],
                keeps_place=row["keeps_place"],
                sheet=sheet,
                desk=row["ruling"].startswith("C-"),
            )
        )
    return made


def _chained(path: str, match: Json) -> None:
    """Raise Refused unless each version follows the one before: by its number, and by the hash that it names."""
    before = FIRST
    for place, row in enumerate(match["versions"]):
        same(f"{path}.versions[{place}].version", row["version"], place + 1)
        same(f"{path}.versions[{place}].previous_hash", row["previous_hash"], before)
        before = row["hash"]


def _compare(path: str, match: Json, found: Effective) -> None:
    given = match["result"]
    unplayed = found.fact not in ("played", "adjudicated", "forfeit")
    state = S.VOID if found.state == "void" else S.AWARDED if unplayed else S.CONFIRMED
    same(f"{path}.state", match["state"], str(state))
    if given is None:
        raise wrong(f"{path}.result", _("the match has a result."))
    expected = {"counts": state != S.VOID, "fact": found.fact, "cause": found.cause, "ruled": found.ruled}
    for key, value in expected.items():
        same(f"{path}.result.{key}", given[key], value)
    same(f"{path}.result.sides.length", len(given["sides"]), len(found.sides))
    for side in found.sides:
        for key in ("outcome", "games", "margin"):
            here = f"{path}.result.sides[{side.position}].{key}"
            same(here, given["sides"][side.position][key], getattr(side, key))
        here = f"{path}.result.sides[{side.position}].scored"
        same(here, given["sides"][side.position].get("scored"), side.scored)


def as_scored(number: int, key: int, match: Json, found: Effective, numbers: Numbers) -> MatchResult:
    """Return the result as tables count it. `number`: of the round; `key`: of the match among all."""
    sides = tuple(
        SideResult(numbers[one], made.outcome, made.games, made.margin, made.scored)
        for one, made in zip(match["sides"], found.sides, strict=True)
        if one is not None
    )
    return MatchResult(key, number, found.fact, sides)
