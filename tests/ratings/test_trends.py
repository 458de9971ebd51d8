"""Climbers of a board, badges, files of boards, what a club's figure is made of, and what whoever has no rank reads."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings import selectors, services
from ratings.core.score import points
from ratings.models import Ladder, Rating, RatingChange
from ratings.selectors import games as by_game
from ratings.selectors import trends
from tests.documents import squeezed
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club
from tock_league.common import clock

from .announced import Finished
from .board_world import ADDRESS, LADDER
from .seasons import a_season

ENGLISH = {"accept-language": "en"}


@pytest.fixture
def season(at: clock.Frozen) -> None:
    at.set(a_season(25).ended)


def generation() -> Any:
    return Ladder.objects.select_related("generation").get(key=LADDER).generation


def gains(kind: str) -> dict[int, int]:
    """Return by how many points each ranked row of the board has risen in the last week, from all its changes."""
    week = clock.now() - trends.WEEK
    found = {}
    for rating in Rating.objects.filter(generation=generation(), kind=kind, on_global=True):
        first = RatingChange.objects.filter(
            generation=generation(), subject=rating.subject_id, completed_at__gte=week
        ).order_by("completed_at", "source")[0]
        found[rating.subject_id] = points(rating.score_milli) - points(first.score_before)
    return {subject: gain for subject, gain in found.items() if gain > 0}


def test_climbers_are_those_with_the_largest_gain_in_a_week(season: None) -> None:
    of = generation()
    found = selectors.climbers(of, "team")
    expected = sorted(gains("team").items(), key=lambda pair: (-pair[1], pair[0]))[: trends.SHOWN]
    assert expected
    assert [(row.subject, row.gain) for row in found.rows] == expected
    board = {row.subject_id: row for row in selectors.board(LADDER, "team").rows}
    assert all((board[row.subject].name, board[row.subject].week) == (row.name, row.gain) for row in found.rows)
    with CaptureQueriesContext(connection) as again:
        selectors.climbers(of, "team")
    assert len(again) <= 2


def test_a_busy_ladder_tells_of_fewer_days(season: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trends, "GAMES", 8)
    found = selectors.climbers(generation(), "team")
    assert clock.now() - found.since < trends.WEEK / 3


def test_a_board_names_climbers_and_says_arrows_in_words(season: None, client: Client) -> None:
    text = squeezed(client.get(ADDRESS, headers=ENGLISH).content.decode())
    assert "Climbers" in text
    row = selectors.board(LADDER, "team").rows[0]
    assert row.week is not None
    assert f"{'up' if row.week > 0 else 'down'} {abs(row.week)}" in text
    assert "Climbers" not in client.get(ADDRESS, {"name": "a"}, headers=ENGLISH).content.decode()


def test_a_badge_has_initials_and_no_colour_of_a_seat(people: list[Player]) -> None:
    pair = Template("{% load leaderboard %}{% badge players 28 %}").render(Context({"players": people[:2]}))
    assert pair.count("<circle") == 2
    assert ">M</text>" in pair
    assert ">R</text>" in pair
    alone = Template("{% load leaderboard %}{% badge players 44 %}").render(Context({"players": people[:1]}))
    assert ">MG</text>" in alone
    assert "marble" not in pair + alone


def test_no_board_shows_a_marble_beside_a_name(season: None, client: Client) -> None:
    row = selectors.board(LADDER, "team").rows[0]
    for address in (ADDRESS, ADDRESS + "players/", f"{ADDRESS}{row.subject_id}/", "/embed/boards/shawinigan/2/team/"):
        text = client.get(address).content.decode()
        assert '<svg class="badge' in text
        assert '<svg class="marble-icon' not in text


def test_a_clubs_board_says_how_its_figure_is_computed_and_who_counts(season: None, client: Client) -> None:
    text = squeezed(client.get("/clubs/batiscan/leaderboard/", headers=ENGLISH).content.decode())
    players = selectors.board(LADDER, "player", Club.objects.get()).rows
    counted = min(8, len(players))
    assert text.count("counts for the club") == counted
    figure = selectors.figure_of(selectors.ladder(LADDER), Club.objects.get())
    sums = " + ".join(f"{row.score:,}" for row in players[:counted])
    assert f"({sums}) ÷ {counted} = {figure.score:,}." in text


@pytest.mark.parametrize(
    "address", ["players.csv?club=batiscan", "teams.csv?club=batiscan", "clubs.csv", "clubs.xlsx", "players.csv"]
)
def test_each_board_has_its_file(address: str, season: None, client: Client) -> None:
    answer = client.get(f"/exports/leaderboards/shawinigan/2/{address}", headers=ENGLISH)
    assert answer.status_code == 200
    if address == "clubs.csv":
        figure = selectors.figure_of(selectors.ladder(LADDER), Club.objects.get())
        assert f"1,Batiscan,Batiscan,{figure.score},8,{figure.eligible}" in answer.content.decode()


@pytest.mark.parametrize("club", ["nowhere", "a\0b", "x" * 10_000, "é"])
def test_a_file_of_a_club_that_does_not_exist_is_not_found(club: str, season: None, client: Client) -> None:
    assert client.get("/exports/leaderboards/shawinigan/2/players.csv", {"club": club}).status_code == 404


@pytest.mark.parametrize("key", ["x.y", "1", "before:", "1.2.3", f"{10**30}.1", "nan.1", "1e5.2", "²", "a" * 10_000])
def test_a_page_key_that_was_made_up_is_not_found(key: str, season: None, client: Client) -> None:
    for board in ("", "players/", "clubs/"):
        if board != "clubs/" or key != "1":  # a number of clubs is a key of their board
            assert client.get(ADDRESS + board, {"after": key}).status_code == 404


def test_a_key_of_another_board_gives_rows_of_this_one_or_is_not_found(season: None, client: Client) -> None:
    rows = selectors.board(LADDER, "team").rows
    found = selectors.board(LADDER, "team", after=f"{rows[1].score_milli}.0")
    assert [row.subject_id for row in found.rows] == [row.subject_id for row in rows[1:]]
    for beyond in ("-9000000.1", f"before:{rows[0].score_milli + 1}.1"):
        assert client.get(ADDRESS, {"after": beyond}).status_code == 404


def test_a_long_name_is_cut_and_answers_clearly(season: None, client: Client) -> None:
    text = client.get(ADDRESS, {"name": "é" * 10_000, "club": ""}, headers=ENGLISH).content.decode()
    assert "Nobody called" in text
    assert "é" * 61 not in text


def test_whoever_has_no_rank_after_a_game_reads_what_is_missing(
    at: clock.Frozen, people: list[Player], finished: Finished, settled: Callable[[], services.Rated]
) -> None:
    number = finished(people[:2], people[2:4])
    settled()
    changes = by_game.changes_by(number)
    assert len(changes.players) == 4
    for change in (*changes.players, *changes.teams):
        assert change.rank is None
        assert "7" in change.gap
