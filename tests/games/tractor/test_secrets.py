"""Nobody gets a card of Tractor that the seat may not know: frames, pages, exports, and worlds that a viewer cannot
tell apart.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games import store
from games.families.tractor.table import Tractor
from games.fold import (
    SPECTATOR,
    Row,
    Setup,
    TableState,
    Viewer,
    apply_row,
    events,
    opening,
    release,
    view,
)
from games.fold import told as told_steps
from games.live import projection
from games.live.messages import encode
from games.models import Game
from tock_league.common import clock

from ..every_table import people
from .four import CARD, all_steps, open_game, play_whole

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_steps")]


def facts(event: dict[str, Any], *words: str) -> list[Any]:
    return [fact for fact in event.get("fx", []) if fact[0] in words]


class TestSecrecy:
    def test_a_frame_names_no_card_that_its_viewer_does_not_know(self, played: Game, rows: list[Row]) -> None:
        """Every card in every frame is in the viewer's hand, was laid, shown or turned, or was buried in a finished
        round.
        """
        setup = store.setup_of(played)
        found = all_steps(setup, rows)
        for viewer in (*map(Viewer, range(4)), SPECTATOR, Viewer(referee=True)):
            known: set[str] = set()
            for step, (event, seen) in zip(found, events(found, viewer), strict=True):
                line = str(step.row.body.get("play", ""))
                if line.startswith("deck"):
                    known = set(seen.get("previous", {}).get("buried", ()))
                if line.startswith(("play", "show")):
                    known |= set(CARD.findall(line))
                for fact in facts(event, "turned", "buried_were", "failed", "overridden"):
                    known |= set(CARD.findall(json.dumps(fact)))
                own = {*seen.get("hand", ()), *seen.get("buried", ())}
                before = view(step.before, viewer)
                own |= {*before.get("hand", ()), *before.get("buried", ())}
                if step.row.code == "draw":
                    continue  # the draw for the first dealer is public
                named = set(CARD.findall(encode(projection.ev([step], viewer, now=step.row.at))))
                assert named <= known | own, (viewer, event)
                assert set(CARD.findall(json.dumps(seen))) <= known | own

    def test_permuting_hidden_cards_changes_no_byte(self, played: Game, rows: list[Row]) -> None:
        assert not any(differences(store.setup_of(played), rows, pairs=24, seed=3))

    @pytest.mark.parametrize("leak", ["hand", "talon", "deck", "bury", "legal"])
    def test_a_leak_made_on_purpose_is_found(
        self, played: Game, rows: list[Row], leak: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = Tractor.public

        def leaky(family: Tractor, state: TableState) -> dict[str, Any]:
            seen = real(family, state)
            p = state.position
            told: dict[str, Any] = {
                "hand": {"left": sum(p.hand(0).count(card) for card in ("AS", "KS", "RJ"))},
                "talon": {"points": [*p.stock[:1], *p.talon[:1], p.buried[0]]},
                "legal": {"turn": len(state.legal(min(state.may_act)) if state.may_act else ())},
            }
            return seen | told[leak]

        if leak in ("deck", "bury"):
            monkeypatch.setattr(Tractor, "line", lambda family, row, viewer, setup: row.body["play"])
        else:
            monkeypatch.setattr(Tractor, "public", leaky)
        assert any(differences(store.setup_of(played), rows, pairs=24, seed=3))

    def test_spectators_are_a_round_behind(self, played: Game, rows: list[Row]) -> None:
        for step in all_steps(store.setup_of(played), rows):
            state = step.after
            if state.result is None and len(state.deals) > 1:
                assert release.bound(state, release.DEAL) == state.deals[-1][0]
                assert release.bound(state, release.GAME) == state.deals[0][0] - 1
            elif state.result is None and state.deals:
                assert release.bound(state, release.DEAL) == state.deals[0][0] - 1
        decks = [row.seq for row in rows if str(row.body.get("play")).startswith("deck")]
        assert [seq for seq, _ in store.current(played).deals] == decks

    @pytest.mark.django_db(transaction=True)
    def test_no_page_or_export_shows_cards_of_a_running_round(self, client: Client, frozen_clock: clock.Frozen) -> None:
        game = open_game(people(4))
        state = play_whole(game, stop=60)
        assert state.result is None
        draw = {card for row in store.load(game.pk) if row.code == "draw" for _, card in row.body["cards"]}
        for path in (f"/tables/{game.table.slug}/", f"/games/{game.slug}/", f"/api/tables/{game.table.slug}/snap",
                     f"/api/games/{game.slug}/record", f"/api/tables/{game.table.slug}/events?epoch=0&since=0"):  # fmt: skip
            answer = client.get(path)
            assert answer.status_code == 200
            text = answer.content.decode()
            if answer.context is not None:
                text = json.dumps(answer.context["boot"])
            assert set(CARD.findall(text)) <= draw, path
        assert client.get(f"/api/games/{game.slug}/record.jsonl").status_code == 403
        assert client.get(f"/api/games/{game.slug}/record?as=all").status_code == 403
        assert client.get(f"/api/games/{game.slug}/record?as=seat:1").status_code == 403


def differences(setup: Setup, rows: Sequence[Row], *, pairs: int, seed: int) -> Iterator[bool]:
    """Compare pairs of worlds that a viewer cannot tell apart; yield for each whether they differ for that viewer."""
    roll, found = random.Random(seed), 0
    decks = [row.seq for row in rows if str(row.body.get("play")).startswith("deck")]
    for _ in range(pairs * 6):
        if found == pairs:
            break
        begin = roll.choice(decks)
        end = min([seq for seq in decks if seq > begin], default=rows[-1].seq)
        upto = roll.randrange(begin + 2, min(end, begin + 70))
        viewer = roll.choice((*map(Viewer, range(4)), SPECTATOR, Viewer(referee=True), Viewer(referee=True, sees=1)))
        world = other_world(setup, rows[:upto], begin, viewer, roll)
        if world is not None:
            found += 1
            yield told(setup, rows[:upto], viewer, begin) != told(setup, world, viewer, begin)
    assert found == pairs


def told(setup: Setup, rows: Sequence[Row], viewer: Viewer, begin: int) -> list[str]:
    """Return every byte that the viewer's socket could carry from the deck at `begin` on; live, even for spectators."""
    texts = []
    for step in all_steps(setup, rows)[begin - 1 :]:
        texts.append(encode(projection.snap(step.after, viewer, release="live", now=step.row.at)))
        texts.append(projection.ev_text(list(told_steps([step])), viewer, now=step.row.at))
    return texts


