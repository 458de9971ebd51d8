"""Clubs and teams by API: what a person founds, joins, forms and leaves."""

from collections.abc import Iterator

import pytest

from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import World, build
from tock_league.clubs.models import Team, TeamInvitation
from tock_league.common import clock

from .calling import caller, code, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def test_two_tokens_make_a_team(world: World) -> None:
    captain, friend = (caller(world.player(name), ["play"]) for name in ("newcomer", "stranger"))
    founded = send(captain, "clubs", {"name": "Tock de la Tuque", "town": "La Tuque", "about": "Salle B."})
    assert (founded.status_code, founded.json()["members"]) == (201, 1), founded.content
    club = founded.json()["slug"]
    assert code(send(captain, f"clubs/{club}", {"about": "Salle C."}, method="patch")) == "token_scope"
    officer = caller(world.player("newcomer"))
    changed = send(officer, f"clubs/{club}", {"about": "Salle C."}, method="patch").json()
    assert (changed["name"], changed["about"]) == ("Tock de la Tuque", "Salle C.")
    assert send(friend, f"clubs/{club}/join", {"home": False}).json()["members"] == 2
    made = send(captain, "teams", {"name": "Les Draveurs", "club": club}).json()
    team = f"teams/{made['slug']}"
    assert [one["slot"] for one in made["players"]] == [1]
    assert send(captain, team, {"name": "Les Flotteurs"}, method="patch").json()["name"] == "Les Flotteurs"
    offer = send(captain, f"{team}/invitations", {"player": world.player("stranger").slug, "slot": 2})
    assert (offer.status_code, offer.json()["state"]) == (201, "open"), offer.content
    place = captain.get(f"/api/v1/{team}/places").json()["results"][1]
    assert (place["player"], place["invitation"]["id"]) == (None, offer.json()["id"])
    assert send(friend, f"me/invitations/{offer.json()['id']}/answer", {"accept": True}).status_code == 200
    lineup = send(captain, f"{team}/lineup", {"player": world.player("stranger").slug, "slot": 1}).json()
    assert lineup["players"][0]["player"]["slug"] == world.player("stranger").slug
    assert code(send(captain, f"{team}/remove", {"player": world.player("stranger").slug})) == "token_scope"
    assert len(send(friend, f"{team}/remove", {"player": world.player("newcomer").slug}).json()["players"]) == 1
    assert send(friend, f"{team}/follow").json() == {"follows": True}
    assert send(friend, f"{team}/leave").json()["dissolved_at"] is not None
    assert code(send(friend, f"{team}/follow")) == "team_dissolved"


def test_an_invitation_is_taken_back_by_its_own_team_only(world: World) -> None:
    captain = caller(world.player("captain"), ["play"])
    body = {"player": world.player("player").slug, "slot": 3}
    offer = send(captain, f"teams/{world.team.slug}/invitations", body).json()["id"]
    own = send(captain, "teams", {"name": "Les Libres"}).json()["slug"]
    assert code(send(captain, f"teams/{own}/invitations/{offer}/revoke")) == "not_found"
    assert send(captain, f"teams/{world.team.slug}/invitations/{offer}/revoke").json()["state"] == "revoked"
    assert not TeamInvitation.objects.filter(state="open").exists()


def test_wrong_names_and_players_are_refused_by_field(world: World) -> None:
    officer = caller(world.player("officer"))
    club, before = world.club.slug, Team.objects.count()
    captain, stranger = world.player("captain").slug, world.player("stranger").slug
    for path, body, status, field in (
        ("clubs", {"name": "x", "town": "La Tuque"}, 422, "name"),
        ("clubs", {"name": world.club.name, "town": "La Tuque"}, 422, "name"),
        ("clubs", {"name": "Tock"}, 400, "town"),
        ("teams", {"name": "Les <i>"}, 422, "name"),
        ("teams", {"name": "Les Libres", "size": 5}, 400, "size"),
        ("teams", {"name": "Les Libres", "club": "nowhere"}, 404, "club"),
        (f"clubs/{club}/teams", {"name": "Deux", "players": [captain]}, 400, "players"),
        (f"clubs/{club}/teams", {"name": "Deux", "players": [captain, captain]}, 422, "players"),
        (f"clubs/{club}/teams", {"name": "Deux", "players": [captain, stranger]}, 404, "players"),
        (f"teams/{world.team.slug}/invitations", {"player": captain, "slot": 1}, 400, "slot"),
        (f"teams/{world.team.slug}/invitations", {"player": captain, "slot": 3}, 422, "player"),
    ):
        answer = send(officer, path, body)
        assert (answer.status_code, answer.json()["field"]) == (status, field), (path, body, answer.json())
    assert Team.objects.count() == before
