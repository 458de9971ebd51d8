"""Which passwords are refused: those that a guesser tries early, and those made of names that everybody knows.

Source of the estimate: zxcvbn (Wheeler, USENIX Security 2016): the fewest guesses for a password as a sequence of common
passwords, words, names, dates, keyboard patterns and repetitions. NIST SP 800-63B asks for a list of common passwords
and of words of the context instead of rules on characters.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LEAST_GUESSES = 10**8  # online guessing is limited, and each guess of a stolen hash costs a tenth of a second
LEAST_OWN = 8  # letters that remain beside names
JUDGED = 40  # characters; the estimate's time grows with their square
# Different signs that may stand for letters (@ for a). The estimate tries every combination of them, and twenty would take
# seconds; these and all digits take a tenth of a second at most.
SIGNS = 3
# Words that people here put into passwords, and no list in English has: the game, the country, hockey, endearments.
WORDS = (
    "tock", "toc", "tockleague", "league", "ligue", "tractor", "tracteur", "shawinigan", "mauricie", "bille", "billes",
    "joker", "cartes", "partie", "motdepasse", "mot", "passe", "secret", "bonjour", "bonsoir", "allo", "salut", "soleil",
    "jetaime", "amour", "coeur", "doudou", "chouchou", "minou", "pitou", "loulou", "bebe", "cheri", "cherie", "mamie",
    "papi", "grandpapa", "grandmaman", "maman", "papa", "famille", "princesse", "licorne", "etoile", "printemps", "ete",
    "automne", "hiver", "neige", "erable", "sirop", "poutine", "tourtiere", "tabarnak", "calisse", "crisse", "ostie",
    "canada", "canadien", "canadiens", "habs", "nordiques", "hockey", "patinoire", "montreal", "quebec", "laval",
    "gatineau", "sherbrooke", "troisrivieres", "saguenay", "levis", "longueuil", "acadie", "moncton", "ottawa", "tremblay",
    "gagnon", "roy", "bouchard", "gauthier", "morin", "lavoie", "fortin", "gagne", "ouellet", "pelletier", "belanger",
    "levesque", "bergeron", "leblanc", "paquette", "girard", "simard", "boucher", "caron", "azerty", "azertyuiop",
    "janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre", "novembre",
    "decembre", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
)  # fmt: skip
NamesOf = Callable[[Any], Iterable[str]]

_known_to_all: list[NamesOf] = []
_of_the_person: list[NamesOf] = []
_one_at_a_time = threading.Lock()  # the library keeps the words of the call in a module's variable


def names_of_the_person(names_of: NamesOf) -> None:
    """Register a function that returns a user's own names: neither they nor their words may be the password."""
    _of_the_person.append(names_of)


def names_known_to_all(names_of: NamesOf) -> None:
    """Register a function that returns names that everybody knows, such as those of clubs. Their single words may be used."""
    _known_to_all.append(names_of)


class NamesValidator:
    """Refuses a password that is a name of the person, of a club or of the site, and little else."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError when fewer than LEAST_OWN letters remain beside the names."""
        rest, found = letters(password), False
        for word in sorted(words_of(user), key=len, reverse=True):
            if word in rest:
                rest, found = rest.replace(word, ""), True
        if found and len(rest) < LEAST_OWN:
            raise ValidationError(
                _("This password is made of your name, your address or the name of a club. Add words of your own."),
                code="password_names",
            )

    def get_help_text(self) -> str:
        return str(_("Not your name, your address or the name of a club."))


class GuessesValidator:
    """Refuses a password that a guesser reaches early."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError when LEAST_GUESSES tries of zxcvbn's order reach `password`."""
        from zxcvbn import zxcvbn  # here: its import costs each start 40 ms

        with _one_at_a_time:
            found = zxcvbn(judged_part(password), user_inputs=[*WORDS, *words_of(user)])
        if found["guesses"] < LEAST_GUESSES:
            raise ValidationError(
                _("This password is too easy to guess. Put several words together that do not belong together."),
                code="password_guessed",
            )

    def get_help_text(self) -> str:
        return str(_("Not a common password, a date or a row of keys."))


def judged_part(password: str) -> str:
    """Return what is judged of `password`: its beginning, in which signs beyond the first SIGNS are the letters they stand for.

    Digits stay, because they are dates and sequences too, and have few meanings.
    """
    from zxcvbn.matching import L33T_TABLE

    letter_of = {sign: letter for letter, signs in L33T_TABLE.items() for sign in signs if not sign.isdigit()}
    part = fold(password[:JUDGED])[:JUDGED]
    found = list(dict.fromkeys(sign for sign in part if sign in letter_of))
    return part.translate({ord(sign): letter_of[sign] for sign in found[SIGNS:]})


def words_of(user: Any) -> set[str]:
    """Return the names that concern `user`, as letters only, and the words of the own ones; of four letters or more."""
    own = {user.email or "", *re.split(r"[@.]", user.email or "")} if user is not None else set()
    own.add(getattr(user, "display_name", ""))
    own.update(name for names_of in _of_the_person if user is not None for name in names_of(user))
    whole = {"tock league", *own, *(name for names_of in _known_to_all for name in names_of(user))}
    words = {word for name in own for word in re.split(r"\W+", name)}
    return {found for found in map(letters, whole | words) if len(found) >= 4}


def fold(text: str) -> str:
    """Return `text` without accents, in lower case."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(letter)
    )


def letters(text: str) -> str:
    """Return the letters and digits of `text`, without accents, in lower case."""
    return "".join(letter for letter in fold(text) if letter.isalnum())
