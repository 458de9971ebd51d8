"""Disputes of Tractor: a penalty table without burns, the measures and kinds of call of Tractor, a turn taken back."""

import pytest
from django.urls import reverse

from games.fold import Viewer, view
from games.models import GameEvent
from games.selectors import replays, rule_sets
from games.selectors.referee import rewindable
from games.services import tables
from tests.competitions.world import finish_game
from tests.games.conftest import Sat
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Effect, Ruling
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.selectors.cases.kinds import kinds_of
from tock_league.arbitration.selectors.rulings import options
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Refused
from tock_league.competitions.models import MatchGame, ResultVersion
from tock_league.competitions.services.results import settlement

from .browsers import signed_in
from .world import TALK, WORDS, World, a_world, decided, fresh

pytestmark = pytest.mark.django_db
ILLEGAL = Decision("upheld", row="illegal", rules=("T5",), facts="Il n’a pas fourni.", reasons="Il devait fournir.")


@pytest.fixture
def world(db, hand) -> World:
    """A running league of Tractor with its referees."""
    return a_world(rules="tractor/1")


@pytest.fixture
def sat(world: World) -> Sat:
    """A table whose starter has buried and led."""
    world.open()
    found = Sat(world.match.table, world.players)
    found.all_ready()
    while found.state.phase in ("draw", "show"):
        seat = min(found.state.to_act)
        legal = view(found.state, Viewer(seat))["legal"]
        show = next((line for line in legal if line.startswith("show ")), f"pass {seat}")
        assert not found.send(seat, "play", play=show).code
    for _act in range(2):
        play(found)
    return found


def play(sat: Sat) -> None:
    [seat] = sat.state.to_act
    assert not sat.send(seat, "play", play=view(sat.state, Viewer(seat))["legal"][0]).code


def called(world: World, sat: Sat, kind: str = "illegal") -> Case:
    answer = sat.send(0, "dispute", kind=kind, text="Il n’a pas fourni")
    assert not answer.code, answer
    return world.taken(Case.objects.get())


def refusal(act) -> Refused:
    with pytest.raises(Refused) as caught:
        act()
    assert str(caught.value.sentence)
    return caught.value


def test_a_dispute_is_about_what_the_game_knows(world: World) -> None:
    assert {"touch", "blind"} <= dict(kinds_of("toc/1")).keys()
    assert not {"touch", "blind"} & dict(kinds_of("tractor/1")).keys()
    assert {"talk", "illegal", "clock", "deal"} <= dict(kinds_of("tractor/1")).keys()
    game = world.played()
    for kind in ("touch", "blind", "nothing"):
        said = {"by": world.players[1], "game": game, "seq": 5, "kind": kind, "text": WORDS}
        assert refusal(lambda said=said: disputes.file(**said)).field == "kind"
    assert not Case.objects.exists()
    assert world.dispute(kind="illegal").kind == "illegal"


def test_a_call_about_a_touched_marble_is_a_call_about_something_else(world: World, sat: Sat) -> None:
    assert called(world, sat, kind="touch").kind == "other"


def test_the_form_offers_the_rows_penalties_and_measures_of_tractors_table(world: World, sat: Sat) -> None:
    found = options.options(called(world, sat), world.head)
    assert (found.version, found.game, found.remedies) == ("2026/1-tractor", "tractor", ("rewind", "clock"))
    assert "take_back" in [row.code for row in found.rows]
    assert not {"touch"} & {row.code for row in found.rows}
    assert "blind_burn" not in dict(found.penalties)
    assert "warning_point" in dict(found.penalties)


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"remedies": ("blind_burn",)}, "remedy_not_in_row", "remedies"),
        ({"remedies": ("touch",), "card": "AS"}, "remedy_not_in_row", "remedies"),
        ({"penalty": "blind_burn", "deviation_reason": "Il le faut."}, "penalty", "penalty"),
        ({"row": "touch"}, "row", "row"),
        ({"row": "talk", "remedies": ("rewind",)}, "remedy_not_in_row", "remedies"),
    ],
)
def test_no_burn_and_no_touch_can_be_ruled_in_any_way(world: World, sat: Sat, more, code, field) -> None:
    case = called(world, sat)
    decision = decided(ILLEGAL, offender=world.players[1].pk, **more)
    error = refusal(lambda: signing.preview(by=world.head, case=case, decision=decision))
    assert (error.code, error.field) == (code, field)
    assert not Ruling.objects.exists()


