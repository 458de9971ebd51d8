"""Blocking a person: both ways, told to nobody, bounded, private, and gone with the account."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.children import BACKEND
from tests.documents import squeezed
from tock_league.accounts import blocks
from tock_league.accounts.models import Block, Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing

pytestmark = pytest.mark.django_db
NAMES = ("Maude", "Réjean", "Sylvie")


def a_player(name: str) -> Player:
    return create_player(display_name=name, user=create_user(email=f"{len(name)}{name[0].lower()}@example.org"))


def browser(player: Player) -> Client:
    client = Client(headers={"accept-language": "en"})
    Player.objects.filter(pk=player.pk).update(language="en")
    client.force_login(player.user, backend=BACKEND)
    return client


@pytest.fixture
def people() -> list[Player]:
    return [a_player(name) for name in NAMES]


def refused(act) -> str:
    with pytest.raises(Refused) as error:
        act()
    assert str(error.value.sentence)
    return error.value.code


def test_a_block_works_both_ways_once_and_until_it_is_taken_back(people):
    maude, rejean, sylvie = people
    first = blocks.block(by=maude, player=rejean)
    assert blocks.block(by=maude, player=rejean) == first
    assert (blocks.apart(maude), blocks.apart(rejean), blocks.apart(sylvie)) == ({rejean.pk}, {maude.pk}, set())
    assert blocks.are_apart(rejean, maude)
    assert blocks.blocks(maude, rejean)
    assert not blocks.blocks(rejean, maude)
    blocks.unblock(by=rejean, player=maude)  # not the one who blocked
    assert blocks.are_apart(maude, rejean)
    blocks.unblock(by=maude, player=rejean)
    blocks.unblock(by=maude, player=rejean)
    assert not blocks.are_apart(maude, rejean)


def test_nobody_blocks_themselves_or_a_program_or_without_end(people, monkeypatch):
    maude, rejean, sylvie = people
    assert refused(lambda: blocks.block(by=maude, player=maude)) == "self_blocked"
    assert (
        refused(lambda: blocks.block(by=maude, player=create_player(display_name="Robot", bot="club"))) == "bot_blocked"
    )
    with pytest.raises(NotAllowed):
        blocks.block(by=SITE, player=maude)
    monkeypatch.setattr(blocks, "MOST", 1)
    blocks.block(by=maude, player=rejean)
    assert refused(lambda: blocks.block(by=maude, player=sylvie)) == "blocks_most"
    assert Block.objects.count() == 1


def test_an_invitation_between_blocked_people_is_refused_with_the_same_sentence_both_ways(people):
    maude, rejean, sylvie = people
    blocks.block(by=rejean, player=maude)
    told = []
    for captain, other in ((maude, rejean), (rejean, maude)):
        team = clubs.found_team(by=captain, name=f"Les amis {captain.pk}")
        with pytest.raises(Refused) as error:
            clubs.invite(by=captain, team=team, player=other, slot=2)
        told.append((error.value.code, error.value.field, str(error.value.sentence)))
        link = clubs.invite_by_link(by=captain, team=team, slot=2)[1]
        assert refused(lambda by=other, link=link: clubs.answer_link(by=by, token=link, accept=True)) == "apart"
        clubs.answer_link(by=sylvie, token=link, accept=True)
    assert told[0] == told[1]
    assert told[0][:2] == ("apart", "player")


def test_the_page_shows_the_own_blocks_alone_and_the_buttons_do_what_they_say(people):
    maude, rejean, sylvie = people
    blocks.block(by=sylvie, player=maude)
    client = browser(maude)
    assert 'block/"' in squeezed(client.get(reverse("pages:player", args=[rejean.slug])).content.decode())
    assert client.post(reverse("accounts:block", args=[rejean.slug])).status_code == 302
    page = squeezed(client.get(reverse("accounts:blocked")).content.decode())
    assert "Réjean" in page
    assert "Sylvie" not in page
    assert 'unblock/"' in squeezed(client.get(reverse("pages:player", args=[rejean.slug])).content.decode())
    client.post(reverse("accounts:unblock", args=[rejean.slug]))
    assert not blocks.of(maude)
    assert Client().get(reverse("accounts:blocked")).status_code == 302
    own = client.get(reverse("pages:player", args=[maude.slug])).content.decode()
    assert "/block/" not in own


def test_blocks_by_and_of_somebody_go_with_the_account(people):
    maude, rejean, sylvie = people
    blocks.block(by=maude, player=rejean)
    blocks.block(by=sylvie, player=maude)
    blocks.block(by=sylvie, player=rejean)
    with writing():
        blocks.forget(maude)
    assert list(Block.objects.values_list("player", "blocked")) == [(sylvie.pk, rejean.pk)]
