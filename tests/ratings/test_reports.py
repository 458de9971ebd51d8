"""Tests of the stored reports: made once, demanded of new parameters, shown to everybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from ratings import services, tasks
from ratings.core.evaluation.run import Named, evaluate
from ratings.models import EvaluationReport, Ladder, RatedResult, RatingChange
from ratings.selectors import log, reports
from ratings.services import reports as due
from ratings.services.ladders import params_in_force
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.journal.models import JournalEntry, PrivateText

from .announced import Finished, evening

pytestmark = pytest.mark.both_databases
LADDER = "shawinigan:2"
PAGE = "/leaderboards/method/report/"


@pytest.fixture
def played(at: clock.Frozen, people: list[Player], finished: Finished, settled: Any) -> Ladder:
    """Twelve games, one of them corrected by a ruling."""
    for number in range(12):
        evening(at)
        finished(people[number % 4 : number % 4 + 2], people[8:10])
    settled()
    ladder = Ladder.objects.get(key=LADDER)
    services.revise(ladder=ladder, source="3", ranks=[1, 0], reason="ruling", ruling="000098")
    settled()
    services.rebuild(ladder_key=LADDER, cause="test")
    return Ladder.objects.get(key=LADDER)


def test_a_report_predicts_the_games_as_the_live_path_did(played: Ladder) -> None:
    report = services.make_report(ladder=played)
    figures = report.figures["log"]
    assert (report.games, figures["games"], figures["in_force"]) == (12, 12, None)
    live = RatingChange.objects.filter(generation=played.generation, subject__kind="team").order_by("completed_at")
    assert live.count() == 24

    class Live:
        names = ("live",)

        def play(self, entry: Any) -> list[list[float]]:
            keys = ["-".join(map(str, sorted(side))) for side in entry.sides]
            return [[live.get(source=entry.source, subject__key=key).chance for key in keys]]

        def other(self, entry: Any) -> None:
            pass

    measured = evaluate(log.entries(played), [Live()])["live"]
    (own,) = [method for method in figures["methods"] if method["name"] == "seeded"]
    assert own["loss"] == measured.mean_loss
    assert Named("x", Live()).names == ("x",)


def test_a_report_is_made_once_from_the_same_things(
    played: Ladder, people: list[Player], finished: Finished, settled: Any, at: clock.Frozen
) -> None:
    first = services.make_report(ladder=played)
    assert services.make_report(ladder=played).pk == first.pk
    assert services.make_report(ladder=played, values={"tau": 0.2}).pk != first.pk
    evening(at)
    finished(people[0:2], people[2:4])
    settled()
    assert services.make_report(ladder=played).made_from != first.made_from
    assert EvaluationReport.objects.count() == 3
    with pytest.raises(DatabaseError), transaction.atomic():
        EvaluationReport.objects.filter(pk=first.pk).update(games=1)


def test_what_cannot_be_evaluated_is_refused(played: Ladder) -> None:
    with pytest.raises(ValueError, match="gamma: no such parameter"):
        services.make_report(ladder=played, values={"gamma": 1.0})
    with pytest.raises(ValueError, match="engine: other 1 is not known"):
        services.make_report(ladder=played, values={"engine": "other"})
    with pytest.raises(ValueError, match="ladder: name a ladder, or simulate"):
        services.make_report(ladder=None)
    with pytest.raises(ValueError, match="tau"):
        services.make_report(ladder=played, values={"tau": float("nan")})
    assert not EvaluationReport.objects.exists()


def test_new_parameters_need_a_report_of_just_these_values(played: Ladder) -> None:
    old = services.make_report(ladder=played)
    for report in (None, old):
        with pytest.raises(Refused) as refused:
            services.new_params(values={"tau": 0.2}, reason="Mieux.", report=report)
        assert (refused.value.code, refused.value.field) == ("report", "report")
    report = services.make_report(ladder=played, values={"tau": 0.2})
    assert report.figures["log"]["in_force"] == next(
        method["loss"] for method in old.figures["log"]["methods"] if method["name"] == "seeded"
    )
    params = services.new_params(values={"tau": 0.2}, reason="Mieux.", report=report)
    assert (params.version, params.report, params.values["tau"]) == (2, report, 0.2)
    entry = JournalEntry.objects.filter(stream="open").order_by("seq").last()
    assert entry is not None
    body = json.loads(bytes(entry.body))
    assert body["kind"] == "rating_params.changed"
    assert (body["version"], body["report"], body["made_from"]) == (2, report.pk, report.made_from)
    assert PrivateText.objects.get(entry=entry).text == "Mieux."


def test_the_commands_print_write_and_put_into_force(played: Ladder, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "report.json"
    call_command("rating_report", ladder=LADDER, set=["tau=0.2"], no_sweep=True, json=str(file))
    made = json.loads(file.read_text())
    assert (made["games"], made["parameters"]["tau"], made["leagues"]) == (12, 0.2, [])
    out = capsys.readouterr().out
    assert "seeded" in out
    assert "too few games" in out
    call_command("rating_params", report=made["report"], reason="Mieux.")
    assert params_in_force().version == 2
    assert Ladder.objects.get(key=LADDER).params.version == 2
    stored, replayed = services.verify(ladder_key=LADDER)
    assert stored == replayed
    for wrong in ({"ladder": "tock:9"}, {"ladder": LADDER, "set": ["tau"]}, {}, {"ladder": LADDER, "engine": "other"}):
        with pytest.raises(CommandError):
            call_command("rating_report", **wrong)
    with pytest.raises(CommandError, match="no report 999"):
        call_command("rating_params", report=999, reason="x")


@pytest.mark.parametrize("language", ["fr", "en", "es"])
def test_the_page_shows_the_newest_report_and_says_that_games_are_few(
    played: Ladder, client: Client, language: str
) -> None:
    client.cookies["django_language"] = language
    empty = client.get(PAGE).content.decode()
    assert '<svg class="chart"' not in empty
    services.make_report(ladder=played, values={"tau": 0.2})  # not of the parameters in use
    assert '<svg class="chart"' not in client.get(PAGE).content.decode()
    report = services.make_report(ladder=played, simulate=language == "en", league_games=60)
    text = client.get(PAGE).content.decode()
    assert text.count('<svg class="chart"') == 1
    (shown,) = reports.shown()
    assert shown.report == report
    assert shown.figures is not None
    assert shown.figures.few
    for method in shown.figures.methods:
        assert method.loss in text
    if language == "en":
        assert "Too few games to judge" in text
        assert "Four pairs lose on purpose until the middle" in text
    found = client.get(f"{PAGE}{report.pk}.json").json()
    assert found["made_from"] == report.made_from
    assert len(found["leagues"]) == (7 if language == "en" else 0)
    assert client.get(f"{PAGE}99999.json").status_code == 404


def test_a_merged_and_a_voided_game_are_read_as_the_fold_reads_them(played: Ladder) -> None:
    from ratings.core import recompute
    from ratings.selectors.log import entry_of

    services.revise(ladder=played, source="5", kind=RatedResult.Kind.VOID, rated=False, reason="voided")
    services.rebuild(ladder_key=LADDER, cause="test")
    rows = [entry_of(row) for row in RatedResult.objects.filter(ladder=played)]
    assert list(log.entries(played)) == recompute.entries_in_force(rows)


def test_the_site_makes_a_report_when_a_ladder_has_grown(
    played: Ladder, people: list[Player], finished: Finished, settled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "LEAST", 13)
    assert due.make_due_reports(simulate=False) == []  # too few games

    def play(games: int) -> None:
        for _ in range(games):
            evening(finished.hand)
            finished(people[0:2], people[8:10])
        settled()

    play(1)
    (first,) = due.make_due_reports(simulate=False)
    assert (first.ladder, first.games, bool(first.figures["log"]["sweeps"])) == (played, 13, True)
    play(2)
    assert due.make_due_reports(simulate=False) == []  # 15 are less than a fifth more
    play(1)
    (second,) = due.make_due_reports(simulate=False)
    assert second.games == 16
    monkeypatch.setattr(due, "MOST", 19)
    play(4)
    assert due.make_due_reports(simulate=False) == []  # left to the command


def test_games_that_count_no_more_make_no_report_due(
    played: Ladder, people: list[Player], settled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "LEAST", 1)
    for source in ("4", "5", "6", "7"):
        services.revise(ladder=played, source=source, kind=RatedResult.Kind.VOID, reason="ruling", ruling="000099")
    settled()
    services.rebuild(ladder_key=LADDER, cause="test")
    clock.pause(1)
    (report,) = due.make_due_reports(simulate=False)
    assert report.games == 8  # of twelve
    assert due.make_due_reports(simulate=False) == []


def test_the_leagues_are_simulated_once_for_each_version(played: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def made(**words: Any) -> EvaluationReport:
        asked.append(words)
        return make(**words, league_games=20, sweep=False)

    make = services.make_report
    monkeypatch.setattr(due, "make_report", made)
    due.make_due_reports()
    due.make_due_reports()
    assert asked == [{"ladder": None, "simulate": True}]


def test_by_day_the_task_waits_until_nobody_plays(at: clock.Frozen, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(services, "make_due_reports", lambda: calls.append(1))
    monkeypatch.setattr(tasks, "is_somebody_playing", lambda: True)
    noon = timezone.localtime(clock.now()).replace(hour=12)
    at.set(noon)
    tasks.rebuild_reports()
    assert calls == []
    at.set(noon.replace(hour=4))
    tasks.rebuild_reports()
    assert calls == [1]
    monkeypatch.setattr(tasks, "is_somebody_playing", lambda: False)
    at.set(noon)
    tasks.rebuild_reports()
    assert calls == [1, 1]
