"""What webhooks hold about a person: which of them the person has added. They belong to the club or competition and stay."""

from collections.abc import Iterator

from tock_league.common.persons import Leaving, Person, Row, Section, exported

from .models import Webhook
from .selectors import made_by_player


def _webhooks(person: Person) -> Iterator[Row]:
    """Yield the webhooks that the person has added, without their secrets."""
    for row in made_by_player(person.player) if person.player is not None else ():
        yield exported(row, "address", "kinds", "made_at")


def forget(leaving: Leaving) -> None:
    """Forget who has added the webhooks; they go on telling."""
    if leaving.person.player is not None:
        made_by_player(leaving.person.player).update(made_by=None)


SECTIONS = (Section("webhooks", Webhook._meta.label, _webhooks),)
