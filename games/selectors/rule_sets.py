"""The rule sets that the registry offers, with words for people: one list for every page."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine import registry
from games.engine.tock.rules import TockRules

Text = str | Promise

# By family, for an edition changes rulings, not the game. A family not named here is offered under its id.
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
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as people choose it.

    `shapes`: for each number of seats, the numbers of teams; as many teams as seats is everybody for himself. `page`:
    the name of its rules page, such as `shawinigan-1`.
    """

    id: str
    name: Text
    sentence: Text
    shapes: Mapping[int, tuple[int, ...]]
    page: str


def is_played(rules: str) -> bool:
    """Say whether tables of the site play the rule set: those of the Tock family; of Tractor there is the engine alone so far."""
    return rules in registry.ids() and isinstance(registry.rules(rules), TockRules)


def offered() -> list[RuleSet]:
    """Answer every rule set of the Tock family, the site's own first, then by id."""
    found = [_of(rules) for rules in map(registry.rules, registry.ids()) if isinstance(rules, TockRules)]
    return sorted(found, key=lambda one: (not one.id.startswith("shawinigan/"), one.id))


def _of(rules: TockRules) -> RuleSet:
    _name, sentence = _WORDS.get(_family(rules.id), ("", ""))
    shapes = {seats: tuple(teams) for seats, teams in sorted(rules.teams.items())}
    return RuleSet(rules.id, name_of(rules.id), sentence, shapes, page_of(rules.id))


def name_of(rules: str) -> str:
    """Answer what people call the rule set, its edition after it from the second on; an id not known is its own name."""
    family, _slash, edition = rules.partition("/")
    if family not in _WORDS:
        return rules
    name = str(_WORDS[family][0])
    if edition in ("", "1"):
        return name
    return gettext("%(name)s, edition %(edition)s") % {"name": name, "edition": edition}


def page_of(rules: str) -> str:
    """Answer the name of the rule set's rules page."""
    return rules.replace("/", "-")


def _family(rules: str) -> str:
    return rules.partition("/")[0]
