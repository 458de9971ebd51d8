"""The three flows of docs/architecture.md pass through the files that the page names."""

import json
import re
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.live import threads
from tests.arbitration.browsers import digest_of, signed_in, to, typed
from tests.arbitration.world import World, a_world
from tests.competitions.world import START, a_team, a_tournament
from tock_league.arbitration.models import Ruling
from tock_league.common import clock
from tock_league.competitions.models import Entry

from .source import PACKAGES, ROOT


@contextmanager
def passed() -> Iterator[set[str]]:
    """Yield the set of the project's files, as paths from the root, in which a function runs inside the `with`, in any
    thread."""
    seen: set[str] = set()
    files: set[str] = set()

    def note(frame: FrameType, event: str, _value: Any) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
        ours = [Path(name).relative_to(ROOT) for name in seen.copy() if name.startswith(f"{ROOT}/")]
        files |= {path.as_posix() for path in ours if path.parts[0] in PACKAGES}


def a_play(world: World) -> set[str]:
    """Let the seat that must act play its first legal line over HTTP."""
    sat = world.sat()
    address = f"/api/tables/{sat.table.slug}"
    for player in sat.players:
        browser = signed_in(player)
        view = browser.get(f"{address}/snap").json()["view"]
        if lines := view.get("legal"):
            body = {"id": str(uuid.uuid4()), "turn": view["decision"], "kind": "play", "args": {"play": lines[0]}}
            threads._pool().shutdown()
            threads._pool.cache_clear()  # new threads are traced as well
            with passed() as files:
                answer = browser.post(f"{address}/commands", json.dumps(body), content_type="application/json")
            assert answer.json()["t"] == "ack"
            return files
    raise AssertionError("nobody is to move")


def a_registration(_world: World) -> set[str]:
    """Let a captain enter a team."""
    cup, team = a_tournament(0, state="open"), a_team("Draveurs")
    browser: Client = signed_in(team.spells.get(slot=1).player)
    address = reverse("competitions:register", args=[cup.slug])
    assert browser.get(address).status_code == 200  # a first request loads modules, which does not belong to the flow
    with passed() as files:
        browser.post(address, {"team": team.slug})
    assert Entry.objects.get(team=team).state == "pending"
    return files


def a_ruling(world: World) -> set[str]:
    """Let the head referee sign that a finished game is lost for being late."""
    case = world.taken(world.heard(world.dispute(kind="other")))
    decision = typed(world, row="late", offender=world.players[0].pk)
    browser = signed_in(world.head)
    seen = browser.post(to("rule", case.number), decision | {"do": "preview"})
    signature = decision | {"do": "sign", "preview_digest": digest_of(seen)}
    with passed() as files:
        browser.post(to("rule", case.number), signature)
    assert Ruling.objects.count() == 1
    return files


FLOWS: dict[str, Callable[[World], set[str]]] = {
    "How one card travels": a_play,
    "How a team enters": a_registration,
    "How a ruling flows": a_ruling,
}
# Over a socket a play passes these in place of games/live/http.py.
SOCKET = {"games/live/consumer.py", "games/live/writer.py"}
PLACE = re.compile(r"`((?:tock_league|games|ratings)/[\w/]+(?:\.py|/))`")


def section(title: str) -> str:
    """Return the part of docs/architecture.md below a heading, up to the next one."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def of_every_request(browser: Client) -> set[str]:
    """Return the files that every request passes through, such as middleware."""
    browser.get("/health/live")
    with passed() as files:
        browser.get("/health/live")
    return files


# The threads of the live room have their own connections, which see only committed rows.
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("title", FLOWS)
def test_a_flow_passes_the_files_that_the_document_names(title: str, settings: Any) -> None:
    settings.TOCK_SLOW_COMMAND_MS = 600_000  # the log of a slow command passes more files, and the trace makes it slow
    with clock.frozen(START):
        files = FLOWS[title](a_world()) - of_every_request(Client())
    told = section(title)
    named = set(PLACE.findall(told)) - SOCKET
    assert sorted(file for file in files if not any(under(file, place) for place in named)) == []
    assert sorted(place for place in named if not any(under(file, place) for file in files)) == []
    # The engine files of a play depend on the card and on the caches.
    counted = [file for file in files if not file.startswith("games/engine/")]
    assert f"passes through {len(counted)} files" in " ".join(told.split())


def under(file: str, place: str) -> bool:
    """Return whether `file` is the file `place` or lies in the folder `place`, which ends in a slash."""
    return file == place or (place.endswith("/") and file.startswith(place))
