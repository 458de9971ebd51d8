"""Previews of a ruling, or of an entry that leaves: changes of results, points, ranks, places, ratings.

The digest covers the change to be written and the resulting results, points, ranks, places and rating log; it is
checked when the ruling is signed. It excludes the rating numbers, because they move with every game that ends anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ratings.core.recompute import Entry as Logged
from ratings.selectors import previews as rating_previews
from tock_league.common import canonical
from tock_league.common.errors import Refused

from ...core.effective import Effective, EffectPlan
from ...core.leaving import HOWS
from ...models import Competition, Entry
from ..results.fact_words import fact_words
from ..results.rating_corrections import Correction, Played, corrections_of, played_on_paper
from . import consequences
from .world import Change, World, world_of


@dataclass(frozen=True)
class PreviewRow:
    """One line of a preview, as text: `kind` result, points, rank, place or rating; its subject, before and after."""

    kind: str
    label: str
    before: str
    after: str


@dataclass(frozen=True)
class Preview:
    """What a change would alter."""

    rows: tuple[PreviewRow, ...]  # for the page
    facts: dict[str, Any]  # what changes, as plain JSON keyed by public names; hashed for the digest
    others: int = 0  # how many ratings move too little to be named

    @property
    def digest(self) -> str:
        """SHA-256 of the facts, hex."""
        return canonical.digest(self.facts)

    @property
    def empty(self) -> bool:
        """Whether nothing visible would change."""
        return not self.rows and not self.others


def preview(competition: Competition, effects: Sequence[EffectPlan] = (), lifts: Iterable[int] = ()) -> Preview:
    """Return what signing `effects` and lifting `lifts` would change now. Refusals are those of `consequences.ruling`.

    Fifteen queries, seven for each group, and a few for each match touched.
    """
    world = world_of(competition)
    return of_change(world, consequences.ruling(world, effects, lifts))


def leaving(entry: Entry, how: str) -> Preview:
    """Return what the entry's `withdrawal` or `disqualification` would change now. Refused on `how`."""
    if how not in HOWS:
        raise Refused("how", _("A team withdraws or is disqualified."), field="how")
    world = world_of(entry.competition)
    return of_change(world, consequences.leaving(world, entry, how))


def of_change(world: World, change: Change) -> Preview:
    """Return the preview of a computed change."""
    after = world.after(change)
    facts = compared(world, after)
    facts["effects"] = [
        [
            world.matches[planned.match].slug,
            *[planned.effect.kind, planned.effect.game, planned.effect.position],
            *[planned.effect.entry, planned.effect.amount, planned.effect.keeps_place, planned.derived],
        ]
        for planned in change.planned
    ]
    facts["lifts"] = sorted(change.lifted)
    facts["leaves"] = dict(sorted((str(pk), state) for pk, state in change.states.items()))
    entering, asked = _rating_log(world, after)
    facts["ratings"] = [[made.source, made.kind, list(made.ranks), made.rated] for made in asked]
    if entering:
        facts["entering"] = [[game.source, list(game.ranks)] for game in entering]
    rows, others = _rating_rows(entering, asked)
    return Preview((*_rows(world, after), *rows), facts, others)


def compared(before: World, after: World) -> dict[str, Any]:
    """Return what differs between two states of a competition, as plain JSON keyed by public names."""
    slugs = _slugs(before)
    results = []
    for pk, match in before.matches.items():
        old, new = before.result(pk), after.result(pk)
        if old != new:
            results.append([match.slug, _told(old), _told(new)])
    tables = []
    for group in before.fields:
        old_rows = {row.entry: row for row in before.rows(group)}
        new_rows = {row.entry: row for row in after.rows(group)}
        for entry in sorted(old_rows.keys() | new_rows.keys()):
            was, now = _line(old_rows.get(entry)), _line(new_rows.get(entry))
            if was != now:
                tables.append([slugs[entry], was, now])
    places = [
        [match.slug, position, slugs.get(was or 0), slugs.get(now or 0)]
        for pk, match in before.matches.items()
        for position, (was, now) in enumerate(zip(before.seats[pk], after.seats[pk], strict=True))
        if was != now
    ]
    return {"results": sorted(results), "tables": sorted(tables), "places": sorted(places, key=str)}


