"""Size and accessibility of the page: bytes of its scripts, axe in every state, one heading, quiet live regions."""

import gzip
import re
from pathlib import Path
from posixpath import join, normpath

import pytest
from django.contrib.staticfiles import finders

from .harness import VIEW, FakeTable, boot

pytestmark = pytest.mark.browser

OVER = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")} | {
    "phase": "over",
    "result": {"ranks": [1, 0], "reason": "resigned"},
}
SEATING = {k: v for k, v in VIEW.items() if k not in ("legal", "hand", "pile")} | {
    "phase": "seating",
    "ready": [True, False] * 2,
}
FROZEN = VIEW | {
    "owed": [0, 1, 0, 0],
    "frozen": {"by": "call", "seat": 2, "seq": 412, "held": False, "until": 1790000700000},
}
# Loaded when a press, a setting, a time cap or the end of a game asks for them.
ON_DEMAND = {
    "again.js",
    "away.js",
    "call.js",
    "coach.js",
    "cues.js",
    "ending.js",
    "../fetched.js",
    "resign.js",
    "settings.js",
    "sounds.js",
    "time_cap.js",
    "unhurried.js",
    "wood.js",
}
STATES = {
    "frozen": (FROZEN, []),
    "card": (VIEW, []),
    "marble": (VIEW, ["[data-card='9C']", "[data-card='9C']"]),
    "target": (VIEW, ["[data-card='9C']", "[data-card='9C']", "[data-key='m:t30']"]),
    "seating": (SEATING, []),
    "over": (OVER, []),
}


def modules(entry, how="from ", without=frozenset()):
    """Return the modules that a page loads, starting at its entry, as they are served. `how`: they are imported;
    `without`: these are not loaded, nor what they import."""
    found, waiting = {}, [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = Path(str(finders.find(f"live/{name}"))).read_text(encoding="utf-8")
            here = name.rpartition("/")[0]
            imported = re.findall(rf'{how}"(\.\.?/[\w./]+)"', found[name])
            waiting += [path for other in imported if (path := normpath(join(here, other))) not in without]
    return found


@pytest.mark.parametrize("entry", ["table.js", "replay.js", "tractor/table.js", "tractor/replay.js"])
def test_the_scripts_stay_small(entry):
    packed = sum(len(gzip.compress(text.encode())) for text in modules(entry).values())
    assert packed <= 57_500
    later = modules(entry, r"(?:from |import\()", ON_DEMAND)
    assert "extras.js" in later
    assert sum(len(gzip.compress(text.encode())) for text in later.values()) <= 60_000


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing(opened, name, theme):
    from axe_playwright_python.sync_playwright import Axe

    view, presses = STATES[name]
    page = opened(boot(view), FakeTable(view), color_scheme=theme, bypass_csp=True)
    page.wait_for_timeout(200)
    for press in presses:
        page.locator(press).first.click()
        page.wait_for_timeout(150)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_one_heading_and_two_live_regions(opened):
    page = opened(boot(), FakeTable())
    assert page.locator("h1").count() == 1
    assert page.locator("[aria-live=polite]").count() == 1
    assert page.locator("[aria-live=assertive]").count() == 1


def test_every_card_marble_and_target_has_a_name(opened):
    page = opened(boot(), FakeTable())
    for press in STATES["target"][1]:
        page.locator(press).first.click()
        page.wait_for_timeout(150)
    names = page.evaluate(
        """() => [...document.querySelectorAll('#hand button, svg.board [role=button], #choices button')]
        .map((node) => node.getAttribute('aria-label') || node.textContent)"""
    )
    assert len(names) >= 5
    assert all(name.strip() for name in names)
