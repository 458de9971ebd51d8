"""What lists, codes and claims hold about a person, and how it goes."""

from collections.abc import Iterator

from django.db.models import Q

from tock_league.common.persons import Leaving, Person, Row, Section, exported

from .models import Claim, ClaimCode, ListedName, NameList


def _lists(person: Person) -> Iterator[Row]:
    """Yield the lists that the person has saved or undone."""
    if person.player is not None:
        for row in NameList.objects.filter(Q(by=person.player) | Q(undone_by=person.player)):
            yield exported(row, "slug", "at", "undone_at")


def _listed(person: Person) -> Iterator[Row]:
    """Yield the lists that named the person."""
    rows = ListedName.objects.filter(player=person.player) if person.player is not None else ()
    for row in rows:
        yield exported(row, "made_by", "line", "made_player", "team")


def _codes(person: Person) -> Iterator[Row]:
    """Yield the codes for the person, and those that the person made; not their digests."""
    if person.player is not None:
        for row in ClaimCode.objects.filter(Q(player=person.player) | Q(made_by=person.player)):
            yield exported(row, "made_at", "expires_at", "ended_at")


def _claims(person: Person) -> Iterator[Row]:
    me = person.player
    if me is not None:
        for row in Claim.objects.filter(Q(player=me) | Q(own=me) | Q(answered_by=me)):
            yield exported(row, "state", "at", "answered_at")


def forget(leaving: Leaving) -> None:
    """Delete what links the person to a name that was typed, and codes and claims."""
    player = leaving.person.player
    if player is not None:
        ListedName.objects.filter(player=player).delete()
        ClaimCode.objects.filter(player=player).delete()
        Claim.objects.filter(Q(player=player) | Q(own=player)).delete()


SECTIONS = (
    Section("name_lists", NameList._meta.label, _lists),
    Section("listed_names", ListedName._meta.label, _listed),
    Section("claim_codes", ClaimCode._meta.label, _codes),
    Section("claims", Claim._meta.label, _claims),
)
