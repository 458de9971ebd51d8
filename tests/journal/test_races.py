"""Many concurrent writers with their own connections: one chain, no number twice, none missing."""

import pytest

from tests.games.test_races import at_once
from tock_league.common.transactions import writing
from tock_league.journal.models import JournalEntry
from tock_league.journal.selectors.verification import verify
from tock_league.journal.services import record

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
WRITERS, EACH = 5, 6


def test_writers_of_one_new_stream_come_one_after_the_other() -> None:
    def work() -> list[int]:
        seqs = []
        for number in range(EACH):
            with writing():
                seqs.append(record("competition:new", "round.opened", body={"number": number}).seq)
        return seqs

    found = at_once(*[work] * WRITERS)
    assert sorted(seq for seqs in found for seq in seqs) == list(range(1, WRITERS * EACH + 1))
    verdict = verify("competition:new")
    assert (verdict.fault, verdict.entries) == (None, WRITERS * EACH)


def test_a_writer_that_gives_up_leaves_no_gap() -> None:
    def gives_up() -> None:
        with pytest.raises(RuntimeError), writing():
            record("competition:new", "round.opened", body={})
            raise RuntimeError

    def stays() -> None:
        with writing():
            record("competition:new", "round.opened", body={})

    at_once(gives_up, stays, gives_up, stays)
    assert list(JournalEntry.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2]
    assert verify("competition:new").fault is None


def test_a_reader_that_verifies_meanwhile_finds_no_fault() -> None:
    def write() -> None:
        for _ in range(EACH):
            with writing():
                record("open", "role.given", body={})

    def read() -> list[object]:
        return [verify("open").fault for _ in range(10)]

    with writing():
        record("open", "role.given", body={})
    first, second, _done = at_once(read, read, write)
    assert first == second == [None] * 10
