"""A wrong winner on paper, corrected at the desk of a tournament before and after the podium."""

from typing import Any

import pytest

from tests.competitions.world import a_signed_up_player, a_tournament, under_way
from tests.servers.browser import PHONE, Visitor, overflow_on_both
from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import roles

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REASON = "La feuille de la table 1 disait le contraire."


@pytest.fixture
def cup(live_site: Any) -> Competition:
    return a_tournament(4)


def certify(match: Match, winner: int) -> None:
    paper.certify(by=SITE, match=match, games=[Game(winner, 3)])


def names(match: Match) -> list[str]:
    return [str(side.entry) for side in match.side_rows.select_related("entry__team").order_by("position")]


def correct(desk: Visitor, match: Match, winner: int) -> int:
    """Correct the winner on the match's page; return how many presses it took."""
    page = desk.open(f"/matches/{match.slug}/")
    pressed = 0

    def press(selector: str) -> None:
        nonlocal pressed
        pressed += 1
        page.locator(selector).click()

    press(f'a[href="/matches/{match.slug}/correct/"]')
    page.fill("[name=reason]", REASON)
    press(f'label:has([name=winner_1][value="{winner}"])')
    press('button[value="preview"]')
    page.wait_for_selector("table.preview")
    assert overflow_on_both(page) <= 0
    press('button[value="sign"]')
    page.wait_for_url(f"**/matches/{match.slug}/")
    assert overflow_on_both(page) <= 0
    return pressed


def test_a_wrong_winner_is_corrected_in_four_presses_and_a_typo_after_the_podium(
    cup: Competition, visitors: Any
) -> None:
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    desk = visitors.enter("desk", user=organiser.user, reduced_motion="reduce", screen=PHONE)
    first, second = under_way(cup)
    right, wrong = names(first)
    certify(first, 1)
    certify(second, 0)
    final = cup.matches.get(label="final")
    assert names(final)[0] == wrong
    assert correct(desk, first, 0) <= 4
    assert names(final)[0] == right
    assert right in desk.open(f"/matches/{final.slug}/").locator("h1").inner_text()
    certify(cup.matches.get(label="third_place"), 0)
    certify(final, 1)
    cup.refresh_from_db()
    assert cup.state == "finished"
    page = desk.open(f"/competitions/{cup.slug}/")
    assert names(final)[1] in page.locator(".podium").inner_text()
    correct(desk, final, 0)
    assert str(cup.entries.get(final_rank=1)) == right
    assert REASON in desk.open(f"/matches/{final.slug}/").locator("#corrections").inner_text()
