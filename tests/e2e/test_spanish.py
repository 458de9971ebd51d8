"""From the rules in Spanish to a table in Spanish: the texts of the page's scripts while cards are drawn and played."""

from typing import Any

import pytest
from django.conf import settings

from tests.architecture.test_languages import compiled
from tests.servers.browser import DESKTOP, PHONE

from .seats import until

pytestmark = pytest.mark.browser

# Records every text that the scripts request and the Spanish catalogue does not have.
LISTEN = """(known) => {
  const texts = new Set(known), page = globalThis;
  page.notSpanish = [];
  const note = (key) => { if (!texts.has(key)) page.notSpanish.push(key); };
  const {gettext, ngettext, pgettext} = page;
  page.gettext = (text) => { note(text); return gettext(text); };
  page.ngettext = (one, many, count) => { note(one); return ngettext(one, many, count); };
  page.pgettext = (context, text) => { note(`${context}\\u0004${text}`); return pgettext(context, text); };
}"""


@pytest.fixture
def known() -> list[str]:
    """Give the texts of the scripts that are in the Spanish catalogue."""
    return sorted({key[0] if isinstance(key, tuple) else key for key in compiled("es", "djangojs")})


@pytest.mark.parametrize(("screen", "rules"), [(DESKTOP, "tractor"), (PHONE, "toc")], ids=["desktop", "phone"])
def test_from_the_rules_to_a_table_in_spanish(
    visitors: Any, known: list[str], screen: dict[str, int], rules: str
) -> None:
    visitor = visitors.enter("Inés", screen=screen, reduced_motion="reduce")
    page = visitor.open(f"/rules/{rules}/")
    if screen is PHONE:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Español").click()
    page.get_by_role("link", name="Jugar a este juego contra bots").click()
    page.wait_for_url("**/practice/**")
    assert page.locator(f'input[name=rules][value="{rules}/1"]').is_checked()
    page.locator("form[data-practice] button.primary").click()
    page.wait_for_url("**/tables/**")
    assert page.locator("html").get_attribute("lang") == "es"
    until(page, "globalThis.tockTable?.link.state.joined", "the table's line stands")
    page.evaluate(LISTEN, known)
    until(page, "tockTable.view.phase !== 'seating'", "the game has begun")
    until(page, "(tockTable.view.legal ?? []).length", "the seat may do something")
    assert page.evaluate("notSpanish") == []
    # The switch is at the table too, and the seat is kept.
    page.get_by_role("button", name="Français").click()
    until(page, "globalThis.tockTable?.link.state.joined", "the table's line stands")
    assert page.locator("html").get_attribute("lang") == settings.LANGUAGE_CODE
    assert page.evaluate("tockTable.seated") is True
    assert visitor.errors == []
