"""The open results format: its schema holds, and the reader of docs/, which shares no code with the site, gets the
site's standings from it.
"""

import copy
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.competitions.world import (
    FIRST_ROUND,
    START,
    a_club,
    a_league,
    a_plan,
    a_player,
    a_tournament,
    decide,
    play_match,
    play_on,
    stronger,
    under_way,
)
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.core.tiebreaks import SUPPORTED
from tock_league.competitions.models import Competition
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import paper, rulings, settlement
from tock_league.competitions.services.seasons import lifecycle, nights, regulations
from tock_league.exports import results
from tock_league.imports.checking import check
from tock_league.imports.reading import read

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = jsonschema.Draft202012Validator(json.loads((DOCS / "results-format.schema.json").read_text("utf-8")))
EVERY = tuple(key for key in SUPPORTED if key not in ("points", "lots"))


def reader() -> ModuleType:
    spec = importlib.util.spec_from_file_location("results_reader", DOCS / "results_reader.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def told(found: Competition) -> dict[str, Any]:
    """Return the file of an event, read back as JSON, after comparing it with the schema."""
    found.refresh_from_db()
    data = json.loads(json.dumps(results.of(found)))
    assert list(SCHEMA.iter_errors(data)) == []
    return data


def agreed(found: Competition) -> int:
    """Assert that the reader gets tables, brackets and ranks as the site has them; return how many rows there are.

    A finished event must also pass the checks of an import, which are the site's own arithmetic.
    """
    data = told(found)
    compared = list(reader().comparisons(data))
    if data["event"]["state"] == "finished":
        assert len(check(read(json.dumps(data).encode()))) == found.matches.count()
    for title, made, given in compared:
        assert made == given, title
    return sum(len(given) for _title, _made, given in compared)


def test_a_league_with_every_criterion_and_every_kind_of_result() -> None:
    league = a_league(5, legs=1)
    matches = list(league.matches.order_by("round__number", "number"))
    for number, match in enumerate(matches[:7]):
        decide(match, number % 2)
    settlement.award(by=SITE, match=matches[7], winner=0, reason="Personne n’est venu.")
    settlement.award(by=SITE, match=matches[8], winner=None, reason="Personne n’est venu.")
    orders = set()
    for criterion in EVERY:
        frozen = regulations.freeze(code="league", tiebreaks=(criterion, "lots"))
        Competition.objects.filter(pk=league.pk).update(regulations=frozen)
        (_title, made, given) = next(reader().comparisons(told(league)))
        assert made == given
        orders.add(tuple(entry for entry, _rank, _points in given))
    assert len(orders) > 2  # the criteria do not all say the same


def test_a_league_before_its_first_result_and_with_somebody_who_leaves() -> None:
    league = a_league(4, legs=1)
    assert agreed(league) == 4
    for match in league.matches.filter(round__number=1):
        decide(match, 1)
    entry = league.entries.order_by("seed").first()
    withdrawals.withdraw(by=SITE, entry=entry, reason="Déménagement.")
    assert agreed(league) >= 3
    for match in league.matches.filter(state="scheduled"):
        decide(match, 0)
    lifecycle.advance(by=SITE, competition=league, to="finished")
    assert agreed(league) >= 3


def test_games_at_tables_bring_margins_and_hashes_of_records() -> None:
    league = a_league(2)
    with clock.frozen(FIRST_ROUND - timedelta(minutes=1)):
        match = play_match(league.matches.order_by("round__number").first(), 0)
    assert agreed(league) == 2
    data = told(league)
    row = data["stages"][0]["groups"][0]["rounds"][0]["matches"][0]
    assert row["id"] == match.slug
    assert [len(game["record_hash"]) for game in row["games"]] == [64]
    assert row["versions"][-1]["hash"] == match.versions.order_by("version").last().hash
    assert {change["match"] for change in data["rating_changes"]} <= {match.slug}


def test_a_swiss_event_with_byes_and_its_reader_who_notices_a_changed_result(client: Client, tmp_path: Path) -> None:
    made = a_tournament(5, plan=a_plan("swiss"), tiebreaks=("buchholz_cut1", "median", "sonneborn_berger", "lots"))
    play_on(made, matches=3)
    assert agreed(made) == 5
    play_on(made, wins=lambda match: match.pk % 2)
    assert agreed(made) == 5 + 5  # the table and the final ranks
    answer = client.get(f"/exports/competitions/{made.slug}/event.json")
    assert answer["Content-Type"] == "application/json; charset=utf-8"
    data = answer.json()
    whole, changed = tmp_path / "whole.json", tmp_path / "changed.json"
    whole.write_text(json.dumps(data), encoding="utf-8")
    for row in data["stages"][0]["groups"][0]["rounds"][-1]["matches"]:
        row["result"]["sides"].reverse()
    changed.write_text(json.dumps(data), encoding="utf-8")
    command = [sys.executable, "-I", str(DOCS / "results_reader.py")]
    codes = [subprocess.run([*command, path], capture_output=True, check=False).returncode for path in (whole, changed)]
    assert codes == [0, 1]


def test_groups_and_a_bracket() -> None:
    made = a_tournament(6, plan=a_plan("groups_knockout"), state="finished")
    assert agreed(made) == 6 + 4 + 6  # two groups, four matches, the final ranks
    data = told(made)
    assert [group["table"] is None for stage in data["stages"] for group in stage["groups"]] == [False, False, True]
    assert sorted(entry["final_rank"] for entry in data["entries"])[:2] == [1, 2]
    for change in (
        lambda given: _bracket(given)[0]["matches"][0]["sides"].reverse(),
        lambda given: _bracket(given)[0]["matches"][0]["result"]["sides"].reverse(),
        lambda given: _bracket(given)[1]["matches"][0]["result"]["sides"].reverse(),
        lambda given: given["entries"][0].update(final_rank=6),
        lambda given: given["entries"][0].update(final_rank=None),
    ):
        changed = copy.deepcopy(data)
        change(changed)
        assert any(made != given for _title, made, given in reader().comparisons(changed))


def _bracket(data: dict[str, Any]) -> list[dict[str, Any]]:
    return data["stages"][1]["groups"][0]["rounds"]


def test_a_knockout_has_no_table_and_all_its_matches() -> None:
    made = a_tournament(2, state="finished")
    assert agreed(made) == 1 + 2
    assert sum(len(row["matches"]) for row in told(made)["stages"][0]["groups"][0]["rounds"]) == made.matches.count()


def test_a_bracket_is_recomputed_at_every_step() -> None:
    made = a_tournament(7)
    matches = made.matches.count()
    assert agreed(made) == matches
    first, second, third = under_way(made)
    settlement.award(by=SITE, match=first, winner=None, reason="Personne n’est venu.")
    decide(second, 1 - stronger(second))
    withdrawals.withdraw(by=SITE, entry=third.side_rows.get(position=0).entry, reason="Déménagement.")
    assert agreed(made) == matches
    play_on(made)
    assert agreed(made) == matches + 7
    assert sorted(entry["final_rank"] for entry in told(made)["entries"]) == [1, 2, 3, 5, 5, 5, 5]


@pytest.mark.parametrize(
    ("teams", "kind", "changes"),
    [
        (6, "double_elimination", {}),
        (5, "double_elimination", {"reset_final": False}),
        (7, "placement", {}),
        (11, "consolation", {}),
    ],
)
def test_brackets_whose_losers_play_on(teams: int, kind: str, changes: dict[str, Any]) -> None:
    """Somebody forfeits with the other side, somebody withdraws, the others win and lose by coins."""
    made = a_tournament(teams, plan=a_plan(kind, **changes))
    dice = random.Random(f"{kind} {teams}")
    first, *_others = under_way(made)
    settlement.award(by=SITE, match=first, winner=None, reason="Personne n’est venu.")
    withdrawals.withdraw(by=SITE, entry=under_way(made)[-1].side_rows.get(position=0).entry, reason="Déménagement.")
    while waiting := under_way(made):
        agreed(made)
        decide(dice.choice(waiting), dice.randrange(2))
    made.refresh_from_db()
    assert made.state == "finished"
    assert agreed(made) == made.matches.count() + teams


def test_two_who_forfeit_their_semi_final_share_the_fourth_place() -> None:
    made = a_tournament(4)
    settlement.award(by=SITE, match=under_way(made)[0], winner=None, reason="Personne n’est venu.")
    play_on(made)
    assert agreed(made) == 4 + 4
    assert sorted(entry["final_rank"] for entry in told(made)["entries"]) == [1, 3, 4, 4]


def test_a_ruling_on_a_semi_final_leaves_the_bracket_or_moves_it() -> None:
    made = a_tournament(4, plan=a_plan(third_place=False))
    semis = under_way(made)
    play_on(made)
    final = made.matches.get(label="final")
    for number, (semi, fault) in enumerate(zip(semis, ("referee", "own"), strict=True), start=1):
        before = [side.entry_id for side in final.side_rows.order_by("position")]
        effects = [EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault=fault)]
        rulings.apply(competition=made, ruling=f"TL-2026-00000{number}/1", effects=effects)
        play_on(made)
        assert agreed(made) == 3 + 4
        moved = before != [side.entry_id for side in final.side_rows.order_by("position")]
        assert moved is (fault == "own")


