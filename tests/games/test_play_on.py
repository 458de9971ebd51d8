"""Play on from a position of a finished game: the table begins there, the stock is dealt anew, nothing else is possible."""

import json
import random
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games import verifier as deal_verifier
from games.engine import registry
from games.fold import SPECTATOR, Viewer, view
from games.models import Game, Seating, Table
from games.selectors import replays
from games.services import audit, play_on
from tests.games.conftest import Sat
from tests.games.test_taking_back import step
from tock_league.common.errors import Conflict, Refused

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def a_play(game: Game, number: int = 12) -> int:
    """Return the seq of a play of a seat, as a link of the replay names it."""
    plays = [
        row.seq
        for row in replays.rows(game)
        if row.kind == "play" and "seat" in row.body and not row.body["play"].startswith("give")
    ]
    return plays[number]


def test_the_table_begins_at_the_position_and_the_person_is_to_act(over: Sat) -> None:
    game, seq = over.game, a_play(over.game)
    before = store.state_at(game, seq)
    table = play_on.play_on(game=game, seq=seq, player=over.players[2])
    state = store.current(table.games.get())
    engine = registry.game(game.rules)
    found, wanted = engine.to_json(state.position), engine.to_json(before.position)
    assert {key: found[key] for key in found if key != "stock"} == {
        key: wanted[key] for key in wanted if key != "stock"
    }
    assert Counter(found["stock"]) == Counter(wanted["stock"])
    assert (state.pile, state.shown) == (before.pile, before.shown)
    [seat] = before.to_act
    assert view(state, Viewer(seat))["legal"] == view(before, Viewer(seat))["legal"]
    assert (table.kind, table.state, table.rated, table.touch) == ("practice", "playing", False, False)
    held = list(Seating.objects.filter(table=table).values_list("seat", "player", "bot"))
    assert held == [
        (other, over.players[2].pk if other == seat else None, "" if other == seat else "club") for other in range(4)
    ]


def test_the_stock_is_shuffled_anew_every_time(over: Sat) -> None:
    game, seq = over.game, a_play(over.game)
    stocks = set()
    for _ in range(4):
        table = play_on.play_on(game=game, seq=seq, guest_key="a-guest")
        row = replays.rows(table.games.get())[1]
        stocks.add(tuple(row.body["position"]["stock"]))
    assert len(next(iter(stocks))) > 10
    assert len(stocks) == 4
    assert tuple(registry.game(game.rules).to_json(store.state_at(game, seq).position)["stock"]) not in stocks


def test_it_is_played_to_its_end_and_its_record_is_proved(over: Sat) -> None:
    """Bots, a take-back, the judge of records, and the program that shares no code with the site."""
    table = play_on.play_on(game=over.game, seq=a_play(over.game), player=over.players[0], seat=0)
    mine = Sat(table, over.players)
    roll = random.Random(3)
    for _ in range(4):
        step(mine, roll)
    # The last card of a deal would lead to a new hand, which nobody takes back.
    while 0 not in mine.state.to_act or sum(view(mine.state, Viewer(0))["count"]) == 1:
        step(mine, roll)
    at = mine.state
    step(mine, roll)
    assert not mine.send(0, "take_back").code
    assert mine.state.position == at.position
    for _ in range(60):
        if mine.state.result is None:
            step(mine, roll)
    if mine.state.result is None:
        while 0 not in mine.state.to_act:
            step(mine, roll)
        assert not mine.send(0, "resign").code
    game = mine.game
    assert game.state == Game.State.OVER
    assert list(audit.differences()) == []
    lines = [json.dumps(line) for line in replays.lines(game)]
    check = deal_verifier.verify(lines)
    assert (check.begun, check.by_seats) == (True, False)
    assert "begins at a position" in deal_verifier.told(check)
    begun = json.loads(lines[2])
    stock = begun["body"]["position"]["stock"]
    begun["body"]["position"]["stock"] = [*stock[1:], stock[0]]
    from tests.games import paper

    head, *rows = [json.loads(line) for line in lines]
    rows[1] = begun
    sealed = paper.sealed(head, [{key: value for key, value in row.items() if key != "chain"} for row in rows])
    with pytest.raises(deal_verifier.Bad, match="another order"):
        deal_verifier.verify([json.dumps(line) for line in sealed])


def test_the_row_shows_nobody_the_hands(over: Sat) -> None:
    from games.fold import steps, told

    table = play_on.play_on(game=over.game, seq=a_play(over.game), player=over.players[0], seat=0)
    game = table.games.get()
    begin = store.state_at(game, 1)
    [event] = [each for each in told(steps(begin, replays.rows(game)[1:2]))]
    for viewer in (SPECTATOR, Viewer(0), Viewer(1)):
        assert event.event(viewer)["d"] == {"of": over.game.slug, "seq": a_play(over.game)}
        hands = registry.game(game.rules).to_json(store.current(game).position)["hands"]
        assert event.event(viewer)["set"].get("hand") == (
            sorted(hands[viewer.seat]) if viewer.seat is not None else None
        )
        assert "stock" not in json.dumps(event.event(viewer))


def test_a_running_game_is_not_played_on(sat_table: Sat, client: Client) -> None:
    sat_table.begin()
    game = sat_table.game
    with pytest.raises(Conflict, match="running"):
        play_on.play_on(game=game, seq=game.last_seq, player=sat_table.players[0])
    answer = client.post(reverse("games:play_on", args=[game.slug]), {"seq": game.last_seq}, headers=ENGLISH)
    assert answer.status_code == 409
    assert "play_on" not in client.get(reverse("games:replay", args=[game.slug])).context["boot"]
    assert Table.objects.count() == 1


def test_what_is_no_position_is_refused(over: Sat) -> None:
    """Before the first deal, at the end, and beyond the record."""
    for seq in (1, 2, over.game.last_seq, 999_999):
        with pytest.raises(Refused, match="no_position"):
            play_on.play_on(game=over.game, seq=seq, player=over.players[0])
    assert Table.objects.count() == 1


def test_a_guest_plays_on_by_the_form_of_the_replay(over: Sat, client: Client) -> None:
    page = client.get(reverse("games:replay", args=[over.game.slug]))
    address, seq = page.context["boot"]["play_on"], a_play(over.game)
    answer = client.post(address, {"seq": seq, "seat": 3}, headers=ENGLISH)
    assert answer.status_code == 302
    boot = client.get(answer.url).context["boot"]
    assert (boot["seat"], boot["snap"]["view"]["marbles"]) == (
        3,
        view(store.state_at(over.game, seq), Viewer(3))["marbles"],
    )
    for bad in ({}, {"seq": "x"}, {"seq": seq, "seat": 9}, {"seq": seq, "seat": -1}, {"seq": "9" * 400}):
        assert client.post(address, bad, headers=ENGLISH).status_code == 422
    assert client.post(address, {"seq": seq, "seat": 7}, headers=ENGLISH).status_code == 422  # a table of four
    assert client.get(address).status_code == 405
    assert Table.objects.count() == 2
