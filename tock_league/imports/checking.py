"""Checks a whole file: what it refers to, that it is over, and that its results give what it says."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from games.selectors import rule_sets
from tock_league.common.errors import Refused
from tock_league.competitions.core.caps import Cap, CapError
from tock_league.competitions.core.effective import Effective
from tock_league.competitions.core.format import FormatError
from tock_league.competitions.core.registry import formats
from tock_league.competitions.core.scoring import PointsRule
from tock_league.competitions.core.sheets import SHORT, counted_row
from tock_league.competitions.core.tiebreaks import SUPPORTED
from tock_league.competitions.models import Competition, Regulations
from tock_league.competitions.selectors.seasons.counting import most_of

from . import rankings, results
from .rankings import Entries, Tables
from .wrong import same, told, wrong

Json = dict[str, Any]
OVER = ("finished", "archived")
SEATS = (4, 6, 8)
Results = dict[str, Effective]  # by the match's identifier


def check(data: Json) -> Results:
    """Return the result of every match of a file from `reading.read`. Raise Refused naming the first thing that is wrong."""
    entries, competition = _entries(data), _competition(data["event"])
    found: Results = {}
    tables: Tables = {}
    reached: list[tuple[int, int]] | None = None
    for place, stage in enumerate(data["stages"]):
        path = f"$.stages[{place}]"
        same(f"{path}.number", stage["number"], place + 1)
        known = formats()
        if stage["format"] not in known:
            raise wrong(f"{path}.format", _("expected is one of %(values)s.") % {"values": told(sorted(known))})
        before = {group: rows for (number, group), rows in tables.items() if number == place}
        reached = None
        for position, group in enumerate(stage["groups"]):
            here = f"{path}.groups[{position}]"
            same(f"{here}.number", group["number"], position + 1)
            played = _played(here, group, competition, entries, found)
            if known[stage["format"]].is_bracket:
                same(f"{here}.table", group["table"], None)
                reached = _reached(here, group, entries, place, before)
            elif group["table"] is None:
                raise wrong(f"{here}.table", _("a stage with a table has one."))
            else:
                tables[stage["number"], group["number"]] = _table(here, group, competition, entries, played)
    if not found:
        raise wrong("$.stages", _("the event has no match."), code="not_over")
    rankings.final_ranks(data, entries, tables, reached)
    return found


def _entries(data: Json) -> Entries:
    if data["event"]["state"] not in OVER:
        raise wrong("$.event.state", _("only an event that is over is imported."), code="not_over")
    seen: set[str] = set()
    for place, row in enumerate(data["entries"]):
        if row["id"] in seen:
            raise wrong(f"$.entries[{place}].id", _("this identifier is there twice."))
        seen.add(row["id"])
    return Entries(data["entries"])


def _competition(event: Json) -> Competition:
    """Return the event's settings as the arithmetic asks them, of a competition that is never saved."""
    body = event["regulations"]["body"]
    if not rule_sets.is_played(event["rules"]):
        known = ", ".join(one.id for one in rule_sets.offered())
        raise wrong("$.event.rules", _("expected is one of %(values)s.") % {"values": known})
    if event["seats"] not in SEATS:
        raise wrong("$.event.seats", _("expected is one of %(values)s.") % {"values": told(SEATS)})
    tiebreaks = body["tiebreaks"]
    for place, key in enumerate(tiebreaks):
        if key not in SUPPORTED or key in tiebreaks[:place]:
            here, values = f"$.event.regulations.body.tiebreaks[{place}]", ", ".join(SUPPORTED)
            raise wrong(here, _("expected is one of %(values)s, each once.") % {"values": values})
    PointsRule(**body["points"])
    try:
        Cap.read(body["cap"]) if "cap" in body else None
    except (TypeError, ValueError) as error:
        raise wrong("$.event.regulations.body.cap", _("there is no such time cap.")) from error
    regulations = Regulations(code=event["regulations"]["code"][:40], version=1, body=body)
    return Competition(
        regulations=regulations, rules=event["rules"], lots_seed=event["lots_seed"], seats=event["seats"]
    )


def _played(
    path: str, group: Json, competition: Competition, entries: Entries, found: Results
) -> list[tuple[Json, int, Effective]]:
    """Return the group's matches, the number of their round and their results, which `found` gets too."""
    made = []
    last = 0
    for place, row in enumerate(group["rounds"]):
        here = f"{path}.rounds[{place}]"
        if row["number"] <= last:
            raise wrong(f"{here}.number", _("rounds are in the order of their numbers."))
        last = row["number"]
        busy = [bye["entry"] for bye in row["without_match"]]
        for number, match in enumerate(row["matches"]):
            inside = f"{here}.matches[{number}]"
            if match["id"] in found:
                raise wrong(f"{inside}.id", _("this identifier is there twice."))
            found[match["id"]] = results.checked(inside, match, entries.numbers)
            _counted(inside, match, competition)
            made.append((match, row["number"], found[match["id"]]))
            busy += [one for one in match["sides"] if one is not None]
        if len(busy) != len(set(busy)):
            raise wrong(here, _("an entry is in a round once."))
    return made


def _counted(path: str, match: Json, competition: Competition) -> None:
    """Raise Refused where a paper under a time cap says another result than its counts give."""
    cap = competition.cap
    for part in ("versions", "effects"):
        for place, row in enumerate(match[part]):
            for game in row["sheet"] or ():
                if cap is None and len(game) == SHORT:
                    continue
                try:
                    fits = cap is not None and counted_row(game, cap, most_of(cap, competition)) == list(game)
                except (CapError, ValueError):
                    fits = False
                if not fits:
                    here = f"{path}.{part}[{place}].sheet"
                    raise wrong(here, _("a game under a time cap has counts, and the result that they give."))


def _reached(path: str, group: Json, entries: Entries, stage: int, before: Any) -> list[tuple[int, int]]:
    try:
        return rankings.bracket(path, group, entries, stage, before)
    except (FormatError, KeyError, ValueError) as error:
        raise wrong(path, _("this is no bracket: %(why)s.") % {"why": error}) from error


def _table(path: str, group: Json, competition: Competition, entries: Entries, played: Any) -> Any:
    try:
        return rankings.table(path, group, competition, entries, played)
    except Refused:
        raise
    except ValueError as error:
        raise wrong(f"{path}.table", str(error)) from error
