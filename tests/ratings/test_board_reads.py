"""What boards read: ranks without counting rows, pages in both directions, search, kept figures of clubs."""

import random
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings import selectors, services
from ratings.core.score import bucket
from ratings.models import ClubScore, Generation, Ladder, RankBucket, RatedResult, Rating, Subject
from ratings.selectors.ranks import ranks_of
from ratings.services import audit, live
from ratings.services.ladders import params_in_force
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Membership, Team, TeamPlayer
from tock_league.common import bulk, clock

from .announced import Finished, evening
from .board_world import LADDER, pairs_of, play_season

pytestmark = pytest.mark.both_databases


@pytest.fixture
def homes(people: list[Player]) -> list[Club]:
    """Two clubs, in which the sixteen people are at home through the service."""
    made = [Club.objects.create(slug=slug, name=slug, town=slug) for slug in ("batiscan", "shawinigan")]
    for number, player in enumerate(people):
        clubs.join(by=player, club=made[number // 8])
    return made


def a_ladder(rows: int, key: str = "tock:2", seed: int = 5) -> Ladder:
    """Make a ladder of drawn ratings, one in three below zero and many of them equal."""
    dice, now = random.Random(seed), clock.now()
    params = params_in_force()
    family, _colon, teams = key.partition(":")
    ladder = Ladder.objects.create(key=key, family=family, teams=int(teams), params=params)
    ladder.generation = Generation.objects.create(
        ladder=ladder, number=1, params=params, state="live", cause="test", created_at=now
    )
    ladder.save()
    counts: dict[int, int] = {}
    for number in range(rows):
        player = create_player(display_name=f"Élodie {number:04d}" if number % 2 else f"Gaétan {number:04d}")
        subject, _made = Subject.objects.get_or_create(kind="player", key=str(player.pk), defaults={"size": 1})
        subject.members.add(player)
        score = 500 * dice.randrange(-40, 80)
        Rating.objects.create(
            generation=ladder.generation, subject=subject, kind="player", mu=25, sigma=1.5, games=30, opponents=9,
            partners=4, last_rated_at=now, score_milli=score, on_club=True, on_global=number % 5 != 0,
            eligible_until=now + timedelta(days=9),
        )  # fmt: skip
        if number % 5:
            counts[bucket(score)] = counts.get(bucket(score), 0) + 1
    for step, count in counts.items():
        RankBucket.objects.create(generation=ladder.generation, kind="player", bucket=step, count=count)
    return ladder


def ranked(ladder: Ladder) -> list[Rating]:
    rows = Rating.objects.filter(generation=ladder.generation, on_global=True)
    return list(rows.order_by("-score_milli", "subject_id").select_related("subject"))


def test_ranks_of_many_rows_are_those_of_a_full_sort(at: clock.Frozen) -> None:
    ladder = a_ladder(90)
    rows = ranked(ladder)
    expected = {row.subject_id: 1 + sum(other.score_milli > row.score_milli for other in rows) for row in rows}
    assert ladder.generation is not None
    assert ranks_of(ladder.generation, "player", rows) == expected


def test_pages_lead_back_the_way_they_came(at: clock.Frozen) -> None:
    ladder = a_ladder(50)
    pages = [selectors.board(ladder.key, "player", limit=7)]
    while pages[-1].after:
        pages.append(selectors.board(ladder.key, "player", after=pages[-1].after, limit=7))
    assert len(pages) == 6
    back = [pages[-1]]
    while back[-1].before:
        back.append(selectors.board(ladder.key, "player", after=back[-1].before, limit=7))
    assert [page.rows for page in back[::-1]] == [page.rows for page in pages]
    assert [page.first for page in back[::-1]] == [page.first for page in pages]


def test_viewers_find_their_own_place_from_every_page(at: clock.Frozen) -> None:
    ladder = a_ladder(60)
    rows = ranked(ladder)
    me = rows[40]
    first = selectors.board(ladder.key, "player", limit=10, viewer_id=int(me.subject.key))
    assert first.own is not None
    assert first.own.rank == 1 + sum(other.score_milli > me.score_milli for other in rows)
    mine = selectors.board(ladder.key, "player", after=first.own_page, limit=20, viewer_id=int(me.subject.key))
    assert [row.subject_id for row in mine.rows if row.own] == [me.subject_id]
    assert mine.own_page == ""
    stranger = selectors.board(ladder.key, "player", limit=10, viewer_id=None)
    assert (stranger.own, stranger.own_page) == (None, "")


@pytest.mark.parametrize("words", ["elodie 0003", "ÉLODIE 0003", "  Élodie   0003 ", "die 0003"])
def test_a_search_ignores_case_accents_and_spaces(at: clock.Frozen, words: str) -> None:
    ladder = a_ladder(12)
    page = selectors.board(ladder.key, "player", name=words)
    assert [row.name for row in (*page.rows, *page.apart)] == ["Élodie 0003"]


def test_one_or_two_letters_are_a_beginning_of_a_word(at: clock.Frozen) -> None:
    ladder = a_ladder(10)
    found = selectors.board(ladder.key, "player", name="él")
    assert {row.name[:6] for row in (*found.rows, *found.apart)} == {"Élodie"}
    assert not selectors.board(ladder.key, "player", name="od").rows


def test_a_name_that_many_bear_gives_the_same_rows_as_a_rare_one(
    at: clock.Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = a_ladder(40)
    few = selectors.board(ladder.key, "player", name="Gaé", limit=9)
    monkeypatch.setattr("ratings.selectors.search.FEW", 3)
    many = selectors.board(ladder.key, "player", name="Gaé", limit=9)
    assert few.rows
    assert few.more_found
    assert (many.rows, many.apart) == (few.rows, few.apart)


def test_a_search_of_pairs_looks_at_players_and_at_names_of_teams(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    team = Team.objects.create(name="Les Étoiles")
    for slot, player in enumerate(people[:2], start=1):
        TeamPlayer.objects.create(team=team, player=player, slot=slot, joined=clock.now())
    play_season(at, people, finished, rounds=2)
    for words in ("etoiles", people[0].display_name):
        page = selectors.board(LADDER, "team", name=words)
        assert [row.name for row in (*page.rows, *page.apart)] == ["Les Étoiles"]
    clubs.rename_team(by=people[0], team=team, name="Les Comètes")
    assert [row.name for row in selectors.board(LADDER, "team", name="comet").apart] == ["Les Comètes"]
    assert not selectors.board(LADDER, "team", name="etoiles").apart


def test_the_first_rows_of_all_ladders_are_those_of_their_boards_in_a_fixed_number_of_queries(
    at: clock.Frozen,
) -> None:
    keys = [a_ladder(8, key).key for key in ("tock:2", "air:2")]
    selectors.tops(3)
    with CaptureQueriesContext(
        connection,
    ) as two:
        tops = selectors.tops(3)
    assert [top.ladder.key for top in tops] == sorted(keys)
    for top in tops:
        board = selectors.board(top.ladder.key, "player").rows[:3]
        assert [(row.name, row.score) for row in top.players] == [(row.name, row.score) for row in board]
    a_ladder(8, "toc:2")
    with CaptureQueriesContext(connection) as three:
        selectors.tops(3)
    assert len(two) == len(three) <= 10


def compared() -> list[str]:
    """Return what the audit finds wrong, from a recount of everything."""
    return [str(found) for found in audit.differences()]


def test_figures_of_clubs_follow_every_change(
    at: clock.Frozen, people: list[Player], homes: list[Club], finished: Finished
) -> None:
    play_season(at, people, finished, rounds=30)
    batiscan, shawinigan = homes
    assert ClubScore.objects.get(generation__state="live", club=batiscan).eligible == 8
    assert not compared()
    clubs.leave(by=people[0], club=batiscan)
    clubs.join(by=people[0], club=shawinigan)
    assert [score.eligible for score in ClubScore.objects.order_by("club__slug")] == [7, 9]
    assert not compared()
    evening(at)
    finished(*pairs_of(people)[:2])
    at.advance(seconds=2)
    services.rate_waiting(ladder_key=LADDER)
    assert not compared()
    services.rebuild(ladder_key=LADDER, cause="test")
    assert not compared()
    at.advance(days=90)
    services.expire_boards()
    assert not ClubScore.objects.filter(generation__state="live").exists()
    assert not compared()


def test_guests_of_a_club_do_not_count_for_it(
    at: clock.Frozen, people: list[Player], homes: list[Club], finished: Finished
) -> None:
    clubs.join(by=people[0], club=homes[1], home=False)
    play_season(at, people, finished, rounds=30)
    assert [score.eligible for score in ClubScore.objects.filter(generation__state="live")] == [8, 8]


def test_clubs_are_paged_and_the_viewers_own_is_named(at: clock.Frozen) -> None:
    ladder = a_ladder(4)
    generation = ladder.generation
    assert generation is not None
    made = [Club.objects.create(slug=f"c{n}", name=f"Club {n:03d}", town="Ici") for n in range(70)]
    for number, club in enumerate(made[:60]):
        ClubScore.objects.create(generation=generation, club=club, eligible=5, mean_milli=1000.0 * (60 - number // 2))
    me = create_player(display_name="Ginette Lavoie")
    Membership.objects.create(club=made[55], player=me, home=True, since=clock.now())
    page = selectors.clubs_compared(ladder.key, viewer_id=me.pk)
    assert [row.rank for row in page.rows] == list(range(1, 51))
    assert (page.total, page.after, page.before, len(page.apart)) == (60, 50, None, 10)
    assert page.own is not None
    assert page.own.rank == 56
    last = selectors.clubs_compared(ladder.key, after="50", viewer_id=me.pk)
    assert [row.rank for row in last.rows if row.own] == [56]
    assert (last.after, last.before, last.apart) == (None, 0, [])


def test_a_pair_that_gets_a_team_appears_in_other_ladders_within_the_hour(at: clock.Frozen) -> None:
    """`listed` of a subject is changed by a game of one ladder; the others follow under their own locks."""
    a_ladder(6)
    row = Rating.objects.filter(on_global=True).select_related("subject").first()
    assert row is not None
    Subject.objects.filter(pk=row.subject_id).update(listed=False)
    Rating.objects.filter(pk=row.pk).update(eligible_until=clock.now())
    live.expire_boards()
    row.refresh_from_db()
    assert (row.listed, row.on_club, row.on_global) == (False, False, False)
    count = RankBucket.objects.get(generation=row.generation, bucket=bucket(row.score_milli))
    assert count.count == Rating.objects.filter(
        on_global=True, score_milli__gte=4000 * count.bucket, score_milli__lt=4000 * (count.bucket + 1)
    ).count()  # fmt: skip


def _results(ladder: Ladder, count: int) -> Sequence[tuple[object, ...]]:
    now = clock.now()
    return [
        (
            ladder.pk,
            f"paper:{n}",
            1,
            "result",
            now + timedelta(minutes=n),
            [[1, 2], [3, 4]],
            [0, 1],
            True,
            "all_home",
            "",
            now,
        )
        for n in range(count)
    ]


def test_rows_are_written_in_bulk_with_their_values(at: clock.Frozen) -> None:
    ladder = a_ladder(2)
    first = ["ladder", "source", "revision", "kind", "completed_at"]
    names = [*first, "sides", "ranks", "rated", "reason", "ruling", "created_at"]
    assert bulk.insert(RatedResult, names, iter(_results(ladder, 3))) == 3
    rows = RatedResult.objects.filter(ladder=ladder).order_by("completed_at")
    assert [row.source for row in rows] == ["paper:0", "paper:1", "paper:2"]
    assert (rows[1].sides, rows[1].completed_at, rows[1].start) == (
        [[1, 2], [3, 4]],
        clock.now() + timedelta(minutes=1),
        None,
    )
