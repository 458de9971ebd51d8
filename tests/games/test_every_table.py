"""Every rule set, size and number of teams at the live table: whole games, folded, viewed, exported and judged again."""

import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from games import store
from games.engine import registry
from games.fold import (
    EVERYTHING,
    SPECTATOR,
    Row,
    TableState,
    Viewer,
    events,
    fold,
    merge,
    opening,
    release,
    steps,
    view,
)
from games.models import Game, Table
from games.selectors import replays
from games.services.records import import_record, read_lines

from .every_table import SHAPES, Shape, fix_deals, open_game, people, play_whole, reserve, shape_id

pytestmark = pytest.mark.django_db
CARD = re.compile(r"(?<![A-Za-z0-9])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK)(?![A-Za-z0-9])")
MAY_SHOW = ("hand", "legal", "laid", "pile", "touched")  # keys that contain cards, whose readers are checked separately
EVERY = 37  # rows between two checks of all views


@pytest.fixture(autouse=True)
def the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_deals(monkeypatch)


@pytest.fixture(params=SHAPES, ids=shape_id)
def shape(request: pytest.FixtureRequest) -> Shape:
    return request.param


def test_a_whole_game_matches_the_engine_and_each_viewer_sees_only_its_part(shape: Shape) -> None:
    players = people(shape[1])
    game = open_game(shape, players)
    state = play_whole(game)
    game = Game.objects.select_related("table").get(pk=game.pk)
    rows = store.load(game.pk)
    assert (game.state, game.reason, game.rated) == (Game.State.OVER, "played", True)
    assert replays.faults(game) == []
    assert state.result is not None
    played_by_the_engine_alone(shape, rows, state)
    ranks_are_the_rulebooks(shape, state)
    nobody_sees_anothers_cards(game, rows)
    for viewer in (Viewer(shape[1] - 1), SPECTATOR):
        a_view_follows_from_its_events(game, rows[:300], viewer)
    spectators_are_a_deal_behind(game, rows)
    the_record_is_taken_again(shape, players, game)


def played_by_the_engine_alone(shape: Shape, rows: list[Row], state: TableState) -> None:
    """The plays of the record, given to the engine without a table, lead to the same position and the same ranks."""
    rules, seats, teams, full = shape
    engine = registry.game(rules)
    dealer = next(row.body["dealer"] for row in rows if row.code == "draw")
    p = engine.new(registry.rules(rules), seats=seats, teams=teams, dealer=dealer, full_ranking=full)
    for row in rows:
        if row.kind == "play":
            seat = row.body.get("seat")
            p = engine.apply(p, engine.parse_play(p, row.body["play"], seat), seat)
    assert engine.to_json(p) == engine.to_json(state.position)
    outcome = engine.outcome(p)
    assert outcome is not None
    assert outcome.ranks == state.result.ranks  # type: ignore[union-attr]


def ranks_are_the_rulebooks(shape: Shape, state: TableState) -> None:
    _, _, teams, full = shape
    ranks = state.result.ranks  # type: ignore[union-attr]
    assert len(ranks) == teams
    assert ranks.count(0) == 1
    for rank in ranks:
        assert rank == sum(other < rank for other in ranks)
    if full:
        assert sorted(ranks) == list(range(teams))


def nobody_sees_anothers_cards(game: Game, rows: list[Row]) -> None:
    setup = store.setup_of(game)
    for number, step in enumerate(steps(opening(setup), rows)):
        if number % EVERY and step.row.code not in ("give_sealed", "draw"):
            continue
        state = step.after
        hands = view(state, EVERYTHING).get("hands", {})
        for viewer in (*map(Viewer, range(setup.seats)), SPECTATOR, Viewer(referee=True)):
            seen = view(state, viewer)
            assert not CARD.findall(json.dumps({key: value for key, value in seen.items() if key not in MAY_SHOW}))
            assert seen.get("pile", "") in (*state.shown[-1:], "")
            if viewer.seat is None:
                assert not {"hand", "legal", "laid"} & set(seen)
                continue
            own = hands.get(str(viewer.seat), [])
            assert seen.get("hand", []) == own
            assert {card for line in seen.get("legal", ()) for card in CARD.findall(line)} <= set(own)
            assert seen.get("laid", "") == state.sealed.get(viewer.seat, "")


def a_view_follows_from_its_events(game: Game, rows: list[Row], viewer: Viewer) -> None:
    setup = store.setup_of(game)
    held = view(opening(setup), viewer)
    for event, fresh in events(steps(opening(setup), rows), viewer):
        held = merge(held, event["set"])
        assert held == fresh, event
        if event["k"] == "play" and viewer.seat is None:
            assert not event["d"]["play"].startswith(("deck ", "give ")) or event["d"]["play"].endswith("??")


