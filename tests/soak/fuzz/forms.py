"""Forms: read from the pages that the site serves, and filled by a grammar that is derived from their own fields."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from .addresses import HOSTILE

Pairs = list[tuple[str, str]]
TOKEN = "csrfmiddlewaretoken"
PASSIVE = {"submit", "button", "reset", "image", "file"}


@dataclass
class Field:
    """A field: `kind` is the type of the input, or `select` or `textarea`; `options` what may be chosen."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    limits: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Form:
    """A form of a page. `buttons`: what its submit buttons send."""

    action: str
    method: str
    multipart: bool
    fields: list[Field] = field(default_factory=list)
    buttons: Pairs = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select: Field | None = None
        self._area: Field | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(
                said.get("action", ""),
                said.get("method", "get").lower(),
                said.get("enctype", "").startswith("multipart"),
            )
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "input" and said.get("name"):
            self._input(said)
        elif tag == "button" and said.get("name"):
            self._open.buttons.append((said["name"], said.get("value", "")))
        elif tag in ("select", "textarea") and said.get("name"):
            made = Field(said["name"], tag, limits=said)
            self._open.fields.append(made)
            self._select, self._area = (made, None) if tag == "select" else (None, made)
        elif tag == "option" and self._select is not None:
            self._select.options.append(said.get("value", ""))
            if "selected" in said:
                self._select.value = said.get("value", "")

    def _input(self, said: dict[str, str]) -> None:
        assert self._open is not None
        kind = said.get("type", "text").lower()
        if kind in PASSIVE:
            if kind == "submit":
                self._open.buttons.append((said["name"], said.get("value", "")))
            return
        same = next(
            (known for known in self._open.fields if known.name == said["name"] and kind in ("radio", "checkbox")), None
        )
        if same is not None:
            same.options.append(said.get("value", "on"))
            return
        options = [said.get("value", "on")] if kind in ("radio", "checkbox") else []
        self._open.fields.append(Field(said["name"], kind, said.get("value", ""), options, said))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area.value += data


def forms_of(page: str) -> list[Form]:
    """Return the forms of a page that send something by POST."""
    reader = _Reader()
    reader.feed(page)
    return [form for form in reader.forms if form.method == "post"]


# --- filling them

WORDS = [
    "Castors",
    "Les Draveurs",
    "Été 2026",
    "Mercredi",
    "Tournoi de l’automne",
    "Trois-Rivières",
    "Une raison.",
    "Deux mots",
]
DATES = [
    "2026-09-09",
    "2026-12-24",
    "2026-02-31",
    "0000-00-00",
    "99999-01-01",
    "2026-13-01",
    "9999-12-31",
    "0001-01-01",
    "x",
]
TIMES = ["T19:00", "T02:30", "T24:00", "T19:00:00.999999999", "T19:00+99:00", " 19:00", "T", ""]
TEXTS = [
    *HOSTILE, "", " ", "\u00a0", "\u200b\u200b\u200b", "\u202eabc", "a\u0300\u0301\u0302\u0303b", "x" * 100_000, "<b>x</b>",
    "javascript:alert(1)", "=1+1", "\ufeff", "\uffff", "\U0010ffff", "NaN", "Infinity", "-0", "1e400", "1,5", "0x10", "on",
    "False",
]  # fmt: skip


def right(roll: random.Random, known: Field) -> str:
    """Return a value that a person could have chosen."""
    limits = known.limits
    match known.kind:
        case "hidden":
            return known.value
        case "select" | "radio" | "checkbox":
            return roll.choice(known.options or [""])
        case "number":
            low = _whole(limits.get("min", ""), 1)
            return str(roll.randint(low, max(low, min(_whole(limits.get("max", ""), low + 8), low + 40))))
        case "date":
            return roll.choice(DATES[:2])
        case "datetime-local":
            return roll.choice(DATES[:2]) + TIMES[0]
        case "email":
            return f"fuzz{roll.randrange(10**6)}@example.org"
        case "password":
            return "une phrase assez longue pour tous"
    if known.value and roll.random() < 0.6:
        return known.value
    return f"{roll.choice(WORDS)} {roll.randrange(1000)}"[: _whole(limits.get("maxlength", ""), 60)]


def _whole(text: str, otherwise: int) -> int:
    try:
        return int(text)
    except ValueError:
        return otherwise


def wrong(roll: random.Random, known: Field, ids: Sequence[str]) -> str:
    """Return a value that the field should not take, or the name of somebody else's thing."""
    if known.kind in ("date", "datetime-local", "time") and roll.random() < 0.7:
        return roll.choice(DATES) + roll.choice(TIMES)
    if known.kind in ("select", "radio", "hidden", "checkbox") and ids and roll.random() < 0.5:
        return roll.choice(ids)
    if known.kind == "hidden" and known.value and roll.random() < 0.5:
        at = roll.randrange(len(known.value))
        return known.value[:at] + roll.choice("0aZ~") + known.value[at + 1 :]
    return roll.choice(TEXTS)


def filled(roll: random.Random, form: Form, ids: Sequence[str]) -> tuple[Pairs, str]:
    """Return what is sent for the form, and in a word what is wrong with it ("nothing" for a right one)."""
    pairs = [
        (known.name, right(roll, known)) for known in form.fields if known.kind != "checkbox" or roll.random() < 0.5
    ]
    pairs += [roll.choice(form.buttons)] if form.buttons else []
    inner = [known for known in form.fields if known.name != TOKEN]
    if not inner or roll.random() < 0.3:
        return pairs, "nothing"
    known, what = (
        roll.choice(inner),
        roll.choice(["wrong", "wrong", "wrong", "missing", "doubled", "all", "none", "more"]),
    )
    rest = [(name, value) for name, value in pairs if name != known.name]
    match what:
        case "wrong":
            return [*rest, (known.name, wrong(roll, known, ids))], what
        case "missing":
            return rest, what
        case "doubled":
            return [*pairs, (known.name, wrong(roll, known, ids))], what
        case "all":
            return [
                (each.name, each.value if each.name == TOKEN else wrong(roll, each, ids)) for each in form.fields
            ], what
        case "none":
            return [(name, value) for name, value in pairs if name == TOKEN], what
    extra = roll.choice(
        ["by", "player", "user", "club", "state", "is_superuser", "id", "pk", "slug", "created_at", "\x00", "__class__"]
    )
    return [*pairs, (extra, roll.choice([*ids[:20], "1", "administrator"]))], what
