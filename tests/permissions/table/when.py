"""The subjects whose deeds depend on a stage, and what was possible in each."""

from collections.abc import Mapping

from ..expected import ROWS, WHEN
from ..world import ALWAYS
from . import case_stages, entry_stages, match_stages
from .roles import Role
from .rows import CASE, ENTRIES, MATCH, Deed, Subject
from .tried import Found, attempts

STAGES = {ENTRIES: entry_stages, MATCH: match_stages, CASE: case_stages}


def allowed(deed: Deed, role: Role) -> bool:
    """Return whether `expected` lets the people of this role do the deed, in some state."""
    row = next(row for row in ROWS if (row.action, row.thing) == (deed.action, deed.thing))
    return any(name in ALWAYS or any(name in who for who in row.who.values()) for name in role.people)


def tried(subject: Subject) -> Found:
    """Walk through the stages of the subject and try every deed of those whom its rule allows."""
    made = STAGES[subject]
    deeds = [deed for deed in subject.deeds if deed.tried]
    roles = {deed.tried: tuple(role for role in subject.roles if allowed(deed, role)) for deed in deeds}
    return attempts(made.stages(), made.TRIES, roles)


def told() -> Mapping[tuple[str, str], frozenset[str]]:
    """Return the stages by deed and title of the role, as `expected` tells them."""
    return {(deed, role): frozenset(stages.split()) for deed, roles in WHEN.items() for role, stages in roles.items()}
