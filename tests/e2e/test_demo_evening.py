"""The demo over the wire: the printed account signs in and plays tonight's match to its end against the bots; then
standings, ratings and leaderboards have changed."""

import uuid
from typing import Any

import pytest
import requests

from games import bots
from games.engine import shuffle
from games.live import limits
from games.models import Table
from ratings.models import Rating
from tests.servers.site import LiveSite, eventually
from tock_league.common import clock
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.rankings import standings
from tock_league.demo import history, load
from tock_league.demo.league import competition_of
from tock_league.demo.programme import SECOND_NIGHT, THIS_SEASON


class Guest:
    """A client with a password and cookies; at the table it knows only the seat's own view."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.browser = requests.Session()
        self.roll = shuffle.stream(b"a guest of the demo", b"roll")

    def get(self, path: str, **query: Any) -> requests.Response:
        answer = self.browser.get(self.url + path, params=query, timeout=40)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer

    def post(self, path: str, **more: Any) -> requests.Response:
        token = self.browser.cookies["csrftoken"]
        headers = {"X-CSRFToken": token, "Referer": self.url}
        return self.browser.post(self.url + path, headers=headers, timeout=40, **more)

    def sign_in(self, email: str, password: str) -> None:
        self.get("/accounts/login/")
        answer = self.post("/accounts/login/", data={"login": email, "password": password})
        assert answer.status_code == 200
        assert "sessionid" in self.browser.cookies

    def command(self, table: str, turn: str, kind: str, **args: str) -> None:
        frame = {"id": str(uuid.uuid4()), "turn": turn, "kind": kind, "args": args}
        answer = self.post(f"/api/tables/{table}/commands", json=frame)
        assert answer.json()["t"] == "ack", answer.json()

    def play_on(self, table: str) -> dict[str, Any]:
        """Play every turn until the game is over; return the last view."""
        while True:
            snap = self.get(f"/api/tables/{table}/snap").json()
            seen = snap["view"]
            if seen["phase"] == "over":
                return dict(seen)
            if seen.get("legal"):
                line = bots.choose(seen, seen["legal"], level="club", roll=self.roll)
                self.command(table, seen["decision"], "play", play=line)
            else:
                query = {"epoch": snap["epoch"], "since": snap["seq"], "wait": 20, "game": seen["game"]}
                self.get(f"/api/tables/{table}/events", **query)


@pytest.mark.slow
def test_the_demos_account_plays_tonights_match(
    transactional_db: None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    # The guest plays faster than people do.
    settings.API_CALLS_PER_PERSON = settings.API_CALLS_PER_ADDRESS = 100_000
    monkeypatch.setattr(limits, "commands", lambda: limits.Rate(1000, 1.0))
    # This season and a club night are enough for ratings that can change; tests/demo loads everything.
    monkeypatch.setattr(history, "EVENTS", (THIS_SEASON, SECOND_NIGHT))
    printed = load.prepare(clock.now())
    password = next(line.split()[-1] for line in printed if "martine@demo.tock" in line)
    league = competition_of(THIS_SEASON)
    assert league is not None
    match = Match.objects.select_related("table").get(competition=league, state=Match.State.CALLED)
    assert match.table is not None
    table = match.table.slug
    mine = Rating.objects.get(
        subject__kind="player", subject__members__slug="m-gelinas", generation__ladder__key="shawinigan:2"
    )
    before = {line.name: int(line.points) for line in standings.table(league)}
    assert (mine.games, sum(before.values())) == (14, 56)

    live_site: LiveSite = request.getfixturevalue("live_site")  # as in `serve`: loaded before anything else runs
    guest = Guest(live_site.url)
    guest.sign_in("martine@demo.tock", password)
    assert f"/tables/{table}/" in guest.get("/tonight/").text
    guest.get(f"/tables/{table}/")
    seen = guest.get(f"/api/tables/{table}/snap").json()
    assert seen["you"]["role"] == "seat"
    guest.command(table, seen["view"]["decision"], "ready")
    over = guest.play_on(table)

    assert sorted(over["result"]["ranks"]) == [0, 1]
    assert Table.objects.get(slug=table).state == Table.State.FINISHED
    eventually(lambda: Match.objects.filter(pk=match.pk, state=Match.State.CONFIRMED).exists())
    winner = match.table.team_names[over["result"]["ranks"].index(0)]
    after = {line.name: int(line.points) for line in standings.table(league)}
    assert after == before | {winner: before[winner] + 2}
    eventually(lambda: Rating.objects.filter(pk=mine.pk, games=15).exclude(score_milli=mine.score_milli).exists())
    assert "Martine Gélinas" in guest.get("/clubs/club-de-tock-de-shawinigan/leaderboard/").text
