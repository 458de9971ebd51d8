"""Tests of ranks and of paging by key: against a full sort, the same number of queries, places that expire."""

import random

from django.test import Client

from ratings import selectors, services
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.models import Ladder, RankBucket, Rating, Subject
from ratings.selectors import boards
from tock_league.accounts.services import create_player
from tock_league.common import clock


def big_ladder(count: int, seed: int = 7, *, ranked: bool = True) -> Ladder:
    """Create a ladder of `count` players with many equal scores; rows are written directly, without games."""
    dice = random.Random(seed)
    create = services.ladders.ladder_for
    from ratings.core.ladders import LadderKey

    ladder = create(LadderKey("tock", 6))
    histogram: dict[int, int] = {}
    for i in range(count):
        player = create_player(display_name=f"Joueuse {i}")
        subject = Subject.objects.create(kind="player", key=str(player.pk), size=1)
        subject.members.add(player)
        score = dice.randrange(1_000_000, 1_040_000, 500)
        histogram[score // 4000] = histogram.get(score // 4000, 0) + 1
        Rating.objects.create(
            generation=ladder.generation,
            subject=subject,
            kind="player",
            mu=25.0,
            sigma=1.5,
            games=30 if ranked else 3,
            last_rated_at=clock.now(),
            score_milli=score,
            opponents=9,
            partners=4,
            on_club=ranked,
            on_global=ranked,
        )
    if not ranked:
        return ladder
    for step, number in histogram.items():
        RankBucket.objects.create(generation=ladder.generation, kind="player", bucket=step, count=number)
    return ladder


def test_pages_by_key_and_ranks_by_histogram_equal_a_full_sort(at: clock.Frozen) -> None:
    ladder = big_ladder(120)
    scores = sorted(Rating.objects.values_list("score_milli", flat=True), reverse=True)
    expected = [1 + sum(other > score for other in scores) for score in scores]
    found: list[tuple[int | None, int]] = []
    after, first = "", 1
    while True:
        page = selectors.board(ladder.key, "player", after=after, limit=17)
        assert (page.first, page.total) == (first, 120)
        found += [(row.rank, row.score_milli) for row in page.rows]
        first += len(page.rows)
        after = page.after
        if not after:
            break
    assert found == list(zip(expected, scores, strict=True))


def test_every_page_of_a_board_takes_the_same_number_of_queries(at: clock.Frozen, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    ladder = big_ladder(60)
    second = selectors.board(ladder.key, "player", limit=20).after
    # ladder; rows; members, home clubs, month (teams: no team, no query); place of the first: two
    with django_assert_num_queries(7):
        selectors.board(ladder.key, "player", after=second, limit=20)
    third = selectors.board(ladder.key, "player", after=second, limit=20).after or second
    with django_assert_num_queries(7):
        selectors.board(ladder.key, "player", after=third, limit=20)


def test_expired_places_are_removed_from_boards_and_histogram(season: None, at: clock.Frozen) -> None:
    assert RankBucket.objects.filter(kind="team", count__gt=0).exists()
    at.advance(days=31)
    services.expire_boards()
    assert not Rating.objects.filter(on_global=True).exists()
    assert Rating.objects.filter(on_club=True).exists()
    assert not RankBucket.objects.filter(count__gt=0).exists()
    at.advance(days=30)
    services.expire_boards()
    assert not Rating.objects.filter(on_club=True).exists()
    assert not Rating.objects.exclude(eligible_until=None).exists()


def test_the_stored_score_equals_that_of_the_engine(season: None) -> None:
    for rating in Rating.objects.select_related("subject"):
        assert rating.score_milli == ClosedForm(DEFAULT).score(Estimate(rating.mu, rating.sigma), rating.subject.size)


def test_those_without_a_rank_are_paged_by_key_and_each_is_listed_once(at: clock.Frozen, client: Client) -> None:
    ladder = big_ladder(2 * boards.PAGE + 5, ranked=False)
    rows = Rating.objects.filter(generation=ladder.generation, on_global=False, listed=True)
    wanted = list(rows.order_by("-score_milli", "subject_id").values_list("subject_id", flat=True))
    assert len(wanted) > 2 * boards.PAGE

    seen: list[int] = []
    page = selectors.unranked(ladder.key, "player")
    while True:
        assert page.rows == []
        assert all(row.rank is None and row.gap for row in page.apart)
        seen += [row.subject_id for row in page.apart]
        if not page.after:
            break
        page = selectors.unranked(ladder.key, "player", after=page.after)
    assert seen == wanted
    back = selectors.unranked(ladder.key, "player", after=page.before)
    assert [row.subject_id for row in back.apart] == wanted[-len(page.apart) - boards.PAGE : -len(page.apart)]

    address = f"/leaderboards/{ladder.family}/{ladder.teams}/players/"
    assert "?unranked=first" in client.get(address).content.decode()
    first = client.get(address, {"unranked": "first"}).content.decode()
    assert first.count("<tr") == boards.PAGE + 1
    assert f"?unranked={selectors.unranked(ladder.key, 'player').after}" in first
    for wrong in ("x", "9.9.9", "1", f"{-(10**20)}.1", "-99999999.1"):
        assert client.get(address, {"unranked": wrong}).status_code == 404
