"""Sheets to print, read back by another library: what stands on them, who may have them, and that nothing is cut."""

import io
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.world import (
    START,
    a_club,
    a_league,
    a_plan,
    a_signed_up_player,
    a_tournament,
    decide,
    first_match,
    under_way,
)
from tests.every import every
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.core.bracket import single_elimination
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import lifecycle, roles
from tock_league.exports.prints import kinds, people, slips, views
from tock_league.exports.prints.bracket import parts_of
from tock_league.exports.prints.document import Document

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PUBLIC = ("pairings", "pairings-by-name", "standings", "cross-table", "bracket", "regulations")
STAFF = ("slips", "check-in", "badges", "certificates")
FRENCH = {"accept-language": "fr"}
NAME = "L’été à l’Œil−de−Bœuf"


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def organiser_of(found: Competition, client: Client) -> Player:
    """Sign an organiser of the event in."""
    person = a_signed_up_player(f"{found.slug}@example.org")
    roles.give(by=SITE, competition=found, player=person, name="organiser")
    client.force_login(person.user, backend=BACKEND)
    client.cookies["django_language"] = "fr"
    return person


def ask(client: Client, found: Competition, what: str, **chosen: str) -> Any:
    return client.get(reverse("exports:print_sheet", args=[found.slug, what]), chosen, headers=FRENCH)


def pages(client: Client, found: Competition, what: str, **chosen: str) -> list[str]:
    """Return the text of each page; assert that every font is inside the file and that each page has number and event."""
    answer = ask(client, found, what, **chosen)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    read = pypdf.PdfReader(io.BytesIO(answer.content))
    for page in read.pages:
        for font in page["/Resources"]["/Font"].values():
            assert "/FontFile2" in font["/DescendantFonts"][0]["/FontDescriptor"]
    texts = [page.extract_text() for page in read.pages]
    for number, text in enumerate(texts, start=1):
        assert f"{number}" in text
        assert found.name in text
        assert "2026" in text
    return texts


def an_event(kind: str = "groups_knockout", teams: int = 5, **more: Any) -> Competition:
    made = a_tournament(teams, plan=a_plan(kind), **more)
    Competition.objects.filter(pk=made.pk).update(name=NAME)
    made.refresh_from_db()
    return made


def test_the_pairings_of_a_round_are_printed_by_table_and_by_name(client: Client) -> None:
    made = an_event("swiss")
    Team.objects.filter(entries__competition=made, entries__seed=1).update(name="Les Œufs d’Élie")
    last = Player.objects.filter(roster_spots__entry__competition=made).order_by("pk").first()
    assert last is not None
    Player.objects.filter(pk=last.pk).update(display_name="Émile Zoé")
    (by_table,) = pages(client, made, "pairings")
    assert "Les Œufs d’Élie" in by_table
    assert "14\u00a0h\u00a000" in by_table
    (by_name,) = pages(client, made, "pairings-by-name", paper="a4", round="1-1")
    names = [line for line in by_name.splitlines() if line.startswith(("Équipe", "Émile"))]
    # Ten players of five teams, one of which has no match; accents do not change the order.
    assert len(names) == 10
    assert names[0].startswith("Émile Zoé")
    assert ask(client, made, "pairings", round="7-7").status_code == 404


def test_tables_are_printed_for_each_group_and_a_swiss_event_round_by_round(client: Client) -> None:
    made = an_event()
    decide(under_way(made)[0], 0)
    first, second = pages(client, made, "cross-table")
    assert "1 – 0*" in first + second
    assert len(pages(client, made, "standings")) == 2
    swiss = an_event("swiss")
    decide(under_way(swiss)[0], 0)
    (cross,) = pages(client, swiss, "cross-table")
    assert ": 1 – 0*" in cross.replace("\u00a0", " ") or "\u00a0: 1 – 0*" in cross
    league = a_league(3, legs=2)
    assert len(pages(client, league, "cross-table")) == 1


def test_a_large_cross_table_goes_on_on_further_pages(client: Client, monkeypatch: Any) -> None:
    league = a_league(5, legs=1)
    monkeypatch.setattr("tock_league.exports.prints.tables.LEAST_CELL", 70.0)
    texts = pages(client, league, "cross-table")
    assert len(texts) == 3  # two columns of cells a page
    assert all("Équipe 5" in text for text in texts)


