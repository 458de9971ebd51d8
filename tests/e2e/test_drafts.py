"""What a referee types is kept while typing, with a renewal, and when the case is handed over without a pause."""

from typing import Any

import pytest

from tests.servers.browser import Visitors
from tests.servers.site import eventually
from tock_league.arbitration.models import Case, Draft
from tock_league.arbitration.services.cases import disputes
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing

from .cup import a_cup
from .evening import let_play

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]


def a_disputed_game() -> tuple[Any, Case]:
    """Return a cup, and the dispute of its first game, answered by the other side."""
    cup = a_cup()
    publishing.open_table(match_id=cup.match.pk, early=True)
    cup.match.refresh_from_db()
    game = let_play(cup.match.table)
    settlement.settle(game_id=game.pk)
    players = [seating.player for seating in cup.match.table.seatings.select_related("player").order_by("seat")]
    case = disputes.file(by=players[0], game=game, seq=5, kind="talk", text="Il a parlé.")
    disputes.answer(by=players[1], case=case, text="Non.")
    return cup, case


def test_a_typed_decision_survives_a_renewal_and_reaches_the_head_referee(visitors: Visitors, live_site: Any) -> None:
    cup, case = a_disputed_game()
    address = f"/cases/{case.number}/"

    page = visitors.enter("referee", user=cup.referee.user).open(address)
    page.locator('form[action$="/take/"] button').click()
    page.fill("#id_facts", "Il a parlé au coup 5.")
    page.locator("#decide [data-draft]").wait_for()
    assert Draft.objects.get().fields["facts"] == ["Il a parlé au coup 5."]
    page.fill("#id_reasons", "Parler est interdit.")
    page.locator('[formaction$="/renew/"]').click()
    eventually(lambda: Draft.objects.get().fields["reasons"] == ["Parler est interdit."])
    page.wait_for_url(f"**{address}")
    assert page.input_value("#id_reasons") == "Parler est interdit."

    page.locator('details:has(form[action$="/escalate/"]) summary').click()
    page.fill("#escalate-reason", "Une partie perdue?")
    page.fill("#id_reasons", "Parler est interdit, règle 8.")  # pressed before the script has saved it
    page.locator('form[action$="/escalate/"] button').click()
    eventually(lambda: Draft.objects.filter(offered=True).exists())

    page = visitors.enter("head referee", user=cup.head.user).open(address)
    page.locator('form[action$="/take/"] button').click()
    page.locator("#decide").wait_for()
    assert page.input_value("#id_reasons") == "Parler est interdit, règle 8."
    assert cup.referee.display_name in page.locator("#decide .note").inner_text()
    page.locator('[form="discard-decision"]').click()
    page.locator('#decide .note:has([form="discard-decision"])').wait_for(state="detached")
    assert page.input_value("#id_reasons") == ""


def test_what_is_typed_before_the_script_runs_is_kept_too(visitors: Visitors, live_site: Any) -> None:
    cup, case = a_disputed_game()
    visitor = visitors.enter("referee", user=cup.referee.user)
    page = visitor.open(f"/cases/{case.number}/")
    waiting: list[Any] = []
    page.route("**/drafts*.js", lambda route: waiting.append(route))
    page.locator('form[action$="/take/"] button').click()
    page.fill("#id_facts", "Il a parlé au coup 5.")
    eventually(lambda: bool(waiting) or not page.wait_for_timeout(50))
    waiting[0].continue_()
    page.locator("#decide [data-draft]").wait_for()
    assert Draft.objects.get().fields["facts"] == ["Il a parlé au coup 5."]
