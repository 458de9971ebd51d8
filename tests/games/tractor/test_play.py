"""Commands at a table of Tractor, phase by phase: what they do, and refusals, which write nothing."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.fold import Viewer, view
from games.models import GameEvent
from games.selectors import replays
from games.services.record import default_line

from .four import Four

pytestmark = pytest.mark.django_db
CARDS = "2S 2H 2D 2C"


@pytest.fixture
def four(open_tractor: Callable[..., Four]) -> Four:
    return open_tractor()


def refused(four: Four, seat: int, kind: str, **args: str) -> tuple[str, str]:
    """Send a command that is refused; return code and reason, and check that no row was written."""
    before = GameEvent.objects.count()
    found = four.send(seat, kind, **args)
    assert found.code
    assert GameEvent.objects.count() == before
    return found.code, found.why


@pytest.fixture
def showing(four: Four) -> Four:
    four.all_ready()
    assert four.state.phase == "show"
    return four


def holder(four: Four) -> int:
    """Return a seat that holds a card to show."""
    return next(seat for seat in range(4) if four.shows(seat))


def card_of(line: str) -> str:
    return line.partition(": ")[2]


class TestShowing:
    def test_a_show_is_seen_by_everybody_and_cancels_the_passes(self, showing: Four) -> None:
        seat = holder(showing)
        other = (seat + 1) % 4
        assert not showing.send(other, "pass").code
        assert view(showing.state, Viewer(seat))["passed"] == [other]
        decision, cards = showing.state.decision_id, card_of(showing.shows(seat)[0])
        assert not showing.send(seat, "show", cards=cards).code
        for viewer in (Viewer(), Viewer(other)):
            seen = view(showing.state, viewer)
            assert seen["show"] == {"seat": seat, "cards": cards.split(" ")}
            assert seen["passed"] == []
        assert showing.state.decision_id == decision

    def test_a_show_in_flight_stays_valid_while_others_pass(self, showing: Four) -> None:
        seat, decision = holder(showing), showing.state.decision_id
        line = showing.shows(seat)[0]
        assert not showing.send((seat + 1) % 4, "pass").code
        assert not showing.send(seat, "play", turn=decision, play=line).code

    def test_the_first_of_two_shows_counts_and_the_second_is_too_weak(self, showing: Four) -> None:
        able = [seat for seat in range(4) if showing.shows(seat)]
        first, second = able[:2]
        one, two = (next(line for line in showing.shows(seat) if len(line.split()) == 3) for seat in (first, second))
        assert not showing.send(first, "play", play=one).code
        assert refused(showing, second, "play", play=two) == ("illegal", "SHOW_TOO_WEAK")
        assert two not in view(showing.state, Viewer(second)).get("legal", ())

    def test_a_seat_cannot_change_its_own_show(self, showing: Four) -> None:
        """Deal until a seat can show a single card and also a pair of another suit."""
        found: list[tuple[int, str, str]] = []
        while not found:
            for seat in range(4):
                cards = [card_of(line) for line in showing.shows(seat)]
                pairs = [card for card in cards if " " in card and "J" not in card]
                found += [(seat, one, pair) for pair in pairs for one in cards if " " not in one and one not in pair]
            if not found:
                showing.pass_all()
        seat, one, pair = found[0]
        assert not showing.send(seat, "show", cards=one).code
        assert refused(showing, seat, "show", cards=pair) == ("illegal", "OWN_SHOW")
        assert f"show {seat}: {pair}" not in showing.state.legal(seat)

    def test_a_show_of_plain_or_absent_cards_is_refused(self, showing: Four) -> None:
        seat = holder(showing)
        held = showing.hand(seat)
        plain = next(card for card in held if card[0] != "2" and card[1] != "J")
        assert refused(showing, seat, "show", cards=plain) == ("illegal", "NOT_A_SHOW")
        absent = next(card for card in CARDS.split() if card not in held)
        assert refused(showing, seat, "show", cards=absent) == ("illegal", "NOT_IN_HAND")
        assert refused(showing, seat, "show", cards=f"{absent} {absent} {absent}") == ("illegal", "bad_notation")

    def test_nobody_shows_or_passes_for_another_seat(self, showing: Four) -> None:
        seat = holder(showing)
        other = (seat + 1) % 4
        assert refused(showing, other, "play", play=showing.shows(seat)[0]) == ("illegal", "not_your_turn")
        assert refused(showing, other, "play", play=f"pass {seat}") == ("illegal", "not_your_turn")

    def test_a_second_pass_is_refused(self, showing: Four) -> None:
        assert not showing.send(0, "pass").code
        assert refused(showing, 0, "pass") == ("illegal", "already_passed")

    def test_when_all_have_passed_the_starter_takes_the_talon(self, showing: Four) -> None:
        seat, decision = holder(showing), showing.state.decision_id
        line = showing.shows(seat)[0]
        showing.send(seat, "play", play=line)
        showing.pass_all()
        state = showing.state
        assert (state.phase, state.to_act) == ("bury", {seat})
        assert state.decision_id != decision
        seen = view(state, Viewer(seat))
        assert len(seen["hand"]) == 33
        assert len(seen["talon"]) == 8
        assert (seen["starter"], seen["declarers"]) == (seat, seat % 2)
        late = showing.send((seat + 1) % 4, "show", turn=decision, cards="RJ RJ")
        assert (late.code, late.why) == ("stale_turn", "stale_turn")

    def test_if_nobody_shows_in_round_one_all_cards_are_dealt_again(self, showing: Four) -> None:
        drawer, deck = view(showing.state, Viewer(0))["drawer"], showing.state.decks
        hand = showing.hand(0)
        showing.pass_all()
        state = showing.state
        assert (state.phase, state.decks) == ("show", deck + 1)
        assert view(state, Viewer(0))["drawer"] == drawer
        assert showing.hand(0) != hand
        assert len(state.deals) == 2


class TestBurying:
    def test_only_the_starter_sees_the_buried_cards(self, four: Four) -> None:
        four.begin()
        (row,) = [row for row in store.load(four.game.pk) if str(row.body.get("play")).startswith("bury")]
        starter, setup = row.body["seat"], four.state.setup
        assert setup.family.line(row, Viewer(starter), setup) == row.body["play"]
        for viewer in (
            Viewer(),
            Viewer((starter + 1) % 4),
            Viewer((starter + 2) % 4),
            Viewer(referee=True, sees=starter),
        ):
            assert setup.family.line(row, viewer, setup) == "bury ??"
        assert view(four.state, Viewer(starter))["buried"] == row.body["play"].split(" ")[1:]

    def test_the_buried_cards_are_recorded_in_a_fixed_order(self, four: Four) -> None:
        four.all_ready()
        starter = four.name_trumps()
        cards = default_line(four.state, starter).split(" ")[1:]
        assert not four.send(starter, "bury", cards=" ".join(reversed(cards))).code
        assert store.load(four.game.pk)[-1].body["play"] == "bury " + " ".join(cards)

    def test_wrong_cards_are_refused(self, four: Four) -> None:
        four.all_ready()
        starter = four.name_trumps()
        cards = default_line(four.state, starter).split(" ")[1:]
        held = four.hand(starter)
        assert refused(four, starter, "bury", cards=" ".join(cards[:7])) == ("illegal", "WRONG_COUNT")
        assert refused(four, (starter + 1) % 4, "bury", cards=" ".join(cards)) == ("not_your_turn", "not_your_turn")
        absent = next(card for card in ("RJ", "BJ", "AS", "AH", "AD", "KS", "KH", "KD") if card not in held)
        assert refused(four, starter, "bury", cards=" ".join([*cards[:7], absent])) == ("illegal", "NOT_IN_HAND")
        assert refused(four, starter, "play", play=f"play {held[0]}") == ("illegal", "not_now")
        assert refused(four, starter, "pass") == ("illegal", "not_now")
        assert refused(four, starter, "show", cards="RJ RJ") == ("illegal", "not_now")


class TestPlaying:
    def test_leads_and_follows_that_are_refused(self, four: Four) -> None:
        leader = four.begin()
        hand = four.hand(leader)
        trump = view(four.state, Viewer())["trump"]
        suits = sorted({card[-1] for card in hand if card[:-1] != "2" and card[-1] not in ("J", trump["suit"])})
        mixed = [next(card for card in hand if card[-1] == suit and card[:-1] != "2") for suit in suits[:2]]
        assert refused(four, leader, "play", play=f"play {' '.join(mixed)}") == ("illegal", "MIXED_SUITS")
        follower = (leader + 1) % 4
        assert refused(four, follower, "play", play=f"play {four.hand(follower)[0]}") == (
            "not_your_turn",
            "not_your_turn",
        )
        lead = next(
            card for card in hand if card[-1] in suits and card[:-1] != "2"
            and any(held[-1] == card[-1] and held[:-1] != "2" for held in four.hand(follower))
        )  # fmt: skip
        assert not four.send(leader, "play", play=f"play {lead}").code
        other = next(card for card in four.hand(follower) if card[-1] != lead[-1])
        assert refused(four, follower, "play", play=f"play {other}") == ("illegal", "MUST_FOLLOW_SUIT")
        held = four.hand(follower)
        assert refused(four, follower, "play", play=f"play {held[0]} {held[1]}") == ("illegal", "WRONG_COUNT")

    def test_a_pair_must_be_followed_by_a_pair(self, four: Four) -> None:
        """Play until a pair is led to a hand that has one: its single cards are refused."""
        four.begin()
        for _ in range(400):
            state = four.state
            seen = view(state, Viewer(min(state.to_act)))
            follows = [line for line in seen["legal"] if seen.get("trick")]
            if (
                follows
                and len(follows[0].split(" ")) == 3
                and all(len(set(line.split(" ")[1:])) == 1 for line in follows)
            ):
                suit = follows[0][-1]
                singles = [card for card in dict.fromkeys(seen["hand"]) if card[-1] == suit and card[:-1] != "2"][:2]
                if len(singles) == 2:
                    answer = refused(four, seen["turn"], "play", play=f"play {' '.join(singles)}")
                    assert answer in {("illegal", "MUST_PLAY_PAIRS"), ("illegal", "MUST_FOLLOW_SUIT")}
                    return
            four.play_on(1)
        raise AssertionError("no pair was owed")

    def test_a_repeated_command_gets_the_same_answer_and_an_id_is_used_once(self, four: Four) -> None:
        leader = four.begin()
        id, decision, line = str(uuid.uuid4()), four.state.decision_id, four.choose(leader)
        first = four.send(leader, "play", id=id, turn=decision, play=line)
        again = four.send(leader, "play", id=id, turn=decision, play=line)
        assert (again.seq, again.dup, again.code) == (first.seq, True, "")
        assert four.send(leader, "pass", id=id, turn=decision).code == "id_reused"
        stale = four.send(leader, "play", turn=decision, play=line)
        assert stale.code == "stale_turn"

    def test_a_failed_throw_is_shown_with_its_cost(self, four: Four) -> None:
        leader = four.begin()
        trump = view(four.state, Viewer())["trump"]["suit"]
        for suit in "CDHS":
            cards = [
                card
                for card in dict.fromkeys(four.hand(leader))
                if card[-1] == suit != trump and card[:-1] not in ("2", "A")
            ]
            if len(cards) > 1:
                thrown = cards[:2]
                break
        assert not four.send(leader, "play", play=f"play {' '.join(thrown)}").code
        seen = view(four.state, Viewer())
        assert seen["failed"]["seat"] == leader
        assert seen["failed"]["paid"] == 10 * len(seen["failed"]["back"])
        assert sorted(seen["failed"]["back"] + seen["trick"][0]) == sorted(thrown)
        assert set(seen["failed"]["back"]) <= set(four.hand(leader))


class TestOtherGames:
    @pytest.mark.parametrize(("kind", "args"), [("burn", {"card": "3S"}), ("exchange", {"card": "3S"})])
    def test_commands_of_tock_are_refused(self, four: Four, kind: str, args: dict[str, str]) -> None:
        leader = four.begin()
        assert refused(four, leader, kind, **args) == ("illegal", "not_in_this_game")

    def test_a_touch_binds_nothing(self, four: Four) -> None:
        leader = four.begin()
        assert refused(four, leader, "touch", card=four.hand(leader)[0]) == ("illegal", "no_touch")
        assert not four.table.touch

    @pytest.mark.parametrize("line", ["deck", "draw 4", "deck AS"])
    def test_lines_that_only_the_table_writes_are_refused(self, four: Four, line: str) -> None:
        leader = four.begin()
        assert refused(four, leader, "play", play=line) == ("illegal", "chance")

    @pytest.mark.parametrize(("kind", "args"), [("show", {"cards": "2S"}), ("pass", {}), ("bury", {"cards": "2S"})])
    def test_commands_of_tractor_are_refused_at_a_table_of_tock(
        self, sat_table: Any, kind: str, args: dict[str, str]
    ) -> None:
        seat = sat_table.begin()
        before = GameEvent.objects.count()
        answer = sat_table.send(seat, kind, **args)
        assert (answer.code, answer.why) == ("illegal", "not_in_this_game")
        assert GameEvent.objects.count() == before


@pytest.mark.parametrize("phase", ["draw", "show", "bury", "play"])
def test_a_resignation_loses_in_every_phase(four: Four, phase: str, settings: Any) -> None:
    settings.TOCK_DRAW_MS = 600 if phase == "draw" else 0
    if phase == "play":
        four.begin()
    else:
        four.all_ready()
        if phase == "bury":
            four.name_trumps()
    assert four.state.phase == phase
    game = four.game.pk
    assert not four.send(1, "resign").code
    game = type(four.game).objects.get(pk=game)
    assert (game.state, game.reason, game.ranks, game.due_at) == ("over", "resigned", [0, 1], None)
    assert replays.faults(game) == []
    state = store.current(game)
    assert state.may_act == frozenset()
    assert all("legal" not in view(state, Viewer(seat)) for seat in range(4))
