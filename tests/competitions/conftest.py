"""Fixtures of the competitions' tests: a league, a club, and a browser signed in as a role."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, give_role
from tock_league.clubs import services as clubs

from .world import a_club, a_league, a_signed_up_player

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture
def league(db, hand):
    """A running league of four pairs, double round robin, one round a week."""
    return a_league(4)


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def roles(client, club):
    """Sign in as a role: visitor, player, captain, officer (of the club), organiser (site), admin."""

    def _as(name, league=None):
        client.logout()
        if name == "visitor":
            return client
        person = a_signed_up_player(f"{name}@example.org", f"{name} Tremblay")
        if name == "organiser":
            give_role(player=person, name="organiser", by=SITE)
        elif name == "admin":
            give_role(player=person, name="administrator", by=SITE)
        elif name == "officer":
            clubs.join(by=SITE, club=club, player=person)
            clubs.give_role(by=SITE, club=club, player=person, name="officer")
        elif name == "captain" and league is not None:
            captain = league.entries.first().roster.get(slot=1).player
            captain.user, person.user = person.user, None
            person.save()
            captain.save()
        client.force_login(type(person).objects.get(user__email=f"{name}@example.org").user, backend=BACKEND)
        return client

    return _as


@pytest.fixture
def sign_in(client):
    def _as(player):
        if player.user is None:
            player.user = create_user(email=f"{player.slug}@example.org")
            player.save()
        client.force_login(player.user, backend=BACKEND)
        return client

    return _as


@pytest.fixture
def organiser(club):
    person = create_player(display_name="Gaston Pronovost")
    clubs.join(by=SITE, club=club, player=person)
    clubs.give_role(by=SITE, club=club, player=person, name="organiser")
    return person
