"""Tests of the leaderboard pages: ranks, unranked rows and their gaps, pagination by key, clubs, profiles."""

import random
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation

from ratings import selectors, services
from ratings.core.clubs import mean_milli
from ratings.core.eligibility import Gap
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.core.score import points
from ratings.models import ClubScore, Ladder, RankBucket, RatedResult, Rating, RatingChange, Subject
from ratings.selectors import clubs as clubs_board
from ratings.selectors import words
from ratings.selectors.chart import POINTS, chart, thinned
from ratings.selectors.profiles import Step
from tests.documents import squeezed
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as club_services
from tock_league.clubs.models import Club, Membership, Team, TeamPlayer
from tock_league.common import clock

from .conftest import Finished, evening

LADDER = "shawinigan:2"
ADDRESS = "/leaderboards/shawinigan/2/"


def english(value: object) -> str:
    with translation.override("en"):
        return str(value)


def team(name: str, members: Sequence[Player], club: Club | None = None, *, drawn: bool = False) -> Team:
    made = Team.objects.create(name=name, club=club, drawn=drawn)
    for slot, player in enumerate(members, start=1):
        TeamPlayer.objects.create(team=made, player=player, slot=slot, joined=clock.now())
    return made


@pytest.fixture
def clubs(people: list[Player]) -> list[Club]:
    """Two clubs of eight members each, with four named pairs."""
    made = [
        Club.objects.create(slug="shawinigan", name="Club de tock de Shawinigan", town="Shawinigan"),
        Club.objects.create(slug="grand-mere", name="Club de tock de Grand-Mère", town="Grand-Mère"),
    ]
    for i, player in enumerate(people):
        Membership.objects.create(club=made[i // 8], player=player, home=True, since=clock.now())
    for i in range(8):
        team(f"Équipe {i + 1}", people[2 * i : 2 * i + 2], made[i // 4])
    return made


def pairs_of(people: list[Player]) -> list[list[Player]]:
    return [people[2 * i : 2 * i + 2] for i in range(8)]


def play_season(at: clock.Frozen, people: list[Player], finished: Finished, rounds: int, seed: int = 1) -> None:
    """Let the eight pairs meet in random pairings; stronger pairs (lower number) win more often."""
    dice = random.Random(seed)
    for _ in range(rounds):
        evening(at)
        order = list(range(8))
        dice.shuffle(order)
        for a, b in zip(order[::2], order[1::2], strict=True):
            first, second = (a, b) if dice.random() < 0.5 + 0.05 * (b - a) else (b, a)
            at.advance(minutes=1)
            finished(pairs_of(people)[first], pairs_of(people)[second])
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key=LADDER).applied:
        pass


@pytest.fixture
def season(at: clock.Frozen, people: list[Player], clubs: list[Club], finished: Finished) -> None:
    play_season(at, people, finished, rounds=30)


@pytest.mark.parametrize("address", ["/leaderboards/", "/clubs/shawinigan/leaderboard/"])
def test_pages_without_a_rated_game_say_so(address: str, clubs: list[Club], client: Client) -> None:
    client.cookies["django_language"] = "en"
    answer = client.get(address)
    assert answer.status_code == 200
    assert "No rated game has been played yet" in answer.content.decode()


@pytest.mark.parametrize("address", [ADDRESS, ADDRESS + "players/", ADDRESS + "clubs/"])
def test_an_offered_ladder_without_a_game_redirects_to_the_overview(
    address: str, clubs: list[Club], client: Client
) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["Location"]) == (302, "/leaderboards/")


@pytest.mark.parametrize("address", ["/leaderboards/shawinigan/3/", "/leaderboards/tock/9/clubs/", ADDRESS + "77/"])
def test_an_unknown_ladder_or_subject_is_not_found(address: str, clubs: list[Club], client: Client) -> None:
    assert client.get(address).status_code == 404


def test_a_visitor_sees_ranked_pairs_with_rating_margin_and_games(season: None, client: Client) -> None:
    client.cookies["django_language"] = "en"
    page = selectors.board(LADDER, "team")
    assert page.total == len(page.rows) > 4
    assert [row.rank for row in page.rows] == list(range(1, page.total + 1))
    text = client.get(ADDRESS).content.decode()
    for row in page.rows:
        assert row.name in text
        assert f"{row.score:,}" in text
        assert f"±&nbsp;{row.interval}" in text
    assert "Rating = estimate − 3 × uncertainty." in text
    assert f"1 to {page.total} of {page.total}" in text


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


def test_the_clubs_board_ranks_players_who_are_tied_to_one_partner_and_says_so(
    season: None, clubs: list[Club], client: Client
) -> None:
    client.cookies["django_language"] = "en"
    players = selectors.board(LADDER, "player", clubs[0])
    pairs = selectors.board(LADDER, "team", clubs[0])
    assert players.rows
    assert all(row.club == clubs[0] and row.tied for row in players.rows)
    assert len(pairs.rows) + len(pairs.apart) == 4
    text = client.get("/clubs/shawinigan/leaderboard/").content.decode()
    assert "tied to one partner" in text
    assert all(row.name in text for row in [*players.rows, *players.apart, *pairs.rows, *pairs.apart])
    # On the board of all clubs they have no rank, and the gap is the reason.
    alone = selectors.board(LADDER, "player")
    assert alone.total == 0
    assert all(gap.code in ("partners", "uncertainty") for row in alone.apart for gap in row.gaps)
    assert {gap.missing for row in alone.apart for gap in row.gaps if gap.code == "partners"} == {2}


def test_provisional_rows_are_unranked_and_show_the_exact_gap(
    at: clock.Frozen, people: list[Player], clubs: list[Club], finished: Finished, client: Client
) -> None:
    play_season(at, people, finished, rounds=2)
    client.cookies["django_language"] = "en"
    page = selectors.board(LADDER, "team", clubs[0])
    assert page.rows == []
    assert all(row.provisional and row.rank is None for row in page.apart)
    row = next(row for row in page.apart if len(row.gaps) == 3)
    opponents = next(gap.missing for gap in row.gaps if gap.code == "opponents")
    with translation.override("en"):
        sentence = words.gap_sentence(row.gaps)
    assert sentence.startswith("6 more rated games, a margin of ±\u00a0280 at most (now ±\u00a0")
    assert sentence.endswith(f"{opponents} more opponent{'s' if opponents > 1 else ''}")
    text = client.get("/clubs/shawinigan/leaderboard/").content.decode()
    assert "Without a rank yet" in text
    assert "±: the margin." in text
    assert sentence in text


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (Gap("games", 6, 8, 2), "6 more rated games"),
        (Gap("games", 1, 8, 7), "1 more rated game"),
        (Gap("opponents", 2, 3, 1), "2 more opponents"),
        (Gap("partners", 1, 3, 2), "1 more partner with 5 games together"),
        (Gap("recent", 1, 60, 61), "a rated game in the last 60 days"),
        (Gap("uncertainty", 0, 2.4, 2.401), "a margin of ±\u00a0192 at most (now ±\u00a0192.1)"),
        (Gap("uncertainty", 0, 3.5, 6.0), "a margin of ±\u00a0280 at most (now ±\u00a0480)"),
    ],
)
def test_each_gap_has_its_sentence(gap: Gap, sentence: str) -> None:
    with translation.override("en"):
        assert words.gap_sentence([gap]) == sentence