def _told(result: Effective) -> list[Any]:
    sides = [[side.outcome, side.games, side.margin] for side in result.sides]
    return [result.state, result.fact, sides if result.state == "decided" else []]


def _line(row: Any) -> list[int] | None:
    return [row.rank, row.ordinal, int(row.points.value), int(row.margin.value)] if row is not None else None


def _slugs(world: World) -> dict[int, str]:
    return dict(world.competition.entries.values_list("pk", "slug"))


def _rating_log(world: World, after: World) -> tuple[list[Played], list[Correction]]:
    """Return the games that enter the rating log and the corrections to it, for every match that changes."""
    entering: list[Played] = []
    found: list[Correction] = []
    for pk, match in world.matches.items():
        if world.effects[pk] != after.effects[pk] or world.versions[pk] != after.versions[pk]:
            new = played_on_paper(match, after.versions[pk], after.effects[pk])
            found += corrections_of(match, after.versions[pk], after.effects[pk], new)
            entering += new
    return sorted(entering, key=lambda game: game.source), sorted(found, key=lambda made: made.source)


def _rows(before: World, after: World) -> list[PreviewRow]:
    names = {entry.pk: str(entry) for entry in before.competition.entries.select_related("team", "player")}
    rows = []
    for pk in before.matches:
        seats = [names.get(entry or 0, "?") for entry in before.seats[pk]]
        old, new = before.result(pk), after.result(pk)
        if old != new:
            rows.append(PreviewRow("result", " – ".join(seats), result_words(old, seats), result_words(new, seats)))
    for pk in before.matches:
        for was, now in zip(before.seats[pk], after.seats[pk], strict=True):
            if was != now:
                title = place_words(before, pk)
                rows.append(PreviewRow("place", title, names.get(was or 0, "–"), names.get(now or 0, "–")))
    for group in before.fields:
        old_rows = {row.entry: row for row in before.rows(group)}
        new_rows = {row.entry: row for row in after.rows(group)}
        for entry in sorted(old_rows.keys() | new_rows.keys(), key=lambda pk: names[pk]):
            was_row, now_row = old_rows.get(entry), new_rows.get(entry)
            points = [str(row.points.value) if row else "–" for row in (was_row, now_row)]
            ranks = [str(row.rank) if row else "–" for row in (was_row, now_row)]
            if points[0] != points[1]:
                rows.append(PreviewRow("points", names[entry], *points))
            if ranks[0] != ranks[1]:
                rows.append(PreviewRow("rank", names[entry], *ranks))
    return rows


def _rating_rows(entering: Sequence[Played], asked: Sequence[Correction]) -> tuple[list[PreviewRow], int]:
    """Return the ratings that a reader should see, by name, and how many more move a little."""
    rows: list[PreviewRow] = []
    others = 0
    for key in sorted({made.ladder for made in asked} | {game.ladder for game in entering}):
        new = [
            Logged(game.source, game.completed_at, game.sides, game.ranks) for game in entering if game.ladder == key
        ]
        revisions = [
            rating_previews.Revision(made.source, made.kind, made.ranks, made.rated)
            for made in asked
            if made.ladder == key
        ]
        moved = rating_previews.moved(key, revisions, new)
        rows += [PreviewRow("rating", move.name, str(move.before), str(move.after)) for move in moved.named]
        others += moved.others
    return rows, others


def result_words(result: Effective, seats: Sequence[str]) -> str:
    """Return a result in a few words, such as “Les Draveurs, 2 – 1”."""
    if result.state == "open":
        return pgettext("result", "no result yet")
    if result.state == "void":
        return pgettext("result", "void")
    how: str | Promise = fact_words(result)
    if result.winner is None:
        return str(how) or pgettext("result", "tie")
    score = " – ".join(str(games) for games in result.score)
    told = f"{seats[result.winner]}, {score}" if any(result.score) else seats[result.winner]
    return f"{told} ({how})" if how else told


def place_words(world: World, match: int) -> str:
    """Return the name of a match in its bracket."""
    row = world.matches[match]
    return (
        row.get_label_display()
        if row.label
        else _("Round %(round)s, match %(match)s")
        % {
            "round": row.round.number,
            "match": row.number,
        }
    )
