"""Every changed, dropped, swapped or inserted entry is found and named, in the database and in an export."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from tock_league.common.transactions import writing
from tock_league.journal import chain, verifier
from tock_league.journal.models import JournalEntry, JournalStream, PrivateText
from tock_league.journal.selectors import entries as selectors
from tock_league.journal.selectors.verification import names, verify
from tock_league.journal.services import record
from tock_league.journal.store import triggers

pytestmark = pytest.mark.django_db
TABLE = JournalEntry._meta.db_table
STREAM = "open"
ENTRIES = 12


@pytest.fixture
def written() -> None:
    """Write a journal of two streams, with personal texts."""
    with writing():
        for number in range(ENTRIES):
            private = {"text": f"Il a parlé. {number}"} if number % 3 == 0 else {}
            record(STREAM, "case.filed", body={"number": number, "nom": "Hélène"}, actor="player:ab", private=private)
        record("second", "round.published", body={"round": 1})


@pytest.fixture
def unlocked(written: None) -> Iterator[None]:
    """Drop the triggers with the rights of the database's owner; they are restored at the end of the test."""
    with transaction.atomic(), connection.cursor() as cursor:
        for name in triggers.names(TABLE, connection.vendor, chained=True):
            cursor.execute(f'DROP TRIGGER "{name}"' + ("" if connection.vendor == "sqlite" else f" ON {TABLE}"))
        yield
        transaction.set_rollback(True)


def entry(seq: int) -> JournalEntry:
    return JournalEntry.objects.get(stream=STREAM, seq=seq)


def rows() -> Any:
    return JournalEntry.objects.filter(stream=STREAM)


def drop(**which: int) -> None:
    """Drop entries, and nothing that refers to them."""
    rows().filter(**which)._raw_delete("default")


def flipped(data: bytes, place: int, bit: int = 1) -> bytes:
    """Return `data` with one bit of one byte flipped."""
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def swap(one: int, other: int) -> None:
    bodies = [bytes(entry(seq).body) for seq in (one, other)]
    rows().filter(seq=one).update(body=bodies[1])
    rows().filter(seq=other).update(body=bodies[0])


def swap_numbers(one: int, other: int) -> None:
    rows().filter(seq=one).update(seq=999)
    rows().filter(seq=other).update(seq=one)
    rows().filter(seq=999).update(seq=other)


def forge_one(seq: int) -> None:
    """Change an entry and give it the correct hash."""
    row = entry(seq)
    body = chain.canonical(json.loads(bytes(row.body)) | {"number": 77})
    rows().filter(seq=seq).update(body=body, hash=chain.next_hash(row.prev_hash, body))


def renumber_after(seq: int) -> None:
    """Close the gap in the numbers that a dropped entry leaves."""
    drop(seq=seq)
    for row in rows().filter(seq__gt=seq).order_by("seq"):
        rows().filter(pk=row.pk).update(seq=row.seq - 1)


def forge_from(seq: int) -> None:
    """Change an entry and compute the links of all later ones again."""
    last = entry(seq).prev_hash
    for row in rows().filter(seq__gte=seq).order_by("seq"):
        told = json.loads(bytes(row.body)) | ({"number": 77} if row.seq == seq else {})
        body, before = chain.canonical(told), last
        last = chain.next_hash(before, body)
        rows().filter(pk=row.pk).update(body=body, prev_hash=before, hash=last)


def insert_copy_of(seq: int) -> None:
    row = entry(seq)
    for later in rows().filter(seq__gt=seq).order_by("-seq"):
        rows().filter(pk=later.pk).update(seq=later.seq + 1)
    body, hash = bytes(row.body), chain.next_hash(row.hash, bytes(row.body))
    JournalEntry.objects.create(stream=STREAM, seq=seq + 1, body=body, prev_hash=row.hash, hash=hash)


def append_unknown() -> None:
    last = entry(ENTRIES)
    body = chain.canonical(json.loads(bytes(last.body)) | {"seq": ENTRIES + 1})
    hash = chain.next_hash(last.hash, body)
    JournalEntry.objects.create(stream=STREAM, seq=ENTRIES + 1, body=body, prev_hash=last.hash, hash=hash)


