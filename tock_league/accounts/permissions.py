"""can(): permission checks. An action is allowed only if an app has registered a rule that allows it.

`SITE` is the site itself: management commands, the demo, beat tasks. It passes every rule; no web request acts as it.

An app's `permissions.py` registers its rules with `@rule("club.edit")`; its AppConfig imports it. A rule decides one
action and gets the person (a Player, or None for a visitor) and the thing concerned. An administrator passes
every rule that exists; an action without a rule is refused to everybody, administrators included.
"""

from collections.abc import Callable
from typing import Any, Final

from tock_league.common.errors import NotAllowed, Text

from .models import Player, Role


class Site:
    """The site as an actor; `SITE` is the only instance."""

    pk = None

    def __str__(self) -> str:
        return "site"


SITE: Final = Site()
Person = Player | Site | None
Rule = Callable[[Player, Any], bool]
_rules: dict[str, Rule] = {}


def rule(action: str) -> Callable[[Rule], Rule]:
    """Register the decorated function as the rule of `action`, a word such as `club.edit`."""

    def register(function: Rule) -> Rule:
        known = _rules.get(action)
        if known is not None and known.__module__ != function.__module__:
            raise ValueError(f"two rules for {action}")
        _rules[action] = function
        return function

    return register


def can(person: Person, action: str, thing: Any = None) -> bool:
    """Return whether `person` may do `action` to `thing`; False for visitors and for actions without a rule."""
    if person is None or action not in _rules:
        return False
    if isinstance(person, Site):
        return True
    return is_administrator(person) or _rules[action](person, thing)


def label(person: Person) -> str:
    """Return the public label of `person` in the journal: `player:<slug>`, `system` for the site, `visitor`."""
    if person is None:
        return "visitor"
    return "system" if isinstance(person, Site) else f"player:{person.slug}"


def require(person: Person, action: str, thing: Any = None, *, needed: str, sentence: Text | None = None) -> None:
    """Raise NotAllowed (403) naming the role that is `needed` unless `person` may do `action` to `thing`."""
    if not can(person, action, thing):
        raise NotAllowed(sentence, needed=needed)


def actions() -> frozenset[str]:
    """Return every action that has a rule; the permission tests walk them."""
    return frozenset(_rules)


def is_administrator(person: Player) -> bool:
    """Return whether `person` looks after the whole site: by a role row, or as Django's superuser."""
    user = person.user
    return (user is not None and user.is_superuser) or has_role(person, Role.Name.ADMINISTRATOR)


def has_role(person: Player, name: str) -> bool:
    """Return whether `person` holds the site role `name` now."""
    return Role.objects.filter(player=person, name=name, until__isnull=True).exists()


@rule("profile.edit")
def _edit_profile(person: Player, player: Player) -> bool:
    return person.pk == player.pk


@rule("role.give")
def _give_role(person: Player, _thing: object) -> bool:
    return False  # administrators only, and they pass every rule


@rule("access.see")
def _see_access(person: Player, _thing: object) -> bool:
    return False  # administrators only


@rule("components.see")
def _see_components(person: Player, _thing: object) -> bool:
    return False  # administrators only
