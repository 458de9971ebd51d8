"""Hidden cards never leave the server: with different hidden cards a viewer gets the same bytes."""

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games import store
from games.families.tock.table import Tock
from games.fold import SPECTATOR, Row, Setup, Viewer, events, release, view, view_hash
from games.fold import told as told_steps
from games.live import projection
from games.live.messages import encode
from games.selectors.referee import rewindable
from games.services import referee
from tests.accounts.signing import a_boss, set_up_factor, sign_in
from tock_league.accounts.models import User
from tock_league.common import clock

from .conftest import appoint_referee
from .worlds import all_steps, other_world

PAIRS = 80
VIEWERS = [SPECTATOR, *map(Viewer, range(4)), Viewer(referee=True), Viewer(referee=True, sees=1)]
told_room = sys.modules["games.fold.told"]  # the package also exports a function named `told`


_played: dict[bool, tuple[Setup, list[Row]]] = {}  # rows are plain data: one game of each kind serves all tests


@pytest.fixture
def long_game(request: pytest.FixtureRequest) -> tuple[Setup, list[Row]]:
    """Some decks of a game, with exchange, touches, and rulings of every kind."""
    return play_long(request, ruled=True)


@pytest.fixture
def quiet_game(request: pytest.FixtureRequest) -> tuple[Setup, list[Row]]:
    """Some decks of a game without a referee."""
    return play_long(request, ruled=False)


def play_long(request: pytest.FixtureRequest, *, ruled: bool) -> tuple[Setup, list[Row]]:
    if ruled not in _played:
        sat = request.getfixturevalue("timed_table")
        looker = appoint_referee(sat)
        sat.all_ready()
        sat.exchange()
        for number in range(30):
            sat.play_on(3)
            touch_something(sat)
            if ruled and number % 5 == 2:
                rule_something(sat, looker.pk, f"TL-2026-000001/{number}")
        _played[ruled] = store.setup_of(sat.game), store.load(sat.game.pk)
    return _played[ruled]


def rule_something(sat: Any, looker: int, name: str) -> None:
    """Freeze, look at a hand, take the last turn back, penalise, warn, give time, continue."""
    game, seat = sat.game.pk, int(name[-1]) % 4
    referee.freeze(game_id=game, ref=f"{name}/1")
    until = clock.now() + timedelta(minutes=1)
    referee.hold(game_id=game, until=until)
    referee.grant_view(game_id=game, player_id=looker, seat=seat, until=until, ref=f"{name}/2")
    targets = rewindable(sat.game)
    if targets:
        referee.rewind(game_id=game, to=targets[-1], ref=f"{name}/3")
    referee.penalise(game_id=game, seat=seat, at=1, ref=f"{name}/4")
    referee.warn(game_id=game, seat=seat, ref=f"{name}/5")
    referee.adjust(game_id=game, seat=seat, ms=5000, ref=f"{name}/6")
    referee.resume(game_id=game, ref=f"{name}/7")


def touch_something(sat: Any) -> None:
    seat = min(sat.state.to_act)
    lines = view(sat.state, Viewer(seat)).get("legal", [])
    if lines and not lines[0].startswith("burn"):
        sat.send(seat, "touch", card=lines[0].split()[0])


def told(setup: Setup, rows: Sequence[Row], viewer: Viewer, since: int) -> list[str]:
    """Return every byte that the viewer's socket could carry for the rows after `since`: a snap, an ev and an hb at
    each.
    """
    texts = []
    found = all_steps(setup, rows)
    upto = len(rows) if viewer.live else release.bound(found[-1].after, release.DEAL)
    for step in found[since:upto]:
        texts.append(encode(projection.snap(step.after, viewer, release="deal", now=step.row.at)))
        texts.append(projection.ev_text(list(told_steps([step])), viewer, now=step.row.at))
        texts.append(encode(projection.beat(step.after, viewer, n=1, now=step.row.at)))
    return texts


def differences(setup: Setup, rows: Sequence[Row], *, pairs: int, seed: int) -> Iterator[bool]:
    """Compare `pairs` pairs of worlds for all viewers; yield for each whether it differs for the viewer."""
    roll, found = random.Random(seed), 0
    decks = [row.seq for row in rows if row.code == "play" and row.body["play"].startswith("deck")]
    for _ in range(pairs * 4):
        if found == pairs:
            break
        upto = roll.randrange(decks[0], len(rows) + 1)
        viewer = roll.choice(VIEWERS)
        # A referee who is shown a hand knows what its seat knows.
        world = other_world(setup, rows[:upto], viewer.seat if viewer.seat is not None else viewer.sees, roll)
        if world is None:
            continue
        found += 1
        # The worlds do not differ before the last deck.
        since = max(deck for deck in decks if deck <= upto) - 1
        yield told(setup, rows[:upto], viewer, since) != told(setup, world, viewer, since)
    assert found == pairs


def test_permuting_hidden_cards_changes_no_byte(long_game: tuple[Setup, list[Row]]) -> None:
    assert not any(differences(*long_game, pairs=PAIRS, seed=5))


