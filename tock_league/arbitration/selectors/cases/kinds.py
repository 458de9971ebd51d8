"""The kinds of case that the rules of a game allow."""

from games.selectors import rule_sets

from ...core import penalties
from ...models import Case, Ruling

K = Case.Kind


def kinds_of(rules: str) -> list[tuple[str, str]]:
    """Return the kinds, each with its name, without those that cannot happen under these rules."""
    unknown = set() if rule_sets.touches(rules) else {K.TOUCH.value}
    unknown |= set() if rule_sets.burns(rules) else {K.BLIND.value}
    return [(value, str(label)) for value, label in K.choices if value not in unknown]


def family_of(ruling: Ruling) -> str:
    """Return the family of the ruling's row of the penalty table, or "" when it found nothing."""
    return penalties.by_version(ruling.table_version).row(ruling.row).family if ruling.row else ""
