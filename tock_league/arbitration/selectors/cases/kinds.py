"""The kinds of case that the rules of a game allow."""

from games.selectors import rule_sets

from ...models import Case

K = Case.Kind


def kinds_of(rules: str) -> list[tuple[str, str]]:
    """Return the kinds, each with its name, without those that cannot happen under these rules."""
    unknown = set() if rule_sets.touches(rules) else {K.TOUCH.value}
    unknown |= set() if rule_sets.burns(rules) else {K.BLIND.value}
    return [(value, str(label)) for value, label in K.choices if value not in unknown]