def test_regulations_are_one_page_and_say_what_the_page_says(client: Client) -> None:
    for made in (an_event(), a_league(2)):
        (text,) = pages(client, made, "regulations")
        assert made.lots_seed in text
        assert made.regulations.digest[:12] in text


@every("sheets", list(range(5)))
def test_every_match_of_a_bracket_is_on_one_sheet(sheets: int) -> None:
    for entries in range(2, 129):
        for third in (False, entries >= 4):
            made = single_elimination(entries, third)
            parts = parts_of(made, sheets)
            assert sorted(number for part in parts for number in part) == [node.number for node in made.nodes]
            assert len(parts) <= (sheets or 4)
            if entries >= 8 and sheets:
                assert len(parts) == sheets
            if sheets == 3 and len(parts) == 3:
                assert [made.node(number).round for number in parts[2]] == [made.rounds] * (1 + third)


def test_a_bracket_on_two_sheets_says_where_the_winner_goes_on(client: Client) -> None:
    made = an_event("knockout", teams=8)
    first, second = pages(client, made, "bracket", sheets="2")
    assert "M7" in first
    assert "M7" in second  # where the second semi-final's winner goes
    assert len(pages(client, made, "bracket")) == 1


def test_the_desk_prints_lists_slips_badges_and_certificates(client: Client, monkeypatch: Any) -> None:
    club = a_club()
    made = an_event("knockout", teams=4, club=club)
    organiser_of(made, client)
    codes: list[str] = []
    for module in (people, slips):
        monkeypatch.setattr(module, "draw_code", lambda _document, text, *_at: codes.append(text))
    (slip,) = pages(client, made, "slips")
    matches = under_way(made)
    assert all(match.slug in slip for match in matches)
    assert codes == [f"http://testserver/matches/{match.slug}/paper/" for match in matches]
    assert slip.count("Signature") == 4
    codes.clear()
    (badges,) = pages(client, made, "badges")
    slugs = Player.objects.filter(roster_spots__entry__competition=made).values_list("slug", flat=True)
    assert sorted(codes) == sorted(f"http://testserver/players/{slug}/" for slug in slugs)
    assert badges.count(club.name) == 8
    (present,) = pages(client, made, "check-in")
    assert present.count("Équipe 04") == 3  # the team, and its two players
    assert ask(client, made, "certificates").status_code == 404
    for _round in range(2):
        for match in under_way(made):
            decide(match, 0)
    first, _second, _third = pages(client, made, "certificates")
    winner = Team.objects.get(entries__competition=made, entries__final_rank=1)
    assert winner.name in first


def test_a_league_has_certificates_when_it_is_finished(client: Client) -> None:
    league = a_league(2, legs=1)
    organiser_of(league, client)
    decide(first_match(league), 1)
    assert ask(client, league, "certificates").status_code == 404
    lifecycle.advance(by=SITE, competition=league, to="finished")
    first, _second = pages(client, league, "certificates")
    assert "Équipe" in first


def test_an_address_has_a_limited_number_of_sheets(client: Client, monkeypatch: Any) -> None:
    league = a_league(2)
    monkeypatch.setattr(views, "FILES", 1)
    assert [ask(client, league, "regulations").status_code for _time in range(2)] == [200, 429]


@pytest.mark.parametrize("role", ["visitor", "player", "referee", "other organiser", "club organiser", "organiser"])
def test_only_organisers_have_the_sheets_of_the_desk(client: Client, role: str) -> None:
    club = a_club()
    made = an_event(club=club)
    if role != "visitor":
        person = a_signed_up_player("quelquun@example.org")
        client.force_login(person.user, backend=BACKEND)
        if role in ("referee", "organiser"):
            roles.give(by=SITE, competition=made, player=person, name=role)
        if role == "other organiser":
            roles.give(by=SITE, competition=a_league(2), player=person, name="organiser")
        if role == "club organiser":
            clubs.join(by=person, club=club)
            clubs.give_role(by=SITE, club=club, player=person, name="organiser")
    may = role in ("organiser", "club organiser")
    page = client.get(reverse("exports:print", args=[made.slug])).content.decode()
    for what in STAFF:
        answer = ask(client, made, what)
        expected = 404 if what == "certificates" else 200  # its podium is not certain yet
        assert answer.status_code == (expected if may else 403), what
        assert (f"/print/{what}.pdf" in page) == (may and what != "certificates")
    for what in PUBLIC:
        if what != "bracket":  # drawn when the groups are done
            assert ask(client, made, what).status_code == 200
            assert f"/print/{what}.pdf" in page
    assert client.get(reverse("exports:print_sheet", args=[made.slug, "secrets"])).status_code == 404


