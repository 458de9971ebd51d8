"""Erases again, in a restored database, who was erased after the copy was made."""

from collections.abc import Iterable
from pathlib import Path

from tock_league.accounts.models import Player, User
from tock_league.common.persons import Person

from .erasure import erase
from .models import Erased
from .restored import read


def again(lists: Iterable[Path]) -> int:
    """Erase again those of the lists whom the restored database still has; return how many."""
    count = 0
    for one in {one.label: one for path in lists for one in read(path)}.values():
        person = _person(one.label)
        if person is not None and not Erased.objects.filter(label=one.label).exists():
            erase(person, pseudonym=one.pseudonym)
            count += 1
    return count


def _person(label: str) -> Person | None:
    kind, _, name = label.partition(":")
    if kind == "player":
        player = Player.objects.filter(slug=name).select_related("user").first()
        return Person(player.user, player) if player is not None else None
    user = User.objects.filter(username=name).first()
    return Person(user, None) if user is not None else None