def test_the_last_cards_are_taken_back_and_the_clock_is_adjusted(world: World, sat: Sat) -> None:
    before = view(sat.state, Viewer(sat.state.position.turn))
    case = called(world, sat)
    [*_, back] = rewindable(sat.game)
    decision = decided(
        ILLEGAL,
        offender=world.players[1].pk,
        remedies=("rewind", "clock"),
        rewind_to=back,
        clock_seat=1,
        clock_ms=30_000,
    )
    ruling = world.rule(case, decision)
    assert (ruling.table_version, ruling.row, ruling.penalty) == ("2026/1-tractor", "illegal", "caution")
    assert set(Effect.objects.values_list("type", flat=True)) == {"rewind", "clock", "caution"}
    assert GameEvent.objects.filter(game=sat.game, code="rewind").count() == 1
    assert sat.state.frozen is None
    assert view(sat.state, Viewer(sat.state.position.turn)) != before
    play(sat)
    assert fresh(case).state == "ruled"
    assert not sat.send(1, "resign").code
    assert replays.faults(sat.game) == []
    assert audit.audit().faults == ()


def test_a_game_played_for_a_tied_one_is_ruled_on_under_the_number_of_its_result(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="illegal")))
    another = tables.new_game(world.match.table)
    MatchGame.objects.create(match=world.match, number=2, game=another, record_hash="")
    assert options.options(case, world.head).games == (1,)
    decision = decided(ILLEGAL, offender=world.players[0].pk, result="void", game_number=2)
    error = refusal(lambda: signing.preview(by=world.head, case=case, decision=decision))
    assert (error.code, error.field) == ("game_number", "game_number")


def test_a_forfeit_in_a_tied_game_is_not_one_in_the_game_played_for_it(world: World) -> None:
    world.open()
    tied = finish_game(world.match, 0)
    MatchGame.objects.create(match=world.match, number=1, game_id=tied, record_hash="")
    case = world.taken(world.heard(world.dispute(kind="clock")))
    assert options.options(case, world.head).games == ()
    tables.new_game(world.match.table)
    won = finish_game(world.match, 0)
    settlement.settle(game_id=won)
    assert ResultVersion.objects.get(match=world.match).game.game_id == won
    assert options.options(fresh(case), world.head).games == (1,)
    late = decided(ILLEGAL, offender=world.players[0].pk, row="late")
    shown = signing.preview(by=world.head, case=fresh(case), decision=late)
    assert [(effect.type, effect.game_number) for effect in shown.planned] == [("forfeit_match", None)]


def test_talking_twice_costs_a_match_point(world: World, sat: Sat) -> None:
    case = called(world, sat, kind="talk")
    talk = decided(TALK, offender=world.players[1].pk)
    assert world.rule(case, talk).penalty == "warning"
    assert not sat.send(2, "dispute", kind="talk", text="Encore").code
    again = Case.objects.exclude(pk=case.pk).get()
    leases.take(by=world.head, case=again)
    shown = signing.preview(by=world.head, case=fresh(again), decision=talk)
    assert (shown.step, shown.penalty, shown.needs_head) == (2, "warning_point", True)
    assert [effect.type for effect in shown.planned] == ["warning", "points"]


def test_pages_of_a_case_and_of_the_tables_speak_of_tractor(world: World, sat: Sat) -> None:
    case = called(world, sat)
    page = signed_in(world.head).get(reverse("arbitration:case", args=[case.number])).content.decode()
    assert "Take the last cards back" in page
    assert 'value="blind_burn"' not in page
    assert 'name="marble"' not in page
    shown = signed_in(None).get(reverse("arbitration:table")).content.decode()
    assert shown.index("Tock, version 2026/1") < shown.index("Tractor, version 2026/1-tractor")
    assert 'id="20261-talk"' in shown
    assert 'id="20261-tractor-talk"' in shown
    assert shown.count(">in force</span>") == 2


def test_a_game_that_is_not_in_the_registry_has_no_touches_burns_or_rounds() -> None:
    assert not rule_sets.touches("poker/1")
    assert not rule_sets.burns("poker/1")
    assert not rule_sets.has_rounds("poker/1")
