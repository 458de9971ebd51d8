"""A wrong result on paper, disputed by a captain from the match page and put right by the head referee."""

from typing import Any

import pytest

from tests.competitions.world import a_signed_up_player, a_tournament, under_way
from tests.servers.browser import PHONE, overflow_on_both
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Case, Ruling
from tock_league.arbitration.services.cases import disputes
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import roles

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WORDS = "Nous avons gagné ; la feuille a été recopiée à l’envers."


@pytest.fixture
def cup(live_site: Any) -> Competition:
    return a_tournament(4)


def test_a_captain_disputes_a_result_on_paper_and_the_referee_puts_it_right(cup: Competition, visitors: Any) -> None:
    match = under_way(cup)[0]
    paper.certify(by=SITE, match=match, games=[Game(1, 3)])
    ours, theirs = (match.side_rows.get(position=place).entry.roster.get(role="starter", slot=1) for place in (0, 1))
    captain = a_signed_up_player("lise@example.org", "Lise Caron")
    ours.player = captain
    ours.save()
    head = a_signed_up_player("marc@example.org", "Marc Villemure")
    roles.give(by=SITE, competition=cup, player=head, name="head_referee")
    player = visitors.enter("Lise", user=captain.user, screen=PHONE)
    page = player.open(f"/matches/{match.slug}/")
    assert overflow_on_both(page) <= 0
    page.click(f'a[href="/matches/{match.slug}/dispute/"]')
    page.check('[name=kind][value="result"]')
    page.check('[name=asks][value="score"]')
    page.fill("[name=text]", WORDS)
    page.wait_for_selector("[data-draft]:not([hidden])")  # kept on the server while it is typed
    assert overflow_on_both(page) <= 0
    page.reload()
    assert page.input_value("[name=text]") == WORDS
    page.click("button.primary.big")
    page.wait_for_url("**/cases/TL-*/")
    assert overflow_on_both(page) <= 0
    case = Case.objects.get()
    disputes.answer(by=theirs.player, case=case, text="La feuille est juste.")
    referee = visitors.enter("Marc", user=head.user, screen=PHONE)
    desk = referee.open(f"/cases/{case.number}/")
    desk.click('form[action$="/take/"] button')
    desk.wait_for_selector("#decide")
    assert not desk.is_visible("#decide [name=winner_1]")
    desk.select_option("#decide [name=result]", "paper")
    desk.select_option("#decide [name=winner_1]", "0")
    assert not desk.is_visible("#decide [name=row]")
    assert not desk.is_visible("#decide [name=absent]")
    desk.fill("#decide [name=facts]", "La feuille signée disait le contraire.")
    desk.fill("#decide [name=reasons]", "La feuille signée compte.")
    assert overflow_on_both(desk) <= 0
    desk.click('#decide button[value="preview"]')
    desk.wait_for_selector("table.preview")
    assert overflow_on_both(desk) <= 0
    desk.click('button[value="sign"]')
    desk.wait_for_selector(".ruling-panel")
    assert Ruling.objects.get().outcome == "entry_error"
    match.refresh_from_db()
    assert effective_of(match).winner == 0
