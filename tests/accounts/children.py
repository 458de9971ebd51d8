"""A child, its guardian, and how the one asks the other."""

from typing import Any

from tock_league.accounts import consents
from tock_league.accounts.models import Consent, Player
from tock_league.accounts.services import create_player, create_user
from tock_league.common import clock

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
CALLED = "Léa Gélinas"


def a_child(name: str = CALLED, *, age: int = 9, address: str = "lea@example.org", **more: Any) -> Player:
    """Return a child with a login, who turns `age` this year."""
    user = create_user(email=address, password="le tock du mercredi soir")
    return create_player(display_name=name, user=user, birth_year=clock.now().year - age, **more)


def a_guardian(name: str = "Martine Gélinas", address: str = "martine@example.org") -> Player:
    """Return an adult with a login."""
    user = create_user(email=address, password="le tock du mercredi soir")
    return create_player(display_name=name, user=user, birth_year=clock.now().year - 40)


def consented(child: Player, guardian: Player) -> Consent:
    """Return the consent that the guardian gave to the child's code."""
    return consents.give(by=guardian, code=consents.ask(by=child))
