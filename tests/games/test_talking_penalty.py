"""The talking penalty at the table: exactly as rulebook section 8 says, with a card chosen by the committed deal."""

import hashlib
import hmac
import json
import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import store
from games.engine import registry, shuffle
from games.fold import Row, TableState, Viewer, apply_row, view
from games.models import Game
from games.selectors import replays
from games.services import referee
from games.services.deals import Deals
from tests.games.conftest import Sat
from tests.games.test_example_frames import POSITION, SETUP, at_412, play
from tock_league.common.errors import Conflict, Refused


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cache folded states although the test never commits; otherwise each play would fold the game again."""
    monkeypatch.setattr(store, "remember", lambda game, state: store.folded.put(game.slug, state))
    yield
    store.folded.clear()


def ref() -> str:
    return f"TL-{uuid.uuid4().hex[:12]}/1/1"


def penalise(sat: Sat, seat: int) -> int:
    return referee.penalise(game_id=sat.game.pk, seat=seat, at=sat.game.last_seq, ref=ref()).seq


def penalty(seq: int, seat: int) -> Row:
    body = {"seat": seat, "penalty": "talk", "at": seq - 1, "by": "referee"}
    return Row(seq=seq, kind="act", code="penalty", body=body, actor="referee", at=1790000420500)


def at(**changes: Any) -> TableState:
    """Return the table of the protocol's example with changes to its position."""
    return replace(at_412(), position=registry.game(SETUP.rules).from_json(POSITION | changes))


def owed(state: TableState) -> list[int]:
    return list(view(state, Viewer(0))["owed"])


class TestByTheRulebook:
    def test_a_turn_that_is_running_is_not_affected(self) -> None:
        state = apply_row(at_412(), penalty(413, 1))
        assert (state.phase, state.to_act, state.decision_id) == ("play", {1}, "0.412")
        assert owed(state) == [0, 1, 0, 0]
        assert view(state, Viewer(1))["legal"] == view(at_412(), Viewer(1))["legal"]

    def test_the_next_turn_of_the_seat_is_a_blind_burn_and_the_turn_passes(self) -> None:
        state = apply_row(at_412(), penalty(413, 2))
        state = apply_row(state, play(414, 1790000421000, 1, "9C t30-t39"))
        assert (state.phase, state.chance, state.to_act) == ("blind", "blind", frozenset())
        burn = {"seat": 2, "play": "blind 6C", "chance": True}
        state = apply_row(state, Row(415, "play", "play", burn, "system", 1790000421000))
        assert (state.phase, state.to_act, state.pile) == ("play", {3}, "6C")
        assert owed(state) == [0, 0, 0, 0]
        assert "6C" not in view(state, Viewer(2))["hand"]

    def test_a_forced_burn_comes_first_and_does_not_serve_the_penalty(self) -> None:
        state = at(turn=2)
        state = apply_row(state, penalty(413, 3))
        state = apply_row(state, play(414, 1790000421000, 2, "10S skip"))
        assert (state.phase, state.to_act) == ("forced", {3})
        state = apply_row(state, play(415, 1790000422000, 3, "burn 4C"))
        assert state.to_act == {0}
        assert owed(state) == [0, 0, 0, 1]

    def test_several_penalties_take_one_turn_each(self) -> None:
        state = at(hands=[["7D"], ["KS", "4D"], [], []], turn=1)
        for seq in (413, 414):
            state = apply_row(state, penalty(seq, 0))
        assert owed(state) == [2, 0, 0, 0]
        state = apply_row(state, play(415, 1790000421000, 1, "4D t18-t14"))
        burn = {"seat": 0, "play": "blind 7D", "chance": True}
        state = apply_row(state, Row(416, "play", "play", burn, "system", 1790000421000))
        assert owed(state) == [1, 0, 0, 0]
        assert state.to_act == {1}, "seat 0 has no card left: the debt waits for the next hand"

    def test_a_penalty_left_at_the_end_of_a_deal_is_served_in_the_next(self) -> None:
        state = at(hands=[["2S"], ["4D"], [], []], turn=1, deal=1)
        for seq, seat in ((413, 0), (414, 0)):
            state = apply_row(state, penalty(seq, seat))
        state = apply_row(state, play(415, 1790000421000, 1, "4D t18-t14"))
        burn = {"seat": 0, "play": "blind 2S", "chance": True}
        state = apply_row(state, Row(416, "play", "play", burn, "system", 1790000421000))
        assert (state.position.deal, owed(state)) == (2, [1, 0, 0, 0])
        assert view(state, Viewer(0))["count"] == [4, 4, 4, 4]
        assert state.chance == "blind", "the dealer is seat 3, so the next hand begins with seat 0, who owes a burn"

    def test_a_jokers_replay_belongs_to_the_turn_already_begun(self) -> None:
        state = at(hands=[["7D"], ["JK", "4D"], ["2C"], ["3D"]], stock=[*POSITION["stock"], "QC"])
        line = next(line for line in view(state, Viewer(1))["legal"] if line.startswith("JK"))
        state = apply_row(state, play(413, 1790000421000, 1, line))
        assert (state.phase, state.to_act) == ("joker", {1})
        state = apply_row(state, penalty(414, 1))
        assert (state.phase, state.to_act, owed(state)) == ("joker", {1}, [0, 1, 0, 0])
        again = view(state, Viewer(1))["legal"][0]
        state = apply_row(state, play(415, 1790000422000, 1, again))
        assert state.to_act == {2}
        assert owed(state) == [0, 1, 0, 0]

    def test_the_end_of_the_game_cancels_open_penalties(self) -> None:
        home = [["h1", "h2", "h3", "h4"], ["h2", "h3", "h4", "t16"], ["r"] * 4, ["h1", "h2", "h3", "h4"]]
        state = at(hands=[["7D"], ["AS", "4D"], ["2C"], ["3D"]], marbles=home, fresh=[], turn=1)
        state = apply_row(state, penalty(413, 2))
        state = apply_row(state, play(414, 1790000421000, 1, "AS t16-h1"))
        assert state.result is not None
        assert state.chance == ""
        assert state.to_act == frozenset()


