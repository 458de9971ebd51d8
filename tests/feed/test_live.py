"""The live feed on a running site: facts as they happen, resuming, limits, and the plays as spectators see them."""

import re
import threading
import time

import pytest
from django.test import Client

from games.fold import SPECTATOR, Viewer, view
from games.selectors.games import shown_to
from tests.competitions.world import a_plan, a_tournament, under_way
from tests.games.conftest import Sat
from tests.servers.site import LiveSite, eventually
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import publishing
from tock_league.embedded import crowds
from tock_league.feed.models import FeedEvent

from .listening import Reader

pytestmark = pytest.mark.django_db(transaction=True)


def certify(match: Match) -> None:
    paper.certify(by=SITE, match=match, games=[Game(0, 3)])


def test_facts_come_as_they_happen_and_a_reader_resumes(live_site: LiveSite, settings) -> None:
    settings.LIVE_STREAMS_PER_ADDRESS = 2
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    first, second = under_way(cup)[:2]
    path = f"/live/competitions/{cup.slug}"
    threads = threading.active_count()
    with Reader(live_site, path) as reader, Reader(live_site, path) as other:
        assert (reader.status, reader.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        assert reader.headers["access-control-allow-origin"] == "*"
        assert "set-cookie" not in reader.headers
        reader.take("ready")
        certify(first)
        for each in (reader, other):
            told, standings = each.take("result.confirmed", "standings.changed")
        assert told.data["match"] == first.slug
        assert told.data["href"] == f"/api/v1/matches/{first.slug}"
        assert int(told.key) < int(standings.key)
        assert threading.active_count() - threads <= settings.LIVE_DB_THREADS  # none for a listener
        with Reader(live_site, path) as third:
            assert third.status == 429
    eventually(lambda: len(crowds.places) == 0)
    certify(second)
    with Reader(live_site, path, last=told.key) as again:
        kinds = [event.kind for event in again.take("ready", "standings.changed", "result.confirmed")]
        assert kinds[0] == "ready"
        assert '"match":"' + first.slug not in again.text  # known already
    FeedEvent.objects.filter(pk__lte=int(told.key)).delete()
    with Reader(live_site, path, last=told.key) as late:
        late.take("reset")
    with Reader(live_site, path, last="nonsense'--") as strange:
        strange.take("ready")
    assert FeedEvent.objects.exists()


def test_what_is_not_public_has_no_feed_and_a_feed_ends_with_its_publicity_or_the_server(live_site: LiveSite) -> None:
    draft = a_tournament(4, state="draft")
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    for path in (
        f"/live/competitions/{draft.slug}",
        "/live/competitions/nothing",
        "/live/matches/nothing",
        "/live/x/y",
    ):
        with Reader(live_site, path) as reader:
            assert reader.status == 404
    with Reader(live_site, f"/live/competitions/{cup.slug}", method="POST") as reader:
        assert reader.status == 405
    with Reader(live_site, f"/live/competitions/{cup.slug}") as reader:
        reader.take("ready")
        Competition.objects.filter(pk=cup.pk).update(is_rehearsal=True)
        assert reader.ended()
    Competition.objects.filter(pk=cup.pk).update(is_rehearsal=False)
    with Reader(live_site, f"/live/competitions/{cup.slug}") as reader:
        reader.take("ready")
        live_site.stop()
        assert reader.ended()  # and the server does not wait for it


def test_a_match_has_its_plays_as_spectators_see_them(live_site: LiveSite) -> None:
    match = under_way(a_tournament(4, on_paper=False))[0]
    with Reader(live_site, f"/live/matches/{match.slug}") as reader:
        reader.take("ready")
        publishing.open_table(match_id=match.pk, early=True)
        opened, snap = reader.take("table.open", "table.snap")
        match.refresh_from_db()
        assert match.table is not None
        assert opened.data["subject"] == match.table.slug
        site_says = Client().get(f"/api/tables/{match.table.slug}/snap").json()
        assert snap.data["view"] == site_says["view"]
        assert snap.data["you"] == site_says["you"]
        game = match.table.games.get()
        assert snap.key == f"{game.slug}.{snap.data['epoch']}.{snap.data['seq']}"
        players = [seating.player for seating in match.table.seatings.select_related("player").order_by("seat")]
        sat = Sat(match.table, players)
        sat.all_ready()
        sat.exchange()
        sat.play_on(6)
        undealt = sat.state.deals[0][0] - 1  # the last row before the cards are dealt
        last = snap.data["seq"]
        while last < undealt:
            last = reader.take("table.ev")[0].data["list"][-1]["seq"]
        time.sleep(1)
    assert last == undealt == shown_to(sat.game, SPECTATOR, now=clock.now_ms())
    hands = {card for seat in range(4) for card in view(sat.state, Viewer(seat))["hand"]}
    drawn = set(re.findall(r'\[\d,"(\w+)"\]', reader.text))  # for the deal, in the open, before the cards are dealt
    assert hands - drawn
    assert [card for card in hands - drawn if f'"{card}"' in reader.text] == []
    key = f"{game.slug}.{snap.data['epoch']}.{last}"
    with Reader(live_site, f"/live/matches/{match.slug}", last=key) as again:
        again.take("ready", "table.who")
        assert "table.snap" not in again.text  # it holds this view
    with Reader(live_site, f"/live/matches/{match.slug}", last="0000.0.1") as other:
        other.take("table.snap")
