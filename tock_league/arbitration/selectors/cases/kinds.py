"""The kinds of case that the rules of a game allow, and what a ruling found."""

from games.selectors import rule_sets
from tock_league.accounts.minors import is_minor
from tock_league.accounts.models import BirthYear, Player

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


def was_minor(ruling: Ruling, offender: Player) -> bool:
    """Return whether the offender was a minor when the case was filed. One query; up to three for somebody without a login.

    The year of birth of somebody who is erased is gone; the entry of the signature still says it.
    """
    if is_minor(offender, ruling.case.filed_at):
        return True
    told = offender.user_id is None and ruling.event.body.get("offender") == "minor"
    return told and not BirthYear.objects.filter(player=offender).exists()


def is_shielded(ruling: Ruling) -> bool:
    """Return whether the public does not learn whom the ruling found against: a minor, for conduct."""
    offender = ruling.offender
    return offender is not None and family_of(ruling) == penalties.CONDUCT and was_minor(ruling, offender)
