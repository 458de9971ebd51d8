"""Pages for a wall, read back by another library; the form of chess programs; records of games as lines."""

import io
import json
from collections.abc import Iterator
from datetime import timedelta

import pypdf
import pytest
from django.core.cache import cache
from django.test import AsyncRequestFactory, Client, RequestFactory
from django.urls import reverse

from games.services.records import read_lines
from tests.competitions.world import (
    FIRST_ROUND,
    START,
    a_club,
    a_league,
    a_plan,
    a_signed_up_player,
    a_team,
    a_tournament,
    decide,
    play_match,
    under_way,
)
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.results import settlement
from tock_league.exports import paper, views

from .test_files import get, rows_of_xlsx

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def pages(client: Client, found: Competition, what: str, paper: str = "letter") -> list[str]:
    """Return the text of each page of a PDF; assert that every font of it is inside."""
    answer = client.get(reverse("exports:competition", args=[found.slug, what, "pdf"]), {"paper": paper})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    read = pypdf.PdfReader(io.BytesIO(answer.content))
    for page in read.pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font["/DescendantFonts"][0]["/FontDescriptor"]
            assert "/FontFile2" in inner
    return [page.extract_text() for page in read.pages]


def test_a_bracket_and_the_pairings_are_on_a_page_each(client: Client) -> None:
    made = a_tournament(5)
    names = {1: "É ♥ œ – Ωж", 2: "A\x07B\u202eC 日", 3: "W" * 60}
    for seed, name in names.items():
        Team.objects.filter(entries__competition=made, entries__seed=seed).update(name=name)
    decide(under_way(made)[0], 0)
    (bracket,) = pages(client, made, "bracket")
    assert "É ♥ œ – Ωж" in bracket
    assert "ABC ?" in bracket
    assert "W" * 60 in bracket.replace("\n", "")  # on as many lines as it needs
    assert f"{made.name}" in bracket
    (pairings,) = pages(client, made, "pairings", "a3")
    assert "1 É ♥ œ – Ωж" in pairings
    assert "12:00" in pairings


def test_standings_have_a_page_for_each_group_and_more_where_they_are_long(client: Client, monkeypatch) -> None:
    made = a_tournament(4, plan=a_plan("groups_knockout"))
    first, second = pages(client, made, "standings")
    assert "A" in first.split("\n")[1]
    assert "B" in second.split("\n")[1]
    monkeypatch.setattr("tock_league.exports.wall.LOWEST", 60.0)
    assert len(pages(client, made, "standings")) == 4


def test_what_is_no_page_for_a_wall_is_not_there(client: Client) -> None:
    league = a_league(2)
    for what, size in (("bracket", "letter"), ("entries", "letter"), ("standings", "a0"), ("pairings", "../x")):
        address = reverse("exports:competition", args=[league.slug, what, "pdf"])
        assert client.get(address, {"paper": size}).status_code == 404
    assert (
        client.get(reverse("exports:competition", args=[a_league(state="draft").slug, "standings", "pdf"])).status_code
        == 404
    )
    page = client.get(reverse("competitions:matches", args=[league.slug])).content.decode()
    assert "/pairings.pdf" in page
    assert "/bracket.pdf" not in page


def test_letters_that_no_font_has_become_question_marks() -> None:
    assert paper.clean("日\u200b é\x00 ♠\n=") == "? é ♠ ="


