"""What applications hold about a person: those that the person has registered, and those that act for the person."""

from collections.abc import Iterator

from tock_league.common.persons import Leaving, Person, Row, Section, exported

from . import services
from .models import Access, Application


def _applications(person: Person) -> Iterator[Row]:
    """Yield the applications that the person has registered, without their secrets."""
    for row in Application.objects.filter(owner=person.player).order_by("pk") if person.player is not None else ():
        yield exported(
            row, "client_id", "name", "website", "description", "redirects", "kind", "made_at", "suspended_at"
        )


def _accesses(person: Person) -> Iterator[Row]:
    """Yield what the person lets applications do, and has let them do lately."""
    found = Access.objects.filter(user=person.user).select_related("application") if person.user is not None else ()
    for row in found:
        yield exported(
            row, "scopes", "since", "used_at", "expires_at", "ended_at",
            application=row.application.name, website=row.application.website,
        )  # fmt: skip


def forget(leaving: Leaving) -> None:
    """Delete the applications of the person: what they may do for others ends. Accesses go with the login.

    The person's name is taken out of what others have written about their own applications.
    """
    if leaving.person.player is not None:
        services.delete_of(leaving.person.player)
    for row in Application.objects.order_by("pk").iterator(500):
        if leaving.is_named_in(f"{row.name} {row.description}"):
            services.reword(row, name=leaving.cleaned(row.name), description=leaving.cleaned(row.description))


SECTIONS = (
    Section("applications", Application._meta.label, _applications),
    Section("accesses", Access._meta.label, _accesses),
)
