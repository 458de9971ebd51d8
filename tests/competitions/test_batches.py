"""Games that are settled together: the same rows as one by one, also when one fails, dies or two workers are at it."""

import random
import threading
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.permissions import Person
from games.selectors import games as game_selectors
from games.services import clocks, play
from ratings.models import RatedResult, WaitingResult
from tock_league.common import ids, outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import rolled_back
from tock_league.competitions import tasks
from tock_league.competitions.models import (
    Competition,
    Entry,
    Match,
    MatchGame,
    ResultLine,
    ResultVersion,
    Round,
    Side,
)
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.results import batches, settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.feed.models import FeedEvent
from tock_league.journal.models import JournalEntry
from tock_league.journal.selectors.verification import verify
from tock_league.notices.models import Notice

from .world import FIRST_ROUND, a_league, a_plan, a_tournament, finish_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

# What settling writes, without keys that a sequence has given and times of the row itself.
WRITTEN: dict[type[Model], tuple[str, ...]] = {
    MatchGame: ("match__slug", "number", "game", "record_hash"),
    ResultVersion: ("match__slug", "version", "game_number", "fact", "source", "recorded_at", "prev_hash", "hash"),
    ResultLine: ("result__hash", "position", "outcome", "place", "margin"),
    Match: ("slug", "state", "decided_at", "starts_at", "table_no", "table__state", "round__number", "number"),
    Round: ("group", "number", "state"),
    Side: ("round__number", "match__number", "position", "entry", "kind"),
    Entry: ("slug", "state", "final_rank"),
    Competition: ("slug", "state"),
    JournalEntry: ("stream", "seq", "prev_hash"),
    FeedEvent: ("competition", "kind", "subject", "at"),
    RatedResult: ("source", "revision", "kind", "ranks", "rated", "reason"),
    WaitingResult: ("ladder", "result__source"),
    OutboxRow: ("task", "done_at"),
    Notice: ("player", "kind"),
}


def written() -> dict[str, list[Any]]:
    found = {model.__name__: sorted(map(repr, model.objects.values_list(*names))) for model, names in WRITTEN.items()}
    found["in order"] = list(FeedEvent.objects.order_by("pk").values_list("kind", flat=True))
    return found


def promises() -> list[OutboxRow]:
    return outbox.waiting(batches.SETTLE_TASK)


def keep(rows: list[OutboxRow]) -> None:
    for row in rows:
        tasks.settle_game(outbox_id=row.pk, **row.body)


def ended(matches: list[Match]) -> None:
    """Open the tables of the matches and let their games end."""
    for place, match in enumerate(matches):
        publishing.open_table(match_id=match.pk, early=True)
        finish_game(match, winner=place % 2)


@pytest.fixture
def rounds(hand):
    """A league of six pairs, the games of its first two rounds over and not settled."""
    league = a_league(6)
    hand.set(FIRST_ROUND)
    ended(list(league.matches.filter(round__number__lte=2).order_by("round__number", "number")))
    return league