@pytest.mark.parametrize("leak", ["gift", "deck", "count", "clock", "hand", "referee", "frozen"])
def test_a_leak_made_on_purpose_is_found(
    long_game: tuple[Setup, list[Row]], monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    real_public, real_own, real_clocks = Tock.public, Tock.own, projection.clocks_json

    def leaky_public(family: Tock, state: Any) -> dict[str, Any]:
        seen = real_public(family, state)
        hands = state.position.hands
        return seen | ({"count": [sum(hand) for hand in hands]} if leak == "count" else {"fresh": hands[0][:1]})

    def leaky_clocks(state: Any) -> dict[str, Any]:
        return real_clocks(state) | {"due": sum(state.position.hands[2]) if state.position is not None else 0}

    if leak == "referee":
        monkeypatch.setattr(Tock, "own", lambda family, state, viewer: real_own(family, state, shown_a_hand(viewer)))
    elif leak == "frozen":
        monkeypatch.setattr(told_room, "detail", lambda row, viewer, setup: dict(row.body))
    elif leak == "gift":
        monkeypatch.setattr(Tock, "line", lambda family, row, viewer, setup: row.body["play"])
    elif leak == "deck":
        monkeypatch.setattr(Tock, "line", lambda family, row, viewer, setup: row.body["play"][:80])
    elif leak == "clock":
        monkeypatch.setattr(told_room, "clocks_json", leaky_clocks)
    else:
        monkeypatch.setattr(Tock, "public", leaky_public)
    assert any(differences(*long_game, pairs=400, seed=6))  # ends with the first one that is found


def shown_a_hand(viewer: Viewer) -> Viewer:
    """A referee who sees a hand without a granted view."""
    return Viewer(referee=True, sees=3) if viewer == Viewer(referee=True) else viewer


def test_nobody_at_the_table_is_told_which_hand_a_referee_viewed(long_game: tuple[Setup, list[Row]]) -> None:
    setup, rows = long_game
    looks = [row for row in rows if row.code == "seat_view"]
    assert len(looks) == 6
    for step in all_steps(setup, rows):
        if step.row.code == "seat_view":
            for viewer in VIEWERS[:5]:
                ((event, _),) = events([step], viewer)
                assert event == {"seq": step.row.seq, "k": "seat_view", "d": {}, "set": {}}


def test_the_deadline_does_not_reveal_who_can_only_burn(quiet_game: tuple[Setup, list[Row]]) -> None:
    setup, rows = quiet_game
    burns = 0
    for step in all_steps(setup, rows):
        state = step.after
        if state.phase != "play" or state.clocks is None or state.clocks.run is None:
            continue
        (seat,) = state.to_act
        only_burns = all(line.startswith("burn") for line in view(state, Viewer(seat))["legal"])
        burns += only_burns
        assert state.clocks.due - state.clocks.opened == min(60_000, state.clocks.bank[seat])
    assert burns > 0


def test_a_seat_reads_no_card_but_its_own_and_those_laid(long_game: tuple[Setup, list[Row]]) -> None:
    setup, rows = long_game
    for seat in range(4):
        held: list[str] = []
        for (event, seen), step in zip(
            events(all_steps(setup, rows), Viewer(seat)), all_steps(setup, rows), strict=True
        ):
            allowed = {*held, *seen.get("hand", ()), seen.get("pile"), seen.get("laid"), "??"}
            if step.row.code == "draw":
                allowed |= {card for _, card in step.row.body["cards"]}
            if step.row.code == "play" and not step.row.body["play"].startswith(("deck", "give")):
                allowed |= {*step.row.body["play"].split(" ")}
            if step.row.code == "touch":
                allowed.add(step.row.body.get("card"))
            if step.row.code == "play" and (seat - step.row.body.get("seat", 0)) % 2 == 0:
                allowed |= (
                    {*step.row.body["play"].split(" ")[1:]} if step.row.body["play"].startswith("give") else set()
                )
            named = cards_in(json.dumps(event))
            assert named <= allowed, (event, seat)
            held = seen.get("hand", [])
    assert view_hash(seen)


def cards_in(text: str) -> set[str]:
    return set(re.findall(r'(?<=["\s])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK)(?=["\s])', text))


def test_no_page_of_the_admin_contains_a_secret(client: Client, timed_table: Any) -> None:
    """Walk every list and every object's page, and look for what only the server may know."""
    timed_table.all_ready()
    game = timed_table.game
    game.refresh_from_db()
    boss = a_boss().user
    sign_in(client, boss)
    secret = set_up_factor(boss)
    hidden = {
        secret,
        game.chain,
        bytes(game.secret.seeds).hex()[:64],
        str(game.secret.seeds),
        User.objects.get(pk=boss.pk).password,
        *Session.objects.values_list("session_key", flat=True),
    }
    objects = 0
    for model, _page in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"{name}_changelist")]
        for row in model._default_manager.all()[:3]:
            pages += [reverse(f"{name}_change", args=[row.pk]), reverse(f"{name}_history", args=[row.pk])]
        for page in pages:
            answer = client.get(page)
            assert answer.status_code == 200, page
            text = answer.content.decode()
            assert not [value for value in hidden if value and value in text], page
            objects += page != pages[0]
    assert objects > 10
