"""What people of all roles ask for: pages, forms, the API, with odd headers; single, twice at once, out of order."""

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.urls import reverse

from . import addresses, bodies, cast, forms, shapes
from .cast import Cast
from .oracles import Judge, is_refusal
from .wire import Answer, Door, request

CSRF = "abcdefghijklmnopqrstuvwxyz012345"
ROLES = ("visitor", *cast.ROLES)
SIGNS_OUT = re.compile(r"/logout|/sessions/|/password/|/email|/2fa/|/profile/$|/reauthenticate|/i18n/")
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
COMPARED = 0.35  # share of refused forms after which the tables are compared
KINDS = {"page": 25, "form": 45, "bare": 10, "api": 8, "odd": 8, "raw": 4}
PRACTICES = 30  # tables with bots that a run opens at most: each keeps a game in memory
LAST = 40  # forms that are kept, to be sent again later


@dataclass
class Visits:
    """The HTTP part of a run."""

    door: Door
    host: str
    origin: str
    cast: Cast
    judge: Judge
    seed: str
    more: dict[str, str] = field(default_factory=dict)  # headers of a proxy
    kinds: dict[str, int] = field(default_factory=lambda: dict(KINDS))  # what is done how often
    clicks_twice: float = 0.15  # share of the forms that are sent twice at once
    pools: dict[str, list[str]] = field(default_factory=dict)
    kept: list[tuple[str, str, forms.Pairs]] = field(default_factory=list)  # role, address, pairs
    names: set[str] = field(default_factory=set)  # of fields seen so far
    visited: set[str] = field(default_factory=set)  # routes
    compared: int = 0
    twins: int = 0
    accepted: int = 0
    unmarked: dict[str, str] = field(default_factory=dict)  # forms shown again without a mark
    address: int = 0
    practices: int = 0
    fruitful: list[tuple[str, str]] = field(default_factory=list)  # role and address of pages that had a form

    def headers(self, role: str, *, csrf: bool = True) -> shapes.Headers:
        """Return what a browser of that role sends; each request has an address of its own, so that no limit stops it."""
        self.address += 1
        far = f"10.{self.address >> 16 & 255}.{self.address >> 8 & 255}.{self.address & 255}"
        cookies = [f"{settings.CSRF_COOKIE_NAME}={CSRF}"] if csrf else []
        if role == "ended":
            cookies.append(f"{settings.SESSION_COOKIE_NAME}={self.cast.ended}")
        elif role != "visitor":
            cookies.append(f"{settings.SESSION_COOKIE_NAME}={self.cast.keys[role]}")
        return [
            ("Host", self.host), ("Cookie", "; ".join(cookies)), ("X-Forwarded-For", far),
            ("Referer", self.origin + "/"), ("Origin", self.origin),
            ("Accept", "text/html,application/xhtml+xml"), ("Accept-Language", "en"), *self.more.items(),
        ]  # fmt: skip

    def warm_up(self) -> None:
        """Sign somebody up: the lists of common passwords and of letters that look alike are read then, once, and kept."""
        target = reverse("account_signup")
        page = self._ask("GET", target, self.headers("visitor"), note="warm-up")
        (form,) = [each for each in forms.forms_of(page.text) if any(one.kind == "password" for one in each.fields)]
        roll = cast.stream(self.seed, "warm-up", 0)
        known = {forms.TOKEN: CSRF, "birth_year": "1980"}
        pairs = [(one.name, known.get(one.name) or forms.right(roll, one)) for one in form.fields]
        headers = [*self.headers("visitor"), ("Content-Type", "application/x-www-form-urlencoded")]
        found = self._ask("POST", target, headers, bodies.plain(pairs), note="warm-up")
        if found.status != 302:
            self.judge.say(f"a good sign-up was refused: {found.status}", str(pairs))

    def one(self, number: int) -> int:
        """Do what the number and the seed say; return how many requests were sent."""
        roll = cast.stream(self.seed, "visit", number)
        if number % 50 == 0 or not self.pools:
            self.pools = cast.pools()
        if number % 10 == 0:
            self.judge.secrets = cast.secrets_of(self.cast)  # the seeds of a game that has ended are public
        route = (
            addresses.routes()[number % len(addresses.routes())]
            if roll.random() < 0.5
            else roll.choice(addresses.routes())
        )
        role = roll.choice([*ROLES, "ended", "administrator", "organiser", "case_referee", "captain"])
        what = roll.choices(list(self.kinds), list(self.kinds.values()))[0]
        return int(getattr(self, f"_{what}")(roll, route, role))

    def _ask(self, method: str, target: str, headers: shapes.Headers, body: bytes = b"", note: str = "") -> Answer:
        found = self.door.send(method, addresses.without_line_ends(target), headers, body)
        self.judge.answer(found, f"{note} {method} {target[:300]} {body[:300]!r}")
        return found

    # --- the kinds of requests

    def _page(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        method = roll.choice(["GET"] * 8 + ["HEAD", roll.choice(shapes.METHODS)])
        target = addresses.path(roll, route, self.pools) + addresses.query(roll)
        self._ask(method, target, self.headers(role), note=f"{role} {route.name}")
        self.visited.add(route.name)
        return 1

    def _form(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        """Open a page, fill a form of it, send it; sometimes twice at once, sometimes an old one again."""
        if self.kept and roll.random() < 0.08:
            role, target, pairs = roll.choice(self.kept)
            self._ask("POST", target, [*self.headers(role), ("Content-Type", "application/x-www-form-urlencoded")],
                      bodies.plain(pairs), note=f"again {role}")  # fmt: skip
            return 1
        target = addresses.path(roll, route, self.pools)
        if self.fruitful and roll.random() < 0.6:
            role, target = roll.choice(self.fruitful)
        page = self._ask("GET", target, self.headers(role), note=f"{role} {route.name}")
        self.visited.add(route.name)
        if page.status == 302 and roll.random() < 0.5:
            target = urljoin(target, urlsplit(page.one("location"))._replace(netloc="", scheme="").geturl())
            page = self._ask("GET", target, self.headers(role), note=f"{role} {route.name}")
        # Signing somebody out would only end what the run can try.
        found = [
            each
            for each in forms.forms_of(page.text)
            if not SIGNS_OUT.search(urljoin(target, each.action)) or role == "newcomer"
        ]
        if self.practices >= PRACTICES:
            found = [each for each in found if not urljoin(target, each.action).endswith("/practice/")]
        if not found:
            return 1
        if (role, target) not in self.fruitful:
            self.fruitful = [*self.fruitful[-400:], (role, target)]
        own = [each for each in found if "i18n" not in each.action]
        return 1 + self._sent(roll, role, target, roll.choice(own or found))

    def _sent(self, roll: random.Random, role: str, page: str, form: forms.Form) -> int:
        ids = [name for pool in self.pools.values() for name in pool]
        pairs, fault = forms.filled(roll, form, ids)
        pairs = [(name, CSRF if name == forms.TOKEN else value) for name, value in pairs]
        self.names.update(name for name, _ in pairs)
        target = urljoin(page, form.action) if form.action else page
        self.practices += target.split("?")[0].endswith("/practice/")
        kind, body = bodies.encoded(roll, pairs, multipart=form.multipart)
        headers = [*self.headers(role), ("Content-Type", kind)]
        if roll.random() < 0.03:
            headers = [*self.headers(role, csrf=False), ("Content-Type", kind)]
        self.kept = [*self.kept[-LAST:], (role, target, pairs)]
        if roll.random() < self.clicks_twice:
            return self._twice(role, target, headers, body)
        before = cast.written() if roll.random() < COMPARED else None
        found = self._ask("POST", target, headers, body, note=f"{role} {fault}")
        refused = is_refusal(found)
        self.accepted += found.status == 302
        if before is not None and refused:
            self._compare(before, f"{role} {fault} POST {target} {body[:300]!r} -> {found.status}")
        if found.status == 200 and not refused and found.one("content-type").startswith("text/html"):
            self.unmarked.setdefault(re.sub(r"[0-9a-z-]{6,}|\d+", "*", target), f"{role} {fault} {body[:200]!r}")
        return 1

    def _twice(self, role: str, target: str, headers: shapes.Headers, body: bytes) -> int:
        """Send the same at the same time, as a double click does: nothing may be there twice."""
        before = cast.written()
        for answer in self.door.twice("POST", target, headers, body):
            self.judge.answer(answer, f"twice {role} POST {target} {body[:300]!r}")
        self.twins += 1
        for table, rows in cast.twins(before, cast.written()).items():
            self.judge.say(f"twins in {table} {rows}", f"{role} POST {target} {body[:300]!r}")
        return 2

    def _compare(self, before: dict[str, Any], asked: str) -> None:
        self.compared += 1
        after = cast.written()
        changed = [table for table in after if after[table] != before[table]]
        if changed:
            new = {table: [row for row in after[table] if row not in set(before[table])][:2] for table in changed}
            self.judge.say(f"refused, and written: {new}", asked)

    def _bare(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        """Send to an address whose form this person was not shown."""
        target = addresses.path(roll, route, self.pools)
        if SIGNS_OUT.search(target):
            role = "newcomer"
        known = sorted(self.names) or ["name"]
        ids = [name for pool in self.pools.values() for name in pool]
        pairs = [
            (name, roll.choice([*forms.TEXTS, *ids]))
            for name in roll.sample(known, min(len(known), roll.randint(0, 8)))
        ]
        kind, body = bodies.encoded(roll, [*pairs, (forms.TOKEN, CSRF)], multipart=roll.random() < 0.2)
        method = roll.choice(["POST"] * 7 + ["PUT", "PATCH", "DELETE"])
        before = cast.written() if roll.random() < COMPARED else None
        found = self._ask(
            method, target, [*self.headers(role), ("Content-Type", kind)], body, note=f"{role} {route.name}"
        )
        if before is not None and found.status >= 400:
            self._compare(before, f"{role} {method} {target} {body[:300]!r} -> {found.status}")
        self.visited.add(route.name)
        return 1

    def _api(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        """Send JSON to the API: right and wrong bodies, also without the session that an operation needs."""
        route = roll.choice([each for each in addresses.routes() if each.template.startswith("/api/")])
        target = addresses.path(roll, route, self.pools) + addresses.query(roll)
        body = roll.choice([
            json.dumps({"id": f"00000000-0000-4000-8000-{roll.randrange(40):012x}", "turn": "0.1", "kind": "ready", "args": {}}),
            json.dumps({"seq": roll.choice([1, -1, 10**30, None, "x", [], True]), "seat": roll.choice([0, 9, "x"])}),
            '{"id":1e999}', "[" * 5000, '{"a":' * 3000, "NaN", '{"id":"a","id":"b"}', '"\\ud800"', "", "\x00",
            "null", "0" * 70_000,
        ])  # fmt: skip
        headers = [(name, value) for name, value in self.headers(role) if name != "Accept"]
        headers += [("Accept", roll.choice(["application/json", "text/html", "*/*", "image/png", "application/xml"])),
                    ("Content-Type", roll.choice(["application/json"] * 5 + ["text/plain", "multipart/form-data"])),
                    ("X-CSRFToken", roll.choice([CSRF] * 6 + ["x", ""]))]  # fmt: skip
        method = roll.choice(["POST", "POST", "GET", "PUT", "DELETE", "OPTIONS"])
        found = self._ask(method, target, headers, body.encode(), note=f"{role} {route.name}")
        if (
            method == "POST"
            and role in ("visitor", "ended")
            and found.status == 200
            and not route.name.endswith("analysis")
        ):
            self.judge.say("the API took this without a session", f"{method} {target} {body[:200]}")
        self.visited.add(route.name)
        return 1

    def _odd(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        target = addresses.without_line_ends(addresses.path(roll, route, self.pools) + addresses.query(roll))
        headers = shapes.odd(roll, self.headers(role))
        method, body = ("POST", b"a=b") if roll.random() < 0.3 and not SIGNS_OUT.search(target) else ("GET", b"")
        data = request(
            method, target, [*headers, *([("Content-Length", "3")] if body else []), ("Connection", "close")], body
        )
        self.judge.answer(self.door.raw(data), f"{role} {data[:900]!r}", raw=True)
        return 1

    def _raw(self, roll: random.Random, route: addresses.Route, role: str) -> int:
        data = shapes.raw(roll, self.host, addresses.without_line_ends(addresses.path(roll, route, self.pools)))
        self.judge.answer(self.door.raw(data), f"raw {data[:300]!r}", raw=True)
        return 1
