"""The built-in bots at tables of every kind: they act like people, and only know what their seat may see."""

from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.bots import choice as brains
from games.fold import Viewer, view
from games.models import Game, Seating
from games.selectors import replays
from games.services import bots, tables, thinkers
from games.services.tables import SeatPlan

from .conftest import Sat
from .every_table import fix_deals, people

TABLES = [
    {"rules": "tock/1", "seats": 8, "teams": 4, "level": "random"},
    {"rules": "tock/1", "seats": 6, "teams": 2, "level": "club"},
    {"rules": "toc/1", "seats": 4, "teams": 4, "full_ranking": True, "level": "novice"},
    {"rules": "tock-air/1", "level": "random"},
]


def play_along(sat: Sat, acts: int) -> None:
    """Let bots act, and seat 0 do the first thing that it may; until the end, or for this many acts of seat 0."""
    while acts and sat.game.state != Game.State.OVER:
        while bots.act_due():
            pass
        state = sat.state
        if 0 in state.to_act:
            acts -= 1
            if state.position is None:
                assert not sat.send(0, "ready").code
            else:
                assert not sat.send(0, "play", play=view(state, Viewer(0))["legal"][0]).code


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: "-".join(str(value) for value in kind.values()))
def test_bots_sit_down_exchange_and_play(kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    fix_deals(monkeypatch)
    players = people(1)
    sat = Sat(tables.open_practice(player=players[0], **kind), players)
    play_along(sat, 7)
    rows = store.load(sat.game.pk)
    moved = {row.body["seat"] for row in rows if row.kind == "play" and "seat" in row.body}
    assert moved == set(range(kind.get("seats", 4)))
    assert not [row for row in rows if row.actor == "clock"]
    game = Game.objects.select_related("table").get(pk=sat.game.pk)
    assert replays.faults(game) == []


@pytest.mark.django_db(transaction=True)
def test_a_master_gets_its_view_the_open_cards_and_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "BUDGET_S", 0.02)
    monkeypatch.setattr(thinkers, "LEAST_S", 0.02)
    given: list[tuple[Any, dict[str, Any]]] = []
    choose = brains.choose

    def listen(board: Any, legal: Any, **more: Any) -> str:
        given.append((board, more))
        return choose(board, legal, **more)

    monkeypatch.setattr(brains, "choose", listen)
    players = people(1)
    sat = Sat(tables.open_practice(player=players[0], rules="toc/1", level="master"), players)
    for _ in range(30):
        bots.act_due()
        assert bots.thinkers.settle()
        if 0 in sat.state.to_act:
            if sat.state.position is None:
                assert not sat.send(0, "ready").code
            else:
                assert not sat.send(0, "play", play=view(sat.state, Viewer(0))["legal"][0]).code
    bots.thinkers.stop()
    assert sat.state.position is not None
    assert len(given) > 20
    for board, more in given:
        assert {"hands", "stock"}.isdisjoint(board)
        assert more["seat"] in (1, 2, 3)
        assert isinstance(more["time_up"](), bool)
    assert any(more["seen"] for _, more in given)
    held = Seating.objects.filter(table=sat.table).values_list("bot", flat=True)
    assert list(held) == ["", "master", "master", "master"]


@pytest.mark.django_db(transaction=True)
def test_one_statement_reads_games_with_the_levels_of_their_bots(
    django_assert_num_queries: Callable[..., Any],
) -> None:
    players = people(4)
    alone = tables.open_practice(player=players[0], rules="toc/1", level="master").games.get()
    plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
    plan[2] = SeatPlan(2, player_id=players[2].pk, bot="novice")
    match = tables.open_match_table(
        rules="tock/1", name="T", seat_plan=plan, team_names=["A", "B"], bots_allowed=True
    ).games.get()
    missing = max(alone.pk, match.pk) + 1
    with django_assert_num_queries(1):
        found = store.with_bots([alone.pk, match.pk, missing])
        assert set(found) == {alone.pk, match.pk}
        for game in (alone, match):
            read = found[game.pk][0]
            assert (read.slug, read.table.rules, read.last_seq) == (game.slug, game.rules, game.last_seq)
    assert found[alone.pk][1] == dict.fromkeys((1, 2, 3), "master")
    assert found[match.pk][1] == {2: "novice"}
