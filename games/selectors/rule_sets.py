"""The rule sets of the registry, with texts for people: one list for every page."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext

from games.engine import registry
from games.families import words

Text = str | Promise


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as people choose it."""

    id: str
    name: Text
    sentence: Text
    # by number of seats the allowed numbers of teams; as many as seats means individual play
    shapes: Mapping[int, tuple[int, ...]]
    page: str  # the name of its rules page, such as `shawinigan-1`
    game: str  # its family of games
    touches: bool  # whether touched cards and marbles may bind
    rounds: bool  # whether a game can have a fixed number of rounds


def is_played(rules: str) -> bool:
    """Return whether the rule set can be played on this site."""
    return rules in registry.ids()


def offered() -> list[RuleSet]:
    """Return every rule set that can be played: the site's main one first, then the others of its family by id, then
    the other families'.
    """
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
    """Return the family of games, `tock` or `tractor`, of a rule set or of a ladder's rules; an unknown name is
    returned as it is.
    """
    first = _first(rules)
    return next((registry.entry(known).family for known in registry.ids() if _first(known) == first), first)


def touches(rules: str) -> bool:
    """Return whether a laid card and a touched marble may bind; False for a set that is not played here."""
    return is_played(rules) and registry.game(rules).touches


def has_rounds(rules: str) -> bool:
    """Return whether a game of the rule set can have a fixed number of rounds."""
    return is_played(rules) and registry.game(rules).in_rounds


def burns(rules: str) -> bool:
    """Return whether a referee may order a blind burn in the game."""
    return is_played(rules) and registry.game(rules).burns


def name_of(rules: str) -> str:
    """Return the name of the rule set for people, with its edition from the second on; an unknown id is returned as it
    is.
    """
    first, _slash, edition = rules.partition("/")
    named = words.named().get(first)
    if named is None:
        return rules
    name = str(named.name)
    if edition in ("", "1"):
        return name
    return gettext("%(name)s, edition %(edition)s") % {"name": name, "edition": edition}


def ladder_name(family: str) -> str:
    """Return the name of the ladder of a rule set, without the edition; an unknown name is returned as it is."""
    named = words.named().get(family)
    return str(named.ladder) if named else family


def counting_of(rules: str) -> words.Counting:
    """Return how games of the rule set are counted; for an unknown family, as those of the site's main rule set."""
    known = registry.families().get(game_of(rules))
    return words.counting_of(known.rules.id if known else offered()[0].id)


def whole_game(rules: str) -> str:
    """Return in words how long a game without a fixed number of rounds lasts; "" if games have no rounds to count."""
    return str(counting_of(rules).whole_game) if has_rounds(rules) else ""


def page_of(rules: str) -> str:
    """Return the name of the rule set's rules page."""
    return rules.replace("/", "-")


def _first(rules: str) -> str:
    return rules.partition("/")[0]
