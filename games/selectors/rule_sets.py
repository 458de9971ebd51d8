"""The rule sets that the registry offers, with words for people: one list for every page."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine import registry

Text = str | Promise
TRACTOR = "tractor"

# By the first part of an id, for an edition changes rulings, not the game. One not named here is offered under its id.
_WORDS: Mapping[str, tuple[Text, Text]] = {
    "shawinigan": (
        _("Tock de Rue (Shawinigan)"),
        _("Jokers play twice, a five moves anybody’s marble, a ten may make the next player burn a card."),
    ),
    "tock": (
        _("Tock (French rules)"),
        _(
            "A seven splits over four marbles; with six or eight players two packs, with eight a way through the centre."
        ),
    ),
    "tock-air": (
        _("Tock air"),
        _("No jokers, a card exchanged at every deal, an ace worth 1 or 11, and a hopeless hand may be thrown in."),
    ),
    "toc": (
        _("Toc (Spanish rules)"),
        _("No jokers, an ace worth 1 or 11, and every ten makes the next player burn a card."),
    ),
    "tractor": (
        _("Tractor (Sheng ji)"),
        _(
            "No board: two packs, trumps to be shown, tricks of pairs and tractors, and ranks to climb from 2 past the ace."
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as people choose it.

    `shapes`: for each number of seats, the numbers of teams; as many teams as seats is everybody for himself. `page`:
    the name of its rules page, such as `shawinigan-1`. `game`: its family of games. `touches`: whether what
    is touched may bind; `rounds`: whether a game may be fixed to a number of rounds.
    """

    id: str
    name: Text
    sentence: Text
    shapes: Mapping[int, tuple[int, ...]]
    page: str
    game: str
    touches: bool
    rounds: bool


def is_played(rules: str) -> bool:
    """Say whether tables of the site play the rule set."""
    return rules in registry.ids()


def offered() -> list[RuleSet]:
    """Return every rule set that tables play: the site's own first, then its family's by id, then the other families'."""
    found = [_of(registry.entry(rules)) for rules in registry.ids()]
    return sorted(found, key=lambda one: (not one.id.startswith("shawinigan/"), one.game, one.id))


def _of(entry: registry.Entry) -> RuleSet:
    rules = entry.rules
    _name, sentence = _WORDS.get(_first(rules.id), ("", ""))
    shapes = {seats: tuple(teams) for seats, teams in sorted(rules.teams.items())}
    return RuleSet(
        id=rules.id,
        name=name_of(rules.id),
        sentence=sentence,
        shapes=shapes,
        page=page_of(rules.id),
        game=entry.family,
        touches=touches(rules.id),
        rounds=has_rounds(rules.id),
    )


def game_of(rules: str) -> str:
    """Return the family of games, `tock` or `tractor`, of a rule set or of a ladder's rules; a name not known is its own."""
    first = _first(rules)
    return next((registry.entry(known).family for known in registry.ids() if _first(known) == first), first)


def touches(rules: str) -> bool:
    """Say whether a card laid and a marble touched may bind; of a set that is not played nothing does."""
    return is_played(rules) and registry.game(rules).touches


def has_rounds(rules: str) -> bool:
    """Say whether a game of the rule set may be fixed to a number of rounds."""
    return is_played(rules) and registry.game(rules).in_rounds


def burns(rules: str) -> bool:
    """Say whether a referee may have a card of the game burned blind."""
    return is_played(rules) and registry.game(rules).burns


def name_of(rules: str) -> str:
    """Return what people call the rule set, its edition after it from the second on; an id not known is its own name."""
    first, _slash, edition = rules.partition("/")
    if first not in _WORDS:
        return rules
    name = str(_WORDS[first][0])
    if edition in ("", "1"):
        return name
    return gettext("%(name)s, edition %(edition)s") % {"name": name, "edition": edition}


def page_of(rules: str) -> str:
    """Return the name of the rule set's rules page."""
    return rules.replace("/", "-")


def _first(rules: str) -> str:
    return rules.partition("/")[0]
