"""A preview: what a service would change, as text for the page and as facts for the digest.

`services.changes.previews` makes one from what the service really did, in a transaction that is rolled back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from ratings.selectors import previews as rating_previews
from tock_league.common import canonical

from ...core.effective import Effective
from ...models import Competition, Entry, Match
from ..results.fact_words import fact_words
from ..rounds.moments import moment_words
from .observed import Observation, SeenMatch, SeenRow, seconds_from

# Translators: the column of what a ruling, a correction or a withdrawal changes.
KINDS: dict[str, str | Promise] = {
    "event": pgettext_lazy("what changes", "Competition"),
    "match": pgettext_lazy("what changes", "Match"),
    "result": pgettext_lazy("what changes", "Result"),
    "place": pgettext_lazy("what changes", "Bracket"),
    "start": pgettext_lazy("what changes", "Start"),
    "table": pgettext_lazy("what changes", "Table"),
    "entry": pgettext_lazy("what changes", "Team"),
    "points": pgettext_lazy("what changes", "Points"),
    "rank": pgettext_lazy("what changes", "Standings"),
    "final": pgettext_lazy("what changes", "Final rank"),
    "rating": pgettext_lazy("what changes", "Rating"),
}
NOBODY = "–"


@dataclass(frozen=True)
class PreviewRow:
    """One line of a preview, as text."""

    kind: str  # one of KINDS
    label: str  # what changes: a match, a team, a pair
    before: str
    after: str

    @property
    def what(self) -> str | Promise:
        """The name of the kind."""
        return KINDS[self.kind]


@dataclass(frozen=True)
class Preview:
    """What a change alters."""

    rows: tuple[PreviewRow, ...]  # for the page
    facts: dict[str, Any]  # what changes, as plain JSON keyed by public names; hashed for the digest
    others: int = 0  # how many ratings move too little to be named

    @property
    def digest(self) -> str:
        """SHA-256 of the facts, hex. Rating numbers are not in it: they move with every game that ends anywhere."""
        return canonical.digest(self.facts)

    @property
    def empty(self) -> bool:
        """Whether nothing visible would change."""
        return not self.rows and not self.others


def rows_of(before: Observation, after: Observation, instant: datetime) -> tuple[PreviewRow, ...]:
    """Return the difference of two observations as text: the competition, its matches, its teams, its tables."""
    names = {slug: entry.name for slug, entry in [*before.entries.items(), *after.entries.items()]}
    found: list[PreviewRow] = []
    if before.state != after.state:
        states = [str(Competition.State(state).label) for state in (before.state, after.state)]
        found.append(PreviewRow("event", _("The competition"), *states))
    matches = [
        (before.matches.get(key), after.matches.get(key))
        for key in sorted(before.matches.keys() | after.matches.keys(), key=_in_order)
    ]
    for made in (_results, _places, _starts, _tables):
        for old, new in matches:
            found += made(old, new, names, instant)
    for slug in sorted(names, key=lambda slug: names[slug]):
        team, now = before.entries.get(slug), after.entries.get(slug)
        if (team.state if team else "") != (now.state if now else ""):
            states = [str(Entry.State(seen.state).label) if seen else NOBODY for seen in (team, now)]
            found.append(PreviewRow("entry", names[slug], *states))
    for group in sorted(before.tables.keys() | after.tables.keys(), key=_in_order):
        found += _standings(before.tables.get(group, {}), after.tables.get(group, {}), names)
    for slug in sorted(names, key=lambda slug: names[slug]):
        ranks = [entries[slug].final_rank if slug in entries else None for entries in (before.entries, after.entries)]
        if ranks[0] != ranks[1]:
            found.append(PreviewRow("final", names[slug], *(str(rank or NOBODY) for rank in ranks)))
    return tuple(found)


def ratings_of(ladders: Iterable[str], after: int) -> tuple[tuple[PreviewRow, ...], int]:
    """Return the ratings that the rows of these ladders' logs after row `after` change, by name, and how many more move
    a little.

    Three queries and two replays of the log for each ladder.
    """
    rows: list[PreviewRow] = []
    others = 0
    for key in sorted(set(ladders)):
        moved = rating_previews.moved(key, after)
        rows += [PreviewRow("rating", move.name, str(move.before), str(move.after)) for move in moved.named]
        others += moved.others
    return tuple(rows), others


def result_words(result: Effective, seats: Sequence[str]) -> str:
    """Return a result in a few words, such as “Les Draveurs, 2 – 1”."""
    if result.state == "open":
        return pgettext("result", "no result yet")
    if result.state == "void":
        return pgettext("result", "void")
    how: str | Promise = fact_words(result)
    if result.winner is None:
        return str(how) or pgettext("result", "tie")
    score = "\u00a0–\u00a0".join(str(games) for games in result.shown)
    told = f"{seats[result.winner]}, {score}" if any(result.shown) else seats[result.winner]
    return f"{told} ({how})" if how else told


def start_words(at: datetime | None, instant: datetime | None = None) -> str:
    """Return a start in words; one that a service counted from `instant` as the time from now."""
    if at is None:
        return pgettext("start", "not set")
    seconds = seconds_from(at, instant) if instant is not None else None
    if seconds is None or seconds > 86_400:
        return moment_words(at)
    if seconds < 60:
        return pgettext("start", "at once")
    minutes = seconds // 60
    return ngettext("in %(count)s minute", "in %(count)s minutes", minutes) % {"count": minutes}


def _in_order(key: str) -> tuple[int, ...]:
    return tuple(int(part) for part in key.split(".") if part)


def _seats(match: SeenMatch, names: Mapping[str, str]) -> list[str]:
    return [names.get(slug, "?") for slug in match.seats]


def _label(match: SeenMatch, names: Mapping[str, str]) -> str:
    return _("%(match)s: %(teams)s") % {"match": match.title, "teams": " – ".join(_seats(match, names))}


def _results(
    old: SeenMatch | None, new: SeenMatch | None, names: Mapping[str, str], _instant: datetime
) -> Iterator[PreviewRow]:
    if old is None or new is None:
        either = new or old
        assert either is not None
        states = [NOBODY if match is None else _state_words(match) for match in (old, new)]
        yield PreviewRow("match", _label(either, names), *states)
    elif _shown(old) != _shown(new):
        seats = _seats(old, names)
        yield PreviewRow(
            "result", " – ".join(seats), result_words(old.result, seats), result_words(new.result, _seats(new, names))
        )


def _shown(match: SeenMatch) -> object:
    """Return what the words of the result depend on; the games won so far of an open match are no result."""
    result = match.result
    return (result.state, result.fact, result.cause, result.sides) if result.state == "decided" else result.state


def _state_words(match: SeenMatch) -> str:
    return str(Match.State(match.state).label)


def _places(
    old: SeenMatch | None, new: SeenMatch | None, names: Mapping[str, str], _instant: datetime
) -> Iterator[PreviewRow]:
    if old is None or new is None:
        return
    for was, now in zip(old.seats, new.seats, strict=True):
        if was != now:
            yield PreviewRow("place", old.title, names.get(was, NOBODY), names.get(now, NOBODY))


def _starts(
    old: SeenMatch | None, new: SeenMatch | None, names: Mapping[str, str], instant: datetime
) -> Iterator[PreviewRow]:
    if old is not None and new is not None and old.starts_at != new.starts_at:
        yield PreviewRow("start", _label(new, names), start_words(old.starts_at), start_words(new.starts_at, instant))


def _tables(
    old: SeenMatch | None, new: SeenMatch | None, names: Mapping[str, str], _instant: datetime
) -> Iterator[PreviewRow]:
    if old is not None and new is not None and old.table != new.table:
        # Translators: a live table, in the preview of a change.
        words = {
            "open": pgettext("table", "open"),
            "playing": pgettext("table", "being played"),
            "": pgettext("table", "closed"),
        }
        yield PreviewRow("table", _label(old, names), words[old.table], words[new.table])


def _standings(
    before: Mapping[str, SeenRow], after: Mapping[str, SeenRow], names: Mapping[str, str]
) -> Iterator[PreviewRow]:
    for slug in sorted(before.keys() | after.keys(), key=lambda slug: names[slug]):
        was, now = before.get(slug), after.get(slug)
        for kind, values in (
            ("points", [str(row.points) if row else NOBODY for row in (was, now)]),
            ("rank", [str(row.rank) if row else NOBODY for row in (was, now)]),
        ):
            if values[0] != values[1]:
                yield PreviewRow(kind, names[slug], *values)
