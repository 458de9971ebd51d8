"""A write is done once: the same key gets the same answer, another body with it is refused."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import World, build
from tock_league.api import services
from tock_league.api.models import Answer
from tock_league.clubs.models import TeamInvitation, TeamPlayer
from tock_league.clubs.services import invite
from tock_league.common import clock

from . import calling
from .calling import caller, code, fits

pytestmark = pytest.mark.django_db
PATH = "/api/v1/me/invitations/{id}/answer"


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


@pytest.fixture
def offer(world: World) -> TeamInvitation:
    return invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)


def send(client: Any, offer: TeamInvitation, body: Any, key: str = "key-00000001") -> Any:
    headers = {"idempotency-key": key} if key else {}
    return client.post(PATH.replace("{id}", str(offer.pk)), body, "application/json", headers=headers)


@pytest.mark.both_databases
def test_a_repeated_request_gets_the_first_answer_and_does_nothing(world: World, offer: TeamInvitation) -> None:
    client = caller(world.player("player"))
    first = send(client, offer, {"accept": True})
    fits(first, PATH, "post")
    again = send(client, offer, {"accept": True})
    assert (first.status_code, first.json()["state"]) == (200, "accepted")
    assert again.json() == first.json()
    assert (first["Idempotency-Replayed"], again["Idempotency-Replayed"]) == ("false", "true")
    assert TeamPlayer.objects.filter(team=world.team, player=world.player("player"), left=None).count() == 1
    assert code(send(client, offer, {"accept": False})) == "idempotency_reused"
    assert code(send(client, offer, {"accept": True}, "key-00000002")) == "invitation_used"


def test_a_repeat_gets_its_answer_where_the_deed_could_not_be_done_any_more(world: World) -> None:
    """The team of a captain is gone after the first request, and with it the right to dissolve it."""
    captain = caller(world.player("captain"), ["play"])
    team = f"teams/{calling.send(captain, 'teams', {'name': 'Les Libres'}).json()['slug']}"
    first, again = (calling.send(captain, f"{team}/dissolve", key="key-00000003") for _time in range(2))
    assert (first.status_code, again.status_code) == (200, 200), again.content
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    assert code(calling.send(captain, f"{team}/leave", key="key-00000003")) == "idempotency_reused"


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "with space"])
def test_a_write_needs_a_key(world: World, offer: TeamInvitation, key: str) -> None:
    answer = send(caller(world.player("player")), offer, {"accept": True}, key)
    assert (answer.status_code, code(answer), answer.json()["field"]) == (400, "idempotency_key", "Idempotency-Key")


@pytest.mark.parametrize(
    "body",
    [
        '{"accept": "perhaps"}',
        "{}",
        "[]",
        "{",
        "null",
        "[" * 5000,
        '{"accept":NaN}',
        '"\\ud800"',
        '{"accept":1e999}',
        "\0",
    ],
)
def test_a_body_of_the_wrong_form_is_refused_and_nothing_is_written(
    world: World, offer: TeamInvitation, body: str
) -> None:
    answer = send(caller(world.player("player")), offer, body)
    assert code(answer) in ("invalid", "bad_request")
    fits(answer, PATH, "post")
    assert not Answer.objects.exists()
    offer.refresh_from_db()
    assert offer.state == "open"


@pytest.mark.both_databases
def test_a_refused_deed_leaves_no_answer_behind(world: World, offer: TeamInvitation) -> None:
    answer = send(caller(world.player("stranger")), offer, {"accept": True})
    assert (answer.status_code, code(answer)) == (403, "not_allowed")
    assert not Answer.objects.exists()


def test_a_token_of_another_scope_does_not_write(world: World, offer: TeamInvitation) -> None:
    answer = send(caller(world.player("player"), ["manage"]), offer, {"accept": True})
    assert (answer.status_code, code(answer)) == (403, "token_scope")
    assert answer.json()["details"] == {"needed": "play"}
    assert code(send(caller(), offer, {"accept": True})) == "not_authenticated"
    assert not Answer.objects.exists()


@pytest.mark.both_databases
def test_keys_belong_to_a_person_and_are_forgotten_after_a_day(world: World, offer: TeamInvitation) -> None:
    send(caller(world.player("player")), offer, {"accept": True})
    assert code(send(caller(world.player("stranger")), offer, {"accept": True})) == "not_allowed"
    assert services.forget() == 0
    with clock.frozen(FIRST_ROUND + services.KEPT):
        assert code(send(caller(world.player("player")), offer, {"accept": False})) == "invitation_used"
        assert services.forget() == 1