def test_a_swiss_event_is_told_to_chess_programs(client: Client) -> None:
    made = a_tournament(5, plan=a_plan("swiss"))
    Team.objects.filter(entries__competition=made, entries__seed=1).update(name="Œuvre d’été 日")
    first, second = under_way(made)
    decide(first, 0)
    settlement.award(by=SITE, match=second, winner=1, reason="Personne n’est venu.")
    lines = client.get(reverse("exports:chess", args=[made.slug])).content.decode("ascii").splitlines()
    assert lines[:5] == [f"012 {made.name}", "042 2026/09/02", "062 5", "092 Swiss System, teams of Tock", "XXR 2"]
    teams = lines[5:]
    assert len(teams) == 5
    assert teams[0][14:47].rstrip() == "OEuvre d'ete ?"
    # Number, points, rank and the first round stand in their columns.
    found = {int(line[4:8]): (float(line[80:84]), int(line[85:89]), line[91:99]) for line in teams}
    assert sorted(cell[-1] for _points, _rank, cell in found.values()) == ["+", "-", "0", "1", "U"]
    for number, (_points, _rank, cell) in found.items():
        other = int(cell[:4])
        assert other == 0 or int(found[other][2][:4]) == number
    points = [points for points, _rank, _cell in sorted(found.values(), key=lambda one: one[1])]
    assert points == sorted(points, reverse=True)
    assert (points[0], points[-1]) == (1, 0)
    knockout = a_tournament(4)
    assert client.get(reverse("exports:chess", args=[knockout.slug])).status_code == 404


def test_records_of_games_are_sent_one_a_line(client: Client) -> None:
    league = a_league(2)
    with clock.frozen(FIRST_ROUND - timedelta(minutes=1)):
        match = play_match(league.matches.order_by("round__number").first(), 0)
    answer = client.get(reverse("exports:games", args=[league.slug]))
    (line,) = b"".join(answer.streaming_content).decode().splitlines()
    told = json.loads(line)
    assert (told["match"], told["number"]) == (match.slug, 1)
    assert told["rows"][-1]["chain"] == told["record_hash"]
    assert read_lines([told["head"], *told["rows"]]).game == told["game"]
    assert client.get(reverse("exports:games", args=[a_league(state="draft").slug])).status_code == 404


def test_records_are_sent_asynchronously_where_the_server_is_asynchronous() -> None:
    """A synchronous answer would be gathered in memory first there."""
    league = a_league(2)
    assert views.records(AsyncRequestFactory().get("/"), league.slug).is_async
    assert not views.records(RequestFactory().get("/"), league.slug).is_async


def test_players_head_to_head_and_rulings_are_tables(client: Client) -> None:
    league = a_league(3, legs=1)
    matches = list(league.matches.order_by("round__number"))
    decide(matches[0], 0)
    rows = get(client, f"/exports/competitions/{league.slug}/players.csv")
    assert len(rows) == 1 + 6
    rows = get(client, f"/exports/competitions/{league.slug}/head-to-head.csv")
    assert len(rows) == 1 + 6  # each of the three matches from both sides
    assert {row[3] for row in rows[1:]} == {"", "1 – 0", "0 – 1"}
    assert len(get(client, f"/exports/competitions/{league.slug}/rulings.csv")) == 1
    for table in ("players", "head-to-head", "rulings"):
        assert rows_of_xlsx(client.get(f"/exports/competitions/{league.slug}/{table}.xlsx").content)


def test_a_clubs_members_are_for_its_officers_and_its_teams_for_all(client: Client) -> None:
    club = a_club()
    team = a_team("=1+1", club=club)
    rows = get(client, f"/exports/clubs/{club.slug}/teams.csv")
    assert rows[1][0] == "'=1+1"
    assert rows[1][-1] == f"/teams/{team.slug}/"
    address = f"/exports/clubs/{club.slug}/members.csv"
    assert client.get(address).status_code == 403
    officer = a_signed_up_player("dirigeante@example.org")
    client.force_login(officer.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    clubs.join(by=officer, club=club)
    assert client.get(address).status_code == 403
    clubs.give_role(by=SITE, club=club, player=officer, name="officer")
    assert [row[0] for row in get(client, address)[1:]] == [officer.display_name]
    assert client.get(f"/exports/clubs/{club.slug}/secrets.csv").status_code == 404
    assert address in client.get(reverse("pages:club", args=[club.slug])).content.decode()