NEEDED = ("several at once", "forced before blind", "carried over")


class TestWholeGames:
    """Games with many penalties: at each step the table must be as the rulebook says, until every case has occurred."""

    def test_every_penalty_is_served_by_one_turn_and_the_records_are_valid(
        self, open_table: Callable[..., Sat], quick: None
    ) -> None:
        seen, roll = Counter[str](), random.Random(20261119)
        for _ in range(12):
            game = rain(open_table(), roll)
            state = store.opening_of(game)
            for row in store.load(game.pk):
                before, state = state, apply_row(state, row)
                if before.position is not None:
                    check(before, row, state, seen)
            assert replays.faults(game) == []
            prove(game)
            if all(seen[name] for name in NEEDED):
                break
        assert all(seen[name] for name in NEEDED), seen
        assert seen["burned"] > 20


def rain(sat: Sat, roll: random.Random) -> Game:
    """Play a game in which every fourth event is a penalty; return it, finished."""
    sat.begin()
    for _ in range(400):
        if sat.game.state == Game.State.OVER:
            break
        if roll.random() < 0.25:
            penalise(sat, roll.randrange(4))
        else:
            sat.play_on(1)
    if sat.game.state != Game.State.OVER:
        sat.send(0, "resign")
    return sat.table.games.select_related("table").get()


def check(before: TableState, row: Row, state: TableState, seen: Counter[str]) -> None:
    """Compare one step with the rulebook, and count what was seen."""
    was, now = owed(before), owed(state)
    if row.code == "penalty":
        assert sum(now) == sum(was) + 1
        assert (state.phase, state.to_act, state.decision) == (before.phase, before.to_act, before.decision)
        return
    blind = str(row.body.get("play", "")).startswith("blind ")
    assert sum(was) - sum(now) == int(blind)
    if blind:
        seat = row.body["seat"]
        seen["burned"] += 1
        seen["several at once"] += was[seat] > 1
        assert (before.phase, before.position.turn, was[seat] - now[seat]) == ("blind", seat, 1)
    if row.code != "play" or state.result is not None or state.phase in ("give", "deck", "joker"):
        return
    turn = state.position.turn
    if state.phase == "forced":
        seen["forced before blind"] += now[turn] > 0
    else:
        assert (state.phase == "blind") == (now[turn] > 0)
    seen["carried over"] += state.position.deal != before.position.deal and sum(now) > 0


def prove(game: Game) -> None:
    """Compute every blind card from the exported record alone, written out with hashlib as in docs/deal.md."""
    head, *rows = json.loads(json.dumps(replays.lines(game)))
    opened = next(row["body"]["deals"] for row in rows if row["code"] == "open")
    text = f"tock-deal-v1|{head['game']}|".encode()
    nobody = hashlib.sha256(hashlib.sha256(bytes(32)).digest() * 4).digest() + hashlib.sha256(b"").digest()
    keys = [
        hmac.new(bytes.fromhex(deal["seed"]), text + deal["d"].to_bytes(4, "big") + b"|" + nobody, "sha256").digest()
        for deal in opened
    ]
    state, deck, burn = store.opening_of(game), 0, 0
    for row in store.load(game.pk):
        line = str(row.body.get("play", ""))
        if line.startswith("deck "):
            deck, burn = deck + 1, 0
        elif line.startswith("blind "):
            hand = sorted(view(state, Viewer(row.body["seat"]))["hand"], key=number)
            assert line == f"blind {hand[below(keys[deck], burn, len(hand))]}"
            burn += 1
        state = apply_row(state, row)


