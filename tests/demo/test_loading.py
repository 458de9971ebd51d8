"""A loading that is killed in the middle is finished by the next one; no row is duplicated or missing."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests import migrated
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Club
from tock_league.clubs.services import found_club
from tock_league.upkeep import databases

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds
SQLITE = "django.db.backends.sqlite3"


class Site:
    """A separate data folder, and the commands of manage.py in separate processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "TOCK_DATA": str(folder),
            "DJANGO_SETTINGS_MODULE": "tock_league.settings.embedded",
            "MFA_REQUIRED_ROLES": "administrator,organiser,referee,head_referee,club_officer,panel",  # as in production
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "manage.py", *words], cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True
        )

    def run(self, *words: str) -> str:
        process = self.start(*words)
        told, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        return told

    def count(self, sql: str) -> int:
        with closing(sqlite3.connect(self.folder / "tock.sqlite3", timeout=20)) as connection:
            return int(connection.execute(sql).fetchone()[0])


OVER = "select count(*) from games_game where state = 'over'"
SETTLED = "select count(*) from competitions_match where state = 'confirmed'"
RATED = "select count(*) from ratings_ratedresult"
PROMISED = "select count(*) from common_outboxrow where done_at is null"


@pytest.fixture
def site(migrated_folder: Path) -> Site:
    made = Site(migrated_folder)
    if not (migrated_folder / "tock.sqlite3").exists():  # a run on PostgreSQL has no migrated file to copy
        made.run("migrate", "--verbosity", "0")
    return made


@pytest.mark.slow
def test_a_killed_loading_is_finished_by_the_next_start(site: Site) -> None:
    loading = site.start("load_demo")
    until = time.monotonic() + PATIENCE
    while site.count(OVER) < 12 and time.monotonic() < until:
        time.sleep(0.05)
    loading.send_signal(signal.SIGKILL)
    loading.wait(PATIENCE)
    loading.communicate()
    cut_off = site.count(OVER)
    assert 12 <= cut_off < 152
    assert site.count("select count(*) from ratings_ratingchange") == 0

    told = site.run("load_demo")
    assert "martine@demo.tock" in told
    # Four paper matches of the cup for three are settled too; they are rated, and twelve players start on its ladder.
    assert (site.count(OVER), site.count(SETTLED), site.count(RATED), site.count(PROMISED)) == (152, 156, 169, 0)
    assert site.count("select count(distinct slug) from games_game") == 153
    assert site.count("select count(*) from competitions_competition") == 7
    assert site.count("select count(*) from arbitration_ruling") == 4

    assert site.run("load_demo") == told
    assert (site.count(OVER), site.count(RATED)) == (152, 169)


@pytest.mark.django_db
def test_a_database_with_clubs_of_its_own_is_left_alone(tmp_path: Path) -> None:
    """In a file of its own: the tests' database may hold the demo, which other tests have loaded."""
    file = tmp_path / "tock.sqlite3"
    own = databases.here(ENGINE=SQLITE, NAME=file, OPTIONS={"init_command": "PRAGMA foreign_keys=ON;"})
    migrated.copy_of_file(file, own)
    with databases.as_default(databases.opened(own)):
        found_club(by=SITE, name="Club de La Tuque", town="La Tuque")
        with pytest.raises(CommandError, match="empty"):
            call_command("load_demo")
        assert Club.objects.count() == 1
