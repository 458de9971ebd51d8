"""A person's own drafts in a case, or of the dispute of a match."""

from tock_league.accounts.models import Player
from tock_league.competitions.models import Match

from ...models import Case, Draft


def drafts_of(person: Player | None, of: Case | Match) -> dict[str, Draft]:
    """Return the drafts of `person` in the case or match by the form's name; nobody gets another one's. One query."""
    if person is None:
        return {}
    own = Draft.objects.filter(match=of) if isinstance(of, Match) else Draft.objects.filter(case=of)
    return {draft.form: draft for draft in own.filter(person=person).select_related("given_by")}
