"""Queries of pages and exports; each documents its number of queries.

The journal stores only public labels of streams and people: `competition:<slug>`, `player:<slug>`. The app that owns
the prefix before the colon registers a function that returns the names (`named_by`), from its AppConfig.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tock_league.common.errors import NotThere

from .. import chain
from ..models import JournalEntry, JournalStream

PAGE = 50
ABOUT = ("case", "player", "entry", "match")
Namer = Callable[[Sequence[str]], Mapping[str, str]]
_namers: dict[str, Namer] = {}


def named_by(prefix: str, namer: Namer) -> None:
    """Register `namer` for the labels `prefix:<slug>`: it takes slugs and returns names by slug.

    A slug without a name is private: a stream of that name is not shown (a draft competition).
    """
    _namers[prefix] = namer


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
    at: datetime
    kind: str
    actor: Named  # without an address unless it is a player with a name
    about: tuple[Named, ...]  # who or what it is about
    details: tuple[tuple[str, str], ...]  # key and value of the rest of the body, in the order of the keys
    withheld: tuple[str, ...]  # the keys whose text is personal and stored separately
    hash: str


def entries_for(name: str, *, before: int | None = None, limit: int = PAGE) -> list[Entry]:
    """Return the last entries of a stream, newest first; those before number `before` when it is given.

    One query, and one for each prefix that has a namer.
    """
    rows = JournalEntry.objects.filter(stream=name).order_by("-seq")
    if before is not None:
        rows = rows.filter(seq__lt=before)
    told = [(row, json.loads(bytes(row.body))) for row in rows[:limit]]
    names = names_of({label for _row, body in told for label in (body["actor"], *_labels(body))})
    return [_shown(row, body, names) for row, body in told]


def _labels(body: Mapping[str, Any]) -> list[str]:
    """Return the labels of what an entry is about: `player:<slug>`, `entry:<slug>`, `case:<number>`, `match:<slug>`."""
    told = [(what, body[what]) for what in ABOUT if isinstance(body.get(what), str)]
    return [text if text.startswith(f"{what}:") else f"{what}:{text}" for what, text in told]


def _shown(row: JournalEntry, body: dict[str, Any], names: Mapping[str, str]) -> Entry:
    rest = {key: value for key, value in body.items() if key not in chain.RESERVED}
    withheld = tuple(key for key, value in rest.items() if _is_withheld(value))
    label = str(body["actor"])
    what, _colon, slug = label.partition(":")
    return Entry(
        seq=row.seq,
        at=datetime.fromisoformat(body["at"]),
        kind=body["kind"],
        actor=Named(what, slug if label in names else "", names.get(label, label)),
        about=tuple(_named(label, names) for label in _labels(body) if label in names),
        details=tuple((key, _in_words(value)) for key, value in rest.items() if key not in withheld),
        withheld=withheld,
        hash=row.hash,
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
    """Return the public stream as the file that `verifier` reads; personal texts are not in it. Three queries."""
    whole = stream(name)
    head = {"entries": whole.length, "format": "tock-journal-v1", "hash": whole.hash, "stream": name}
    rows = JournalEntry.objects.filter(stream=name, seq__lte=whole.length).order_by("seq")
    lines = [chain.canonical(head)]
    lines += [
        chain.canonical({"body": bytes(body).decode(), "hash": hash, "prev_hash": prev, "seq": seq})
        for seq, body, prev, hash in rows.values_list("seq", "body", "prev_hash", "hash")
    ]
    return b"\n".join(lines) + b"\n"
