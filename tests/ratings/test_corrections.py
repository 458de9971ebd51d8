"""Tests of what boards say about results that were changed after they had been rated."""

import pytest
from django.test import Client

from ratings import selectors, services
from ratings.models import Ladder, RatedResult
from tock_league.clubs.models import Membership
from tock_league.common import clock

from .board_world import ADDRESS, LADDER

CASE = "TL-2026-000098"


@pytest.fixture
def changed(season: None) -> RatedResult:
    """A game of two pairs of the first club, turned round by a ruling; the ladder is not computed again yet."""
    first = set(Membership.objects.filter(club__slug="shawinigan").values_list("player_id", flat=True))
    games = RatedResult.objects.order_by("-completed_at")
    found = next(row for row in games if all(first.issuperset(side) for side in row.sides))
    ladder = Ladder.objects.get(key=LADDER)
    services.revise(ladder=ladder, source=found.source, ranks=found.ranks[::-1], reason="ruling", ruling=f"{CASE}/1")
    return found


def test_a_board_names_the_ruling_once_the_ratings_follow_it(
    changed: RatedResult, at: clock.Frozen, client: Client
) -> None:
    ladder = Ladder.objects.get(key=LADDER)
    assert selectors.corrections(ladder) == []

    services.rebuild(ladder_key=LADDER, cause="test")

    ladder.refresh_from_db()
    (found,) = selectors.corrections(ladder)
    assert found.ruling == CASE
    client.cookies["django_language"] = "en"
    for address in (ADDRESS, f"{ADDRESS}players/", "/clubs/shawinigan/leaderboard/"):
        assert f"ruling {CASE}" in client.get(address).content.decode()
    assert CASE not in client.get("/clubs/grand-mere/leaderboard/").content.decode()

    at.advance(days=31)
    assert selectors.corrections(ladder) == []


def test_a_correction_by_an_organiser_has_no_ruling_and_only_the_latest_are_listed(season: None) -> None:
    ladder = Ladder.objects.get(key=LADDER)
    rows = list(RatedResult.objects.order_by("-completed_at")[:5])
    for number, row in enumerate(rows):
        services.revise(ladder=ladder, source=row.source, ranks=row.ranks[::-1], reason="ruling", ruling=f"C-{number}")
    services.rebuild(ladder_key=LADDER, cause="test")

    assert [found.ruling for found in selectors.corrections(ladder)] == ["", "", ""]
    assert len(selectors.corrections(ladder, among=rows[0].sides[0])) >= 1
    assert selectors.corrections(ladder, among=[]) == []
