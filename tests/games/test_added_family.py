"""A family of games is one folder: Nim, a folder of the tests, appears in every list of families and can be played."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import bots, store
from games.engine import conformance, registry
from games.fold import EVERYTHING, SPECTATOR, ClockSettings, Viewer, events, fold, merge, opening, steps, view
from games.forms import PracticeForm, levels_of, rule_choices, shapes
from games.models import Game, Table
from games.selectors import replays, rule_sets
from games.services import clocks, tables
from games.services.records import import_record, read_lines
from games.services.tables import SeatPlan
from ratings.selectors.words import ladder_name, of_pairs
from tests import toys
from tests.documents import squeezed
from tock_league.common import clock
from tock_league.competitions.selectors.seasons.counting import counting_of
from tock_league.pages import rules as rules_pages

from .conftest import Sat
from .every_table import people
from .test_bots_at_tables import play_along

NIM = "nim/1"
ENGLISH = {"accept-language": "en"}


@pytest.fixture(autouse=True)
def offered(settings: Any) -> Iterator[None]:
    """Offer the families of `tests.toys`, as the AppConfig of an external app would, with the app's templates."""
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(Path(toys.__file__).parent / "templates")
    settings.TEMPLATES = templates
    registry.offer(toys.__name__)
    yield
    registry.withdraw(toys.__name__)


def two_people(**more: Any) -> Sat:
    players = people(2)
    plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
    return Sat(tables.open_match_table(rules=NIM, name="Nim", seat_plan=plan, **more), players)


def take(sat: Sat) -> None:
    """Let the seat to act play as the club bot would."""
    state = sat.state
    seat = min(state.to_act)
    seen = view(state, Viewer(seat))
    line = bots.at_table.answer(seen, seen["legal"], level="club", roll=lambda top: 0, seat=seat, seen=())
    assert not sat.send(seat, "play", play=line).code


def played(sat: Sat) -> Game:
    """Play to the end; return the finished game."""
    sat.all_ready()
    while sat.state.result is None:
        take(sat)
    return sat.game


class TestWhatListsFamilies:
    def test_the_registry_and_the_engines_requests(self) -> None:
        assert sorted(registry.families()) == ["nim", "tock", "tractor"]
        new = conformance.answer({"op": "new", "rules": NIM, "seats": 2, "teams": 2})
        assert new == {"position": {"rules": NIM, "turn": 1, "heap": -1}}
        played = {"rules": NIM, "turn": 0, "heap": 2}
        assert conformance.answer({"op": "legal", "position": played}) == {"plays": ["take 1", "take 2"]}
        assert conformance.answer({"op": "perft", "position": played, "depth": 2}) == {"nodes": 1}

    def test_the_choices_of_forms(self) -> None:
        assert (NIM, "Nim of the tests") in rule_choices()
        assert NIM in shapes()[2, 2]
        assert levels_of(NIM) == ["club"]
        assert NIM in [one.id for one, _levels, _chosen in PracticeForm().rule_options()]

    def test_the_names_of_the_rule_set_and_its_counting(self) -> None:
        [one] = [one for one in rule_sets.offered() if one.id == NIM]
        assert (one.name, one.game, one.touches, one.rounds, one.page) == (
            "Nim of the tests",
            "nim",
            False,
            False,
            "nim-1",
        )
        assert not rule_sets.burns(NIM)
        assert str(one.sentence).startswith("The heap")
        assert ladder_name("nim", 2).startswith("Nim, 2")
        assert not of_pairs("nim", 2)
        assert counting_of(NIM).words(1) == "1 ahead"

    def test_the_bots_of_an_added_family_play(self) -> None:
        assert bots.levels(NIM) == ("random", "club")
        assert [bots.level_in(NIM, level) for level in ("random", "master")] == ["random", "club"]
        assert not bots.at_table.assesses(NIM)

    @pytest.mark.django_db
    def test_the_pages_of_an_added_family_answer(self, client: Client) -> None:
        assert "nim-1" in [page.name for page in rules_pages.pages("en")]
        page = squeezed(client.get(reverse("pages:rules", args=["nim-1"]), headers=ENGLISH).content.decode())
        assert "Who takes the last one wins." in page
        page = squeezed(client.get(reverse("games:practice"), headers=ENGLISH).content.decode())
        assert f'value="{NIM}"' in page
        assert "Nim of the tests" in page

    def test_a_withdrawn_family_leaves_nothing_behind(self) -> None:
        registry.withdraw(toys.__name__)
        assert "nim" not in registry.families()
        assert NIM not in [one.id for one in rule_sets.offered()]
        registry.offer(toys.__name__)
        registry.offer(toys.__name__)  # idempotent
        assert "nim" in registry.families()


@pytest.mark.django_db(transaction=True)
class TestAGame:
    def test_a_person_plays_against_a_bot_on_the_familys_own_pages(self, client: Client) -> None:
        answer = client.post(reverse("games:practice"), {"rules": NIM, "table": "2-2", "level": "club"})
        assert answer.status_code == 302
        page = squeezed(client.get(answer.url).content.decode())
        assert '<h1 id="rules">Nim of the tests</h1>' in page
        Table.objects.all().delete()
        players = people(1)
        sat = Sat(tables.open_practice(player=players[0], rules=NIM, seats=2, teams=2), players)
        play_along(sat, 20)
        game = Game.objects.select_related("table").get()
        assert (game.state, sorted(game.ranks), replays.faults(game)) == (Game.State.OVER, [0, 1], [])
        assert client.get(reverse("games:replay", args=[game.slug])).status_code == 200

    def test_the_record_is_read_back_and_every_view_follows_from_its_events(self) -> None:
        game = played(two_people(clocks=ClockSettings()))
        setup, rows = store.setup_of(game), store.load(game.pk)
        assert [row.code for row in rows[:4]] == ["commit", "ready", "ready", "draw"]
        assert fold(setup, rows).result == store.current(game).result
        for viewer in (Viewer(0), Viewer(1), SPECTATOR, EVERYTHING):
            held = view(opening(setup), viewer)
            for event, fresh in events(steps(opening(setup), rows), viewer):
                held = merge(held, event["set"])
                assert held == fresh, event

    def test_an_imported_record_is_validated(self) -> None:
        sat = two_people()
        lines = replays.lines(played(sat))
        plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(sat.players)]
        sat.table.delete()
        table = tables.reserve_match_table(rules=NIM, name="Nim", seat_plan=plan)
        again = import_record(record=read_lines(lines), table=table)
        assert (again.state, replays.faults(again)) == (Game.State.OVER, [])

    def test_the_clock_plays_for_a_late_seat(self, frozen_clock: clock.Frozen) -> None:
        sat = two_people(clocks=ClockSettings(bank_s=60, cap_s=30))
        sat.all_ready()
        seat, before = min(sat.state.to_act), sat.state.position.heap
        frozen_clock.advance(seconds=31)
        assert clocks.claim_due() == 1
        state = sat.state
        assert (state.timeouts[seat], min(state.to_act)) == (1, 1 - seat)
        assert state.position.heap < before
