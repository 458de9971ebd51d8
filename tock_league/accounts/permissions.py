"""can(): permission checks. An action is allowed only if an app has registered a rule that allows it.

`SITE` is the site itself: management commands, the demo, beat tasks. It passes every rule; no web request acts as it.

An app's `permissions.py` registers its rules with `@rule("club.edit")`; its AppConfig imports it. A rule decides one
action and gets the person (a Player, or None for a visitor) and the thing concerned. An administrator passes
every rule that exists; an action without a rule is refused to everybody, administrators included.

A role that MFA_REQUIRED_ROLES names gives no right while its holder's login has no second factor: every query for roles
filters by `in_force`.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q

from tock_league.common import refusals
from tock_league.common.errors import NotAllowed, Text

from .models import BOT_ACCOUNT, Player, Role, User


class Site:
    """The site as an actor; `SITE` is the only instance."""

    pk = None

    def __str__(self) -> str:
        return "site"


SITE: Final = Site()
Person = Player | Site | None
Rule = Callable[[Player, Any], bool]
Offices = Callable[[Player], Iterable[str]]
# What a bot account may do, where the rule allows it: what a player does for itself. It acts for nobody else.
BOT_ACTIONS: Final = frozenset(
    {
        "case.see",
        "club.join",
        "competition.see_private",
        "entry.answer",
        "entry.check_in",
        "invitation.answer",
        "profile.see",
    }
)
_rules: dict[str, Rule] = {}
_offices: list[Offices] = []

# Names that MFA_REQUIRED_ROLES may contain. The same name covers roles of the site, of events and of clubs.
ROLES: Final = ("administrator", "organiser", "referee", "head_referee", "club_officer", "panel")
FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)  # recovery codes only replace one of them


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
    if person.bot == BOT_ACCOUNT:
        return action in BOT_ACTIONS and _rules[action](person, thing)
    return is_administrator(person) or _rules[action](person, thing)


def label(person: Person) -> str:
    """Return the public label of `person` in the journal: `player:<slug>`, `system` for the site, `visitor`."""
    if person is None:
        return "visitor"
    return "system" if isinstance(person, Site) else f"player:{person.slug}"


def require(person: Person, action: str, thing: Any = None, *, needed: str, sentence: Text | None = None) -> None:
    """Raise NotAllowed (403) naming the role that is `needed` unless `person` may do `action` to `thing`.

    A refusal of a signed-in person is logged and counted.
    """
    if not can(person, action, thing):
        if person is not None:
            refusals.tell(label(person), action, needed=needed)
        raise NotAllowed(sentence, needed=needed)


def player_who_asks(person: Person) -> Player:
    """Return the person asking as a player, for what only a person does. Raises NotAllowed for visitors and the site."""
    if not isinstance(person, Player):
        raise NotAllowed(needed="player")
    return person


def actions() -> frozenset[str]:
    """Return every action that has a rule; the permission tests walk them."""
    return frozenset(_rules)


def is_administrator(person: Player) -> bool:
    """Return whether `person` looks after the whole site: by a role row, or as Django's superuser."""
    user = person.user
    if user is not None and user.is_superuser and may_use(user, "administrator"):
        return True
    return has_role(person, Role.Name.ADMINISTRATOR)


def has_role(person: Player, name: str) -> bool:
    """Return whether `person` holds the site role `name` now, and may use it."""
    return Role.objects.filter(in_force(), player=person, name=name).exists()


def in_force(column: str = "name") -> Q:
    """Return the condition of the rows of a role table that give rights now: not ended, and with a second factor where
    the role needs one. For tables with the columns `player`, `until` and `column`, the name in `ROLES`.
    """
    return Q(until__isnull=True) & usable(column)


def usable(column: str, *, officers: str = "", player: str = "player") -> Q:
    """Return the condition that the role named in `column` needs no second factor, or that its `player` has one.

    `officers`: how the table names what is `club_officer` in ROLES.
    """
    required = {officers if name == "club_officer" else name for name in settings.MFA_REQUIRED_ROLES}
    if not required:
        return Q()
    return ~Q(**{f"{column}__in": sorted(required)}) | protected(player)


def protected(player: str = "player") -> Q:
    """Return the condition that the login of the row's `player` has a second factor."""
    return Q(Exists(Authenticator.objects.filter(user__player=OuterRef(player), type__in=FACTORS)))


def has_factor(user: User) -> bool:
    """Return whether the login has an authenticator app or a passkey. One query."""
    return Authenticator.objects.filter(user=user, type__in=FACTORS).exists()


def may_use(user: User, role: str) -> bool:
    """Return whether a role of that name, in ROLES, gives the login its rights. No query where it needs no factor."""
    return role not in settings.MFA_REQUIRED_ROLES or has_factor(user)


def offices(function: Offices) -> Offices:
    """Register a function that returns the names, in ROLES, of the roles that a player holds in one app."""
    _offices[:] = [known for known in _offices if known.__module__ != function.__module__] + [function]
    return function


def offices_of(user: User | AnonymousUser) -> set[str]:
    """Return the names, in ROLES, of all roles that the login holds, whether it may use them or not."""
    if not isinstance(user, User):
        return set()
    found = {"administrator"} if user.is_superuser or user.is_staff else set()
    player = Player.objects.filter(user=user).first()
    if player is not None:
        found = found.union(*(function(player) for function in _offices))
    return found


def holds_protected(user: User | AnonymousUser) -> bool:
    """Return whether the login holds a role that MFA_REQUIRED_ROLES names. No query where it names none."""
    return bool(settings.MFA_REQUIRED_ROLES) and bool(offices_of(user) & set(settings.MFA_REQUIRED_ROLES))


def lacking_factor(user: User | AnonymousUser) -> set[str]:
    """Return the names, in ROLES, of the roles that the login holds and may not use before it has a second factor."""
    if not settings.MFA_REQUIRED_ROLES or not isinstance(user, User):
        return set()
    held = offices_of(user) & set(settings.MFA_REQUIRED_ROLES)
    return held if held and not has_factor(user) else set()


@offices
def _of_the_site(person: Player) -> Iterable[str]:
    return Role.objects.filter(player=person, until__isnull=True).values_list("name", flat=True)


@rule("profile.edit")
def _edit_profile(person: Player, player: Player) -> bool:
    return person.pk == player.pk


@rule("role.give")
def _give_role(person: Player, _thing: object) -> bool:
    return False  # administrators only, and they pass every rule


@rule("access.see")
def _see_access(person: Player, _thing: object) -> bool:
    return False  # administrators only


@rule("login.manage")
def _manage_login(person: Player, _thing: object) -> bool:
    return False  # administrators only


@rule("player.merge")
def _merge_players(person: Player, _thing: object) -> bool:
    return False  # administrators only


@rule("components.see")
def _see_components(person: Player, _thing: object) -> bool:
    return False  # administrators only
