"""The pages about privacy, security and ratings: docs/public/*.md, one file with a part per language (decision 0031).

A text names values of this site in braces, such as `{contact}`. `{if word}` before a line keeps it only where `word` holds,
`{if no word}` where it does not; `{if word}...{end}` does so for a part of a line.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils import translation
from django.utils.safestring import SafeString

from tock_league.accounts.templatetags.people import long_day_in_text
from tock_league.common.address import page_if_any

from . import how_ratings
from .markdown import for_phones, headings_of, render, with_figures
from .rules import parts_of

DRILL = "upkeep.Drill"  # the model of restore drills, where the site has it
FIGURES = {"ratings": how_ratings.figures}  # pictures by the id of an English heading
PART = re.compile(r"\{if (no )?(\w+)\}(.*?)\{end\}")
LINE = re.compile(r"\{if (no )?(\w+)\}")
VALUE = re.compile(r"\{(\w+)\}")
SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
# How long something is kept: the setting, in days, and what holds where the site has no such setting (0: nothing is told).
SPANS = {
    "statements": ("KEEP_STATEMENTS_DAYS", 0),
    "notices": ("KEEP_NOTICES_DAYS", 90),
    "tries": ("KEEP_ADDRESSES_DAYS", 30),
    "unconfirmed": ("KEEP_UNCONFIRMED_DAYS", 0),
    "idle": ("IDLE_AFTER_DAYS", 0),
    "idle_answer": ("IDLE_ANSWER_DAYS", 0),
    "exports": ("KEEP_EXPORTS_DAYS", 0),
    "reflection": ("ERASE_AFTER_DAYS", 0),
}
SPAN_WORDS = {"fr": ("ans", "jours"), "en": ("years", "days"), "es": ("años", "días")}
DRILL_WORDS = {
    "fr": ("réussi en {seconds} s, {events} lignes de parties restaurées", "échoué"),
    "en": ("passed in {seconds} s, {events} rows of games restored", "failed"),
    "es": ("superado en {seconds} s, {events} filas de partidas restauradas", "fallido"),
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page in one language."""

    title: str
    language: str
    languages: tuple[str, ...]
    text: SafeString  # HTML


def page(name: str, language: str) -> Page:
    """Return the page `name` in `language` (two letters), or in French where it does not exist."""
    parts = _parts(name)
    spoken = language[:2] if language[:2] in parts else next(iter(parts))
    text = _filled(parts[spoken], _facts(spoken))
    title = next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
    shown = render(text)
    if name in FIGURES:
        # The headings are the same in all languages, in the same order.
        places = [list(same) for same in zip(*(headings_of(render(part)) for part in parts.values()), strict=True)]
        with translation.override(spoken):
            shown = with_figures(shown, places, FIGURES[name]())
    return Page(title, spoken, tuple(parts), for_phones(shown))


@cache
def promises() -> tuple[Mapping[str, Any], ...]:
    """Return the promises of the security page: a sentence in each language, and `tests`, the ids of its tests."""
    return tuple(tomllib.loads((_folder() / "promises.toml").read_text(encoding="utf-8"))["promise"])


def last_drill() -> Any:
    """Return the row of the last restore drill, or None: while none was made, or where the site keeps no such rows."""
    try:
        drill: Any = apps.get_model(DRILL)
    except LookupError:
        return None
    return drill._default_manager.order_by("-done_at").first()


def _folder() -> Path:
    return Path(settings.ROOT) / "docs" / "public"


@cache
def _parts(name: str) -> dict[str, str]:
    return parts_of((_folder() / f"{name}.md").read_text(encoding="utf-8"))


def _filled(text: str, facts: Mapping[str, str]) -> str:
    """Return `text` with its conditions decided, and values in the place of their names."""

    def holds(found: re.Match[str]) -> bool:
        return bool(facts.get(found[2])) != bool(found[1])

    lines = []
    for line in PART.sub(lambda found: found[3] if holds(found) else "", text).splitlines():
        found = LINE.match(line)
        if found is None:
            lines.append(line)
        elif holds(found):
            lines.append(line[found.end() :])
    return VALUE.sub(lambda found: facts[found[1]], "\n".join(lines))


def _facts(language: str) -> dict[str, str]:
    """Return what the texts may name; an empty value does not hold."""
    facts = {
        "officer": _plain(settings.PRIVACY_OFFICER) if settings.PRIVACY_CONTACT else "",
        "contact": _plain(settings.PRIVACY_CONTACT),
        "security": "yes" if settings.SECURITY_CONTACT else "",
        "security_contact": _plain(settings.SECURITY_CONTACT.removeprefix("mailto:")),
        "copies": str(settings.BACKUPS_KEPT),
        "errors": "yes" if settings.ERROR_SERVICE else "",
        "mydata": page_if_any("accounts:my_data"),
        **{name: _span(getattr(settings, setting, default), language) for name, (setting, default) in SPANS.items()},
        **how_ratings.facts(),
        "promises": "\n".join(_promise(one, language) for one in promises()),
    }
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":  # nothing is confirmed, and nobody is asked by mail
        facts |= {"unconfirmed": "", "idle": ""}
    drill = last_drill()
    if drill is not None:
        good, bad = DRILL_WORDS[language]
        with translation.override(language):
            facts["drill_day"] = long_day_in_text(drill.done_at)
        result = good.format(seconds=round(drill.seconds), events=drill.events) if drill.ok else bad
        facts |= {"drill": "yes", "drill_result": result}
    return facts


def _promise(one: Mapping[str, Any], language: str) -> str:
    return f"- {one[language]}\n\n  " + "  \n  ".join(f"`{test}`" for test in one["tests"])


def _span(days: int, language: str) -> str:
    """Return a time in words, such as "30 days"; whole years from two on; "" for none."""
    years, of_days = SPAN_WORDS[language]
    if not days:
        return ""
    return f"{days // 365} {years}" if days >= 730 and days % 365 == 0 else f"{days} {of_days}"


def _plain(text: str) -> str:
    """Return a setting's text with the signs of Markdown escaped."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
