"""Tests of the boards' pages: rows, unranked rows and their gaps, the reader's own row, search, invalid addresses."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from ratings import selectors
from ratings.core.eligibility import Gap
from ratings.models import Rating, Subject
from ratings.selectors import words
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_user
from tock_league.clubs.models import Club
from tock_league.common import clock

from .announced import Finished, evening
from .board_world import ADDRESS, LADDER, play_season, team


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


def test_a_row_on_a_board_says_by_when_to_play(season: None) -> None:
    row = selectors.board(LADDER, "team").rows[0]
    rating = Rating.objects.get(generation__state="live", subject_id=row.subject_id)
    assert rating.eligible_until is not None
    with translation.override("en"):
        said = words.until_sentence(rating.eligible_until)
    assert said.startswith("play before ")
    assert rating.eligible_until <= rating.last_rated_at + timedelta(days=30)


def test_texts_for_screen_readers_names_and_numbers() -> None:
    with translation.override("en"):
        assert [words.difference(n) for n in (14, -3, 0)] == ["up 14", "down 3", "unchanged"]
        assert words.ladder_name("shawinigan", 2) == "Shawinigan, 2 teams"
        assert words.number(1214) == "1,214"
