"""What must hold for every answer, whatever was asked."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from .wire import Answer

OPEN = ("/api/v1", "/oauth/token", "/oauth/revoke", "/.well-known/oauth-authorization-server")
POLICY = ("content-security-policy", "x-content-type-options", "referrer-policy")
BAD = re.compile(
    r"\b(?:ERROR|CRITICAL)\b|\"level\": ?\"(?:error|critical)\"|\[(?:error|critical)|Traceback \(most recent"
)
LEAKS = re.compile(
    r"Traceback \(most recent|File \"/|/site-packages/|django\.db\.|sqlite3\.|psycopg\.|SELECT \"|scrypt\$"
    r"|(?:<|&lt;)object at 0x"
)
ERROR_MARK = re.compile(
    r"errorlist|aria-invalid=\"true\"|class=\"[^\"]*\b(?:error|note|refused|alert|warning)\b|role=\"alert\"|data-level="
)
MOST_BUSY = 5  # answers 503 of a run; nobody floods the site, so pages should find a place


@dataclass
class Judge:
    """Judges answers. `secrets`: what no answer may hold."""

    origin: str
    secrets: Mapping[str, str]
    new_lines: Callable[[], list[str]]  # what was logged since the last call
    fresh: Callable[[], Mapping[str, str]] | None = None  # reads the secrets again
    secure: bool = False  # whether the site is behind TLS
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    busy: int = 0

    def say(self, what: str, asked: str) -> None:
        """Note a fault."""
        self.wrong.append(f"{what}: {asked[:600]}")

    def answer(self, found: Answer, asked: str, *, raw: bool = False) -> None:
        """Judge an answer; `asked` says what it is the answer to, `raw` that it may have been no HTTP at all."""
        self.statuses[str(found.status)] += 1
        if found.status == 0:
            if not raw:
                self.say("no answer", asked)
            return
        if found.status >= 500:
            if found.status == 503 and found.one("retry-after"):
                self.busy += 1
                if self.busy > MOST_BUSY:
                    self.say("busy, though nobody floods the site", asked)
            else:
                self.say(f"status {found.status} {found.text[:300]!r}", asked)
        self._headers(found, asked)
        self._body(found, asked)
        self.log(asked)

    def log(self, asked: str) -> None:
        """Judge what was logged since the last call."""
        lines = self.new_lines()
        if any(BAD.search(line) for line in lines):
            time.sleep(0.5)  # the rest of a traceback
            lines += self.new_lines()
        for place, line in enumerate(lines):
            if BAD.search(line):
                text = "\n".join(lines[max(0, place - 1) : place + 40])
                self.wrong.append(f"logged after {asked[:600]}:\n{text}")
                break
            if any(secret in line for secret in self.secrets):
                self.say(f"a secret in the log: {line}", asked)

    def _headers(self, found: Answer, asked: str) -> None:
        for name in POLICY:
            if len(found.all(name)) != 1 and found.status != 101:
                self.say(f"{len(found.all(name))} headers {name} on a {found.status}", asked)
        opened = found.all("access-control-allow-origin")
        # `*` opens nothing that is read with cookies: answers for programs have it.
        if opened and (
            not any(one in asked for one in OPEN) or opened != ["*"] or found.all("access-control-allow-credentials")
        ):
            self.say("opened to other origins", asked)
        if "evil.example" in " ".join(value for name, value in found.headers if name.lower() != "location"):
            self.say("a header repeats a foreign host", asked)
        where = found.one("location")
        if where.startswith(("//", "/\\", "\\")) or (
            urlsplit(where).scheme and not where.startswith(self.origin + "/")
        ):
            self.say(f"leads away to {where!r}", asked)
        names = []
        for line in found.all("set-cookie"):
            try:
                (morsel,) = SimpleCookie(line).values()
            except (CookieError, ValueError):
                self.say(f"no cookie: {line!r}", asked)
                continue
            names.append(morsel.key)
            if morsel["samesite"] not in ("Lax", "Strict") or morsel["domain"] or morsel["path"] != "/":
                self.say(f"loose cookie {line!r}", asked)
            if self.secure and not morsel["secure"]:
                self.say(f"cookie without Secure {line!r}", asked)
            if "session" in morsel.key and morsel["max-age"] != "0" and not morsel["httponly"]:
                self.say(f"cookie for scripts {line!r}", asked)
        if len(set(names)) < len(names):
            self.say(f"cookies set twice: {names}", asked)

    def _body(self, found: Answer, asked: str) -> None:
        text = found.text
        if leak := LEAKS.search(text):
            at = leak.start()
            self.say(f"tells of the inside: {text[max(0, at - 80) : at + 120]!r}", asked)
        for secret, what in self.secrets.items():
            if secret in text and secret in (
                self.fresh() if self.fresh else self.secrets
            ):  # the seeds of a game that has just ended are public
                self.say(f"shows {what}", asked)
        kind = found.one("content-type")
        if found.status >= 400 and kind.startswith("text/html") and "<h1" not in text and found.body:
            self.say(f"a bare page of {found.status}: {text[:200]!r}", asked)
        if kind.split(";")[0].strip() in ("application/json", "application/problem+json") and found.body:
            try:
                told = json.loads(text)
            except ValueError:
                self.say(f"JSON that is none: {text[:200]!r}", asked)
                return
            if found.status >= 400 and found.status != 503 and not _code_of(told):
                self.say(f"a {found.status} without a code: {text[:200]!r}", asked)


def _code_of(told: Any) -> str:
    """Return the code of a refusal: in the API's two shapes, or the table's `nak`; "form" for allauth's answer to a script."""
    if not isinstance(told, dict):
        return ""
    if told and set(told) <= {"form", "data", "html", "location"}:
        return "form"
    error = told if told.get("t") == "nak" or "detail" in told else told.get("error")
    return str(error.get("code", "")) if isinstance(error, dict) else ""


def is_refusal(found: Answer) -> bool:
    """Return whether the answer to a form refused it: an error, or the form again with a mark."""
    return found.status >= 400 or (found.status == 200 and bool(ERROR_MARK.search(found.text)))