DAMAGE: dict[str, tuple[Callable[[], Any], int]] = {
    "the first is dropped": (lambda: drop(seq=1), 1),
    "one is dropped": (lambda: drop(seq=5), 5),
    "one is dropped and the gap closed": (lambda: renumber_after(5), 5),
    "the last is dropped": (lambda: drop(seq=ENTRIES), ENTRIES),
    "the last three are dropped": (lambda: drop(seq__gt=ENTRIES - 3), ENTRIES - 2),
    "two texts are swapped": (lambda: swap(4, 9), 4),
    "two numbers are swapped": (lambda: swap_numbers(6, 7), 6),
    "one is written twice": (lambda: insert_copy_of(3), 4),
    "one is appended past the writer": (append_unknown, ENTRIES + 1),
    "one is changed with its hash": (lambda: forge_one(7), 8),
    "the last is changed with its hash": (lambda: forge_one(ENTRIES), ENTRIES),
    "everything from one on is forged": (lambda: forge_from(10), ENTRIES),
    "a hash is changed": (lambda: rows().filter(seq=2).update(hash="0" * 64), 2),
    "a link is changed": (lambda: rows().filter(seq=2).update(prev_hash="0" * 64), 2),
    "all are gone": (lambda: drop(seq__gt=0), 1),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_found_and_named(unlocked: None, name: str) -> None:
    damage, seq = DAMAGE[name]
    damage()
    verdict = verify(STREAM)
    assert verdict.fault is not None
    assert (verdict.fault.stream, verdict.fault.seq) == (STREAM, seq)
    with pytest.raises(CommandError, match=rf"^{STREAM}, entry {seq}: "):
        call_command("verify_journal")
    assert verify("second").fault is None


def test_any_single_byte_changed_is_found_and_its_entry_named(unlocked: None) -> None:
    row = entry(6)
    body = bytes(row.body)
    for place in range(len(body)):
        for changed in (flipped(body, place), body[:place] + body[place + 1 :], body[:place] + b" " + body[place:]):
            rows().filter(seq=6).update(body=changed)
            verdict = verify(STREAM)
            assert verdict.fault is not None, (place, changed)
            assert (verdict.fault.seq, verdict.entries) == (6, 5)
    rows().filter(seq=6).update(body=body)
    assert verify(STREAM).fault is None


def test_a_personal_text_that_was_changed_is_found_and_one_that_was_erased_is_not_missed(written: None) -> None:
    PrivateText.objects.filter(entry__seq=4).update(text="Il a chanté.")
    fault = verify(STREAM).fault
    assert fault is not None
    assert (fault.seq, "text" in fault.reason) == (4, True)
    PrivateText.objects.filter(entry__seq=4).delete()
    assert verify(STREAM).fault is None


def test_the_command_counts_the_valid_entries(written: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_journal")
    assert capsys.readouterr().out == f"good: {ENTRIES + 1} entries in 2 streams\n"
    call_command("verify_journal", stream="second")
    assert capsys.readouterr().out == "good: 1 entries in 1 streams\n"
    with pytest.raises(CommandError, match="no such stream"):
        call_command("verify_journal", stream="nowhere")


def test_the_command_says_that_the_triggers_are_gone(unlocked: None) -> None:
    with pytest.raises(CommandError, match=f"the trigger {TABLE}_"):
        call_command("verify_journal")


def test_a_database_without_a_journal_is_said_in_a_sentence(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {TABLE} RENAME TO elsewhere")
    with pytest.raises(CommandError, match="no journal can be read here"):
        call_command("verify_journal")


def test_a_stream_whose_end_alone_is_left_is_still_asked_about(written: None) -> None:
    JournalStream.objects.create(name="vanished", length=3, hash="0" * 64)
    assert names() == [STREAM, "second", "vanished"]
    fault = verify("vanished").fault
    assert fault is not None
    assert fault.seq == 1


# --- the export and the one-file verifier ------------------------------------------------------------------------------


def good(lines: list[bytes], known_hash: str = "") -> bool:
    try:
        verifier.verify(lines, known_hash)
    except verifier.Bad:
        return False
    return True


def first_bad(lines: list[bytes]) -> str:
    with pytest.raises(verifier.Bad) as caught:
        verifier.verify(lines)
    return str(caught.value)


@pytest.fixture
def exported(written: None) -> list[bytes]:
    """Give the lines of the export of STREAM."""
    return selectors.export(STREAM).splitlines(keepends=True)


def test_an_export_holds_every_entry_and_no_personal_text(exported: list[bytes]) -> None:
    last = JournalStream.objects.get(name=STREAM).hash
    assert verifier.verify(exported) == (STREAM, ENTRIES, last)
    assert "parl" not in b"".join(exported).decode()


def test_any_single_byte_of_an_export_changed_is_found(exported: list[bytes]) -> None:
    short = selectors.export("second")
    assert good(short.splitlines(keepends=True))
    for place in range(len(short)):
        for bit in (1, 4, 32, 128):
            assert not good(flipped(short, place, bit).splitlines(keepends=True)), (place, bit)
        assert not good((short[:place] + short[place + 1 :]).splitlines(keepends=True)), place
        assert not good((short[:place] + b" " + short[place:]).splitlines(keepends=True)), place


@settings(max_examples=300)
@given(place=st.integers(0, 10**6), byte=st.integers(0, 255))
def test_a_byte_changed_anywhere_in_a_long_export_is_found(place: int, byte: int) -> None:
    place %= len(LONG)
    changed = LONG[:place] + bytes([byte]) + LONG[place + 1 :]
    assert good(changed.splitlines(keepends=True)) == (changed == LONG)


def long_export() -> bytes:
    """Return an export made without a database: 40 entries."""
    stream, last, lines = "competition:demo", chain.first_hash("competition:demo"), []
    for seq in range(1, 41):
        told = {
            "actor": "u7",
            "at": "2026-05-01T18:00:00.000Z",
            "kind": "x.done",
            "seq": seq,
            "stream": stream,
            "é": "ü",
        }
        body, before = chain.canonical(told), last
        last = chain.next_hash(before, body)
        lines.append(chain.canonical({"body": body.decode(), "hash": last, "prev_hash": before, "seq": seq}))
    head = chain.canonical({"entries": 40, "format": "tock-journal-v1", "hash": last, "stream": stream})
    return b"\n".join([head, *lines]) + b"\n"


LONG = long_export()


def test_entries_dropped_swapped_and_inserted_are_named(exported: list[bytes]) -> None:
    for seq in range(1, ENTRIES + 1):
        assert first_bad(exported[:seq] + exported[seq + 1 :]).startswith(f"{STREAM}, entry {seq}:")
        assert first_bad(exported[: seq + 1] + exported[seq:]).startswith(f"{STREAM}, entry {seq + 1}:")
    for seq in range(1, ENTRIES):
        swapped = [*exported[:seq], exported[seq + 1], exported[seq], *exported[seq + 2 :]]
        assert first_bad(swapped).startswith(f"{STREAM}, entry {seq}:")
    assert first_bad([]).startswith("the first line")
    assert first_bad(exported[:1]).startswith(f"{STREAM}, entry 1:")


def test_a_file_forged_from_its_middle_on_does_not_hold_the_hash_that_was_published(exported: list[bytes]) -> None:
    published = JournalStream.objects.get(name=STREAM).hash
    older = json.loads(exported[3])["hash"]
    assert good(exported, published)
    assert good(exported, older)
    last, lines = json.loads(exported[4])["prev_hash"], exported[1:4]
    for line in exported[4:]:
        told = json.loads(line)
        body = chain.canonical(json.loads(told["body"]) | {"number": 5}).decode()
        told |= {"body": body, "prev_hash": last}
        told["hash"] = last = chain.next_hash(last, body.encode())
        lines.append(chain.canonical(told) + b"\n")
    head = chain.canonical(json.loads(exported[0]) | {"hash": last}) + b"\n"
    assert good([head, *lines])
    assert not good([head, *lines], published)


@pytest.mark.parametrize(
    "line", [b"", b"\n", b"[]\n", b"{}\n", b"null\n", b"NaN\n", b"\xff\n", b"[" * 9999 + b"\n", b'{"a":1e5}\n']
)
def test_a_line_that_is_not_of_a_journal_is_refused(exported: list[bytes], line: bytes) -> None:
    assert not good([line, *exported[1:]])
    assert first_bad([exported[0], line, *exported[2:]]).startswith(f"{STREAM}, entry 1:")


def test_the_verifier_is_one_file_that_runs_anywhere(written: None, client: Client, tmp_path: Path) -> None:
    program, file = tmp_path / "v.py", tmp_path / "open.jsonl"
    program.write_bytes(client.get("/journal/verifier.py").content)
    file.write_bytes(client.get("/journal/open/export/").content)

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-I", "-S", str(program), str(file), *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert done.stderr == ""
        return done.returncode, done.stdout

    last = JournalStream.objects.get(name=STREAM).hash
    assert run() == (0, f"good  open: {ENTRIES} entries, last hash {last}\n")
    assert run("--hash", "0" * 64)[0] == 1
    file.write_bytes(
        file.read_bytes().replace(b"case.filed", b"case.filex", 4).replace(b"case.filex", b"case.filed", 3)
    )
    code, told = run()
    assert (code, told.startswith("BAD  open, entry 4: ")) == (1, True)


def test_the_database_and_the_file_are_read_alike() -> None:
    """The verifier shares no code with the site; both accept the same reference chain."""
    lines = LONG.splitlines(keepends=True)
    assert verifier.verify(lines)[1] == 40
    assert verifier.FORMAT.encode() + b"|" == chain.STREAM_PREFIX


@pytest.mark.parametrize("count", [20_000])
def test_a_long_journal_is_verified_quickly(count: int) -> None:
    """The target is a million entries in a minute; this test uses a fiftieth of the entries and a little more than a
    fiftieth of the time."""
    import time

    stream, last, made = "competition:long", chain.first_hash("competition:long"), []
    for seq in range(1, count + 1):
        told = {"actor": "player:ab", "at": "2026-05-01T18:00:00.000Z", "kind": "x.y", "seq": seq, "stream": stream}
        body, before = chain.canonical(told), last
        last = chain.next_hash(before, body)
        made.append(JournalEntry(stream=stream, seq=seq, body=body, prev_hash=before, hash=last))
    JournalEntry.objects.bulk_create(made, batch_size=2_000)
    JournalStream.objects.create(name=stream, length=count, hash=last)
    since = time.process_time()
    assert verify(stream).entries == count
    assert time.process_time() - since < 5
