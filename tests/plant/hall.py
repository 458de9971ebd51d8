"""A laptop in a hall: an event on paper whose results are certified over http, until its process is killed."""

import random
import secrets
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.test import Client, override_settings

from tests.competitions.world import a_plan, a_signed_up_player, a_tournament, under_way
from tock_league.accounts.permissions import SITE
from tock_league.common import clock, outbox
from tock_league.competitions.services.seasons import roles
from tock_league.upkeep import databases

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
BY_NUMBER = "192.168.1.20:8000"
CERTIFIED = "SELECT m.slug FROM competitions_resultversion v JOIN competitions_match m ON m.id = v.match_id"


@dataclass
class Hall:
    """The data folder, the session of its organiser, the matches that wait; `certified`: when each answer came."""

    data: Path
    session: str
    waiting: list[str]
    certified: dict[str, float] = field(default_factory=dict)

    def certify(self, url: str, match: str) -> None:
        """Certify a match as the form does. Raises OSError when the site does not answer, AssertionError at a refusal."""
        token = "x" * 32
        sent = {"winner_1": "0", "margin_1": "3", "csrfmiddlewaretoken": token}
        request = urllib.request.Request(
            f"{url}/matches/{match}/paper/",
            urllib.parse.urlencode(sent).encode(),
            {
                "Cookie": f"sessionid={self.session}; csrftoken={token}",
                "Host": BY_NUMBER,  # as somebody's phone in the room asks, over plain http
                "Origin": f"http://{BY_NUMBER}",
            },
        )
        assert _status(request) == 302, match
        self.certified[match] = time.time()

    def certify_until_killed(self, url: str, kill: threading.Event) -> None:
        """Certify one match after the other until the site is gone; set `kill` after the first one."""
        for match in self.waiting:
            if match in self.certified:
                continue
            try:
                self.certify(url, match)
            except OSError:
                return
            kill.set()


def _status(request: urllib.request.Request) -> int:
    """Return the status of the answer. Raises OSError where none comes."""
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as answer:
        return int(answer.code)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nowhere: a form that was taken answers with 302."""

    def redirect_request(self, *_args: Any) -> None:
        return None


def a_hall(data: Path, *, teams: int = 16) -> Hall:
    """Fill the migrated database in the folder `data`, and return what is in it."""
    key = secrets.token_urlsafe(50)
    (data / "secret_key").write_text(key)
    where = databases.here(NAME=data / "tock.sqlite3")
    session_engine = "tock_league.accounts.sessions"
    with (
        databases.as_default(databases.opened(where)),
        outbox.by_hand(),
        clock.frozen(clock.now()),
        override_settings(SECRET_KEY=key, SESSION_ENGINE=session_engine),
    ):
        event = a_tournament(teams, plan=a_plan("swiss"))
        person = a_signed_up_player("bureau@example.org")
        roles.give(by=SITE, competition=event, player=person, name="referee")
        client = Client()
        client.force_login(person.user, backend=BACKEND)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        return Hall(data, session, [match.slug for match in under_way(event)])


def certified_in(database: Path) -> set[str]:
    """Return the matches with a result in a database file, whose pages are all sound."""
    opened = sqlite3.connect(database)
    try:
        assert opened.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return {slug for (slug,) in opened.execute(CERTIFIED)}
    finally:
        opened.close()


def kill_in_the_middle(hall: Hall, served: Any, seed: int) -> float:
    """Certify results, and kill the process of the site in the middle; return when."""
    begun = threading.Event()
    desk = threading.Thread(target=hall.certify_until_killed, args=(served.url, begun), daemon=True)
    desk.start()
    assert begun.wait(60)
    time.sleep(random.Random(seed).uniform(0, 0.6))
    at = time.time()
    served.kill()
    desk.join(30)
    return at
