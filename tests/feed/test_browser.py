"""Pages in frames of other sites and overlays draw themselves anew, in a real browser."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.competitions.world import a_plan, a_tournament, under_way
from tests.games.conftest import Sat
from tests.servers.site import LiveSite
from tock_league.accounts.permissions import SITE
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import publishing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """Serve a page on another port, which is another site to a browser; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_frame_on_another_site_and_an_overlay_show_what_happens(live_site: LiveSite, chromium: Any) -> None:
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    match = under_way(cup)[0]
    winner = match.side_rows.get(position=0).entry.team.name
    online = under_way(a_tournament(4, on_paper=False))[0]
    context = chromium.new_context(viewport={"width": 1920, "height": 1080})
    errors: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    frame = f"{live_site.url}/embed/competitions/{cup.slug}/standings/?lang=en&theme=light"
    with another_site(f'<iframe src="{frame}"></iframe>') as address:
        page.goto(address)
    inside = page.frame_locator("iframe")
    first = inside.locator("tbody tr").first
    first.wait_for()
    paper.certify(by=SITE, match=match, games=[Game(0, 3)])
    inside.locator("tbody tr", has_text=winner).locator("td.number", has_text="2").wait_for(timeout=10_000)
    assert context.cookies() == []

    publishing.open_table(match_id=online.pk, early=True)
    online.refresh_from_db()
    assert online.table is not None
    online.table.release = "live"
    online.table.save(update_fields=["release"])
    page.goto(f"{live_site.url}/embed/matches/{online.slug}/overlay/?lang=en")
    page.get_by_text("The game begins.").wait_for()
    players = [seating.player for seating in online.table.seatings.select_related("player").order_by("seat")]
    sat = Sat(online.table, players)
    sat.all_ready()
    sat.exchange()
    sat.play_on(5)
    page.locator(".overlay-foot code").wait_for(timeout=10_000)
    page.locator(".overlay-clock", has_text=":").wait_for()
    if folder := os.environ.get("TOCK_SHOTS"):
        page.wait_for_timeout(800)
        page.screenshot(path=f"{folder}/overlay.png", omit_background=True)
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == "rgba(0, 0, 0, 0)"
    assert errors == []
    context.close()
