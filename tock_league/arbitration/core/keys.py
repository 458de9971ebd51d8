"""Which decisions need the signatures of two people: the second one signs after the first, or refuses with a reason.

Pure functions without database access. A panel's ruling is signed after three votes and needs no second signature.
Source: docs/arbitration.md, "Two signatures".
"""

from collections.abc import Collection
from typing import Final

from .decisions import UPHELD, Decision, Setting, penalty_of
from .penalties import NONE, at_least

PROTECTED: Final = frozenset({"talk", "conduct", "deal"})  # kinds whose claims no referee dismisses alone
UNKNOWN: Final = "other"  # a claim that names no kind may be about any of them
# The families of the penalty table that answer a claim of that kind; a deal is answered by any row.
_FAMILIES: Final = {"talk": "talk", "conduct": "abuse"}
_KINDS: Final = {family: kind for kind, family in _FAMILIES.items()}
EXPELS: Final = frozenset({"exclusion", "suspension", "ban"})


def protected(claims: Collection[str], about: str = "") -> bool:
    """Return whether only two referees dismiss these claims. `about`: the kind that the referee names, or "".

    A kind that the referee names adds to those of the claims; it replaces only `other`.
    """
    kinds = {about, *claims} - {""}
    if about:
        kinds -= {UNKNOWN} - {about}
    return bool(kinds & (PROTECTED | {UNKNOWN}))


def kind_of(family: str) -> str:
    """Return the protected kind of case that a family of the penalty table answers, or ""."""
    return _KINDS.get(family, "")


def two_keys(decision: Decision, setting: Setting) -> str:
    """Return why the decision needs a second signature, or "".

    "expels": exclusion, suspension or ban; "above": a penalty more severe than the table's standard; "dismissal": a claim
    of talking, conduct or a false deal is not upheld, in whatever wording: dismissed, an error of the referee, a row that
    answers another claim, or no penalty.
    """
    penalty = penalty_of(decision, setting)
    if decision.outcome != UPHELD or setting.row is None:
        return "dismissal" if protected(setting.claims, decision.about) else ""
    if penalty in EXPELS:
        return "expels"
    if not at_least(setting.row.steps[setting.step - 1].penalty, penalty):
        return "above"
    if setting.row.family in _KINDS:
        return "dismissal" if penalty == NONE else ""
    return "dismissal" if setting.claims & _FAMILIES.keys() else ""