def test_the_viewers_row_is_highlighted_and_its_history_is_shown(
    season: None, people: list[Player], client: Client
) -> None:
    user = create_user(email="martine@example.org", password="une longue phrase")
    Player.objects.filter(pk=people[0].pk).update(user=user)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.get(ADDRESS)
    rows = [row for row in (*answer.context["page"].rows, *answer.context["page"].apart) if row.own]
    assert [row.names for row in rows] == [" – ".join(sorted([people[0].display_name, people[1].display_name]))]
    assert answer.context["beside"] == rows[0]
    assert answer.content.decode().count('<tr class="viewer">') == 1


def big_ladder(count: int, seed: int = 7) -> Ladder:
    """Create a ladder of `count` ranked players with many equal scores; rows are written directly, without games."""
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
            games=30,
            last_rated_at=clock.now(),
            score_milli=score,
            opponents=9,
            partners=4,
            on_club=True,
            on_global=True,
        )
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


def test_a_name_is_found_with_its_rank_on_the_whole_board(season: None, client: Client) -> None:
    client.cookies["django_language"] = "en"
    last = selectors.board(LADDER, "team").rows[-1]
    found = selectors.board(LADDER, "team", name=last.players[0].display_name[:7].lower())
    assert (last.name, last.rank) in [(row.name, row.rank) for row in found.rows]
    by_team = selectors.board(LADDER, "team", name=last.name)
    assert [row.name for row in by_team.rows] == [last.name]
    assert "Nobody called “xyz”" in client.get(ADDRESS, {"name": "xyz"}).content.decode()


def test_an_invalid_page_is_not_found_and_a_chosen_club_redirects_to_its_board(season: None, client: Client) -> None:
    assert client.get(ADDRESS, {"after": "12"}).status_code == 404
    answer = client.get(ADDRESS, {"club": "shawinigan"})
    assert (answer.status_code, answer["Location"]) == (302, "/clubs/shawinigan/leaderboard/?ladder=shawinigan%3A2")
    assert client.get("/clubs/shawinigan/leaderboard/?ladder=tock:7").status_code == 404
    assert "nowhere" in client.get(ADDRESS, {"club": "nowhere"}).content.decode()