def test_what_is_private_or_not_offered_is_not_there(client: Client) -> None:
    draft = a_league(state="draft")
    assert client.get(reverse("exports:print", args=[draft.slug])).status_code == 404
    league = a_league(2)
    for chosen in ({"paper": "a3"}, {"paper": "../x"}, {"sheets": "5"}, {"sheets": "-1"}, {"sheets": "x"}):
        assert ask(client, league, "regulations", **chosen).status_code == 404
    assert ask(client, league, "bracket").status_code == 404
    assert ask(client, draft, "regulations").status_code == 404
    page = client.get(reverse("exports:print", args=[league.slug])).content.decode()
    assert "bracket.pdf" not in page
    assert reverse("exports:print", args=[league.slug]) in client.get(league_address(league)).content.decode()


def league_address(found: Competition) -> str:
    return reverse("competitions:competition", args=[found.slug])


def test_an_event_without_a_draw_says_what_is_missing(client: Client) -> None:
    made = an_event("knockout", teams=3, state="open")
    page = client.get(reverse("exports:print", args=[made.slug]), headers=FRENCH).content.decode()
    assert "pairings.pdf" not in page
    assert "regulations.pdf" in page
    assert ask(client, made, "pairings").status_code == 404
    organiser_of(made, client)
    assert "badges.pdf" in client.get(reverse("exports:print", args=[made.slug])).content.decode()


def test_no_text_goes_beyond_its_box_or_the_page(client: Client, monkeypatch: Any) -> None:
    made = an_event("knockout", teams=8)
    organiser_of(made, client)
    long = {1: "W" * 60, 2: "Les Grandes Équipes de Saint-Louis-du-Ha Ha et des environs", 3: "ŒŒ ♥ Ω" * 9}
    for seed, name in long.items():
        Team.objects.filter(entries__competition=made, entries__seed=seed).update(name=name)
    Player.objects.update(display_name="Marie-Françoise Désautels-Lamontagne-Charbonneau de la X")
    Competition.objects.filter(pk=made.pk).update(
        name="Le très long tournoi de fin d’été et de début d’automne des clubs"
    )
    written = 0
    cell = Document.cell

    def checked(self: Document, w: float, h: float, text: str = "", **more: Any) -> Any:
        nonlocal written
        written += 1
        room = w if self.str_alias_nb_pages not in text else w + 10
        assert self.get_string_width(text) <= room, text
        assert -0.01 <= self.x <= self.x + w <= self.w
        assert -0.01 <= self.y <= self.y + h <= self.h, text
        return cell(self, w, h, text, **more)

    monkeypatch.setattr(Document, "cell", checked)
    for paper in kinds.PAPERS:
        for what in (*PUBLIC, *STAFF):
            if what not in ("standings", "cross-table", "certificates"):
                assert ask(client, made, what, paper=paper).status_code == 200, what
    groups = an_event(teams=12)
    Team.objects.filter(entries__competition=groups, entries__seed=1).update(name="M" * 60)
    for what in ("standings", "cross-table"):
        assert ask(client, groups, what).status_code == 200
    assert written > 500


def test_a_sheet_takes_as_many_queries_for_many_teams_as_for_few(client: Client) -> None:
    counts: list[dict[str, int]] = []
    for teams in (4, 9):
        made = an_event("swiss", teams=teams)
        organiser_of(made, client)
        found: dict[str, int] = {}
        for what in ("pairings", "pairings-by-name", "standings", "cross-table", "regulations", *STAFF[:3]):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                ask(client, made, what)
            found[what] = len(queries)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("exports:print", args=[made.slug]))
        found["page"] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]


def test_bracket_and_certificates_take_as_many_queries_for_many_teams_as_for_few(client: Client) -> None:
    counts = []
    for teams in (4, 8):
        made = an_event("knockout", teams=teams, state="finished")
        organiser_of(made, client)
        for what in ("bracket", "certificates"):
            with CaptureQueriesContext(connection) as queries:
                assert ask(client, made, what).status_code == 200
            counts.append(len(queries))
    assert counts[:2] == counts[2:]
