"""Every page that links lead to, for a visitor, a player and an organiser, wide and narrow: free of errors, accessible,
in French.

Axe takes a second a page. It checks a page only where the page has markup that it has not checked before, on the wide and
on the narrow screen in turn. TOCK_PAGES=all lets it check every page on both.
"""

import os
from collections import Counter, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve

from games.models import Game, Table
from games.permissions import Person
from games.services import casual
from tests.games.casual import ANA, send
from tests.servers.browser import DESKTOP, PHONE
from tests.servers.site import eventually
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, give_role
from tock_league.competitions.models import Match
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing

from .evening import Evening, an_evening, game_of, let_play

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

EVERYTHING = os.environ.get("TOCK_PAGES") == "all"
EACH = 2  # addresses of one kind that are checked
LEAVE_OUT = (
    "account_logout",
    "games:export",
    "jsi18n",
    "games:record",
    "journal:export",
    "journal:verifier",
    "games:deal_verifier",
    "calendars:club",
    "calendars:competition",
    "calendars:match",
    "calendars:season",
    "calendars:team",
    "feed:overlay",  # a picture of 1920 by 1080 for streams; tests/feed shows it in a browser
)
NO_PAGES = ("exports:", "api:")  # spaces of names of downloads and of the API
PAGES = ("api:console", "exports:print", "exports:room")  # the pages in these spaces
GRAVE = ("serious", "critical")
# An element inside another one, each with its classes: two pages with the same pairs differ by their data.
MARKUP = """[...new Set([...document.querySelectorAll('body *')].map((node) => [node.parentElement, node]
  .map((each) => `${each.tagName}.${each.getAttribute('class') ?? ''}`).join(' > ')))]"""
LINKS = "[...document.querySelectorAll('a[href]')].map(a => a.href.baseVal ?? a.href)"
SOUND = """(() => { const root = document.documentElement;
  return [root.lang, document.querySelectorAll('h1').length, root.scrollWidth - root.clientWidth]; })()"""
# Of no use on paper; and the names of pages that people print.
FRAME = ("header.bar", "nav.tabs", "footer", ".sash", "main button", "main .button", "main select", ".only-screen")
PRINTED = (
    "competitions:competition",
    "competitions:matches",
    "competitions:regulations",
    "ratings:ladder",
    "ratings:subject",
)
# What is seen that should not be, "dark" where paper takes the colours of the dark theme, "cut" where a table ends early.
ON_PAPER = """frame => { const root = document.documentElement, ink = () => getComputedStyle(document.body).color;
  const light = ink(), was = root.className; root.classList.add('dark'); const dark = ink(); root.className = was;
  const seen = frame.filter((part) => [...document.querySelectorAll(part)].some((node) => node.checkVisibility()));
  const cut = [...document.querySelectorAll('.table-scroll')].some((node) => getComputedStyle(node).overflowX !== 'visible');
  return [...seen, ...(light === dark ? [] : ['dark']), ...(cut ? ['cut'] : [])]; }"""
# Pages that no crawled page links to, by role.
STARTS: dict[str, tuple[str, ...]] = {
    "visitor": ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
    "player": ("/", "/profile/", "/tonight/"),
    "organiser": (
        "/",
        "/competitions/",
        "/competitions/new/",
        "/competitions/nights/new/",
        "/competitions/tournaments/new/",
        "/clubs/",
    ),
}
STAFF = ("/staff/", "/accounts/2fa/")
STAFF_PAGES = ("/staff/access/", "/staff/components/", "/staff/admin/", "/accounts/2fa/")


@pytest.fixture
def evening(live_site: Any) -> Evening:
    """Give a league's evening: one match has been played, another one is open at its table."""
    made = an_evening()
    for match in made.league.matches.filter(round__number=1):
        publishing.open_table(match_id=match.pk)
    played = made.league.matches.filter(round__number=1).exclude(pk=made.match.pk).get()
    game = let_play(Table.objects.get(match=played))
    settlement.settle(game_id=game.pk)
    return made


def person(evening: Evening, role: str) -> Player | None:
    """Return the users by role; the player has a table open tonight."""
    if role == "player":
        seating = game_of(Match.objects.get(pk=evening.match.pk).table).table.seatings.get(seat=0)
        return Player.objects.get(pk=seating.player_id)
    if role == "organiser":
        give_role(by=SITE, player=evening.organiser, name="organiser")
        return evening.organiser
    return None


