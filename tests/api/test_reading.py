"""Pages, fields, ETags, headers, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ratings import services as ratings
from ratings.models import Subject
from tests.arbitration.world import World, a_world
from tests.competitions.world import FIRST_ROUND
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.embedded import answers

from .calling import caller, code, fits

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor() -> Client:
    return caller()


def pages(client: Client, address: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the results of each page, by following `next`."""
    following: str | None = address
    while following is not None:
        answer = client.get(following)
        assert answer.status_code == 200, answer.content
        assert following.startswith("/api/v1/")
        yield answer.json()["results"]
        following = answer.json()["next"]


def some_clubs(count: int) -> None:
    Club.objects.bulk_create(Club(slug=f"club-{n:03}", name=f"Club {n:03}", town="Shawinigan") for n in range(count))


def test_following_next_visits_every_row_once(visitor: Client) -> None:
    some_clubs(23)
    found = [row["slug"] for page in pages(visitor, "/api/v1/clubs?limit=5&town=shaw") for row in page]
    assert found == [f"club-{n:03}" for n in range(23)]
    second = visitor.get(visitor.get("/api/v1/clubs?limit=5").json()["next"]).json()
    assert visitor.get(second["previous"]).json()["results"][0]["slug"] == "club-000"


@pytest.mark.parametrize(
    ("asked", "expected", "field"),
    [
        ("clubs?cursor=nonsense", "cursor", "cursor"),
        ("clubs?cursor=cD0lMDA%3D", "cursor", "cursor"),
        ("matches?cursor=cD1hYmM%3D", "cursor", "cursor"),
        ("matches?cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk%3D", "", ""),
        ("competitions?cursor=cD1hYmM%3D", "cursor", "cursor"),
        ("clubs?limit=0", "limit", "limit"),
        ("clubs?limit=101", "limit", "limit"),
        ("clubs?limit=%D9%A3", "limit", "limit"),
        ("clubs?fields=slug,password", "field", "fields"),
        ("clubs?sort=name", "parameter", "sort"),
        ("clubs?name=a&name=b", "parameter", "name"),
        ("clubs?name=" + "x" * 3000, "parameter", "name"),
        ("clubs?name=" + "x" * 61, "invalid", "name"),
        ("clubs?name=%00", "invalid", "name"),
        ("competitions?kind=cup", "invalid", "kind"),
        ("matches?round=first", "invalid", "round"),
        ("matches?round=1e400", "invalid", "round"),
        ("matches?starts_from=yesterday", "invalid", "starts_from"),
    ],
)
def test_a_parameter_that_is_wrong_is_named(visitor: Client, asked: str, expected: str, field: str) -> None:
    answer = visitor.get(f"/api/v1/{asked}")
    if not expected:  # a number that no row can have finds nothing
        assert answer.json()["results"] == []
        return
    assert (answer.status_code, code(answer), answer.json()["field"]) == (400, expected, field)


def test_errors_of_the_site_are_problems_too(visitor: Client) -> None:
    assert code(visitor.get("/api/v1/nowhere")) == "not_found"
    assert code(visitor.get("/api/v1/clubs/nowhere")) == "not_found"
    assert code(visitor.get("/api/v1/rulings/TL-2026-000001")) == "not_found"
    assert code(visitor.post("/api/v1/rule-sets", {}, "application/json")) == "method_not_allowed"
    assert code(visitor.delete("/api/v1/clubs/nowhere")) == "method_not_allowed"
    assert code(visitor.get("/api/v1/clubs", headers={"accept": "text/html"})) == "not_acceptable"
    assert code(visitor.post("/api/v1/schema")) == "method_not_allowed"


async def test_the_servers_door_answers_with_problems_too() -> None:
    sent: list[dict[str, Any]] = []

    async def send(part: dict[str, Any]) -> None:
        sent.append(part)

    scope = {"type": "http", "path": "/api/v1/clubs", "headers": []}
    await answers.refuse(scope, send, 429, "rate", "Too often.", [(b"retry-after", b"3")])
    assert (b"content-type", b"application/problem+json") in sent[0]["headers"]
    assert json.loads(sent[1]["body"])["code"] == "rate"


