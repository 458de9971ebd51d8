"""Which facts webhooks hear, in which shape, signed so that a receiver can check it."""

import base64
import json

import pytest
from django.test import Client

from tests.competitions.world import a_league, a_team, a_tournament, first_match, play_match
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import rolled_back
from tock_league.competitions.announcements import FACTS
from tock_league.competitions.services.entries import registration
from tock_league.competitions.services.results import corrections
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import lifecycle
from tock_league.feed import services as feed
from tock_league.feed.models import FeedEvent
from tock_league.webhooks import services
from tock_league.webhooks.models import Delivery
from tock_league.webhooks.services import bodies, delivering, signing
from tock_league.webhooks.services.delivering import SPREAD_TASK

from .world import a_place, certify, kinds_of, spread, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]


def test_a_result_is_told_in_the_shape_of_the_api_with_a_signature_and_forgotten_after_a_month(
    receiver, hand, monkeypatch
):
    place = a_place()
    address = receiver.address()
    made = services.add(by=place.officer, place=place.cup, address=address, kinds=["result.confirmed"])
    certify(place.match)
    assert work() == ["sent"]
    ((path, headers, body),) = receiver.got
    assert path == "/hook?x=1"
    assert headers["host"] == f"127.0.0.1:{receiver.port}"
    told = json.loads(body)
    assert (told["id"], told["type"], told["match"]) == (headers["webhook-id"], "result.confirmed", place.match.slug)
    answer = Client().get(told["href"], headers={"Accept-Language": "fr"}).json()
    assert told["data"]["match"] == answer
    assert answer["state"] == "confirmed"
    at = int(headers["webhook-timestamp"])
    assert at == clock.now_ms() // 1000
    signed = signing.signature(made.secret, event=told["id"], timestamp=at, body=body)
    assert headers["webhook-signature"] == signed
    assert len(base64.b64decode(made.secret.removeprefix("whsec_"))) == 32
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.answer, delivery.attempts) == ("sent", 200, "Merci.", 1)

    monkeypatch.setattr(bodies, "BODY_BYTES", 500)
    services.send_again(by=place.officer, slug=made.webhook.slug, delivery=delivery.pk)
    work()
    short = json.loads(receiver.got[1][2])
    assert (short["id"], short["href"], short["data"]) == (told["id"], told["href"], None)

    hand.advance(days=29)
    assert (feed.forget_old(), delivering.forget_old()) == (0, 0)
    hand.advance(days=2)
    assert feed.forget_old() > 0
    assert delivering.forget_old() == 1


def test_every_kind_of_fact_is_told_and_only_what_was_chosen(receiver, hand):
    place = a_place()
    services.add(by=place.officer, place=place.club, address=receiver.address(), kinds=FACTS)
    some = services.add(by=place.officer, place=place.cup, address=receiver.address("localhost"), kinds=["match.moved"])
    league = a_league(4, club=place.club)
    match = play_match(first_match(league), 0)
    assert match.state == "confirmed"
    certify(place.match)
    right = Right("paper", games=(Game(1, 2),))
    digest = corrections.preview(by=SITE, match=place.match, right=right).digest
    corrections.correct(by=SITE, match=place.match, right=right, reason="Mauvais côté.", digest=digest)
    cup = a_tournament(0, club=place.club, state="open")
    registration.register(by=SITE, competition=cup, team=a_team("Draveurs"))
    lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="La salle est inondée.")
    work()
    told = kinds_of(receiver.got)
    assert set(told) == set(FACTS) - {"match.moved", "ruling.published"}
    for _path, _headers, body in receiver.got:
        assert json.loads(body)["data"]
    assert not some.webhook.deliveries.exists()
    assert OutboxRow.objects.filter(task=SPREAD_TASK, done_at__isnull=True).count() == 0


def test_a_preview_tells_nothing_and_nothing_is_enqueued_where_nobody_listens(receiver):
    place = a_place()
    certify(place.match)
    assert FeedEvent.objects.filter(kind="result.confirmed").count() == 1
    assert not OutboxRow.objects.filter(task=SPREAD_TASK).exists()
    services.add(by=place.officer, place=place.cup, address=receiver.address(), kinds=FACTS)
    other = place.match.round.matches.exclude(pk=place.match.pk).get()
    with rolled_back():
        certify(other)
    assert not OutboxRow.objects.filter(task=SPREAD_TASK).exists()
    certify(other)
    assert spread() >= 2
    assert spread() == 0  # the tasks are done


def test_drafts_and_rehearsals_are_told_to_nobody(receiver):
    place = a_place()
    services.add(by=place.officer, place=place.club, address=receiver.address(), kinds=FACTS)
    FeedEvent.objects.all().delete()
    a_tournament(4, club=place.club, state="draft")
    assert not FeedEvent.objects.exists()
    certify(place.match)
    place.cup.is_rehearsal = True
    place.cup.save()
    work()
    assert receiver.got == []
    assert set(Delivery.objects.values_list("state", "error")) == {("given_up", "gone")}
