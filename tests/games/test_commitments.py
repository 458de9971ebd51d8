"""What anybody can see of the commitments to deals: at a game's replay, and the list of those that were never opened."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.selectors import commitments
from games.services import tables
from tests.games.conftest import Sat


def test_a_game_that_is_abandoned_leaves_its_commitment_visible(sat_table: Sat, client: Any) -> None:
    root = commitments.root_of(sat_table.game)
    sat_table.all_ready()
    tables.close(sat_table.table)
    page = client.get(reverse("games:open_deals")).content.decode()
    assert root in page
    assert reverse("games:replay", args=[sat_table.game.slug]) in page
    replay = client.get(reverse("games:replay", args=[sat_table.game.slug])).content.decode()
    assert root in replay
    assert "check-deal" not in replay


def test_a_finished_game_can_be_checked_and_leaves_the_list(sat_table: Sat, client: Any) -> None:
    sat_table.all_ready()
    sat_table.send(0, "resign")
    assert commitments.unopened() == []
    replay = client.get(reverse("games:replay", args=[sat_table.game.slug])).content.decode()
    assert "check-deal" in replay
    assert reverse("games:deal_verifier") in replay


def test_practice_tables_are_listed_without_their_address(db: Any, client: Any) -> None:
    opened = tables.open_practice(guest_key="k")
    game = opened.games.get()
    page = client.get(reverse("games:open_deals")).content.decode()
    assert commitments.root_of(game) in page
    assert game.slug not in page
    assert opened.slug not in page


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plan of SQLite")
def test_the_list_of_unopened_deals_reads_an_index_and_not_every_game(db):
    with CaptureQueriesContext(connection) as asked:
        commitments.unopened()
    (sql,) = [query["sql"] for query in asked if 'FROM "games_game"' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        plan = [row[3] for row in cursor.fetchall()]
    assert any("game_unopened" in step for step in plan), plan
