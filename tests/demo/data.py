"""What of a page needs no translation: what people have written in the demo, read from its rows, and a few signs."""

import re
from itertools import chain

from django.db.models import Model

from games.models import Table
from tock_league.accounts.models import Player, User, all_time_zones
from tock_league.accounts.templatetags.people import initials
from tock_league.arbitration.core import penalties
from tock_league.arbitration.models import Case, Ruling
from tock_league.clubs.models import Club, Team
from tock_league.competitions.models import Competition, Division, Regulations, Season
from tock_league.journal.models import PrivateText
from tock_league.pages import components, published, rules

# Columns that people have filled, in whatever language, and identifiers. No column of codes: a page that shows a code shows a
# text that is not translated.
WRITTEN: dict[type[Model], tuple[str, ...]] = {
    Player: ("display_name",),
    User: ("email",),
    Club: ("name", "town", "about"),
    Team: ("name",),
    Season: ("name",),
    Division: ("name",),
    Competition: ("name", "reason"),
    Regulations: ("code",),
    Table: ("name",),
    Case: ("number",),
    Ruling: ("facts", "reasons", "dissent"),
    PrivateText: ("text",),
}
# The brand, formats of files, seats A to H, cards, the M before a match's number; JOKER is drawn on the card.
SIGNS = ("Tock League", "OpenAPI", "AsyncAPI", "CSV", "XLSX", "JSON", "JSON Lines", "JOKER", "M", *"ABCDEFGH", *"AKQJ")


def pattern() -> re.Pattern[str]:
    """Return what matches a text of data alone: known texts as whole words, numbers and signs."""
    known = {text for model, columns in WRITTEN.items() for text in _texts(model, columns)}
    names = [*_texts(Player, ("display_name",)), *_texts(Club, ("name",)), *_texts(Team, ("name",))]
    names += _texts(Competition, ("name",))
    known |= {initials(name) for name in names}
    known |= {name.split()[0].upper() for name in names}  # at a table's seats
    known |= {zone.replace("_", " ") for zone in all_time_zones()} | set(components.TEAMS) | set(SIGNS)
    known |= {rule for cited in Ruling.objects.values_list("rules", flat=True) for rule in cited}
    known |= set(documents())
    texts = sorted((" ".join(text.split()) for text in known), key=len, reverse=True)
    letter = r"[^\W\d_]"
    return re.compile(rf"(?:(?<!{letter})(?:{'|'.join(map(re.escape, texts))})(?!{letter})|[\W\d_])*")


def documents() -> list[str]:
    """Return texts that exist in each language in a file of their own, here in English: titles, and the penalty tables."""
    words = chain.from_iterable(
        chain(table.penalties.values(), *((row.infraction, row.remedy) for row in table.rows))
        for table in penalties.all_tables()
    )
    titles = [page.title for page in rules.pages("en")]
    titles += [published.page(name, "en").title for name in ("privacy", "security", "ratings")]
    return [*titles, *(text.en for text in words)]


def _texts(model: type[Model], columns: tuple[str, ...]) -> list[str]:
    return [text for row in model._default_manager.values_list(*columns) for text in row if text]
