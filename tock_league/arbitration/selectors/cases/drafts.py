"""A person's own drafts in a case."""

from tock_league.accounts.models import Player

from ...models import Case, Draft


def drafts_of(person: Player | None, case: Case) -> dict[str, Draft]:
    """Return the drafts of `person` in the case by the form's name; nobody gets another one's. One query."""
    if person is None:
        return {}
    return {draft.form: draft for draft in Draft.objects.filter(case=case, person=person).select_related("given_by")}
