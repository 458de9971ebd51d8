"""What every app says about a person: which rows it holds, what prevents an erasure, what an erasure does to them.

Each app has a module `people` with SECTIONS, `obstacles` and `forget`; `tock_league/people` brings them together.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.db.models import Model

from .errors import Text

Row = dict[str, Any]
# How a row of another table is named in an export: by the first of these that it has.
NAMES = ("slug", "number", "key", "code")


@dataclass(frozen=True)
class Person:
    """A login (accounts.User), a player, or both of one person."""

    user: Any = None
    player: Any = None

    @property
    def label(self) -> str:
        """Return the public label, which was random from the beginning."""
        return f"player:{self.player.slug}" if self.player is not None else f"login:{self.user.username}"

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Return the e-mail addresses of the login, the main one first."""
        if self.user is None:
            return ()
        others = self.user.emailaddress_set.values_list("email", flat=True)
        return tuple(dict.fromkeys(address for address in (self.user.email, *others) if address))


@dataclass(frozen=True)
class Section:
    """One table of the export: `rows(person)` yields JSON values. `model`: the label of the model that it exports."""

    name: str
    model: str
    rows: Callable[[Person], Iterable[Row]]


@dataclass(frozen=True)
class Obstacle:
    """Something that must end before a person can be erased."""

    code: str
    sentence: Text


@dataclass(frozen=True)
class Leaving:
    """An erasure under way. `events`: the competitions that the person had to do with.

    Names are replaced there, and in the person's own teams and tables, and nowhere else: elsewhere the same words may mean
    somebody or something else, and nobody may deface the texts of strangers by choosing a phrase as a name.
    """

    person: Person
    pseudonym: str
    at: datetime
    events: Collection[Any] = ()
    changed: list[str] = field(default_factory=list)  # what was rewritten: never the text

    def __post_init__(self) -> None:
        """Read the addresses now: later the login is gone."""
        self.cleaned("")

    @cached_property
    def name(self) -> str:
        """Return the name before the erasure; "" for a login without a player."""
        return str(self.person.player.display_name) if self.person.player is not None else ""

    @cached_property
    def called(self) -> str:
        """Return the name by which its club knew a child, whose `name` was a pseudonym already; else ""."""
        return str(getattr(getattr(self.person.player, "birth", None), "called", ""))

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        names = [name for name in (self.name, self.called) if name]
        found = [(_whole(name, name.upper()), self.pseudonym) for name in names]
        return found + [(_whole(address, flags=re.IGNORECASE), "…") for address in self.person.addresses]

    def cleaned(self, text: str) -> str:
        """Return `text` with the pseudonym in place of the name, and without the addresses; whole words only."""
        for pattern, instead in self._patterns:
            text = pattern.sub(instead, text)
        return text

    def is_named_in(self, text: str) -> bool:
        """Return whether `text` holds the name or an address."""
        return any(pattern.search(text) for pattern, _instead in self._patterns)


def _whole(*spellings: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern of these words, with any white space between them; not of parts of longer words.

    A name counts as it is written and in capitals: in other letter case, "Rose" would be a flower too.
    """
    parts = [r"\s+".join(re.escape(part) for part in unicodedata.normalize("NFC", one).split()) for one in spellings]
    return re.compile(rf"(?<!\w)(?:{'|'.join(dict.fromkeys(parts))})(?!\w)", flags)


def exported(row: Model, *fields: str, **more: Any) -> Row:
    """Return the fields of a row as JSON values. A relation gives the public name of the row that it names."""
    return {name: plain(getattr(row, name)) for name in fields} | {name: plain(value) for name, value in more.items()}


def of_player(model: type[Model], *fields: str, column: str = "player") -> Callable[[Person], Iterator[Row]]:
    """Return the `rows` of a section: those of `model` that name the player in `column`, with these fields."""

    def rows(person: Person) -> Iterator[Row]:
        if person.player is not None:
            for row in model._default_manager.filter(**{column: person.player}).order_by("pk"):
                yield exported(row, *fields)

    return rows


def of_login(model: type[Model], *fields: str) -> Callable[[Person], Iterator[Row]]:
    """Return the `rows` of a section: those of `model` that name the login in the column `user`, with these fields."""

    def rows(person: Person) -> Iterator[Row]:
        if person.user is not None:
            for row in model._default_manager.filter(user=person.user).order_by("pk"):
                yield exported(row, *fields)

    return rows


def plain(value: Any) -> Any:
    """Return a value as JSON has it: instants in ISO 8601 (UTC), rows by their public names."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Model):
        public = next((str(getattr(value, name)) for name in NAMES if hasattr(value, name)), str(value.pk))
        shown = getattr(value, "display_name", None) or getattr(value, "name", None)
        return f"{shown} ({public})" if shown and shown != public else public
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
