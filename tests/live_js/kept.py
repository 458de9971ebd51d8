"""Browser contexts that pages of several tests use one after another, so that scripts and styles are loaded once.

A fresh context has an empty cache: its first page fetches sixty files, which takes as long as many a test.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.servers.browser import NO_SHADOWS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


class Contexts:
    """Opens each page in a context that no other page uses meanwhile, and empties its storage afterwards."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}
        self._used: dict[Page, str] = {}

    def open(self, **options: Any) -> Page:
        """Return a new page in a context with these options of Playwright."""
        kind = json.dumps(options, sort_keys=True)
        free = self._free.setdefault(kind, [])
        context = free.pop() if free else self._begin(options)
        page = context.new_page()
        self._used[page] = kind
        return page

    def _begin(self, options: dict[str, Any]) -> BrowserContext:
        context = self._browser.new_context(service_workers="block", **options)
        context.add_init_script(NO_SHADOWS)
        return context

    def leave(self, page: Page, site: str) -> None:
        """Close a page and what it has opened; forget what `site` has stored."""
        context = page.context
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
        for each in context.pages:
            each.close()
        context.clear_cookies()
        self._free[self._used.pop(page)].append(context)

    def close(self) -> None:
        """Close all contexts that are not in use."""
        for context in (context for free in self._free.values() for context in free):
            context.close()
