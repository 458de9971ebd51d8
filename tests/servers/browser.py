"""Visitors with browsers: one Chromium, one context (cookies, storage, screen) for each visitor."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # importing it takes a third of a second, in every run that has no browser
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, WebSocket

DESKTOP = {"width": 1280, "height": 800}
# A violation of the page's Content Security Policy is an error, also where the browser itself says nothing.
VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
  console.error("violates", event.effectiveDirective, event.blockedURI, event.sourceFile))"""
WAIT = """async (patience) => {
  const end = performance.now() + patience;
  for (;;) {
    const value = (EXPRESSION);
    if (value || performance.now() >= end) return value;
    await new Promise((go) => setTimeout(go, 15));
  }
}"""
PHONE = {"width": 360, "height": 740}
# Without a graphics card, Chromium needs longer for the blurred shadows of board and cards than for everything else on
# a table page, on every frame. They take no room and no clicks; the stacking that a filter brings is kept.
NO_SHADOWS = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".card:not(.off *, .dim *), .board { filter: none; isolation: isolate; }");
  document.adoptedStyleSheets = [sheet];
})()"""


def overflow(page: Page) -> int:
    """Return by how many pixels `page` scrolls sideways, once it has loaded.

    A click that leads to another page returns when that page begins to load, when its document may still be empty.
    """
    page.wait_for_load_state()
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def overflow_on_both(page: Page) -> int:
    """Return by how many pixels `page` scrolls sideways on a wide or on a narrow screen; its own screen is kept."""
    own = page.viewport_size
    found = [overflow(page)]
    for screen in (DESKTOP, PHONE):
        if screen != own:
            page.set_viewport_size(screen)  # type: ignore[arg-type]
            found.append(overflow(page))
    if own:
        page.set_viewport_size(own)
    return max(found)


def come_true(page: Page, expression: str, seconds: float) -> Any:
    """Return the first true value of a JavaScript expression; after `seconds`, what it is then.

    The page waits by itself, as a call from outside takes three milliseconds of CPU. Playwright's own function needs
    eval, which the page's policy refuses. A page that is loaded again waits anew.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return page.evaluate(WAIT.replace("EXPRESSION", expression), max(0, end - time.monotonic()) * 1000)
        except Exception as error:
            if "context was destroyed" not in str(error) or time.monotonic() > end:
                raise


@dataclass(frozen=True)
class Frame:
    """One text frame of a socket; `sent` by the browser, otherwise received."""

    sent: bool
    url: str
    text: str


@dataclass
class Visitor:
    """One person: a page, all frames of its sockets, and all errors in its console.

    A test fails at its end when `errors` is not empty; a test that breaks connections on purpose sets
    `tolerates_errors`.
    """

    name: str
    context: BrowserContext
    page: Page
    base: str
    frames: list[Frame] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    tolerates_errors: bool = False

    def open(self, path: str) -> Page:
        """Go to `path` of the site and return the page."""
        self.page.goto(self.base + path)
        return self.page

    def received(self, containing: str = "") -> list[str]:
        """Return the received socket frames, in order, those with `containing` in them."""
        return [frame.text for frame in self.frames if not frame.sent and containing in frame.text]

    def sign_in(self, user: Any) -> None:
        """Sign `user` in by a session cookie; the sign-in page has tests of its own."""
        from django.conf import settings
        from django.test import Client

        client = Client()
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        self.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": self.base}])

    def _listen(self) -> None:
        self.context.add_init_script(VIOLATIONS)
        self.context.add_init_script(NO_SHADOWS)
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.errors.append(f"{self.name}: {error}"))
        self.page.on("websocket", self._note_socket)
        self.page.on("response", lambda response: self.responses.append(response))

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{self.name}: {message.text} ({message.location.get('url', '')})")

    def _note_socket(self, socket: WebSocket) -> None:
        def keep(sent: bool) -> Callable[[Any], None]:
            return lambda text: self.frames.append(Frame(sent, socket.url, str(text)))

        socket.on("framesent", keep(True))
        socket.on("framereceived", keep(False))


@dataclass
class Visitors:
    """Opens browsers: `enter("Martine")`, or `four(users)` for a table."""

    browser: Browser
    base: str
    all: list[Visitor] = field(default_factory=list)

    def enter(
        self,
        name: str = "guest",
        *,
        user: Any = None,
        screen: dict[str, int] | None = None,
        locale: str = "fr-CA",
        **more: Any,
    ) -> Visitor:
        """Return a new visitor with their own context, signed in as `user` if given.

        `screen`: DESKTOP (default) or PHONE; `locale`: the browser's language; `more`: Playwright's context options.
        """
        phone = {"has_touch": True, "is_mobile": True} if screen == PHONE else {}
        options = {"viewport": screen or DESKTOP, "locale": locale, "timezone_id": "America/Toronto"} | phone
        # What a page asks for through a service worker is not seen by `route`; the test of the worker allows it.
        options = options | {"service_workers": "block"} | more
        context = self.browser.new_context(**options)  # type: ignore[arg-type]
        visitor = Visitor(name, context, context.new_page(), self.base)
        visitor._listen()
        if user is not None:
            visitor.sign_in(user)
        self.all.append(visitor)
        return visitor

    def four(self, users: list[Any], **options: Any) -> list[Visitor]:
        """Return one visitor per user, in the order of the seats."""
        return [self.enter(f"seat {seat}", user=user, **options) for seat, user in enumerate(users)]

    def leave(self) -> list[str]:
        """Close all contexts; return the console errors of the visitors that do not tolerate any."""
        for visitor in self.all:
            visitor.context.close()
        return [error for visitor in self.all if not visitor.tolerates_errors for error in visitor.errors]