def test_fields_choose_fields(visitor: Client) -> None:
    some_clubs(1)
    assert visitor.get("/api/v1/clubs?fields=slug,town").json()["results"] == [
        {"slug": "club-000", "town": "Shawinigan"}
    ]
    assert visitor.get("/api/v1/clubs/club-000?fields=name").json() == {"name": "Club 000"}


def test_what_the_caller_has_is_not_sent_again(visitor: Client) -> None:
    some_clubs(2)
    first = visitor.get("/api/v1/clubs")
    assert first["Cache-Control"] == "public, no-cache"
    assert {"Authorization", "Cookie", "Accept-Language"} <= set(first["Vary"].replace(" ", "").split(","))
    again = visitor.get("/api/v1/clubs", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    Club.objects.filter(slug="club-001").update(town="Bécancour")
    changed = visitor.get("/api/v1/clubs", headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_pages_of_other_sites_read_without_cookies_or_with_a_token(visitor: Client) -> None:
    there = {"origin": "https://club.example.org"}
    answer = visitor.get("/api/v1/clubs", headers=there)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "ETag" in answer["Access-Control-Expose-Headers"]
    asked = {**there, "access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    allowed = visitor.options("/api/v1/clubs", headers=asked)
    assert "authorization" in allowed["Access-Control-Allow-Headers"], "of an application in a browser: decision 55"
    assert "cookie" not in allowed["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in allowed
    assert "Access-Control-Allow-Origin" not in visitor.get("/clubs/", headers=there)


def test_who_calls_too_often_is_told_when_to_come_back(visitor: Client, settings: Any) -> None:
    settings.API_MINUTE_WITHOUT_LOGIN = 3
    client = Client(REMOTE_ADDR="203.0.113.77")
    with clock.frozen(FIRST_ROUND):
        left = [client.get("/api/v1/clubs")["RateLimit-Remaining"] for _call in range(3)]
        refused = client.get("/api/v1/clubs")
    assert left == ["2", "1", "0"]
    assert (refused.status_code, code(refused)) == (429, "rate")
    assert refused["Retry-After"] == refused["RateLimit-Reset"] == "60"


def test_a_ruled_event_is_read_whole(visitor: Client) -> None:
    with clock.frozen(FIRST_ROUND) as hand:
        world: World = a_world()
        case = world.ruled()
        hand.advance(seconds=5)
        while ratings.rate_waiting(ladder_key="shawinigan:2").applied:
            pass
        told = visitor.get(f"/api/v1/rulings/{case.number}")
        fits(told, "/api/v1/rulings/{number}")
        assert told.json()["rulings"][0]["authors"] == [world.head.display_name]
        listed = visitor.get("/api/v1/rulings", {"competition": world.competition.slug})
        fits(listed, "/api/v1/rulings")
        assert [one["number"] for one in listed.json()["results"]] == [case.number]
        standings = visitor.get(f"/api/v1/competitions/{world.competition.slug}/standings")
        fits(standings, "/api/v1/competitions/{slug}/standings")
        first = standings.json()["results"][0]["rows"][0]
        assert [term["value"] for term in first["points_terms"]]
        subject = Subject.objects.filter(kind="player", listed=True)[0]
        for address, path in [
            ("ladders", "ladders"),
            ("ladders/shawinigan:2", "ladders/{key}"),
            ("ladders/shawinigan:2/board?kind=team", "ladders/{key}/board"),
            (f"ladders/shawinigan:2/subjects/{subject.pk}", "ladders/{key}/subjects/{subject}"),
        ]:
            answer = visitor.get(f"/api/v1/{address}")
            assert answer.status_code == 200, answer.content
            fits(answer, f"/api/v1/{path}")
        stream = f"competition:{world.competition.slug}"
        assert code(visitor.get(f"/api/v1/journal/{stream}/entries?cursor=-1")) == "cursor"
        entries = [row["seq"] for page in pages(visitor, f"/api/v1/journal/{stream}/entries?limit=9") for row in page]
        assert entries == list(range(entries[0], 0, -1))
        assert len(entries) > 9


def test_the_console_shows_every_endpoint(visitor: Client) -> None:
    page = visitor.get(reverse("api:console")).content.decode()
    assert "/api/v1/competitions/{slug}/standings" in page
    assert "<code>relaxed</code>" in page  # of a body
    assert "<script" not in page.split("</head>")[1].split("<footer")[0]