def other_world(setup: Setup, rows: Sequence[Row], begin: int, viewer: Viewer, roll: random.Random) -> list[Row] | None:
    """Return the rows with the cards permuted that the viewer has not seen since the deck at `begin`, or None."""
    seat = viewer.seat if viewer.seat is not None else viewer.sees
    found = all_steps(setup, rows)
    deck = str(rows[begin - 1].body["play"]).split(" ")[1:]
    seen: Counter[str] = Counter()
    for step in found[begin - 1 :]:
        line = str(step.row.body.get("play", ""))
        if line.startswith(("play", "show")):
            seen |= Counter(CARD.findall(line))
            seen |= Counter({card: 2 for card in CARD.findall(line)})
        state = view(step.after, Viewer(seat)) if seat is not None else view(step.after, SPECTATOR)
        mine = [*state.get("hand", ()), *state.get("turned", ())]
        seen |= Counter({card: 2 for card in mine})
    hidden = [place for place, card in enumerate(deck) if not seen[card]]
    for _ in range(40):
        order = hidden[:]
        roll.shuffle(order)
        other = deck[:]
        for place, source in zip(hidden, order, strict=True):
            other[place] = deck[source]
        world = rebuilt(setup, rows, begin, other, roll)
        if world is not None and world != list(rows):
            return world
    return None


def rebuilt(setup: Setup, rows: Sequence[Row], begin: int, deck: list[str], roll: random.Random) -> list[Row] | None:
    """Return the rows with that deck, and eight other buried cards where the starter's hand has changed; None: not
    playable.
    """
    state, world = opening(setup), []
    for row in rows:
        line = str(row.body.get("play", ""))
        if row.seq == begin:
            row = replace(row, body={**row.body, "play": " ".join(["deck", *deck])})
        elif row.seq > begin and line.startswith("bury"):
            hand = state.setup.engine.view(state.position, row.body["seat"])["hand"]
            if not Counter(line.split(" ")[1:]) <= Counter(hand):
                played = Counter(
                    card for later in rows for card in str(later.body.get("play", "")).split(" ")[1:]
                    if later.seq > row.seq and later.body.get("seat") == row.body["seat"]
                )  # fmt: skip
                free = list((Counter(hand) - played).elements())
                cards = sorted(roll.sample(free, 8))
                row = replace(row, body={**row.body, "play": " ".join(["bury", *cards])})
        try:
            state = apply_row(state, row)
        except ValueError:
            return None
        world.append(row)
    return world
