"""record(): one chain per stream, in the transaction of the recorded fact."""

import json
from typing import Any

import pytest

from tock_league.common.clock import Frozen
from tock_league.common.errors import Broken
from tock_league.common.transactions import writing
from tock_league.journal import chain
from tock_league.journal.models import JournalEntry, JournalStream, PrivateText
from tock_league.journal.services import record, stream_of

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_each_entry_is_linked_to_the_one_before_it(frozen_clock: Frozen) -> None:
    with writing():
        first = record("open", "role.given", body={"role": "referee", "player": "aa"}, actor="player:bb")
        second = record("open", "role.ended", body={"role": "referee", "player": "aa"})
    assert (first.seq, second.seq) == (1, 2)
    assert first.prev_hash == chain.first_hash("open")
    assert second.prev_hash == first.hash == chain.next_hash(first.prev_hash, bytes(first.body))
    assert json.loads(bytes(first.body)) == {
        "actor": "player:bb",
        "at": "2026-11-19T23:30:00.000Z",
        "kind": "role.given",
        "player": "aa",
        "role": "referee",
        "seq": 1,
        "stream": "open",
    }
    head = JournalStream.objects.get(name="open")
    assert (head.length, head.hash) == (2, second.hash)


def test_streams_are_independent() -> None:
    with writing():
        record(stream_of("spring"), "round.published", body={"round": 1})
        other = record(stream_of("autumn"), "round.published", body={"round": 1})
    assert (other.stream, other.seq) == ("competition:autumn", 1)
    assert other.prev_hash == chain.first_hash("competition:autumn")


@pytest.mark.both_databases
def test_a_personal_text_is_stored_separately_and_can_be_erased() -> None:
    with writing():
        entry = record("open", "case.filed", body={}, private={"text": "Il a parle\u0301."})
    (kept,) = PrivateText.objects.all()
    assert kept.text == "Il a parlé."
    assert "parl" not in bytes(entry.body).decode()
    assert json.loads(bytes(entry.body))["text"] == {"sha256": chain.personal_hash(bytes(kept.salt), kept.text)}
    kept.delete()
    assert JournalEntry.objects.get().hash == chain.next_hash(entry.prev_hash, bytes(entry.body))


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_recorded() -> None:
    with pytest.raises(Broken):
        record("open", "role.given", body={})
    assert not JournalStream.objects.exists()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_fact_is_not_recorded() -> None:
    with pytest.raises(RuntimeError), writing():
        record("open", "role.given", body={})
        raise RuntimeError
    assert not JournalEntry.objects.exists()
    with writing():
        assert record("open", "role.given", body={}).seq == 1


@pytest.mark.parametrize("body", [{"seq": 3}, {"x": 1.5}, {"x": object()}, {"x": 2**60}, {"x": "\ud800"}, {3: "x"}])
def test_a_body_without_canonical_form_is_broken_and_leaves_nothing(body: dict[Any, Any]) -> None:
    with pytest.raises(Broken), writing():
        record("open", "role.given", body=body)
    assert not JournalEntry.objects.exists()


def test_a_field_is_either_public_or_private() -> None:
    with pytest.raises(Broken), writing():
        record("open", "case.filed", body={"text": "a"}, private={"text": "b"})
