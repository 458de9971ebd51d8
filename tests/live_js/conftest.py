"""Pages for the browser's own code: a site without a database, and modules called directly from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import harness
from .kept import Contexts


@pytest.fixture(scope="session")
def js_site() -> Iterator[harness.Site]:
    """Give the harness site, once a session."""
    with harness.serving() as site:
        site.pages["/blank"] = harness.blank_page()
        yield site


@pytest.fixture(scope="session")
def blank(chromium: Any, js_site: harness.Site) -> Iterator[Any]:
    """Give one empty page for all tests of pure modules."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{js_site.url}/blank")
    yield page
    context.close()


@pytest.fixture
def js(blank: Any) -> Callable[..., Any]:
    """Give `js("reducer.js", "m.canonical(a[0])", value)`: an expression with the module as `m`, arguments as `a`."""

    def call(module: str, expression: str, *arguments: Any) -> Any:
        code = f"async (a) => {{ const m = await import('/static/live/{module}'); return {expression}; }}"
        return blank.evaluate(code, list(arguments))

    return call


@pytest.fixture(scope="session")
def kept(chromium: Any) -> Iterator[Contexts]:
    """Give the contexts in which the pages at fake tables open."""
    contexts = Contexts(chromium)
    yield contexts
    contexts.close()


@pytest.fixture
def opened(kept: Contexts, js_site: harness.Site) -> Iterator[Callable[..., Any]]:
    """Give `opened(boot, table, screen=..., ...)`: a page at a fake table; errors in the console fail the test."""
    pages, complaints = [], []

    def open_page(boot: dict[str, Any], table: harness.FakeTable | None = None, **options: Any) -> Any:
        template = options.pop("template", "games/table.html")
        language = options.pop("language", "en")
        visit = options.pop("visit", True)
        screen = options.pop("screen", {"width": 1280, "height": 900})
        page = kept.open(viewport=screen, **options)
        pages.append(page)
        page.set_default_timeout(6000)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if table is not None:
            js_site.tables["/api/commands"] = table
            page.route_web_socket("**/ws/table/**", table.connect)
        address = js_site.show("table", boot, template=template, language=language)
        if visit:
            page.goto(address)
        return page

    yield open_page
    for page in pages:
        kept.leave(page, js_site.url)
    assert not complaints, "\n".join(complaints)
