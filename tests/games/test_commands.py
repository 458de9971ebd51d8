"""Commands: carried out once, in turn, for the holder of the seat; a refusal writes nothing."""

import uuid
from typing import Any

import pytest
from django.db import transaction

from games import store
from games.fold import Viewer, view
from games.models import Game, GameEvent
from games.permissions import BOT, NOBODY, Person
from games.services.actions import PHRASES_AFTER, PHRASES_PER_SEAT
from tock_league.common import clock
from tock_league.common.transactions import writing

ID = "5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01"


@pytest.fixture
def dealt_table(sat_table: Any) -> Any:
    """A game after its exchange: one seat is to play."""
    sat_table.all_ready()
    sat_table.exchange()
    return sat_table


def turn_seat(sat: Any) -> int:
    (seat,) = sat.state.to_act
    return seat


def rows(sat: Any) -> int:
    return GameEvent.objects.filter(game=sat.game).count()


@pytest.mark.both_databases
def test_a_repeated_command_gets_the_same_answer_and_acts_once(dealt_table: Any) -> None:
    seat, turn = turn_seat(dealt_table), dealt_table.state.decision_id
    line = view(dealt_table.state, Viewer(seat))["legal"][0]
    first = dealt_table.send(seat, "play", id=ID, play=line)
    assert not first.code
    assert not first.dup
    count = rows(dealt_table)
    again = dealt_table.send(seat, "play", id=ID, turn=turn, play=line)
    assert (again.seq, again.dup, again.code) == (first.seq, True, "")
    assert rows(dealt_table) == count


@pytest.mark.both_databases
def test_an_id_used_for_something_else_is_refused(dealt_table: Any) -> None:
    seat, turn = turn_seat(dealt_table), dealt_table.state.decision_id
    lines = view(dealt_table.state, Viewer(seat))["legal"]
    assert not dealt_table.send(seat, "play", id=ID, play=lines[0]).code
    count = rows(dealt_table)
    assert dealt_table.send(seat, "resign", id=ID, turn=turn).code == "id_reused"
    assert rows(dealt_table) == count


@pytest.mark.both_databases
def test_a_turn_that_has_passed_is_stale(dealt_table: Any) -> None:
    seat, turn = turn_seat(dealt_table), dealt_table.state.decision_id
    line = view(dealt_table.state, Viewer(seat))["legal"][0]
    dealt_table.send(seat, "play", play=line)
    count = rows(dealt_table)
    assert dealt_table.send(seat, "play", turn=turn, play=line).code == "stale_turn"
    assert dealt_table.send(seat, "play", turn="1.1", play=line).code == "stale_turn"
    assert rows(dealt_table) == count


def test_a_play_of_another_seat_is_refused_as_not_its_turn(dealt_table: Any) -> None:
    other = (turn_seat(dealt_table) + 1) % 4
    count = rows(dealt_table)
    assert dealt_table.send(other, "play", play="9C t0-t9").code == "not_your_turn"
    assert rows(dealt_table) == count


@pytest.mark.parametrize("stranger", [NOBODY, BOT, Person(player_id=0), Person(guest_key="x" * 32)])
def test_a_stranger_cannot_act_on_a_seat(dealt_table: Any, stranger: Person) -> None:
    seat = turn_seat(dealt_table)
    line = view(dealt_table.state, Viewer(seat))["legal"][0]
    count = rows(dealt_table)
    assert dealt_table.send(seat, "play", by=stranger, play=line).code == "seat_lost"
    assert dealt_table.send(seat, "play", by=dealt_table.person((seat + 1) % 4), play=line).code == "seat_lost"
    assert rows(dealt_table) == count


@pytest.mark.parametrize(
    ("line", "why"),
    [("9C t0-t9x", "bad_notation"), ("deck AS", "chance"), ("blind AS", "chance"), ("hello", "bad_notation")],
)
def test_bad_notation_and_chance_plays_are_refused_with_a_reason(dealt_table: Any, line: str, why: str) -> None:
    count = rows(dealt_table)
    answer = dealt_table.send(turn_seat(dealt_table), "play", play=line)
    assert (answer.code, answer.why) == ("illegal", why)
    assert rows(dealt_table) == count


def test_a_card_not_held_cannot_be_given_and_a_card_given_is_final(sat_table: Any) -> None:
    sat_table.all_ready()
    hand = view(sat_table.state, Viewer(2))["hand"]
    absent = next(card for card in ("AS", "2S", "3S", "4S", "5S", "6S") if card not in hand)
    assert sat_table.send(2, "exchange", card=absent).why == "no_such_card"
    assert not sat_table.send(2, "exchange", card=hand[0]).code
    assert sat_table.send(2, "exchange", card=hand[1]).code == "not_your_turn"
    assert sat_table.send(1, "play", play="9C t0-t9").why == "exchange_first"


def test_nobody_plays_before_the_deal_and_ready_counts_once(sat_table: Any) -> None:
    assert sat_table.send(0, "play", play="9C t0-t9").code == "frozen"
    assert sat_table.send(0, "resign").why == "not_dealt"
    assert not sat_table.send(0, "ready").code
    assert sat_table.send(0, "ready").why == "already_ready"


def test_a_phrase_is_refused_after_the_deal(sat_table: Any) -> None:
    assert not sat_table.send(0, "phrase", code="ready").code
    sat_table.all_ready()
    assert sat_table.send(0, "phrase", code="good_game").code == "frozen"


