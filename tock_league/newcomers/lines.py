"""Judges the rows of a list: which column is which, and what is wrong, by line and column. Pure: it asks no database."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import NAME_LENGTH
from tock_league.clubs.models import SIZES, TEAM_NAME_LENGTH
from tock_league.common.errors import Refused, Text
from tock_league.common.names import folded, is_marked, look_of, readable, skeleton, tidy
from tock_league.common.validation import no_markup
from tock_league.exports.sheets import FORMULA

from .reading import MOST_LINES, Row

NAME, FIRST, TEAM, CLUB, EMAIL = "name", "first", "team", "club", "email"
# The heads of columns, folded, in the site's languages; e-mail addresses are read past and never kept.
HEADS = {
    **dict.fromkeys(("name", "names", "player", "nom", "noms", "nom complet", "joueur", "nombre", "jugador"), NAME),
    **dict.fromkeys(("last name", "surname", "nom de famille", "apellido", "apellidos"), NAME),
    **dict.fromkeys(("first name", "given name", "prenom", "nombre de pila"), FIRST),
    **dict.fromkeys(("team", "equipe", "equipo"), TEAM),
    **dict.fromkeys(("club",), CLUB),
    **dict.fromkeys(("e-mail", "email", "mail", "courriel", "adresse courriel", "correo", "correo electronico"), EMAIL),
}
WITHOUT_HEADS = (NAME, TEAM, CLUB)
SHOWN = 40  # letters of a cell that a sentence repeats


@dataclass(frozen=True)
class Line:
    """A line of the list in tidy form; `team` and `club` are "" where it has none."""

    number: int
    name: str
    team: str = ""
    club: str = ""

    @property
    def look(self) -> str:
        return look_of(self.name)


@dataclass(frozen=True)
class Fault:
    """What is wrong in a line; `column` is the letter that spreadsheets show, or "" for the whole line."""

    line: int
    column: str
    sentence: Text


def judged(rows: Sequence[Row]) -> tuple[list[Line], list[Fault]]:
    """Return the lines without fault, and the faults of the others, both in order.

    Raise Refused on `file` for a column that is not known (`column`), for a list without names (`no_names`), and for one
    that is too long.
    """
    columns, rest = _columns(rows)
    lines: list[Line] = []
    faults: list[Fault] = []
    for number, cells in rest:
        line, wrong = _line(number, cells, columns)
        if wrong:
            faults += wrong
        elif line is not None:
            lines.append(line)
    faults += _twice(lines)
    return lines, sorted(faults, key=lambda fault: (fault.line, fault.column))


def teams_of(lines: Sequence[Line], sizes: Sequence[int] = SIZES) -> tuple[dict[str, list[Line]], list[Fault]]:
    """Return the lines of each team by the skeleton of its name, and the faults of teams that are not of one of `sizes`."""
    teams: dict[str, list[Line]] = {}
    for line in lines:
        if line.team:
            teams.setdefault(skeleton(line.team), []).append(line)
    faults = []
    for members in teams.values():
        if len(members) in sizes:
            continue
        text = _("the team “%(team)s” has %(count)d players on this list; a team has %(sizes)s.")
        sizes_told = ", ".join(str(size) for size in sizes)
        values = {"team": members[0].team, "count": len(members), "sizes": sizes_told}
        faults.append(Fault(members[0].number, "", text % values))
    return teams, faults


def letter(place: int) -> str:
    """Return the letter of the column at `place`, from 0."""
    return chr(ord("A") + place)


def _columns(rows: Sequence[Row]) -> tuple[list[str], Sequence[Row]]:
    """Return the meaning of each column, "" for an empty one, and the rows below the heads."""
    number, first = rows[0]
    heads = [folded(tidy(cell)).strip(" :*") for cell in first]
    if not any(head in HEADS for head in heads):
        width = max(len(cells) for _number, cells in rows)
        if width > len(WITHOUT_HEADS) and any(cell.strip() for _n, cells in rows for cell in cells[3:]):
            text = _("Without heads a list has the columns name, team, club. Write heads above the columns.")
            raise Refused("column", text, field="file")
        if len(rows) > MOST_LINES:
            text = _("A list has at most %(most)d names. Cut it into several lists.")
            raise Refused("too_long", text % {"most": MOST_LINES}, field="file")
        return [*WITHOUT_HEADS, *[""] * width], rows
    found: list[str] = []
    for place, head in enumerate(heads):
        meaning = HEADS.get(head, "")
        values = {"line": number, "column": letter(place), "head": _cut(tidy(first[place]))}
        if head and not meaning:
            text = _(
                "Line %(line)d, column %(column)s: “%(head)s” is not known. Known are name, first name, team, club and"
                " e-mail: remove the column, or name it otherwise."
            )
            raise Refused("column", text % values, field="file")
        if meaning and meaning in found:
            text = _("Line %(line)d, column %(column)s: there is a column of that kind already.")
            raise Refused("column", text % values, field="file")
        found.append(meaning)
    if NAME not in found:
        raise Refused("no_names", _("No column has the head “name”."), field="file")
    return found, rows[1:]


def _line(number: int, cells: Sequence[str], columns: Sequence[str]) -> tuple[Line | None, list[Fault]]:
    found = dict.fromkeys((NAME, FIRST, TEAM, CLUB), "")
    places = dict.fromkeys(found, 0)
    faults: list[Fault] = []
    for place, cell in enumerate(cells):
        meaning = columns[place] if place < len(columns) else ""
        if not meaning and cell.strip():
            faults.append(Fault(number, letter(place), _("this column has no head.")))
        if meaning in found:
            found[meaning], places[meaning] = tidy(cell), place
            if (wrong := _wrong(cell, meaning)) is not None:
                faults.append(Fault(number, letter(place), wrong))
    if faults:
        return None, faults
    name = f"{found[FIRST]} {found[NAME]}".strip()
    if (wrong := _no_name(name)) is not None:
        return None, [Fault(number, letter(places[NAME]), wrong)]
    return Line(number, name, found[TEAM], found[CLUB]), []


def _wrong(cell: str, meaning: str) -> Text | None:
    """Return what is wrong with one cell, None when it is good."""
    text = tidy(cell)
    if FORMULA.match(cell) or FORMULA.match(text):
        return _("“%(text)s” looks like a formula: type the text itself.") % {"text": _cut(text)}
    if "\ufffd" in text or _meant(text):
        sentence = _("“%(text)s” was saved in a wrong encoding: save the list again as “CSV UTF-8”, or as .xlsx.")
        return sentence % {"text": _cut(text)}
    try:
        readable(cell)
        no_markup(text)
    except ValidationError as error:
        return str(error.messages[0])
    if meaning in (TEAM, CLUB) and len(text) > TEAM_NAME_LENGTH:
        return _("a text has at most %(most)d letters here.") % {"most": TEAM_NAME_LENGTH}
    if meaning == TEAM and len(text) == 1:
        return _("the name of a team has two letters at least.")
    return None


def _no_name(name: str) -> Text | None:
    if not name:
        return _("the name is missing.")
    if not 2 <= len(name) <= NAME_LENGTH:
        return _("a name has 2 to %(most)d letters; this one has %(count)d.") % {
            "most": NAME_LENGTH,
            "count": len(name),
        }
    if is_marked(name):
        return _("only the name of a bot account ends with “(bot)”.")
    if "@" in name:
        return pgettext_lazy("a line of a list", "this is an address and no name.")
    return None


def _meant(text: str) -> str:
    """Return the text that `text` was before UTF-8 was read as Windows-1252, such as Gélinas for GÃ©linas; "" for others."""
    try:
        meant = text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return ""
    return meant if meant != text else ""


def _twice(lines: Sequence[Line]) -> list[Fault]:
    """Return a fault for each line whose name looks like that of an earlier one."""
    seen: dict[str, int] = {}
    faults = []
    for line in lines:
        first = seen.setdefault(skeleton(line.name), line.number)
        if first != line.number:
            text = _(
                "“%(name)s” stands in line %(line)d already. Delete this line, or add an initial where it is somebody else."
            )
            faults.append(Fault(line.number, "", text % {"name": line.name, "line": first}))
    return faults


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