def spectators_are_a_deal_behind(game: Game, rows: list[Row]) -> None:
    """At no row is anything of the current deal released, and at the end everything is."""
    setup = store.setup_of(game)
    deals = 0
    for step in steps(opening(setup), rows[:400]):
        state = step.after
        if state.result is None and len(state.deals) > 1:
            assert release.bound(state, "deal") == state.deals[-1][0]
            assert release.bound(state, "game") == state.deals[0][0] - 1
        deals = len(state.deals)
    assert deals >= 3
    assert game.released_seq == game.last_seq


def the_record_is_taken_again(shape: Shape, players: list[Any], game: Game) -> None:
    """Check that the exported record is imported as the same game at another table of the same shape."""
    lines = [json.loads(json.dumps(line)) for line in replays.lines(game)]
    assert lines[0].get("full_ranking", False) is shape[3]
    chain, ranks = game.chain, game.ranks
    Table.objects.get(pk=game.table_id).delete()
    kept = import_record(record=read_lines(lines), table=reserve(shape, players))
    assert (kept.chain, kept.ranks, kept.rated) == (chain, ranks, True)


@pytest.fixture
def thrown() -> Iterator[Game]:
    """A game of Tock air in which a seat threw in its hand."""
    shape = next(shape for shape in SHAPES if shape[0] == "tock-air/1")
    players = people(4)
    for seed in range(1, 30):
        game = open_game(shape, players)
        play_whole(game, seed=seed, stop=60)
        if any(row.body.get("play") == "throw" for row in store.load(game.pk)):
            yield Game.objects.select_related("table").get(pk=game.pk)
            return
    raise AssertionError("nobody threw in")


def test_a_thrown_in_hand_is_shown_and_its_seat_is_skipped(thrown: Game) -> None:
    setup, rows = store.setup_of(thrown), store.load(thrown.pk)
    found = [step for step in steps(opening(setup), rows) if step.row.body.get("play") == "throw"]
    for step in found:
        seat = step.row.body["seat"]
        assert view(step.before, Viewer(seat))["legal"] == ["throw"]
        hand = view(step.before, Viewer(seat))["hand"]
        (event, seen), *_more = events([step], SPECTATOR)
        assert sorted(next(fx for fx in event["fx"] if fx[0] == "threw")[2]) == hand
        assert sorted(step.after.shown[-len(hand) :]) == hand
        assert seen["pile"] in hand
        assert seat in seen.get("thrown", ()) or step.after.position.deal != step.before.position.deal
        assert seen["count"][seat] == 0 or seat not in seen.get("thrown", ())


def test_more_decks_than_committed_bring_a_new_commitment(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("games.services.deals", "games.services.judge.opened", "games.services.judge.shares"):
        monkeypatch.setattr(sys.modules[module], "DEALS", 4)
    shape = ("tock/1", 8, 4, False)
    players = people(8)
    game = open_game(shape, players)
    state = play_whole(game)
    assert state.decks > 8
    rows = store.load(game.pk)
    firsts = [row.body["first"] for row in rows if row.code == "commit"]
    assert firsts == list(range(0, state.decks + 1, 4))
    assert all(len(row.body["play"].split()) == 109 for row in rows if row.body.get("play", "").startswith("deck"))
    the_record_is_taken_again(shape, players, Game.objects.select_related("table").get(pk=game.pk))


def test_a_finished_seat_is_never_to_act_and_its_clock_stops() -> None:
    from games.services.tables import ClockSettings

    shape = ("toc/1", 4, 4, True)
    players = people(4)
    game = open_game(shape, players, clocks=ClockSettings())
    play_whole(game)
    setup = store.setup_of(game)
    after: dict[int, int] = {}
    for step in steps(opening(setup), store.load(game.pk)):
        state = step.after
        for seat in view(state, SPECTATOR).get("finished", ()):
            bank = state.clocks.bank[seat]  # type: ignore[union-attr]
            assert after.setdefault(seat, bank) == bank
            assert seat not in state.to_act
            assert state.clocks.run != seat  # type: ignore[union-attr]
            assert view(state, Viewer(seat))["hand"] == []
    assert len(after) >= 3


def test_the_shown_cards_are_those_laid_since_the_last_shuffle() -> None:
    game = open_game(("tock/1", 6, 3, False), people(6))
    play_whole(game, seed=random.Random(3).randrange(100), stop=150)
    state = fold(store.setup_of(game), store.load(game.pk))
    hands = view(state, EVERYTHING)["hands"]
    deck = next(
        row.body["play"].split()[1:] for row in reversed(store.load(game.pk)) if row.body.get("play", "")[:4] == "deck"
    )
    about = list(deck)
    for card in (*state.shown, *(card for hand in hands.values() for card in hand), *state.sealed.values()):
        about.remove(card)
    assert len(about) == len(state.position.stock)
    assert state.shown
