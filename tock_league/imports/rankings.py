"""Tables, brackets and final ranks of a file, computed by the site's own arithmetic and compared with what it says."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.competitions.core import bracket as brackets
from tock_league.competitions.core import groups as pools
from tock_league.competitions.core import progression
from tock_league.competitions.core.advancement import sent_on
from tock_league.competitions.core.effective import Effective, penalties
from tock_league.competitions.core.scoring import MatchResult, SideResult
from tock_league.competitions.core.standings import DISQUALIFIED, WITHDRAWN, StandingRow
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.rankings.ranking import BYES, Field, rank

from .results import advancing, as_scored, effects_of
from .wrong import same, wrong

Json = dict[str, Any]
OUT = {"withdrawn": WITHDRAWN, "disqualified": DISQUALIFIED}
TOLD = ("played", "wins", "ties", "losses")
OUTCOME = {brackets.WIN: "winner", brackets.LOSS: "loser"}
Tables = dict[tuple[int, int], tuple[StandingRow, ...]]  # by numbers of stage and group


class Entries:
    """The entries of a file: a number for each identifier, as the arithmetic wants them."""

    def __init__(self, rows: Sequence[Json]) -> None:
        self.rows = list(rows)
        self.numbers = {row["id"]: number for number, row in enumerate(rows, start=1)}
        self.names = {number: name for name, number in self.numbers.items()}
        self.away = {self.numbers[row["id"]]: OUT[row["state"]] for row in rows if row["state"] in OUT}


def table(
    path: str, group: Json, competition: Competition, entries: Entries, results: Sequence[tuple[Json, int, Effective]]
) -> tuple[StandingRow, ...]:
    """Return the group's table. Raise Refused where the file has another one.

    `results`: the group's matches with the number of their round and their results.
    """
    given = group["table"]
    members = _known(f"{path}.table.members", given["members"], entries)
    settled = _known(f"{path}.table.settled", [row["entry"] for row in given["settled"]], entries)
    matches = [match for match, _round, _found in results]
    effects = [one for match in matches for one in effects_of(path, match, entries.numbers)]
    taken = {one: points for one, points in penalties(effects).items() if one in members}
    same(f"{path}.table.points_taken", given["points_taken"], {entries.names[one]: n for one, n in taken.items()})
    field = Field(
        competition=competition,
        entries={number: Entry(slug=entries.names[number]) for number in members},
        out={number: way for number, way in entries.away.items() if number in members},
        byes=tuple(_byes(path, group, entries)),
        settled={one: row["how"] for one, row in zip(settled, given["settled"], strict=True)},
        taken=taken,
    )
    scored = [
        as_scored(number, key, match, found, entries.numbers)
        for key, (match, number, found) in enumerate(results, start=1)
        if found.state == "decided"
    ]
    rows = rank(field, scored)
    here = f"{path}.table.standings"
    same(f"{here}.length", len(given["standings"]), len(rows))
    for place, row in enumerate(rows):
        line = given["standings"][place]
        same(f"{here}[{place}].entry", line["entry"], entries.names[row.entry])
        expected = {"rank": row.rank, **{key: getattr(row, key) for key in TOLD}}
        expected |= {"points": _number(row.points.value), "margin": _number(row.margin.value)}
        if competition.regulations.cap is not None:
            expected["scored"] = _number(row.scored.value)
        expected["ahead_by"] = row.separated_by or None
        for key, value in expected.items():
            same(f"{here}[{place}].{key}", line.get(key), value)
    return rows


def bracket(
    path: str, group: Json, entries: Entries, stage: int, before: Mapping[int, tuple[StandingRow, ...]]
) -> list[tuple[int, int]]:
    """Return (rank, entry) of a bracket. Raise Refused for another shape, another seat, or a seat that nobody earned.

    `before`: the tables of the stage `stage` before it, by the number of the group; empty where there is none.
    """
    matches = [
        (f"{path}.rounds[{r}].matches[{m}]", one)
        for r, row in enumerate(group["rounds"])
        for m, one in enumerate(row["matches"])
    ]
    third = any(one["label"] == "third_place" for _path, one in matches)
    shape = brackets.single_elimination(max(len(matches) - third + 1, 2), third)
    same(f"{path}.rounds.length", sum(len(row["matches"]) for row in group["rounds"]), len(shape.nodes))
    starts = _starts(shape, entries, matches, stage, before)
    feeds = {(edge.target, edge.position): edge for edge in shape.edges}
    spots: dict[int, progression.Spot] = {}
    for node, (here, match) in zip(shape.nodes, matches, strict=True):
        same(f"{here}.label", match["label"], node.label or None)
        same(f"{here}.sides.length", len(match["sides"]), 2)
        if match["sources"] is None or len(match["sources"]) != 2:
            raise wrong(f"{here}.sources", _("a match of a bracket says where its two seats are filled from."))
        for position, seed in enumerate(node.seeds):
            source = starts[seed] if seed is not None else None
            if source is None:
                edge = feeds[node.number, position]
                source = {"match": matches[edge.source - 1][1]["id"], "outcome": OUTCOME[edge.outcome]}
            same(f"{here}.sources[{position}]", match["sources"][position], source)
            earned = _earned(source, match["sides"][position], spots, matches, entries, before)
            same(f"{here}.sides[{position}]", match["sides"][position], earned)
        spots[node.number] = _spot(node.number, here, match, entries)
    return list(progression.final_ranks(shape, spots))


def _starts(
    shape: brackets.Bracket,
    entries: Entries,
    matches: Sequence[tuple[str, Json]],
    stage: int,
    before: Mapping[int, tuple[StandingRow, ...]],
) -> dict[int, Json]:
    """Return where each seed comes from: an entry by its seed among those who play, or a place of a group."""
    if before:
        places = pools.crossing(len(before), max(shape.size // len(before), 1))
        return {
            seed: {"stage": stage, "group": group, "rank": place} for seed, (group, place) in enumerate(places, start=1)
        }
    inside = {one for _path, match in matches for one in match["sides"] if one is not None}
    seeded = sorted((row for row in entries.rows if row["id"] in inside), key=lambda row: row["seed"] or 0)
    if len(seeded) != shape.size:
        raise wrong("$.entries", _("%(size)d entries play in this bracket.") % {"size": shape.size})
    return {seed: {"entry": row["id"]} for seed, row in enumerate(seeded, start=1)}


def _earned(
    source: Json,
    given: str | None,
    spots: Mapping[int, progression.Spot],
    matches: Sequence[tuple[str, Json]],
    entries: Entries,
    before: Mapping[int, tuple[StandingRow, ...]],
) -> str | None:
    """Return who sits where `source` says."""
    if "entry" in source:
        return str(source["entry"])
    if "match" in source:
        number = next(n for n, (_path, one) in enumerate(matches, start=1) if one["id"] == source["match"])
        found = spots[number].winner if source["outcome"] == "winner" else spots[number].loser
        return entries.names[found] if found is not None else None
    rows = before[source["group"]]
    left = [row.entry for row in rows if row.entry not in entries.away]
    if len(left) < len(rows):  # whoever has left may have gone on before
        return given
    return entries.names[left[source["rank"] - 1]] if source["rank"] <= len(left) else None


def _spot(number: int, path: str, match: Json, entries: Entries) -> progression.Spot:
    first, second = (entries.numbers[one] if one is not None else None for one in match["sides"])
    result = advancing(path, match, entries.numbers)
    winner, loser = (sent_on(result, outcome, (first, second)) for outcome in ("winner", "loser"))
    return progression.Spot(number, (first, second), (True, True), progression.DECIDED, winner, loser)


def final_ranks(data: Json, entries: Entries, tables: Tables, reached: Sequence[tuple[int, int]] | None) -> None:
    """Raise Refused unless the ranks of a planned tournament are those of its last stage, and others have none.

    `reached`: the ranks of the bracket, None where the last stage is a table.
    """
    found: dict[int, int] = {}
    if data["event"]["plan"]:
        if reached is None:
            found = {row.entry: row.rank for row in next(reversed(tables.values()), ())}
        else:
            found = {one: place for place, one in reached}
            rest = [(row.rank, row.entry) for rows in tables.values() for row in rows if row.entry not in found]
            base = len(found) + 1
            found |= {one: base + sum(other < place for other, _one in rest) for place, one in rest}
    for place, row in enumerate(entries.rows):
        gone = row["state"] == "disqualified"
        expected = None if gone else found.get(entries.numbers[row["id"]])
        same(f"$.entries[{place}].final_rank", row["final_rank"], expected)


def _known(path: str, given: Sequence[str], entries: Entries) -> list[int]:
    if not set(given) <= entries.numbers.keys() or len(set(given)) != len(given):
        raise wrong(path, _("expected are entries of this file, each once."))
    return [entries.numbers[one] for one in given]


def _byes(path: str, group: Json, entries: Entries) -> list[MatchResult]:
    made = []
    kinds = {str(kind): outcome for kind, outcome in BYES.items()}
    for place, row in enumerate(group["rounds"]):
        for bye in row["without_match"]:
            if bye["entry"] not in entries.numbers:
                raise wrong(f"{path}.rounds[{place}].without_match", _("there is no such entry in this file."))
            if bye["kind"] in kinds:
                side = SideResult(entries.numbers[bye["entry"]], kinds[bye["kind"]])
                made.append(MatchResult(0, row["number"], bye["kind"], (side,)))
    return made


def _number(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
