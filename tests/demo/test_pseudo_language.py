"""Every page in a language made of brackets (tests/demo/brackets.py): what stands outside of them is not translated.

The pages are those of the demo, which shows most states of the site at once, for each of its accounts.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.test import Client
from django.urls import Resolver404, resolve
from django.utils.translation import trans_real

from tests.soak.fuzz.addresses import routes
from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.demo.accounts import ACCOUNTS

from .brackets import CLOSE, CODE, OPEN, Bare, spoken
from .data import pattern

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
EMAILS = {account.label: account.email for account in ACCOUNTS}
# Files, answers to programs, and the admin, which is Django's.
NO_PAGES = re.compile(
    r"admin:|api:(?!console)|calendars:(?!mine)|exports:|jsi18n|games:(export|record)|journal:(export|verifier)"
)
# The roles in their order, and the kinds of pages that each opens although one before has: those that show it something else.
ROLES = {
    "visitor": "",
    "player": r"(?!pages:(rules|privacy|security|offline)|games:(learn|lesson|open_deals|replay)|ratings:|journal:|api:)",
    "organiser": r"competitions:(competition|match|entry)$|pages:(home|club|team)$",
    "referee": r"arbitration:|competitions:match$",
    "administrator": r"pages:(home|player)$",
}
LINK = re.compile(r'href="(/[^"#]*)')


def test_no_page_shows_a_text_that_is_not_translated(league: clock.Frozen) -> None:
    is_data, faults, kinds = pattern(), [], dict[str, bool]()
    with spoken() as language:
        for role in ROLES:
            for path, page in pages_of(role, kinds):
                assert f'<html lang="{CODE}"' in page, path
                found = Bare(page)
                bare = [text for text in found.found if not is_data.fullmatch(text)]
                faults += [f"{role}, {path}: {text}" for text in dict.fromkeys(bare + found.torn)]
    assert faults == []
    assert sum(kinds.values()) > 95, sorted(name for name, is_page in kinds.items() if is_page)
    # Of texts that are not ours, but Django's or a package's, the catalogues are theirs.
    lacking = [
        f"{code}: {key}" for code in ("fr-ca", "es") for key in sorted(language.asked) if not is_known(key, code)
    ]
    assert lacking == []


def test_what_is_not_in_brackets_is_found() -> None:
    page = f"""<html lang="{CODE}"><title>Rules</title><p title="{OPEN}Why{CLOSE}">{OPEN}Won <b>at</b> last{CLOSE} 7 games</p>
    <br /><img alt="a hand"><input type="submit" value="Send"><input value="typed"><p lang="fr">Bonjour</p><code>eat</code>"""
    found = Bare(page)
    assert found.found == ["Rules", "7 games", "a hand", "Send"]
    assert found.torn == []
    assert Bare(f"<p>{OPEN}cut sh…</p>").torn == ["<p>"]


def pages_of(role: str, kinds: dict[str, bool]) -> Iterator[tuple[str, str]]:
    """Open the pages without a parameter and one of each kind that links lead to; yield address and page.

    `kinds`: of those that were opened, whether it is a kind of page; filled.
    """
    client = Client(headers={"accept-language": CODE})
    if role != "visitor":
        user = User.objects.get(email=EMAILS[role])
        Player.objects.filter(user=user).update(language="en")
        client.force_login(user, backend=BACKEND)
    known = {name for name, is_page in kinds.items() if not is_page or not re.match(ROLES[role] or "$", name)}
    waiting = deque(route.template for route in routes() if not route.parameters)
    seen, filled = set(waiting), False
    while waiting or not filled:
        if not waiting:
            waiting.extend(unlinked(seen, known | kinds.keys()))
            filled = True
            continue
        path = waiting.popleft()
        name = kind_of(path)
        if not name or name in known:
            continue
        known.add(name)
        answer = client.get(path)
        is_html = not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 405 or (answer.status_code == 200 and not is_html):
            kinds[name] = False
        if not is_html or answer.status_code not in (200, 403, 404):
            continue
        if answer.status_code == 200:
            kinds[name] = True
        page = answer.content.decode()
        yield path, page
        for address in LINK.findall(page):
            if address not in seen:
                seen.add(address)
                waiting.append(address)


def unlinked(seen: set[str], known: set[str]) -> Iterator[str]:
    """Yield an address of each kind to which no link has led, with the first name that links have to its neighbours."""
    names: dict[str, str] = {}
    for address in sorted(seen):
        first, _, rest = address.removeprefix("/").partition("/")
        if name := rest.partition("/")[0]:
            names.setdefault(first, name)
    for route in routes():
        first = route.template.split("/")[1]
        if len(route.parameters) == 1 and route.name not in known and first in names:
            yield route.template % {route.parameters[0]: names[first]}


def kind_of(path: str) -> str:
    """Return the name of the address's pattern; empty for what is no page of ours."""
    try:
        name = resolve(urlsplit(path).path).view_name
    except Resolver404:
        return ""
    return "" if NO_PAGES.match(name) else name


def is_known(key: str, code: str) -> bool:
    """Return whether the text is in a catalogue of the language."""
    catalogue: Any = trans_real.translation(code)
    while catalogue is not None and not (key in catalogue._catalog or (key, 0) in catalogue._catalog):
        catalogue = catalogue._fallback
    return catalogue is not None
