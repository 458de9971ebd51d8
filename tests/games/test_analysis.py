"""The analysis of a finished game: every choice is judged once, from what its seat knew, and never during the game."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.bots import at_table
from games.fold import Viewer, steps, view
from games.fold.decisions import Decision, decisions
from games.models import Analysis, Game
from games.services import analysis
from games.tasks import analyse
from tests.games.every_table import Shape, open_game, people, play_whole
from tock_league.common import outbox
from tock_league.common.errors import Conflict
from tock_league.common.models import OutboxRow

pytestmark = pytest.mark.django_db
FOUR: Shape = ("shawinigan/1", 4, 2, False)
SIX: Shape = ("tock/1", 6, 3, False)


def finished(shape: Shape = FOUR) -> Game:
    game = open_game(shape, people(shape[1]))
    play_whole(game)
    return Game.objects.select_related("table").get(pk=game.pk)


def address(game: Game) -> str:
    return reverse("games:analysis", args=[game.slug])


@pytest.mark.parametrize("shape", [FOUR, SIX], ids=["four seats", "three teams"])
def test_every_choice_of_a_game_is_judged(shape: Shape) -> None:
    game = finished(shape)
    analysis.ask(game)
    row = OutboxRow.objects.get(task=analysis.TASK)
    analyse(outbox_id=row.pk, game_id=game.pk)
    body = Analysis.objects.get(game=game).body
    chosen = list(decisions(steps(store.opening_of(game), store.load(game.pk))))
    assert [choice["seq"] for choice in body] == [choice.seq for choice in chosen]
    assert [choice["line"] for choice in body] == [choice.line for choice in chosen]
    assert {choice["seat"] for choice in body} == set(range(shape[1]))
    for choice in body:
        assert 0 <= choice["chance"] <= choice["best_chance"] <= 1000
        assert choice["plays"] >= 1
        if choice["line"] == choice["best"]:
            assert choice["chance"] == choice["best_chance"]
    assert any(choice["chance"] < choice["best_chance"] for choice in body)
    assert outbox.is_done(row.pk)


def test_given_cards_are_choices_and_chance_plays_are_not() -> None:
    game = finished()
    chosen = list(decisions(steps(store.opening_of(game), store.load(game.pk))))
    assert [choice.line.split()[0] for choice in chosen[:4]] == ["give"] * 4
    assert not any(choice.line.startswith(("deck", "blind")) for choice in chosen)
    assert sum(choice.line.startswith("give") for choice in chosen) == 4
    assert not any(choice.by_clock for choice in chosen)


def test_a_given_card_is_judged_at_the_row_that_hands_it_over() -> None:
    game = finished()
    rows = {row.seq: row for row in store.load(game.pk)}
    gifts = [
        choice for choice in decisions(steps(store.opening_of(game), rows.values())) if choice.line.startswith("give")
    ]
    assert [(rows[gift.seq].code, rows[gift.seq].body["play"]) for gift in gifts] == [
        ("play", gift.line) for gift in gifts
    ]
    for gift in gifts:
        assert gift.seat == rows[gift.seq].body["seat"]
        assert gift.line in view(gift.before, Viewer(gift.seat))["legal"], "as it stood when the card was laid aside"


def test_a_choice_is_judged_by_what_its_seat_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = finished(), []
    real = at_table.assess

    def listen(view: Any, legal: Any, **more: Any) -> Any:
        seen.append((view, more))
        return real(view, legal, **more)

    monkeypatch.setattr(at_table, "assess", listen)
    judged = analysis.assess(game)
    assert len(seen) == len(judged)
    for choice, (board, more) in zip(judged, seen, strict=True):
        assert "hands" not in board
        assert more["seat"] == choice.seat
        card = choice.line.split()[-1] if choice.line.startswith(("give", "burn")) else choice.line.split()[0]
        assert card in board["hand"] or choice.line == "throw"
        assert len(board["legal"]) == choice.plays


def test_a_touch_does_not_narrow_the_judged_choices(sat_table: Any) -> None:
    narrowed = False
    seat = sat_table.begin()
    while not narrowed:
        whole, line = view(sat_table.state, Viewer(seat))["legal"], sat_table.choose(seat)
        if not line.startswith(("burn", "throw")):
            assert not sat_table.send(seat, "touch", card=line.split()[0]).code
            narrowed = len(view(sat_table.state, Viewer(seat))["legal"]) < len(whole)
        assert not sat_table.send(seat, "play", play=line).code
        game = sat_table.game
        last = list(decisions(steps(store.opening_of(game), store.load(game.pk))))[-1]
        assert last.line == line
        assert view(last.before, Viewer(seat))["legal"] == whole
        seat = min(sat_table.state.to_act)


def test_a_seven_in_another_order_counts_as_the_listed_play() -> None:
    game = finished()
    found = 0
    for choice in decisions(steps(store.opening_of(game), store.load(game.pk))):
        engine, position = choice.before.setup.engine, choice.before.position
        if choice.line.startswith("7") and len(choice.line.split()) == 3:
            card, one, two = choice.line.split()
            other = f"{card} {two} {one}"
            listed = [engine.play_text(play) for play in engine.legal_plays(position)]
            if other not in listed and engine.is_legal(position, engine.parse_play(position, other)):
                turned = type(choice)(choice.seq, choice.seat, other, choice.by_clock, choice.before)
                same = analysis._listed_as(turned, listed)
                assert same in listed
                assert reached(choice, same) == reached(choice, other)
                found += 1
    assert found


def reached(choice: Decision, line: str) -> Any:
    engine, position = choice.before.setup.engine, choice.before.position
    return engine.apply(position, engine.parse_play(position, line, choice.seat), choice.seat)


def test_an_analysis_is_requested_once_and_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished()
    analysis.ask(game)
    analysis.ask(game)
    assert OutboxRow.objects.filter(task=analysis.TASK).count() == 1
    analysis.analyse(game_id=game.pk)
    body = Analysis.objects.get(game=game).body
    monkeypatch.setattr(analysis, "assess", lambda game: pytest.fail("judged again"))
    analysis.analyse(game_id=game.pk)
    analysis.ask(game)
    assert Analysis.objects.get(game=game).body == body
    assert OutboxRow.objects.filter(task=analysis.TASK).count() == 1


def test_an_analysis_that_was_lost_is_requested_again() -> None:
    game = finished()
    analysis.ask(game)
    first = OutboxRow.objects.get(task=analysis.TASK)
    analyse(outbox_id=first.pk, game_id=game.pk)
    body = Analysis.objects.get(game=game).body
    Analysis.objects.all().delete()
    analysis.ask(game)
    again = OutboxRow.objects.filter(task=analysis.TASK).exclude(pk=first.pk).get()
    assert not outbox.is_done(again.pk)
    analyse(outbox_id=again.pk, game_id=game.pk)
    assert Analysis.objects.get(game=game).body == body


def test_a_running_game_is_not_analysed(client: Client) -> None:
    game = open_game(FOUR, people(4))
    play_whole(game, stop=20)
    game = Game.objects.select_related("table").get(pk=game.pk)
    with pytest.raises(Conflict) as refused:
        analysis.ask(game)
    assert refused.value.code == "running"
    answer = client.post(address(game), headers={"accept-language": "en"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "running")
    # A row that was created in another way is not filled either.
    Analysis.objects.create(game=game, by=analysis.BY)
    analysis.analyse(game_id=game.pk)
    assert Analysis.objects.get(game=game).body is None
    assert client.get(address(game)).json() == {"state": "none"}


def test_the_replay_requests_the_analysis_and_reads_it(client: Client) -> None:
    game = finished()
    assert client.get(address(game)).json() == {"state": "none"}
    assert not Analysis.objects.exists()
    assert client.post(address(game)).json() == {"state": "waiting"}
    analysis.analyse(game_id=game.pk)
    found = client.post(address(game)).json()
    assert (found["state"], found["by"]) == ("done", analysis.BY)
    assert len(found["choices"]) == len(Analysis.objects.get(game=game).body)
    assert json.dumps(found)


def test_unknown_games_missing_csrf_tokens_and_floods_are_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get(reverse("games:analysis", args=["nothere0"])).status_code == 404
    game = finished()
    assert client.delete(address(game)).status_code == 405
    guarded = Client(enforce_csrf_checks=True)
    assert guarded.post(address(game)).status_code == 403
    monkeypatch.setattr("games.live.analysis.ASKED", 0)
    assert client.post(address(game)).status_code == 429
    assert not Analysis.objects.exists()
