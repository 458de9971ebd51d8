"""Tests of a club's board and of the comparison of clubs."""

import pytest
from django.test import Client

from ratings import selectors
from ratings.core.clubs import mean_milli
from ratings.core.score import points
from ratings.models import ClubScore
from ratings.selectors import clubs as clubs_board
from tock_league.accounts.models import Player
from tock_league.clubs import services as club_services
from tock_league.clubs.models import Club

from .board_world import ADDRESS, LADDER


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


def test_a_clubs_lists_are_read_by_page_and_each_row_stands_once(
    season: None, clubs: list[Club], people: list[Player], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.cookies["django_language"] = "en"
    of = selectors.ladder(LADDER)
    whole = selectors.club_boards(of, clubs[0], limit=1000)
    for kind, page in whole.pages.items():
        wanted = [(row.subject_id, row.rank) for row in [*page.rows, *page.apart]]
        assert len(wanted) > 3, kind
        seen, after, pages = [], "", 0
        while pages < len(wanted):
            part = selectors.club_boards(of, clubs[0], after={kind: after}, limit=3).pages[kind]
            assert (part.first, part.total) == (len(seen) + 1 if part.rows else 0, page.total)
            assert part.before == (str(len(seen) - 3) if seen else "")
            seen += [(row.subject_id, row.rank) for row in [*part.rows, *part.apart]]
            pages += 1
            after = part.after
            if not after:
                assert part.unplayed == page.unplayed
                break
            assert part.unplayed == ()
        assert seen == wanted

    # The page in the browser: the figure of the club and its players do not depend on the page of the list.
    monkeypatch.setattr("ratings.selectors.club_lists.PAGE", 3)
    address = "/clubs/shawinigan/leaderboard/"
    first = client.get(address)
    text = first.content.decode()
    assert f"?ladder={LADDER.replace(':', '%3A')}&amp;players=3#players" in text
    assert "counts for the club" in text
    second = client.get(address, {"players": "3"})
    assert "counts for the club" not in second.content.decode()
    assert second.context["counting"] == first.context["counting"] != []
    assert second.context["pairs"].rows == first.context["pairs"].rows
    for wrong in ("x", "-3", "1000", "9" * 30, "1.5"):
        assert client.get(address, {"players": wrong}).status_code == 404
