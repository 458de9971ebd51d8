"""Sheets to print: what stands on them, and that nothing is cut."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from tests.competitions.world import (
    START,
    a_club,
    a_league,
    a_tournament,
    decide,
    first_match,
    under_way,
)
from tests.every import every
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.core.bracket import single_elimination
from tock_league.competitions.core.pairings.consolation import consolation
from tock_league.competitions.core.pairings.double_elimination import double_elimination
from tock_league.competitions.core.pairings.placement import placement
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.seasons.regulation_lines import regulation_lines
from tock_league.competitions.services.seasons import lifecycle
from tock_league.exports.prints import kinds, people, slips
from tock_league.exports.prints.bracket import parts_of
from tock_league.exports.prints.document import Document

from .printed import PUBLIC, STAFF, an_event, ask, organiser_of, pages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


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
    assert re.search(r"\d\s*: 1 – 0\*", cross)  # against which line, and the score
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
        page = client.get(reverse("competitions:regulations", args=[made.slug])).content.decode()
        for line in regulation_lines(made):
            for said in (line.term, line.text, line.more, line.code, *line.items):
                assert "".join(said.split()) in "".join(text.split())
                assert escape(said) in page
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


@pytest.mark.parametrize("sheets", [0, 1, 2, 3, 4])
def test_the_trees_of_a_bracket_have_sheets_of_their_own(sheets: int) -> None:
    for made in (
        *map(double_elimination, range(3, 65)),
        *map(placement, range(2, 65)),
        *map(consolation, range(4, 65)),
    ):
        parts = parts_of(made, sheets)
        assert sorted(number for part in parts for number in part) == [node.number for node in made.nodes]
        assert len(parts) <= (sheets or 4)
        assert {made.node(number).part for number in parts[0]} == {0} or len(parts) == 1


def test_a_double_elimination_on_two_sheets_says_where_the_winner_of_the_losers_bracket_goes(client: Client) -> None:
    made = an_event("double_elimination", teams=6)
    first, second = pages(client, made, "bracket", sheets="2")
    assert "M11" in first  # the second final
    assert "M11" not in second
    assert "M10" in second  # the final, where the winner of its last match goes
    assert len(pages(client, made, "bracket")) == 1


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
    assert sorted(codes) == sorted(f"http://testserver/competitions/{made.slug}/here/{slug}/" for slug in slugs)
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


def test_a_poster_hangs_where_there_is_a_check_in(client: Client, monkeypatch: Any) -> None:
    made = a_tournament(2, state="open", check_in=True)
    organiser_of(made, client)
    codes: list[str] = []
    monkeypatch.setattr(people, "draw_code", lambda _document, text, *_at: codes.append(text))
    (page,) = pages(client, made, "poster")
    assert codes == [f"http://testserver/competitions/{made.slug}/here/"]
    assert codes[0] in page
    listed = client.get(f"/competitions/{a_tournament(2).slug}/print/").content.decode()
    assert "poster.pdf" not in listed


def test_a_league_has_certificates_when_it_is_finished(client: Client) -> None:
    league = a_league(2, legs=1)
    organiser_of(league, client)
    decide(first_match(league), 1)
    assert ask(client, league, "certificates").status_code == 404
    lifecycle.advance(by=SITE, competition=league, to="finished")
    first, _second = pages(client, league, "certificates")
    assert "Équipe" in first


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
            if what not in ("standings", "cross-table", "poster", "certificates"):
                assert ask(client, made, what, paper=paper).status_code == 200, what
    groups = an_event(teams=12)
    Team.objects.filter(entries__competition=groups, entries__seed=1).update(name="M" * 60)
    for what in ("standings", "cross-table"):
        assert ask(client, groups, what).status_code == 200
    assert written > 500