def number(card: str) -> int:
    """Return the number of a card, as docs/deal.md defines it."""
    if card == "JK":
        return 52
    return "SHDC".index(card[-1]) * 13 + ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].index(
        card[:-1]
    )


def below(key: bytes, burn: int, size: int) -> int:
    """The index that blind burn number `burn` takes, computed step by step."""
    prefix = b"blind|" + burn.to_bytes(4, "big") + b"|"
    for word in words(key, prefix):
        if word < 2**32 - 2**32 % size:
            return word % size
    raise AssertionError


def words(key: bytes, prefix: bytes) -> Iterator[int]:
    for counter in range(1000):
        block = hmac.new(key, prefix + counter.to_bytes(8, "big"), "sha256").digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))


@pytest.mark.parametrize(("size", "critical"), [(2, 15.1), (3, 18.4), (4, 21.1), (5, 23.5)])
def test_every_card_of_a_hand_is_equally_likely(size: int, critical: float) -> None:
    """Chi-square over 4,000 seeds, first and later burns; a correct implementation exceeds the critical value once in
    10,000.
    """
    hand = ["4D", "10H", "KS", "7D", "JK"][:size]
    seeds, draws = random.Random(size), 4000
    deals = Deals(game="g", rules="shawinigan/1", seats=4, seeds=seeds.randbytes(32 * draws), salts=bytes(16 * draws))
    for burn in (0, 3):
        counts = Counter(deals.blind_card(d, burn, hand) for d in range(draws))
        expected = draws / size
        chi = sum((counts[card] - expected) ** 2 / expected for card in hand)
        assert set(counts) == set(hand)
        assert chi < critical


def test_the_card_does_not_depend_on_the_order_of_the_hand() -> None:
    key = bytes(range(32))
    hand = ["KS", "4D", "JK", "10H"]
    found = {shuffle.blind_card(key, 1, sorted(hand, reverse=flip)) for flip in (True, False)}
    assert found == {sorted(hand, key=number)[below(key, 1, 4)]}


class TestTheAct:
    def test_the_same_effect_twice_is_one_penalty(self, sat_table: Sat) -> None:
        sat_table.begin()
        seat = (min(sat_table.state.to_act) + 2) % 4
        name, at = ref(), sat_table.game.last_seq
        first = referee.penalise(game_id=sat_table.game.pk, seat=seat, at=at, ref=name)
        again = referee.penalise(game_id=sat_table.game.pk, seat=seat, at=at, ref=name)
        assert (again.seq, again.dup, first.dup) == (first.seq, True, False)
        assert sum(owed(sat_table.state)) == 1
        with pytest.raises(Conflict) as refused:
            referee.penalise(game_id=sat_table.game.pk, seat=(seat + 1) % 4, at=at, ref=name)
        assert (refused.value.code, refused.value.details) == ("ref_reused", {"seq": first.seq})

    def test_impossible_arguments_are_refused_and_nothing_is_written(self, sat_table: Sat) -> None:
        game = sat_table.game
        with pytest.raises(Refused) as refused:
            penalise(sat_table, 0)
        assert refused.value.code == "not_dealt"
        sat_table.begin()
        last = sat_table.game.last_seq
        for seat, at, code in ((4, 1, "bad_seat"), (-1, 1, "bad_seat"), (0, 0, "bad_seq"), (0, last + 1, "bad_seq")):
            with pytest.raises(Refused) as refused:
                referee.penalise(game_id=game.pk, seat=seat, at=at, ref=ref())
            assert refused.value.code == code
        assert sat_table.game.last_seq == last
        sat_table.send(1, "resign")
        with pytest.raises(Conflict) as over:
            referee.penalise(game_id=game.pk, seat=1, at=5, ref=ref())
        assert over.value.code == "game_over"

    def test_at_a_live_table_the_burn_follows_the_previous_turn(self, sat_table: Sat) -> None:
        sat_table.begin()
        for _ in range(60):
            (seat,) = sat_table.state.to_act
            following = (seat + 1) % 4
            penalise(sat_table, following)
            before = sat_table.state
            sat_table.play_on(1)
            line = store.load(sat_table.game.pk)[-1]
            if line.body["play"].startswith("blind "):
                break
        assert line.body == {"seat": following, "play": line.body["play"], "chance": True}
        assert line.actor == "system"
        deals = Deals.of(sat_table.game)
        hand = view(before, Viewer(following))["hand"]
        assert line.body["play"] == f"blind {deals.blind_card(before.decks, before.blinds, hand)}"
        assert sat_table.state.pile == line.body["play"].removeprefix("blind ")