def casual_pages(looks: Player | None) -> tuple[str, ...]:
    """Return the addresses of casual tables: one that waits, and for a player an own room, whom to invite, a rematch and
    the end of a game.
    """
    waiting = casual.open_table(by=ANA, name="Ana", listed=True).code
    if looks is None:
        return (f"/play/{waiting}/",)
    me = Person(player_id=looks.pk)
    own, over = (casual.open_table(by=me) for _ in range(2))
    casual.begin(over.code, by=me, fill=True)
    game = over.table.games.get()
    send(game, 0, me, "ready")
    eventually(lambda: Game.objects.filter(pk=game.pk, state=Game.State.PLAYING).exists())
    eventually(lambda: not send(game, 0, me, "resign").code)
    return (f"/play/{own.code}/", f"/play/{own.code}/people/", f"/play/{over.code}/", f"/games/{game.slug}/end/")


def test_every_page_is_sound(visitors: Any, evening: Evening) -> None:
    faults, known = [], set[str]()
    screens = [DESKTOP, PHONE]
    for role, starts in STARTS.items():
        looks, names = person(evening, role), Counter[str]()
        visitor = visitors.enter(role, user=looks.user if looks else None, reduced_motion="reduce")
        for path, name in crawl(visitor.page, visitor.base, casual_pages(looks) + starts):
            names[name] += 1
            chosen = (DESKTOP, PHONE)[names.total() % 2]
            markup = set(visitor.page.evaluate(MARKUP))
            fresh, known = not markup <= known, known | markup
            for screen in list(screens):
                visitor.page.set_viewport_size(screen)
                found = look_at(visitor.page, axe=EVERYTHING or (fresh and screen is chosen))
                faults += [f"{role}, {path} at {screen['width']}: {fault}" for fault in found]
            screens.reverse()  # the next page opens on this one's last screen
            if name in PRINTED:
                visitor.page.emulate_media(media="print")
                faults += [f"{path} prints {part}" for part in visitor.page.evaluate(ON_PAPER, list(FRAME))]
                visitor.page.emulate_media(media="screen")
        assert len(names) > 15, names
        visitor.page.close()
    assert not faults, "\n".join(faults)


def test_staff_pages_keep_the_content_security_policy(visitors: Any, live_site: Any, django_user_model: Any) -> None:
    """A violation is an error of the visitor, with which the test fails. Two admin pages of each kind are opened."""
    boss = django_user_model.objects.create_superuser(email="boss@example.org", password="le tock du mercredi")
    create_player(display_name="Bosse Demer", user=boss)
    visitor = visitors.enter("administrator", user=boss)
    names = {name for _path, name in crawl(visitor.page, visitor.base, STAFF_PAGES, within=STAFF)}
    assert names >= {"pages:access", "pages:components", "admin:index", "admin changelist", "admin change"}


def crawl(
    page: "Page", base: str, starts: tuple[str, ...], *, within: tuple[str, ...] = ("/",)
) -> Iterator[tuple[str, str]]:
    """Open page after page, following links; yield path and name of each while it is open. `within`: folders to stay in."""
    waiting, seen, count = deque(starts), set(starts), dict[str, int]()
    while waiting:
        path = waiting.popleft()
        name = name_of(path)
        if name in LEAVE_OUT or (name.startswith(NO_PAGES) and name not in PAGES) or count.get(name, 0) >= EACH:
            continue
        count[name] = count.get(name, 0) + 1
        answer = page.goto(base + path)
        assert answer is not None, path
        assert answer.status == 200, f"{path}: {answer.status}"
        yield path, name
        for address in page.evaluate(LINKS):
            parts = urlsplit(address)
            if f"{parts.scheme}://{parts.netloc}" == base and parts.path not in seen and parts.path.startswith(within):
                seen.add(parts.path)
                waiting.append(parts.path)


def name_of(path: str) -> str:
    """Return the name of the page at `path`; the admin's pages of all models have one name for each kind.

    Raises AssertionError for a broken link.
    """
    try:
        name = resolve(path).view_name
    except Resolver404:
        raise AssertionError(f"a link leads to {path}, which is no page") from None
    return f"admin {name.rsplit('_', 1)[1]}" if name.startswith("admin:") and "_" in name else name


def look_at(page: "Page", *, axe: bool = True) -> Iterator[str]:
    """Yield the faults of the page: language, heading, width, and with `axe` the serious ones that it finds."""
    page.wait_for_load_state()
    lang, headings, too_wide = page.evaluate(SOUND)
    if not lang.startswith("fr"):
        yield "is not in French"
    if headings != 1:
        yield f"has {headings} main headings"
    if too_wide > 0:
        yield f"scrolls sideways by {too_wide} px"
    if not axe:
        return
    for found in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
        if found["impact"] in GRAVE:
            where = "; ".join(f"{node['target']} {node.get('failureSummary', '')}"[:300] for node in found["nodes"][:3])
            yield f"{found['id']} ({found['impact']}, {len(found['nodes'])} times): {where}"
