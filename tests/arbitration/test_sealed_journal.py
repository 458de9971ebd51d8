"""The public journal shows nothing of a case before its ruling is public, and the chain still verifies."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from tock_league.arbitration.services.cases import disputes
from tock_league.journal import verifier
from tock_league.journal.selectors import entries
from tock_league.journal.services import stream_of

from .world import World, fresh


def exported(world: World) -> bytes:
    return entries.export(stream_of(world.competition.slug))


def checked(export: bytes, known: str = "") -> tuple[str, int, str]:
    return verifier.verify(export.splitlines(keepends=True), known)


def test_the_journal_shows_only_the_hash_of_an_undecided_case(world: World, client: Client) -> None:
    case = world.heard(world.dispute(kind="conduct"))
    name = stream_of(world.competition.slug)
    page = client.get(f"/journal/{name}/", headers={"accept-language": "en"}).content.decode()
    export = exported(world)
    for told in (page, export.decode()):
        assert case.number not in told
        assert "conduct" not in told
        assert "case.filed" not in told
        assert "case.answered" not in told
    assert case.events.get(type="filed").entry.hash in page
    assert page.count("Sealed until a ruling is public") == 2
    sealed = [entry for entry in entries.entries_for(name) if entry.sealed]
    assert [(entry.kind, entry.about, entry.details, entry.at) for entry in sealed] == [("sealed", (), (), None)] * 2
    assert case.opened_by is not None
    assert all(entry.actor.slug == "" for entry in sealed)


def test_a_sealed_export_verifies_and_has_the_hashes_of_the_later_one(world: World) -> None:
    case = world.heard(world.dispute())
    before = exported(world)
    stream, length, last = checked(before)
    world.rule(world.taken(case), world.against(case))
    after = exported(world)
    assert case.number in after.decode()
    assert checked(after, last)[0] == stream
    hashes = [json.loads(line)["hash"] for line in after.splitlines()[1 : length + 1]]
    assert [json.loads(line)["hash"] for line in before.splitlines()[1:]] == hashes


def test_the_verifier_counts_sealed_entries_and_finds_a_changed_one(world: World, tmp_path: Path) -> None:
    world.dispute()
    export = exported(world)
    file = tmp_path / "journal.jsonl"
    file.write_bytes(export)
    told = subprocess.run([sys.executable, verifier.__file__, file], capture_output=True, text=True, check=True)
    assert ", 1 of them sealed," in told.stdout
    changed = export.splitlines(keepends=True)
    at = next(n for n, line in enumerate(changed) if b'"sealed":true' in line)
    known = json.loads(changed[at])["hash"]
    changed[at] = changed[at].replace(known.encode(), b"0" * 64)
    with pytest.raises(verifier.Bad):
        verifier.verify(changed, json.loads(export.splitlines()[0])["hash"] if at + 1 < len(changed) else known)


def test_a_case_taken_back_or_not_admitted_stays_sealed(world: World) -> None:
    case = world.dispute()
    disputes.withdraw_case(by=case.opened_by, case=case)
    assert fresh(case).state == "withdrawn"
    assert case.number not in exported(world).decode()


def test_the_journal_of_a_ruled_case_never_names_the_kind_that_the_filer_chose(world: World) -> None:
    case = world.ruled(kind="conduct")
    told = exported(world).decode()
    assert case.number in told
    assert "conduct" not in told
    assert case.events.get(type="filed").body["about"] == "conduct"
