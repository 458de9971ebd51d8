"""A copy that was made before somebody was erased does not bring them back."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.people.searching import files_with, rows_with
from tock_league.accounts.models import Player
from tock_league.people.restored import NAME
from tock_league.upkeep import archive, databases, postgresql
from tock_league.upkeep.backup import backup
from tock_league.upkeep.drill import drill
from tock_league.upkeep.restore import load_dump, restore

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_a_restore_erases_again_and_proves_the_rest(home: dict[str, Any], tmp_path: Path, settings: Any) -> None:
    settings.DATA = tmp_path / "target"
    settings.DATA.mkdir()
    copies = tmp_path / "copies"
    copies.mkdir()
    made = backup(copies)
    player = Player.objects.filter(seatings__isnull=False).order_by("pk")[0]
    gone = {"label": f"player:{player.slug}", "pseudonym": "Joueur 8F3", "at": "2026-09-03T00:00:00+00:00"}
    unknown = gone | {"label": "player:nobody22", "pseudonym": "Joueur 9ZZ"}
    (copies / NAME).write_text(f"{json.dumps(gone)}\n{json.dumps(unknown)}\n")
    said: list[str] = []
    if connection.vendor == "sqlite":
        restore(made.path, say=said.append)
        there = databases.opened(databases.here(NAME=settings.DATA / "tock.sqlite3"))
        with databases.as_default(there):
            assert_gone(player)
        assert files_with(settings.DATA, player.display_name) == []
    else:
        with postgresql.another(databases.here()) as target:
            manifest = archive.manifest_of(made.path)
            load_dump(made.path, manifest, target, keep_anyway=False, lists=[copies / NAME], say=said.append)
            with databases.as_default(databases.opened(target)):
                assert_gone(player)
    assert "Erased again: 1 who had been erased after the copy was made." in said
    assert Player.objects.get(pk=player.pk).display_name == player.display_name  # the running site is another database


def assert_gone(player: Player) -> None:
    assert rows_with(player.display_name) == []
    assert Player.objects.get(slug=player.slug).display_name == "Joueur 8F3"


def test_a_drill_reads_the_list_too(
    home: dict[str, Any], tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA = tmp_path  # the list is also written there
    monkeypatch.setattr("tock_league.upkeep.drill.prove", lambda *args, **more: None)  # other tests' business
    made = backup(tmp_path)
    player = Player.objects.filter(seatings__isnull=False).order_by("pk")[0]
    gone = {"label": f"player:{player.slug}", "pseudonym": "Joueur 8F3", "at": "2026-09-03T00:00:00+00:00"}
    (tmp_path / NAME).write_text(json.dumps(gone))
    said: list[str] = []
    drill(made.path, say=said.append)
    assert any(line.startswith("Erased again: 1") for line in said)
