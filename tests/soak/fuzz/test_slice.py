"""A slice of the fuzz for the default run, on Django's test client: every address for a visitor and an administrator, some
hundred pages and forms of the grammar, and proof that the oracles can fail."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.competitions.world import FIRST_ROUND
from tock_league.common import clock

from . import addresses, cast, forms, oracles
from .visits import Visits
from .wire import Answer, Headers

HOST = "testserver"
ORIGIN = f"http://{HOST}"
SEED, VISITS = "slice", 60
# What is asked for with a method or a body that only a web server can judge belongs to the soak.
KINDS = {"page": 15, "form": 60, "bare": 20, "api": 5}


class Errors(logging.Handler):
    """What was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append("ERROR " + self.format(record))

    def new_lines(self) -> list[str]:
        found, self.lines = self.lines, []
        return found


@dataclass
class Inside:
    """The door of the test client."""

    client: Client

    def send(self, method: str, target: str, headers: Headers, body: bytes) -> Answer:
        named = {name: value if isinstance(value, str) else value.decode("latin-1") for name, value in headers}
        kind = named.pop("Content-Type", "")
        self.client.cookies.clear()
        found = self.client.generic(method, target, body, content_type=kind, headers=named)
        pairs = [*found.items(), *(("Set-Cookie", morsel.OutputString()) for morsel in found.cookies.values())]
        return Answer(found.status_code, tuple(pairs), b"" if found.streaming else found.content)

    def twice(self, method: str, target: str, headers: Headers, body: bytes) -> list[Answer]:
        return [self.send(method, target, headers, body) for _ in range(2)]

    def raw(self, data: bytes) -> Answer:
        raise NotImplementedError("there is no web server here")


@pytest.fixture
def errors() -> Iterator[Errors]:
    handler = Errors()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def visits(db: None, errors: Errors, settings: Any) -> Iterator[Visits]:
    settings.MFA_REQUIRED_ROLES = ["administrator"]
    people = cast.build(tables=False)
    judge = oracles.Judge(ORIGIN, cast.secrets_of(people), errors.new_lines)
    door = Inside(Client(raise_request_exception=False, enforce_csrf_checks=True))
    with clock.frozen(FIRST_ROUND):
        yield Visits(door, HOST, ORIGIN, people, judge, SEED, kinds=KINDS, clicks_twice=0.0)


def test_no_address_and_no_form_of_the_grammar_brings_a_fault(visits: Visits) -> None:
    """One test for both: the world takes longer to build than a hundred requests."""
    pools = {name: values[:1] for name, values in cast.pools().items()}
    roll = cast.stream(SEED)
    for route in addresses.routes():
        target = route.template % {
            name: addresses.value(roll, route, name, pools, astray=0.0) for name in route.parameters
        }
        for role in ("visitor", "administrator"):
            visits.judge.answer(
                visits.door.send("GET", target, visits.headers(role), b""), f"{role} {route.name} {target}"
            )
    assert visits.judge.wrong == []
    assert visits.judge.statuses["200"] > 120, visits.judge.statuses
    for number in range(VISITS):
        visits.one(number)
    assert visits.judge.wrong == []
    assert visits.compared > 2
    assert visits.accepted > 2


GOOD = (
    ("Content-Type", "text/html"), ("Content-Security-Policy", "x"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(500, GOOD, b"<h1>Broken</h1>"), "status 500"),
        (Answer(503, GOOD, b"<h1>Busy</h1>"), "status 503"),
        (Answer(0), "no answer"),
        (Answer(200, GOOD[:3]), "referrer-policy"),
        (Answer(404, GOOD, b"not found"), "bare page"),
        (Answer(200, GOOD, b"the key k3y"), "shows the key"),
        (Answer(200, GOOD, b"Traceback (most recent call last)"), "tells of the inside"),
        (Answer(302, (*GOOD, ("Location", "//evil.example/"))), "leads away"),
        (Answer(302, (*GOOD, ("Location", "https://evil.example/"))), "leads away"),
        (Answer(200, (*GOOD, ("Set-Cookie", "sessionid=x; Path=/; SameSite=Lax"))), "cookie for scripts"),
        (Answer(200, (*GOOD, ("Set-Cookie", "a=x; Path=/; Domain=example.org; SameSite=Lax"))), "loose cookie"),
        (Answer(400, (("Content-Type", "application/json"), *GOOD[1:]), b"{}"), "without a code"),
        (Answer(200, (("Content-Type", "application/json"), *GOOD[1:]), b"{"), "JSON that is none"),
    ],
)
def test_an_answer_with_a_fault_is_found(answer: Answer, told: str) -> None:
    judge = oracles.Judge(ORIGIN, {"k3y": "the key"}, list)
    judge.answer(answer, "a request")
    assert any(told in line for line in judge.wrong), judge.wrong


def test_a_line_of_an_error_is_found_and_a_good_answer_is_not() -> None:
    lines = ["web: fine", "web: [error    ] it failed"]
    judge = oracles.Judge(ORIGIN, {}, lambda: [lines.pop()] if lines else [])
    judge.answer(Answer(200, GOOD, b"<h1>Fine</h1>"), "a request")
    assert len(judge.wrong) == 1
    judge.answer(Answer(200, (*GOOD, ("Location", "/clubs/")), b"<h1>Fine</h1>"), "a request")
    assert len(judge.wrong) == 1


def test_rows_of_a_double_click_are_found() -> None:
    cast.columns["a"] = ["id", "created_at", "name"]
    before: cast.Rows = {"a": ((1, 0, "x"), (2, 0, "y"))}
    twice = {"a": ((1, 9, "y"), (2, 0, "y"), (3, 1, "z"), (4, 2, "z"))}
    assert cast.twins(before, twice) == {"a": [("z",)]}
    assert cast.twins(before, {"a": twice["a"][:3]}) == {}


def test_a_form_is_read_with_its_fields_and_filled_from_the_seed() -> None:
    page = """<form method=get><input name=q></form><form method="post" action="/x/">
      <input type=hidden name=csrfmiddlewaretoken value=t><input name=title maxlength=4 value=a><textarea name=why>b</textarea>
      <select name=of><option value=1><option value=2 selected></select><input type=radio name=yes value=1><input type=radio
      name=yes value=0><button name=go value=now>Go</button></form>"""
    (form,) = forms.forms_of(page)
    assert [known.name for known in form.fields] == [forms.TOKEN, "title", "why", "of", "yes"]
    assert (form.action, form.buttons) == ("/x/", [("go", "now")])
    assert [known.value for known in form.fields if known.kind in ("select", "textarea")] == ["b", "2"]
    made = [forms.filled(cast.stream("a", number), form, ["club"]) for number in range(60)]
    assert made == [forms.filled(cast.stream("a", number), form, ["club"]) for number in range(60)]
    assert {fault for _, fault in made} == {"nothing", "wrong", "missing", "doubled", "all", "none", "more"}
    assert settings.CSRF_COOKIE_NAME
