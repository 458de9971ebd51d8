"""Queries of pages and exports; each documents its number of queries.

The journal stores only public labels of streams and people: `competition:<slug>`, `player:<slug>`. The app that owns
the prefix before the colon registers a function that returns the names (`named_by`), from its AppConfig. An app whose
entries must stay secret for a time registers a function that returns them (`sealed_by`): pages and exports then show
their numbers and hashes only.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tock_league.common.errors import NotThere

from .. import chain
from ..models import JournalEntry, JournalStream

PAGE = 50
SEALED: Mapping[str, Any] = {"actor": "sealed", "kind": "sealed"}  # the body of a sealed entry, for readers
ABOUT = ("case", "player", "entry", "match")
Namer = Callable[[Sequence[str]], Mapping[str, str]]
Sealer = Callable[[QuerySet[JournalEntry]], Collection[int]]
_namers: dict[str, Namer] = {}
_sealers: list[Sealer] = []


def named_by(prefix: str, namer: Namer) -> None:
    """Register `namer` for the labels `prefix:<slug>`: it takes slugs and returns names by slug.

    A slug without a name is private: a stream of that name is not shown (a draft competition).
    """
    _namers[prefix] = namer


def sealed_by(sealer: Sealer) -> None:
    """Register `sealer`: it takes entries and returns the keys of those that nobody may read yet. One query."""
    if sealer not in _sealers:
        _sealers.append(sealer)


def _sealed(found: QuerySet[JournalEntry]) -> set[int]:
    return {key for sealer in _sealers for key in sealer(found)}


def names_of(labels: Iterable[str]) -> dict[str, str]:
    """Return the name of each label that has one; a label whose prefix has no namer is its own name.

    One query for each prefix.
    """
    found: dict[str, str] = {}
    slugs: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        prefix, colon, slug = label.partition(":")
        if colon and prefix in _namers:
            slugs[prefix].append(slug)
        else:
            found[label] = _("Clubs, roles and casual play") if label == "open" else label
    for prefix, wanted in slugs.items():
        found |= {f"{prefix}:{slug}": name for slug, name in _namers[prefix](wanted).items()}
    return found


@dataclass(frozen=True)
class Stream:
    """A stream for a page: its name, its subject, the number of entries, the last hash."""

    name: str
    title: str
    length: int
    hash: str


def streams() -> list[Stream]:
    """Return the streams that are public, by title. One query, and one for each prefix."""
    heads = list(JournalStream.objects.order_by("name"))
    titles = names_of(head.name for head in heads)
    shown = [Stream(head.name, titles[head.name], head.length, head.hash) for head in heads if head.name in titles]
    return sorted(shown, key=lambda stream: (stream.name != "open", stream.title.casefold()))


def stream(name: str) -> Stream:
    """Return the public stream of that name, or NotThere. Two queries."""
    head = JournalStream.objects.filter(name=name).first()
    title = names_of([name]).get(name)
    if head is None or title is None:
        raise NotThere
    return Stream(name, title, head.length, head.hash)


@dataclass(frozen=True)
class Named:
    """Somebody or something in an entry."""

    what: str  # "player", "entry", "case" or "match"
    slug: str  # its address, or ""
    name: str


@dataclass(frozen=True)
class Entry:
    """An entry as a page shows it."""

    seq: int
    at: datetime | None  # None for a sealed entry
    kind: str
    actor: Named  # without an address unless it is a player with a name
    about: tuple[Named, ...]  # who or what it is about
    details: tuple[tuple[str, str], ...]  # key and value of the rest of the body, in the order of the keys
    withheld: tuple[str, ...]  # the keys whose text is personal and stored separately
    hash: str
    sealed: bool = False  # nothing but number and hash is public yet


def entries_for(name: str, *, before: int | None = None, limit: int = PAGE) -> list[Entry]:
    """Return the last entries of a stream, newest first; those before number `before` when it is given.

    One query, one for each prefix that has a namer, one for each sealer.
    """
    rows = JournalEntry.objects.filter(stream=name).order_by("-seq")
    if before is not None:
        rows = rows.filter(seq__lt=before)
    last = list(rows[:limit])
    sealed = _sealed(JournalEntry.objects.filter(pk__in=[row.pk for row in last]))
    told = [(row, SEALED if row.pk in sealed else json.loads(bytes(row.body))) for row in last]
    names = names_of({label for _row, body in told for label in (body["actor"], *_labels(body))})
    return [_shown(row, body, names, sealed=row.pk in sealed) for row, body in told]


def _labels(body: Mapping[str, Any]) -> list[str]:
    """Return the labels of what an entry is about: `player:<slug>`, `entry:<slug>`, `case:<number>`, `match:<slug>`."""
    told = [(what, body[what]) for what in ABOUT if isinstance(body.get(what), str)]
    return [text if text.startswith(f"{what}:") else f"{what}:{text}" for what, text in told]


def _shown(row: JournalEntry, body: Mapping[str, Any], names: Mapping[str, str], *, sealed: bool) -> Entry:
    rest = {key: value for key, value in body.items() if key not in chain.RESERVED}
    withheld = tuple(key for key, value in rest.items() if _is_withheld(value))
    label = str(body["actor"])
    what, _colon, slug = label.partition(":")
    return Entry(
        seq=row.seq,
        at=None if sealed else datetime.fromisoformat(body["at"]),
        kind=body["kind"],
        actor=Named(what, slug if label in names else "", names.get(label, label)),
        about=tuple(_named(label, names) for label in _labels(body) if label in names),
        details=tuple((key, _in_words(value)) for key, value in rest.items() if key not in withheld),
        withheld=withheld,
        hash=row.hash,
        sealed=sealed,
    )


def _named(label: str, names: Mapping[str, str]) -> Named:
    what, _colon, slug = label.partition(":")
    return Named(what, slug, names[label].removeprefix(f"{what}:"))


def _is_withheld(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"sha256"}


def _in_words(value: Any) -> str:
    """Return a value of a body as short text: texts as they are, the rest as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def export(name: str) -> bytes:
    """Return the public stream as the file that `verifier` reads, without personal texts and sealed bodies.

    Three queries, and one for each sealer.
    """
    whole = stream(name)
    head = {"entries": whole.length, "format": "tock-journal-v1", "hash": whole.hash, "stream": name}
    rows = JournalEntry.objects.filter(stream=name, seq__lte=whole.length).order_by("seq")
    sealed = _sealed(rows)
    lines = [chain.canonical(head)]
    for key, seq, body, prev, hash in rows.values_list("pk", "seq", "body", "prev_hash", "hash"):
        told = {"sealed": True} if key in sealed else {"body": bytes(body).decode()}
        lines.append(chain.canonical({**told, "hash": hash, "prev_hash": prev, "seq": seq}))
    return b"\n".join(lines) + b"\n"
