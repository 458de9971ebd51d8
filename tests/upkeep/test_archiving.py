"""archive_events: records of long finished games are packed, read where they lie, verified, exported and brought back."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import store
from games.models import ArchivedRecord, Game, GameEvent
from games.permissions import Person
from games.selectors import games as reader
from games.selectors import plays, replays
from games.services import archiving as archived_rows
from games.services import audit, months, play, referee
from games.store import months as partitions
from tock_league.arbitration.models import Case
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.competitions.models import Competition
from tock_league.upkeep import archiving, figures, records
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.rights import grant
from tock_league.upkeep.verification import verify

pytestmark = pytest.mark.django_db
BEFORE = 202610  # the small site is of September 2026


@pytest.fixture
def old(site: None) -> list[Game]:
    """The three finished games of the small site, half a year after their league has ended."""
    Competition.objects.update(state="finished")
    Case.objects.update(state="final")
    clock._frozen = clock.now() + (archiving.REST * 3)
    return list(Game.objects.select_related("table").filter(state="over").order_by("pk"))


def archived() -> list[str]:
    said: list[str] = []
    archiving.archive_before(BEFORE, say=said.append)
    return said


def rows(game: Game) -> list[tuple[Any, ...]]:
    """Return the rows of a game in the table, without their ids."""
    names = [field.attname for field in GameEvent._meta.concrete_fields if field.attname != "id"]
    return list(GameEvent.objects.filter(game=game).order_by("seq").values_list(*names))


def all_differences() -> list[str]:
    """Return what verify_all finds: nothing but the case that was closed without an event."""
    found = [str(each) for outcome in verify() for each in outcome.first]
    assert len(found) == 1
    return found


def differences(part: str = "games") -> list[str]:
    return [str(each) for outcome in verify() if outcome.name == part for each in outcome.first]


@pytest.mark.both_databases
def test_an_archived_record_is_read_verified_and_brought_back_as_it_was(old: list[Game]) -> None:
    before, wrong = figures.computed(), all_differences()
    told = [(replays.lines(game), store.rows_of(game), store.chain_values(game), rows(game)) for game in old]
    middle = [reader.state_at(game, 5) for game in old]
    months.make([202609])

    assert archived()[0] == "1 games stay: not finished, or without a deal"
    assert not GameEvent.objects.filter(game__in=old).exists()
    assert ArchivedRecord.objects.count() == len(old) == 3
    assert 202609 in partitions.partitions() if connection.vendor == "postgresql" else True  # the running game's
    assert all_differences() == wrong
    assert figures.computed() == before
    store.folded.clear()
    assert [reader.state_at(game, 5) for game in old] == middle
    for game, (lines, found, chain, _rows) in zip(old, told, strict=True):
        assert replays.lines(game) == lines
        assert replays.faults(game) == []
        assert store.rows_of(game) == found
        assert store.rows_of(game, after=2, upto=4) == found[2:4]
        assert store.rows_of(game, after=game.last_seq) == []
        assert store.chain_values(game) == chain
        assert plays.at(game.pk, 3) == found[2].at
    assert archived()[1:] == []

    said: list[str] = []
    archiving.bring_back(202609, say=said.append)
    assert said == ["2026-09: 27 rows of 3 games are back"]
    assert [rows(game) for game in old] == [each[3] for each in told]
    assert not ArchivedRecord.objects.exists()
    assert differences() == []


@pytest.mark.postgresql
def test_an_empty_partition_is_dropped_and_made_again(old: list[Game]) -> None:
    Game.objects.exclude(pk__in=[game.pk for game in old]).delete()
    months.make([202609])
    assert archived()[-1] == "empty partitions dropped: 2026-09"
    assert 202609 not in partitions.partitions()
    archiving.bring_back(202609, say=lambda line: None)
    assert 202609 in partitions.partitions()
    assert differences() == []


def test_nothing_acts_on_an_archived_game(old: list[Game]) -> None:
    archived()
    game = old[0]
    with pytest.raises(Conflict, match="game_over"):
        referee.warn(game_id=game.pk, seat=0, ref="r1")
    holder = game.table.seatings.get(seat=0)
    asked = play.Request(game.table_id, 0, "c9", "0.1", "resign", {}, Person(player_id=holder.player_id))
    assert play.submit_one(asked).code in ("stale_turn", "frozen")
    assert not GameEvent.objects.filter(game=game).exists()


def test_what_may_still_change_stays_and_the_reason_is_said(site: None) -> None:
    assert archived() == [
        "1 games stay: not finished, or without a deal",
        "3 games stay: finished less than 60 days ago",
    ]
    clock._frozen = clock.now() + (archiving.REST * 3)
    assert archived()[1:] == ["3 games stay: of a competition that is not over"]
    Competition.objects.update(state="finished")
    assert [line for line in archived() if "case" in line] == ["1 games stay: with an open case"]
    assert ArchivedRecord.objects.count() == 2
    Case.objects.update(state="final")
    archived()
    assert ArchivedRecord.objects.count() == 3


def test_a_record_that_does_not_verify_is_not_touched_and_the_others_are_archived(old: list[Game]) -> None:
    GameEvent.objects.filter(game=old[1], seq=4).update(at=1)
    said: list[str] = []
    with pytest.raises(CannotDo, match=r"^1 games stay, because their records do not verify; run verify_all\.$"):
        archiving.archive_before(BEFORE, say=said.append)
    assert any(f"game {old[1].slug} stays: " in line and "chain" in line for line in said)
    assert said[-1] == "2026-09: 18 rows of 2 games archived"
    assert len(rows(old[1])) == old[1].last_seq
    assert set(ArchivedRecord.objects.values_list("game", flat=True)) == {old[0].pk, old[2].pk}


def test_tampering_with_the_archive_is_found(old: list[Game]) -> None:
    archived()
    first, second, third = ArchivedRecord.objects.order_by("game")
    text = store.text_of(second).replace(b'"kind":"act"', b'"kind":"pla"', 1)
    ArchivedRecord.objects.filter(pk=first.pk).update(body=bytes(first.body)[:-9])
    forged = store.pack(old[1], store.unpack(text).rows, old[1].chain)
    ArchivedRecord.objects.filter(pk=second.pk).update(body=forged.body, sha256=forged.sha256)
    store.insert(old[2], store.unpack(store.text_of(third)).rows)
    found = "\n".join(differences())
    assert f"row {old[0].slug}, body: archived record of game {old[0].pk}: the body is no gzip" in found
    assert f"row {old[1].slug} 9, chain" in found or f"row {old[1].slug}, chain" in found
    assert f"row {old[2].slug}, game: the record is in the archive, and its rows are here too" in found
    with pytest.raises(CannotDo, match="these games are as they were"):
        archiving.bring_back(202609, say=lambda line: None)
    assert ArchivedRecord.objects.count() == 3


def test_a_file_of_each_month_is_written_and_read_back(
    old: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {f"{game.slug}.jsonl": replays.lines(game) for game in old}
    call_command("archive_events", "--before", "2026-10", "--to", str(tmp_path))
    path = tmp_path / "records-2026-09.zip"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "the archive holds 3 games with 27 rows in " in capsys.readouterr().out
    with zipfile.ZipFile(path) as file:
        for name, wanted in lines.items():
            found = [json.loads(line) for line in file.read(name).splitlines()]
            assert found[0] == wanted[0]
            assert [line | {"chain": "", "body_hash": ""} for line in found[1:]] == [
                line | {"chain": "", "body_hash": ""} for line in wanted[1:]
            ]
            assert found[-1]["chain"] == wanted[-1]["chain"]
    call_command("archive_events", "--check", str(path))
    assert capsys.readouterr().out == "good: 3 games with 27 rows, each replayed by the rules\n"
    with pytest.raises(CannotDo, match="exists already, without game"):
        records.write(tmp_path, 202609, Game.objects.exclude(state="over"))
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_run_that_was_stopped_after_writing_the_file_goes_on(old: list[Game], tmp_path: Path) -> None:
    written = records.write(tmp_path, 202609, old).read_bytes()
    archiving._archive([old[0].pk], lambda line: None)
    call_command("archive_events", "--before", "2026-10", "--to", str(tmp_path))
    assert (tmp_path / "records-2026-09.zip").read_bytes() == written
    assert ArchivedRecord.objects.count() == 3


@pytest.mark.both_databases
def test_two_runs_at_once_archive_and_bring_back_each_game_once(old: list[Game]) -> None:
    """Both have listed the games before one of them has begun."""
    keys, said = [game.pk for game in old], []
    assert archiving._archive(keys, said.append) == (3, 27)
    before = list(ArchivedRecord.objects.values_list("pk", "sha256"))
    assert archiving._archive(keys, said.append) == (3, 0)
    assert list(ArchivedRecord.objects.values_list("pk", "sha256")) == before
    assert said == []
    assert sum(archived_rows.bring_back([game]) for game in old) == 27
    assert archived_rows.bring_back(old) == 0
    assert differences() == []


@pytest.mark.postgresql
def test_the_sites_own_role_archives_nothing_and_is_told_who_may(old: list[Game]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE tock_app_of_this_test")
    grant("tock_app_of_this_test")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE tock_app_of_this_test")
    try:
        with pytest.raises(CannotDo, match=r"permission denied for table games_archivedrecord \(run it as the owner"):
            archived()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
    assert not ArchivedRecord.objects.exists()


def shortened(texts: dict[str, bytes]) -> str:
    name = max(name for name in texts if name.endswith(".jsonl"))
    texts[name] = b"".join(texts[name].splitlines(keepends=True)[:-1])
    return "the digest is not the manifest's"


def resealed(texts: dict[str, bytes]) -> str:
    """Let the manifest describe a record in which a time was changed."""
    told = json.loads(texts[records.MANIFEST])
    name = f"{told['games'][0]['game']}.jsonl"
    lines = [json.loads(line) for line in texts[name].splitlines()]
    lines[3]["at"] += 1
    texts[name] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    told["games"][0]["sha256"] = hashlib.sha256(texts[name]).hexdigest()
    texts[records.MANIFEST] = json.dumps(told).encode()
    return "the chain does not seal these rows"


def another_game(texts: dict[str, bytes]) -> str:
    texts["abc.jsonl"] = b"{}"
    return "does not hold the games that its manifest lists"


def another_format(texts: dict[str, bytes]) -> str:
    texts[records.MANIFEST] = texts[records.MANIFEST].replace(b"tock-records/1", b"tock-records/9")
    return "is no whole file of records"


@pytest.mark.parametrize("alter", [shortened, resealed, another_game, another_format])
def test_an_altered_file_is_refused(old: list[Game], tmp_path: Path, alter: Callable[[dict[str, bytes]], str]) -> None:
    path = records.write(tmp_path, 202609, old)
    with zipfile.ZipFile(path) as file:
        texts = {name: file.read(name) for name in file.namelist()}
    said = alter(texts)
    with zipfile.ZipFile(path, "w") as file:
        for name, text in texts.items():
            file.writestr(name, text)
    with pytest.raises(CannotDo, match=said):
        records.check(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--before", "2026-13"], "2026-13 is no month; write it as 2025-01."),
        (["--before", "2026-10", "--to", "/nowhere/at/all"], "There is no folder /nowhere/at/all."),
        (["--restore", "2020-01"], "The archive holds no record of 2020-01."),
        (["--check", "/nowhere.zip"], "There is no file /nowhere.zip."),
        (["--check", __file__], "is no whole file of records"),
    ],
)
def test_the_command_says_what_is_wrong(site: None, words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("archive_events", *words)


def test_a_dry_run_changes_nothing(old: list[Game], capsys: pytest.CaptureFixture[str]) -> None:
    call_command("archive_events", "--before", "2026-10", "--dry-run")
    assert "2026-09: 3 games could be archived" in capsys.readouterr().out
    assert list(audit.of_game(old[0])) == []
    assert len(rows(old[0])) == old[0].last_seq