def test_what_one_captain_alone_reported_is_not_told() -> None:
    made = a_tournament(2)
    match = made.matches.get()
    captains = [
        match.side_rows.get(position=position).entry.roster.get(role="starter", slot=1).player for position in (0, 1)
    ]
    paper.report(by=captains[0], match=match, games=[paper.Game(0, 3)])
    (version,) = told(made)["stages"][0]["groups"][0]["rounds"][0]["matches"][0]["versions"]
    assert (version["counts"], version["sheet"], version["lines"]) == (False, None, [])
    paper.accept(by=captains[1], match=match, seen=version["version"])
    (version,) = told(made)["stages"][0]["groups"][0]["rounds"][0]["matches"][0]["versions"]
    assert (version["counts"], version["sheet"]) == (True, [[0, 3]])


def test_a_club_night() -> None:
    night = nights.announce_night(
        by=SITE, club=a_club(), name="Soirée du vendredi", regulations=regulations.freeze(code="night")
    )
    players = [a_player(f"Joueur {letter}") for letter in "ABCDEFGH"]
    nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    for match in night.matches.order_by("pk"):
        decide(match, 0)
    lifecycle.advance(by=SITE, competition=night, to="finished")
    assert agreed(night) == 4


def test_the_reader_is_short_and_imports_the_standard_library_alone() -> None:
    text = (DOCS / "results_reader.py").read_text("utf-8")
    assert len(text.splitlines()) <= 200
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_a_draft_has_no_file(client: Client) -> None:
    assert client.get(f"/exports/competitions/{a_league(state='draft').slug}/event.json").status_code == 404


def test_queries_do_not_grow_with_the_event() -> None:
    counts = []
    for made in (a_tournament(4, plan=a_plan("swiss")), a_tournament(8, plan=a_plan("swiss"))):
        with CaptureQueriesContext(connection) as seen:
            results.of(made)
        counts.append(len(seen))
    assert counts[0] == counts[1]
    assert counts[0] < 45
