"""Names of players, clubs and teams: readable, and not confusable with each other.

Two names are confusable when they have the same skeleton (Unicode Technical Standard 39, section 4): each character is
replaced by the prototype that it looks like, such as Latin a for Cyrillic а. Letter case, and i beside l (I beside l in
many typefaces), make no difference either. Decision 0026 says why the table is that of confusable-homoglyphs.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from .errors import Refused

# Characters of other categories that show nothing: fillers, a blank braille cell, joiners, variation selectors.
BLANKS = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})  # general categories
SPOKEN = frozenset({"Lu", "Ll", "Lt", "Lo", "Lm", "Nd", "Nl", "No"})
# A joiner between two letters of these scripts chooses the form of the letters; keyboards of Persian and Hindi write it.
JOINERS = frozenset("\u200c\u200d")
JOINING = frozenset({
    "ARABIC", "SYRIAC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU",
    "KANNADA", "MALAYALAM", "SINHALA",
})  # fmt: skip
# These choose how the symbol before them is drawn: in colours, or joined to others.
OF_SYMBOLS = frozenset("\u200d\ufe0e\ufe0f")
BOT_MARK = " (bot)"  # ends the name of a bot account, and nobody else's
MOST_MARKS = 2  # combining marks in a row, in composed form; Vietnamese and French need none, Yoruba one


def tidy(name: str) -> str:
    """Return `name` in composed form (NFC), without spaces around it and with single ordinary spaces inside.

    What only chooses how its neighbours are drawn, and cannot be seen, is left out: variation selectors and joiners of
    symbols, and joiners between letters of scripts whose letters join. The name stays readable without.
    """
    name, kept = unicodedata.normalize("NFC", name), ""
    for place, character in enumerate(name):
        of_symbol = character in OF_SYMBOLS and unicodedata.category(kept[-1:] or " ").startswith("S")
        if not of_symbol and not (
            character in JOINERS and _joins(name[max(place - 1, 0)], name[place + 1 : place + 2])
        ):
            kept += character
    return " ".join(kept.split())


def readable(name: str) -> None:
    """Raise ValidationError unless `name` is made of visible characters, one of them a letter or digit at least.

    Refused: control, format and bidirectional characters, blank look-alikes of the space, unassigned and private
    characters, and piles of combining marks. For forms and services; the model's own rule is older and looser.
    """
    marks = 0
    for character in tidy(name):
        category = unicodedata.category(character)
        if character in BLANKS or category in INVISIBLE:
            raise ValidationError(
                _(
                    "The name contains an invisible character. Type it again with letters, digits and signs that everybody sees."
                ),
                code="control_characters",
            )
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MOST_MARKS:
            raise ValidationError(_("The name has too many accents on one letter."), code="name_marks")
    if name.strip() and not any(unicodedata.category(character) in SPOKEN for character in name):
        raise ValidationError(_("A name has a letter or a digit at least."), code="name_letters")


def checked_name(name: str, *, field: str) -> str:
    """Return `name` tidied. Raise Refused naming `field` unless it is readable."""
    name = tidy(name)
    try:
        readable(name)
    except ValidationError as error:
        raise Refused(error.code or "name", error.messages[0], field=field) from error
    return name


def is_marked(name: str) -> bool:
    """Return whether `name` ends as the names of bot accounts do, or looks as if it did."""
    return skeleton(name).endswith(skeleton(BOT_MARK))


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return what confusable names have in common; not meant to be read. Two passes, because case changes the look.

    Kept, because each team that enters is compared with all names of its event.
    """
    for _pass in range(2):
        name = _prototypes(tidy(name).casefold())
    return name


def look_of(name: str) -> str:
    """Return the SHA-256 of the skeleton, in hexadecimal: of a length that fits a column."""
    return sha256(skeleton(name).encode()).hexdigest()


def plain_look_of(name: str) -> str:
    """Return `look_of` the name without its accents: Gelinas for Gélinas. For names that nobody has registered."""
    parts = unicodedata.normalize("NFD", tidy(name))
    return look_of("".join(letter for letter in parts if not unicodedata.combining(letter)))


def folded(text: str) -> str:
    """Return `text` in small letters without accents, a character for each of its characters."""
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    if character == "’":
        return "'"
    small = unicodedata.normalize("NFD", character)[0].lower()
    return small if len(small) == 1 else character


def by_alphabet(text: str) -> str:
    """Return what lists of names are sorted by: no accents, no capitals, and œ and æ as two letters."""
    return folded(text.lower().replace("œ", "oe").replace("æ", "ae"))


def first_confusable(name: str, others: Iterable[str]) -> str | None:
    """Return the first of `others` that looks like `name`, or None."""
    wanted = skeleton(name)
    return next((other for other in others if skeleton(other) == wanted), None)


def _joins(before: str, after: str) -> bool:
    """Return whether a joiner may stand between these two characters: letters or marks of a script whose letters join."""
    return all(
        one and unicodedata.category(one)[0] in "LM" and unicodedata.name(one, "").split(" ")[0] in JOINING
        for one in (before, after)
    )


def _prototypes(text: str) -> str:
    # NFKD in place of the standard's NFD: full-width and other variants of a letter are not in its table.
    shown = (letter for letter in unicodedata.normalize("NFKD", text) if letter not in BLANKS)
    return unicodedata.normalize("NFD", "".join(_table().get(letter, letter) for letter in shown))


@cache
def _table() -> dict[str, str]:
    """Return the prototype of each character that has one. Read on first use: 15 ms and half a megabyte.

    The library's table names for each character or sequence those that look like it, in both directions. A prototype is
    the centre of such a star: the sequence of several characters (rn for m) where there is one, else the character with
    the most look-alikes.
    """
    from confusable_homoglyphs.utils import load  # here: its import costs each start 40 ms

    stars = {_bare(key): {_bare(other["c"]) for other in others} for key, others in load("confusables.json").items()}
    found: dict[str, str] = {}
    for letter, alike in stars.items():
        if len(letter) != 1:
            continue
        centre = max(alike | {letter}, key=lambda one: (len(one) > 1, len(stars.get(one, ())), one.isascii(), one))
        if centre != letter:
            found[letter] = centre
    found["i"] = found.get("l", "l")
    return found


def _bare(text: str) -> str:
    """Return `text` without the marks that the library's table keeps around characters written from right to left."""
    return text.strip("\u200e")
