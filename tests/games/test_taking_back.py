"""Take-back in practice: a person alone against bots takes the own last play back, with the bots' answers to it."""

import random
import uuid

import pytest

from games import store
from games.bots import at_table
from games.fold import Viewer, by_seat, view
from games.models import Game, Seating, Table
from games.permissions import Person
from games.services import archiving, audit, play, tables
from tests.games.conftest import Sat
from tock_league.accounts.models import Player

pytestmark = pytest.mark.django_db


def seen(sat: Sat) -> dict[str, object]:
    """Return what counts for the position: hands, marbles, pile, whose turn it is; not the number of the decision."""
    state = sat.state
    everything = {seat: view(state, Viewer(seat)) for seat in range(sat.table.seats)}
    return {
        "hands": {seat: one["hand"] for seat, one in everything.items()},
        **{
            key: everything[0].get(key)
            for key in ("marbles", "pile", "turn", "legal", "phase", "count", "deal", "trick", "captured")
        },
    }


def step(sat: Sat, roll: random.Random) -> None:
    """Let the seat to act play, whoever it is."""
    state = sat.state
    seat = min(state.to_act)
    mine = view(state, Viewer(seat))
    line = at_table.answer(mine, mine["legal"], level="novice", roll=roll.randrange, seat=seat, seen=[])
    word, _, card = line.partition(" ")
    kinds = {"give": ("exchange", {"card": card}), "burn": ("burn", {"card": card})}
    kind, args = kinds.get(word, ("play", {"play": line}))
    by = sat.person(0) if seat == 0 else Person(bot=True)
    answer = play.submit(
        game_id=sat.game.pk,
        seat=seat,
        command_id=str(uuid.uuid4()),
        turn=state.decision_id,
        kind=kind,
        args=args,
        by=by,
    )
    assert not answer.code, (answer, line)


def practice(players: list[Player], rules: str = "shawinigan/1", **more: object) -> Sat:
    """Return a practice table at which the exchange is over and seat 0 has to choose for the first time."""
    sat = Sat(tables.open_practice(player=players[0], rules=rules, **more), players)  # type: ignore[arg-type]
    for seat in range(sat.table.seats):
        by = sat.person(0) if seat == 0 else Person(bot=True)
        assert not sat.send(seat, "ready", by=by).code
    roll = random.Random(3)
    while not my_choice(sat):
        step(sat, roll)
    return sat


def my_choice(sat: Sat) -> bool:
    return sat.state.phase == "play" and 0 in sat.state.to_act


def play_on(sat: Sat, roll: random.Random) -> None:
    """Play the own choice, and let the bots answer until the next own choice in the same hand."""
    deals = sat.state.deals
    step(sat, roll)
    while 0 not in sat.state.to_act and sat.state.deals == deals:
        step(sat, roll)


@pytest.mark.parametrize("rules", ["shawinigan/1", "toc/1", "tractor/1"])
def test_plays_are_taken_back_one_after_another_with_the_bots_answers(players: list[Player], rules: str) -> None:
    sat, roll = practice(players, rules), random.Random(5)
    before = []
    for _ in range(2):
        before.append(seen(sat))
        play_on(sat, roll)
    assert len(sat.state.past) >= 2
    for then in reversed(before):
        epoch = sat.state.epoch
        assert not sat.send(0, "take_back").code
        assert seen(sat) == then
        assert sat.state.epoch == epoch + 1
    # the same plays lead to the same table: nothing is drawn again
    play_on(sat, random.Random(5))
    assert seen(sat) == before[1]
    rows = [row for row in store.rows_of(sat.game) if row.code == "rewind"]
    assert [(row.actor, row.body["by"], row.body["seat"]) for row in rows] == [(by_seat(0), "seat", 0)] * 2
    while not (answer := sat.send(0, "take_back")).code:  # what came before the first choice of this test, too
        assert 0 in sat.state.to_act
    assert answer.why == "nothing_to_take_back"


def test_a_play_is_taken_back_while_a_bot_has_to_choose(players: list[Player]) -> None:
    sat, roll = practice(players), random.Random(2)
    then = seen(sat)
    step(sat, roll)
    if 0 not in sat.state.to_act:
        assert not sat.send(0, "take_back").code
        assert seen(sat) == then


def test_a_new_hand_is_never_taken_back(players: list[Player]) -> None:
    sat, roll = practice(players), random.Random(4)
    deals = sat.state.deals
    while sat.state.deals == deals and sat.state.result is None:
        step(sat, roll)
    assert sat.state.past == ()
    assert sat.send(0, "take_back").why == "nothing_to_take_back"


def test_the_record_of_a_game_with_plays_taken_back_is_sound(players: list[Player]) -> None:
    """The audit judges the finished game, and another fold of its rows leads to the same table."""
    sat, roll = practice(players), random.Random(6)
    for _ in range(3):
        play_on(sat, roll)
        if sat.send(0, "take_back").code:
            break
    play_on(sat, roll)
    assert not sat.send(0, "resign").code
    game = Game.objects.select_related("table").get(pk=sat.game.pk)
    assert sum(row.code == "rewind" for row in store.rows_of(game)) >= 1
    assert list(audit.of_game(game)) == []
    assert archiving.faults(archiving.text_of(game)) == []


@pytest.mark.parametrize("who", ["another player", "a visitor", "a guest", "a bot"])
def test_nobody_else_takes_the_play_back(players: list[Player], who: str) -> None:
    sat, roll = practice(players), random.Random(7)
    play_on(sat, roll)
    by = {
        "another player": sat.person(1),
        "a visitor": Person(),
        "a guest": Person(guest_key="somebody"),
        "a bot": Person(bot=True),
    }[who]
    last = sat.game.last_seq
    assert sat.send(0, "take_back", by=by).code == "seat_lost"
    assert sat.game.last_seq == last


def test_at_other_tables_nothing_is_taken_back(players: list[Player], sat_table: Sat) -> None:
    """At a match, at a practice table where another person sits, before the deal, and after the end."""
    seat = sat_table.begin()
    line = sat_table.choose(seat)
    sat_table.send(seat, "play", play=line)
    assert sat_table.send(seat, "take_back").why == "only_against_bots"
    early = Sat(tables.open_practice(player=players[0]), players)
    assert early.send(0, "take_back").why == "nothing_to_take_back"
    sat, roll = practice(players), random.Random(8)
    play_on(sat, roll)
    Seating.objects.filter(table=sat.table, seat=2).update(bot="", player=players[2])
    assert sat.send(0, "take_back").why == "only_against_bots"
    Seating.objects.filter(table=sat.table, seat=2).update(bot="novice", player=None)
    assert not sat.send(0, "resign").code
    assert sat.send(0, "take_back").code == "stale_turn"
    assert Table.objects.filter(kind="practice").count() == 2
