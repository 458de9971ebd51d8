"""Every link of the pages of arbitration that names a place on a page leads to a place that is there."""

import re
from functools import cache
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tock_league.arbitration.core import penalties
from tock_league.common import clock
from tock_league.pages import rules

from .browsers import signed_in, to
from .world import World, a_world

pytestmark = pytest.mark.django_db
LINK = re.compile(r'<a\b[^>]*\bhref="(/[^"#]*|)#([^"]+)"')


@pytest.fixture
def world(db, hand) -> World:
    return a_world()


def without_their_place(client: Client, address: str, language: str = "en") -> list[str]:
    """Return the links of a page whose place is missing on the page that they lead to; replays choose by themselves."""

    @cache
    def body(path: str) -> str:
        return client.get(path, headers={"accept-language": language}).content.decode()

    links = {(path or address, place) for path, place in LINK.findall(body(address)) if "/games/" not in path}
    return [f"{path}#{place}" for path, place in links if f'id="{place}"' not in body(path)]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_links_of_a_case_and_of_its_ruling_lead_to_places_that_exist(world: World, language: str) -> None:
    case = world.taken(world.heard(world.dispute()))
    cited = ("8", "règle 9", "no-talking", "Conduct", "La tenue à la table", "article 4.2 of the club")
    world.rule(case, world.against(case, rules=cited))
    for client, address in (
        (signed_in(world.head), to("case", case.number)),
        (signed_in(None), to("ruling", case.number)),
        (signed_in(None), reverse("arbitration:table")),
    ):
        assert without_their_place(client, address, language) == []
    page = signed_in(None).get(to("ruling", case.number)).content.decode()
    pages = reverse("pages:rules", args=["shawinigan-1"])
    for place, rule in (
        ("section-8", "8"),
        ("section-9", "règle 9"),
        ("no-talking", "no-talking"),
        ("conduct", "Conduct"),
    ):
        assert f'<a href="{pages}#{place}">{rule}</a>' in page
    row = f"{reverse('arbitration:table')}#20261-talk"
    assert row in page


def test_every_row_of_every_table_has_a_place_of_its_own() -> None:
    page = Client().get(reverse("arbitration:table")).content.decode()
    for table in penalties.all_tables():
        for row in table.rows:
            place = f"{table.version.replace('/', '')}-{row.code}"
            assert page.count(f'id="{place}"') == 1, place


@pytest.mark.parametrize("name", [page.name for page in rules.pages("en")])
def test_a_heading_has_the_places_of_all_languages_and_of_its_sections(name: str) -> None:
    pages = {language: rules.page(name, language) for language in ("fr", "en", "es")}
    ids = {language: re.findall(r' id="([^"]*)"', page.text) for language, page in pages.items()}
    assert all(len(found) == len(set(found)) for found in ids.values())
    assert set(ids["fr"]) == set(ids["en"]) == set(ids["es"])
    numbers = [f"t{n}" for n in range(1, 10)] if "tractor" in name else ["1", "2", "3", "4", "7", "8", "9", "10", "11"]
    assert [number for number in numbers if not pages["fr"].place(number)] == []
    assert pages["fr"].place("règle 99") == ""


def test_a_ruling_of_tractor_links_to_the_row_of_its_own_table(db) -> None:
    one = SimpleNamespace(
        ref="TL-2026-000001/1", infraction="Talks", table_version="2026/1-tractor", row="talk", rules=("T5",),
        rules_page="tractor-1", penalty="none", authors=("Odile",),
        signed_at=clock.now(),
    )  # fmt: skip
    page = render_to_string("arbitration/_ruling.html", {"one": one})
    assert LINK.findall(page) == [
        (reverse("arbitration:table"), "20261-tractor-talk"),
        (reverse("pages:rules", args=["tractor-1"]), "section-t5"),
    ]