def test_nobody_floods_the_record_with_phrases(sat_table: Any) -> None:
    for _ in range(PHRASES_PER_SEAT):
        assert not sat_table.send(0, "phrase", code="thanks").code
    count = rows(sat_table)
    assert sat_table.send(0, "phrase", code="thanks").why == "phrases_used"
    assert rows(sat_table) == count
    assert not sat_table.send(1, "phrase", code="thanks").code


def test_a_game_that_is_long_over_takes_no_phrase(frozen_clock: clock.Frozen, dealt_table: Any) -> None:
    assert not dealt_table.send(1, "resign").code
    frozen_clock.advance(seconds=PHRASES_AFTER.total_seconds() - 60)
    assert not dealt_table.send(0, "phrase", code="thanks").code
    frozen_clock.advance(seconds=120)
    count = rows(dealt_table)
    assert dealt_table.send(0, "phrase", code="thanks").why == "long_over"
    assert rows(dealt_table) == count


@pytest.mark.both_databases
def test_a_resignation_ends_the_game_and_opens_the_seeds(dealt_table: Any) -> None:
    assert not dealt_table.send(1, "resign").code
    game = Game.objects.get(table=dealt_table.table)
    assert (game.state, game.ranks, game.reason) == ("over", [0, 1], "resigned")
    last = store.load(game.pk)[-1]
    assert last.code == "open"
    assert [deal["d"] for deal in last.body["deals"]] == [0, 1]
    assert dealt_table.send(0, "resign").code == "stale_turn"
    count = rows(dealt_table)
    assert not dealt_table.send(0, "phrase", code="good_game").code
    assert rows(dealt_table) == count + 1


@pytest.mark.both_databases
def test_a_transaction_rolled_back_leaves_nothing_in_the_database_or_the_cache(dealt_table: Any) -> None:
    seat, turn = turn_seat(dealt_table), dealt_table.state.decision_id
    line = view(dealt_table.state, Viewer(seat))["legal"][0]
    count = rows(dealt_table)

    class Killed(Exception):
        pass

    def play_and_die() -> None:
        with transaction.atomic():
            assert not dealt_table.send(seat, "play", id=ID, play=line).code
            raise Killed

    with pytest.raises(Killed):
        play_and_die()
    assert rows(dealt_table) == count
    assert dealt_table.state.decision_id == turn
    assert not dealt_table.send(seat, "play", id=ID, turn=turn, play=line).dup


@pytest.mark.both_databases
def test_two_rows_cannot_get_the_same_number(dealt_table: Any) -> None:
    first, second = dealt_table.game, dealt_table.game
    row = store.load(first.pk)[-1]
    with writing():
        follower = type(row)(
            seq=row.seq + 1, kind="act", code="phrase", body={"seat": 0, "code": "ready"}, actor="seat:0", at=row.at
        )
        store.append(first, [follower], expected_seq=row.seq)
        with pytest.raises(store.LostRace):
            store.append(second, [follower], expected_seq=row.seq)


class TestTouching:
    def test_a_touched_card_narrows_the_plays_and_must_be_played(self, dealt_table: Any) -> None:
        seat, card, other = self.two_cards(dealt_table)
        before = dealt_table.state.decision_id
        assert not dealt_table.send(seat, "touch", card=card).code
        seen = view(dealt_table.state, Viewer(seat))
        assert seen["touched"] == {"card": card}
        assert {line.split()[0] for line in seen["legal"]} == {card}
        assert dealt_table.state.decision_id == before
        assert dealt_table.send(seat, "play", play=other).why == "touched_card"
        assert dealt_table.send(seat, "touch", card=other.split()[0]).why == "touched_card"
        assert not dealt_table.send(seat, "play", play=seen["legal"][0]).code

    def test_touching_an_unplayable_card_is_refused_and_not_recorded(self, dealt_table: Any) -> None:
        seat, _, _ = self.two_cards(dealt_table)
        seen = view(dealt_table.state, Viewer(seat))
        playable = {line.split()[0] for line in seen["legal"]}
        idle = [card for card in seen["hand"] if card not in playable]
        count = rows(dealt_table)
        assert dealt_table.send(seat, "touch", marble="r").why == "card_first"
        for card in [*idle, next(card for card in ("AS", "2S", "3S", "4S", "5S", "6S") if card not in seen["hand"])]:
            assert dealt_table.send(seat, "touch", card=card).why == "not_playable"
        assert rows(dealt_table) == count

    @staticmethod
    def two_cards(dealt_table: Any) -> tuple[int, str, str]:
        """Play until a seat may choose between two cards; return the seat, one card, a play with the other."""
        for _ in range(300):
            seat = min(dealt_table.state.to_act)
            lines = view(dealt_table.state, Viewer(seat))["legal"]
            cards = sorted({line.split()[0] for line in lines if not line.startswith("burn")})
            if len(cards) >= 2:
                return seat, cards[0], next(line for line in lines if line.startswith(f"{cards[1]} "))
            dealt_table.play_on(1)
        raise AssertionError("no choice in 300 plays")


@pytest.mark.both_databases
def test_a_command_of_the_last_game_does_not_act_in_the_next(open_table: Any) -> None:
    sat = open_table(best_of=3)
    sat.send(0, "ready", id=ID)
    for seat in (1, 2, 3):
        sat.send(seat, "ready")
    sat.exchange()
    sat.send(0, "resign", id=str(uuid.uuid4()))
    assert sat.game.number == 2
    again = sat.send(0, "ready", id=ID, turn="0.1")
    assert again.dup
    assert sat.state.ready == (False,) * 4
