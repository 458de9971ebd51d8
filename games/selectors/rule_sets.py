"""The rule sets that the registry offers, with words for people: one list for every page."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext

from games.engine import registry
from games.families import words

Text = str | Promise


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
    """Return whether tables of the site play the rule set."""
    return rules in registry.ids()


def offered() -> list[RuleSet]:
    """Return every rule set that tables play: the site's own first, then its family's by id, then the other families'."""
    found = [_of(registry.entry(rules)) for rules in registry.ids()]
    return sorted(found, key=lambda one: (not one.id.startswith("shawinigan/"), one.game, one.id))


def _of(entry: registry.Entry) -> RuleSet:
    rules = entry.rules
    named = words.named().get(_first(rules.id))
    shapes = {seats: tuple(teams) for seats, teams in sorted(rules.teams.items())}
    return RuleSet(
        id=rules.id,
        name=name_of(rules.id),
        sentence=named.sentence if named else "",
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
    """Return whether a card laid and a marble touched may bind; of a set that is not played nothing does."""
    return is_played(rules) and registry.game(rules).touches


def has_rounds(rules: str) -> bool:
    """Return whether a game of the rule set may be fixed to a number of rounds."""
    return is_played(rules) and registry.game(rules).in_rounds


def burns(rules: str) -> bool:
    """Return whether a referee may have a card of the game burned blind."""
    return is_played(rules) and registry.game(rules).burns


def name_of(rules: str) -> str:
    """Return what people call the rule set, its edition after it from the second on; an id not named is its own name."""
    first, _slash, edition = rules.partition("/")
    named = words.named().get(first)
    if named is None:
        return rules
    name = str(named.name)
    if edition in ("", "1"):
        return name
    return gettext("%(name)s, edition %(edition)s") % {"name": name, "edition": edition}


def ladder_name(family: str) -> str:
    """Return what the ladder of a rule set is called, whatever the edition; a name not known is its own."""
    named = words.named().get(family)
    return str(named.ladder) if named else family


def counting_of(rules: str) -> words.Counting:
    """Return how games of the rule set are counted; those of a family that is not offered as the site's own are."""
    known = registry.families().get(game_of(rules))
    return words.counting_of(known.rules.id if known else offered()[0].id)


def whole_game(rules: str) -> str:
    """Return in words how long a game lasts that is not fixed to a number of rounds, "" where none can be."""
    return str(counting_of(rules).whole_game) if has_rounds(rules) else ""


def page_of(rules: str) -> str:
    """Return the name of the rule set's rules page."""
    return rules.replace("/", "-")


def _first(rules: str) -> str:
    return rules.partition("/")[0]
