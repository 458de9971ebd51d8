"""Tests of the pages of one player or pair: score, history, chances, chart."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation

from ratings import selectors, services
from ratings.core.score import points
from ratings.models import Ladder, RatedResult, RatingChange, Subject
from ratings.selectors.chart import POINTS, chart, thinned
from ratings.selectors.profiles import Step
from tests.documents import squeezed
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common import clock

from .board_world import ADDRESS, LADDER, pairs_of


def test_board_profile_and_history_show_the_same_score(season: None, people: list[Player]) -> None:
    for row in selectors.board(LADDER, "player").apart:
        (summary,) = selectors.player_summary(row.players[0].pk)
        assert summary.row.score == row.score
        subject = Subject.objects.get(pk=row.subject_id)
        assert selectors.history(subject, summary.ladder)[-1].after == row.score
        assert [pair.row.score for pair in summary.pairs] == [
            pair.row.score
            for pair in selectors.pair_summary([int(part) for part in _pair_key(row.players[0]).split("-")])
        ]


def test_a_history_names_the_opponents_and_says_why_a_win_can_lower_a_rating(
    season: None, people: list[Player], client: Client
) -> None:
    client.cookies["django_language"] = "en"
    row = selectors.board(LADDER, "team").rows[0]
    steps = selectors.history(Subject.objects.get(pk=row.subject_id), Ladder.objects.get(key=LADDER))
    own = {player.display_name for player in row.players}
    names = {player.display_name for player in people}
    for step in steps:
        others = set(step.opponents.split(" – "))
        assert len(others) == 2
        assert others <= names - own
    last = RatingChange.objects.get(subject=row.subject_id, completed_at=steps[-1].at)
    RatingChange.objects.filter(pk=last.pk).update(won=True, score_before=last.score_after + 3000)
    text = squeezed(client.get(f"{ADDRESS}{row.subject_id}/").content.decode())
    page = selectors.profile_page(LADDER, row.subject_id)
    assert all(f">{side.team.name}</a>" in text for game in page.games for side in game.against if side.team)
    for game, step in zip(page.games, reversed(steps), strict=False):
        (side,) = game.against
        assert " – ".join(player.name for player in side.players) == " – ".join(sorted(step.opponents.split(" – ")))
    assert text.count("Lower although won") == 1
    assert "after a long absence even a win can lower the rating" in text


def _pair_key(player: Player) -> str:
    return Subject.objects.get(kind="team", members=player).key


def test_a_subjects_page_explains_each_change(season: None, client: Client) -> None:
    client.cookies["django_language"] = "en"
    row = selectors.board(LADDER, "team").rows[0]
    text = client.get(f"{ADDRESS}{row.subject_id}/").content.decode()
    change = RatingChange.objects.filter(subject_id=row.subject_id).order_by("-completed_at")[0]
    assert all(f"{points(score):,}" in text for score in (change.score_before, change.score_after))
    assert f"{round(100 * change.chance)}&nbsp;%" in text
    assert '<svg class="chart"' in text
    assert reverse("pages:player", args=[row.players[0].slug]) in text


def test_a_change_by_a_ruling_shows_its_number(season: None, client: Client) -> None:
    row = selectors.board(LADDER, "team").rows[0]
    source = RatingChange.objects.filter(subject_id=row.subject_id).order_by("-completed_at")[0].source
    ladder = Ladder.objects.get(key=LADDER)
    first = RatedResult.objects.get(source=source, revision=1)
    services.revise(ladder=ladder, source=source, ranks=first.ranks[::-1], reason="ruling", ruling="000098")
    services.rebuild(ladder_key=LADDER, cause="ruling 000098")
    text = client.get(f"{ADDRESS}{row.subject_id}/").content.decode()
    assert "000098" in text
    assert 'class="chart-mark"' in text


def test_the_players_card_shows_ladders_pairs_and_gaps(season: None, people: list[Player]) -> None:
    with translation.override("en"):
        summaries = selectors.player_summary(people[0].pk)
        card = render_to_string("ratings/_player_card.html", {"summaries": summaries})
    assert summaries[0].name in card
    assert summaries[0].pairs[0].row.name in card
    assert summaries[0].pairs[0].chemistry is not None
    stranger = create_player(display_name="Inconnue")
    with translation.override("en"):
        empty = render_to_string("ratings/_player_card.html", {"summaries": selectors.player_summary(stranger.pk)})
    assert "No rated game yet." in empty


def test_the_chance_of_a_pairing_depends_on_pairs_players_and_time(season: None, people: list[Player]) -> None:
    a, b = ([p.pk for p in pairs_of(people)[i]] for i in (0, 7))
    chance = selectors.win_chance(LADDER, [a, b])
    back = selectors.win_chance(LADDER, [b, a])
    assert chance.by_team is not None
    assert chance.by_team + back.by_team == pytest.approx(1.0)  # type: ignore[operator]
    assert chance.by_players + back.by_players == pytest.approx(1.0)
    later = selectors.win_chance(LADDER, [a, b], at=clock.now() + timedelta(days=300))
    assert abs(later.by_players - 0.5) < abs(chance.by_players - 0.5)
    assert selectors.win_chance("tock:3", [[1], [2]]).by_players == 0.5
    assert selectors.win_chance("tock:3", [[1], [2]]).by_team is None


def step(i: int, after: int, ruling: str = "") -> Step:
    at = clock.now() + timedelta(days=i)
    return Step(at, after - 1, after, after - 50, after + 50, 50, 0, True, ruling, "")


def test_a_chart_needs_two_games_and_keeps_first_last_extremes_and_rulings() -> None:
    assert chart([step(0, 1000)]) is None
    steps = [step(i, 1000 + i % 7, ruling="000098" if i == 333 else "") for i in range(1000)]
    steps[500] = step(500, 1400)
    steps[501] = step(501, 600)
    kept = thinned(steps)
    assert len(kept) <= POINTS
    assert {0, 333, 500, 501, 999} <= {i for i, _ in kept}
    drawing = chart(steps)
    assert drawing is not None
    assert len(drawing.marks) == 1
    assert (drawing.low, drawing.high) == (550, 1450)