def settled_both_ways(competition: Competition) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Return what is written one by one and together, and how many games shared a transaction at most.

    Both ways choose the same new addresses.
    """
    rows, shared, real = promises(), [], batches._settle

    def settle(plain):
        shared.append(len(plain))
        real(plain)

    def counted(work) -> dict[str, Any]:
        with mock.patch.object(ids, "secrets", random.Random(3)):
            work()
        return written() | {"table": table(competition)}

    with rolled_back():
        alone = counted(lambda: [settlement.settle(game_id=row.body["game_id"], outbox_id=row.pk) for row in rows])
    with mock.patch.object(batches, "_settle", settle):
        together = counted(lambda: keep(rows))
    return alone, together, max(shared, default=0)


def table(competition: Competition) -> list[Any]:
    competition = Competition.objects.get(pk=competition.pk)
    return [repr((line.row, line.points, line.margin)) for line in standings.table(competition)]


def test_games_of_a_league_are_settled_together_as_one_by_one(rounds):
    alone, together, most = settled_both_ways(rounds)
    assert most == 6
    assert together == alone
    assert set(rounds.matches.filter(round__number__lte=2).values_list("state", flat=True)) == {"confirmed"}
    assert set(Round.objects.filter(number__lte=2).values_list("state", flat=True)) == {"done"}
    assert not promises()
    assert verify(f"competition:{rounds.slug}").fault is None


def test_games_of_matches_of_three_are_settled_one_a_match(hand):
    league = a_league(2, best_of=3)
    hand.set(FIRST_ROUND)
    match = league.matches.order_by("round__number").first()
    publishing.open_table(match_id=match.pk, early=True)
    finish_game(match, winner=0)
    finish_game(match, winner=0)
    alone, together, most = settled_both_ways(league)
    assert most == 1
    assert together == alone
    assert ResultVersion.objects.filter(match=match).count() == 2


def test_the_last_results_of_a_swiss_round_pair_the_next_one_as_one_by_one(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2), on_paper=False)
    hand.advance(hours=2)
    ended(list(cup.matches.order_by("number")))
    alone, together, most = settled_both_ways(cup)
    assert most == 2
    assert together == alone
    assert Round.objects.filter(number=2, state="open").count() == 1


def test_a_side_that_did_not_come_is_settled_together_with_the_others(hand):
    league = a_league(4)
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    first, second = league.matches.filter(round__number=1).order_by("number")
    finish_game(first, winner=1)
    game = Game.objects.get(table__match=second)
    for seating in game.table.seatings.filter(seat__in=[0, 2]):
        command = {"command_id": f"r{seating.seat}", "turn": "0.0", "kind": "ready", "args": {}}
        play.submit(game_id=game.pk, seat=seating.seat, by=Person(player_id=seating.player_id), **command)
    hand.advance(minutes=11)
    clocks.claim_due()
    alone, together, most = settled_both_ways(league)
    assert most == 2
    assert together == alone
    assert Match.objects.get(pk=second.pk).state == "awarded"


def test_the_games_of_a_bracket_are_settled_alone(hand):
    cup = a_tournament(4, on_paper=False)
    hand.advance(hours=2)
    ended(list(cup.matches.filter(round__number=1).order_by("number")))
    alone, together, most = settled_both_ways(cup)
    assert most == 0
    assert together == alone


def test_more_games_need_hardly_more_statements(hand):
    league = a_league(6)
    hand.set(FIRST_ROUND)
    matches = list(league.matches.filter(round__number__lte=2).order_by("round__number", "number"))
    counts = []
    for some in (matches[:1], matches[1:]):
        ended(some)
        rows = promises()
        with CaptureQueriesContext(connection) as captured:
            tasks.settle_game(outbox_id=rows[0].pk, **rows[0].body)
        counts.append(len(captured))
        assert not promises()
    few, many = counts
    assert many - few <= 6, counts  # four games more, and the round that is done with them
    assert few <= 45, counts


def test_a_game_that_cannot_be_settled_costs_the_others_only_time(rounds, hand, monkeypatch, caplog):
    rows = promises()
    bad = rows[2].body["game_id"]
    real = game_selectors.certificate_of_record

    def certified(game):
        if game.pk == bad:
            raise RuntimeError("no such record")
        return real(game)

    monkeypatch.setattr(batches, "certificate_of_record", certified)
    monkeypatch.setattr(settlement, "certificate", lambda pk: certified(game_selectors.game_by_id(pk)))
    tasks.settle_game(outbox_id=rows[0].pk, **rows[0].body)
    assert [row.body["game_id"] for row in promises()] == [bad]
    assert not MatchGame.objects.filter(game=bad).exists()
    assert "cannot be settled" in caplog.text
    # It has failed in company, fails there once more, and then is left to its own task.
    for number in (3, 4):
        ended(list(rounds.matches.filter(round__number=number).order_by("number"))[:2])
        row = promises()[-1]
        tasks.settle_game(outbox_id=row.pk, **row.body)
        assert [row.body["game_id"] for row in promises()] == [bad]
    assert OutboxRow.objects.get(pk=rows[2].pk).attempts == outbox.FRESH + 1
    assert caplog.text.count("are settled one by one") == 2
    with pytest.raises(RuntimeError):
        tasks.settle_game(outbox_id=rows[2].pk, **rows[2].body)
    monkeypatch.undo()
    tasks.settle_game(outbox_id=rows[2].pk, **rows[2].body)
    assert not promises()
    assert verify(f"competition:{rounds.slug}").fault is None


def test_a_worker_that_dies_in_the_middle_leaves_nothing_half_written(rounds, hand, monkeypatch):
    rows, before = promises(), written()

    def killed(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(batches, "propagate_all", killed)
        with pytest.raises(KeyboardInterrupt):
            tasks.settle_game(outbox_id=rows[0].pk, **rows[0].body)
    assert written() == before
    hand.advance(seconds=11)
    assert outbox.sweep() >= len(rows)
    keep(rows)
    assert not promises()
    assert ResultVersion.objects.count() == 6


@pytest.mark.django_db(transaction=True)
def test_two_workers_settle_every_game_once(hand):
    league = a_league(6)
    hand.set(FIRST_ROUND)
    ended(list(league.matches.filter(round__number=1).order_by("number")))
    rows = promises()
    start, failures = threading.Barrier(2), []

    def work(mine):
        try:
            start.wait(timeout=20)
            keep(mine)
        except Exception as error:  # pragma: no cover - the assertion below tells
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(mine,)) for mine in (rows, rows[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert sorted(ResultVersion.objects.values_list("match__number", "version")) == [(1, 1), (2, 1), (3, 1)]
    assert FeedEvent.objects.filter(kind="result.confirmed").count() == 3
    assert not promises()
    assert verify(f"competition:{league.slug}").fault is None
