"""Invitations to casual tables: to people of the own clubs and teams who are here, with one press."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import TableInvitation
from games.permissions import Person
from games.selectors import casual as reader
from games.services import casual
from tests.clubs.test_presence import World, comes, hand, world  # noqa: F401
from tests.documents import squeezed
from tock_league.accounts import blocks
from tock_league.accounts.models import Player
from tock_league.common.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db


def as_person(player: Player) -> Person:
    return Person(player_id=player.pk)


def opened(player: Player) -> str:
    return casual.open_table(by=as_person(player)).code


def refusal(code: str, player: Player, by: Player) -> tuple[str, str | None]:
    with pytest.raises(Refused) as caught:
        casual.invite(code, player, by=as_person(by))
    return caught.value.code, caught.value.field


def test_one_press_invites_and_one_press_leads_to_the_seat(world: World) -> None:  # noqa: F811
    anna, bruno = comes(world.anna), comes(world.bruno)
    code = opened(world.anna)
    page = anna.get(reverse("pages:invite", args=[code]))
    assert [player.display_name for player in page.context["present"]] == ["Bruno"]
    deed = reverse("games:room_deed", args=[code, "invite"])
    for _twice in range(2):
        answer = anna.post(deed, {"player": world.bruno.slug}, follow=True)
        assert "Bruno is invited." in squeezed(answer.content.decode())
    assert TableInvitation.objects.count() == 1
    for name in ("pages:home", "pages:play"):
        assert "Anna invites you to a table" in squeezed(bruno.get(reverse(name)).content.decode())
    casual.sit(code, 2, by=as_person(world.bruno))
    assert not TableInvitation.objects.exists()
    assert refusal(code, world.bruno, world.anna) == ("seated", "player")


def test_who_declines_or_whose_host_has_left_sees_the_invitation_no_more(world: World) -> None:  # noqa: F811
    comes(world.anna), comes(world.bruno), comes(world.carole)
    code = opened(world.anna)
    for player in (world.bruno, world.carole):
        casual.invite(code, player, by=as_person(world.anna))
    bruno = comes(world.bruno)
    assert bruno.post(reverse("games:room_deed", args=[code, "decline"])).url == reverse("pages:play")
    assert reader.invitations(world.bruno.pk) == []
    assert len(reader.invitations(world.carole.pk)) == 1
    casual.stand(code, by=as_person(world.anna))
    assert reader.invitations(world.carole.pk) == []


def test_strangers_people_away_and_people_who_blocked_are_not_invited(world: World) -> None:  # noqa: F811
    for player in (world.anna, world.bruno, world.edith):
        comes(player)
    code = opened(world.anna)
    assert refusal(code, world.edith, world.anna) == ("not_here", "player")  # of no common club
    assert refusal(code, world.carole, world.anna) == ("not_here", "player")  # not here
    blocks.block(by=world.bruno, player=world.anna)
    assert refusal(code, world.bruno, world.anna) == ("apart", "player")
    with pytest.raises(NotAllowed):
        casual.invite(code, world.bruno, by=as_person(world.edith))
    with pytest.raises(NotAllowed):
        casual.invite(code, world.bruno, by=Person(guest_key="g" * 32))
    assert not TableInvitation.objects.exists()
    # Nor do they sit down at one table by another way.
    with pytest.raises(Refused) as caught:
        casual.sit(code, 1, by=as_person(world.bruno))
    assert caught.value.code == "apart"
    quick = casual.quick_seat(by=as_person(world.anna)).code
    assert casual.quick_seat(by=as_person(world.bruno)).code != quick
    assert casual.quick_seat(by=as_person(world.edith)).code == quick


def test_the_page_of_people_is_for_those_who_sit(world: World) -> None:  # noqa: F811
    code = opened(world.anna)
    address = reverse("pages:invite", args=[code])
    assert comes(world.bruno).get(address).status_code == 404
    assert Client().get(address).status_code == 302
    assert comes(world.anna).get(reverse("pages:invite", args=["zzzzzz"])).status_code == 404
    answer = comes(world.anna).post(reverse("games:room_deed", args=[code, "invite"]), {"player": "nobody"})
    assert answer.status_code == 422
    assert "There is no such person." in squeezed(answer.content.decode())
