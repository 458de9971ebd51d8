"""What a case may be about, under the rules of its game."""

from games.selectors import rule_sets

from ...models import Case

K = Case.Kind


def kinds_of(rules: str) -> list[tuple[str, str]]:
    """Return the kinds, each with its name: without those about what a game of these rules does not know."""
    unknown = set() if rule_sets.touches(rules) else {K.TOUCH.value}
    unknown |= set() if rule_sets.burns(rules) else {K.BLIND.value}
    return [(value, str(label)) for value, label in K.choices if value not in unknown]