def test_numbers_too_large_for_the_database_are_not_found(season: None, client: Client) -> None:
    far = "9" * 30
    assert client.get(f"{ADDRESS}{far}/").status_code == 404
    assert client.get(ADDRESS, {"after": f"1.{far}"}).status_code == 404
    assert client.get(ADDRESS, {"after": f"1.-{far}"}).status_code == 404


def test_nul_characters_are_removed_from_a_search(season: None, client: Client) -> None:
    client.cookies["django_language"] = "en"
    assert "Nobody called “xyz”" in client.get(ADDRESS, {"name": "x\0yz"}).content.decode()
    assert client.get(ADDRESS, {"club": "shawi\0nigan"}).status_code == 302


@pytest.mark.parametrize(
    ("scores", "figure", "counted"),
    [
        ([1_100_000, 1_090_000, 1_080_000], None, 3),
        ([1_100_000, 1_090_000, 1_080_000, 1_070_000], 1085, 4),
        ([1_100_000] * 7, 1100, 7),
        ([1_100_000] * 8, 1100, 8),
        ([1_100_000] * 8 + [1_000_000], 1100, 8),
    ],
)
def test_a_clubs_score_is_the_mean_of_its_best_four_to_eight_players(
    scores: list[int], figure: int | None, counted: int
) -> None:
    kept = ClubScore(club=Club(name="A"), eligible=len(scores), mean_milli=mean_milli(scores))
    row = clubs_board.row_of(kept)
    assert (row.score, row.counted, row.eligible) == (figure, counted, len(scores))
    assert row.missing == max(0, 4 - len(scores))


def test_clubs_are_ranked_and_those_without_a_score_are_listed_apart(
    season: None, clubs: list[Club], people: list[Player], client: Client
) -> None:
    client.cookies["django_language"] = "en"
    Club.objects.create(slug="la-tuque", name="Amis du tock", town="La Tuque")
    page = selectors.clubs_compared(LADDER, viewer_id=people[0].pk)
    assert [row.club.slug for row in page.apart] == ["la-tuque"]
    assert [row.rank for row in page.rows] == [1, 2]
    own = next(row for row in page.rows if row.own)
    best = [row.score_milli for row in selectors.board(LADDER, "player", clubs[0]).rows][:8]
    assert own.score == points(round(sum(best) / len(best)))
    text = client.get(ADDRESS + "clubs/").content.decode()
    assert "4 more eligible players" in text
    # A member who leaves no longer counts for the club.
    for person in people[:5]:
        club_services.leave(by=person, club=clubs[0])
    assert [row.club for row in selectors.clubs_compared(LADDER).rows] == [clubs[1]]
    assert selectors.figure_of(selectors.ladder(LADDER), clubs[0]).missing == 1


def test_pairs_drawn_by_lots_are_rated_but_not_listed(
    at: clock.Frozen,
    people: list[Player],
    clubs: list[Club],
    finished: Finished,
    settled,
    client: Client,  # type: ignore[no-untyped-def]
) -> None:
    drawn = [[people[0], people[2]], [people[1], people[3]]]
    for number, members in enumerate(drawn):
        team(f"Tirage {number}", members, drawn=True)
    for _ in range(30):
        evening(at)
        finished(*drawn)
    settled()
    assert Rating.objects.filter(kind="team").count() == 2
    assert not Rating.objects.filter(kind="team", on_club=True).exists()
    page = selectors.board(LADDER, "team")
    assert (list(page.rows), list(page.apart)) == ([], [])
    hidden = Subject.objects.filter(kind="team").first()
    assert hidden is not None
    assert client.get(f"{ADDRESS}{hidden.pk}/").status_code == 404
    assert selectors.pair_summary([people[0].pk, people[2].pk]) == []
    # After they form their own team, the next game lists them.
    team("Enfin ensemble", drawn[0], clubs[0])
    evening(at)
    finished(*drawn)
    settled()
    assert [row.name for row in selectors.board(LADDER, "team").apart] == ["Enfin ensemble"]


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


def test_a_row_on_a_board_says_by_when_to_play(season: None) -> None:
    row = selectors.board(LADDER, "team").rows[0]
    rating = Rating.objects.get(generation__state="live", subject_id=row.subject_id)
    assert rating.eligible_until is not None
    with translation.override("en"):
        said = words.until_sentence(rating.eligible_until)
    assert said.startswith("play before ")
    assert rating.eligible_until <= rating.last_rated_at + timedelta(days=30)


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


def test_the_stored_score_equals_that_of_the_engine(season: None) -> None:
    for rating in Rating.objects.select_related("subject"):
        assert rating.score_milli == ClosedForm(DEFAULT).score(Estimate(rating.mu, rating.sigma), rating.subject.size)


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


def test_texts_for_screen_readers_names_and_numbers() -> None:
    with translation.override("en"):
        assert [words.difference(n) for n in (14, -3, 0)] == ["up 14", "down 3", "unchanged"]
        assert words.ladder_name("shawinigan", 2) == "Shawinigan, 2 teams"
        assert words.number(1214) == "1,214"
