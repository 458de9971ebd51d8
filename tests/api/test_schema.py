"""The OpenAPI document that is checked in is the one that the code makes; the examples of docs/api.md run."""

import json
import re
import shlex
from collections.abc import Iterator

import pytest
from django.test import Client
from openapi_spec_validator import validate

from tests.architecture.source import ROOT
from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import World, build
from tock_league.api import schema
from tock_league.clubs.services import invite
from tock_league.common import clock

from .calling import a_token, document

EXAMPLE = re.compile(r"^    curl (.*)$", re.MULTILINE)


def test_the_document_is_the_one_that_is_checked_in() -> None:
    """`python -m tock_league.api` writes it."""
    assert json.loads(schema.path().read_text(encoding="utf-8")) == document()
    assert schema.path().read_text(encoding="utf-8") == schema.text()


def test_the_document_is_openapi_3_1() -> None:
    assert document()["openapi"].startswith("3.1.")
    validate(document())


def test_the_document_is_served_to_everybody() -> None:
    answer = Client().get("/api/v1/schema")
    assert json.loads(answer.content)["info"]["version"] == "1.0.0"


def test_every_endpoint_says_what_it_does_and_what_each_parameter_is() -> None:
    for address, path in document()["paths"].items():
        for method, operation in path.items():
            assert operation.get("description"), f"{method} {address}"
            parameters = [schema.resolved(document(), one) for one in operation.get("parameters", ())]
            unsaid = [one["name"] for one in parameters if not one.get("description")]
            assert unsaid == [], f"{method} {address}"


def test_what_several_endpoints_have_is_written_once() -> None:
    for part in ("parameters", "schemas"):
        texts = [json.dumps(one, sort_keys=True) for one in document()["components"][part].values()]
        assert [text for text in texts if texts.count(text) > 1] == []
    inline = [
        json.dumps(one, sort_keys=True)
        for path in document()["paths"].values()
        for operation in path.values()
        for one in operation.get("parameters", ())
        if "$ref" not in one
    ]
    assert [text for text in inline if inline.count(text) > 1] == []


@pytest.fixture
def world(db: None) -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def test_the_examples_of_the_page_run(world: World) -> None:
    offer = invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)
    named = {
        "$SITE": "", "$TOKEN": a_token(world.player("player")).secret, "ligue-du-mercredi": world.league.slug,
        "/matches/abcd2345": f"/matches/{world.match.slug}", "/invitations/7/": f"/invitations/{offer.pk}/",
    }  # fmt: skip
    examples = EXAMPLE.findall((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    assert len(examples) > 4
    for example in examples:
        for word, meant in named.items():
            example = example.replace(word, meant)
        words, headers, body, address = shlex.split(example), {}, None, ""
        while words:
            match words.pop(0):
                case "-H":
                    name, _colon, value = words.pop(0).partition(": ")
                    headers[name] = value
                case "-d":
                    body = words.pop(0)
                case word:
                    address = word
        kind = headers.pop("Content-Type", "application/json")
        client = Client(headers=headers)
        answer = client.get(address) if body is None else client.post(address, body, kind)
        assert answer.status_code == 200, f"{example}: {answer.content!r}"
